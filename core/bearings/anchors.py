"""Where courses, lists and parcels begin: verbs, list numbers and headings, never commas and full stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .calls import Span
from .words import Words

STARTS = ("beginning", "commencing")
EXCEPTIONS = ("excepting", "except", "exception")
LABELS = ("parcel", "area", "tract")
_VERBS = frozenset(("thence", *STARTS, *EXCEPTIONS, *LABELS))
_WITHIN = 12
"""Words in which “following five (5) courses” comes to its noun."""


@dataclass(frozen=True)
class Header:
    """“the following five (5) courses and distances”: how many are said to follow."""

    count: Optional[int]
    remaining: bool
    span: Span
    end: int


@dataclass(frozen=True)
class Segment:
    """The tokens [start, end) after an anchor: thence, item, start, label, except or preamble."""

    kind: str
    start: int
    end: int
    item: Optional[int] = None
    anchor: int = 0
    text: str = ""
    header: Optional[Header] = None


def segments(words: Words) -> list[Segment]:
    """The text cut at its anchors, empty pieces left out."""
    cuts: list[tuple[str, int, int, Optional[int], str]] = [("preamble", 0, 0, None, "")]
    headers: dict[int, Header] = {}
    expected, place = 0, 0
    while place < len(words):
        header = header_at(words, place)
        if header is not None:
            headers[place] = header
            expected = expected if header.remaining else 1
            words.use(place, header.end)
            place = header.end
            continue
        found = _anchor(words, place, expected)
        if found is None:
            place += 1
            continue
        kind, end, item, text = found
        if item is not None:
            expected = item + 1
        elif kind in ("start", "label"):
            expected = 0
        words.use(place, end)
        cuts.append((kind, place, end, item, text))
        place = end
    made = []
    for number, (kind, anchor, begin, item, text) in enumerate(cuts):
        end = cuts[number + 1][1] if number + 1 < len(cuts) else len(words)
        if words.skip(begin, ",", ";", ".", ":", "and") >= end and kind in ("thence", "preamble"):
            continue
        inside = next((headers[at] for at in range(anchor, end) if at in headers), None)
        made.append(Segment(kind, begin, end, item, anchor, text, inside))
    return made


def header_at(words: Words, position: int) -> Optional[Header]:
    """“following … courses”, “remaining four courses”; None where there is none here."""
    if words[position].text not in ("following", "remaining"):
        return None
    noun = next(
        (at for at in range(position + 1, position + _WITHIN) if words.is_word(at, "courses", "course", "calls")), None
    )
    if noun is None:
        return None
    number = words.number(position + 1)
    if number is None and words.is_word(position + 1, "("):
        number = words.number(position + 2)
    if noun - position > (number.end - position + 2 if number else 2):
        return None
    end = noun + 1
    if words.says(end, "and distances"):
        end += 2
    count = int(number.value) if number is not None else None
    return Header(count, words.is_word(position, "remaining"), words.span(position, end), end)


def _anchor(words: Words, place: int, expected: int) -> Optional[tuple[str, int, Optional[int], str]]:
    token = words[place]
    if token.kind == "word":
        if token.text not in _VERBS:
            return None
        if token.text == "thence":
            return "thence", place + 1, None, ""
        if token.text in STARTS and _is_start(words, place):
            return "start", place + 1, None, token.text
        if token.text in EXCEPTIONS and not words.is_word(place + 1, "as", "that", "for"):
            return "except", place + 1, None, ""
        label = _label(words, place)
        if label is not None:
            return "label", label, None, words.raw(place, label)
        return None
    item = _item(words, place, expected) if token.kind == "number" or token.text == "(" else None
    return None if item is None else ("item", item[1], item[0], "")


def _is_start(words: Words, place: int) -> bool:
    if words.is_word(place - 1, "of", "said", "the", "or", "place", "point"):
        return False
    return words.is_word(words.skip(place + 1, ",", "for"), "at", "in", "on", "from", "the", "a")


def _label(words: Words, place: int) -> Optional[int]:
    """The end of “PARCEL 2:” or “Area B:” at the head of a line."""
    if not (words.is_word(place, *LABELS) and words.source.first_on_line(words[place].start)):
        return None
    after = words[place + 1]
    short = after.kind == "number" or (after.kind == "word" and len(after.text) <= 3)
    return place + 2 if short and words.is_word(place + 2, ":", ".", "-", ")") else None


def _item(words: Words, place: int, expected: int) -> Optional[tuple[int, int]]:
    """The number and the end of “(1)”, “1)” or “1.” where the next item of a list may stand."""
    opened = words.is_word(place, "(")
    at = place + 1 if opened else place
    token = words[at]
    if token.kind != "number" or not token.text.isdigit():
        return None
    number = int(token.text)
    closed = words.is_word(at + 1, ")")
    dotted = not opened and words.is_word(at + 1, ".") and words[at + 1].start == token.end
    if not (closed or dotted) or (opened and not closed):
        return None
    if number != expected and not (number == 1 and _list_opens(words, place)):
        return None
    if not (words.source.first_on_line(words[place].start) or words[place - 1].text in (":", ";", ",", ".", "and")):
        return None
    return number, at + 2


def _list_opens(words: Words, place: int) -> bool:
    """Whether the word before is “thence”, or this is the first token."""
    before = place - 1
    while before >= 0 and words.is_word(before, ",", ":", ";", "."):
        before -= 1
    return before < 0 or words.is_word(before, "thence")
