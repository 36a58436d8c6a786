"""What the forms of the pages share: rows of label, field, mark and figure."""

from __future__ import annotations

from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QComboBox, QGridLayout, QGroupBox, QLabel, QSizePolicy, QWidget

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


class ElidedLabel(QLabel):
    """A value of any length in the room there is; its tooltip has all of it."""

    def __init__(self, least: str, parent: QWidget) -> None:
        """As wide as `least` at least."""
        super().__init__(parent)
        self._words = ""
        self._least = least
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_words(self, words: str) -> None:
        """Show a value."""
        self._words = words
        self.setToolTip(words)
        self._fit()

    def words(self) -> str:
        """The whole value."""
        return self._words

    def minimumSizeHint(self) -> QSize:
        """Room for a short value."""
        return QSize(self.fontMetrics().horizontalAdvance(self._least), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, self.width()))
