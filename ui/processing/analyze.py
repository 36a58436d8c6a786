"""villagepetition:analyze — a boundary over parcels gives the verdict; the command line in capitals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    QgsProcessingOutputBoolean,
    QgsProcessingOutputFile,
    QgsProcessingOutputString,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMatrix,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorLayer,
    QgsProcessingUtils,
    QgsWkbTypes,
)

from ...core.model import Cancelled
from .. import compat
from ..adapters import Job
from ..threads import in_python_thread
from .base import PetitionAlgorithm, assignments, edition_parameter

if TYPE_CHECKING:
    from ...core.model import Analysis
    from ..drawing import Row

POLYGON, ANY = QgsProcessing.SourceType.TypeVectorPolygon, QgsProcessing.SourceType.TypeVectorAnyGeometry
LAYERS = ("PARCELS", "TOWNS", "TERRITORY", "BUILDINGS", "CITIES_VILLAGES", "DISTRICTS")
TABLES = ("RATES", "OWNERS", "SIGNERS", "INHABITANTS", "UNMAPPED", "OVERRIDES")
REQUIRED = ("PARCELS", "TOWNS", "TERRITORY", "RATES")
WHOLE = ("value", "inside", "outside", "owners", "signed_owners")
ANALYZED = 90.0


class AnalyzeAlgorithm(PetitionAlgorithm):
    """Captures its inputs in the main thread, analyzes in any, and writes only when all is computed."""

    layer_names = LAYERS

    def __init__(self) -> None:
        super().__init__()
        self._job: Optional[Job] = None

    def name(self) -> str:
        """The second half of the id."""
        return "analyze"

    def displayName(self) -> str:
        """What the toolbox calls it."""
        return self.tr("Analyze petition")

    def shortDescription(self) -> str:
        """One line for lists."""
        return self.tr("The tests of New York Village Law § 2-202 for a boundary over parcels.")

    def shortHelpString(self) -> str:
        """What it does, what it needs, what it gives."""
        return self.tr(
            "Lays the boundary of a proposed village over the tax parcels, apportions the assessed value of parcels "
            "that the line cuts, credits owners who signed, equalizes between towns, and runs the tests of New York "
            "Village Law § 2-202.\n\n"
            "Needed are parcels with the roll's values, towns with NAME and SWIS, the boundary, and a table of "
            "equalization rates (swis, town, rate). Every other input adds the tests that rest on it; without it they "
            "are not applicable and say so. The fields of the parcels are found by their schema; name one yourself "
            "with FIELDS, e.g. total_av=TOTAL_AV or towns.swis=MUNI_CODE.\n\n"
            "Gives the verdict, the parcels inside, split and set aside as a layer, and a folder with analysis.json, "
            "parcels.csv and parcels.gpkg, the same bytes as the command line “python -m core analyze”.\n\n"
            "The verdict pass, fail or undecided is a result; the algorithm stops only at an input that cannot be used."
        )

    def initAlgorithm(self, configuration: Optional[dict[str, Any]] = None) -> None:
        """Declare parameters and outputs; called by QGIS."""
        for name in LAYERS:
            optional = name not in REQUIRED
            self._add(QgsProcessingParameterVectorLayer(name, self._label(name), [_kind(name)], optional=optional))
        for name in TABLES:
            self._add(_file(name, self._label(name), "csv", name not in REQUIRED))
        self._add(_file("PETITION", self._label("PETITION"), "json", True))
        self._add(edition_parameter(self._label("EDITION")))
        self._add(
            QgsProcessingParameterMatrix("FIELDS", self._label("FIELDS"), headers=["NAME=FIELD"], optional=True),
            advanced=True,
        )
        self._add(QgsProcessingParameterString("SLIVER_WIDTH_FT", self._label("SLIVER_WIDTH_FT"), "1.0"), advanced=True)
        self._add(QgsProcessingParameterFeatureSink("OUTPUT", self._label("OUTPUT"), POLYGON, optional=True))
        parts = QgsProcessingParameterFeatureSink("PARTS", self._label("PARTS"), POLYGON, optional=True)
        parts.setCreateByDefault(False)
        self._add(parts)
        self._add(QgsProcessingParameterFolderDestination("OUT", self._label("OUT"), optional=True))
        self.addOutput(QgsProcessingOutputString("VERDICT", self.tr("Verdict: pass, fail or undecided")))
        self.addOutput(QgsProcessingOutputBoolean("CERTIFIABLE", self.tr("Nothing stands open")))
        self.addOutput(QgsProcessingOutputFile("ANALYSIS", self.tr("analysis.json")))

    def prepareAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> bool:
        """Capture the inputs; called by QGIS in the main thread."""

        def work() -> Job:
            layers = {name.lower(): self.capture(parameters, name, context) for name in LAYERS}
            tables = {name.lower(): self.parameterAsFile(parameters, name, context) for name in TABLES}
            return Job(
                layers={role: captured for role, captured in layers.items() if captured is not None},
                tables={role: path for role, path in tables.items() if path},
                petition=self.parameterAsFile(parameters, "PETITION", context) or None,
                edition=self.parameterAsString(parameters, "EDITION", context),
                fields=assignments(self.parameterAsMatrix(parameters, "FIELDS", context)),
                sliver_width_ft=self.parameterAsString(parameters, "SLIVER_WIDTH_FT", context),
            )

        self._job = self.refusing(work, feedback)
        return True

    def processAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Analyze and write; called by QGIS in any thread."""
        return self.refusing(lambda: self._run(parameters, context, feedback), feedback)

    def _run(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        from ...core.analysis import analyze
        from ...core.document import write
        from ...core.summary import summary
        from ..drawing import draw

        if self._job is None:
            raise QgsProcessingException(self.tr("The inputs were not prepared."))

        def progress(percent: float, step: str = "") -> None:
            feedback.setProgress(percent / 100.0 * ANALYZED)

        job = self._job
        folder = self.parameterAsString(parameters, "OUT", context)
        folder = folder or QgsProcessingUtils.generateTempFilename("petition")

        def work() -> tuple[Analysis, Any]:
            inputs = job.inputs(feedback.isCanceled)
            analysis = analyze(inputs, progress=progress, cancelled=feedback.isCanceled)
            if feedback.isCanceled():
                raise Cancelled
            return analysis, write(analysis, folder)

        analysis, paths = in_python_thread(work)
        results: dict[str, Any] = {
            "VERDICT": analysis.verdict,
            "CERTIFIABLE": analysis.certifiable,
            "ANALYSIS": next(path for path in paths if Path(path).name == "analysis.json"),
            "OUT": folder,
        }
        crs = _crs(analysis)
        if parameters.get("OUTPUT"):
            results["OUTPUT"] = self._parcels(parameters, context, analysis, crs)
        if parameters.get("PARTS"):
            results["PARTS"] = self._parts(parameters, context, draw(analysis).rows["town_parts"], crs)
        for line in summary(analysis).splitlines():
            feedback.pushInfo(line)
        feedback.setProgress(100.0)
        return results

    def _parcels(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        analysis: Analysis,
        crs: QgsCoordinateReferenceSystem,
    ) -> Any:
        from ...core.document import PARCEL_COLUMNS, parcel_rows

        kinds = {name: "whole" if name in WHOLE else "text" for name in PARCEL_COLUMNS}
        sink, target = self._sink(parameters, "OUTPUT", context, kinds, crs)
        for row in parcel_rows(analysis):
            shape = analysis.shapes.get((row["swis"], row["print_key"]))
            values = [_cell(row[name]) for name in PARCEL_COLUMNS]
            sink.addFeature(_feature(_multi(shape), values), QgsFeatureSink.Flag.FastInsert)
        return target

    def _parts(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        rows: Sequence[Row],
        crs: QgsCoordinateReferenceSystem,
    ) -> Any:
        from ..drawing import SHEETS

        columns = next(sheet.columns for sheet in SHEETS if sheet.role == "town_parts")
        sink, target = self._sink(parameters, "PARTS", context, dict(columns), crs)
        for shape, values in rows:
            sink.addFeature(_feature(shape, list(values)), QgsFeatureSink.Flag.FastInsert)
        return target

    def _sink(
        self,
        parameters: dict[str, Any],
        name: str,
        context: QgsProcessingContext,
        kinds: Mapping[str, str],
        crs: QgsCoordinateReferenceSystem,
    ) -> tuple[Any, Any]:
        fields = QgsFields()
        for column, kind in kinds.items():
            fields.append(compat.whole_field(column) if kind == "whole" else compat.text_field(column))
        sink, target = self.parameterAsSink(parameters, name, context, fields, QgsWkbTypes.Type.MultiPolygon, crs)
        if sink is None:
            raise QgsProcessingException(self.invalidSinkError(parameters, name))
        return sink, target

    def _add(self, parameter: QgsProcessingParameterDefinition, advanced: bool = False) -> None:
        if advanced:
            parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
        self.addParameter(parameter)

    def _label(self, name: str) -> str:
        return {
            "PARCELS": self.tr("Parcels with the roll's values"),
            "TOWNS": self.tr("Towns"),
            "TERRITORY": self.tr("Boundary of the proposed village"),
            "BUILDINGS": self.tr("Buildings"),
            "CITIES_VILLAGES": self.tr("Cities and villages"),
            "DISTRICTS": self.tr("School, fire and improvement districts"),
            "RATES": self.tr("Equalization rates"),
            "OWNERS": self.tr("Owners by parcel"),
            "SIGNERS": self.tr("Signature lines"),
            "INHABITANTS": self.tr("Regular inhabitants"),
            "UNMAPPED": self.tr("Roll rows without polygon"),
            "OVERRIDES": self.tr("The assessor's own figures"),
            "PETITION": self.tr("Facts of the petition"),
            "EDITION": self.tr("Edition of the law"),
            "FIELDS": self.tr("Fields by name, NAME=FIELD"),
            "SLIVER_WIDTH_FT": self.tr("Pieces this narrow are slivers, in feet"),
            "OUTPUT": self.tr("Parcels inside, split and set aside"),
            "PARTS": self.tr("Parts of towns"),
            "OUT": self.tr("Folder for analysis.json, parcels.csv and parcels.gpkg"),
        }[name]


def _kind(name: str) -> Any:
    return ANY if name == "BUILDINGS" else POLYGON


def _file(name: str, label: str, extension: str, optional: bool) -> QgsProcessingParameterFile:
    return QgsProcessingParameterFile(
        name, label, behavior=QgsProcessingParameterFile.Behavior.File, extension=extension, optional=optional
    )


def _crs(analysis: Analysis) -> QgsCoordinateReferenceSystem:
    return QgsCoordinateReferenceSystem.fromWkt(analysis.crs_wkt)


def _cell(value: Any) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _multi(shape: Any) -> Optional[bytes]:
    import shapely

    if shape is None:
        return None
    whole = shapely.multipolygons([shape]) if shape.geom_type == "Polygon" else shape
    return bytes(shapely.to_wkb(whole))


def _feature(shape: Optional[bytes], values: list[Any]) -> QgsFeature:
    feature = QgsFeature()
    if shape is not None:
        geometry = QgsGeometry()
        geometry.fromWkb(shape)
        feature.setGeometry(geometry)
    feature.setAttributes(values)
    return feature
