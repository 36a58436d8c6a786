"""A row that breaks into more rows where its words need more width than there is."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QPoint, QRect, QSize, Qt
from qgis.PyQt.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Items from left to right, the last of each row pushed to the right edge where `last_right`."""

    def __init__(self, spacing: int, last_right: bool = False, row_spacing: int = 2) -> None:
        super().__init__()
        self._row_spacing = row_spacing
        self._items: list[QLayoutItem] = []
        self._last_right = last_right
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> Optional[QLayoutItem]:
        """An item by its number, None beyond the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> Optional[QLayoutItem]:
        """Take an item out, None beyond the last."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It wants the width there is."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """Its height depends on its width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all rows at a width."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put every item in its place."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """All items in one row."""
        hints = [item.sizeHint() for item in self._visible()]
        width = sum(hint.width() for hint in hints) + self.spacing() * max(0, len(hints) - 1)
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        """The widest item alone."""
        hints = [item.minimumSize() for item in self._visible()]
        widest = max((hint.width() for hint in hints), default=0)
        return QSize(widest, max((hint.height() for hint in hints), default=0))

    def _visible(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        used = 0
        for item in self._visible():
            needed = item.sizeHint().width()
            if rows and used + self.spacing() + needed <= width:
                rows[-1].append(item)
                used += self.spacing() + needed
            else:
                rows.append([item])
                used = needed
        return rows

    def _arrange(self, rect: QRect, move: bool) -> int:
        top = rect.top()
        items = self._visible()
        for row in self._rows(rect.width()):
            height = max(item.sizeHint().height() for item in row)
            left = rect.left()
            for item in row:
                size = item.sizeHint()
                if self._last_right and item is items[-1]:
                    left = max(left, rect.right() + 1 - size.width())
                if move:
                    item.setGeometry(QRect(QPoint(left, top + (height - size.height()) // 2), size))
                left += size.width() + self.spacing()
            top += height + self._row_spacing
        return max(0, top - self._row_spacing - rect.top())


def pair(parent: QWidget, *widgets: QWidget) -> QWidget:
    """Widgets that stay beside one another, as one item of a flow."""
    holder = QWidget(parent)
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    for widget in widgets:
        row.addWidget(widget)
    return holder
