"""The few colours that the palette does not have: what a status looks like, in a light and in a dark window."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtGui import QColor, QPalette
from qgis.PyQt.QtWidgets import QApplication, QWidget

PASS, FAIL, UNDECIDED, NOTE = "pass", "fail", "undecided", "note"

# (light, dark); text keeps 4.5 : 1 on the window and on the base of QGIS's own themes.
_TEXT = {
    PASS: ("#00639c", "#6cc0f2"),
    FAIL: ("#b34700", "#ff9a5c"),
    UNDECIDED: ("#7a5c00", "#f0c24b"),
    NOTE: ("#5a5a5a", "#b5b5b5"),
}
_FILL = {
    PASS: ("#2f86c1", "#4fa6e0"),
    FAIL: ("#d96b1f", "#e5803a"),
    UNDECIDED: ("#e0b43c", "#f0c24b"),
    NOTE: ("#5a5a5a", "#b5b5b5"),
}
# Painted marks do not use QPalette.WindowText: "Night Mapping" keeps it dark and lightens text by its style sheet only.
_MARK = ("#000000", "#ffffff")
_OUTLINE = ("#8c8c8c", "#9a9a9a")
_MUTED = ("#555555", "#bdbdbd")
_STALE = ("#a6a6a6", "#7d7d7d")
_HIGHLIGHT = "#ffd400"

_ALIASES = {"warning": UNDECIDED, "error": FAIL, "info": NOTE, "not_applicable": NOTE}


def palette_of(widget: Optional[QWidget] = None) -> QPalette:
    """The palette of a widget, or of the application."""
    return QApplication.palette() if widget is None else widget.palette()


def is_dark(widget: Optional[QWidget] = None) -> bool:
    """Whether text areas are dark: lightness of `QPalette.Base` below 128."""
    return palette_of(widget).color(QPalette.ColorRole.Base).lightness() < 128


def text_color(status: str, widget: Optional[QWidget] = None) -> QColor:
    """The colour of words that carry a status."""
    return QColor(_TEXT[_ALIASES.get(status, status)][is_dark(widget)])


def fill_color(status: str, widget: Optional[QWidget] = None) -> QColor:
    """The colour of a bar that carries a status."""
    return QColor(_FILL[_ALIASES.get(status, status)][is_dark(widget)])


def mark_color(widget: Optional[QWidget] = None) -> QColor:
    """The colour of ticks that must stand out from any bar."""
    return QColor(_MARK[is_dark(widget)])


def outline_color(widget: Optional[QWidget] = None) -> QColor:
    """The colour of the frame of a bar."""
    return QColor(_OUTLINE[is_dark(widget)])


def muted_color(widget: Optional[QWidget] = None) -> QColor:
    """The colour of column heads and of figures that are no longer those of the inputs."""
    return QColor(_MUTED[is_dark(widget)])


def stale_color(widget: Optional[QWidget] = None) -> QColor:
    """The fill of a bar whose figure is no longer that of the inputs."""
    return QColor(_STALE[is_dark(widget)])


def highlight_color() -> QColor:
    """The colour that outlines a place on the map, which is light in every theme."""
    return QColor(_HIGHLIGHT)


def selection_is_dark(widget: Optional[QWidget] = None) -> bool:
    """Whether a selected row is dark, so that icons on it must be light."""
    return palette_of(widget).color(QPalette.ColorRole.Highlight).lightness() < 140
