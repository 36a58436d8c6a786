"""The Layers page: which layer and which field is which, the rates of the towns, and the tables."""

from __future__ import annotations

from typing import Any, Callable, Optional

from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel
from qgis.gui import QgsFieldComboBox, QgsFileWidget, QgsMapLayerComboBox
from qgis.PyQt.QtCore import QModelIndex, Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from .. import figures, icons
from ..icons import StatusIcon
from ..models import Column, RowModel
from .page import EmptyText, Page, Problem, RowTable

KINDS = ("state", "special", "county", "segment")
NARROW = 6


class LayerRow:
    """A layer: label, combo, mark, row count, and a problem underneath."""

    def __init__(self, page: LayersPage, grid: QGridLayout, role: str, words: str, filters: Any) -> None:
        line = grid.rowCount()
        self.role = role
        self.page = page
        self.label = QLabel(words, page.body)
        self.combo = QgsMapLayerComboBox(page.body)
        self.combo.setFilters(filters)
        self.combo.setAllowEmptyLayer(True)
        self.combo.setCurrentIndex(0)
        narrow(self.combo)
        self.label.setBuddy(self.combo)
        self.mark, self.count = StatusIcon(page.body), QLabel(page.body)
        self.count.setMinimumWidth(page.fontMetrics().horizontalAdvance("00,000"))
        self.problem = Problem(page.body)
        for column, widget in enumerate((self.label, self.combo, self.mark, self.count)):
            grid.addWidget(widget, line, column)
        grid.addWidget(self.problem, line + 1, 1, 1, 3)
        self.combo.layerChanged.connect(self._chosen)

    def _chosen(self, layer: Any) -> None:
        self.page.session.set_layer(self.role, layer)

    def show_session(self) -> None:
        """Show what the session holds for this role."""
        session = self.page.session
        layer, gone = session.layer(self.role), session.missing(self.role)
        self.combo.blockSignals(True)
        self.combo.setLayer(layer)
        self.combo.blockSignals(False)
        number = None if layer is None else session.row_count(self.role)
        if gone:
            self.mark.set_status("fail", self.page.tr("Layer missing"))
            self.count.setText("–")
            self.problem.show_problem(self.page.tr("{}: Layer missing").format(gone), "note")
            return
        self.mark.set_status("note" if number is None else "pass" if number else "fail")
        self.count.setText(self.page.tr("none") if number is None else figures.count(number))
        self.problem.show_problem(self._problem(layer, number))

    def _problem(self, layer: Any, number: Optional[int]) -> str:
        words = self.label.text().replace("&", "")
        if layer is None:
            return ""
        if not layer.crs().isValid():
            return self.page.tr("{}: layer has no coordinate system. Set it in Layer Properties ▸ Source.").format(
                words
            )
        if number == 0:
            return self.page.tr("{}: layer has no rows. Choose another one.").format(words)
        return ""


class LayersPage(Page):
    """Tells the plugin which layer and field is which, and shows that every row is read."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(session, iface, parent)
        self.box.addWidget(self._first_steps())
        self.box.addWidget(self._layers_group())
        self.box.addWidget(self._fields_group())
        self.box.addWidget(self._rates_group())
        self.box.addWidget(self._tables_group())
        self.box.addStretch(1)

    # Building

    def _first_steps(self) -> QWidget:
        self.first = QWidget(self.body)
        box = QVBoxLayout(self.first)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(
            EmptyText(
                self.tr("No parcels yet. Add the layers of your county to the project, or look at the sample first."),
                self.first,
            )
        )
        row = QHBoxLayout()
        self.add_parcels = QPushButton(icons.icon("add", self), self.tr("&Add Parcels…"), self.first)
        self.add_parcels.setToolTip(self.tr("Open the Data Source Manager to add a parcel layer to the project."))
        self.add_parcels.clicked.connect(lambda: self.iface.actionAddOgrLayer().trigger())
        self.sample = QPushButton(icons.icon("sample", self), self.tr("Load &Sample Petition"), self.first)
        self.sample.setToolTip(self.tr("Open the small fictional case that comes with the plugin."))
        self.sample.clicked.connect(self.session.load_sample)
        for button in (self.add_parcels, self.sample):
            row.addWidget(button)
        row.addStretch(1)
        box.addLayout(row)
        return self.first

    def _layers_group(self) -> QGroupBox:
        group = QGroupBox(self.tr("Layers"), self.body)
        grid = page_grid(group)
        filters = QgsMapLayerProxyModel.Filter
        polygons, lines = filters.PolygonLayer, filters.LineLayer
        self.layer_rows = [
            LayerRow(self, grid, role, words, kind)
            for role, words, kind in (
                ("parcels", self.tr("&Parcels"), polygons),
                ("towns", self.tr("&Towns"), polygons),
                ("cities_villages", self.tr("&Cities, villages"), polygons),
                ("buildings", self.tr("&Buildings"), filters.PolygonLayer | filters.PointLayer),
                ("streets", self.tr("St&reets"), lines),
                ("waters", self.tr("&Waters"), filters.PolygonLayer | filters.LineLayer),
                ("districts", self.tr("&Districts"), polygons),
            )
        ]
        return group

    def _fields_group(self) -> QGroupBox:
        self.fields = QGroupBox(self.tr("Parcel Fields"), self.body)
        grid = page_grid(self.fields)
        self.field_rows: dict[str, tuple[QgsFieldComboBox, StatusIcon, QLabel]] = {}
        for logical, words in (
            ("swis", self.tr("S&WIS")),
            ("print_key", self.tr("Print &key")),
            ("total_av", self.tr("Total &value")),
            ("land_av", self.tr("&Land value")),
            ("roll_section", self.tr("Roll se&ction")),
            ("prop_class", self.tr("Cl&ass")),
            ("primary_owner", self.tr("&Owner")),
        ):
            line = grid.rowCount()
            combo = QgsFieldComboBox(self.fields)
            combo.setAllowEmptyFieldName(True)
            combo.setFilters(QgsFieldProxyModel.Filter.AllTypes)
            narrow(combo)
            label, mark, sample = QLabel(words, self.fields), StatusIcon(self.fields), QLabel(self.fields)
            label.setBuddy(combo)
            sample.setTextFormat(Qt.TextFormat.PlainText)
            sample.setMinimumWidth(self.fontMetrics().horizontalAdvance("000.00-0-00"))
            sample.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            combo.fieldChanged.connect(lambda field, logical=logical: self.session.set_field(logical, field))
            for column, widget in enumerate((label, combo, mark, sample)):
                grid.addWidget(widget, line, column)
            self.field_rows[logical] = (combo, mark, sample)
        grid.setColumnStretch(3, 1)
        line = grid.rowCount()
        self.detected = QLabel(self.fields)
        self.detected.setWordWrap(True)
        self.detect = QPushButton(icons.icon("detect", self), self.tr("Detect A&gain"), self.fields)
        self.detect.setToolTip(self.tr("Forget the fields chosen by hand and find them by the schema again."))
        self.detect.clicked.connect(self.session.detect_again)
        row = QHBoxLayout()
        row.addWidget(self.detected, 1)
        row.addWidget(self.detect, 0)
        grid.addLayout(row, line, 0, 1, 4)
        self.field_problem = Problem(self.fields)
        grid.addWidget(self.field_problem, line + 1, 0, 1, 4)
        return self.fields

    def _rates_group(self) -> QGroupBox:
        group = QGroupBox(self.tr("Towns and Equalization Rates"), self.body)
        box = QVBoxLayout(group)
        box.setContentsMargins(6, 6, 6, 6)
        self.rates_empty = EmptyText(self.tr("The towns appear here once parcels and a boundary are chosen."), group)
        box.addWidget(self.rates_empty)
        self.rates = RowTable(self._rates_model(), self.tr("Towns and equalization rates"), group, lines=3)
        self.rates.set_stretch()
        self.rates.horizontalHeader().setStretchLastSection(True)
        triggers = QAbstractItemView.EditTrigger
        self.rates.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.rates.setItemDelegateForColumn(4, KindDelegate(self._kind, self.rates))
        box.addWidget(self.rates)
        self.rate_problem = Problem(group)
        box.addWidget(self.rate_problem)
        return group

    def _rates_model(self) -> RowModel:
        def cell(name: str) -> Any:
            return lambda row: row[1].get(name, "")

        model = RowModel(
            (
                Column(self.tr("Town"), lambda row: row[1]["town"] or row[1]["swis"], status=self._rate_status),
                Column(self.tr("Rate %"), cell("rate"), right=True, name="rate", tip=self._rate_tip),
                Column(self.tr("Roll"), cell("roll_year"), name="roll_year"),
                Column(self.tr("Final roll filed"), cell("final_roll_filed"), name="final_roll_filed"),
                Column(self.tr("Rate kind"), lambda row: self._kind(row[1].get("kind", "")), name="kind"),
            ),
            self,
        )
        model.edited.connect(lambda row, column, text: self.session.set_rate(row[0], column, text))
        return model

    def _tables_group(self) -> QGroupBox:
        group = QGroupBox(self.tr("Tables"), self.body)
        grid = page_grid(group)
        self.table_rows: dict[str, tuple[QgsFileWidget, StatusIcon, QLabel]] = {}
        tables = self.tr("Tables (*.csv *.CSV)")
        for role, words, kind in (
            ("owners", self.tr("Owne&rs"), tables),
            ("signers", self.tr("&Signers"), tables),
            ("inhabitants", self.tr("&Inhabitants"), tables),
            ("unmapped", self.tr("No pol&ygon"), tables),
            ("overrides", self.tr("O&verrides"), tables),
            ("rates", self.tr("Rat&es"), tables),
            ("petition", self.tr("Petition de&tails"), self.tr("Petition details (*.json *.JSON)")),
        ):
            line = grid.rowCount()
            file = QgsFileWidget(group)
            file.setStorageMode(QgsFileWidget.StorageMode.GetFile)
            file.setFilter(kind)
            file.setMinimumWidth(80)
            label, mark, number = QLabel(words, group), StatusIcon(group), QLabel(group)
            label.setBuddy(file)
            number.setMinimumWidth(self.fontMetrics().horizontalAdvance("0,000"))
            file.fileChanged.connect(lambda path, role=role: self._table_chosen(role, path))
            for column, widget in enumerate((label, file, mark, number)):
                grid.addWidget(widget, line, column)
            self.table_rows[role] = (file, mark, number)
        return group

    def _table_chosen(self, role: str, path: str) -> None:
        if path != self.session.table_path(role):
            self.session.set_table(role, path)

    # Showing

    def refresh(self) -> None:
        """Show layers, fields, rates and tables as the session has them."""
        parcels = self.session.layer("parcels")
        self.first.setVisible(parcels is None and not self.session.missing("parcels"))
        for row in self.layer_rows:
            row.show_session()
        self._show_fields(parcels)
        self._show_rates()
        for role, (file, mark, number) in self.table_rows.items():
            path, count = self.session.table_path(role), self.session.table_count(role)
            if file.filePath() != path:
                file.blockSignals(True)
                file.setFilePath(path)
                file.blockSignals(False)
            file.setToolTip(path)
            read = role == "petition" and path and count is None
            mark.set_status("note" if not path else "pass" if count is not None or read else "fail")
            number.setText("" if count is None else figures.count(count))

    def _show_fields(self, parcels: Any) -> None:
        found = self.session.field_map()
        self.fields.setEnabled(parcels is not None)
        number = 0
        for logical, (combo, mark, sample) in self.field_rows.items():
            # A roll without print keys is keyed by its SBL.
            names = ("print_key", "sbl") if logical == "print_key" else (logical,)
            field = "" if found is None else next((found.get(name) for name in names if found.get(name)), "") or ""
            combo.blockSignals(True)
            if combo.layer() != parcels:
                combo.setLayer(parcels)
            combo.setField(field)
            combo.blockSignals(False)
            number += bool(field)
            used = next((name for name in names if found is not None and found.get(name)), logical)
            text = self.session.field_sample(used) if field else ""
            if logical in ("total_av", "land_av") and text.isdigit():
                text = figures.count(int(text))
            mark.set_status("pass" if field else "note", self.tr("found") if field else self.tr("not found"))
            sample.setText(text)
            sample.setToolTip(text)
        total = figures.count(len(self.field_rows))
        words = self.tr("{} of {} found.").format(figures.count(number), total)
        self.detected.setText(words if found is None else self.tr("{} Schema: {}.").format(words, found.schema))
        self._show_field_problem()

    def _show_field_problem(self) -> None:
        problem = self.session.field_problem()
        if problem:
            self.field_problem.show_problem(problem)
            return
        sample = self.session.field_sample("swis") if self.session.field_map() is not None else ""
        digits = sample.strip()
        if digits.isdigit() and len(digits) < 6:
            words = self.tr("SWIS is a number, {} lost its zero; {} is used.").format(digits, digits.zfill(6))
            self.field_problem.show_problem(words, "warning")
        else:
            self.field_problem.show_problem("")

    def _show_rates(self) -> None:
        rates = self.session.rates()
        self.rates.rows.set_rows(list(enumerate(rates)))
        self.rates.setVisible(bool(rates))
        self.rates_empty.setVisible(not rates)
        self.rate_problem.show_problem("\n".join(text for row in rates if (text := self._rate_problem(row))))

    def _rate_problem(self, row: dict[str, str]) -> str:
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

    def _rate_status(self, row: tuple[int, dict[str, str]]) -> str:
        return "fail" if self._rate_problem(row[1]) else "pass"

    def _rate_tip(self, row: tuple[int, dict[str, str]]) -> str:
        return self._rate_problem(row[1]) or self.tr("State equalization rate in percent, as printed.")

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


def narrow(combo: QComboBox) -> None:
    """Let a combo box shrink below its longest item, which its tooltip and its list still show."""
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(NARROW)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


def page_grid(group: QGroupBox) -> QGridLayout:
    """Rows of label, field, mark and figure."""
    grid = QGridLayout(group)
    grid.setContentsMargins(6, 6, 6, 6)
    grid.setHorizontalSpacing(6)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 2)
    return grid
