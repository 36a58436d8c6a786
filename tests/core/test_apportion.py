"""Split dollars, largest remainder, overrides."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core.apportion import check_override, largest_remainder, split_dollars
from village_petition.core.model import Override

BY_LAND, BY_AREA = "land_area_improvement_location", "area_only"


@pytest.mark.parametrize(
    ("land", "land_known", "building", "inside", "method"),
    [
        (60000, True, Fraction(1), 221000, BY_LAND),
        (60000, True, None, 91000, BY_AREA),
        (None, True, Fraction(1), 91000, BY_AREA),
        (0, False, Fraction(1), 91000, BY_AREA),
        (0, True, Fraction(1), 260000, BY_LAND),
        (260000, True, Fraction(1), 91000, BY_LAND),
        (260001, True, Fraction(1), 91000, BY_AREA),
    ],
)
def test_method(land: Optional[int], land_known: bool, building: Optional[Fraction], inside: int, method: str) -> None:
    found = split_dollars(260000, land, land_known, Fraction(35, 100), building)
    assert (found.inside, found.outside, found.method) == (inside, 260000 - inside, method)


shares = st.fractions(min_value=0, max_value=1, max_denominator=10**9)


@given(st.integers(0, 10**9), st.one_of(st.none(), st.integers(0, 10**9)), shares, st.one_of(st.none(), shares))
def test_split_keeps_the_total(total: int, land: Optional[int], share: Fraction, building: Optional[Fraction]) -> None:
    found = split_dollars(total, land, True, share, building)
    assert found.inside + found.outside == total
    assert 0 <= found.inside <= total
    assert abs(found.inside - found.exact) <= Fraction(1, 2)


weights = st.lists(st.one_of(st.integers(0, 1000), st.fractions(0, 1, max_denominator=1000)), min_size=1, max_size=12)


@given(st.integers(0, 10**9), weights.filter(any))
def test_largest_remainder_conserves(total: int, weights: list[Fraction]) -> None:
    pieces = largest_remainder(total, weights)
    assert sum(pieces) == total
    whole = sum(weights, Fraction(0))
    assert all(abs(piece - total * weight / whole) < 1 for piece, weight in zip(pieces, weights))


@given(st.integers(0, 10**6), st.permutations([3, 5, 7, 11, 13, 17]))
def test_largest_remainder_goes_with_the_piece(total: int, order: list[int]) -> None:
    exact = [Fraction(total * weight, 56) for weight in order]
    rest = [piece - piece.numerator // piece.denominator for piece in exact]
    pieces = dict(zip(order, largest_remainder(total, order)))
    if len(set(rest)) == len(rest):
        assert pieces == dict(zip(sorted(order), largest_remainder(total, sorted(order))))


@pytest.mark.parametrize("weights", [[0, 0], [1, -1], []])
def test_largest_remainder_refuses(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="weights"):
        largest_remainder(10, weights)


def override(inside: int, reason: str = "barn inside", by: str = "A. Sessor", total: Optional[int] = None) -> Override:
    return Override("010100", "1", inside, reason, by, date(2023, 6, 1), total)


@pytest.mark.parametrize(
    ("total", "entry", "problem"),
    [
        (260000, override(250000), None),
        (260000, override(0), None),
        (260000, override(260000, total=260000), None),
        (None, override(5, total=10), None),
        (260000, override(260001), "the value inside, 260,001, is more than the assessed value of 260,000"),
        (None, override(11, total=10), "the value inside, 11, is more than the assessed value of 10"),
        (260000, override(-1), "the value inside is less than 0"),
        (260000, override(1, reason=" "), "a reason is required"),
        (260000, override(1, by=""), "the name of the assessor who set it is required"),
        (None, override(0), "the roll has no usable assessed value, so total_av is required"),
        (260000, override(1, total=3), "total_av 3 differs from the assessed value of 260,000 on the roll"),
    ],
)
def test_override(total: Optional[int], entry: Override, problem: Optional[str]) -> None:
    assert check_override(total, entry) == problem
