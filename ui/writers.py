"""Results → map layers: one group "Petition: name" over one GeoPackage beside the project; nothing else is touched."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsFeature,
    QgsFields,
    QgsGeometry,
    QgsLayerTreeGroup,
    QgsMapLayer,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QCoreApplication

from . import compat
from .drawing import SHEETS, Drawing, Row, Sheet

ROLE = "village_petition/result"
GROUP = "village_petition/results"
STYLES = Path(__file__).resolve().parent.parent / "resources" / "styles"
SHAPES = {"MultiPolygon": QgsWkbTypes.Type.MultiPolygon, "Point": QgsWkbTypes.Type.Point}
HOME = "village_petition"
SCRATCH = "results-"
SCRATCH_SECONDS = 7 * 24 * 3600
NEW_FILE = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteFile
NEW_TABLE = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer


class WriteError(Exception):
    """Results that cannot be written: one sentence with the reason."""


def is_result(layer: Optional[QgsMapLayer]) -> bool:
    """Whether a layer is one of ours, and so never an input."""
    return layer is not None and bool(layer.customProperty(ROLE))


class ResultLayers:
    """The result layers of the open project: makes them, refills them, keeps their file beside the project."""

    def __init__(self, project: QgsProject) -> None:
        self._project = project
        self._scratch: Optional[Path] = None

    def show(self, drawing: Drawing, name: str) -> str:
        """Put an analysis on the map; gives a sentence where its file will not last, else an empty text.

        Layers that stand are refilled where they are, with their style, order and visibility; missing ones are made.
        Raises `WriteError` where nothing can be written at all.
        """
        crs = _crs(drawing)
        standing = self.layers()
        if any(not layer.isValid() or layer.crs() != crs for layer in standing.values()):
            self._project.removeMapLayers([layer.id() for layer in standing.values()])
            standing = {}
        note = "" if len(standing) == len(SHEETS) else self._complete(standing, crs, name)
        standing = self.layers()
        for sheet in SHEETS:
            _refill(standing[sheet.role], drawing.rows[sheet.role])
        self._rename(name)
        return note

    def layers(self) -> dict[str, QgsVectorLayer]:
        """The result layers that stand in the project, by role."""
        return {
            str(layer.customProperty(ROLE)): layer
            for layer in self._project.mapLayers().values()
            if isinstance(layer, QgsVectorLayer) and is_result(layer)
        }

    def group(self) -> Optional[QgsLayerTreeGroup]:
        """The group of the result layers, wherever it was moved to."""
        return _marked_group(self._project.layerTreeRoot())

    def settle(self) -> str:
        """Called when the project is about to be written: brings the file beside it, also under a new name.

        Gives a sentence where that fails, else an empty text.
        """
        standing = self.layers()
        current = _file_of(standing)
        if current is None or not _has_folder(self._project) or current == self._beside():
            return ""
        try:
            self._move(standing, self._free_path())
        except WriteError as error:
            return str(error)
        return ""

    def rest(self) -> None:
        """Let go of the folder of an unsaved project, once its layers are gone."""
        if self._scratch is not None and not self.layers():
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    # Files

    def _beside(self) -> Path:
        file = Path(self._project.fileName()).resolve()
        return file.with_name(f"{file.stem} petition.gpkg")

    def _free_path(self) -> Path:
        """Where results belong: beside the project, numbered where the name is taken; else the scratch file."""
        if not _has_folder(self._project):
            return self._scratch_path()
        first = self._beside()
        numbered = (first.with_name(f"{first.stem} {number}.gpkg") for number in range(2, 100))
        for path in (first, *numbered):
            if not path.exists() or _is_ours(path):
                return path
        return self._scratch_path()

    def _scratch_path(self) -> Path:
        if self._scratch is None:
            self._scratch = _new_scratch()
        return self._scratch / "petition.gpkg"

    # Layers

    def _complete(self, standing: dict[str, QgsVectorLayer], crs: QgsCoordinateReferenceSystem, name: str) -> str:
        """Make the layers that are missing, beside those that stand; gives the sentence of `show`."""
        lacking = [sheet for sheet in SHEETS if sheet.role not in standing]
        path = _file_of(standing) or self._free_path()
        try:
            self._make(lacking, path, crs, fresh=not standing)
        except WriteError:
            if standing or path == self._scratch_path():
                raise
            path = self._scratch_path()
            self._make(lacking, path, crs, fresh=True)
        self._hang(lacking, path, name)
        if not _is_scratch(path):
            return ""
        if _has_folder(self._project):
            return _tr("No place beside the project: results last until QGIS closes.")
        return _tr("Save the project to keep these results.")

    def _make(self, sheets: Sequence[Sheet], path: Path, crs: QgsCoordinateReferenceSystem, fresh: bool) -> None:
        for sheet in sheets:
            options = _options(sheet.role, NEW_FILE if fresh else NEW_TABLE)
            fresh = False
            writer = QgsVectorFileWriter.create(
                str(path), _fields(sheet), SHAPES[sheet.shape], crs, self._project.transformContext(), options
            )
            error, reason = writer.hasError(), writer.errorMessage()
            del writer
            if error != QgsVectorFileWriter.WriterError.NoError:
                raise WriteError(_cannot(path, reason))

    def _move(self, standing: dict[str, QgsVectorLayer], path: Path) -> None:
        action = NEW_FILE
        for sheet in SHEETS:
            if sheet.role in standing:
                answer = QgsVectorFileWriter.writeAsVectorFormatV3(
                    standing[sheet.role],
                    str(path),
                    self._project.transformContext(),
                    _options(sheet.role, action),
                )
                if answer[0] != QgsVectorFileWriter.WriterError.NoError:
                    raise WriteError(_cannot(path, answer[1]))
                action = NEW_TABLE
        for role, layer in standing.items():
            layer.setDataSource(f"{path}|layername={role}", layer.name(), "ogr")

    def _hang(self, sheets: Sequence[Sheet], path: Path, name: str) -> None:
        """Add the layers of these sheets to the group, each at its place from the top."""
        group, fresh = self.group(), False
        if group is None:
            fresh = True
            group = self._project.layerTreeRoot().insertGroup(0, _title(name))
            group.setCustomProperty(GROUP, True)
        order = [sheet.role for sheet in SHEETS]
        for sheet in sheets:
            layer = QgsVectorLayer(f"{path}|layername={sheet.role}", _layer_name(sheet.role), "ogr")
            if not layer.isValid():
                raise WriteError(_cannot(path, _tr("it cannot be read back")))
            layer.setCustomProperty(ROLE, sheet.role)
            _dress(layer, sheet.role)
            layer.setReadOnly(True)
            self._project.addMapLayer(layer, False)
            above = [node for node in group.findLayers() if _comes_before(node.layer(), sheet.role, order)]
            group.insertLayer(len(above), layer)
            group.findLayer(layer.id()).setExpanded(sheet.role == "inside")
        if fresh:
            # A view opens a group only when told so after there is something in it.
            group.setExpanded(False)
            group.setExpanded(True)

    def _rename(self, name: str) -> None:
        group = self.group()
        if group is not None and group.name() != _title(name):
            group.setName(_title(name))


def _refill(layer: QgsVectorLayer, rows: Sequence[Row]) -> None:
    """Replace all rows of a layer in its file; raises `WriteError` where the file refuses."""
    provider = layer.dataProvider()
    # The first column of a GeoPackage is its own row number, which it fills itself.
    own = len(provider.fields()) - (len(rows[0][1]) if rows else 0)
    features = []
    for shape, values in rows:
        geometry = QgsGeometry()
        geometry.fromWkb(shape)
        feature = QgsFeature()
        feature.setGeometry(geometry)
        feature.setAttributes([None] * own + list(values))
        features.append(feature)
    if not provider.truncate() or not provider.addFeatures(features)[0]:
        raise WriteError(_cannot(Path(layer.source().partition("|")[0]), provider.lastError()))
    layer.updateExtents()
    layer.triggerRepaint()


def _dress(layer: QgsVectorLayer, role: str) -> None:
    layer.loadNamedStyle(str(STYLES / f"{role}.qml"))
    renderer = layer.renderer()
    if role == "inside":
        words = {"all": _tr("All owners signed"), "some": _tr("Some signed"), "none": _tr("Not signed")}
        for at, category in enumerate(renderer.categories()):
            renderer.updateCategoryLabel(at, words[category.value()])


def _layer_name(role: str) -> str:
    return {
        "territory": _tr("Territory"),
        "town_parts": _tr("Town parts"),
        "slivers": _tr("Sliver set aside"),
        "split": _tr("Split by the line"),
        "set_aside": _tr("Set aside"),
        "inside": _tr("Inside"),
    }[role]


def _fields(sheet: Sheet) -> QgsFields:
    fields = QgsFields()
    for name, kind in sheet.columns:
        fields.append(compat.whole_field(name) if kind == "whole" else compat.text_field(name))
    return fields


def _options(role: str, action: Any) -> QgsVectorFileWriter.SaveVectorOptions:
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    options.layerName = role
    options.actionOnExistingFile = action
    return options


def _crs(drawing: Drawing) -> QgsCoordinateReferenceSystem:
    crs = QgsCoordinateReferenceSystem(drawing.crs) if ":" in drawing.crs else QgsCoordinateReferenceSystem()
    return crs if crs.isValid() else QgsCoordinateReferenceSystem.fromWkt(drawing.crs_wkt)


def _file_of(standing: dict[str, QgsVectorLayer]) -> Optional[Path]:
    paths = (Path(layer.source().partition("|")[0]) for layer in standing.values())
    return next((path.resolve() for path in paths if path.exists()), None)


def _is_ours(path: Path) -> bool:
    """Whether a file holds our tables and no others, so that it may be written anew."""
    layer = QgsVectorLayer(str(path), "probe", "ogr")
    if not layer.isValid():
        return False
    tables = {text.split(QgsDataProvider.sublayerSeparator())[1] for text in layer.dataProvider().subLayers()}
    return tables <= {sheet.role for sheet in SHEETS}


def _new_scratch() -> Path:
    """A folder for the results of an unsaved project, in the profile; what crashed sessions left there goes.

    Not in the system's temporary folder: QGIS would warn that its layers are lost before it asks to save the project.
    """
    home = Path(QgsApplication.qgisSettingsDirPath()) / HOME
    home.mkdir(parents=True, exist_ok=True)
    for old in home.glob(f"{SCRATCH}*"):
        if time.time() - old.stat().st_mtime > SCRATCH_SECONDS:
            shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=SCRATCH, dir=home)).resolve()


def _is_scratch(path: Path) -> bool:
    return path.parent.parent.name == HOME and path.parent.name.startswith(SCRATCH)


def _has_folder(project: QgsProject) -> bool:
    """Whether the project is a file in a folder, neither unsaved nor in a database."""
    return bool(project.fileName()) and Path(project.fileName()).parent.is_dir()


def _marked_group(tree: QgsLayerTreeGroup) -> Optional[QgsLayerTreeGroup]:
    return next((group for group in tree.findGroups(True) if group.customProperty(GROUP)), None)


def _comes_before(layer: Optional[QgsMapLayer], role: str, order: Sequence[str]) -> bool:
    return is_result(layer) and layer is not None and order.index(layer.customProperty(ROLE)) < order.index(role)


def _title(name: str) -> str:
    return _tr("Petition: {name}").format(name=name)


def _cannot(path: Path, reason: str) -> str:
    return _tr("{file}: results cannot be written ({reason}). Close other programs that use it.").format(
        file=path.name, reason=reason.strip() or _tr("no reason given")
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("VillagePetition", text)
