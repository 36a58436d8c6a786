"""F6 goes from the map to the dock and back; the key belongs to these two only while one of them has the focus."""

from __future__ import annotations

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QEvent, QObject, Qt
from qgis.PyQt.QtWidgets import QWidget

KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)


class FocusSwitch(QObject):
    """Watches map and dock. A shortcut would be ambiguous: QGIS has F6 for the attribute table elsewhere."""

    def __init__(self, canvas: QgsMapCanvas, dock: QWidget, first: QWidget) -> None:
        """`first` gets the focus where no other widget of the dock had it before."""
        super().__init__(dock)
        self._canvas, self._dock, self._first = canvas, dock, first
        canvas.installEventFilter(self)
        dock.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take F6 before the window's own shortcuts do."""
        if event.type() not in KEYS or event.key() != Qt.Key.Key_F6 or not self._dock.isVisible():
            return False
        if event.modifiers() != Qt.KeyboardModifier.NoModifier:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            target = (self._dock.focusWidget() or self._first) if watched is self._canvas else self._canvas
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def tear_down(self) -> None:
        """Watch no longer."""
        self._canvas.removeEventFilter(self)
        self._dock.removeEventFilter(self)
