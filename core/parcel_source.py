"""Parcels from a file, read by Arrow's stream, or from arrays in memory: only what is asked for is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Optional

import numpy as np
import shapely

from .model import Box, InputError
from .readers import joined
from .vector import Batch, VectorFile, shapes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .model import Column, Geometries, Rows

CHUNK = 5000
"""How many rows are asked for by their ids in one query."""

FEW = 4
"""Rows are asked for by their ids where they are fewer than one in so many; else the file is read through."""


def open_parcels(spec: str) -> FileParcels:
    """The parcels of `F[|layer]`. Raises `InputError` for what cannot be read or needs a layer's name."""
    return FileParcels(spec)


class FileParcels:
    """A `ParcelSource` over a file. Rows are counted in the order of the features' ids."""

    def __init__(self, spec: str) -> None:
        self._file = VectorFile(spec)
        self._known_ids: Optional[Rows] = None
        self._known_shapeless: Optional[Rows] = None
        self._known_index: Optional[bool] = None

    def held(self) -> AbstractContextManager[None]:
        """Keep the file open in between, for one thread that reads it several times."""
        return self._file.held()

    @property
    def source(self) -> str:
        """The name of the file, without its folder."""
        return self._file.source

    @property
    def crs(self) -> str:
        """Authority code or WKT, empty where there is none."""
        return self._file.crs

    @property
    def names(self) -> tuple[str, ...]:
        """The fields, in the order of the file."""
        return self._file.fields

    def __len__(self) -> int:
        return len(self._ids())

    def columns(self, fields: Sequence[str], rows: Optional[Rows] = None) -> dict[str, Column]:
        """Arrays of these fields, of all rows or of `rows` in the order given.

        Raises `InputError` where the file cannot be read to its end.
        """
        if rows is None:
            return self._all_columns(fields)
        if not len(rows):
            return {name: np.empty(0, dtype=object) for name in fields}
        if not self._may_ask_by_id(len(rows)):
            return {name: column[rows] for name, column in self._all_columns(fields).items()}
        wanted = np.unique(rows)
        batches = self._by_id(fields, wanted, geometry=False)
        found = self._rows_of(np.concatenate([batch.fids for batch in batches]))
        # Where each wanted row stands among those found, for each row asked for.
        place = np.argsort(found, kind="stable")[np.searchsorted(wanted, rows)]
        return {name: joined(batches, name)[place] for name in fields}

    def shapes(self, box: Optional[Box] = None, rows: Optional[Rows] = None) -> tuple[Rows, Geometries]:
        """Rows, ascending, and shapes: those whose box may meet `box`, and those in `rows`; all where neither is given.

        Raises `InputError` where the file cannot be read to its end.
        """
        if rows is None:
            return self._in_box(box)
        if box is not None:
            rows = np.concatenate([self._in_box(box)[0], rows])
        wanted = np.unique(rows).astype(np.int64)
        if not len(wanted):
            return wanted, np.empty(0, dtype=object)
        if not self._may_ask_by_id(len(wanted)):
            found, shapes, _ = self._scan(None)
            place = np.searchsorted(found, wanted)
            return wanted, shapes[place]
        return self._sorted(self._by_id((), wanted, geometry=True))

    def shapeless(self) -> Rows:
        """The rows without geometry or with an empty one."""
        if self._known_shapeless is None:
            if not self._index_holds_all():
                self._scan((0.0, 0.0, 0.0, 0.0))
        return self._known_shapeless if self._known_shapeless is not None else np.empty(0, dtype=np.int64)

    def _ids(self) -> Rows:
        if self._known_ids is None:
            self._all_columns(())
        return self._known_ids if self._known_ids is not None else np.empty(0, dtype=np.int64)

    def _all_columns(self, fields: Sequence[str]) -> dict[str, Column]:
        batches = self._file.batches(fields)
        ids = np.concatenate([batch.fids for batch in batches]) if batches else np.empty(0, dtype=np.int64)
        order = self._learn(ids)
        if not batches:
            return {name: np.empty(0, dtype=object) for name in fields}
        columns = {name: joined(batches, name) for name in fields}
        return columns if order is None else {name: column[order] for name, column in columns.items()}

    def _learn(self, ids: Rows) -> Optional[Rows]:
        """Take note of all features' ids; the order that sorts them, None where they are sorted."""
        order = None if np.all(ids[1:] > ids[:-1]) else np.argsort(ids, kind="stable")
        if order is not None:
            ids = ids[order]
        if self._known_ids is None:
            self._file.refuse_loss(len(ids))
            self._known_ids = ids
        elif not np.array_equal(ids, self._known_ids):
            raise self._changed()
        return order

    def _changed(self) -> InputError:
        return InputError(f"{self.source} changed while it was being read. Run the analysis again.")

    def _rows_of(self, fids: Rows) -> Rows:
        ids = self._ids()
        rows = np.searchsorted(ids, fids)
        if len(fids) and (rows[-1] >= len(ids) or not np.array_equal(ids[np.minimum(rows, len(ids) - 1)], fids)):
            raise self._changed()
        return rows.astype(np.int64)

    def _may_ask_by_id(self, count: int) -> bool:
        return self._file.is_geopackage and bool(self._file.fid_column) and count * FEW < len(self)

    def _by_id(self, fields: Sequence[str], wanted: Rows, geometry: bool) -> list[Batch]:
        """The wanted rows, ascending, by queries for their ids."""
        fids = self._ids()[wanted]
        column = '"' + self._file.fid_column.replace('"', '""') + '"'
        batches: list[Batch] = []
        for start in range(0, len(fids), CHUNK):
            ids = ",".join(map(str, fids[start : start + CHUNK].tolist()))
            batches += self._file.batches(fields, geometry, where=f"{column} IN ({ids})")
        if sum(len(batch.fids) for batch in batches) != len(fids):
            raise self._changed()
        return batches

    def _in_box(self, box: Optional[Box]) -> tuple[Rows, Geometries]:
        if box is None or not self._index_holds_all():
            rows, shapes, bounded = self._scan(box)
            return rows[bounded], shapes[bounded]
        rows, shapes = self._sorted(self._file.batches((), geometry=True, box=box))
        # A box around the whole layer is no condition to GDAL, and brings the shapeless as well.
        bounded = _bounded(shapes)
        return rows[bounded], shapes[bounded]

    def _sorted(self, batches: Sequence[Batch]) -> tuple[Rows, Geometries]:
        if not batches:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=object)
        rows = self._rows_of(np.concatenate([batch.fids for batch in batches]))
        shapes = shapes_of([raw for batch in batches for raw in batch.wkb or ()])
        order = np.argsort(rows, kind="stable")
        return rows[order], shapes[order]

    def _index_holds_all(self) -> bool:
        """Whether every feature with a shape is in the file's index of boxes; learns the shapeless rows if so."""
        if self._known_index is None:
            self._known_index = self._file.has_box_index and self._compare_index()
        return self._known_index

    def _compare_index(self) -> bool:
        if self._file.indexed_count() == len(self):
            self._known_shapeless = np.empty(0, dtype=np.int64)
            return True
        left_out = np.sort(self._rows_of(np.array(self._file.unindexed_ids() or [], dtype=np.int64)))
        _, shapes = self.shapes(rows=left_out)
        if len(left_out) and bool(_bounded(shapes).any()):
            return False
        self._known_shapeless = left_out
        return True

    def _scan(self, box: Optional[Box]) -> tuple[Rows, Geometries, NDArray[np.bool_]]:
        """Read all shapes: rows, shapes and whether each has a box, of those meeting `box` where it is given."""
        self._ids()

        def turn(batch: Batch) -> tuple[Rows, Geometries, Rows, int]:
            shapes, rows = shapes_of(batch.wkb or []), self._rows_of(batch.fids)
            chosen = np.ones(len(shapes), dtype=bool) if box is None else _meets(shapes, box)
            return rows[chosen], shapes[chosen], rows[~_bounded(shapes)], len(shapes)

        parts = self._file.batches((), geometry=True, turn=turn)
        if sum(seen for _, _, _, seen in parts) != len(self):
            raise self._changed()
        no_rows = np.empty(0, dtype=np.int64)
        self._known_shapeless = np.sort(np.concatenate([no_rows, *(boxless for _, _, boxless, _ in parts)]))
        rows = np.concatenate([no_rows, *(found for found, _, _, _ in parts)])
        shapes: Geometries = np.concatenate([np.empty(0, dtype=object), *(found for _, found, _, _ in parts)])
        order = np.argsort(rows, kind="stable")
        return rows[order], shapes[order], _bounded(shapes[order])


class MemoryParcels:
    """A `ParcelSource` over arrays: one a field, and one of shapely geometries or None."""

    def __init__(self, source: str, crs: str, columns: Mapping[str, Column], geometry: Geometries) -> None:
        self._source, self._crs = source, crs
        self._columns = dict(columns)
        self._geometry: Geometries = np.asarray(geometry, dtype=object)
        self._bounds: Optional[NDArray[np.float64]] = None
        lengths = {len(self._geometry), *(len(column) for column in self._columns.values())}
        if len(lengths) > 1:
            raise ValueError("columns and geometries must be of one length")

    def held(self) -> AbstractContextManager[None]:
        """Nothing: arrays need no holding."""
        return nullcontext()

    @property
    def source(self) -> str:
        """What messages call it."""
        return self._source

    @property
    def crs(self) -> str:
        """Authority code or WKT, empty where there is none."""
        return self._crs

    @property
    def names(self) -> tuple[str, ...]:
        """The fields, in the order given."""
        return tuple(self._columns)

    def __len__(self) -> int:
        return len(self._geometry)

    def columns(self, fields: Sequence[str], rows: Optional[Rows] = None) -> dict[str, Column]:
        """Arrays of these fields, of all rows or of `rows` in the order given."""
        return {name: self._columns[name] if rows is None else self._columns[name][rows] for name in fields}

    def shapes(self, box: Optional[Box] = None, rows: Optional[Rows] = None) -> tuple[Rows, Geometries]:
        """Rows, ascending, and shapes: those whose box meets `box`, and those in `rows`; all where neither is given."""
        chosen = _bounded_boxes(self._boxes()) if rows is None else np.zeros(len(self), dtype=bool)
        if box is not None:
            chosen = _boxes_meet(self._boxes(), box)
        if rows is not None:
            chosen[rows] = True
        found = np.flatnonzero(chosen)
        return found, self._geometry[found]

    def shapeless(self) -> Rows:
        """The rows without geometry or with an empty one."""
        return np.flatnonzero(~_bounded_boxes(self._boxes()))

    def _boxes(self) -> NDArray[np.float64]:
        if self._bounds is None:
            self._bounds = shapely.bounds(self._geometry).reshape(-1, 4)
        return self._bounds


def _bounded(shapes: Geometries) -> NDArray[np.bool_]:
    return _bounded_boxes(shapely.bounds(shapes).reshape(-1, 4))


def _bounded_boxes(boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    finite: NDArray[np.bool_] = np.isfinite(boxes).all(axis=1)
    return finite


def _meets(shapes: Geometries, box: Box) -> NDArray[np.bool_]:
    return _boxes_meet(shapely.bounds(shapes).reshape(-1, 4), box)


def _boxes_meet(boxes: NDArray[np.float64], box: Box) -> NDArray[np.bool_]:
    left, bottom, right, top = box
    meets: NDArray[np.bool_] = (
        (boxes[:, 0] <= right) & (boxes[:, 2] >= left) & (boxes[:, 1] <= top) & (boxes[:, 3] >= bottom)
    )
    return meets & _bounded_boxes(boxes)
