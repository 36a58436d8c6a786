"""What a traverse leaves behind: `traverse.json` and `traverse.gpkg`."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from ..model import InputError
from .calls import Call, Problem, Suggestion
from .curves import azimuth_of, elements
from .figures import milliseconds, quadrant
from .frame import Frame
from .hints import Hint
from .placing import Leg
from .traverse import ParcelResult, Side, Traverse

SCHEMA = 1
FILES = ("traverse.json", "traverse.gpkg")
MOST_HINTS = 10

Json = dict[str, Any]


def as_dict(result: Traverse, frame: Frame, source: str) -> Json:
    """The traverse as `traverse.json` has it: lengths in feet of the text, coordinates in units of the CRS."""
    return {
        "schema": SCHEMA,
        "source": source,
        "crs": frame.label,
        "start": [frame.start[0], frame.start[1]],
        "basis": frame.basis,
        "rotation_degrees": round(frame.rotation, 6),
        "foot_m": f"{frame.foot_m.numerator}/{frame.foot_m.denominator}",
        "closed": result.usable,
        "parcels": [_parcel(one) for one in result.results],
        "problems": [_problem(one) for one in result.problems],
        "numbers_not_used": [
            {"text": one.text, "line": one.span.line, "column": one.span.column} for one in result.description.unused
        ],
    }


def write(result: Traverse, frame: Frame, source: str, folder: str, with_open: bool = False) -> tuple[str, ...]:
    """Write `traverse.json` and, where every parcel closes or `with_open`, `traverse.gpkg`; gives their paths.

    An open figure is drawn as far as it goes and marked `closed` = false. A `traverse.gpkg` of an earlier run is taken
    away where none is written. Raises `InputError` where the folder cannot be written to.
    """
    target = Path(folder)
    names = FILES if result.usable or with_open else FILES[:1]
    text = json.dumps(as_dict(result, frame, source), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    try:
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target, prefix=".writing-") as scratch:
            with open(Path(scratch, FILES[0]), "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            if len(names) > 1:
                _write_shapes(Path(scratch, FILES[1]), result, frame)
            for name in names:
                os.replace(os.path.join(scratch, name), target / name)
            if len(names) == 1 and (target / FILES[1]).is_file():
                (target / FILES[1]).unlink()
    except OSError as error:
        raise InputError(
            f"{target.name}: results cannot be written there ({error.strerror or error}). Choose another folder."
        ) from error
    return tuple(str(target / name) for name in names)


def summary(result: Traverse) -> list[str]:
    """One line a parcel: what it has, how it closes, its area."""
    lines = []
    for one in result.results:
        figures, parcel = one.closure, one.parcel
        area = "" if figures.acres is None else f", {figures.acres:,.3f} acres"
        stated = "" if figures.stated_acres is None else f" (stated {figures.stated_acres:,.3f})"
        ratio = "exact, " if figures.ratio is None else f"1:{figures.ratio:,}, "
        # A gap that is left open, and a figure that was solved from closure, have no precision.
        ratio = ratio if one.placement.state in ("placed", "solved") else ""
        closing = f"misclosure {figures.misclosure:.3f} ft, {ratio}" if one.placement.is_placed else ""
        count = f"{parcel.lines} lines, {parcel.curves} curves"
        lines.append(f"{parcel.label}: {count}, {closing}{figures.verdict}{area}{stated}")
    return lines


# traverse.json


def _parcel(one: ParcelResult) -> Json:
    figures, parcel = one.closure, one.parcel
    placed = one.placement.is_placed
    return {
        "label": parcel.label,
        "role": parcel.role,
        "start": parcel.start,
        "lines": parcel.lines,
        "curves": parcel.curves,
        "ties": sum(len(tie.calls) for tie in parcel.ties),
        "misclosure_ft": round(figures.misclosure, 3) if placed else None,
        "to_close": figures.to_close if placed else "",
        "perimeter_ft": round(figures.perimeter, 2),
        "ratio": figures.ratio,
        "bound_ft": round(figures.bound, 3),
        "verdict": figures.verdict,
        "closes": figures.closes,
        "usable": one.usable,
        "why_not": one.why_not,
        "floating": one.placement.floating,
        "area_sqft": _rounded(figures.area, 1),
        "area_acres": _rounded(figures.acres, 4),
        "area_square_miles": _rounded(figures.square_miles, 6),
        "closed_by_line": figures.closed_by_line,
        "orientation": figures.orientation,
        "crosses": figures.crosses,
        "stated_acres": _rounded(figures.stated_acres, 6),
        "difference_percent": _rounded(figures.difference_percent, 2),
        "likely": None if one.likely is None else _hint(one.likely),
        "hints": [_hint(hint) for hint in one.hints[:MOST_HINTS]],
        "compass_rule": None if one.adjustment is None else _compass(one),
        "calls": [_call(side, leg) for side, leg in zip(one.sides, [*one.placement.tie_legs, *one.placement.legs])],
        "problems": [_problem(problem) for problem in one.problems],
    }


def _compass(one: ParcelResult) -> Json:
    adjustment = one.adjustment
    if adjustment is None:
        return {}
    return {
        "largest_shift_ft": round(adjustment.largest_shift, 2),
        "area_acres": _rounded(adjustment.closure.acres, 4),
    }


def _call(side: Side, leg: Leg) -> Json:
    call = side.call
    length = call.distance
    ends = [[round(value, 4) for value in point] for point in (side.points[:1] + side.points[-1:])]
    return {
        "no": call.no,
        "tie": side.tie,
        "kind": call.kind,
        "line": side.span.line,
        "column": side.span.column,
        "start": side.span.start,
        "end": side.span.end,
        "bearing": "" if call.direction is None else milliseconds(call.direction.azimuth),
        "azimuth_degrees": None if leg.how == "unplaced" or leg.arc else round(leg.azimuth, 6),
        "distance_ft": None if length is None else round(float(length.feet), 4),
        "approximate": bool(length and length.approximate),
        "along": call.along,
        "to": call.end_monument,
        "how": leg.how,
        "curve": None if call.curve is None else _curve(call, leg),
        "from_to": ends,
    }


def _curve(call: Call, leg: Leg) -> Optional[Json]:
    found = elements(call.curve) if call.curve is not None else None
    if found is None or call.curve is None:
        return None
    chord_azimuth = azimuth_of(leg.end[0] - leg.start[0], leg.end[1] - leg.start[1])
    return {
        "side": call.curve.side,
        "radius_ft": round(found.radius, 4),
        "delta_degrees": round(math.degrees(found.delta), 6),
        "arc_ft": round(found.arc, 4),
        "chord_ft": round(found.chord, 4),
        "chord_bearing": quadrant(chord_azimuth) if leg.arc is not None else "",
    }


def _hint(one: Hint) -> Json:
    return {
        "kind": one.kind,
        "call": one.call,
        "label": one.label,
        "misclosure_ft": round(one.misclosure, 3),
        "area_acres": _rounded(one.acres, 4),
        "edits": [_suggestion(edit) for edit in one.edits],
    }


def _problem(one: Problem) -> Json:
    return {
        "code": one.code,
        "severity": one.severity,
        "message": one.message,
        "line": one.span.line,
        "column": one.span.column,
        "start": one.span.start,
        "end": one.span.end,
        "call": one.call or None,
        "found": " ".join(one.found.split()),
        "expected": one.expected,
        "suggestions": [_suggestion(edit) for edit in one.suggestions],
    }


def _suggestion(one: Suggestion) -> Json:
    return {"start": one.start, "end": one.end, "replacement": one.replacement, "label": one.label}


def _rounded(value: Optional[float], places: int) -> Optional[float]:
    return None if value is None else round(value, places)


# traverse.gpkg


def _write_shapes(path: Path, result: Traverse, frame: Frame) -> None:
    """Layers: `boundary` (usable as a territory), `parcels` with closure, `courses` with the data of their curves."""
    import geopandas
    import shapely

    def put(layer: str, rows: Sequence[Json], shapes: Sequence[Any]) -> None:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        geometry = geopandas.GeoSeries(list(shapes), dtype="geometry")
        table = geopandas.GeoDataFrame(columns, geometry=geometry, crs=frame.wkt)
        table.to_file(str(path), driver="GPKG", layer=layer)

    if result.shape is not None:
        put("boundary", [{"name": "traverse", "closed": True}], [result.shape])
    drawn = [one for one in result.results if one.polygon is not None]
    if drawn:
        outlines = [shapely.multipolygons([one.polygon]) for one in drawn]
        put("parcels", [_parcel_row(one) for one in drawn], outlines)
    sides = [
        (number, one, side)
        for number, one in enumerate(result.results, 1)
        for side in one.sides
        if len(side.points) > 1 and side.points[0] != side.points[-1]
    ]
    if sides:
        lines = [shapely.LineString(side.points) for _, _, side in sides]
        put("courses", [_course_row(number, one, side) for number, one, side in sides], lines)


def _parcel_row(one: ParcelResult) -> Json:
    figures = one.closure
    return {
        "label": one.parcel.label,
        "role": one.parcel.role,
        "closed": figures.closes,
        "verdict": figures.verdict,
        "misclosure_ft": round(figures.misclosure, 3),
        "ratio": math.nan if figures.ratio is None else float(figures.ratio),
        "area_acres": math.nan if figures.acres is None else round(figures.acres, 4),
    }


def _course_row(number: int, one: ParcelResult, side: Side) -> Json:
    call, arc = side.call, side.arc
    direction = "" if call.direction is None else milliseconds(call.direction.azimuth)
    return {
        "parcel": number,
        "label": one.parcel.label,
        "no": call.no,
        "tie": side.tie,
        "kind": call.kind,
        "how": side.how,
        "bearing": direction,
        "distance_ft": math.nan if call.distance is None else float(call.distance.feet),
        "side": "" if arc is None else arc.side,
        "radius": math.nan if arc is None else arc.radius,
        "delta_degrees": math.nan if arc is None else math.degrees(arc.delta),
        "chord": math.nan if arc is None else arc.chord,
        "centre_e": math.nan if arc is None else arc.centre[0],
        "centre_n": math.nan if arc is None else arc.centre[1],
        "text": call.raw[:250],
        "along": call.along[:250],
        "to_text": call.end_monument[:250],
    }
