"""The Layers page: which layer and which field is which, the rates of the towns, and the tables."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel
from qgis.gui import QgsFieldComboBox, QgsMapLayerComboBox
from qgis.PyQt.QtWidgets import (
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from .. import figures, icons
from ..icons import StatusIcon
from .form import ElidedLabel, narrow, page_grid
from .page import EmptyText, Page, Problem
from .rates import RatesGroup
from .tables import TablesGroup


class LayerRow:
    """A layer: label, combo, mark, row count, and a problem underneath."""

    def __init__(self, page: LayersPage, grid: QGridLayout, role: str, words: str, tip: str, filters: Any) -> None:
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
        self.combo.setAccessibleName(words.replace("&", ""))
        for widget in (self.label, self.combo):
            widget.setToolTip(tip)
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
        self.rates = RatesGroup(session, self.body)
        self.tables = TablesGroup(session, self.body)
        self.box.addWidget(self.rates)
        self.box.addWidget(self.tables)
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
            LayerRow(self, grid, role, words, tip, kind)
            for role, words, kind, tip in (
                (
                    "parcels",
                    self.tr("&Parcels"),
                    polygons,
                    self.tr("Tax parcels with the fields of the roll. Signed value is counted parcel by parcel."),
                ),
                (
                    "towns",
                    self.tr("&Towns"),
                    polygons,
                    self.tr("Town polygons. Owners' value is counted in the part of each town, § 2-202(1)(a)(2)."),
                ),
                (
                    "cities_villages",
                    self.tr("&Cities, villages"),
                    polygons,
                    self.tr("Cities and villages. The territory may take in no ground of theirs, § 2-200(1)."),
                ),
                (
                    "buildings",
                    self.tr("&Buildings"),
                    filters.PolygonLayer | filters.PointLayer,
                    self.tr("Buildings. On a parcel that the line cuts, the improvement goes where they stand."),
                ),
                (
                    "streets",
                    self.tr("St&reets"),
                    lines,
                    self.tr("Streets. The boundary is described by them, by waters, or by metes and bounds (c)(1)."),
                ),
                (
                    "waters",
                    self.tr("&Waters"),
                    filters.PolygonLayer | filters.LineLayer,
                    self.tr("Streams and shores. The boundary may be described by them (c)(1)."),
                ),
                (
                    "districts",
                    self.tr("&Districts"),
                    polygons,
                    self.tr("Fire, water and other districts. An entire district may be the territory, § 2-200(1)(b)."),
                ),
            )
        ]
        return group

    def _fields_group(self) -> QGroupBox:
        self.fields = QGroupBox(self.tr("Parcel Fields"), self.body)
        grid = page_grid(self.fields)
        self.field_rows: dict[str, tuple[QgsFieldComboBox, StatusIcon, ElidedLabel]] = {}
        for logical, words in (
            ("swis", self.tr("SW&IS")),
            ("print_key", self.tr("Print &key")),
            ("total_av", self.tr("Total &value")),
            ("land_av", self.tr("Land val&ue")),
            ("roll_section", self.tr("Roll sectio&n")),
            ("prop_class", self.tr("C&lass")),
            ("primary_owner", self.tr("&Owner")),
        ):
            line = grid.rowCount()
            combo = QgsFieldComboBox(self.fields)
            combo.setAllowEmptyFieldName(True)
            combo.setFilters(QgsFieldProxyModel.Filter.AllTypes)
            narrow(combo)
            label, mark = QLabel(words, self.fields), StatusIcon(self.fields)
            sample = ElidedLabel("000.00-0-00", self.fields)
            label.setBuddy(combo)
            combo.setAccessibleName(words.replace("&", ""))
            tip = self.tr("The parcel layer's field for this, found by its name. Choose another where that is wrong.")
            for widget in (label, combo):
                widget.setToolTip(tip)
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

    # Showing

    def refresh(self) -> None:
        """Show layers, fields, rates and tables as the session has them."""
        parcels = self.session.layer("parcels")
        self.first.setVisible(parcels is None and not self.session.missing("parcels"))
        for row in self.layer_rows:
            row.show_session()
        self._show_fields(parcels)
        self.rates.show_session()
        self.tables.show_session()

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
            sample.set_words(text)
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
