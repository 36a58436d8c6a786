"""The Boundary page: which layer holds the boundary, and what its shape is worth before the law."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import QgsMapLayerProxyModel
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QGridLayout, QGroupBox, QLabel, QWidget

from ...core.model import Analysis
from .. import figures
from ..icons import StatusIcon
from .form import page_grid
from .layers import LayerRow
from .page import EmptyText, Page


class BoundaryPage(Page):
    """Choose the boundary layer and read the facts of its shape."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(session, iface, parent)
        group = QGroupBox(self.tr("The Boundary"), self.body)
        grid = page_grid(group)
        self.layer_row = LayerRow(
            self,
            grid,
            "territory",
            self.tr("&Boundary"),
            self.tr("The layer whose polygon is the territory of the petition. It is described in (c)(1)."),
            QgsMapLayerProxyModel.Filter.PolygonLayer,
        )
        self.empty = EmptyText(
            self.tr("No boundary yet. Add the layer that holds it to the project and choose it here."), group
        )
        grid.addWidget(self.empty, grid.rowCount(), 0, 1, 4)
        self.box.addWidget(group)
        self.box.addWidget(self._shape_group())
        self.box.addStretch(1)

    def _shape_group(self) -> QGroupBox:
        self.shape = QGroupBox(self.tr("Shape and Closure"), self.body)
        grid = QGridLayout(self.shape)
        grid.setContentsMargins(6, 6, 6, 6)
        grid.setColumnStretch(2, 1)
        self.facts: dict[str, tuple[StatusIcon, QLabel]] = {}
        for name, words in (
            ("polygon", self.tr("Polygon")),
            ("area", self.tr("Area")),
            ("perimeter", self.tr("Perimeter")),
            ("closure", self.tr("Closure")),
            ("city_village", self.tr("City or village")),
            ("ground", self.tr("Area rule")),
            ("crs", self.tr("Measured in")),
        ):
            line = grid.rowCount()
            icon, label = StatusIcon(self.shape), QLabel(self.shape)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            head = QLabel(words, self.shape)
            for column, widget in enumerate((head, icon, label)):
                grid.addWidget(widget, line, column, Qt.AlignmentFlag.AlignTop)
            self.facts[name] = (icon, label)
        return self.shape

    def refresh(self) -> None:
        """Show the layer and the facts of the last analysis."""
        self.layer_row.show_session()
        analysis = self.session.analysis
        chosen = self.session.layer("territory") is not None
        self.empty.setVisible(not chosen and not self.session.missing("territory"))
        self.shape.setVisible(analysis is not None)
        if analysis is not None:
            self._show_facts(analysis)

    def _show_facts(self, analysis: Analysis) -> None:
        facts = analysis.territory
        whole = facts.parts == 1 and facts.holes == 0
        self._fact("polygon", "pass" if whole else _status_of(analysis, "V-02"), self._polygon_words(facts))
        area = figures.test_of(analysis, "area")
        square_miles = figures.decimal(facts.square_miles, 3)
        self._fact(
            "area", "note" if area is None else area.status, self.tr("{} mi² (geodesic, GRS80)").format(square_miles)
        )
        corners = figures.either(facts.corners, self.tr("{} corner"), self.tr("{} corners"))
        self._fact("perimeter", "pass", self.tr("{} ft, {}").format(figures.count(facts.perimeter_feet), corners))
        self._fact("closure", "pass", self.tr("polygon, closes exactly"))
        city = figures.test_of(analysis, "city_village")
        if city is None:
            self._fact("city_village", "note", self.tr("no layer of cities and villages"))
        else:
            self._fact("city_village", city.status, city.reason)
        self._fact("ground", "note" if area is None else area.status, "–" if area is None else area.reason)
        self._fact("crs", "note", analysis.crs)

    def _polygon_words(self, facts: Any) -> str:
        parts = figures.either(facts.parts, self.tr("{} part"), self.tr("{} parts"))
        holes = (
            figures.either(facts.holes, self.tr("{} hole"), self.tr("{} holes")) if facts.holes else self.tr("no holes")
        )
        return self.tr("valid, {}, {}").format(parts, holes)

    def _fact(self, name: str, status: str, words: str) -> None:
        icon, label = self.facts[name]
        icon.set_status(status)
        label.setText(words)


def _status_of(analysis: Analysis, code: str) -> str:
    found = {finding.severity for finding in analysis.findings if finding.code == code}
    return "fail" if "error" in found else "warning" if "warning" in found else "pass"
