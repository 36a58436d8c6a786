"""Towns and their equalization rates on the Layers page: cells are edited in place, and kept as text."""

from __future__ import annotations

from typing import Any, Callable

from qgis.PyQt.QtCore import QModelIndex, Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ..models import Column, RowModel
from .page import EmptyText, Problem, RowTable

KINDS = ("state", "special", "county", "segment")
Row = tuple[int, dict[str, str]]


class RatesGroup(QGroupBox):
    """The table, what is wrong with it underneath, and what it says while it is empty."""

    def __init__(self, session: Any, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Towns and Equalization Rates"))
        self.session = session
        box = QVBoxLayout(self)
        box.setContentsMargins(6, 6, 6, 6)
        self.empty = EmptyText(self.tr("The towns appear here once parcels and a boundary are chosen."), self)
        box.addWidget(self.empty)
        self.table = RowTable(self._model(), self.tr("Towns and equalization rates"), self, lines=3)
        self.table.set_stretch(3)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        triggers = QAbstractItemView.EditTrigger
        self.table.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.table.setItemDelegateForColumn(4, KindDelegate(self._kind, self.table))
        box.addWidget(self.table)
        self.problem = Problem(self)
        box.addWidget(self.problem)

    def _model(self) -> RowModel:
        def cell(name: str) -> Callable[[Row], str]:
            return lambda row: row[1].get(name, "")

        model = RowModel(
            (
                Column(self.tr("Town"), lambda row: row[1]["town"] or row[1]["swis"], status=self._status),
                Column(self.tr("Rate %"), cell("rate"), right=True, name="rate", tip=self._tip),
                Column(self.tr("Roll"), cell("roll_year"), name="roll_year", tip=self._edit_tip),
                Column(
                    self.tr("Final roll filed"), cell("final_roll_filed"), name="final_roll_filed", tip=self._edit_tip
                ),
                Column(
                    self.tr("Rate kind"),
                    lambda row: self._kind(row[1].get("kind", "")),
                    name="kind",
                    tip=self._edit_tip,
                ),
            ),
            self,
        )
        model.edited.connect(lambda row, column, text: self.session.set_rate(row[0], column, text))
        return model

    def show_session(self) -> None:
        """Show the rates as the session has them; a cell that is being edited keeps its editor."""
        rates = self.session.rates()
        rows = list(enumerate(rates))
        if rows != self.table.rows.all_rows():
            self.table.rows.set_rows(rows)
        self.table.setVisible(bool(rates))
        self.empty.setVisible(not rates)
        self.problem.show_problem("\n".join(text for row in rates if (text := self._problem(row))))

    def _problem(self, row: dict[str, str]) -> str:
        town, rate = row["town"] or row["swis"], row["rate"]
        if not rate.strip():
            return self.tr("Rate of {} is empty. Enter it as printed, e.g. 52.00.").format(town)
        from ...core.equalization import parse_rate

        try:
            parse_rate(rate)
        except ValueError:
            words = self.tr("“{}” is not a rate for {}. Use digits and a point, e.g. 52.00.")
            return words.format(rate, town)
        return ""

    def _status(self, row: Row) -> str:
        return "fail" if self._problem(row[1]) else "pass"

    def _tip(self, row: Row) -> str:
        return self._problem(row[1]) or self.tr("State equalization rate in percent, as printed. F2 edits.")

    def _edit_tip(self, row: Row) -> str:
        return self.tr("As the rate's certificate says. F2 edits.")

    def _kind(self, kind: str) -> str:
        return {
            "state": self.tr("State"),
            "special": self.tr("Special"),
            "county": self.tr("County"),
            "segment": self.tr("Segment"),
        }.get(kind.strip().casefold(), kind)


class KindDelegate(QStyledItemDelegate):
    """A list of the kinds of a rate, in the words of `words`."""

    def __init__(self, words: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._words = words

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex) -> QWidget:
        """A combo box over the kinds."""
        combo = QComboBox(parent)
        for kind in KINDS:
            combo.addItem(self._words(kind), kind)
        return combo

    def setEditorData(self, editor: QWidget, index: QModelIndex) -> None:
        """Open on the kind that stands there."""
        row = index.model().row_at(index)
        editor.setCurrentIndex(max(0, editor.findData(row[1].get("kind", "").strip().casefold())))

    def setModelData(self, editor: QWidget, model: RowModel, index: QModelIndex) -> None:
        """Keep the kind as data, not as the word shown."""
        model.setData(index, editor.currentData())
