"""The bars of the meter: solid to the low figure, dots up to the high one, a tick where the law draws the line."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from qgis.PyQt.QtCore import QEvent, QRectF, QSize, Qt
from qgis.PyQt.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPalette, QPen
from qgis.PyQt.QtWidgets import QGridLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from ..core.model import TestResult
from . import figures, fonts, theme
from .icons import StatusIcon

BARS_BEFORE_SCROLLING = 5
TOWN_WIDTH = 104


class ShareBar(QWidget):
    """A share from 0 to 1; a failed one is hatched as well as orange, an undecided stretch is dotted."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.low: Optional[Fraction] = None
        self.high: Optional[Fraction] = None
        self.threshold: Optional[Fraction] = None
        self.status = ""
        self.stale = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(
        self,
        low: Optional[Fraction],
        high: Optional[Fraction],
        threshold: Optional[Fraction],
        status: str,
        stale: bool = False,
    ) -> None:
        """Show a share: None for `low` leaves the bar empty, None for `high` means that nothing bounds it."""
        self.low, self.high, self.threshold, self.status, self.stale = low, high, threshold, status, stale
        self.update()

    def sizeHint(self) -> QSize:
        """As high as a line of text, so that rows keep together."""
        return QSize(100, self.fontMetrics().height() + 1)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for long labels beside it."""
        return QSize(36, self.fontMetrics().height() + 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw frame, shares and tick."""
        painter = QPainter(self)
        height = max(8.0, self.height() * 0.62)
        frame = QRectF(0.5, (self.height() - height) / 2, self.width() - 1.0, height)
        painter.fillRect(frame, self.palette().color(QPalette.ColorRole.Base))
        self._paint_shares(painter, frame)
        painter.setPen(QPen(theme.outline_color(self), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(frame)
        if self.threshold is not None:
            x = round(frame.left() + frame.width() * float(self.threshold))
            painter.fillRect(QRectF(x - 1.0, 0.0, 2.0, float(self.height())), theme.mark_color(self))
        painter.end()

    def _paint_shares(self, painter: QPainter, frame: QRectF) -> None:
        if self.low is None:
            return
        color = theme.stale_color(self) if self.stale else theme.fill_color(self.status or theme.NOTE, self)
        solid = QRectF(frame.left(), frame.top(), frame.width() * _unit(self.low), frame.height())
        painter.fillRect(solid, color)
        if self.status == theme.FAIL:
            painter.fillRect(solid, QBrush(_lighter(color, self), Qt.BrushStyle.BDiagPattern))
        high = _unit(Fraction(1) if self.high is None else self.high)
        dots = QRectF(solid.right(), frame.top(), frame.width() * high - solid.width(), frame.height())
        if dots.width() > 0:
            # A range thinner than a dot would vanish: two pixels show that there is one.
            dots.setWidth(max(2.0, dots.width()))
            painter.fillRect(dots, QBrush(color, Qt.BrushStyle.Dense4Pattern))


def _unit(share: Fraction) -> float:
    return float(min(max(share, Fraction(0)), Fraction(1)))


def _lighter(color: QColor, widget: QWidget) -> QColor:
    return color.darker(150) if theme.is_dark(widget) else color.lighter(165)


@dataclass(frozen=True)
class BarRow:
    """One row of the meter: its test, the share it draws, and what is missing in words."""

    label: str
    spoken: str
    test: Optional[TestResult]
    now: Optional[Fraction]
    low: Optional[Fraction]
    high: Optional[Fraction]
    missing: str
    tip: str


class BarWidgets:
    """The five widgets of one bar's row."""

    def __init__(self, parent: QWidget, grid: QGridLayout, row: int) -> None:
        self.icon = StatusIcon(parent)
        self.label, self.now, self.missing = QLabel(parent), QLabel(parent), QLabel(parent)
        self.bar = ShareBar(parent)
        for number in (self.now, self.missing):
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for label in (self.label, self.now, self.missing):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for column, widget in enumerate(self.widgets()):
            grid.addWidget(widget, row, column)

    def widgets(self) -> tuple[QWidget, ...]:
        """From left to right."""
        return (self.icon, self.label, self.bar, self.now, self.missing)

    def show_row(self, row: BarRow, stale: bool) -> None:
        """Fill in a row; the failed ones are bold, and old ones are grey."""
        status = "" if row.test is None else row.test.status
        threshold = None if row.test is None else row.test.threshold
        self.icon.set_status(status or "note")
        self.bar.show_share(row.low, row.high, threshold, status, stale)
        self.label.setText(_shortened(row.label, self.label))
        self.now.setText("" if row.test is None else figures.percent(row.now, threshold))
        self.missing.setText(row.missing)
        self.bar.setAccessibleName(row.spoken)
        for widget in self.widgets():
            widget.setToolTip(row.tip)
        for label in (self.label, self.now, self.missing):
            color = theme.muted_color(label) if stale else None
            fonts.write(label, bold=status == "fail", points=-0.5, color=color)
        self.icon.set_faded(stale)


class Head(QLabel):
    """The head of a column; where the column is too narrow for it, it is left out rather than cut."""

    def minimumSizeHint(self) -> QSize:
        """It asks for no width of its own."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words if all of them fit."""
        if self.width() >= self.sizeHint().width():
            super().paintEvent(event)


class BarsArea(QScrollArea):
    """As high as the bars need, up to five of them; then they scroll."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = 2
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def fit(self, shown: int) -> None:
        """Make room for so many bars."""
        self._shown = shown
        scrolls = shown > BARS_BEFORE_SCROLLING
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The room that heads and bars need with the fonts in use."""
        needed = self.widget().sizeHint() if self.widget() is not None else super().sizeHint()
        if self._shown > BARS_BEFORE_SCROLLING:
            needed.setHeight(needed.height() * (BARS_BEFORE_SCROLLING + 1) // (self._shown + 1))
            needed.setWidth(needed.width() + self.verticalScrollBar().sizeHint().width())
        return needed

    def minimumSizeHint(self) -> QSize:
        """No bar is cut, and no number."""
        least = self.sizeHint()
        if self.widget() is not None:
            slack = self.widget().sizeHint().width() - self.widget().minimumSizeHint().width()
            least.setWidth(least.width() - slack)
        return least

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:
        """The bars ask for other room."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def _shortened(text: str, label: QLabel) -> str:
    """A town's name cut in the middle where it would leave no room for the bar; the tooltip has it whole."""
    name, _, asked = text.rpartition(" >")
    if not name:
        return text
    return f"{label.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, TOWN_WIDTH)} >{asked}"
