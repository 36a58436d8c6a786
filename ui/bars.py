"""One bar of the meter: solid to the low figure, dots up to the high one, a tick where the law draws the line."""

from __future__ import annotations

from fractions import Fraction
from typing import Optional

from qgis.PyQt.QtCore import QRectF, QSize, Qt
from qgis.PyQt.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPalette, QPen
from qgis.PyQt.QtWidgets import QSizePolicy, QWidget

from . import theme


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
        color = theme.muted_color(self) if self.stale else theme.fill_color(self.status or theme.NOTE, self)
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
