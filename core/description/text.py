"""The description as it is printed: one call a paragraph, from the point of beginning back to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from ..crs import WorkingCrs, geodesic_measures, parse_crs
from ..figures import half_up, listing
from ..territory import ACRES_PER_SQUARE_MILE, SQUARE_METRES_PER_ACRE
from .following import Choices
from .sides import Side
from .sources import CIVIL, COURSE, DISTRICT, SHORE, STREET, THREAD
from .wholes import Whole
from .words import Metes, about_feet, exact_feet, foot_words, unit_words

BEGINNING = "the point or place of beginning"
EXCEPTING = "EXCEPTING the land described as follows, which is not part of the territory:"


@dataclass(frozen=True, eq=False)
class Drawn:
    """One ring as it is described: its sides from the point of beginning, or the area whose entire boundary it is."""

    sides: tuple[Side, ...]
    whole: Optional[Whole]


def written(
    rings: Sequence[Drawn],
    whole: Optional[Whole],
    shape: Any,
    choices: Choices,
    metes: Metes,
    crs: WorkingCrs,
    foot: float,
) -> str:
    """The text, its paragraphs in lines of their own. Sides that nothing describes are the caller's to refuse."""
    size = _size(shape, crs)
    if whole is not None:
        return f"All that territory within {whole.phrase}, as shown on the map attached.\n{size}"
    lines = [f"All that territory, bounded and described as follows, {basis(rings)}:"]
    several = max(one.sides[0].part for one in rings) > 1
    for ring in rings:
        if several and not ring.sides[0].hole:
            lines.append(f"PART {ring.sides[0].part}")
        lines += _ring(ring, choices, metes, foot)
    lines.append(size)
    return "\n".join([*lines, *_measures(lines, crs)])


def basis(rings: Sequence[Drawn]) -> str:
    """The forms that are really used, in words: "by metes and bounds", "by reference to existing streets"."""
    kinds = {COURSE if _by_metes(side) else side.kind for ring in rings for side in ring.sides if not side.entire}
    streets = ["existing streets"] if STREET in kinds else []
    waters = ["navigable waters"] if kinds & {SHORE, THREAD} else []
    lines = [word for kind, word in ((CIVIL, "municipal"), (DISTRICT, "district")) if kind in kinds]
    lines = [f"{word} boundary lines" for word in lines]
    entire = [f"{ring.whole.phrase}" for ring in rings if ring.whole is not None]
    metes = ["metes and bounds"] if COURSE in kinds else []
    words = streets + waters + lines + sorted(set(entire)) + metes
    if words == metes:
        return "by metes and bounds"
    if not (lines or entire or metes):
        return f"by reference to {listing(words)}"
    return f"by a combination of {listing(words)}" if len(words) > 1 else f"by reference to {words[0]}"


# Rings and sides


def _ring(ring: Drawn, choices: Choices, metes: Metes, foot: float) -> list[str]:
    hole = bool(ring.sides[0].hole)
    if ring.whole is not None:
        if hole:
            return [f"EXCEPTING the land within {ring.whole.phrase}, which is not part of the territory."]
        return [f"All the land within {ring.whole.phrase}."]
    lines = [EXCEPTING] if hole else []
    lines.append(f"BEGINNING at {ring.sides[0].start};")
    for number, side in enumerate(ring.sides):
        last = number == len(ring.sides) - 1
        end = BEGINNING if last else side.end
        calls = _calls(side, end, choices, metes, foot)
        lines += [f"thence {call};" for call in calls[:-1]]
        lines.append(f"thence {calls[-1]}{'.' if last else ';'}")
    return lines


def _calls(side: Side, end: str, choices: Choices, metes: Metes, foot: float) -> list[str]:
    if not _by_metes(side):
        return [_along(side, end, choices)]
    along = f"along {side.line.phrase}, " if side.line.noun else ""
    courses = list(metes(side.xy, foot))
    ends = ["a point"] * (len(courses) - 1) + [end]
    return [f"{'' if number else along}{call} to {ends[number]}" for number, call in enumerate(courses)]


def _along(side: Side, end: str, choices: Choices) -> str:
    """ "southerly along the centerline of Webster Road, about 1,390 feet, to …": exact where a corner has no name."""
    direction = f"{'generally ' if side.winds else ''}{side.direction} " if side.direction else ""
    line = side.line.phrase
    if side.kind == STREET and side.line.line.alias:
        line += f" ({side.line.line.alias})"
    if side.kind == SHORE and choices.water_mark:
        line += f" at the {choices.water_mark}"
    if side.stretch.roadway == "middle":
        line += ", midway between its roadways"
    if side.winds:
        line += ", following its turns" if side.kind == STREET else " as it winds and turns"
    named = side.first.is_named and side.last.is_named
    distance = about_feet(side.length_ft) if named else exact_feet(side.length_ft)
    return f"{direction}along {line}, {distance}, to {end}"


def _by_metes(side: Side) -> bool:
    """A course, and a line whose name nobody knows."""
    return not side.entire and (side.kind == COURSE or not side.name)


# Closing lines


def _size(shape: Any, crs: WorkingCrs) -> str:
    acres = Fraction(geodesic_measures(shape, crs)[0]) / SQUARE_METRES_PER_ACRE
    miles = acres / ACRES_PER_SQUARE_MILE
    return f"Containing {_decimals(acres, 2)} acres ({_decimals(miles, 3)} square miles), more or less."


def _decimals(value: Fraction, places: int) -> str:
    whole, rest = divmod(half_up(value * 10**places), 10**places)
    return f"{whole:,}.{rest:0{places}d}"


def _measures(lines: Sequence[str], crs: WorkingCrs) -> list[str]:
    """What coordinates, bearings and distances refer to, each only where there are some."""
    text = " ".join(lines)
    said = []
    name = parse_crs(crs.wkt, crs.label).name
    system = name if crs.label == name else f"{name} ({crs.label})"
    if re.search(r"North [\d,]+\.\d\d, East", text):
        said.append(f"Coordinates are {unit_words(crs)} of {system}.")
    if re.search(r"\d+°", text):
        said.append(f"Bearings refer to grid north of {system}.")
    if "feet" in text:
        said.append(f"Distances are {foot_words(crs)}, measured on the grid.")
    return [" ".join(said)] if said else []
