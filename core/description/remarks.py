"""What a person must know or settle of a description: gaps, lot lines, names, waters, corners."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely
from shapely import MultiLineString
from shapely.ops import substring

from ..crs import WorkingCrs
from ..model import Finding
from ..territory import ground_text, near_shape
from .corners import ends_near
from .following import ANGLE, SHORTEST_FT, STEP_FT, Candidate, Choices
from .matching import Track, away, boxes_apart, fit
from .rings import Steps
from .sides import Side
from .sources import CIVIL, COURSE, DISTRICT, SHORE, STREET, THREAD, Sources
from .wholes import NearMiss
from .words import exact_feet, place_words

if TYPE_CHECKING:
    from ..editions import Edition

METES = "metes"
BY_METES = "It is given by metes and bounds."
ON_LOT_LINES = 0.95
"""The part of a course that must lie on lot lines for it to follow them."""
SEARCH_FT = 1320.0
"""How far from a gap, on the whole, a named line is worth naming."""
ASTRAY_FT = 0.1
BESIDE_FT = 100.0
"""Feet, or half of a shorter side, for which a side is near another line too: more than where lines fork or cross."""


def remarks(
    sides: Sequence[Side],
    found: Sequence[Candidate],
    sources: Sources,
    choices: Choices,
    miss: Optional[NearMiss],
    crs: WorkingCrs,
    foot: float,
    edition: Edition,
) -> tuple[Finding, ...]:
    """The findings of all sides, in the order of code and message."""
    said: list[tuple[str, str, str]] = []
    for number, side in enumerate(sides):
        if side.entire:
            continue
        if side.kind == COURSE:
            before, after = _neighbours(sides, number)
            said += _of_course(side, before, after, found, sources, choices, foot)
        else:
            said += _of_line(side, found, choices, foot)
    said += _of_waters(sides, found)
    said += _of_corners(sides, foot)
    if miss is not None:
        said.append(
            (
                "D-WHOLE",
                "info",
                f"The territory and the {miss.area.name} differ by {ground_text(miss.difference, crs)}, mostly "
                f"{near_shape(miss.largest)}, so “the entire boundary” is not said.",
            )
        )
    findings = [Finding(code, severity, text, citation=_citation(code, edition)) for code, severity, text in said]
    findings += _of_lot_lines(sides, sources, choices, foot, edition)
    return tuple(sorted(set(findings), key=lambda one: (one.code, one.severity, one.message)))


def _citation(code: str, edition: Edition) -> str:
    return edition.citation("exhibit.description" if code.startswith("D-") else code)


# Sides along no line


def _of_course(
    side: Side,
    before: Side,
    after: Side,
    found: Sequence[Candidate],
    sources: Sources,
    choices: Choices,
    foot: float,
) -> list[tuple[str, str, str]]:
    given = METES in choices.forms
    if given and choices.forms == (METES,):
        return []
    ends = ", ".join(sorted({text for text in (_line_ends(before, side, foot), _line_ends(after, side, foot)) if text}))
    what = f"{side.label}, {exact_feet(side.length_ft)} from {place_words(side.xy[0])} to {place_words(side.xy[-1])}, "
    what += f"follows no street, water or line that the description may use{'; ' + ends if ends else ''}. "
    what += _nearest(side, [one for one in found if not _is_of(one, before) and not _is_of(one, after)], foot)
    remedy = BY_METES if given else "Move the boundary, or give this side by metes and bounds."
    return [("D-GAP", "info" if given else "error", what + remedy)]


def _line_ends(named: Side, side: Side, foot: float) -> str:
    """Says that a line ends where the boundary goes on without it."""
    if named is side or not named.line.is_named:
        return ""
    shared = side.first if named.last is side.first else side.last
    end = ends_near(named.stretch.what, shared.xy, named.stretch.what.reach + SHORTEST_FT * foot)
    return f"{named.name} ends there" if end is not None else ""


def _is_of(one: Candidate, side: Side) -> bool:
    """Whether a side follows this line, or with others this town's."""
    lines = side.line.line
    return one.source in lines if isinstance(lines, tuple) else one.source is lines


def _nearest(side: Side, found: Sequence[Candidate], foot: float) -> str:
    """The named line that is nearest on the whole, with how far away it runs."""
    points = shapely.get_coordinates(shapely.segmentize(shapely.linestrings(side.xy), STEP_FT * foot))
    points = points[:: max(len(points) // 50, 1)]
    best: Optional[tuple[float, str, Any]] = None
    for one in found:
        if not one.source.name or boxes_apart(one.shape, side_line(side)) > SEARCH_FT * foot:
            continue
        off = away(one.shape, points) / foot
        if float(off.mean()) > SEARCH_FT:
            continue
        if best is None or (float(off.mean()), one.source.name) < best[:2]:
            best = (float(off.mean()), one.source.name, off)
    if best is None:
        return ""
    low, high = (f"{int(value + 0.5):,}" for value in (best[2].min(), best[2].max()))
    return f"The nearest named line is {best[1]}, {low if low == high else f'{low} to {high}'} ft away. "


def side_line(side: Side) -> Any:
    """A side as a shapely line."""
    return shapely.linestrings(side.xy)


def _of_lot_lines(
    sides: Sequence[Side], sources: Sources, choices: Choices, foot: float, edition: Edition
) -> list[Finding]:
    """V-01 for each side that follows nothing but lot lines: an error where nothing else describes it."""
    if sources.parcels is None or not len(sources.parcels):
        return []
    citation = edition.citation("V-01")
    findings = []
    reach = float(Fraction(choices.line_ft)) * foot
    tree = shapely.STRtree(sources.parcels)
    for side in sides:
        if side.kind != COURSE or side.entire:
            continue
        line = side_line(side)
        rows = tree.query(shapely.box(*shapely.bounds(line)))
        lots = [shapely.boundary(sources.parcels[row]) for row in rows]
        lots = [one for one in lots if not shapely.is_empty(one) and shapely.distance(one, line) <= reach]
        if not lots or _followed_part(side, lots, reach, foot) < ON_LOT_LINES:
            continue
        what = f"{side.label}, {exact_feet(side.length_ft)} from {place_words(side.xy[0])}, follows lot lines alone"
        if METES in choices.forms:
            text = f"{what}. Lots do not describe a boundary; it is given by bearings and distances."
            findings.append(Finding("V-01", "warning", text, citation=citation))
        else:
            text = f"{what}: no lawful description. Give it by metes and bounds, a street or a navigable water."
            findings.append(Finding("V-01", "error", text, citation=citation))
    return findings


def _followed_part(side: Side, lots: Sequence[Any], reach: float, foot: float) -> float:
    """The part of a side's length that runs along lot lines."""
    span = np.hypot(*np.diff(side.xy, axis=0).T)
    pieces = np.maximum(np.ceil(span / (STEP_FT * foot)).astype(np.int64), 1)
    edge = np.repeat(np.arange(len(span)), pieces)
    within = np.concatenate([np.arange(count) for count in pieces])
    length = span[edge] / pieces[edge]
    direction = np.diff(side.xy, axis=0)[edge] / span[edge][:, None]
    middle = side.xy[:-1][edge] + direction * ((within + 0.5) * length)[:, None]
    steps = Steps(np.append(0.0, np.cumsum(length)), middle, direction, length)
    cosine = float(np.cos(np.radians(ANGLE[CIVIL])))
    followed = np.isfinite(fit(steps, [Track(one, reach, cosine) for one in lots], foot).distance).any(axis=1)
    return float(length[followed].sum() / length.sum())


# Sides along a line


def _of_line(side: Side, found: Sequence[Candidate], choices: Choices, foot: float) -> list[tuple[str, str, str]]:
    said: list[tuple[str, str, str]] = []
    if not side.name:
        given = METES in choices.forms
        remedy = BY_METES if given else "Name it, or give this side by metes and bounds."
        text = f"{side.label} follows {side.line.phrase}, near {place_words(side.xy[0])}. {remedy}"
        said.append(("D-NAME", "warning" if given else "error", text))
    said += _of_choice(side, found)
    if side.kind in (CIVIL, DISTRICT):
        text = (
            f"{side.label} runs along {side.line.phrase}. The statute names streets, navigable waters, metes and "
            "bounds, and entire boundaries of districts or a town; ask counsel whether part of such a line may stand "
            "with them."
        )
        said.append(("D-LINE", "warning", text))
    if side.kind == SHORE and not choices.water_mark:
        text = f"{side.label} follows {side.line.phrase}. Say to which water mark the territory reaches."
        said.append(("D-MARK", "error", text))
    if side.offset_ft is not None and side.offset_ft > side.line.reach / foot + ASTRAY_FT:
        text = f"{side.label} leaves {side.line.phrase} by up to {side.offset_ft:,.1f} ft for a short way."
        said.append(("D-OFFSET", "info", text))
    detour = _detour(side, foot)
    if detour is not None and detour > side.line.reach / foot + ASTRAY_FT:
        text = (
            f"Between the corners of {side.label[0].lower()}{side.label[1:]} {side.line.phrase} leaves the boundary by "
            f"up to {detour:,.1f} ft. The text follows the line; draw the boundary along it."
        )
        said.append(("D-OFFSET", "warning", text))
    return said


def _detour(side: Side, foot: float) -> Optional[float]:
    """By how many feet the line itself, between the side's ends, leaves the side; None where its way cannot be told."""
    what = side.stretch.what
    if what.kind not in (STREET, SHORE, THREAD) or side.stretch.roadway is not None:
        return None
    line = side_line(side)
    ends = shapely.points([side.xy[0], side.xy[-1]])
    ways = []
    for part in shapely.get_parts(shapely.line_merge(what.shape)):
        if shapely.distance(part, ends).max() <= 2 * what.reach:
            start, end = (float(place) for place in shapely.line_locate_point(part, ends))
            ways.append(substring(part, start, end))
            if shapely.is_closed(part):
                low, high = sorted((start, end))
                ways += [MultiLineString([substring(part, high, part.length), substring(part, 0, low)]), part]
    points = [shapely.get_coordinates(shapely.segmentize(way, STEP_FT * foot)) for way in ways]
    return min((float(away(line, xy).max()) / foot for xy in points), default=None)


def _of_choice(side: Side, found: Sequence[Candidate]) -> list[tuple[str, str, str]]:
    """D-CHOICE: another line of the same kind as near, or two roadways of one street."""
    said = []
    families = ((STREET,), (SHORE, THREAD), (DISTRICT,))
    family = next((kinds for kinds in families if side.kind in kinds), ())
    for number, feet in side.stretch.shares.items():
        other = found[number]
        if other.source is side.line.line or other.kind not in family or not other.usable:
            continue
        if other.source.name == side.name or feet < min(BESIDE_FT, side.length_ft / 2):
            continue
        text = (
            f"{side.label} lies as near to {other.source.name or 'a line without name'} for {feet:,.0f} ft as to "
            f"{side.name or 'a line without name'}, by which it is described. Choose one of them."
        )
        said.append(("D-CHOICE", "warning", text))
    if side.stretch.roadway == "middle":
        said.append(("D-CHOICE", "info", f"{side.label} runs midway between the two roadways of {side.name}."))
    elif side.stretch.roadway is not None:
        text = f"{side.label} follows {side.line.phrase}, one of two. Make sure that not the middle is meant."
        said.append(("D-CHOICE", "warning", text))
    return said


def _of_waters(sides: Sequence[Side], found: Sequence[Candidate]) -> list[tuple[str, str, str]]:
    """D-NAV: waters taken as navigable by their kind, and streams followed that are taken as not navigable."""
    said = []
    for side in sides:
        water = side.line.line
        if side.kind in (SHORE, THREAD) and not side.entire and side.name and not water.told:
            text = (
                f"{side.name} is taken as navigable because it is a {water.water}. Say so yourself, with the source "
                "that you rest on, or say that it is not."
            )
            said.append(("D-NAV", "info", text))
        if side.kind != COURSE:
            continue
        for number, feet in sorted(side.stretch.shares.items()):
            other = found[number]
            streams = other.kind in (SHORE, THREAD) and not other.usable and not other.source.told
            if streams and feet >= min(BESIDE_FT, side.length_ft / 2):
                name = other.source.name or f"a {other.source.water} without name"
                text = (
                    f"{side.label} runs along {name} for {feet:,.0f} ft, which is taken as not navigable because it is "
                    f"a {other.source.water}. Only navigable waters bound a territory; say so if it is one."
                )
                said.append(("D-NAV", "warning", text))
    return said


# Corners


def _of_corners(sides: Sequence[Side], foot: float) -> list[tuple[str, str, str]]:
    said = []
    for side in sides:
        if side.entire or not side.line.is_named or side.first.is_named:
            continue
        before = next(one for one in sides if one.last is side.first)
        if before is side or not before.line.is_named:
            continue
        where = f"{before.line.phrase} and {side.line.phrase}"
        if side.first.apart is None:
            what = f"{where} do not meet near {place_words(side.first.xy)}, where the boundary turns"
        else:
            off = f"{side.first.apart / foot:,.1f} ft"
            what = f"{where} meet {off} from {place_words(side.first.xy)}, where the boundary turns"
        said.append(("D-CORNER", "warning", f"{what[0].upper()}{what[1:]}. Move the corner to where they meet."))
    return said


def _neighbours(sides: Sequence[Side], number: int) -> tuple[Side, Side]:
    """The sides of the same ring before and after."""
    side = sides[number]
    before = next(one for one in sides if one.last is side.first)
    after = next(one for one in sides if one.first is side.last)
    return before, after
