"""Whether curves leave as the next course goes on, and which slip of a letter or side would make them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Optional

from .calls import CIRCLE, DEGREE, Call, Direction, Suggestion
from .parcels import apart
from .placing import Leg, Placement

ALIGNED = 0.02
"""Degrees within which a curve is tangent, radial or a cusp."""
FLIPS = ("N/S", "E/W", "N/S and E/W")
_OTHER = {"n": "s", "s": "n", "e": "w", "w": "e", "north": "south", "south": "north", "east": "west", "west": "east"}


@dataclass(frozen=True)
class Meeting:
    """How a curve meets the course after it: tangent, radial, cusp or angle; `difference` in degrees.

    `edits` are the slips, all together, that would make it meet as curves do; `label` says them.
    """

    call: int
    following: int
    kind: str
    difference: float
    edits: tuple[Suggestion, ...] = ()
    label: str = ""
    calls: tuple[int, ...] = ()


State = tuple[str, float]
"""Which letters of a course are turned round (empty for none), and its azimuth then."""
_COST = {"tangent": 0.0, "cusp": 0.01, "radial": 0.02, "angle": 100.0}
MOST_IN_A_ROW = 4


def meetings(placement: Placement, text: str) -> tuple[Meeting, ...]:
    """Each curve that is placed by tangency, or said to be tangent, with how it meets the next straight course."""
    legs = placement.legs
    made = []
    for number, leg in enumerate(legs):
        following = legs[(number + 1) % len(legs)]
        curve = leg.call.curve
        if leg.arc is None or curve is None or curve.tangency == "non-tangent" or leg.how in ("solved", "unplaced"):
            continue
        if following.call.direction is None or len(legs) < 2 or _is_stated(leg):
            continue
        difference = _signed(following.azimuth - leg.azimuth_out)
        made.append(Meeting(leg.call.no, following.call.no, _kind(difference), difference))
    if all(one.kind != "angle" for one in made):
        return tuple(made)
    slips = _slips(placement)
    return tuple(_explained(one, slips, placement, text) for one in made)


def _is_stated(leg: Leg) -> bool:
    """Whether the chord's bearing places the curve, and nothing says that it is tangent."""
    curve = leg.call.curve
    return curve is not None and curve.chord_bearing is not None and curve.tangency != "tangent"


def flipped(direction: Direction, which: str) -> Optional[int]:
    """The azimuth of a quadrant bearing with its letters turned round, None where it has none."""
    if len(direction.letters) != 2:
        return None
    azimuth = direction.azimuth
    if which in ("N/S", "N/S and E/W"):
        azimuth = CIRCLE // 2 - azimuth
    if which in ("E/W", "N/S and E/W"):
        azimuth = -azimuth
    return azimuth % CIRCLE


def letter_edits(direction: Direction, which: str, text: str) -> tuple[Suggestion, ...]:
    """The edits of the text that turn the letters of a bearing round."""
    chosen = {"N/S": direction.letters[:1], "E/W": direction.letters[1:]}.get(which, direction.letters)
    made = []
    for start, end in chosen:
        old = text[start:end]
        new = _OTHER[old.lower()]
        new = new.upper() if old.isupper() else new.capitalize() if old[0].isupper() else new
        made.append(Suggestion(start, end, new, f"{new} for {old}"))
    return tuple(made)


def side_edit(call: Call, text: str) -> tuple[Suggestion, ...]:
    """The edit of the text that turns a curve to the other side."""
    curve = call.curve
    if curve is None or curve.side_span is None:
        return ()
    start, end = curve.side_span.start, curve.side_span.end
    old, new = text[start:end], "left" if curve.side == "right" else "right"
    return (Suggestion(start, end, new.upper() if old.isupper() else new, f"{new} for {old}"),)


def _kind(difference: float) -> str:
    for name, angle in (("tangent", 0.0), ("cusp", 180.0), ("radial", 90.0)):
        if abs(abs(difference) - angle) <= ALIGNED:
            return name
    return "angle"


def _signed(angle: float) -> float:
    return (angle + 180.0) % 360.0 - 180.0


def _explained(meeting: Meeting, slips: Mapping[int, str], placement: Placement, text: str) -> Meeting:
    """A meeting at an angle with those of the slips that concern its curve and the courses on both sides."""
    if meeting.kind != "angle":
        return meeting
    legs = placement.legs
    at = next(number for number, leg in enumerate(legs) if leg.call.no == meeting.call)
    concerned = [legs[place % len(legs)].call for place in (at - 1, at, at + 1)]
    edits: list[Suggestion] = []
    words, numbers = [], []
    for call in concerned:
        slip = slips.get(call.no)
        if slip is None:
            continue
        numbers.append(call.no)
        if slip == "side":
            edits += side_edit(call, text)
            words.append(f"the side of call {call.no}")
        elif call.direction is not None:
            edits += letter_edits(call.direction, slip, text)
            words.append(f"the {slip} letter of call {call.no}")
    return replace(meeting, edits=tuple(edits), label=" and ".join(words), calls=tuple(numbers))


def _slips(placement: Placement) -> dict[int, str]:
    """The fewest slips of sides and letters with which all curves meet their courses: call → what is turned round.

    All curves are looked at together, along the ring of straight courses: a letter must suit the curves on both sides.
    """
    legs = placement.legs
    lines = [number for number, leg in enumerate(legs) if leg.arc is None and leg.call.direction is not None]
    if not lines:
        return {}
    states = [_states(legs[number]) for number in lines]
    between = [_between(legs, one, lines[(at + 1) % len(lines)]) for at, one in enumerate(lines)]
    best: Optional[tuple[float, list[int], list[tuple[bool, ...]]]] = None
    for first in range(len(states[0])):
        ways: dict[int, tuple[float, list[int], list[tuple[bool, ...]]]] = {
            first: (_letters_cost(states[0][first]), [first], [])
        }
        for at in range(len(lines)):
            target = (at + 1) % len(lines)
            allowed = [first] if target == 0 else range(len(states[target]))
            following: dict[int, tuple[float, list[int], list[tuple[bool, ...]]]] = {}
            for to in allowed:
                for one, (cost, chosen, sides) in ways.items():
                    more, turned = _passage(between[at], states[at][one], states[target][to], legs[lines[at]])
                    total = cost + more + (0.0 if target == 0 else _letters_cost(states[target][to]))
                    if to not in following or total < following[to][0]:
                        following[to] = (total, [*chosen, to], [*sides, turned])
            ways = following
        if best is None or ways[first][0] < best[0]:
            best = ways[first]
    found: dict[int, str] = {}
    if best is None:
        return found
    for number, state, some in zip(lines, best[1], states):
        if some[state][0]:
            found[legs[number].call.no] = some[state][0]
    for curves, turned in zip(between, best[2]):
        found.update({leg.call.no: "side" for leg, other in zip(curves, turned) if other})
    return found


def _letters_cost(state: State) -> float:
    return {"": 0.0, "N/S": 1.0, "E/W": 1.0}.get(state[0], 1.5)


def _states(leg: Leg) -> list[State]:
    made = [("", leg.azimuth)]
    direction = leg.call.direction
    for which in FLIPS:
        azimuth = flipped(direction, which) if direction is not None else None
        if azimuth is not None and apart(azimuth / DEGREE, leg.azimuth) > 1e-9:
            made.append((which, azimuth / DEGREE))
    return made


def _between(legs: Sequence[Leg], first: int, last: int) -> list[Leg]:
    """The curves between two straight courses, none where one of them has its direction from elsewhere."""
    count = (last - first - 1) % len(legs)
    some = [legs[(first + step) % len(legs)] for step in range(1, count + 1)]
    tangent = all(
        leg.arc is not None and leg.call.curve is not None and leg.call.curve.chord_bearing is None for leg in some
    )
    return some if tangent and 0 < len(some) <= MOST_IN_A_ROW else []


def _passage(curves: Sequence[Leg], one: State, two: State, line: Leg) -> tuple[float, tuple[bool, ...]]:
    """The least cost of the curves between two courses, and which of them turn to the other side for it."""
    if not curves:
        return 0.0, ()
    best: Optional[tuple[float, tuple[bool, ...]]] = None
    for sides in itertools.product((False, True), repeat=len(curves)):
        azimuth, before = one[1], line.azimuth_out
        for leg, other in zip(curves, sides):
            # A cusp stays one.
            azimuth += leg.azimuth - before
            turn = 1 if leg.call.curve is not None and leg.call.curve.side == "right" else -1
            delta = math.degrees(leg.arc.delta) if leg.arc is not None else 0.0
            azimuth += (-turn if other else turn) * delta
            before = leg.azimuth_out
        cost = sum(sides) + _COST[_kind(_signed(two[1] - azimuth))]
        if best is None or cost < best[0]:
            best = (cost, sides)
    return best if best is not None else (0.0, ())
