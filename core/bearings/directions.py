"""Directions in words: quadrant bearings in all their spellings, cardinals, azimuths, compass words, angles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from .calls import CIRCLE, DEGREE, Direction, Suggestion
from .scanner import Token
from .vocabulary import (
    CARDINALS,
    DEGREES,
    EAST_WEST,
    MINUTES,
    NORTH_SOUTH,
    OTHER_ANGLES,
    SECONDS,
    UNITS,
    WINDS,
)
from .words import Words

MINUTE, SECOND = DEGREE // 60, DEGREE // 3600
MARKS = ("degree", "minute", "second")
NAMES = ("degrees", "minutes", "seconds")
SIGNS = ("°", "'", '"')
_MARK_WORDS = (DEGREES, MINUTES, SECONDS)
_UNITS = (DEGREE, MINUTE, SECOND)


@dataclass(frozen=True)
class Angle:
    """Degrees, minutes and seconds as read; `value` is None where they are out of range. `end` is the next token."""

    value: Optional[int]
    unit: int
    end: int
    components: tuple[tuple[int, int], ...]
    glued_letter: str = ""


def is_bearing(words: Words, position: int) -> bool:
    """Whether a quadrant bearing begins here: a letter or word for north or south, then a number."""
    token = words[position]
    if token.kind != "word" or token.text not in NORTH_SOUTH:
        return False
    place = words.skip(position + 1, ".")
    if words[place].kind == "number":
        return _ends_as_angle(words, place)
    number = words.number(place) if words[place].kind == "word" else None
    return number is not None and words[number.end].text in DEGREES


def _ends_as_angle(words: Words, place: int) -> bool:
    """Whether degree mark, separators or a quadrant letter follow the number, so that it is no lot or house number."""
    after = words[place + 1]
    if after.kind in MARKS or after.text in DEGREES or after.text in OTHER_ANGLES or _letter(after)[0]:
        return True
    after = words[words.skip(place + 1, "-", ":", ",", "and")]
    return after.kind == "number" or bool(_letter(after)[0])


def _letter(token: Token) -> tuple[str, str]:
    """The quadrant letter that a word ends in, and the mark that is glued to its front: “sW” is (“w”, “s”)."""
    if token.kind != "word":
        return "", ""
    text = token.text
    if text in EAST_WEST:
        return text, ""
    head = text[:-1]
    if text[-1] in "ew" and any(head in some for some in _MARK_WORDS):
        return text[-1], head
    return "", ""


def bearing(words: Words, position: int) -> tuple[Optional[Direction], int]:
    """A quadrant bearing and the next position; the direction is None where it cannot be read, which is a problem."""
    first, said = words[position], len(words.problems)
    angle = degrees_minutes_seconds(words, words.skip(position + 1, "."), limit=90)
    place = angle.end
    if words.is_word(place, *OTHER_ANGLES):
        span = words.span(position, place + 1)
        words.problem("M-DMS", "error", f"{words[place].text} are not read", span, "degrees, minutes and seconds")
        place += 1
        return None, place + 1 if words[place].text in EAST_WEST else place
    letter = angle.glued_letter
    last = words[place - 1]
    if not letter:
        place = words.skip(place, ",") if words[words.skip(place, ",")].text in EAST_WEST else place
        last = words[place]
        letter, _ = _letter(last)
        if not letter:
            span = words.span(position, place)
            at = words[place - 1].end
            either = [Suggestion(at, at, f" {one}", one) for one in ("E", "W")]
            words.problem("M-QUAD", "error", "the bearing has no quadrant", span, "E or W after the angle", either)
            words.use(position, place)
            return None, place
        place += 1
    if words.is_word(place, ".") and len(letter) == 1 and words[place].start == last.end:
        place += 1
    words.use(position, place)
    if angle.value is None:
        words.widen(said, position, place)
        return None, place
    north, east = NORTH_SOUTH[first.text], EAST_WEST[letter]
    azimuth = {(1, 1): angle.value, (-1, 1): CIRCLE // 2 - angle.value}.get((north, east))
    if azimuth is None:
        azimuth = CIRCLE - angle.value if north == 1 else CIRCLE // 2 + angle.value
    letters = ((first.start, first.end), (last.end - len(letter), last.end))
    span = words.source.span(first.start, last.end)
    return Direction(azimuth % CIRCLE, angle.unit, span, letters, angle.components), place


def cardinal(words: Words, position: int) -> Optional[tuple[Direction, int]]:
    """“due East”, “West” or “W.”; whether a distance follows is for the caller to see."""
    place = words.skip(position, "due")
    token = words[place]
    if token.kind != "word" or token.text not in CARDINALS:
        return None
    if len(token.text) == 1 and not token.raw.isupper():
        return None
    end = place + 1
    if len(token.text) == 1 and words.is_word(end, "."):
        end += 1
    span = words.span(position, place + 1)
    return Direction(CARDINALS[token.text] * DEGREE, SECOND, span, ((token.start, token.end),)), end


def azimuth(words: Words, position: int, bare: bool) -> Optional[tuple[Optional[Direction], int]]:
    """“azimuth 315°00'00"”, or a bare angle where the person who reads has said that angles are azimuths."""
    place = position
    if words.is_word(place, "azimuth", "az"):
        place = words.skip(place + 1, ".", "of", ":", "=")
    elif not (bare and is_bare_angle(words, place)):
        return None
    if words[place].kind != "number":
        return None
    angle = degrees_minutes_seconds(words, place, limit=360)
    words.use(place, angle.end)
    if angle.value is None:
        return None, angle.end
    span = words.span(position, angle.end)
    return Direction(angle.value % CIRCLE, angle.unit, span, (), angle.components), angle.end


def is_bare_angle(words: Words, position: int) -> bool:
    """A number with a degree mark."""
    after = words[position + 1]
    return words[position].kind == "number" and (after.kind == "degree" or after.text in DEGREES[1:])


def wind(words: Words, position: int) -> Optional[tuple[int, int]]:
    """A compass word (“Southerly”, “north-easterly”) as degrees and the next position."""
    token = words[position]
    if token.kind != "word":
        return None
    if token.text in WINDS:
        return WINDS[token.text], position + 1
    joined = f"{token.text}-{words[position + 2].text}"
    if words.is_word(position + 1, "-") and joined in WINDS:
        return WINDS[joined], position + 3
    return None


def degrees_minutes_seconds(words: Words, position: int, limit: int) -> Angle:
    """An angle from degrees, and minutes and seconds where they are given; problems are added for what is doubtful.

    Values out of range (`M-DMS`) give no angle but the readings that would be in range. A mark that is missing
    (`M-MARK`) is assumed only where exactly three numbers stand there.
    """
    values: list[tuple[Fraction, Fraction, Token, int]] = []
    marked: list[bool] = []
    place, glued, dashed = position, "", False
    while len(values) < 3:
        number = words.number(place)
        if number is None:
            break
        token = words[place]
        values.append((number.value, number.last, token, number.end))
        step = len(values) - 1
        place = number.end
        letter, head = _letter(words[place])
        if letter and head in _MARK_WORDS[step] + ("",):
            marked.append(bool(head) or words[place].kind != "word")
            if head:
                glued, place = letter, place + 1
            break
        has_mark, place = _mark(words, place, step)
        marked.append(has_mark)
        place = _agreeing_figures(words, position, place, values)
        after = words.skip(place, "-", ":", "and", ",")
        numeric = words[after].kind == "number" or (words[after].kind == "word" and words.number(after) is not None)
        if len(values) == 3 or not numeric or not _goes_on(words, place, after, has_mark, dashed, len(values)):
            break
        dashed = dashed or after > place
        place = after
    return _angle(words, position, place, values, marked, glued, limit)


def _goes_on(words: Words, place: int, after: int, has_mark: bool, dashed: bool, seen: int) -> bool:
    """Whether the number after a component is the next component and not, say, the distance."""
    if words.is_word(place, ","):
        return has_mark and _mark(words, after + 1, seen)[0]
    number = words.number(after)
    if number is None:
        return False
    nearby = words[number.end]
    if nearby.kind == "number" and seen < 2:
        return True
    if after > place and words.is_word(place, "-", ":"):
        return True
    if _mark(words, number.end, seen)[0] or bool(_letter(nearby)[0]):
        return True
    # The last mark of three may be missing; a number with decimals and a unit is a distance.
    whole = number.last == 1 and number.value < 60
    return has_mark and seen == 2 and whole and nearby.kind != "minute" and nearby.text not in UNITS


def _mark(words: Words, position: int, step: int) -> tuple[bool, int]:
    token = words[position]
    if token.kind == MARKS[step]:
        return True, position + 1
    if token.kind == "word" and token.text in _MARK_WORDS[step]:
        return True, position + 2 if words.is_word(position + 1, ".") else position + 1
    return False, position


def _agreeing_figures(words: Words, start: int, place: int, values: list[tuple[Fraction, Fraction, Token, int]]) -> int:
    """The position after figures in brackets that repeat an angle in words: nine degrees twenty minutes (9° 20')."""
    if values[0][2].kind != "word" or not (words.is_word(place, "(") and words[place + 1].kind == "number"):
        return place
    if not is_bare_angle(words, place + 1):
        return place
    figures = degrees_minutes_seconds(words, place + 1, limit=360)
    spelled = sum(value * unit for (value, *_), unit in zip(values, _UNITS))
    if figures.value != spelled:
        words.problem("M-PAIR", "error", "the angle in words and in figures differ", words.span(start, figures.end))
    words.use(place, figures.end)
    return figures.end + 1 if words.is_word(figures.end, ")") else figures.end


def _angle(
    words: Words,
    position: int,
    place: int,
    values: list[tuple[Fraction, Fraction, Token, int]],
    marked: list[bool],
    glued: str,
    limit: int,
) -> Angle:
    components = tuple((token.start, words[end - 1].end) for _, _, token, end in values)
    unit = max(1, int(_UNITS[max(len(values) - 1, 0)] * (values[-1][1] if values else 1)))
    if not values or _out_of_range(words, position, values, limit):
        return Angle(None, unit, place, components, glued)
    total = sum(value * one for (value, *_), one in zip(values, _UNITS))
    span = words.span(position, place)
    if total > limit * DEGREE:
        words.problem("M-DMS", "error", f"the angle is above {limit} degrees", span, f"0–{limit}°")
        return Angle(None, unit, place, components, glued)
    if any(marked) and not all(marked):
        missing = [NAMES[step][:-1] for step, has in enumerate(marked) if not has]
        message = f"{' and '.join(missing)} mark missing"
        if len(values) == 3:
            inserted = [
                Suggestion(end, end, SIGNS[step], f"{words.source.text[start:end]}{SIGNS[step]}")
                for step, (has, (start, end)) in enumerate(zip(marked, components))
                if not has
            ]
            words.problem("M-MARK", "info", message, span, "degrees, minutes and seconds", inserted[:1])
        else:
            at, sign = components[-1][1], SIGNS[len(values) - 1]
            inserted = [Suggestion(at, at, sign, sign)]
            words.problem("M-DMS", "error", message, span, "degrees and minutes with their marks", inserted)
            return Angle(None, unit, place, components, glued)
    exact = Fraction(total)
    return Angle((2 * exact.numerator + exact.denominator) // (2 * exact.denominator), unit, place, components, glued)


def _out_of_range(words: Words, position: int, values: list[tuple[Fraction, Fraction, Token, int]], limit: int) -> bool:
    wrong = False
    for step, (value, _, token, end) in enumerate(values):
        top = limit if step == 0 else 60
        digits = token.text.partition(".")[0] if token.kind == "number" else ""
        if (value <= top if step == 0 else value < 60) and (step == 0 or len(digits) <= 2):
            continue
        wrong = True
        expected = f"0–{top}" if step == 0 else "0–59"
        rule = "must not be above" if step == 0 else "must be below"
        text = f"{NAMES[step]} {rule} {top}" if len(digits) <= 2 else f"{NAMES[step]} have more digits than they can"
        likely = [
            Suggestion(token.start, token.end, reading, f"{reading}{SIGNS[step]}")
            for reading in _readings(token.text, top, step == 0)
        ]
        words.problem("M-DMS", "error", text, words.span(position, end), expected, likely)
    return wrong


def _readings(text: str, top: int, including: bool) -> list[str]:
    """Single-digit and swapped-digit readings of a number that are in range, the swap first."""
    whole, point, rest = text.partition(".")
    if len(whole) == 2:
        tried = [whole[::-1], f"0{whole[1]}"]
    else:
        tried = [whole[:place] + whole[place + 1 :] for place in range(len(whole))]
    good: list[str] = []
    for one in tried:
        if one.isdigit() and (int(one) < top or (including and int(one) == top)) and one + point + rest not in good:
            good.append(one + point + rest)
    return good
