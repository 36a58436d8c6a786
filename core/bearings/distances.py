"""Distances in words: feet, chains and links, rods and the rest, alone or two units together."""

from __future__ import annotations

from fractions import Fraction
from typing import Optional

from .calls import Distance, Options, Suggestion
from .vocabulary import CHAINS, LINKS, METRE, SECOND_ONLY, SIZES, UNITS
from .words import Number, Words


def distance(words: Words, position: int, options: Options) -> Optional[tuple[Distance, int]]:
    """A length with its unit and the next position; None where none stands here, or where it is the size of a thing."""
    number = words.number(position)
    if number is None:
        return None
    about, place = _about(words, number.end)
    unit = _unit(words, words.skip(place, "-"))
    if unit is None or unit[0] in SECOND_ONLY:
        return None
    name, place = unit
    place = _figures_after_unit(words, position, number, place)
    feet, last = _feet(number.value, name, options), _feet(number.last, name, options)
    second = _second_part(words, place, name)
    if second is not None:
        smaller, small_name, end = second
        if name in CHAINS and small_name in LINKS and number.last != 1:
            _say_chains(words, position, number, smaller, end)
        feet, last = feet + _feet(smaller.value, small_name, options), _feet(smaller.last, small_name, options)
        place = end
    if words.is_word(words.skip(place, "-"), *SIZES):
        return None
    after, place = _about(words, place)
    one = number.end - 1
    figure = (0, 0) if second else (words[position].start, words[one].end)
    unit_feet = _feet(Fraction(1), name, options)
    return Distance(feet, last, words.span(position, place), about or after, figure, unit_feet), place


def bare(words: Words, position: int, unit: str, options: Options) -> Optional[tuple[Distance, int]]:
    """A number without unit, in the unit given."""
    number = words.number(position)
    if number is None:
        return None
    about, place = _about(words, number.end)
    feet, last = _feet(number.value, unit, options), _feet(number.last, unit, options)
    figure = (words[position].start, words[number.end - 1].end)
    span = words.span(position, number.end)
    return Distance(feet, last, span, about, figure, _feet(Fraction(1), unit, options)), place


def unit_of(words: Words, position: int) -> str:
    """The name of the unit after the number at a position, empty where there is none."""
    number = words.number(position)
    unit = _unit(words, number.end) if number is not None else None
    return unit[0] if unit else ""


def _feet(value: Fraction, unit: str, options: Options) -> Fraction:
    factor = UNITS[unit]
    return value / options.foot_m if factor == METRE else value * factor


def _unit(words: Words, position: int) -> Optional[tuple[str, int]]:
    token = words[position]
    if token.kind == "minute":
        return "foot", position + 1
    if token.kind != "word" or token.text not in UNITS:
        return None
    end = position + 1
    abbreviated = token.text in ("ft", "ch", "chs", "lk", "lks", "l", "yd", "yds", "m")
    if abbreviated and words.is_word(end, ".") and words[end].start == token.end:
        end += 1
    return token.text, end


def _second_part(words: Words, position: int, first: str) -> Optional[tuple[Number, str, int]]:
    """The smaller unit of a length in two, as “and 85 links” or inches after feet."""
    place = words.skip(position, "and", "&")
    number = words.number(place)
    if number is None:
        return None
    if first == "foot" and words[number.end].kind == "second" and place == position:
        return number, "inch", number.end + 1
    unit = _unit(words, number.end)
    if unit is None or words[number.end].kind == "minute":
        return None
    large, small = UNITS[first], UNITS[unit[0]]
    if METRE in (large, small) or small >= large:
        return None
    return number, unit[0], unit[1]


def _figures_after_unit(words: Words, start: int, number: Number, place: int) -> int:
    """The position after “(206.32 feet)” where a length in words is repeated in figures with its unit."""
    if words[start].kind != "word" or not words.is_word(place, "(") or words[place + 1].kind != "number":
        return place
    end = place + 2
    unit = _unit(words, end)
    end = unit[1] if unit else end
    if not words.is_word(end, ")"):
        return place
    figures = words.number(place + 1)
    if figures is not None and figures.value != number.value:
        span = words.span(start, end + 1)
        words.problem("M-PAIR", "error", "the length in words and in figures differ", span)
    words.use(place, end)
    return end + 1


def _about(words: Words, position: int) -> tuple[bool, int]:
    place = words.skip(position, ",", "(")
    if words.says(place, "more or less"):
        place += 3
    elif words.is_word(place, "±", "+/-"):
        place += 1
    else:
        return False, position
    return True, place + 1 if words.is_word(place, ")") else place


def _say_chains(words: Words, position: int, chains: Number, links: Number, end: int) -> None:
    """A decimal part of chains is links already: links after it contradict it."""
    token = words[position]
    whole, _, part = token.text.partition(".")
    tried = [(f"{whole}{part}", links.value), (whole, Fraction(int(part + "0" if len(part) == 1 else part)))]
    readings = [
        Suggestion(
            token.start,
            words[end - 1].end,
            f"{count} chains and {float(rest):g} links",
            f"{count} chains {float(rest):g} links",
        )
        for count, rest in tried
    ]
    message = "chains with a decimal part are followed by links; the sum of both is used in the meantime"
    words.problem("M-CHAIN", "error", message, words.span(position, end), "whole chains and links", readings)
