"""A curve in words: what is stated of radius, arc, delta, chord, tangent and degree, and to which side it turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Optional

from .calls import Curve, Direction, Distance, Options
from .directions import bearing, degrees_minutes_seconds, is_bearing
from .distances import bare, distance
from .words import Words

CURVE_WORDS = ("curve", "curves", "curving", "curved", "arc")
STATED = ("radius", "arc", "delta", "central", "chord")
_FILLERS = (
    "of a an is being the length distance angle equal to bears bearing which , : = having with at measured for long"
    " subtended by whose"
).split()


def curve_at(words: Words, start: int, end: int) -> Optional[int]:
    """Where, in [start, end), a curve is named of which something is stated there; None where there is none."""
    named = next((at for at in range(start, end) if words.is_word(at, *CURVE_WORDS)), None)
    if named is None:
        return None
    for at in range(start, end):
        if not words.is_word(at, *STATED):
            continue
        value = words.skip(at + 1, *_FILLERS, *STATED)
        if value < end and (words.number(value) is not None or is_bearing(words, value)):
            return named
        if words.is_word(at, "radius") and _before(words, at) is not None:
            return named
    return None


def side_in(words: Words, start: int, end: int) -> Optional[int]:
    """The token that says to which side the curve turns."""
    for at in range(start, end):
        of_way = words.says(at, "right of way") or words.says(at, "right - of")
        if words.is_word(at, "left", "right") and not of_way:
            return at
    return None


def is_of_chord(words: Words, position: int, start: int) -> bool:
    """Whether the direction at a position belongs to a chord, a radius or a tangent and is no course."""
    for back in range(position - 1, max(start, position - 7) - 1, -1):
        if words.is_word(back, "chord", "radial", "radius", "tangent"):
            return True
        if words[back].kind in ("number", "minute", "second") or words.is_word(back, ";"):
            return False
    return False


def read_curve(words: Words, start: int, end: int, side: str, options: Options) -> tuple[Curve, int]:
    """The curve that the tokens [start, end) state, and the position after the last value of it."""
    curve, last = Curve(side, tangency=_tangency(words, start, end)), start
    for at in range(start, end):
        name = words[at].text if words[at].kind == "word" else ""
        reader = _READERS.get(name)
        if reader is None:
            continue
        value = words.skip(at + 1, *_FILLERS)
        found = reader(words, curve, at, value, options)
        if found is not None:
            curve, stop = found
            words.use(at, stop)
            last = max(last, stop)
    if curve.arc is None:
        said = _said_distance(words, start, end, options, curve)
        if said is not None:
            curve, last = replace(curve, arc=said[0]), max(last, said[1])
    return curve, last


_Found = Optional[tuple[Curve, int]]


def _tangency(words: Words, start: int, end: int) -> str:
    for at in range(start, end):
        if words.says(at, "non - tangent") or words.says(at, "not tangent") or words.is_word(at, "nontangent"):
            return "non-tangent"
        if words.is_word(at, "tangent") and words.is_word(at + 1, "to", "curve"):
            return "tangent"
    return ""


def _length(words: Words, position: int, options: Options) -> Optional[tuple[Distance, int]]:
    return distance(words, position, options) or bare(words, position, options.unit, options)


def _before(words: Words, position: int) -> Optional[int]:
    """Where the length before “100.00 foot radius” begins."""
    for back in (position - 2, position - 3, position - 4):
        if back >= 0 and words[back].kind == "number" and words.is_word(back - 1, "a", "an", ",", "having", "with"):
            return back
    return None


def _radius(words: Words, curve: Curve, at: int, value: int, options: Options) -> _Found:
    if curve.radius is not None:
        return None
    if is_bearing(words, value):
        direction, stop = bearing(words, value)
        curve = replace(curve, radial=direction)
        also = distance(words, words.skip(stop, *_FILLERS), options)
        return (curve, stop) if also is None else (replace(curve, radius=also[0]), also[1])
    found = _length(words, value, options)
    if found is None:
        before = _before(words, at)
        found = _length(words, before, options) if before is not None else None
    return None if found is None else (replace(curve, radius=found[0]), max(found[1], at + 1))


def _radial(words: Words, curve: Curve, at: int, value: int, options: Options) -> _Found:
    if not is_bearing(words, value):
        return None
    direction, stop = bearing(words, value)
    return replace(curve, radial=direction), stop


def _arc(words: Words, curve: Curve, at: int, value: int, options: Options) -> _Found:
    found = _length(words, value, options) if curve.arc is None else None
    return None if found is None else (replace(curve, arc=found[0]), found[1])


def _delta(words: Words, curve: Curve, at: int, value: int, options: Options) -> _Found:
    if curve.delta is not None or words.number(value) is None:
        return None
    angle = degrees_minutes_seconds(words, value, limit=360)
    return replace(curve, delta=angle.value), angle.end


def _chord(words: Words, curve: Curve, at: int, value: int, options: Options) -> _Found:
    direction: Optional[Direction] = None
    stop = value
    if is_bearing(words, value) and curve.chord_bearing is None:
        direction, stop = bearing(words, value)
        curve = replace(curve, chord_bearing=direction)
        value = words.skip(stop, *_FILLERS, "and", "chord")
    found = _length(words, value, options) if curve.chord is None else None
    if found is not None:
        return replace(curve, chord=found[0]), found[1]
    return (curve, stop) if direction is not None else None


def _tangent(words: Words, curve: Curve, at: int, value: int, options: Options) -> _Found:
    found = distance(words, value, options) if curve.tangent_length is None else None
    return None if found is None else (replace(curve, tangent_length=found[0]), found[1])


def _degree(words: Words, curve: Curve, at: int, value: int, options: Options) -> _Found:
    if not words.says(at, "degree of curve") and not words.says(at, "degree of curvature"):
        return None
    value = words.skip(at + 3, *_FILLERS)
    if words.number(value) is None:
        return None
    angle = degrees_minutes_seconds(words, value, limit=360)
    return replace(curve, degree=angle.value), angle.end


_READERS: dict[str, Callable[[Words, Curve, int, int, Options], _Found]] = {
    "radius": _radius,
    "radial": _radial,
    "arc": _arc,
    "delta": _delta,
    "central": _delta,
    "chord": _chord,
    "tangent": _tangent,
    "degree": _degree,
}


def _said_distance(
    words: Words, start: int, end: int, options: Options, curve: Curve
) -> Optional[tuple[Distance, int]]:
    """“along the curve a distance of 97.24 feet”: the arc, where it is not named as such."""
    taken = [one.span.start for one in (curve.radius, curve.chord, curve.tangent_length) if one is not None]
    for at in range(start, end):
        if words.says(at, "distance of") and not words.is_word(at - 1, "chord", "tangent"):
            found = distance(words, at + 2, options)
            if found is not None and found[0].span.start not in taken:
                words.use(at, found[1])
                return found
    return None
