"""Tables of rows as plain Python objects: sorted and filtered here, so that 50,000 rows stay quick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Callable, Optional

from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QWidget

from . import icons, theme

Text = Callable[[Any], str]


@dataclass(frozen=True)
class Column:
    """One column: its head, the text of a row in it, what it sorts by, its icon's status and its tooltip.

    `name` is what `edited` calls the column; a column with a name can be edited in place.
    """

    title: str
    text: Text
    key: Optional[Callable[[Any], Any]] = None
    right: bool = False
    status: Optional[Text] = None
    tip: Optional[Text] = None
    name: str = ""
    link: bool = False


class RowModel(QAbstractTableModel):
    """Rows under columns. `edited(row, column name, text)` is emitted when a person changes a cell."""

    edited = pyqtSignal(object, str, str)

    def __init__(self, columns: Sequence[Column], parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._all: list[Any] = []
        self._shown: list[Any] = []
        self._wanted: Optional[Callable[[Any], bool]] = None
        self._sort: Optional[tuple[int, Qt.SortOrder]] = None

    # What a page calls

    def set_rows(self, rows: Iterable[Any]) -> None:
        """Show other rows, under the same filter and order."""
        self.beginResetModel()
        self._all = list(rows)
        self._arrange()
        self.endResetModel()

    def set_filter(self, wanted: Optional[Callable[[Any], bool]]) -> None:
        """Show only the rows that are wanted; None shows all."""
        self.beginResetModel()
        self._wanted = wanted
        self._arrange()
        self.endResetModel()

    def rows(self) -> list[Any]:
        """The rows shown, in the order shown."""
        return self._shown

    def all_rows(self) -> list[Any]:
        """All rows, shown or not."""
        return self._all

    def row_at(self, index: QModelIndex) -> Any:
        """The row behind an index, None for an invalid one."""
        return self._shown[index.row()] if index.isValid() and index.row() < len(self._shown) else None

    def find(self, wanted: Callable[[Any], bool]) -> QModelIndex:
        """The first shown row that is wanted, an invalid index where there is none."""
        for number, row in enumerate(self._shown):
            if wanted(row):
                return self.index(number, 0)
        return QModelIndex()

    def line(self, row: Any) -> str:
        """A row as text with tabs between cells, as it is copied."""
        return "\t".join(column.text(row) for column in self._columns)

    def heading(self) -> str:
        """The heads as text with tabs between them."""
        return "\t".join(column.title for column in self._columns)

    def column(self, number: int) -> Column:
        """A column by its number."""
        return self._columns[number]

    # What Qt calls

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:
        """How many rows are shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Heads of columns, aligned as their cells."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        return None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        row = self.row_at(index)
        if row is None:
            return None
        column = self._columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return column.text(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.DecorationRole and column.status is not None:
            status = column.status(row)
            return icons.status_icon(status, self._widget()) if status else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.text(row) if column.tip is None else column.tip(row)
        if role == Qt.ItemDataRole.ForegroundRole and column.link:
            return QColor(theme.text_color(theme.PASS, self._widget()))
        return None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        """Rows can be chosen; cells of a named column can be edited."""
        flags = super().flags(index)
        if index.isValid() and self._columns[index.column()].name:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: QModelIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Pass an edit on; the owner of the rows shows the new ones."""
        row = self.row_at(index)
        if row is None or role != Qt.ItemDataRole.EditRole:
            return False
        text = str(value).strip()
        column = self._columns[index.column()]
        if text == column.text(row):
            return False
        self.edited.emit(row, column.name, text)
        return True

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; rows that are equal there keep their order."""
        self._sort = None if column < 0 else (column, order)
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        kept = [(self._shown[index.row()], index.column()) for index in before]
        self._arrange()
        places = {id(row): number for number, row in enumerate(self._shown)}
        self.changePersistentIndexList(before, [self.index(places[id(row)], number) for row, number in kept])
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        self._shown = list(self._all) if self._wanted is None else [row for row in self._all if self._wanted(row)]
        if self._sort is None:
            return
        number, order = self._sort
        column = self._columns[number]
        key = column.key if column.key is not None else _folded(column.text)
        self._shown.sort(key=key, reverse=order == Qt.SortOrder.DescendingOrder)

    def _widget(self) -> Optional[QWidget]:
        parent = QObject.parent(self)
        return parent if isinstance(parent, QWidget) else None


def _folded(text: Text) -> Callable[[Any], str]:
    return lambda row: text(row).casefold()


def _alignment(column: Column) -> int:
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    # PyQt hands a flag to Qt as a number only on Qt 5; `int` of the combination serves both.
    return int(getattr(side | Qt.AlignmentFlag.AlignVCenter, "value", side | Qt.AlignmentFlag.AlignVCenter))
