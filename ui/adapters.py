"""QGIS layers → what core reads. Captured in the main thread, read in the task, never the other way round.

A layer over a plain file is handed on as that file, so that the task reads the same bytes as the command line does. Any
other layer (subset, unsaved edits, joins, virtual fields, databases, memory) is read through a feature source that was
made in the main thread and belongs to the task from then on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureRequest,
    QgsFields,
    QgsProviderRegistry,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from ..core.model import Cancelled, InputError, Layer, Table
from .compat import is_missing

if TYPE_CHECKING:
    from ..core.inputs import Inputs
    from ..core.model import Box, Column, Geometries, ParcelSource, Rows

LAYER_ROLES = ("parcels", "towns", "territory", "cities_villages", "buildings", "districts")
ARC_STEP = math.radians(4)
"""How far apart the corners of a curve become; OGR makes curves of files linear by the same angle."""


# What is captured


@dataclass(frozen=True)
class FileCapture:
    """A layer that is a whole file or a whole layer of one: `spec` is the command line's F or F|layer.

    `crs` is set where the layer's coordinate system in QGIS is not the file's own.
    """

    spec: str
    crs: Optional[str] = None

    def parcels(self, fields: Mapping[str, str]) -> ParcelSource:
        """Open the file; raises `InputError` where it cannot be used."""
        from ..core.inputs import open_parcels

        source = open_parcels(self.spec)
        return source if self.crs is None else _Placed(source, self.crs)

    def layer(self, role: str) -> Layer:
        """Read the file whole; raises `InputError` where it cannot be used."""
        from ..core.inputs import read_layer

        layer = read_layer(self.spec, role)
        return layer if self.crs is None else replace(layer, crs=self.crs)


@dataclass(frozen=True)
class SourceCapture:
    """A layer read through QGIS: the feature source with its unsaved edits, the fields and the coordinate system."""

    name: str
    crs: str
    fields: QgsFields
    source: Any
    curved: bool = False

    def parcels(self, fields: Mapping[str, str]) -> ParcelSource:
        """The parcels in memory, only with the fields that are needed; raises `InputError` as core's detection does."""
        from ..core.schema import detect_fields

        names = self.fields.names()
        chosen = detect_fields(self.name, names, fields).fields.values()
        columns, shapes = self._read(sorted(set(chosen), key=names.index))
        return _Snapshot(self.name, self.crs, tuple(names), columns, shapes)

    def layer(self, role: str) -> Layer:
        """The layer whole."""
        columns, shapes = self._read(self.fields.names())
        return Layer(self.name, self.crs, columns, shapes)

    def _read(self, names: Sequence[str]) -> tuple[dict[str, Column], Geometries]:
        request = QgsFeatureRequest()
        positions = [self.fields.indexFromName(name) for name in names]
        request.setSubsetOfAttributes(positions)
        values: list[list[Any]] = [[] for _ in names]
        shapes: list[Optional[bytes]] = []
        for feature in self.source.getFeatures(request):
            for column, position in zip(values, positions):
                column.append(feature.attribute(position))
            shapes.append(_wkb(feature, self.curved))
        arrays = {name: _array(self.fields.at(at), column) for name, at, column in zip(names, positions, values)}
        return arrays, _geometries(shapes)


Capture = Union[FileCapture, SourceCapture]


def capture(layer: QgsVectorLayer, strict: bool = False) -> Capture:
    """What the task needs to read this layer; call it in the main thread.

    `strict` leaves the choice among several layers of one file to core, which refuses it; else QGIS's first is taken.
    """
    spec = file_spec(layer, strict)
    if spec:
        own = layer.dataProvider().crs()
        return FileCapture(spec, None if own == layer.crs() else crs_text(layer.crs()))
    return SourceCapture(
        layer.name(),
        crs_text(layer.crs()),
        QgsFields(layer.fields()),
        QgsVectorLayerFeatureSource(layer),
        True,
    )


def file_spec(layer: QgsVectorLayer, strict: bool = False) -> str:
    """The command line's words for this layer, empty where it is not simply a file or differs from it."""
    provider = layer.dataProvider()
    if provider is None or provider.name() != "ogr" or layer.subsetString() or layer.isModified():
        return ""
    if provider.encoding() not in ("", "UTF-8", "System"):
        return ""
    fields = layer.fields()
    if any(fields.fieldOrigin(at) != QgsFields.FieldOrigin.OriginProvider for at in range(fields.count())):
        return ""
    source = layer.source()
    parts = {key: value for key, value in QgsProviderRegistry.instance().decodeUri("ogr", source).items() if value}
    path, name = str(parts.pop("path", "")), parts.pop("layerName", None)
    if parts or "|geometrytype=" in source or not path or path.startswith("/vsi") or not Path(path).exists():
        return ""
    if name:
        return f"{path}|{name}"
    return path if strict or provider.subLayerCount() <= 1 else ""


def crs_text(crs: QgsCoordinateReferenceSystem) -> str:
    """An authority code where there is one, else WKT; empty for no coordinate system."""
    if not crs.isValid():
        return ""
    code = str(crs.authid())
    if code and not code.startswith("USER:"):
        return code
    return str(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED))


def source_name(layer: QgsVectorLayer) -> str:
    """What messages call this layer: the file's name where it is a file, as on the command line, else the layer's."""
    spec = file_spec(layer)
    return Path(spec.partition("|")[0]).name if spec else str(layer.name())


# All inputs of a run


@dataclass(frozen=True)
class Job:
    """All that a run needs, captured: layers by role, tables as paths or as typed, the petition's facts."""

    layers: Mapping[str, Capture]
    tables: Mapping[str, Union[str, Table]]
    petition: Union[str, Mapping[str, Any], None] = None
    edition: str = "2004"
    fields: Mapping[str, str] = field(default_factory=dict)
    sliver_width_ft: str = "1.0"

    def inputs(self, cancelled: Any = None) -> Inputs:
        """Read everything; raises `InputError` with the problems of all inputs, `Cancelled` between two of them."""
        from ..core.inputs import Inputs, Problems, read_petition, read_table

        problems = Problems()
        given: dict[str, Any] = {}
        for role, captured in self.layers.items():
            _stop_if(cancelled)
            if role == "parcels":
                own = {name: chosen for name, chosen in self.fields.items() if "." not in name}
                given[role] = problems.take(captured.parcels, own)
            else:
                given[role] = problems.take(captured.layer, role)
        for role, table in self.tables.items():
            _stop_if(cancelled)
            given[role] = problems.take(read_table, table) if isinstance(table, str) else table
        facts = self.petition
        given["petition"] = problems.take(read_petition, facts) if isinstance(facts, str) else facts
        problems.stop()
        return Inputs(edition=self.edition, fields=dict(self.fields), sliver_width_ft=self.sliver_width_ft, **given)


def _stop_if(cancelled: Any) -> None:
    if cancelled is not None and cancelled():
        raise Cancelled


# Features → arrays


def shape_of(feature: QgsFeature) -> Optional[Any]:
    """A feature's geometry for shapely, flat and without curves; None where it has none that shapely can read."""
    return _geometries([_wkb(feature, True)])[0]


def _wkb(feature: QgsFeature, curved: bool) -> Optional[bytes]:
    if not feature.hasGeometry():
        return None
    geometry = feature.geometry()
    shape = geometry.constGet()
    if shape is None or shape.isEmpty():
        return None
    if curved and shape.hasCurvedSegments():
        shape = shape.segmentize(ARC_STEP)
    elif shape.is3D() or shape.isMeasure():
        shape = shape.clone()
    shape.dropZValue() if shape.is3D() else None
    shape.dropMValue() if shape.isMeasure() else None
    return bytes(shape.asWkb())


def _geometries(shapes: Sequence[Optional[bytes]]) -> Geometries:
    import numpy as np
    import shapely

    cells = np.empty(len(shapes), dtype=object)
    cells[:] = shapes
    read: Geometries = shapely.from_wkb(cells, on_invalid="ignore")
    return read


def _array(meaning: Any, values: Sequence[Any]) -> Column:
    """Numbers as a masked array of the field's kind; anything else as text or None."""
    import numpy as np

    if not meaning.isNumeric():
        cells = np.empty(len(values), dtype=object)
        cells[:] = [None if is_missing(value) else _text(value) for value in values]
        return cells
    gaps = [is_missing(value) for value in values]
    kind = np.int64 if all(gap or isinstance(value, int) for gap, value in zip(gaps, values)) else np.float64
    return np.ma.masked_array([0 if gap else value for gap, value in zip(gaps, values)], mask=gaps, dtype=kind)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "toString"):  # dates and times of Qt, in the one form that no locale changes
        from qgis.PyQt.QtCore import Qt

        return str(value.toString(Qt.DateFormat.ISODate))
    return str(value)


# Sources that core can read


class _Placed:
    """Parcels of a file whose coordinate system was set by hand in QGIS."""

    def __init__(self, source: ParcelSource, crs: str) -> None:
        self._source = source
        self.crs = crs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def __len__(self) -> int:
        return len(self._source)


class _Snapshot:
    """Parcels in memory that name all fields of the layer but hold only those that are needed."""

    def __init__(
        self, source: str, crs: str, names: tuple[str, ...], columns: Mapping[str, Column], shapes: Geometries
    ) -> None:
        from ..core.parcel_source import MemoryParcels

        self._held = MemoryParcels(source, crs, columns, shapes)
        self._columns = columns
        self.source = source
        self.crs = crs
        self.names = names

    def __len__(self) -> int:
        return len(self._held)

    def held(self) -> AbstractContextManager[None]:
        """As `ParcelSource.held`."""
        return self._held.held()

    def columns(self, fields: Sequence[str], rows: Optional[Rows] = None) -> dict[str, Column]:
        """As `ParcelSource.columns`."""
        strangers = [name for name in fields if name not in self._columns]
        if strangers:
            raise InputError(f"{self.source}: field {strangers[0]} was not read. Choose it on the Layers page.")
        return self._held.columns(fields, rows)

    def shapes(self, box: Optional[Box] = None, rows: Optional[Rows] = None) -> tuple[Rows, Geometries]:
        """As `ParcelSource.shapes`."""
        return self._held.shapes(box, rows)

    def shapeless(self) -> Rows:
        """As `ParcelSource.shapeless`."""
        return self._held.shapeless()
