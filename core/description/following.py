"""Which named line each stretch of a ring follows: candidates, the way round, and what is known of each stretch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import shapely

from ..figures import listing
from ..model import InputError
from .cutting import NO_NAME, PARTLY, Run, absorbed, cheapest_states, following_cost, runs_of
from .matching import Fit, Track, boxes_apart, fit
from .rings import Ring, Steps, steps_of
from .sources import CIVIL, COURSE, DISTRICT, SHORE, STREET, THREAD, Area, Line, Sources

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

FORMS = ("streets_waters", "districts", "metes")
"""The forms of § 2-202(1)(c)(1): streets and navigable waters; lines of districts and municipalities, whose entire
boundaries it allows; metes and bounds."""

MARKS = ("mean high-water mark", "ordinary high-water mark", "ordinary low-water mark", "low-water mark")
STEP_FT = 25.0
SHORTEST_FT = 30.0
"""A run shorter than this is part of its neighbours; only what is longer is a side, or a gap."""
ROADWAYS_FT = 120.0
RANK = {STREET: 0.0, SHORE: 0.01, THREAD: 0.01, CIVIL: 0.02, DISTRICT: 0.03}
"""What a foot costs more on one kind of line than on another that is as near."""
ANGLE = {STREET: 20.0, SHORE: 45.0, THREAD: 45.0, CIVIL: 20.0, DISTRICT: 20.0}
"""Degrees by which a step may turn from the line; shores are drawn too roughly for less."""


@dataclass(frozen=True)
class Choices:
    """What a person chooses of a description.

    `forms` are those that may be combined; widths are in international feet; `navigable` is the user's word by name of
    water; `water_mark` says to which line of a shore the territory reaches, "" where nobody has said it.
    """

    forms: tuple[str, ...] = FORMS
    street_ft: Union[Fraction, str] = "10"
    shore_ft: Union[Fraction, str] = "25"
    line_ft: Union[Fraction, str] = "1"
    navigable: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    water_mark: str = ""

    def __post_init__(self) -> None:
        """Raises `InputError` for a form, mark or width that there is not."""
        object.__setattr__(self, "forms", tuple(self.forms))
        known = ", ".join(FORMS)
        problems = [f"There is no form “{form}”. Choose among {known}." for form in self.forms if form not in FORMS]
        if not self.forms:
            problems.append(f"No form of description is chosen. Choose among {known}.")
        if self.water_mark and self.water_mark not in MARKS:
            problems.append(f"There is no water mark “{self.water_mark}”. Choose among {', '.join(MARKS)}.")
        for text in (self.street_ft, self.shore_ft, self.line_ft):
            if not _is_width(text):
                problems.append(f"“{text}” is not a width in feet above 0. Use digits and a point, e.g. 10.")
        if problems:
            raise InputError(*problems)


@dataclass(frozen=True, eq=False)
class Followed:
    """What a stretch follows: its kind, its name as printed, the line itself (None for a course) and its reach.

    `noun` and `of` are the words for it, which `joined` joins: the "centerline" "of" "Webster Road". `line` is the
    `Line` or `Area` that it is made of, several areas in a tuple.
    """

    kind: str
    name: str
    shape: Any
    reach: float
    noun: str = ""
    of: str = ""
    line: Any = None
    joined: str = "of"

    @property
    def is_named(self) -> bool:
        """Whether a reader can find it by its name."""
        return bool(self.noun and self.name)

    @property
    def phrase(self) -> str:
        """ "the centerline of Webster Road"."""
        return f"the {self.noun} {self.joined} {self.of}" if self.noun else ""


NOTHING = Followed(COURSE, "", None, 0.0)


@dataclass(frozen=True, eq=False)
class Stretch:
    """A stretch of a ring from one place to the next, `end` larger than `start`, and what it follows.

    `shares` tells for every candidate that it also follows for a while how many feet; `roadway` is "middle" midway
    between two roadways, else the way to the other roadway (dx, dy), None for a street with one.
    """

    start: float
    end: float
    what: Followed
    shares: Mapping[int, float]
    roadway: Any = None


@dataclass(frozen=True, eq=False)
class Candidate:
    """A line or area that a ring may follow; `usable` is false for a water that is not navigable."""

    kind: str
    source: Any
    shape: Any
    reach: float
    usable: bool


def candidates(sources: Sources, choices: Choices, foot: float) -> tuple[Candidate, ...]:
    """All lines that the chosen forms allow a boundary to follow, in an order that no layer's order decides."""
    reach = {
        STREET: float(Fraction(choices.street_ft)) * foot,
        THREAD: float(Fraction(choices.street_ft)) * foot,
        SHORE: float(Fraction(choices.shore_ft)) * foot,
        CIVIL: float(Fraction(choices.line_ft)) * foot,
        DISTRICT: float(Fraction(choices.line_ft)) * foot,
    }
    found: list[Candidate] = []
    if "streets_waters" in choices.forms:
        for one in (*sources.streets, *sources.waters):
            found.append(Candidate(one.kind, one, one.shape, reach[one.kind], one.kind == STREET or one.navigable))
    if "districts" in choices.forms:
        found += [Candidate(a.kind, a, shapely.boundary(a.shape), reach[a.kind], True) for a in sources.areas]
    return tuple(sorted(found, key=_order))


def following(ring: Ring, found: Sequence[Candidate], foot: float) -> list[Stretch]:
    """The stretches of a ring in order, the first one starting at the first change; they cover it exactly."""
    steps = steps_of(ring, STEP_FT * foot)
    close = [n for n, one in enumerate(found) if boxes_apart(ring.line, one.shape) <= one.reach + ROADWAYS_FT * foot]
    tracks = [_track(found[number], foot) for number in close]
    fitted = fit(steps, tracks, foot)
    states, cost = _states(steps, fitted, [found[number] for number in close], foot)
    way = cheapest_states(cost, SHORTEST_FT / 2)
    way = absorbed(way, cost, steps.length / foot, SHORTEST_FT)
    result = []
    for run in runs_of(way):
        rows = np.arange(run.first, run.last) % len(steps)
        shares = _shares(steps, fitted, rows, close, foot)
        what = states[run.state]
        # a street that goes all the way round has its other side across, not another roadway
        roadway = _roadway(steps, fitted, rows, close, found, what) if len(rows) < len(steps) else None
        start, end = _ends(steps, ring, run)
        result.append(Stretch(start, end, what, shares, roadway))
    return result


def _ends(steps: Steps, ring: Ring, run: Run) -> tuple[float, float]:
    count = len(steps)
    turns, last = divmod(run.last, count)
    return float(steps.at[run.first]), float(steps.at[last]) + turns * ring.length


def _track(one: Candidate, foot: float) -> Track:
    widest = ROADWAYS_FT * foot if one.kind == STREET and one.source.name else 0.0
    return Track(one.shape, one.reach, math.cos(math.radians(ANGLE[one.kind])), widest)


# States and what they cost


def _states(steps: Steps, fitted: Fit, found: Sequence[Candidate], foot: float) -> tuple[list[Followed], Numbers]:
    """The states worth a look and what each step costs in each; the last state is to follow nothing."""
    feet = steps.length / foot
    follows = np.isfinite(fitted.distance)
    single = [
        number
        for number, one in enumerate(found)
        if one.kind != CIVIL and one.usable and float(feet[follows[:, number]].sum()) >= SHORTEST_FT
    ]
    states = [_followed(found[number]) for number in single]
    rank = np.array([RANK[found[number].kind] for number in single])
    reach = np.array([found[number].reach for number in single])
    costs = [following_cost(fitted.distance[:, single], fitted.near[:, single], reach, rank)]
    civil = [number for number, one in enumerate(found) if one.kind == CIVIL]
    for members, column in _civil_sets(fitted, civil, found, feet):
        states.append(_civil([found[number] for number in members]))
        costs.append(column[:, None])
    costs.append(np.full((len(steps), 1), NO_NAME))
    return [*states, NOTHING], np.hstack(costs) * feet[:, None]


def _civil_sets(
    fitted: Fit, civil: Sequence[int], found: Sequence[Candidate], feet: Numbers
) -> list[tuple[tuple[int, ...], Numbers]]:
    """The sets of towns, cities and villages whose lines some run follows together, with the cost of each step."""
    follows = np.isfinite(fitted.distance[:, civil])
    held: dict[tuple[int, ...], float] = {}
    for row in np.flatnonzero(follows.any(axis=1)):
        members = tuple(civil[place] for place in np.flatnonzero(follows[row]))
        held[members] = held.get(members, 0.0) + float(feet[row])
    sets = []
    for members in sorted(one for one, length in held.items() if length >= SHORTEST_FT):
        inside = np.isin(civil, members)
        distance = np.where(follows, fitted.distance[:, civil], np.inf)[:, inside].min(axis=1)
        reach = np.array([found[members[0]].reach])
        near = fitted.near[:, civil][:, inside].any(axis=1)
        cost = following_cost(distance, near, reach, np.array([RANK[CIVIL]]))
        exact = (follows == inside).all(axis=1)
        sets.append((members, np.where(np.isfinite(distance) & ~exact, PARTLY, cost)))
    return sets


def _followed(one: Candidate) -> Followed:
    source: Union[Line, Area] = one.source
    if isinstance(source, Area):
        return Followed(one.kind, source.name, one.shape, one.reach, "boundary line", f"the {source.name}", source)
    if one.kind == STREET:
        of = source.name or "a street without name"
        return Followed(STREET, source.name, one.shape, one.reach, "centerline", of, source)
    # rivers and canals have an article, lakes and creeks have none
    article = "the " if source.water in ("river", "canal") and source.name[:4].lower() != "the " else ""
    of = f"{article}{source.name}" if source.name else f"a {source.water} without name"
    return Followed(one.kind, source.name, one.shape, one.reach, one.kind, of, source)


def _civil(members: Sequence[Candidate]) -> Followed:
    names = sorted((one.source.name for one in members), key=lambda name: (not name.startswith("Town"), name))
    named = [f"the {name}" for name in names]
    noun = "boundary line" if len(named) < 3 else "common boundary line"
    of = listing(named)
    shape = members[0].shape if len(members) == 1 else shapely.union_all([one.shape for one in members])
    areas = tuple(one.source for one in members)
    joined = "between" if len(named) == 2 else "of"
    return Followed(CIVIL, listing(names), shape, members[0].reach, noun, of, areas, joined)


def _order(one: Candidate) -> tuple[int, str, bytes]:
    return tuple(RANK).index(one.kind), one.source.name, bytes(shapely.to_wkb(shapely.normalize(one.shape)))


# What is known of a stretch


def _shares(steps: Steps, fitted: Fit, rows: Any, close: Sequence[int], foot: float) -> dict[int, float]:
    feet = (np.isfinite(fitted.distance[rows]) * (steps.length[rows] / foot)[:, None]).sum(axis=0)
    return {close[place]: float(feet[place]) for place in np.flatnonzero(feet)}


def _roadway(
    steps: Steps, fitted: Fit, rows: Any, close: Sequence[int], found: Sequence[Candidate], what: Followed
) -> Any:
    """Midway between two roadways, or beside another one, for the greater part of the stretch."""
    place = next((n for n, number in enumerate(close) if found[number].source is what.line), -1)
    if what.kind != STREET or place < 0:
        return None
    length = steps.length[rows]
    if float(length[fitted.middle[rows, place]].sum()) * 2 > float(length.sum()):
        return "middle"
    other = fitted.other[rows, place]
    if float(length[other != 0].sum()) * 2 <= float(length.sum()):
        return None
    normal = np.column_stack([-steps.direction[rows, 1], steps.direction[rows, 0]])
    way = (normal * (other * length)[:, None]).sum(axis=0)
    return float(way[0]), float(way[1])


def _is_width(text: Union[Fraction, str]) -> bool:
    try:
        return Fraction(text) > 0
    except (ValueError, ZeroDivisionError):
        return False
