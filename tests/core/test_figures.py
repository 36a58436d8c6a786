"""Printing: never on the wrong side of a threshold."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core.figures import count, dollars, half_up, listing, percent

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("share", "threshold", "text"),
    [
        (Fraction(7, 13), HALF, "53.85 %"),
        (HALF, HALF, "50.00 %"),
        (Fraction(250001, 500001), HALF, "50.0001 %"),
        (Fraction(250000, 500001), HALF, "49.9999 %"),
        (Fraction(799999, 1599999), HALF, "49.99997 %"),
        (Fraction(250001, 500001), None, "50.00 %"),
        (Fraction(145, 726), Fraction(1, 5), "19.97 %"),
        (Fraction(0), HALF, "0.00 %"),
        (Fraction(1), HALF, "100.00 %"),
        (Fraction(12345, 10), HALF, "123,450.00 %"),
    ],
)
def test_percent(share: Fraction, threshold: Fraction, text: str) -> None:
    assert percent(share, threshold) == text


@given(st.fractions(min_value=0, max_value=1), st.sampled_from([HALF, Fraction(1, 5)]))
def test_printed_percent_stays_on_its_side(share: Fraction, threshold: Fraction) -> None:
    printed = Fraction(percent(share, threshold).removesuffix(" %")) / 100
    assert (printed > threshold) == (share > threshold)
    assert (printed == threshold) == (share == threshold)
    assert abs(printed - share) <= Fraction(1, 20000)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "$0"), (1234, "$1,234"), (Fraction(5, 2), "$3"), (Fraction(7, 3), "$2"), (10**7, "$10,000,000")],
)
def test_dollars(value: Fraction, text: str) -> None:
    assert dollars(value) == text


def test_half_goes_up_once() -> None:
    assert [half_up(Fraction(n, 2)) for n in range(5)] == [0, 1, 1, 2, 2]


def test_words() -> None:
    assert [count(n, "parcel") for n in (0, 1, 2478)] == ["0 parcels", "1 parcel", "2,478 parcels"]
    assert count(2, "copy", "copies") == "2 copies"
    assert [listing(list(words)) for words in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
