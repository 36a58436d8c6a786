"""Larger, smaller and bold words.

QGIS sets the font of the whole window by a style sheet, which overrules `setFont`: only a style sheet of the widget's
own comes through.
"""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QLabel, QWidget

LEAST_POINTS = 7.5


def write(widget: QWidget, bold: bool = False, points: float = 0.0) -> None:
    """Set the words of a widget bold or not, and so many points larger (or smaller) than its surroundings."""
    rules = [f"font-weight: {'bold' if bold else 'normal'};"]
    if isinstance(widget, QLabel):
        # Some themes pad labels, which costs a narrow dock more than its bars can spare.
        rules.append("padding: 0px;")
    if points:
        widget.ensurePolished()
        rules.append(f"font-size: {max(LEAST_POINTS, widget.font().pointSizeF() + points)}pt;")
    sheet = " ".join(rules)
    if widget.styleSheet() != sheet:
        widget.setStyleSheet(sheet)
