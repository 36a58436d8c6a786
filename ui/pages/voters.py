"""The Voters page: the regular inhabitants, who of them may vote, and who has signed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from qgis.gui import QgsFilterLineEdit
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QComboBox, QGridLayout, QGroupBox, QHBoxLayout, QLabel, QWidget

from ...core.editions import load_edition
from ...core.model import Analysis, Inhabitant, VoterCount
from ...core.voters import share_range, signatures_needed
from .. import figures, fonts
from ..icons import StatusIcon
from ..models import Column, RowModel
from .form import narrow
from .page import EmptyText, Page, RowTable

ALL, UNDECIDED, QUALIFIED, UNQUALIFIED, SIGNED = "all", "undecided", "qualified", "not_qualified", "signed"


class VotersPage(Page):
    """Numbers and list of the regular inhabitants."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(session, iface, parent)
        self.empty = EmptyText(
            self.tr("No list of inhabitants. It is an exhibit in every petition (c)(2).")
            + " "
            + self.tr("Choose the table on the Layers page."),
            self.body,
        )
        self.box.addWidget(self.empty)
        self.box.addWidget(self._numbers_group())
        self.box.addLayout(self._filter_row())
        self.box.addWidget(self._table())
        self.note = QLabel(self.tr("Counted against qualified voters, not against all inhabitants."), self.body)
        self.note.setWordWrap(True)
        fonts.write(self.note, points=-0.8)
        self.box.addWidget(self.note)
        self.box.addStretch(1)

    # Building

    def _numbers_group(self) -> QGroupBox:
        self.numbers = QGroupBox(self.tr("Regular Inhabitants and Voters"), self.body)
        grid = QGridLayout(self.numbers)
        grid.setContentsMargins(6, 6, 6, 6)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(3, 1)
        self.figures: dict[str, tuple[StatusIcon, QLabel, QLabel]] = {}
        for name, words in (
            ("inhabitants", self.tr("Regular inhabitants")),
            ("adults", self.tr("Adults")),
            ("qualified", self.tr("Qualified voters")),
            ("undecided", self.tr("Undecided")),
            ("signed", self.tr("Voters who signed")),
        ):
            line = grid.rowCount()
            icon, number, note = StatusIcon(self.numbers), QLabel(self.numbers), QLabel(self.numbers)
            fonts.write(number, bold=True)
            number.setAlignment(Qt.AlignmentFlag.AlignRight)
            for label in (number, note):
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            note.setWordWrap(True)
            fonts.write(note, points=-1)
            for column, widget in enumerate((icon, QLabel(words, self.numbers), number, note)):
                grid.addWidget(widget, line, column)
            self.figures[name] = (icon, number, note)
        return self.numbers

    def _filter_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.text = QgsFilterLineEdit(self.body)
        self.text.setShowSearchIcon(True)
        self.text.setPlaceholderText(self.tr("Name or address"))
        self.text.setAccessibleName(self.text.placeholderText())
        self.text.textChanged.connect(self._filter)
        self.kind = QComboBox(self.body)
        self.kind.setAccessibleName(self.tr("Which persons"))
        self.kind.setToolTip(self.tr("Which persons the table shows."))
        narrow(self.kind)
        for kind in (ALL, UNDECIDED, QUALIFIED, UNQUALIFIED, SIGNED):
            self.kind.addItem("", kind)
        self.kind.currentIndexChanged.connect(self._filter)
        row.addWidget(self.text, 3)
        row.addWidget(self.kind, 2)
        return row

    def _table(self) -> RowTable:
        model = RowModel(
            (
                Column(self.tr("Name"), lambda row: row.name, tip=lambda row: f"{row.name}\n{row.address}, {row.town}"),
                Column(self.tr("Address"), lambda row: row.address, tip=lambda row: f"{row.address}, {row.town}"),
                Column(self.tr("Voter"), lambda row: self._voter(row)[0], status=lambda row: self._voter(row)[1]),
                Column(self.tr("Signed"), lambda row: self.tr("yes") if row.signed else self.tr("no")),
            ),
            self,
        )
        self.table = RowTable(model, self.tr("Inhabitants"), self.body, lines=10)
        self.table.set_stretch(0, 1)
        self.table.sort_by(0, Qt.SortOrder.AscendingOrder)
        return self.table

    # Showing

    def refresh(self) -> None:
        """Show the list and its numbers."""
        rows: Sequence[Inhabitant] = self.session.inhabitant_rows()
        analysis = self.session.analysis
        counted = None if analysis is None else analysis.voters
        self.empty.setVisible(not rows)
        for widget in (self.text, self.kind, self.table, self.note):
            widget.setVisible(bool(rows))
        self.numbers.setVisible(counted is not None)
        for number in range(self.kind.count()):
            kind = self.kind.itemData(number)
            total = sum(_is(kind, row) for row in rows)
            self.kind.setItemText(number, f"{self._kind_words(kind)} ({figures.count(total)})")
        self.table.rows.set_rows(rows)
        self._filter()
        if counted is not None and analysis is not None:
            self._show_numbers(analysis, counted)

    def _show_numbers(self, analysis: Analysis, counted: VoterCount) -> None:
        population, voters = figures.test_of(analysis, "population"), figures.test_of(analysis, "voters")
        edition = load_edition(analysis.edition)
        least = "" if population is None or population.threshold is None else figures.count(int(population.threshold))
        self._number(
            "inhabitants",
            "note" if population is None else population.status,
            counted.inhabitants,
            self.tr("{} needed").format(least) if least else "",
        )
        self._number("adults", "note", counted.adults, "")
        self._number("qualified", "note", counted.qualified, "")
        limit = None if voters is None else voters.threshold
        span = ""
        _, least_share, most_share = share_range(counted)
        if counted.undecided and least_share is not None:
            low, high = figures.percent(least_share, limit), figures.percent(most_share, limit)
            span = self.tr("{} to {}").format(low.replace(" %", ""), high)
        self._number("undecided", "undecided" if counted.undecided else "note", counted.undecided, span)
        least_needed = signatures_needed(counted.qualified, edition) or 0
        most_needed = signatures_needed(counted.qualified + counted.undecided, edition) or 0
        words = (
            self.tr("{} needed").format(figures.count(least_needed))
            if least_needed == most_needed
            else self.tr("{} to {} needed").format(figures.count(least_needed), figures.count(most_needed))
        )
        self._number("signed", "note" if voters is None else voters.status, counted.signed, words)

    def _number(self, name: str, status: str, number: int, words: str) -> None:
        icon, label, note = self.figures[name]
        icon.set_status(status)
        label.setText(figures.count(number))
        note.setText(words)

    def _filter(self) -> None:
        kind, text = self.kind.currentData(), self.text.text().strip().casefold()
        self.table.rows.set_filter(
            lambda row: _is(kind, row) and (not text or text in f"{row.name} {row.address} {row.town}".casefold())
        )

    def _kind_words(self, kind: str) -> str:
        return {
            ALL: self.tr("All"),
            UNDECIDED: self.tr("Undecided"),
            QUALIFIED: self.tr("Qualified"),
            UNQUALIFIED: self.tr("Not Qualified"),
            SIGNED: self.tr("Signed"),
        }[kind]

    def _voter(self, row: Inhabitant) -> tuple[str, str]:
        if row.qualified is None:
            return self.tr("Undecided"), "undecided"
        return (self.tr("Qualified"), "pass") if row.qualified else (self.tr("Not qualified"), "note")


def _is(kind: str, row: Inhabitant) -> bool:
    return {
        ALL: True,
        UNDECIDED: row.qualified is None,
        QUALIFIED: row.qualified is True,
        UNQUALIFIED: row.qualified is False,
        SIGNED: row.signed,
    }[kind]
