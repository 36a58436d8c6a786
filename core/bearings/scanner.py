"""The text as tokens that keep their place. One pass, no backtracking: a megabyte takes a moment."""

from __future__ import annotations

import bisect
import re
import unicodedata
from functools import cached_property, lru_cache
from typing import NamedTuple, Optional

from .calls import Span
from .vocabulary import NUMBER_WORDS, UNITS

_LETTER = r"[^\W\d_º]"
_TOKEN = re.compile(
    rf"(?P<number>\d{{1,3}}(?:,\d{{3}})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?P<ordinal>st|nd|rd|th)?"
    rf"|(?P<word>{_LETTER}+(?:['’]s(?!{_LETTER}))?(?:-[ \t]*\r?\n[ \t]*{_LETTER}+)?)"
    r"|(?P<degree>[º˚°∘])"
    r"|(?P<second>\"|”|“|″|''|’’|′′)"
    r"|(?P<minute>['’‘′´`])"
    r"|(?P<sign>\+/-|±|\S)",
    re.IGNORECASE,
)
_BREAK = re.compile(r"-[ \t]*\r?\n[ \t]*")
_DASHES = "–—−‐‑"
_BOM = "\ufeff"


class Token(NamedTuple):
    """`kind` is number, word, degree, minute, second or sign; `text` is lower-cased and normalised."""

    kind: str
    text: str
    start: int
    end: int
    raw: str
    order: int = 0


class Source:
    """The text as it was given, its tokens, and the line and column of every offset."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._bom = text.startswith(_BOM)

    def span(self, start: int, end: int) -> Span:
        """The span of [start, end). A byte order mark has no column."""
        line = bisect.bisect_right(self._lines, start)
        column = start - self._lines[line - 1] + (0 if self._bom and line == 1 else 1)
        return Span(start, end, line, max(column, 1))

    def first_on_line(self, offset: int) -> bool:
        """Whether nothing but space stands before an offset on its line."""
        line = bisect.bisect_right(self._lines, offset)
        return not self.text[self._lines[line - 1] : offset].strip(" \t\r\u00a0" + _BOM)

    @cached_property
    def tokens(self) -> list[Token]:
        """All tokens in order."""
        made: list[Token] = []
        for found in _TOKEN.finditer(self.text):
            raw, kind = found.group(), str(found.lastgroup)
            if raw == _BOM:
                continue
            if kind == "ordinal":
                kind = "word"
            for part, start, end in _parts(kind, raw, found.start()):
                made.append(Token(kind, part, start, end, self.text[start:end], len(made)))
        return made


def _parts(kind: str, raw: str, start: int) -> list[tuple[str, int, int]]:
    """A token's normalised text with its place: two where words were run together, as in “tenfeet”."""
    end = start + len(raw)
    if kind == "sign" and raw in _DASHES:
        return [("-", start, end)]
    if kind != "word":
        return [(raw, start, end)]
    word, tail = _word(raw)
    if not tail:
        return [(word, start, end)]
    cut = end - len(tail)
    return [(word, start, cut), (tail, cut, end)]


@lru_cache(maxsize=4096)
def _word(raw: str) -> tuple[str, Optional[str]]:
    """A word normalised, and the word that was run together with it."""
    word = unicodedata.normalize("NFC", _BREAK.sub("", raw)).lower().replace("’", "'")
    if len(word) == len(raw) and word not in NUMBER_WORDS and word not in UNITS:
        for tail in _TAILS:
            head = word[: -len(tail)]
            if word.endswith(tail) and head in NUMBER_WORDS:
                return head, tail
    return word, None


_TAILS = sorted(("and", *(unit for unit in UNITS if len(unit) > 3)), key=len, reverse=True)
