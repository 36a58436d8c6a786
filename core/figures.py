"""How figures are printed (rule 25): in en_US, and never on the wrong side of a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Optional, Union


def half_up(value: Union[Fraction, int]) -> int:
    """The nearest whole number of a value that is not negative, a half going up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def dollars(value: Union[Fraction, int]) -> str:
    """Whole dollars, half up: "$1,234"."""
    return f"${half_up(value):,}"


def percent(share: Fraction, threshold: Optional[Fraction] = None) -> str:
    """A share in percent with two decimals: "54.28 %".

    More decimals where two would fall on the other side of the threshold, or on it without being equal to it.
    """
    places = 2
    while True:
        shown = Fraction(half_up(share * 100 * 10**places), 100 * 10**places)
        if threshold is None or _side(shown, threshold) == _side(share, threshold):
            return f"{_decimals(shown * 100, places)} %"
        places += 1


def _side(share: Fraction, threshold: Fraction) -> int:
    return (share > threshold) - (share < threshold)


def _decimals(value: Fraction, places: int) -> str:
    whole, rest = divmod(half_up(value * 10**places), 10**places)
    return f"{whole:,}.{rest:0{places}d}"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 parcel", "2,478 parcels"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listing(words: Sequence[str]) -> str:
    """Words as a person lists them: "a", "a and b", "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
