"""The Parcels page: every parcel that counts, what the line does to it, and why."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import QgsMapSettings, QgsProject, QgsRectangle
from qgis.gui import QgsFilterLineEdit, QgsMapCanvas
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ...core.figures import half_up
from ...core.model import Parcel, ParcelKey
from .. import figures, fonts, icons, places
from ..models import Column, RowModel
from ..selection import ParcelSelection
from ..writers import is_result
from .form import narrow
from .page import EmptyText, Page, RowTable

SPLIT, INSIDE, SET_ASIDE, BY_HAND, ALL = "split", "inside", "set_aside", "by_hand", "all"
PREVIEW = QSize(118, 112)
PREVIEW_MARGIN = 1.25


class ParcelsPage(Page):
    """A table of parcels, their sum, and the one that is chosen, drawn and reckoned."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(session, iface, parent)
        self.towns: dict[str, str] = {}
        self.outline = places.Outline(iface.mapCanvas(), self)
        self.selection = ParcelSelection(self)
        self.selection.picked.connect(self.show_parcel)
        self.empty = EmptyText("", self.body)
        self.box.addWidget(self.empty)
        self.box.addLayout(self._filter_row())
        self.box.addWidget(self._table())
        self.sum = QLabel(self.body)
        self.sum.setWordWrap(True)
        fonts.write(self.sum, points=-0.8)
        self.sum.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.box.addWidget(self.sum)
        self.box.addWidget(self._detail_group())
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
        row.addWidget(self.kind, 2)
        row.addWidget(self.text, 3)
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

    def _detail_group(self) -> QGroupBox:
        self.detail = QGroupBox(self.body)
        box = QVBoxLayout(self.detail)
        box.setContentsMargins(4, 4, 4, 4)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.preview = QgsMapCanvas(self.detail)
        self.preview.setFixedSize(PREVIEW)
        self.preview.setCanvasColor(Qt.GlobalColor.white)
        self.preview.setFrameShape(QFrame.Shape.StyledPanel)
        self.preview.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.preview.setAccessibleName(self.tr("Drawing of the parcel"))
        self.preview.enableAntiAliasing(True)
        # What is chosen on the map stays hatched or plain here, and its neighbours' labels would cover it.
        hidden = QgsMapSettings.Flag.DrawSelection | QgsMapSettings.Flag.DrawLabeling
        self.preview.setMapSettingsFlags(self.preview.mapSettings().flags() & ~hidden)
        # The preview looks only: its wheel and its drags would scroll away from the parcel.
        self.preview.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignTop)
        right = QVBoxLayout()
        grid = QGridLayout()
        grid.setHorizontalSpacing(5)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        for column, words in ((1, self.tr("Whole")), (2, self.tr("Inside"))):
            grid.addWidget(_number(words, self.detail, bold=True), 0, column)
        self.amounts: dict[str, tuple[QLabel, QLabel]] = {}
        for name, words in (
            ("share", self.tr("Share by area")),
            ("land", self.tr("Land")),
            ("improvement", self.tr("Improvement")),
            ("total", self.tr("Total")),
        ):
            line = grid.rowCount()
            bold = name == "total"
            head = _number(words, self.detail, bold)
            head.setAlignment(Qt.AlignmentFlag.AlignLeft)
            whole, inside = _number("", self.detail, bold), _number("", self.detail, bold)
            for column, label in enumerate((head, whole, inside)):
                grid.addWidget(label, line, column)
            self.amounts[name] = (whole, inside)
        right.addLayout(grid)
        self.why = QLabel(self.detail)
        self.why.setWordWrap(True)
        fonts.write(self.why, points=-0.8)
        right.addWidget(self.why)
        right.addStretch(1)
        row.addLayout(right, 1)
        box.addLayout(row)
        buttons = QHBoxLayout()
        self.zoom_button = QPushButton(icons.icon("zoom", self), self.tr("&Zoom"), self.detail)
        self.zoom_button.setToolTip(self.tr("Show this parcel on the map. Enter"))
        self.zoom_button.clicked.connect(self.zoom)
        buttons.addWidget(self.zoom_button)
        buttons.addStretch(1)
        box.addLayout(buttons)
        return self.detail

    # Showing

    def refresh(self) -> None:
        """Show the parcels of the last analysis, with the same one chosen as before."""
        analysis = self.session.analysis
        self.selection.watch()
        before = self.table.current()
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
            return _is(kind, parcel) and (not text or text in self._searchable(parcel))

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
        elif not rows and self.kind.currentData() == SPLIT and not self.text.text():
            words = self.tr("No parcel is cut by the line.")
        elif not rows:
            words = self.tr("No parcel is like that. Choose All Inside or empty the search.")
        self.empty.setText(words)
        self.empty.setVisible(bool(words))
        self.sum.setVisible(bool(rows))
        for widget in (self.kind, self.text, self.table):
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
        self.detail.setVisible(parcel is not None)
        if parcel is None or analysis is None:
            self.outline.hide()
            return
        self.selection.choose(parcel.key)
        shape = places.place_of(analysis, *parcel.key)
        crs = places.crs_of(analysis)
        self.outline.show(shape, crs)
        self.detail.setTitle(", ".join(text for text in (parcel.print_key, parcel.address) if text))
        self._show_amounts(parcel)
        self.why.setText(self._why(parcel))
        self.zoom_button.setEnabled(not shape.isNull())
        self.preview.setVisible(not shape.isNull())
        if not shape.isNull():
            self.preview.setDestinationCrs(crs)
            self.preview.setLayers(_result_layers())
            box = QgsRectangle(shape.boundingBox())
            box.scale(PREVIEW_MARGIN)
            self.preview.setExtent(box)
            self.preview.refresh()

    def _show_amounts(self, parcel: Parcel) -> None:
        land, improvement = _inside_of(parcel)
        built = None if parcel.land is None or parcel.value is None else parcel.value - parcel.land
        rows: dict[str, tuple[str, str]] = {
            "share": (
                self.tr("1"),
                "–" if parcel.share is None else figures.decimal(parcel.share, 6),
            ),
            "land": (_amount(parcel.land), _amount(land)),
            "improvement": (_amount(built), _amount(improvement)),
            "total": (_amount(parcel.value), _amount(parcel.inside)),
        }
        for name, texts in rows.items():
            for label, text in zip(self.amounts[name], texts):
                label.setText(text)

    def _why(self, parcel: Parcel) -> str:
        if parcel.method == "land_area_improvement_location":
            built = None if parcel.land is None or parcel.value is None else parcel.value - parcel.land
            inside = _inside_of(parcel)[1]
            if inside == built:
                return self.tr("Building wholly inside: improvement follows it.")
            if inside == 0:
                return self.tr("Building wholly outside: improvement stays outside.")
            return self.tr("Building cut by the line: improvement follows its footprint.")
        if parcel.method == "area_only":
            return self.tr("No building or no land value is known: the whole value goes by area.")
        if parcel.method == "inside_value":
            return self.tr("No polygon: the value inside is the one stated in the table.")
        if parcel.place == "unmapped" and parcel.method is None:
            return self.tr("No polygon, and nobody has said yet how much of it lies inside.")
        return figures.method_words(parcel.method)[1]

    def tear_down(self) -> None:
        """Leave nothing on the map."""
        self.outline.tear_down()
        self.selection.tear_down()
        self.preview.setLayers([])
        self.preview.stopRendering()


def _is(kind: str, parcel: Parcel) -> bool:
    if kind == ALL:
        return True
    if kind == BY_HAND:
        return parcel.place == "unmapped" or parcel.method == "assessor_override"
    return parcel.place == kind


def _inside_of(parcel: Parcel) -> tuple[Optional[int], Optional[int]]:
    """Land and improvement inside, in whole dollars that add up to the total; None where the method knows no halves."""
    if parcel.inside is None or parcel.land is None or parcel.share is None or parcel.value is None:
        return None, None
    if parcel.method not in ("whole", "area_only", "land_area_improvement_location") or parcel.land > parcel.value:
        return None, None
    land = half_up(parcel.land * parcel.share)
    land = min(max(land, parcel.inside - (parcel.value - parcel.land)), parcel.inside)
    return land, parcel.inside - land


def _amount(value: Optional[int]) -> str:
    return "–" if value is None else figures.count(value)


def _natural(key: str) -> list[tuple[int, Any]]:
    """Print keys in the order of a roll: 124.00-2-9 before 124.00-2-10."""
    parts = key.replace(".", "-").split("-")
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]


def _number(words: str, parent: QWidget, bold: bool = False) -> QLabel:
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    fonts.write(label, bold=bold, points=-0.8)
    return label


def _result_layers() -> list[Any]:
    tree = QgsProject.instance().layerTreeRoot()
    return [layer for layer in tree.layerOrder() if is_result(layer)]
