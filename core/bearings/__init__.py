"""Metes and bounds: legal text to polygon with everything that is doubtful about it, and polygon to text.

`traverse(text, frame)` reads and places; `corrected(text, edits)` applies readings that a person accepted;
`describe(shape, crs)` writes a text that re-reads to the same polygon; `write(...)` leaves `traverse.json` and
`traverse.gpkg`.
"""

from __future__ import annotations

from .calls import (
    Call,
    Curve,
    Description,
    Direction,
    Distance,
    Options,
    Parcel,
    Problem,
    Span,
    Suggestion,
    Tie,
    corrected,
)
from .closure import Closure
from .curves import Arc
from .document import as_dict, summary, write
from .files import read_text
from .frame import (
    INTERNATIONAL_FOOT,
    SURVEY_FOOT,
    Frame,
    azimuth_of_text,
    factor,
    frame,
    parse_basis,
    start_point,
)
from .hints import Hint
from .parcels import parse
from .placing import Placement, place
from .simplify import ArcSide, detected_arcs
from .traverse import ParcelResult, Side, Traverse, refuse_empty, traverse
from .writer import Style, Written, describe

__all__ = [
    "INTERNATIONAL_FOOT",
    "SURVEY_FOOT",
    "Arc",
    "ArcSide",
    "Call",
    "Closure",
    "Curve",
    "Description",
    "Direction",
    "Distance",
    "Frame",
    "Hint",
    "Options",
    "Parcel",
    "ParcelResult",
    "Placement",
    "Problem",
    "Side",
    "Span",
    "Style",
    "Suggestion",
    "Tie",
    "Traverse",
    "Written",
    "as_dict",
    "azimuth_of_text",
    "corrected",
    "describe",
    "detected_arcs",
    "factor",
    "frame",
    "parse",
    "parse_basis",
    "place",
    "read_text",
    "refuse_empty",
    "start_point",
    "summary",
    "traverse",
    "write",
]
