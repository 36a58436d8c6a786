"""Icons by name, from the files in `resources/icons`; the dark window has drawings of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Optional

from qgis.PyQt.QtCore import QRect, QSize, Qt
from qgis.PyQt.QtGui import QIcon, QPainter, QPaintEvent
from qgis.PyQt.QtWidgets import QSizePolicy, QWidget

from . import theme

FADED = 0.45
FOLDER = Path(__file__).resolve().parent.parent / "resources" / "icons"
STATUS = {
    **{name: name for name in ("pass", "fail", "undecided", "warning", "note")},
    "not_applicable": "note",
    "error": "fail",
    "info": "note",
}


def path(name: str, dark: bool = False) -> str:
    """The file of an icon: its dark drawing where there is one and the window is dark."""
    if dark:
        drawing = FOLDER / f"{name}_dark.svg"
        if drawing.exists():
            return str(drawing)
    return str(FOLDER / f"{name}.svg")


@cache
def _icon(name: str, dark: bool, dark_selection: bool) -> QIcon:
    drawn = QIcon(path(name, dark))
    on_selection = FOLDER / f"{name}_selected.svg"
    selected = str(on_selection) if dark_selection and on_selection.exists() else path(name, dark_selection)
    drawn.addFile(selected, QSize(), QIcon.Mode.Selected)
    return drawn


def icon(name: str, widget: Optional[QWidget] = None) -> QIcon:
    """An icon for the window that `widget` is in, with a drawing for selected rows."""
    return _icon(name, theme.is_dark(widget), theme.selection_is_dark(widget))


def status_icon(status: str, widget: Optional[QWidget] = None) -> QIcon:
    """The icon of a status or of a severity; an empty one for no status."""
    return icon(STATUS[status], widget) if status else QIcon()


class StatusIcon(QWidget):
    """A status drawn at the size of the text beside it, sharp at every scale and right in every theme."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._status = ""
        self._faded = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def status(self) -> str:
        """The status shown, empty for none."""
        return self._status

    def set_status(self, status: str, words: str = "") -> None:
        """Show a status; `words` is what it is called to those who cannot see it."""
        self._status = status
        self.setAccessibleName(words or status.replace("_", " "))
        self.update()

    @property
    def faded(self) -> bool:
        """Whether it is drawn faintly."""
        return self._faded

    def set_faded(self, faded: bool) -> None:
        """Draw it faintly: its figure is no longer that of the inputs."""
        if faded != self._faded:
            self._faded = faded
            self.update()

    def sizeHint(self) -> QSize:
        """A square as high as a line of text."""
        side = max(14, self.fontMetrics().height() - 1)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """Never smaller than the hint."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icon of the status."""
        if not self._status:
            return
        painter = QPainter(self)
        painter.setOpacity(FADED if self._faded else 1.0)
        status_icon(self._status, self).paint(
            painter, QRect(0, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignCenter
        )
        painter.end()
