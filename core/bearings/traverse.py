"""A description read, placed and judged: what the window and the command line show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Optional

import shapely

from ..model import InputError
from .adjust import Adjustment, adjustment
from .calls import DEGREE, Call, Description, Options, Parcel, Problem, Span, corrected
from .closure import Closure, closure, ring
from .curves import Arc, Point, along_arc, elements
from .figures import feet
from .frame import Frame
from .hints import Hint, hints
from .parcels import apart, parse
from .placing import Leg, Placement, place
from .tangency import Meeting, meetings


@dataclass(frozen=True)
class Side:
    """One side of a figure on the map, and the words that make it: `span` leads from the one to the other."""

    call: Call
    span: Span
    points: tuple[Point, ...]
    arc: Optional[Arc]
    how: str
    tie: bool = False


@dataclass(frozen=True)
class ParcelResult:
    """All that is known of one parcel. `polygon` is None where no outline can be drawn; coordinates are the frame's.

    `usable` is whether it may become a boundary without a recorded decision: it closes, every call is read, and it
    has a place. `likely` is the call that most likely is wrong.
    """

    parcel: Parcel
    placement: Placement
    closure: Closure
    hints: tuple[Hint, ...]
    meetings: tuple[Meeting, ...]
    adjustment: Optional[Adjustment]
    problems: tuple[Problem, ...]
    sides: tuple[Side, ...]
    polygon: Optional[shapely.Polygon]
    angle_sum: Optional[int] = None

    @property
    def likely(self) -> Optional[Hint]:
        """The likeliest slip, None where nothing explains a misclosure."""
        return next((one for one in self.hints if one.explains), None)

    @property
    def usable(self) -> bool:
        """Whether it may become a boundary as it stands."""
        unread = any(call.kind == "unread" for call in self.parcel.calls)
        return self.closure.closes and not unread and not self.placement.floating and self.polygon is not None

    @property
    def why_not(self) -> str:
        """Why it may not become a boundary, in one sentence; empty where it may."""
        unread = [str(call.no) for call in self.parcel.calls if call.kind == "unread"]
        if unread:
            return f"Call {', '.join(unread)} is not read."
        if self.placement.floating:
            return "It is told by interior angles alone: give the direction of one course."
        if self.closure.closes and self.polygon is None:
            return "Its outline crosses itself."
        return "" if self.closure.closes else _reason(self)


@dataclass(frozen=True)
class Traverse:
    """A whole text: `shape` is its boundary with exceptions taken out, None unless every parcel may become one."""

    description: Description
    results: tuple[ParcelResult, ...]
    shape: Optional[shapely.MultiPolygon]
    problems: tuple[Problem, ...]

    @property
    def usable(self) -> bool:
        """Whether all parcels close and have a place, and exceptions lie inside their parcels."""
        return self.shape is not None


def traverse(
    text: str,
    frame: Optional[Frame] = None,
    options: Optional[Options] = None,
    orientation: Optional[float] = None,
    basis_chosen: bool = True,
) -> Traverse:
    """Read a description and lay it out.

    Without a frame coordinates are feet from (0, 0). `frame.start` is where the text begins: the point of commencement
    where there is one. `orientation` is the azimuth in degrees of the first course of a figure told by interior angles.
    `basis_chosen` is whether a person said what north the bearings mean. Never raises for what stands in the text.
    """
    description = parse(text, options)
    results: list[ParcelResult] = []
    first = next((one.coordinates for one in description.parcels if one.coordinates is not None), None)
    for number, parcel in enumerate(description.parcels):
        offset = (0.0, 0.0)
        if parcel.coordinates is not None and first is not None:
            offset = (float(parcel.coordinates[0] - first[0]), float(parcel.coordinates[1] - first[1]))
        result = _result(description, parcel, number, frame, offset, orientation)
        if number and (first is None or parcel.coordinates is None):
            result = _said(result, "M-START", "warning", "it has no coordinates and is laid out from the same start")
        results.append(result)
    results = _checked_exceptions(results)
    doubts = _basis_doubt(description, basis_chosen)
    return Traverse(description, tuple(results), _shape(results), (*description.problems, *doubts))


def refuse_empty(result: Traverse, source: str) -> None:
    """Raises `InputError` where a text states no course at all, or is a file of another form."""
    for problem in result.problems:
        if problem.code == "M-FORM":
            raise InputError(f"{source}: {problem.message}")
    if not any(one.parcel.calls for one in result.results):
        raise InputError(
            f"{source} states no course. Give a description with bearings and distances, e.g. N 45°00'00\" W, 100 feet."
        )


def _result(
    description: Description,
    parcel: Parcel,
    number: int,
    frame: Optional[Frame],
    offset: Point,
    orientation: Optional[float],
) -> ParcelResult:
    placement = place(parcel, orientation)
    figures = closure(placement)
    text = description.text
    met = meetings(placement, text) if placement.is_placed else ()
    slips = (*_tangency_hint(met, number, text, orientation), *hints(placement, figures, text))
    total, said = _angles(placement)
    problems = [*parcel.problems, *_curve_problems(parcel), *_tangency_problems(met, placement), *said]
    result = ParcelResult(
        parcel,
        placement,
        figures,
        slips,
        met,
        adjustment(placement, figures, slips),
        (),
        _sides(placement, frame, offset),
        _polygon(placement, figures, frame, offset),
        total,
    )
    problems += _closure_problems(result)
    return replace(result, problems=tuple(sorted(problems, key=lambda one: (one.span.start, one.code))))


# On the map


def _polygon(
    placement: Placement, figures: Closure, frame: Optional[Frame], offset: Point
) -> Optional[shapely.Polygon]:
    if not placement.is_placed or figures.crosses:
        return None
    points = [_on_map(point, frame, offset) for point in ring(placement.legs, figures.closes)]
    return shapely.Polygon(points) if len(points) > 2 else None


def _sides(placement: Placement, frame: Optional[Frame], offset: Point) -> tuple[Side, ...]:
    made = []
    for leg, tie in [(one, True) for one in placement.tie_legs] + [(one, False) for one in placement.legs]:
        points = [leg.start, leg.end] if leg.arc is None else [leg.start, *along_arc(leg.arc, leg.start, leg.end)]
        if leg.how == "unplaced":
            points = []
        placed = tuple(_on_map(point, frame, offset) for point in points)
        made.append(Side(leg.call, leg.call.span, placed, _arc_on_map(leg, frame, offset), leg.how, tie))
    return tuple(made)


def _on_map(point: Point, frame: Optional[Frame], offset: Point) -> Point:
    return (point[0] + offset[0], point[1] + offset[1]) if frame is None else frame.to_map(point, offset)


def _arc_on_map(leg: Leg, frame: Optional[Frame], offset: Point) -> Optional[Arc]:
    if leg.arc is None:
        return None
    scale = 1.0 if frame is None else frame.scale
    centre = _on_map(leg.arc.centre, frame, offset)
    return replace(leg.arc, centre=centre, radius=leg.arc.radius * scale, chord=leg.arc.chord * scale)


def _checked_exceptions(results: Sequence[ParcelResult]) -> list[ParcelResult]:
    made: list[ParcelResult] = []
    outer: Optional[shapely.Polygon] = None
    for result in results:
        if result.parcel.role != "except":
            outer = result.polygon
        elif result.polygon is not None and (outer is None or not outer.contains(result.polygon)):
            result = _said(result, "M-HOLE", "error", "the exception does not lie inside its parcel")
        made.append(result)
    return made


def _shape(results: Sequence[ParcelResult]) -> Optional[shapely.MultiPolygon]:
    broken = any(one.code == "M-HOLE" for result in results for one in result.problems)
    if not results or broken or not all(one.usable for one in results):
        return None
    parts: list[shapely.Polygon] = []
    for result in results:
        if result.parcel.role == "except":
            last = parts.pop()
            holes = [*last.interiors, result.polygon.exterior if result.polygon is not None else None]
            parts.append(shapely.Polygon(last.exterior, [hole for hole in holes if hole is not None]))
        elif result.polygon is not None:
            parts.append(result.polygon)
    shape = shapely.MultiPolygon(parts)
    return shape if shape.is_valid else None


# What is said


def _said(result: ParcelResult, code: str, severity: str, message: str) -> ParcelResult:
    span = result.parcel.span or Span(0, 0, 1, 1)
    one = Problem(code, severity, message, Span(span.start, span.start, span.line, span.column))
    return replace(result, problems=(*result.problems, one))


def _basis_doubt(description: Description, chosen: bool) -> tuple[Problem, ...]:
    if chosen or not any(call.direction for parcel in description.parcels for call in parcel.calls):
        return ()
    named = f"the text speaks of {description.basis} north, " if description.basis else "no basis is chosen, "
    severity = "warning" if description.basis else "info"
    return (Problem("M-BASIS", severity, named + "bearings are taken from grid north", Span(0, 0, 1, 1)),)


def _curve_problems(parcel: Parcel) -> list[Problem]:
    made = []
    for call in parcel.calls:
        if call.curve is None or call.kind != "curve":
            continue
        found = elements(call.curve)
        if found is None:
            message = "what is stated does not make one curve"
            expected = "two of radius, arc, central angle, chord and tangent"
            made.append(Problem("M-CURVE", "error", message, call.span, call.raw[:60], expected, (), call.no))
            continue
        for dispute in found.disputes:
            made.append(Problem("M-CURVE", "warning", f"{dispute} disagree", call.span, "", "", (), call.no))
    return made


def _tangency_problems(met: Sequence[Meeting], placement: Placement) -> list[Problem]:
    calls = {call.no: call for call in placement.parcel.calls}
    made = []
    for one in met:
        if one.kind != "angle":
            continue
        call = calls[one.call]
        message = f"the curve meets call {one.following} at {abs(one.difference):.4f}°, neither tangent nor radial"
        if one.label:
            message += f"; it would be, were these slips: {one.label}"
        suggestions = one.edits if len(one.edits) == 1 else ()
        made.append(Problem("M-TANGENT", "warning", message, call.span, "", "", suggestions, one.call))
    return made


def _tangency_hint(met: Sequence[Meeting], number: int, text: str, orientation: Optional[float]) -> tuple[Hint, ...]:
    """All slips that tangency finds, taken together, with the closure that they lead to."""
    edits = {edit.start: edit for one in met for edit in one.edits}
    if not edits:
        return ()
    again = parse(corrected(text, list(edits.values()))).parcels
    if len(again) <= number:
        return ()
    figures = closure(place(again[number], orientation))
    labels = dict.fromkeys(part for one in met for part in one.label.split(" and ") if part)
    ordered = tuple(edits[start] for start in sorted(edits))
    call = min(call for one in met for call in one.calls)
    label = ", ".join(labels)
    return (Hint("tangency", call, label, figures.misclosure, figures.acres, ordered, figures.closes),)


def _angles(placement: Placement) -> tuple[Optional[int], list[Problem]]:
    """The sum of the interior angles in milliarcseconds, and a problem where it is not that of such a figure."""
    calls = placement.parcel.calls
    if not calls or any(call.kind != "angle" or call.angle is None for call in calls):
        return None, []
    first = calls[0].angle or 0
    if placement.tie_legs:
        off = apart(placement.tie_legs[-1].azimuth_out, placement.legs[-1].azimuth_out)
        if off > 179.9:
            first = 180 * DEGREE - first
        elif off > 0.1:
            return None, []
    total = first + sum(call.angle or 0 for call in calls[1:])
    off_by = total - (len(calls) - 2) * 180 * DEGREE
    second = DEGREE // 3600
    if abs(off_by) * 2 <= len(calls) * second:
        return total, []
    minutes, seconds = divmod(round(abs(off_by) / second), 60)
    sign = "+" if off_by > 0 else "−"
    message = f"the interior angles make {sign}{minutes}′{seconds:02d}″ against a figure of {len(calls)} sides"
    return total, [Problem("M-ANGLES", "warning", message, calls[0].span, call=calls[0].no)]


def _closure_problems(result: ParcelResult) -> list[Problem]:
    placement, figures = result.placement, result.closure
    calls = {call.no: call for call in result.parcel.calls}
    made = []
    for number in placement.unplaced:
        call = calls[number]
        made.append(Problem("M-PLACE", "error", _unplaced(result, call), call.span, call=number))
    for number in placement.solved:
        severity, message = "warning", "its direction is solved from closure, which is then no check"
        made.append(Problem("M-SOLVED", severity, message, calls[number].span, call=number))
    last = result.parcel.calls[-1] if calls else None
    if last is None:
        return made
    if placement.floating:
        message = "the figure is told by interior angles alone: its direction is unknown"
        made.append(Problem("M-FLOAT", "error", message, result.parcel.calls[0].span, expected="one bearing"))
    if figures.crosses:
        made.append(Problem("M-CROSS", "error", "the figure crosses itself", last.span))
    if placement.state == "placed" and figures.verdict in ("poor", "does not close"):
        made.append(Problem("M-CLOSE", "error", _reason(result), last.span, call=last.no))
    return made


def _unplaced(result: ParcelResult, call: Call) -> str:
    leg = next((one for one in result.placement.legs if one.call.no == call.no), None)
    if call.kind == "unread":
        return "this course is not read"
    if leg is not None and leg.how == "gap" and call.distance is not None:
        straight = math.dist(leg.start, leg.end)
        share = float(call.distance.feet) / straight if straight else math.inf
        stated = feet(float(call.distance.feet))
        return f"no bearing is stated: {stated} ft along it, {feet(straight)} straight, ratio {share:.3f}"
    missing = "neither bearing nor length is" if call.distance is None else "no bearing is"
    return f"{missing} stated: the course cannot be placed from the text"


def _reason(result: ParcelResult) -> str:
    figures = result.closure
    if figures.verdict == "unplaced":
        return "It has courses that cannot be placed from the text."
    if result.placement.state == "gap":
        return f"A course has no bearing: {feet(figures.misclosure)} ft are open."
    if figures.verdict == "provisional":
        return "Courses without bearings were solved from closure."
    if figures.verdict == "open":
        return "The text breaks off before it comes back to the beginning."
    precision = f"1:{figures.ratio:,}" if figures.ratio is not None else "no precision"
    words = f"It misses by {feet(figures.misclosure, 3)} ft ({figures.to_close} to close), {precision}."
    return f"{words} Likely: {result.likely.label}." if result.likely is not None else words
