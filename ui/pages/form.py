"""What the forms of the pages share: rows of label, field, mark and figure."""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QComboBox, QGridLayout, QGroupBox, QSizePolicy

NARROW = 6


def narrow(combo: QComboBox) -> None:
    """Let a combo box shrink below its longest item, which its list still shows."""
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(NARROW)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


def page_grid(group: QGroupBox) -> QGridLayout:
    """Rows of label, field, mark and figure."""
    grid = QGridLayout(group)
    grid.setContentsMargins(6, 6, 6, 6)
    grid.setHorizontalSpacing(5)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(1, 2)
    return grid
