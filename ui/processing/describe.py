"""villagepetition:describe — a boundary in words, by the streets, waters and lines that it follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterField,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorLayer,
    QgsProcessingUtils,
    QgsWkbTypes,
)

from ...core.model import Cancelled, Layer
from .. import compat
from ..adapters import Capture
from ..threads import in_python_thread
from .areatest import boundary_crs
from .base import PetitionAlgorithm, edition_parameter

if TYPE_CHECKING:
    from ...core.crs import WorkingCrs
    from ...core.description import Choices, Description, Side, Sources
    from ...core.editions import Edition
    from ...core.model import Finding
    from ...core.territory import Territory

LINE = QgsProcessing.SourceType.TypeVectorLine
POLYGON = QgsProcessing.SourceType.TypeVectorPolygon
ANY = QgsProcessing.SourceType.TypeVectorAnyGeometry
LAYERS = {
    "TERRITORY": POLYGON,
    "STREETS": LINE,
    "WATERS": ANY,
    "WATER_AREAS": POLYGON,
    "TOWNS": POLYGON,
    "CITIES_VILLAGES": POLYGON,
    "DISTRICTS": POLYGON,
    "PARCELS": POLYGON,
}
FORMS = ("streets_waters", "districts", "metes")
MARKS = ("mean high-water mark", "ordinary high-water mark", "ordinary low-water mark", "low-water mark")
WIDTHS = {"STREET_FT": "10", "SHORE_FT": "25", "LINE_FT": "1"}
SLIVER_WIDTH_FT = "1.0"


class DescribeAlgorithm(PetitionAlgorithm):
    """Sides of a boundary with what each follows, and the text in the chosen forms."""

    layer_names = tuple(LAYERS)

    def __init__(self) -> None:
        super().__init__()
        self._captured: dict[str, Capture] = {}

    def name(self) -> str:
        """The second half of the id."""
        return "describe"

    def displayName(self) -> str:
        """What the toolbox calls it."""
        return self.tr("Describe boundary")

    def shortDescription(self) -> str:
        """One line for lists."""
        return self.tr("A boundary in words, by the streets, waters, town and district lines that it follows.")

    def shortHelpString(self) -> str:
        """What it does, what it needs, what it gives."""
        return self.tr(
            "Describes the boundary of a proposed village in the forms of New York Village Law § 2-202(1)(c)(1): by "
            "existing streets and navigable waters, by lines and entire boundaries of towns and districts, by metes "
            "and bounds, or in those of them that you choose together. Each side follows the centerline of a street, "
            "the shore or thread of a water, a town or district line, or nothing that has a name: then bearing and "
            "distance are given where metes and bounds are chosen, else the side is a gap.\n\n"
            "Only navigable waters count. Name those that are and those that are not, with commas; the others go by "
            "their kind: lakes, rivers and canals are taken as navigable. A shore needs a water mark. With parcels, "
            "sides that follow lot lines alone are found.\n\n"
            "Gives the sides as a layer and the text as a file, for counsel to review. Findings are in the log. Where "
            "the chosen forms cannot describe a side, the file says which."
        )

    def initAlgorithm(self, configuration: Optional[dict[str, Any]] = None) -> None:
        """Declare parameters and outputs; called by QGIS."""
        for name, kind in LAYERS.items():
            optional = name != "TERRITORY"
            self.addParameter(QgsProcessingParameterVectorLayer(name, self._label(name), [kind], optional=optional))
        self.addParameter(
            QgsProcessingParameterEnum(
                "FORMS",
                self._label("FORMS"),
                options=list(FORMS),
                allowMultiple=True,
                defaultValue=list(FORMS),
                usesStaticStrings=True,
            )
        )
        for name in ("NAVIGABLE", "NOT_NAVIGABLE"):
            self.addParameter(QgsProcessingParameterString(name, self._label(name), "", optional=True))
        self.addParameter(
            QgsProcessingParameterEnum(
                "WATER_MARK", self._label("WATER_MARK"), options=list(MARKS), optional=True, usesStaticStrings=True
            )
        )
        self.addParameter(edition_parameter(self._label("EDITION")))
        for name, layer in (("STREET_NAME", "STREETS"), ("WATER_NAME", "WATERS"), ("WATER_KIND", "WATERS")):
            self._add_advanced(
                QgsProcessingParameterField(name, self._label(name), parentLayerParameterName=layer, optional=True)
            )
        for name, width in WIDTHS.items():
            self._add_advanced(QgsProcessingParameterString(name, self._label(name), width))
        self.addParameter(QgsProcessingParameterFeatureSink("OUTPUT", self._label("OUTPUT"), LINE, optional=True))
        self.addParameter(
            QgsProcessingParameterFileDestination(
                "TEXT", self._label("TEXT"), self.tr("Text files (*.txt)"), optional=True
            )
        )
        for name in ("DESCRIPTION", "REASON", "BASIS", "ENTIRE"):
            self.addOutput(QgsProcessingOutputString(name, self._label(name)))
        self.addOutput(QgsProcessingOutputNumber("SIDES", self._label("SIDES")))
        self.addOutput(QgsProcessingOutputNumber("GAPS", self._label("GAPS")))

    def prepareAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> bool:
        """Capture the layers; called by QGIS in the main thread."""
        self._captured = self.capture_all(parameters, context)
        return True

    def processAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Describe and write; called by QGIS in any thread."""
        return self.refusing(lambda: in_python_thread(lambda: self._run(parameters, context, feedback)), feedback)

    def _run(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        from ...core.description import describe
        from ...core.editions import load_edition
        from ...core.territory import read_territory

        edition = load_edition(self.parameterAsString(parameters, "EDITION", context))
        choices = self._choices(parameters, context)
        layers = {name: captured.layer(name.lower()) for name, captured in self._captured.items()}
        if "TERRITORY" not in layers:
            raise QgsProcessingException(self.tr("TERRITORY is missing. Choose the boundary layer."))
        _step(feedback, 30)
        crs = boundary_crs(layers["TERRITORY"])
        width = crs.tolerance(SLIVER_WIDTH_FT)
        territory, findings = read_territory(layers["TERRITORY"], crs, width, edition)
        sources, of_sources = self._sources(parameters, context, layers, choices, crs, territory, edition)
        _step(feedback, 50)
        found = describe(territory.shape, sources, crs, edition, choices)
        _step(feedback, 90)
        text = found.text or self.tr("No description in the chosen forms:") + " " + found.reason
        _tell(feedback, (*findings, *of_sources, *found.findings), text)
        results: dict[str, Any] = {
            "DESCRIPTION": found.text,
            "REASON": found.reason,
            "BASIS": found.basis,
            "ENTIRE": found.entire,
            "SIDES": len(found.sides),
            "GAPS": sum(1 for side in found.sides if not side.name),
        }
        if parameters.get("OUTPUT"):
            results["OUTPUT"] = self._layer(parameters, context, found, crs)
        if parameters.get("TEXT"):
            results["TEXT"] = self._text(parameters, context, text)
        feedback.setProgress(100.0)
        return results

    def _choices(self, parameters: dict[str, Any], context: QgsProcessingContext) -> Choices:
        from ...core.description import Choices

        navigable: dict[str, bool] = {}
        for name, flag in (("NAVIGABLE", True), ("NOT_NAVIGABLE", False)):
            for water in self.parameterAsString(parameters, name, context).split(","):
                if water.strip():
                    navigable[water.strip()] = flag
        forms = self.parameterAsEnumStrings(parameters, "FORMS", context)
        mark = self.parameterAsEnumString(parameters, "WATER_MARK", context) if parameters.get("WATER_MARK") else ""
        street, shore, line = (self.parameterAsString(parameters, name, context).strip() for name in WIDTHS)
        return Choices(tuple(form for form in FORMS if form in forms), street, shore, line, navigable, mark)

    def _sources(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        layers: dict[str, Layer],
        choices: Choices,
        crs: WorkingCrs,
        territory: Territory,
        edition: Edition,
    ) -> tuple[Sources, tuple[Finding, ...]]:
        from ...core.description import Sources, areas_of, name_banks, read_lots, read_streets, read_waters
        from ...core.schema import detect_layer_fields
        from ...core.topology import read_polygons, unusable_findings

        tolerance = crs.tolerance(SLIVER_WIDTH_FT)
        street, water, kind = (
            self.parameterAsString(parameters, name, context) for name in ("STREET_NAME", "WATER_NAME", "WATER_KIND")
        )
        findings: list[Finding] = []
        streets: Sequence[Any] = ()
        waters: list[Any] = []
        if "STREETS" in layers:
            streets, said, _ = read_streets(layers["STREETS"], crs, tolerance, edition, street)
            findings.extend(said)
        for name in ("WATERS", "WATER_AREAS"):
            if name in layers:
                chosen = (water, kind) if name == "WATERS" else ("", "")
                more, said, _ = read_waters(layers[name], crs, tolerance, edition, choices.navigable, *chosen)
                waters += more
                findings.extend(said)
        areas: list[Any] = []
        for name, family, word, noun in (
            ("TOWNS", "civil", "Town", "town"),
            ("CITIES_VILLAGES", "civil", "", "city or village"),
            ("DISTRICTS", "district", "", "district"),
        ):
            if name in layers:
                layer = layers[name]
                fields = detect_layer_fields(name.lower(), layer.source, tuple(layer.columns), {})
                polygons = read_polygons(layer, fields, name.lower(), crs, tolerance)[0]
                areas += areas_of(polygons, family, word)
                findings.extend(unusable_findings(polygons, noun, territory, edition))
        lots = read_lots(layers["PARCELS"], crs, tolerance)[0] if "PARCELS" in layers else None
        return Sources(tuple(streets), name_banks(waters), tuple(areas), lots), tuple(findings)

    def _layer(
        self, parameters: dict[str, Any], context: QgsProcessingContext, found: Description, crs: WorkingCrs
    ) -> Any:
        fields = QgsFields()
        for name in ("part", "hole", "number"):
            fields.append(compat.whole_field(name))
        for name in ("kind", "name", "start", "end", "direction"):
            fields.append(compat.text_field(name))
        for name in ("length_ft", "offset_ft"):
            fields.append(compat.number_field(name))
        place = QgsCoordinateReferenceSystem.fromWkt(crs.wkt)
        line = QgsWkbTypes.Type.LineString
        sink, target = self.parameterAsSink(parameters, "OUTPUT", context, fields, line, place)
        if sink is None:
            raise QgsProcessingException(self.invalidSinkError(parameters, "OUTPUT"))
        for side in found.sides:
            sink.addFeature(_feature(side), QgsFeatureSink.Flag.FastInsert)
        return target

    def _text(self, parameters: dict[str, Any], context: QgsProcessingContext, text: str) -> str:
        path = self.parameterAsFileOutput(parameters, "TEXT", context)
        path = path or QgsProcessingUtils.generateTempFilename("description.txt")
        Path(path).write_bytes(f"{text}\n".encode())
        return path

    def _add_advanced(self, parameter: QgsProcessingParameterDefinition) -> None:
        parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
        self.addParameter(parameter)

    def _label(self, name: str) -> str:
        return {
            "TERRITORY": self.tr("Boundary of the proposed village"),
            "STREETS": self.tr("Streets"),
            "WATERS": self.tr("Waters"),
            "WATER_AREAS": self.tr("Waters drawn as areas, where they are a layer of their own"),
            "TOWNS": self.tr("Towns"),
            "CITIES_VILLAGES": self.tr("Cities and villages"),
            "DISTRICTS": self.tr("School, fire and improvement districts"),
            "PARCELS": self.tr("Parcels, to find sides on lot lines"),
            "FORMS": self.tr("Forms that may be combined"),
            "NAVIGABLE": self.tr("Waters that are navigable, with commas"),
            "NOT_NAVIGABLE": self.tr("Waters that are not navigable, with commas"),
            "WATER_MARK": self.tr("Water mark of shores"),
            "EDITION": self.tr("Edition of the law"),
            "STREET_NAME": self.tr("Field with the names of streets"),
            "WATER_NAME": self.tr("Field with the names of waters"),
            "WATER_KIND": self.tr("Field with the kinds of water"),
            "STREET_FT": self.tr("Centerlines are followed within feet"),
            "SHORE_FT": self.tr("Shores are followed within feet"),
            "LINE_FT": self.tr("Town and district lines are followed within feet"),
            "OUTPUT": self.tr("Sides"),
            "TEXT": self.tr("Description"),
            "DESCRIPTION": self.tr("Description, empty where some side has no words"),
            "REASON": self.tr("Why there is none"),
            "BASIS": self.tr("Forms that are used, in words"),
            "ENTIRE": self.tr("Town or districts of which it is the entire boundary"),
            "SIDES": self.tr("Sides"),
            "GAPS": self.tr("Sides that follow nothing with a name"),
        }[name]


def _step(feedback: QgsProcessingFeedback, percent: float) -> None:
    if feedback.isCanceled():
        raise Cancelled
    feedback.setProgress(percent)


def _tell(feedback: QgsProcessingFeedback, findings: Iterable[Finding], text: str) -> None:
    for line in text.splitlines():
        feedback.pushInfo(line)
    for finding in findings:
        feedback.pushInfo(f"{finding.code} {finding.severity}: {finding.message}")


def _feature(side: Side) -> QgsFeature:
    import shapely

    geometry = QgsGeometry()
    geometry.fromWkb(bytes(shapely.to_wkb(shapely.linestrings(side.xy))))
    feature = QgsFeature()
    feature.setGeometry(geometry)
    words = [side.kind, side.name, side.start, side.end, side.direction]
    feature.setAttributes([side.part, side.hole, side.number, *words, side.length_ft, side.offset_ft])
    return feature
