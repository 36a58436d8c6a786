"""What the pages share: one scroll area each, groups with titles, tables that copy, and laziness while out of sight."""

from __future__ import annotations

from typing import Any, Callable, Optional

from qgis.PyQt.QtCore import QEvent, QItemSelectionModel, Qt, pyqtSignal
from qgis.PyQt.QtGui import QKeyEvent, QKeySequence, QShowEvent
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from .. import fonts, theme
from ..models import RowModel

FEWEST_LINES = 3


class Page(QScrollArea):
    """One tab. `invalidate` asks for fresh figures; they are fetched at once in sight, otherwise when shown."""

    pageRequested = pyqtSignal(str)

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.session = session
        self.iface = iface
        self._old = True
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.body = QWidget(self)
        self.box = QVBoxLayout(self.body)
        self.box.setContentsMargins(4, 6, 4, 6)
        self.box.setSpacing(8)
        self.setWidget(self.body)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def refresh(self) -> None:
        """Show the session as it stands; each page does it in its own way."""
        raise NotImplementedError

    def invalidate(self) -> None:
        """The session has changed."""
        self._old = True
        if self.isVisible():
            self.fresh()

    def fresh(self) -> None:
        """Refresh now, if anything changed since."""
        if self._old:
            self._old = False
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed while the page was hidden."""
        self.fresh()
        super().showEvent(event)

    def tear_down(self) -> None:
        """Let go of everything outside the page."""


class EmptyText(QLabel):
    """What a page says while it has nothing to show."""

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(words, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)


class Problem(QLabel):
    """An error under the row that it belongs to; out of sight without one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def show_problem(self, words: str, status: str = theme.FAIL) -> None:
        """Show a problem, or none for ""."""
        self.setText(words)
        self.setVisible(bool(words))
        self._status = status
        self._paint()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            self._paint()

    def _paint(self) -> None:
        # A palette would not do: the dark theme's style sheet overrules it.
        fonts.write(self, color=theme.text_color(getattr(self, "_status", theme.FAIL), self))


class RowTable(QTableView):
    """A table of a `RowModel`: sorts by its heads, copies rows as text, Enter is a signal."""

    entered_row = pyqtSignal(object)
    current_row = pyqtSignal(object)

    def __init__(self, model: RowModel, name: str, parent: QWidget, lines: int = 8) -> None:
        """`lines` is how many rows it shows at most, 0 where it takes the room there is."""
        super().__init__(parent)
        self.rows = model
        self.lines = lines
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(10)
        fonts.write(self, points=-0.5)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setMinimumSectionSize(24)
        head.setResizeContentsPrecision(60)
        self.set_stretch(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._measure()
        model.modelReset.connect(self._fit)
        self.activated.connect(lambda index: self.entered_row.emit(self.rows.row_at(index)))
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.current_row.emit(self.rows.row_at(now)))

    def set_stretch(self, *columns: int) -> None:
        """Which columns take the room that is left; the others fit their contents."""
        head = self.horizontalHeader()
        for number in range(self.rows.columnCount()):
            mode = QHeaderView.ResizeMode.Stretch if number in columns else QHeaderView.ResizeMode.ResizeToContents
            head.setSectionResizeMode(number, mode)

    def sort_by(self, column: int, order: Qt.SortOrder) -> None:
        """Sort, and let a person sort otherwise by a click on a head, a second click turning the order.

        Qt's own way would keep room for an arrow in every head, which a narrow dock does not have.
        """
        self._sorted = (column, order)
        self.horizontalHeader().setSectionsClickable(True)
        self.horizontalHeader().sectionClicked.connect(self._head_clicked)
        self.rows.sort(column, order)

    def _head_clicked(self, column: int) -> None:
        orders = Qt.SortOrder
        turned = self._sorted == (column, orders.AscendingOrder)
        self._sorted = (column, orders.DescendingOrder if turned else orders.AscendingOrder)
        self.rows.sort(*self._sorted)

    def current(self) -> Any:
        """The row that is current, None without one."""
        return self.rows.row_at(self.currentIndex())

    def choose(self, wanted: Callable[[Any], bool]) -> bool:
        """Make the first row that is wanted the current and only chosen one; False where none is shown."""
        index = self.rows.find(wanted)
        if not index.isValid():
            return False
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)
        return True

    def selected_rows(self) -> list[Any]:
        """The chosen rows from top to bottom."""
        numbers = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.rows.row_at(self.rows.index(number, 0)) for number in numbers]

    def copy_rows(self) -> None:
        """Put the chosen rows on the clipboard, heads first."""
        rows = self.selected_rows()
        if rows:
            lines = [self.rows.heading(), *(self.rows.line(row) for row in rows)]
            QApplication.clipboard().setText("\n".join(lines) + "\n")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies whole rows, Enter is the same as a double-click."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_rows()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Rows are as high as the words in use, which are known only once the style sheet of the window is."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "lines"):
            self._measure()

    def _measure(self) -> None:
        self.ensurePolished()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 3)
        self._fit()

    def _fit(self) -> None:
        """No higher than its rows need, within bounds; a table that fills a panel is left alone."""
        if self.lines:
            self.setFixedHeight(self._height(min(self.lines, max(FEWEST_LINES, self.rows.rowCount()))))

    def _height(self, lines: int) -> int:
        line = self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + lines * line + 2 * self.frameWidth() + 2
