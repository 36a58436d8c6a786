"""A text to parcels: which calls are boundary and which are ties, where a parcel closes, what is said of its area."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Optional

from .anchors import Header, Segment, segments
from .calls import Call, Description, Options, Parcel, Problem, Span, Tie, UnusedNumber
from .files import other_form
from .reader import State, calls_of
from .scanner import Source
from .vocabulary import WIND_TOLERANCE
from .words import Words

SQUARE_FEET_PER_ACRE = 43560
_CLOSING = re.compile(
    r"\bto (?:[^;]{0,40}? )?(?:(?:point|place)\b[^;]{0,30}?\bof (?:the )?(?:place of )?beginning\b|p\.?o\.?b\b\.?)",
    re.IGNORECASE,
)
_BASIS = (("magnetic", re.compile(r"\bmagnetic\b", re.IGNORECASE)), ("true", re.compile(r"\btrue\s+north", re.I)))


@dataclass
class _Group:
    """A list announced by a header, and the calls found of it."""

    header: Header
    along: str
    found: int = 0
    by_items: bool = True


@dataclass
class _Builder:
    """A parcel in the making."""

    role: str
    label: str
    start: str
    first: int
    last: int = 0
    implicit: bool = False
    commences: bool = False
    closed: bool = False
    verbs: bool = False
    calls: list[Call] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    coordinates: Optional[tuple[Fraction, Fraction]] = None


def parse(text: str, options: Optional[Options] = None) -> Description:
    """Read a description: parcels with their calls in order, ties, problems with their places, numbers not used.

    Nothing is corrected: a doubtful reading is a problem with its alternative as a suggestion. Never raises for what
    stands in the text.
    """
    refusal = other_form(text)
    if refusal:
        where = Source(text).span(0, min(1, len(text)))
        return Description(text, (), (Problem("M-FORM", "error", refusal, where),))
    return _Assembly(text, options or Options()).description()


class _Assembly:
    def __init__(self, text: str, options: Options) -> None:
        self.source = Source(text)
        self.words = Words(self.source)
        self.options = options
        self.done: list[Parcel] = []
        self.builder: Optional[_Builder] = None
        self.label, self.role = "", "include"
        self.groups: list[_Group] = []
        self.state = State(options)

    def description(self) -> Description:
        """The whole text as read."""
        for segment in segments(self.words):
            self._take(segment)
        self._finish(len(self.words))
        if not any(parcel.calls for parcel in self.done):
            span = self.source.span(0, min(1, len(self.source.text)))
            self.words.problem("M-EMPTY", "error", "no course is stated in this text", span, "bearings and distances")
        parcels = self._with_problems()
        held = {one for parcel in parcels for one in (replace(each, call=0) for each in parcel.problems)}
        loose = tuple(one for one in self.words.problems if one not in held)
        return Description(self.source.text, parcels, loose, self._unused(), self._basis())

    # Segments

    def _take(self, segment: Segment) -> None:
        if segment.kind in ("label", "except") and (self.builder is None or self.builder.closed or self.done == []):
            self._separate(segment)
            return
        if segment.kind == "start" and self._opens(segment):
            self._finish(segment.anchor)
            self.builder = self._new(segment)
        if self.builder is None:
            self.builder = _Builder(self.role, self.label, "", segment.anchor, implicit=True)
            self.label = ""
        builder = self.builder
        if segment.kind == "thence":
            builder.verbs = True
        if builder.closed and not builder.commences and segment.kind not in ("thence", "item"):
            return
        calls, ties = calls_of(self.words, segment, segment.start, self.state)
        before = len(builder.calls)
        self._count(segment, len(calls))
        along = self.groups[-1].along if self.groups and segment.kind == "item" else ""
        for call in calls:
            self._add(builder, replace(call, along=call.along or along), segment)
        for at, tie in ties:
            builder.ties.append(replace(tie, at_call=0 if tie.kind == "from_start" else before + at))

    def _separate(self, segment: Segment) -> None:
        self._finish(segment.anchor)
        if segment.kind == "label":
            self.label = segment.text.rstrip(":.-) ")
        else:
            self.role = "except"

    def _opens(self, segment: Segment) -> bool:
        builder = self.builder
        if builder is None or builder.closed or not builder.calls:
            return True
        raw = self.words[segment.anchor].raw
        return builder.start != "" and raw.isupper()

    def _new(self, segment: Segment) -> _Builder:
        words = self.words
        end = next((at for at in range(segment.start, segment.end) if words.is_word(at, ";")), segment.end)
        start = words.raw(segment.anchor, end)
        commences = segment.text == "commencing" or "point of commencement" in start.lower()
        builder = _Builder(self.role, self.label, start, segment.anchor, commences=commences)
        builder.coordinates = self._coordinates(segment)
        self.label, self.role, self.groups, self.state = "", "include", [], State(self.options)
        return builder

    def _coordinates(self, segment: Segment) -> Optional[tuple[Fraction, Fraction]]:
        words, found = self.words, {}
        for at in range(segment.start, segment.end):
            if words.is_word(at, "n", "e") and words.is_word(at + 1, "=", ":"):
                number = words.number(at + 2)
                if number is not None:
                    words.use(at, number.end)
                    found[words[at].text] = number.value
        return (found["e"], found["n"]) if len(found) == 2 else None

    def _add(self, builder: _Builder, call: Call, segment: Segment) -> None:
        if builder.closed:
            if not builder.commences or any(tie.kind == "to_start" for tie in builder.ties):
                self.words.problem(
                    "M-AFTER", "warning", "this stands after the end of the parcel and is not read", call.span
                )
                return
            builder.ties.append(Tie("to_start", tuple(builder.calls), builder.start))
            builder.calls, builder.closed = [], False
        closing = _CLOSING.search(call.end_monument)
        if closing:
            monument = call.end_monument[: closing.end()]
            call, builder.closed = replace(call, closes=True, end_monument=monument), True
        builder.calls.append(replace(call, no=len(builder.calls) + 1))

    def _count(self, segment: Segment, found: int) -> None:
        """Counts the calls of lists against what their headers say."""
        begins = segment.item == 1 and any(group.found for group in self.groups)
        if segment.kind != "item" or begins:
            self._close_groups()
        if segment.header is not None:
            along = self._header_along(segment) if segment.kind != "item" else ""
            group = _Group(segment.header, along, by_items=segment.kind == "item" or found == 0)
            self.groups.append(group)
            if segment.kind != "item":
                group.found += found
                return
        for group in self.groups:
            group.found += found if segment.kind == "item" else 0

    def _header_along(self, segment: Segment) -> str:
        words, raw = self.words, ""
        for at in range(segment.start, segment.end):
            if words.is_word(at, "along", "through"):
                end = at + 1
                while end < segment.end and not words.is_word(end, "the", ",", ":") or end == at + 1:
                    end += 1
                raw = words.raw(at + 1, end)
                if words.is_word(end, "the") and not words.is_word(end + 1, "following"):
                    rest = next((stop for stop in range(end, segment.end) if words.is_word(stop, ":", ",")), end)
                    raw = words.raw(at + 1, rest)
                break
        return raw

    def _close_groups(self) -> None:
        for group in self.groups:
            count = group.header.count
            if count is not None and group.found and count != group.found:
                message = f"{count} courses are announced, {group.found} follow"
                self.words.problem("M-COUNT", "warning", message, group.header.span, f"{count} courses")
        self.groups = []

    # A parcel

    def _finish(self, end: int) -> None:
        builder = self.builder
        self._close_groups()
        self.builder = None
        if builder is None:
            return
        builder.last = end
        acres, stated = self._area(builder.first, end)
        if not builder.calls and not builder.start:
            return
        self._check(builder)
        number = len(self.done) + 1
        self.done.append(
            Parcel(
                builder.role,
                builder.label or f"Parcel {number}",
                builder.start,
                tuple(builder.calls),
                tuple(builder.ties),
                builder.coordinates,
                acres,
                stated,
                span=self.words.span(builder.first, end),
            )
        )

    def _check(self, builder: _Builder) -> None:
        words, calls = self.words, builder.calls
        for first, second in zip(calls, calls[1:]):
            if _twice(first, second):
                words.problem("M-TWICE", "warning", f"calls {first.no} and {second.no} say the same", second.span)
        for call in calls:
            if "tax lot" in call.along.lower():
                words.problem("V-01", "warning", "a line of a tax lot is no street or navigable water", call.span)
            if call.direction is not None and call.wind is not None and call.kind == "line":
                if apart(call.direction.azimuth / 3_600_000, call.wind) > WIND_TOLERANCE:
                    words.problem("M-WIND", "warning", "the bearing and the compass word differ", call.span)
        if calls and not calls[-1].closes and (builder.start or builder.verbs):
            message = "the last course does not lead back to the beginning"
            words.problem("M-OPEN", "warning", message, calls[-1].span, "“to the point or place of beginning”")

    def _area(self, first: int, end: int) -> tuple[Optional[Fraction], str]:
        words = self.words
        for at in range(first, end):
            if not words.is_word(at, "containing", "contains", "contain"):
                continue
            number = words.number(words.skip(at + 1, "about", "approximately", ":", "an", "area", "of"))
            if number is None:
                continue
            stop = number.end
            if words.is_word(stop, "acres", "acre"):
                words.use(at, stop)
                return number.value, words.raw(at + 1, stop + 1)
            if words.is_word(stop, "square", "sq"):
                words.use(at, stop)
                unit = words.skip(stop + 1, ".")
                self._use_second(unit + 1)
                return number.value / SQUARE_FEET_PER_ACRE, words.raw(at + 1, unit + 1)
        return None, ""

    def _use_second(self, at: int) -> None:
        """Acres in brackets after square feet."""
        if self.words.is_word(at, "(") and self.words.is_word(at + 2, "acres", "acre"):
            self.words.use(at, at + 2)

    # The whole

    def _with_problems(self) -> tuple[Parcel, ...]:
        parcels = []
        for parcel in self.done:
            span = parcel.span
            mine = [one for one in self.words.problems if span and span.start <= one.span.start < span.end]
            parcels.append(replace(parcel, problems=tuple(numbered(one, parcel.calls) for one in mine)))
        return tuple(parcels)

    def _unused(self) -> tuple[UnusedNumber, ...]:
        return tuple(
            UnusedNumber(token.raw, self.source.span(token.start, token.end))
            for token in self.source.tokens
            if token.kind == "number" and token.order not in self.words.used
        )

    def _basis(self) -> str:
        return next((name for name, pattern in _BASIS if pattern.search(self.source.text)), "")


def numbered(problem: Problem, calls: Sequence[Call]) -> Problem:
    """The problem with the number of the call that it stands in."""
    for call in calls:
        if _meets(call.span, problem.span):
            return replace(problem, call=call.no)
    return problem


def apart(first: float, second: float) -> float:
    """The angle between two azimuths, 0 to 180 degrees."""
    return abs((first - second + 180.0) % 360.0 - 180.0)


def _meets(one: Span, other: Span) -> bool:
    return one.start <= other.start < one.end or other.start <= one.start < other.end


def _twice(first: Call, second: Call) -> bool:
    if first.distance is None or second.distance is None or first.kind != second.kind or first.kind == "curve":
        return False
    same_way = (
        first.direction.azimuth == second.direction.azimuth
        if first.direction and second.direction
        else first.wind == second.wind and first.wind is not None and first.kind == "winding"
    )
    return first.distance.feet == second.distance.feet and same_way and bool(first.item and second.item)
