"""What is read from a description: parcels, calls, ties and problems, each with its place in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Optional

DEGREE = 3_600_000
"""Milliarcseconds: the whole numbers in which angles are kept, so that text → value → text is exact."""
CIRCLE = 360 * DEGREE


@dataclass(frozen=True)
class Span:
    """A stretch of the text: offsets [start, end), and the line and column, from 1, of its first character."""

    start: int
    end: int
    line: int
    column: int


@dataclass(frozen=True)
class Suggestion:
    """A likely reading: what stands in `text[start:end]` would become `replacement`."""

    start: int
    end: int
    replacement: str
    label: str


@dataclass(frozen=True)
class Problem:
    """Something wrong or doubtful at a place. `severity` is error, warning or info; `call` counts from 1, 0 none."""

    code: str
    severity: str
    message: str
    span: Span
    found: str = ""
    expected: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    call: int = 0

    def line_of(self, source: str) -> str:
        """The problem as one line: `FILE:LINE:COL: CODE message | found «…» | expected … | did you mean …?`"""
        words = [f"{source}:{self.span.line}:{self.span.column}: {self.code} {self.message}"]
        if self.found:
            words.append(f"found «{' '.join(self.found.split())}»")
        if self.expected:
            words.append(f"expected {self.expected}")
        if self.suggestions:
            words.append(f"did you mean {' or '.join(one.label for one in self.suggestions)}?")
        return " | ".join(words)


@dataclass(frozen=True)
class Direction:
    """A direction: azimuth in milliarcseconds clockwise from the text's north, and the last unit that it was given in.

    `letters` are the offsets of the two letters (or words) of a quadrant bearing, empty for other forms.
    """

    azimuth: int
    unit: int
    span: Span
    letters: tuple[tuple[int, int], ...] = ()
    components: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Distance:
    """A length: exact, in feet of the traverse, with the size of its last decimal and its place.

    `number` is where the figure (or words) of a length with one unit stands, `unit_feet` what one of it is in feet.
    """

    feet: Fraction
    last: Fraction
    span: Span
    approximate: bool = False
    number: tuple[int, int] = (0, 0)
    unit_feet: Fraction = Fraction(1)


@dataclass(frozen=True)
class Curve:
    """A circular curve as it is stated; what is not stated is None. Angles in milliarcseconds, `side` right or left."""

    side: str
    radius: Optional[Distance] = None
    arc: Optional[Distance] = None
    delta: Optional[int] = None
    chord: Optional[Distance] = None
    chord_bearing: Optional[Direction] = None
    tangent_length: Optional[Distance] = None
    degree: Optional[int] = None
    tangency: str = ""
    radial: Optional[Direction] = None
    side_span: Optional[Span] = None


@dataclass(frozen=True)
class Call:
    """One course. `kind` is line, angle (interior angle), curve, winding, adjoiner or unread.

    `wind` is the compass word in degrees, which checks and chooses but never decides alone. `sinuous` is a line that
    winds or is only roughly known, and so has no bearing even where it could be solved from closure.
    """

    no: int
    kind: str
    span: Span
    raw: str
    direction: Optional[Direction] = None
    distance: Optional[Distance] = None
    curve: Optional[Curve] = None
    angle: Optional[int] = None
    wind: Optional[int] = None
    along: str = ""
    end_monument: str = ""
    item: Optional[int] = None
    sinuous: bool = False
    tangent: bool = False
    closes: bool = False


@dataclass(frozen=True)
class Tie:
    """Calls that lead to the start (to_start), place it (from_start) or place a corner (side_tie): never boundary."""

    kind: str
    calls: tuple[Call, ...]
    anchor_text: str = ""
    at_call: int = 0


@dataclass(frozen=True)
class Parcel:
    """A closed figure of the text: its boundary calls, its ties and what is stated of its area."""

    role: str
    label: str
    start: str
    calls: tuple[Call, ...]
    ties: tuple[Tie, ...] = ()
    coordinates: Optional[tuple[Fraction, Fraction]] = None
    stated_acres: Optional[Fraction] = None
    stated_text: str = ""
    problems: tuple[Problem, ...] = ()
    span: Optional[Span] = None

    @property
    def lines(self) -> int:
        """Straight boundary courses with a direction."""
        return sum(call.kind in ("line", "angle") for call in self.calls)

    @property
    def curves(self) -> int:
        """Curved boundary courses."""
        return sum(call.kind == "curve" for call in self.calls)

    @property
    def tie_legs(self) -> tuple[Call, ...]:
        """The legs from the point of commencement to the point of beginning."""
        return tuple(call for tie in self.ties if tie.kind == "to_start" for call in tie.calls)


@dataclass(frozen=True)
class UnusedNumber:
    """A number of the text that is no part of any course, so that nothing disappears."""

    text: str
    span: Span


@dataclass(frozen=True)
class Description:
    """A text as read: its parcels and what belongs to none of them."""

    text: str
    parcels: tuple[Parcel, ...]
    problems: tuple[Problem, ...] = ()
    unused: tuple[UnusedNumber, ...] = ()
    basis: str = ""
    tokens: tuple[tuple[Span, str], ...] = field(default=(), repr=False)

    def all_problems(self) -> tuple[Problem, ...]:
        """All problems in the order of the text."""
        every = [*self.problems, *(one for parcel in self.parcels for one in parcel.problems)]
        return tuple(sorted(every, key=lambda one: (one.span.start, one.code, one.message)))


@dataclass(frozen=True)
class Options:
    """How a text is to be read. `foot_m` is the length of the text's foot; `unit` what a number without unit is in."""

    azimuth: bool = False
    foot_m: Fraction = Fraction(1200, 3937)
    unit: str = "foot"


def corrected(text: str, suggestions: Sequence[Suggestion]) -> str:
    """The text with readings accepted by a person. Raises `ValueError` where two of them touch the same characters."""
    ordered = sorted(suggestions, key=lambda one: one.start)
    for first, second in zip(ordered, ordered[1:]):
        if second.start < first.end:
            raise ValueError("two readings change the same words")
    for one in reversed(ordered):
        text = text[: one.start] + one.replacement + text[one.end :]
    return text
