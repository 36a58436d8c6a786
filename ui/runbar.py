"""A long run in the message bar: how far it is, and a button that stops it. Short runs are not worth a line."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import Qgis
from qgis.gui import QgsMessageBarItem
from qgis.PyQt.QtCore import QObject, Qt, QTimer
from qgis.PyQt.QtWidgets import QProgressBar, QPushButton

from .compat import is_gone
from .messages import TITLE

LONG_MS = 2000
PROGRESS_WIDTH = 160


class RunBar(QObject):
    """Follows the session's runs; `tear_down` takes its line away and lets go of the session."""

    def __init__(self, session: Any, bar: Any, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._bar = bar
        self._item: Optional[QgsMessageBarItem] = None
        self._progress: Optional[QProgressBar] = None
        self._percent = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LONG_MS)
        self._timer.timeout.connect(self.show)
        self._links = [
            (session.runStarted, self._started),
            (session.runProgress, self._progressed),
            (session.runFinished, self.hide),
            (session.runFailed, self.hide),
            (session.cleared, self.hide),
            (session.inputsChanged, self._changed),
        ]
        for signal, slot in self._links:
            signal.connect(slot)

    def show(self) -> None:
        """Show the line now."""
        if is_gone(self._bar) or self._standing():
            return
        item = self._bar.createMessage(TITLE, self.tr("The analysis is running."))
        item.setLevel(Qgis.MessageLevel.Info)
        progress = QProgressBar(item)
        progress.setRange(0, 100)
        progress.setValue(self._percent)
        progress.setFixedWidth(PROGRESS_WIDTH)
        progress.setAlignment(Qt.AlignmentFlag.AlignCenter)
        progress.setAccessibleName(self.tr("Analysis is running"))
        stop = QPushButton(self.tr("Cancel"), item)
        stop.setToolTip(self.tr("Stop the analysis; the last results stay, marked old. Esc in the panel"))
        stop.clicked.connect(self._session.cancel)
        for widget in (progress, stop):
            item.layout().addWidget(widget)
        self._bar.pushItem(item)
        self._item, self._progress = item, progress

    def hide(self) -> None:
        """Take the line away, if it is there."""
        self._timer.stop()
        if self._standing():
            self._bar.popWidget(self._item)
        self._item = self._progress = None

    def _started(self) -> None:
        self._percent = 0
        if not self._standing():
            self._timer.start()

    def _progressed(self, percent: float) -> None:
        self._percent = int(percent)
        if self._progress is not None and not is_gone(self._progress):
            self._progress.setValue(self._percent)

    def _changed(self) -> None:
        if not self._session.running:
            self.hide()

    def _standing(self) -> bool:
        return self._item is not None and not is_gone(self._item) and not is_gone(self._bar)

    def tear_down(self) -> None:
        """Leave nothing in the message bar."""
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._links = []
        self.hide()
