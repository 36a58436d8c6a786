"""The tokens of a text as the reader walks them: what is used, what is struck out, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Optional

from .calls import Problem, Span, Suggestion
from .scanner import Source, Token
from .vocabulary import NUMBER_WORDS, ONES, PARTS, SCALES, TENS

END = Token("end", "", 0, 0, "")
JOINERS = ("and", "-")


@dataclass(frozen=True)
class Number:
    """A number as read, the size of its last decimal, and the position of the token after it."""

    value: Fraction
    last: Fraction
    end: int


class Words:
    """Tokens without what brackets strike out or note, the numbers used so far, and the problems found so far."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.used: set[int] = set()
        self.problems: list[Problem] = []
        self.tokens = self._without_brackets(source.tokens)
        self.count = len(self.tokens)

    def __getitem__(self, position: int) -> Token:
        return self.tokens[position] if 0 <= position < self.count else END

    def __len__(self) -> int:
        return self.count

    def is_word(self, position: int, *words: str) -> bool:
        """Whether a token is one of these words or signs."""
        token = self[position]
        return token.kind in ("word", "sign") and token.text in words

    def says(self, position: int, phrase: str) -> bool:
        """Whether the tokens from a position on are these words."""
        first, _, rest = phrase.partition(" ")
        if self[position].text != first:
            return False
        return all(self[position + step].text == word for step, word in enumerate(rest.split(), 1))

    def skip(self, position: int, *words: str) -> int:
        """The first position from here that is none of these words or signs."""
        while self.is_word(position, *words):
            position += 1
        return position

    def use(self, start: int, end: int) -> None:
        """Mark the numbers among these tokens as used."""
        self.used.update(self[place].order for place in range(start, end) if self[place].kind == "number")

    def span(self, start: int, end: int) -> Span:
        """The place of the tokens [start, end)."""
        last = self[max(start, end - 1)]
        return self.source.span(self[start].start, last.end)

    def raw(self, start: int, end: int) -> str:
        """The text of the tokens [start, end) as it stands, on one line."""
        if end <= start:
            return ""
        return " ".join(self.source.text[self[start].start : self[end - 1].end].split())

    def problem(
        self,
        code: str,
        severity: str,
        message: str,
        span: Span,
        expected: str = "",
        suggestions: Iterable[Suggestion] = (),
    ) -> None:
        """Add a problem; what was found is the text of its span."""
        found = self.source.text[span.start : span.end].strip()
        one = Problem(code, severity, message, span, found, expected, tuple(suggestions))
        if one not in self.problems:
            self.problems.append(one)

    def number(self, position: int) -> Optional[Number]:
        """A number in figures, in words, or in words with the figures after them in brackets; None if there is none.

        Words and figures that differ are `M-PAIR`; the figures are used then.
        """
        token = self[position]
        if token.kind == "number":
            return _figures(token, position)
        spelled = _spelled(self, position)
        if spelled is None:
            return None
        return self.paired(position, spelled)

    def paired(self, start: int, spelled: Number) -> Number:
        """A number in words together with its figures in brackets, where those follow."""
        place = spelled.end
        if not (self.is_word(place, "(") and self[place + 1].kind == "number" and self.is_word(place + 2, ")")):
            return spelled
        figures = _figures(self[place + 1], place + 1)
        if figures.value != spelled.value:
            self.problem(
                "M-PAIR",
                "error",
                f"the words say {_plain(spelled.value)}, the figures {_plain(figures.value)}",
                self.span(start, place + 3),
                "words and figures that agree",
            )
        return Number(figures.value, figures.last, place + 3)

    def widen(self, since: int, start: int, end: int) -> None:
        """Let the problems added since then stand at the tokens [start, end): a whole bearing, not its minutes."""
        span = self.span(start, end)
        found = self.source.text[span.start : span.end]
        self.problems[since:] = [replace(one, span=span, found=found) for one in self.problems[since:]]

    def _without_brackets(self, tokens: list[Token]) -> list[Token]:
        kept: list[Token] = []
        place = 0
        while place < len(tokens):
            if tokens[place].text == "[":
                close = next((end for end in range(place, len(tokens)) if tokens[end].text == "]"), None)
                if close is not None:
                    self._say_struck(tokens, place, close)
                    place = close + 1
                    continue
            if _is_stray(tokens, place):
                one = tokens[place]
                span = self.source.span(one.start, one.end)
                self.problem("M-STRAY", "info", "a stray letter before a number is skipped", span)
                place += 1
                continue
            kept.append(tokens[place])
            place += 1
        return kept

    def _say_struck(self, tokens: list[Token], opened: int, closed: int) -> None:
        inside = tokens[opened + 1 : closed]
        after = tokens[closed + 1 : closed + 3]
        same = len(inside) == 2 and len(after) == 2 and [one.kind for one in inside] == [one.kind for one in after]
        if same and inside[0].kind == "number":
            span = self.source.span(tokens[opened].start, after[1].end)
            message = f"{inside[0].raw} is struck out, the new {after[0].raw} is read"
            self.problem("M-STRUCK", "warning", message, span)


def _is_stray(tokens: list[Token], place: int) -> bool:
    """A single letter between “of” and a number."""
    one = tokens[place]
    return (
        one.kind == "word"
        and len(one.text) == 1
        and one.text not in ("a", "n", "s", "e", "w")
        and 0 < place < len(tokens) - 1
        and tokens[place - 1].text == "of"
        and tokens[place + 1].kind == "number"
    )


def _figures(token: Token, position: int) -> Number:
    text = token.text.replace(",", "")
    decimals = len(text.partition(".")[2])
    return Number(Fraction(text), Fraction(1, 10**decimals), position + 1)


def _plain(value: Fraction) -> str:
    return f"{float(value):,.4f}".rstrip("0").rstrip(".")


def _spelled(words: Words, position: int) -> Optional[Number]:
    if not _is_number_word(words, position):
        return None
    whole: list[str] = []
    place = position
    pending: list[str] = []
    while True:
        if _is_number_word(words, place):
            pending.append(words[place].text)
            place += 1
            continue
        if words[place].kind == "word" and words[place].text in PARTS:
            # “thirty-five one-hundredths”, but “ninety-one hundredths”
            of_one = len(pending) > 1 and pending[-1] == "one" and pending[-2] in ONES
            broken = pending[:-1] if of_one else pending
            parts = PARTS[words[place].text]
            return Number(_value(whole) + Fraction(_value(broken), parts), Fraction(1, parts), place + 1)
        after = words.skip(place, *JOINERS)
        if after > place and (_is_number_word(words, after) or words[after].text in PARTS):
            if any(words[step].text == "and" for step in range(place, after)):
                whole, pending = whole + pending, []
            place = after
            continue
        return Number(Fraction(_value(whole + pending)), Fraction(1), place)


def _is_number_word(words: Words, position: int) -> bool:
    return words[position].kind == "word" and words[position].text in NUMBER_WORDS


def _value(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        elif word in SCALES:
            current = max(current, 1) * SCALES[word]
        else:
            current += ONES.get(word, 0) + TENS.get(word, 0)
    return total + current
