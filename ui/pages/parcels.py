"""The Parcels page: every parcel that counts, what the line does to it, and why."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry
from qgis.gui import QgsFilterLineEdit
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QLabel, QToolButton, QWidget

from ...core.model import Analysis, Parcel, ParcelKey
from .. import figures, fonts, icons, places
from ..models import Column, RowModel
from ..selection import ParcelSelection
from .form import narrow
from .page import EmptyText, Page, RowTable
from .parcel_detail import ParcelDetail

SPLIT, INSIDE, SET_ASIDE, BY_HAND, ALL = "split", "inside", "set_aside", "by_hand", "all"


class ParcelsPage(Page):
    """A table of parcels, their sum, and the one that is chosen, drawn and reckoned."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(session, iface, parent)
        self.towns: dict[str, str] = {}
        self.faulty: frozenset[ParcelKey] = frozenset()
        self.outline = places.Outline(iface.mapCanvas(), self)
        self.selection = ParcelSelection(self)
        self.selection.picked.connect(self.show_parcel)
        self.empty = EmptyText("", self.body)
        self.box.addWidget(self.empty)
        self.box.addLayout(self._filter_row())
        self.box.addWidget(self._table())
        self.sum = QLabel(self.body)
        self.sum.setWordWrap(True)
        fonts.write(self.sum, points=-1)
        self.sum.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.box.addWidget(self.sum)
        self.detail = ParcelDetail(self.body)
        self.detail.zoomRequested.connect(self.zoom)
        self.box.addWidget(self.detail)
        self.box.addStretch(1)

    # Building

    def _filter_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.kind = QComboBox(self.body)
        self.kind.setAccessibleName(self.tr("Which parcels"))
        self.kind.setToolTip(self.tr("Which parcels the table shows."))
        narrow(self.kind)
        for kind in (SPLIT, INSIDE, SET_ASIDE, BY_HAND, ALL):
            self.kind.addItem("", kind)
        self.kind.currentIndexChanged.connect(self._filter)
        self.text = QgsFilterLineEdit(self.body)
        self.text.setShowSearchIcon(True)
        self.text.setPlaceholderText(self.tr("Print key, address or owner"))
        self.text.setAccessibleName(self.text.placeholderText())
        self.text.textChanged.connect(self._filter)
        self.funnel = QToolButton(self.body)
        self.funnel.setCheckable(True)
        self.funnel.setAutoRaise(True)
        self.funnel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.funnel.setAccessibleName(self.tr("Only parcels with findings"))
        self.funnel.setToolTip(self.tr("Only parcels with findings that are errors or warnings."))
        self.funnel.toggled.connect(self._filter)
        row.addWidget(self.kind, 2)
        row.addWidget(self.text, 3)
        row.addWidget(self.funnel)
        return row

    def _table(self) -> RowTable:
        def number(value: Optional[int]) -> int:
            return -1 if value is None else value

        model = RowModel(
            (
                Column(self.tr("Parcel"), self._name, key=lambda p: (p.swis, _natural(p.print_key)), tip=self._tip),
                Column(
                    self.tr("Share"),
                    lambda p: "–" if p.share is None else figures.decimal(p.share, 3),
                    key=lambda p: -1 if p.share is None else p.share,
                    right=True,
                ),
                Column(
                    self.tr("Value $"),
                    lambda p: "–" if p.value is None else figures.count(p.value),
                    key=lambda p: number(p.value),
                    right=True,
                ),
                Column(
                    self.tr("Inside $"),
                    lambda p: "–" if p.inside is None else figures.count(p.inside),
                    key=lambda p: number(p.inside),
                    right=True,
                ),
                Column(
                    self.tr("By"),
                    lambda p: figures.method_words(p.method)[0],
                    tip=lambda p: figures.method_words(p.method)[1],
                ),
            ),
            self,
        )
        self.table = RowTable(model, self.tr("Parcels"), self.body, lines=8)
        # Neighbours differ in the last digits of their keys.
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.sort_by(3, Qt.SortOrder.DescendingOrder)
        self.table.current_row.connect(self._show_detail)
        self.table.entered_row.connect(lambda parcel: self.zoom())
        return self.table

    # Showing

    def refresh(self) -> None:
        """Show the parcels of the last analysis, with the same one chosen as before."""
        analysis = self.session.analysis
        self.selection.watch()
        before = self.table.current()
        self.funnel.setIcon(icons.icon("filter", self))
        self.faulty = _with_findings(analysis)
        self.towns = {} if analysis is None else {part.swis[:4]: part.town for part in analysis.parts}
        parcels = () if analysis is None else analysis.parcels
        counts = {kind: sum(_is(kind, parcel) for parcel in parcels) for kind in (SPLIT, INSIDE, SET_ASIDE, BY_HAND)}
        counts[ALL] = len(parcels)
        for number in range(self.kind.count()):
            kind = self.kind.itemData(number)
            self.kind.setItemText(number, f"{self._kind_words(kind)} ({figures.count(counts[kind])})")
        self.table.rows.set_rows(parcels)
        self._filter()
        if before is not None:
            self.table.choose(lambda parcel: parcel.key == before.key)
        self._show_detail(self.table.current())

    def _filter(self) -> None:
        kind, text = self.kind.currentData(), self.text.text().strip().casefold()
        before = self.table.current()

        def wanted(parcel: Parcel) -> bool:
            if not _is(kind, parcel) or (self.funnel.isChecked() and parcel.key not in self.faulty):
                return False
            return not text or text in self._searchable(parcel)

        self.table.rows.set_filter(wanted)
        rows = self.table.rows.rows()
        if not (before is not None and self.table.choose(lambda parcel: parcel.key == before.key)):
            self._show_detail(None)
        self.sum.setText(self._sum_words(rows))
        self._show_empty(rows)

    def _show_empty(self, rows: list[Parcel]) -> None:
        analysis = self.session.analysis
        words = ""
        if analysis is None:
            words = self.tr("No parcels yet. Choose the layers on the Layers page; the rest follows by itself.")
        elif not rows and self.kind.currentData() == SPLIT and not self.text.text() and not self.funnel.isChecked():
            words = self.tr("No parcel is cut by the line.")
        elif not rows:
            words = self.tr("No parcel is like that. Choose All Inside, or empty search and funnel.")
        self.empty.setText(words)
        self.empty.setVisible(bool(words))
        self.sum.setVisible(bool(rows))
        for widget in (self.kind, self.text, self.funnel, self.table):
            widget.setVisible(analysis is not None)

    def _sum_words(self, rows: list[Parcel]) -> str:
        inside = sum(parcel.inside or 0 for parcel in rows)
        outside = sum(parcel.outside or 0 for parcel in rows)
        aside = sum(parcel.value or 0 for parcel in rows if parcel.inside is None)
        kind = self._kind_words(self.kind.currentData()).lower()
        terms = self.tr("{} inside + {} outside").format(figures.dollars(inside), figures.dollars(outside))
        if aside:
            terms = self.tr("{} + {} set aside").format(terms, figures.dollars(aside))
        total = figures.dollars(inside + outside + aside)
        return self.tr("{} {}: {} = {}").format(figures.count(len(rows)), kind, terms, total)

    def _kind_words(self, kind: str) -> str:
        return {
            SPLIT: self.tr("Split"),
            INSIDE: self.tr("Inside"),
            SET_ASIDE: self.tr("Set Aside"),
            BY_HAND: self.tr("By Hand"),
            ALL: self.tr("All Inside"),
        }[kind]

    def _name(self, parcel: Parcel) -> str:
        return f"{self.towns.get(parcel.swis[:4], parcel.swis)} {parcel.print_key}"

    def _tip(self, parcel: Parcel) -> str:
        lines = [f"{parcel.swis} {parcel.print_key}", parcel.address, ", ".join(self._owners(parcel))]
        return "\n".join(line for line in lines if line)

    def _owners(self, parcel: Parcel) -> tuple[str, ...]:
        known = self.session.analysis.ownership.get(parcel.key) if self.session.analysis is not None else None
        return parcel.roll_owners if known is None else known.names

    def _searchable(self, parcel: Parcel) -> str:
        return " ".join((self._name(parcel), parcel.address, *self._owners(parcel))).casefold()

    # The chosen parcel

    def show_parcel(self, key: ParcelKey) -> bool:
        """Choose a parcel by its key, whatever the filter was; False where it is not listed."""

        def wanted(parcel: Parcel) -> bool:
            return parcel.key == key

        self.fresh()
        if not self.table.choose(wanted):
            parcel = next((parcel for parcel in self.table.rows.all_rows() if wanted(parcel)), None)
            if parcel is None:
                return False
            self.text.clear()
            self.funnel.setChecked(False)
            kinds = (SPLIT, SET_ASIDE, BY_HAND, INSIDE, ALL)
            self.kind.setCurrentIndex(self.kind.findData(next(kind for kind in kinds if _is(kind, parcel))))
            self.table.choose(wanted)
        return True

    def zoom(self) -> None:
        """Show the chosen parcel on the map."""
        parcel, analysis = self.table.current(), self.session.analysis
        if parcel is not None and analysis is not None:
            shape = places.place_of(analysis, *parcel.key)
            places.zoom_to(self.iface.mapCanvas(), shape, places.crs_of(analysis))
            self.outline.show(shape, places.crs_of(analysis), fleeting=True)

    def _show_detail(self, parcel: Optional[Parcel]) -> None:
        analysis = self.session.analysis
        if parcel is None or analysis is None:
            self.detail.show_parcel(None, QgsGeometry(), QgsCoordinateReferenceSystem())
            self.outline.hide()
            return
        self.selection.choose(parcel.key)
        shape, crs = places.place_of(analysis, *parcel.key), places.crs_of(analysis)
        self.outline.show(shape, crs)
        self.detail.show_parcel(parcel, shape, crs, self.session.layer("buildings"))

    def tear_down(self) -> None:
        """Leave nothing on the map."""
        self.outline.tear_down()
        self.selection.tear_down()
        self.detail.tear_down()


def _is(kind: str, parcel: Parcel) -> bool:
    if kind == ALL:
        return True
    if kind == BY_HAND:
        return parcel.place == "unmapped" or parcel.method == "assessor_override"
    return parcel.place == kind


def _with_findings(analysis: Optional[Analysis]) -> frozenset[ParcelKey]:
    """Parcels that an error or a warning names; notes are no reason to look."""
    found = () if analysis is None else analysis.findings
    return frozenset((row.swis, row.print_key) for row in found if row.print_key and row.severity != "info")


def _natural(key: str) -> list[tuple[int, Any]]:
    """Print keys in the order of a roll: 124.00-2-9 before 124.00-2-10."""
    parts = key.replace(".", "-").split("-")
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]
