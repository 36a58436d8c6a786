"""Map files through GDAL: opened for reading only, without chatter, every failure one clear sentence.

GDAL's state belongs to the process, which may be QGIS: error handler, exceptions and options are set for the
thread and the moment, and put back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely
from osgeo import gdal, ogr, osr

from .columns import data_and_mask, masked
from .model import Box, InputError

if TYPE_CHECKING:
    from .model import Column, Geometries, Rows

LOCK_WAIT_MS = "1000"
"""How long to wait for another program that is writing the file."""
RACING_FROM, RACING_UNTIL = 3070000, 3110400
"""GDAL in between reads filtered GeoPackages in a thread that may go on writing to a batch which is read already."""
PLAIN_READER = "OGR_GPKG_STREAM_BASE_IMPL"

_SQLITE = b"SQLite format 3\x00"
_WAL = 2
_AUTHORITIES = ("EPSG", "ESRI", "OGC")
_LAST_SIMPLE_TYPE = 7
"""WKB types 1 to 7 are points to collections; above are curves, surfaces and nets of triangles."""


@dataclass(frozen=True)
class Batch:
    """Some features of a layer: their ids, one array a field (masked where a value is missing), and their WKB."""

    fids: Rows
    columns: dict[str, Column]
    wkb: Optional[list[Optional[bytes]]]


class _Opened:
    """An open dataset and its layer, held here alone.

    A local name would live on in the traceback of a refusal, and with it the dataset: QGIS ends GDAL before Python
    lets go of it, and the process crashes as it exits.
    """

    def __init__(self, path: str, source: str) -> None:
        self.dataset: Any = _open(path, source)
        self.layer: Any = None

    def afresh(self, layer_name: str) -> _Opened:
        """The same dataset with its layer as if just opened."""
        self.layer = self.dataset.GetLayerByName(layer_name)
        self.layer.SetSpatialFilter(None)
        self.layer.SetAttributeFilter(None)
        self.layer.SetIgnoredFields([])
        self.layer.ResetReading()
        return self

    def close(self) -> None:
        """Let go of both, the layer first."""
        self.layer = None
        self.dataset = None


class VectorFile:
    """One layer of a file. It is opened anew for every reading, so that nothing stays locked between.

    Inside `with file.held():` it stays open for all readings by the same thread.
    """

    def __init__(self, spec: str) -> None:
        """`spec` is `F` or `F|layer`. Raises `InputError` for what cannot be read or needs a layer's name."""
        self.path, wanted = split_spec(spec)
        self.source = Path(self.path).name
        if not os.path.exists(self.path):
            raise InputError(f"There is no file {self.source}. Check the name and the folder.")
        self._stamp = _stamp(self.path)
        self._wanted = wanted
        self._held: Optional[_Opened] = None
        with self._open() as opened:
            self._describe(opened)

    def _describe(self, opened: _Opened) -> None:
        self.layer_name = _choose(opened, self._wanted, self.source)
        opened.layer = opened.dataset.GetLayerByName(self.layer_name)
        definition = opened.layer.GetLayerDefn()
        self.fields = tuple(definition.GetFieldDefn(i).GetName() for i in range(definition.GetFieldCount()))
        self.crs = crs_text(opened.layer.GetSpatialRef())
        self.is_geopackage = opened.dataset.GetDriver().ShortName == "GPKG"
        self.has_box_index = self.is_geopackage and bool(opened.layer.TestCapability(ogr.OLCFastSpatialFilter))
        self.fid_column = str(opened.layer.GetFIDColumn())
        self._geometry_column = str(opened.layer.GetGeometryColumn())

    def refuse_loss(self, found: int) -> None:
        """Raise `InputError` where the file says that it holds another number of features than were `found`."""
        with self._open_layer() as opened:
            told = int(opened.layer.GetFeatureCount(1))
            if told != found and self.is_geopackage:
                # A condition, however empty, makes it count instead of quoting its own table of contents.
                opened.layer.SetAttributeFilter("1 = 1")
                told = int(opened.layer.GetFeatureCount(1))
        if told != found:
            raise InputError(
                f"{self.source} is damaged: {found:,} of {told:,} rows can be read. Get a fresh copy of it."
            )

    def batches(
        self,
        fields: Sequence[str],
        geometry: bool = False,
        box: Optional[Box] = None,
        where: str = "",
        turn: Callable[[Batch], Any] = lambda batch: batch,
    ) -> list[Any]:
        """The features, only what is asked of them, those that may meet `box` and satisfy `where`.

        `turn` makes of each batch what is kept of it, as given where there is none. Raises `InputError` where the file
        cannot be read to its end.
        """
        with self._open_layer() as opened, _in_one_thread(bool(box or where)):
            ignored = [name for name in self.fields if name not in fields]
            opened.layer.SetIgnoredFields([*ignored, "OGR_STYLE", *([] if geometry else ["OGR_GEOMETRY"])])
            if box is not None:
                opened.layer.SetSpatialFilterRect(*box)
            if where and opened.layer.SetAttributeFilter(where) != 0:
                raise self._failure()
            by_arrow = hasattr(opened.layer, "GetArrowStreamAsNumPy") and not self._clashes(fields)
            kept: list[Any] = []
            # Closed before the dataset is: what is left of the stream must not outlive it.
            with closing(
                (self._arrow_batches if by_arrow else self._feature_batches)(opened, fields, geometry)
            ) as found:
                for batch in found:
                    self._check()
                    kept.append(turn(batch))
            self._check()
            return kept

    def unindexed_ids(self) -> Optional[list[int]]:
        """The features that the index of boxes does not hold, None where the file has no such index."""
        if not self.has_box_index:
            return None
        table = _quoted(f"rtree_{self.layer_name}_{self._geometry_column}")
        held = " ".join((_quoted(self.fid_column), "NOT IN (", "SELECT", "id", "FROM", table, ")"))
        return [int(fid) for batch in self.batches((), where=held) for fid in batch.fids]

    def indexed_count(self) -> Optional[int]:
        """How many features the index of boxes holds, None where the file has none."""
        if not self.has_box_index:
            return None
        table = _quoted(f"rtree_{self.layer_name}_{self._geometry_column}_rowid")
        with self._open_layer() as opened:
            opened.layer = opened.dataset.ExecuteSQL(" ".join(("SELECT", "COUNT(*)", "FROM", table)))
            if opened.layer is None:
                raise self._failure()
            count = int(opened.layer.GetNextFeature().GetField(0))
            opened.dataset.ReleaseResultSet(opened.layer)
            return count

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the file open in between."""
        if self._held is not None:
            yield
            return
        with self._open_layer() as opened:
            self._held = opened
            try:
                yield
            finally:
                self._held = None

    @contextmanager
    def _open(self) -> Iterator[_Opened]:
        self._refuse_change()
        with _gdal_is_quiet():
            opened = _Opened(self.path, self.source)
            gdal.ErrorReset()
            try:
                yield opened
            except RuntimeError as error:
                raise self._failure(str(error)) from None
            finally:
                opened.close()

    @contextmanager
    def _open_layer(self) -> Iterator[_Opened]:
        if self._held is not None:
            self._refuse_change()
            with _gdal_is_quiet():
                gdal.ErrorReset()
                try:
                    yield self._held.afresh(self.layer_name)
                except RuntimeError as error:
                    raise self._failure(str(error)) from None
            return
        with self._open() as opened:
            opened.layer = opened.dataset.GetLayerByName(self.layer_name)
            if opened.layer is None:
                raise self._failure()
            yield opened

    def _refuse_change(self) -> None:
        if _stamp(self.path) != self._stamp:
            raise InputError(f"{self.source} changed while it was being read. Run the analysis again.")

    def _clashes(self, fields: Sequence[str]) -> bool:
        """A field called like the column of ids would take its place in Arrow's batches."""
        return (self.fid_column or "OGC_FID") in fields

    def _arrow_batches(self, opened: _Opened, fields: Sequence[str], geometry: bool) -> Generator[Batch, None, None]:
        for arrays in opened.layer.GetArrowStreamAsNumPy(["USE_MASKED_ARRAYS=YES", "INCLUDE_FID=YES"]):
            names = list(arrays)
            fids = np.asarray(arrays[names[0]]).astype(np.int64)
            # A damaged GeoPackage gives empty batches without end.
            if not len(fids):
                return
            wkb = _wkb_list(arrays[names[-1]]) if geometry else None
            yield Batch(fids, {name: arrays[name] for name in fields}, wkb)

    def _feature_batches(self, opened: _Opened, fields: Sequence[str], geometry: bool) -> Generator[Batch, None, None]:
        """The slow way, for a GDAL before 3.6 and for names that Arrow's batches cannot hold apart."""
        fids: list[int] = []
        cells: dict[str, list[Any]] = {name: [] for name in fields}
        wkb: list[Optional[bytes]] = []
        for feature in opened.layer:
            fids.append(feature.GetFID())
            for name in fields:
                cells[name].append(feature.GetField(name) if feature.IsFieldSetAndNotNull(name) else None)
            if geometry:
                shape = feature.GetGeometryRef()
                wkb.append(None if shape is None else bytes(shape.ExportToIsoWkb()))
        if fids:
            columns = {name: _column_of(values) for name, values in cells.items()}
            yield Batch(np.array(fids, dtype=np.int64), columns, wkb if geometry else None)

    def _check(self) -> None:
        if gdal.GetLastErrorType() >= gdal.CE_Failure:
            raise self._failure()

    def _failure(self, message: str = "") -> InputError:
        return InputError(_explain(self.path, self.source, message or gdal.GetLastErrorMsg()))


def split_spec(spec: str) -> tuple[str, Optional[str]]:
    """The path and the layer's name of `F[|layer]`, also in the form that QGIS writes, `F|layername=layer`."""
    if os.path.exists(spec) or "|" not in spec:
        return spec, None
    path, layer = spec.split("|", 1)
    return path, layer[len("layername=") :] if layer.startswith("layername=") else layer


def crs_text(reference: Any) -> str:
    """A CRS as "EPSG:2262" where its authority is known, else WKT 2; "" for none and for an undefined one."""
    if reference is None or reference.IsLocal() or str(reference.GetName() or "").lower().startswith("undefined"):
        return ""
    flat = reference.Clone()
    if flat.IsCompound():
        flat.StripVertical()
    authority, code = flat.GetAuthorityName(None), flat.GetAuthorityCode(None)
    if authority in _AUTHORITIES and code:
        return f"{authority}:{code}"
    return str(flat.ExportToWkt(["FORMAT=WKT2_2019"]))


def shapes_of(wkb: Sequence[Optional[bytes]]) -> Geometries:
    """Plane shapely geometries of WKB: curves made linear, heights dropped, None where there is none.

    What no plane geometry can hold, such as a ring of two corners, becomes the points of its corners: it keeps its
    place on the map and is no polygon.
    """
    plain = all(raw is None or _wkb_type(raw) <= _LAST_SIMPLE_TYPE for raw in wkb)
    simple = list(wkb) if plain else [raw if raw is None or _is_simple(raw) else _linear(raw) for raw in wkb]
    try:
        shapes = shapely.from_wkb(np.array(simple, dtype=object))
    except shapely.errors.GEOSException:
        shapes = np.array([_shape_or_points(raw) for raw in simple], dtype=object)
    flat: Geometries = shapes if plain else shapely.force_2d(shapes)
    return flat


@contextmanager
def _gdal_is_quiet() -> Iterator[None]:
    with ExitStack() as stack:
        for module in (gdal, ogr, osr):
            # Without a choice made GDAL warns on stderr; the choice is kept to this thread and this block.
            if hasattr(module, "ExceptionMgr"):
                stack.enter_context(module.ExceptionMgr(useExceptions=True))
        wait = gdal.GetThreadLocalConfigOption("SQLITE_BUSY_TIMEOUT", None)
        stack.callback(gdal.SetThreadLocalConfigOption, "SQLITE_BUSY_TIMEOUT", wait)
        gdal.SetThreadLocalConfigOption("SQLITE_BUSY_TIMEOUT", LOCK_WAIT_MS)
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        stack.callback(gdal.PopErrorHandler)
        yield


@contextmanager
def _in_one_thread(filtered: bool) -> Iterator[None]:
    """Where GDAL's own thread for filtered GeoPackages is not to be trusted, its reader without one serves."""
    racing = filtered and RACING_FROM <= int(gdal.VersionInfo()) < RACING_UNTIL
    before = gdal.GetThreadLocalConfigOption(PLAIN_READER, None)
    gdal.SetThreadLocalConfigOption(PLAIN_READER, "YES" if racing else before)
    try:
        yield
    finally:
        gdal.SetThreadLocalConfigOption(PLAIN_READER, before)


def _open(path: str, source: str) -> Any:
    candidates = [path]
    if path.lower().endswith(".zip"):
        candidates.append(f"/vsizip/{os.path.abspath(path)}")
    message = ""
    for candidate in candidates:
        gdal.ErrorReset()
        try:
            dataset = gdal.OpenEx(candidate, gdal.OF_VECTOR | gdal.OF_READONLY, open_options=_open_options(path))
            if dataset is not None:
                return dataset
            message = message or gdal.GetLastErrorMsg()
        except RuntimeError as error:
            message = message or str(error)
    raise InputError(_explain(path, source, message))


def _open_options(path: str) -> list[str]:
    """Keep a GeoPackage left in write-ahead mode from growing -wal and -shm files beside it by being read.

    With a -wal file there another program is at work, or has left something: then it must be heeded.
    """
    try:
        with open(path, "rb") as file:
            head = file.read(20)
    except OSError:
        return []
    waiting = f"{path}-wal"
    idle = not os.path.exists(waiting) or not os.path.getsize(waiting)
    return ["IMMUTABLE=YES"] if head[:16] == _SQLITE and _WAL in head[18:20] and idle else []


def _choose(opened: _Opened, wanted: Optional[str], source: str) -> str:
    names: list[str] = []
    flat: list[str] = []
    for place in range(opened.dataset.GetLayerCount()):
        layer = opened.dataset.GetLayer(place)
        has_shapes = layer.GetLayerDefn().GetGeomFieldCount() > 0 and layer.GetGeomType() != ogr.wkbNone
        (names if has_shapes else flat).append(str(layer.GetName()))
    listed = ", ".join(f"“{name}”" for name in names)
    if wanted is not None:
        if wanted in names:
            return wanted
        if wanted in flat:
            raise InputError(f"{source}: the layer “{wanted}” is a table without shapes. Name a layer with shapes.")
        known = f"Its layers are {listed}." if names else "It has no layer with shapes."
        raise InputError(f"{source} has no layer “{wanted}”. {known}")
    if not names:
        raise InputError(f"{source} has no layer with shapes. Give a file of map layers, such as a GeoPackage.")
    if len(names) > 1:
        raise InputError(f"{source} has several layers: {listed}. Name one, as in {source}|{names[0]}.")
    return names[0]


def _explain(path: str, source: str, message: str) -> str:
    said = message.lower()
    if "locked" in said or "busy" in said:
        return f"{source} is in use by another program that is writing it. Close it there, then try again."
    if os.path.isfile(path):
        try:
            with open(path, "rb") as file:
                head = file.read(16)
        except PermissionError:
            return f"{source} cannot be opened: no permission to read it, or another program holds it. Close it there."
        except OSError:
            return f"{source} cannot be read from its disk. Copy it to this computer and try again."
        if not head:
            return f"{source} is empty. Give a file of map layers, such as a GeoPackage."
        if head == _SQLITE or any(word in said for word in ("malformed", "corrupt", "fread", "failed to read")):
            return f"{source} is damaged and cannot be read to its end. Get a fresh copy of it."
    if ".shx" in said:
        return f"{source} lacks its .shx file. Put all files of the shapefile into one folder."
    return f"{source} cannot be read as a map layer. Give a GeoPackage, a shapefile, GeoJSON or another map format."


def _stamp(path: str) -> tuple[int, int]:
    state = os.stat(path)
    return state.st_mtime_ns, state.st_size


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _column_of(values: list[Any]) -> Column:
    mask = np.array([value is None for value in values], dtype=bool)
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int} or kinds <= {int, float}:
        kind: Any = np.int64 if kinds <= {int} else np.float64
        data = np.array([0 if value is None else value for value in values], dtype=kind)
        return masked(data, mask)
    cells = np.empty(len(values), dtype=object)
    cells[:] = [None if value is None else str(value) for value in values]
    return cells


def _wkb_list(values: Any) -> list[Optional[bytes]]:
    data, mask = data_and_mask(values)
    return [None if hidden or not raw else bytes(raw) for raw, hidden in zip(data.tolist(), mask.tolist())]


def _wkb_type(raw: bytes) -> int:
    return int.from_bytes(raw[1:5], "little" if raw[0] else "big")


def _is_simple(raw: bytes) -> bool:
    code = _wkb_type(raw)
    return code % 1000 <= _LAST_SIMPLE_TYPE and code < 2000


def _linear(raw: bytes) -> Optional[bytes]:
    shape = ogr.CreateGeometryFromWkb(raw)
    if shape is None:
        return raw
    shape.FlattenTo2D()
    shape = shape.GetLinearGeometry()
    if ogr.GT_IsSubClassOf(shape.GetGeometryType(), ogr.wkbPolyhedralSurface):
        shape = ogr.ForceToMultiPolygon(shape)
    return bytes(shape.ExportToIsoWkb())


def _shape_or_points(raw: Optional[bytes]) -> Any:
    if raw is None:
        return None
    try:
        return shapely.from_wkb(raw)
    except shapely.errors.GEOSException:
        shape = ogr.CreateGeometryFromWkb(raw)
        corners = [] if shape is None else list(_corners(shape))
        return shapely.MultiPoint(corners) if corners else None


def _corners(shape: Any) -> Iterator[tuple[float, float]]:
    for place in range(shape.GetGeometryCount()):
        yield from _corners(shape.GetGeometryRef(place))
    for place in range(shape.GetPointCount()) if not shape.GetGeometryCount() else ():
        yield shape.GetX(place), shape.GetY(place)
