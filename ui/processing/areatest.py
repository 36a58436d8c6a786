"""villagepetition:areatest — whether a boundary meets the limit of area, before there are any parcels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterEnum,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorLayer,
)

from ...core.model import Cancelled, Layer, TestResult
from ..adapters import Capture
from ..threads import in_python_thread
from .base import PetitionAlgorithm, edition_parameter

if TYPE_CHECKING:
    from ...core.crs import WorkingCrs

POLYGON = QgsProcessing.SourceType.TypeVectorPolygon
LAYERS = ("TERRITORY", "TOWNS", "DISTRICTS", "CITIES_VILLAGES")
GROUNDS = ("a", "b", "c", "d")
SLIVER_WIDTH_FT = "1.0"


class AreaTestAlgorithm(PetitionAlgorithm):
    """Geodesic area against the limit or a coterminous ground, and cities and villages where their layer is given."""

    layer_names = LAYERS

    def __init__(self) -> None:
        super().__init__()
        self._captured: dict[str, Capture] = {}

    def name(self) -> str:
        """The second half of the id."""
        return "areatest"

    def displayName(self) -> str:
        """What the toolbox calls it."""
        return self.tr("Test area of boundary")

    def shortDescription(self) -> str:
        """One line for lists."""
        return self.tr("Whether a boundary meets the area rule of New York Village Law § 2-200.")

    def shortHelpString(self) -> str:
        """What it does, what it needs, what it gives."""
        return self.tr(
            "Measures the boundary of a proposed village on the ellipsoid and compares it, as printed with six "
            "decimals, with the limit of New York Village Law § 2-200. No parcels are needed.\n\n"
            "A larger territory passes on ground b (one whole district), c (parts of districts in one town) or d (a "
            "whole town): choose the ground, give districts or towns, and name the districts by their ID, with commas. "
            "With a layer of cities and villages it also says whether the territory takes in part of one.\n\n"
            "Gives square miles, the number of separate parts, and the outcome of each test with its reason."
        )

    def initAlgorithm(self, configuration: Optional[dict[str, Any]] = None) -> None:
        """Declare parameters and outputs; called by QGIS."""
        labels = {
            "TERRITORY": self.tr("Boundary of the proposed village"),
            "TOWNS": self.tr("Towns"),
            "DISTRICTS": self.tr("School, fire and improvement districts"),
            "CITIES_VILLAGES": self.tr("Cities and villages"),
        }
        for name, label in labels.items():
            self.addParameter(QgsProcessingParameterVectorLayer(name, label, [POLYGON], optional=name != "TERRITORY"))
        self.addParameter(
            QgsProcessingParameterEnum(
                "GROUND", self.tr("Area ground"), options=list(GROUNDS), defaultValue="a", usesStaticStrings=True
            )
        )
        ids = self.tr("IDs of the districts, with commas")
        self.addParameter(QgsProcessingParameterString("DISTRICT_IDS", ids, "", optional=True))
        self.addParameter(edition_parameter(self.tr("Edition of the law")))
        for name, label in (
            ("SQUARE_MILES", self.tr("Square miles")),
            ("STATUS", self.tr("Area: pass, fail or undecided")),
            ("REASON", self.tr("Why")),
            ("CITY_VILLAGE", self.tr("Cities and villages: pass, fail, undecided or not_applicable")),
            ("CITY_VILLAGE_REASON", self.tr("Why")),
        ):
            self.addOutput(QgsProcessingOutputString(name, label))
        self.addOutput(QgsProcessingOutputNumber("PARTS", self.tr("Separate parts")))
        self.addOutput(QgsProcessingOutputNumber("HOLES", self.tr("Holes")))

    def prepareAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> bool:
        """Capture the layers; called by QGIS in the main thread."""
        self._captured = self.capture_all(parameters, context)
        return True

    def processAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Measure and compare; called by QGIS in any thread."""
        return self.refusing(lambda: in_python_thread(lambda: self._run(parameters, context, feedback)), feedback)

    def _run(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        from ...core.document import decimals
        from ...core.editions import load_edition
        from ...core.limits import area_test, city_village_test
        from ...core.schema import detect_layer_fields
        from ...core.territory import read_territory
        from ...core.topology import read_polygons, town_shapes

        edition = load_edition(self.parameterAsString(parameters, "EDITION", context))
        layers = {name: self._captured[name].layer(name.lower()) for name in LAYERS if name in self._captured}
        if "TERRITORY" not in layers:
            raise QgsProcessingException(self.tr("TERRITORY is missing. Choose the boundary layer."))
        fields = {
            name: detect_layer_fields(name.lower(), layer.source, tuple(layer.columns), {})
            for name, layer in layers.items()
            if name != "TERRITORY"
        }
        _step(feedback, 20)
        crs = boundary_crs(layers["TERRITORY"])
        tolerance = crs.tolerance(SLIVER_WIDTH_FT)
        territory, findings = read_territory(layers["TERRITORY"], crs, tolerance, edition)
        _step(feedback, 50)
        sets = {
            name: read_polygons(layers[name], found, name.lower(), crs, tolerance)[0] for name, found in fields.items()
        }
        shapes, unusable = town_shapes(sets["TOWNS"], territory, edition) if "TOWNS" in sets else ({}, ())
        names = _names(sets["TOWNS"]) if "TOWNS" in sets else {}
        ids = [text.strip() for text in self.parameterAsString(parameters, "DISTRICT_IDS", context).split(",")]
        ids = [text for text in ids if text]
        ground, districts = self.parameterAsString(parameters, "GROUND", context), sets.get("DISTRICTS")
        area, of_area = area_test(territory, crs, tolerance, shapes, names, districts, ground, ids, edition)
        _step(feedback, 80)
        city, of_city = city_village_test(territory, sets.get("CITIES_VILLAGES"), tolerance, crs, edition)
        facts = territory.facts
        _tell(feedback, (area, city))
        for finding in (*findings, *unusable, *of_area, *of_city):
            feedback.pushInfo(f"{finding.code} {finding.severity}: {finding.message}")
        feedback.setProgress(100.0)
        return {
            "SQUARE_MILES": decimals(facts.square_miles, 6),
            "PARTS": facts.parts,
            "HOLES": facts.holes,
            "STATUS": area.status,
            "REASON": area.reason,
            "CITY_VILLAGE": city.status,
            "CITY_VILLAGE_REASON": city.reason,
        }


def _step(feedback: QgsProcessingFeedback, percent: float) -> None:
    if feedback.isCanceled():
        raise Cancelled
    feedback.setProgress(percent)


def _tell(feedback: QgsProcessingFeedback, tests: Iterable[TestResult]) -> None:
    for test in tests:
        feedback.pushInfo(f"{test.id}: {test.status}. {test.reason} {test.citation}".rstrip())


def _names(towns: Any) -> dict[str, str]:
    from ...core.schema import town_code

    return {town_code(swis): name for swis, name in sorted(zip(towns.swis, towns.names), reverse=True) if swis}


def boundary_crs(territory: Layer) -> WorkingCrs:
    """The territory's own CRS where it is projected, else the State Plane zone that its middle lies in."""
    from ...core.crs import working_crs
    from ...core.editions import state_plane_zones

    counties = state_plane_zones()
    here = _zones_at(territory) if territory.crs else ()
    swis = [f"{county}0000" for county, zone in sorted(counties.items()) if int(zone["epsg"]) in here]
    return working_crs(territory.crs, swis[:1] if swis else (), territory.source)


def _zones_at(territory: Layer) -> tuple[int, ...]:
    """EPSG codes of the State Plane zones whose area of use holds the middle of a layer, the nearest first."""
    import shapely
    from pyproj import CRS, Transformer

    from ...core.crs import parse_crs
    from ...core.editions import state_plane_zones

    shapes = [shape for shape in territory.geometry if shape is not None and not shapely.is_empty(shape)]
    if not shapes:
        return ()
    left, bottom, right, top = shapely.total_bounds(shapes)
    change = Transformer.from_crs(parse_crs(territory.crs, territory.source), "EPSG:4269", always_xy=True)
    x, y = change.transform((left + right) / 2, (bottom + top) / 2)
    codes = sorted({int(zone["epsg"]) for zone in state_plane_zones().values()})
    areas = {code: CRS.from_epsg(code).area_of_use for code in codes}
    holding = [code for code in codes if _holds(areas[code], x, y)]
    return tuple(sorted(holding, key=lambda code: abs((areas[code].west + areas[code].east) / 2 - x))[:1])


def _holds(area: Any, x: float, y: float) -> bool:
    return bool(area.west <= x <= area.east and area.south <= y <= area.north)
