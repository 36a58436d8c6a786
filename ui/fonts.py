"""Larger, smaller and bold words.

QGIS sets the font of the whole window by a style sheet, which overrules `setFont`: only a style sheet of the widget's
own comes through.
"""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QLabel, QWidget

LEAST_POINTS = 7.5


def write(
    widget: QWidget, bold: bool = False, points: float = 0.0, padding: str = "", color: Optional[QColor] = None
) -> None:
    """Set the words of a widget bold or not, and so many points larger (or smaller) than its surroundings.

    `padding` replaces what the theme keeps around the words, which differs from theme to theme; `color` its colour.
    """
    rules = [f"font-weight: {'bold' if bold else 'normal'};"]
    if isinstance(widget, QLabel):
        # Some themes frame and pad labels, which costs a narrow dock more than its bars can spare.
        rules.append("border: 0px;")
        padding = padding or "0px"
    if padding:
        rules.append(f"padding: {padding};")
    if points:
        rules.append(f"font-size: {max(LEAST_POINTS, surrounding_points(widget) + points)}pt;")
    if color is not None:
        rules.append(f"color: {color.name()};")
    sheet = " ".join(rules)
    if widget.styleSheet() != sheet:
        widget.setStyleSheet(sheet)


def surrounding_points(widget: QWidget) -> float:
    """The size of the words around a widget, whatever the widget itself was given before."""
    around = widget.parentWidget() or widget
    around.ensurePolished()
    return around.font().pointSizeF()
