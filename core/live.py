"""The analysis while the boundary is drawn: what does not hang on the line is read and computed once.

`Live` calls the stages of `analyze` and gives what `analyze` gives, to the byte. Between two boundaries only the
parcels that the strip between them concerns are placed again; a signature moves no parcel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import shapely

from . import tables
from .analysis import Concluding, conclude, edition_and_rows, square_feet, uncollected
from .assembly import Assembling, assemble
from .counting import Counted, Counting, count_parcels
from .editions import Edition
from .ground import Frame, Ground, Survey, ground_under, read_frame, read_survey
from .inputs import Given, Inputs
from .model import Analysis, Box, Cancelled, Finding, InputError, Layer, Override, SignerLine, Table
from .overlay import Placement, place
from .parcel_findings import Overlaps, overlap_findings, overlaps_among
from .parcels import (
    KnownRows,
    NearParcels,
    Neighbourhood,
    box_in_source,
    placed_near,
    read_known_rows,
    read_neighbourhood,
)
from .strip import place_again
from .territory import read_territory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .model import Geometries

MARGIN = 0.25
"""Parcels are read in a box wider than the territory's by this part of it on each side."""

Step = Callable[[], None]
Boundary = Union[Layer, Any, None]
"""A layer, or polygons in the working CRS; None for the boundary before, at first the one that the inputs name."""


@dataclass(frozen=True, eq=False)
class _Surroundings:
    """The parcels about the territory as far as they were read, and which of them overlap whatever the boundary."""

    about: Neighbourhood
    boxes: NDArray[np.float64]
    rows: KnownRows
    overlaps: Overlaps


@dataclass(frozen=True, eq=False)
class _Placed:
    """A boundary that could be used, and where the parcels lie."""

    layer: Layer
    ground: Ground
    surroundings: _Surroundings
    placement: Placement
    near: NearParcels
    said_of_overlaps: Sequence[Finding]


@dataclass(frozen=True, eq=False)
class _State:
    """The last analysis and what it was made from."""

    inputs: Inputs
    given: Given
    placed: _Placed
    counted: Counted
    analysis: Analysis


class Live:
    """The analyses of one petition while its boundary, signatures and overrides change.

    One change runs at a time: another thread that asks meanwhile waits. A change that is refused or cancelled leaves
    everything as it was.
    """

    def __init__(self, inputs: Inputs) -> None:
        """Nothing is read yet: the first change does that, and takes as long as an analysis."""
        self._inputs = inputs
        self._lock = Lock()
        self._given: Optional[tuple[Edition, Given]] = None
        self._frame: Optional[Frame] = None
        self._survey: Optional[Survey] = None
        self._state: Optional[_State] = None
        self._assembling, self._counting, self._concluding = Assembling(), Counting(), Concluding()

    @property
    def analysis(self) -> Optional[Analysis]:
        """The last analysis, None before the first."""
        return None if self._state is None else self._state.analysis

    def update(self, territory: Boundary = None, cancelled: Optional[Callable[[], bool]] = None) -> Analysis:
        """The analysis with this boundary.

        `cancelled` is asked between the stages. Raises `InputError` where an input cannot be used, `Cancelled` when
        asked to stop, `ProofError` where the roll does not add up.
        """
        step = _asking(cancelled)
        with self._held():
            edition, given = self._edition_and_given()
            inputs = self._inputs
            if self._state is not None:
                inputs, given = self._state.inputs, self._state.given
            placed = self._place(territory, given, edition, step)
            return self._count(inputs, given, placed, edition, step)

    def sign(
        self, lines: Union[Sequence[SignerLine], Table, None], cancelled: Optional[Callable[[], bool]] = None
    ) -> Analysis:
        """The analysis with these signature lines and the boundary before; None where no signers are given.

        Raises as `update` does.
        """
        step = _asking(cancelled)
        with self._held():
            edition, _ = self._edition_and_given()
            signers = tables.signers(lines) if isinstance(lines, Table) else None if lines is None else tuple(lines)
            state = self._ready(edition, step)
            step()
            given = replace(state.given, signers=signers)
            return self._conclude(state.inputs, given, state.placed, state.counted, edition)

    def overrides(
        self, rows: Union[Sequence[Override], Table, None], cancelled: Optional[Callable[[], bool]] = None
    ) -> Analysis:
        """The analysis with these figures of the assessors and the boundary before. Raises as `update` does."""
        step = _asking(cancelled)
        with self._held():
            edition, _ = self._edition_and_given()
            own = tables.overrides(rows) if isinstance(rows, Table) else tuple(rows or ())
            state = self._ready(edition, step)
            inputs = replace(state.inputs, overrides=rows) if isinstance(rows, Table) else state.inputs
            return self._count(inputs, replace(state.given, overrides=own), state.placed, edition, step)

    @contextmanager
    def _held(self) -> Iterator[None]:
        with self._lock, uncollected(), self._inputs.parcels.held():
            yield

    # What is read once

    def _edition_and_given(self) -> tuple[Edition, Given]:
        if self._given is None:
            self._given = edition_and_rows(self._inputs)
        return self._given

    def _read_frame(self) -> Frame:
        if self._frame is None:
            self._frame = read_frame(self._inputs)
        return self._frame

    def _read_survey(self, edition: Edition, step: Step) -> Survey:
        if self._survey is None:
            self._survey = read_survey(self._inputs, self._read_frame(), edition, step)
        return self._survey

    def _ready(self, edition: Edition, step: Step) -> _State:
        """The last state, that of the boundary which the inputs name where there is none yet."""
        if self._state is None:
            _, given = self._edition_and_given()
            self._count(self._inputs, given, self._place(None, given, edition, step), edition, step)
        if self._state is None:
            raise ValueError("no state was kept")
        return self._state

    # The stages

    def _place(self, boundary: Boundary, given: Given, edition: Edition, step: Step) -> _Placed:
        frame, before = self._read_frame(), None if self._state is None else self._state.placed
        layer = self._layer(boundary, frame, before)
        territory, said = read_territory(layer, frame.crs, frame.tolerance, edition, given.petition.parts_reason)
        step()
        survey = self._read_survey(edition, step)
        ground = ground_under(territory, said, survey, edition)
        step()
        surroundings = self._surroundings(ground, before)
        step()
        shapes = surroundings.about.shapes
        if before is None or before.surroundings is not surroundings:
            placement = place(shapes, territory.shape, frame.tolerance)
        else:
            old = before.ground.territory.shape
            placement = place_again(before.placement, shapes, surroundings.boxes, old, territory.shape, frame.tolerance)
        step()
        near = placed_near(
            self._inputs.parcels,
            frame.fields,
            survey.roll,
            frame.crs,
            surroundings.about,
            placement,
            territory,
            surroundings.rows,
        )
        overlaps = overlap_findings(near, frame.tolerance, square_feet(ground), edition, surroundings.overlaps)
        return _Placed(layer, ground, surroundings, placement, near, overlaps)

    def _layer(self, boundary: Boundary, frame: Frame, before: Optional[_Placed]) -> Layer:
        if isinstance(boundary, Layer):
            return boundary
        if boundary is None:
            return self._inputs.territory if before is None else before.layer
        geometry: Geometries = np.empty(1, dtype=object)
        geometry[0] = boundary
        # The label alone is enough to tell that nothing needs to be carried over, where it is a code.
        crs = frame.crs.label if ":" in frame.crs.label else frame.crs.wkt
        return Layer(self._inputs.territory.source, crs, {}, geometry)

    def _surroundings(self, ground: Ground, before: Optional[_Placed]) -> _Surroundings:
        """The parcels about a territory: those read before, or those of a box with some room to move."""
        source, crs, box = self._inputs.parcels, ground.crs, ground.territory.box
        known = None if before is None else before.surroundings
        needed = box_in_source(box, source, crs)
        if known is not None and _contains(known.about.box, needed):
            return known
        try:
            wide = box_in_source(_widened(box), source, crs)
            about = read_neighbourhood(source, ground.roll, crs, wide, ground.tolerance)
        except InputError:
            # What cannot be brought into the working CRS may lie in the margin alone.
            about = read_neighbourhood(source, ground.roll, crs, needed, ground.tolerance)
        rows = read_known_rows(source, ground.fields, ground.roll, about.codes, None if known is None else known.rows)
        position = np.searchsorted(about.codes, rows.entries.codes)
        shapes = about.shapes.copy()
        # What is set aside for its rows is compared with nothing.
        shapes[about.problems != ""] = None
        overlaps = overlaps_among(rows.entries.codes, shapes[position], ground.tolerance)
        return _Surroundings(about, shapely.bounds(about.shapes), rows, overlaps)

    def _count(self, inputs: Inputs, given: Given, placed: _Placed, edition: Edition, step: Step) -> Analysis:
        ground, near = placed.ground, placed.near
        assembled = assemble(inputs, given, ground, near, edition, step, self._assembling)
        step()
        counted = count_parcels(inputs, given, ground, near, assembled, edition, self._counting)
        step()
        return self._conclude(inputs, given, placed, counted, edition)

    def _conclude(self, inputs: Inputs, given: Given, placed: _Placed, counted: Counted, edition: Edition) -> Analysis:
        said = list(placed.said_of_overlaps)
        analysis = conclude(inputs, given, counted, lambda: said, edition, self._concluding)
        self._state = _State(inputs, given, placed, counted, analysis)
        return analysis


def _asking(cancelled: Optional[Callable[[], bool]]) -> Step:
    def step() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled

    return step


def _widened(box: Box) -> Box:
    left, bottom, right, top = box
    room = MARGIN * max(right - left, top - bottom)
    return (left - room, bottom - room, right + room, top + room)


def _contains(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
