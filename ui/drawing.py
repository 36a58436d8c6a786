"""An analysis → rows to draw: plain data, made in the task, so that the main thread only has to write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Optional

from ..core.document import decimals, fraction
from ..core.figures import percent
from ..core.model import Analysis, Parcel
from ..core.schema import town_code

Row = tuple[bytes, tuple[Any, ...]]
"""A shape as WKB and one value a column."""


@dataclass(frozen=True)
class Sheet:
    """One result layer: its role (also its table in the GeoPackage and its style), kind of shape and columns.

    A column's type is "text" or "whole".
    """

    role: str
    shape: str
    columns: tuple[tuple[str, str], ...]


PARCEL = (
    ("swis", "text"),
    ("print_key", "text"),
    ("class", "text"),
    ("share", "text"),
    ("value", "whole"),
    ("inside", "whole"),
    ("outside", "whole"),
    ("method", "text"),
    ("owners", "whole"),
    ("signed_owners", "whole"),
    ("signed", "text"),
    ("credit", "text"),
)
SHEETS = (
    Sheet(
        "territory",
        "MultiPolygon",
        (("verdict", "text"), ("edition", "text"), ("square_miles", "text"), ("perimeter_feet", "whole")),
    ),
    Sheet(
        "town_parts",
        "MultiPolygon",
        (
            ("town", "text"),
            ("swis", "text"),
            ("status", "text"),
            ("share", "text"),
            ("rate", "text"),
            ("value", "whole"),
            ("signed", "text"),
        ),
    ),
    Sheet("slivers", "Point", PARCEL),
    Sheet("split", "MultiPolygon", PARCEL),
    Sheet("set_aside", "MultiPolygon", PARCEL),
    Sheet("inside", "MultiPolygon", PARCEL),
)
"""From the top of the map downwards."""


@dataclass(frozen=True)
class Drawing:
    """The rows of every sheet by role, and the coordinate system they are in: a code or name, and its WKT."""

    rows: Mapping[str, tuple[Row, ...]]
    crs: str
    crs_wkt: str


def draw(analysis: Analysis) -> Drawing:
    """All rows of an analysis, in its order."""
    import shapely

    shapely.prepare(analysis.territory_shape)
    rows = {
        "territory": tuple(_territory(analysis)),
        "town_parts": tuple(_town_parts(analysis)),
        "slivers": tuple(_slivers(analysis)),
        "split": tuple(_parcels(analysis, "split")),
        "set_aside": tuple(_parcels(analysis, "set_aside")),
        "inside": tuple(_inside(analysis)),
    }
    return Drawing(rows, analysis.crs, analysis.crs_wkt)


def signed_word(analysis: Analysis, parcel: Parcel) -> str:
    """all, some or none: how much of a parcel's value signers are credited with at least."""
    ownership = analysis.ownership.get(parcel.key)
    if ownership is None or not ownership.share:
        return "none"
    return "all" if ownership.share == 1 else "some"


def _territory(analysis: Analysis) -> Iterator[Row]:
    facts = analysis.territory
    shape = _polygons(analysis.territory_shape)
    if shape is not None:
        yield shape, (analysis.verdict, analysis.edition, decimals(facts.square_miles, 6), facts.perimeter_feet)


def _town_parts(analysis: Analysis) -> Iterator[Row]:
    import shapely

    tests = {test.id: test for test in analysis.tests}
    for part in analysis.parts:
        ground = analysis.town_shapes.get(town_code(part.swis))
        shape = None if ground is None else _polygons(shapely.intersection(ground, analysis.territory_shape))
        if shape is None:
            continue
        test = tests.get(f"valuation.part.{part.swis}")
        counted = test is not None and test.status != "not_applicable" and part.share is not None
        share = percent(part.share, test.threshold) if counted and test is not None and part.share is not None else ""
        yield (
            shape,
            (
                part.town,
                part.swis,
                "" if test is None else test.status,
                share,
                "" if part.rate is None else part.rate.text,
                part.value,
                fraction(part.signed),
            ),
        )


def _parcels(analysis: Analysis, place: str) -> Iterator[Row]:
    for parcel in analysis.parcels:
        if parcel.place == place:
            shape = _polygons(analysis.shapes.get(parcel.key))
            if shape is not None:
                yield shape, _values(analysis, parcel)


def _slivers(analysis: Analysis) -> Iterator[Row]:
    import shapely

    parcels = {parcel.key: parcel for parcel in analysis.parcels}
    for key in analysis.slivers:
        shape = analysis.shapes.get(key)
        if shape is not None and not shapely.is_empty(shape):
            parcel = parcels.get(key) or Parcel(key[0], key[1], "outside", None, None, None, None, None)
            yield shapely.to_wkb(shapely.point_on_surface(shape)), _values(analysis, parcel)


def _inside(analysis: Analysis) -> Iterator[Row]:
    """The ground inside of every parcel that counts, clipped to the territory where the line cuts it."""
    import shapely

    territory = analysis.territory_shape
    cut = set(analysis.slivers)
    for parcel in analysis.parcels:
        shape = analysis.shapes.get(parcel.key)
        if shape is None or parcel.place not in ("inside", "split"):
            continue
        if parcel.place == "split" or parcel.key in cut:
            shape = shapely.intersection(shape, territory)
        drawn = _polygons(shape)
        if drawn is not None:
            yield drawn, _values(analysis, parcel)


def _values(analysis: Analysis, parcel: Parcel) -> tuple[Any, ...]:
    ownership = analysis.ownership.get(parcel.key)
    return (
        parcel.swis,
        parcel.print_key,
        parcel.place,
        "" if parcel.share is None else decimals(parcel.share, 9),
        parcel.value,
        parcel.inside,
        parcel.outside,
        parcel.method or "",
        None if ownership is None else ownership.count,
        0 if ownership is None else ownership.signed,
        signed_word(analysis, parcel),
        "0/1" if ownership is None else fraction((parcel.inside or 0) * ownership.share),
    )


def _polygons(shape: Any) -> Optional[bytes]:
    """The polygons of a shape as one multipolygon in WKB; None where it has none."""
    import shapely

    if shape is None or shapely.is_empty(shape):
        return None
    pieces = [piece for piece in shapely.get_parts(shapely.get_parts(shape)) if piece.geom_type == "Polygon"]
    return shapely.to_wkb(shapely.multipolygons(pieces)) if pieces else None
