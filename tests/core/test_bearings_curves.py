"""Curves: elements from any sufficient two, cross-checks, and how they meet the courses beside them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from village_petition.core.bearings import Curve, Distance, ParcelResult, Span, traverse
from village_petition.core.bearings.calls import DEGREE
from village_petition.core.bearings.curves import elements

NOWHERE = Span(0, 0, 1, 1)
FIELDS = ("radius", "arc", "delta", "chord", "tangent_length", "degree")
NOT_ENOUGH = [{"radius", "degree"}]


def length(value: float) -> Distance:
    return Distance(Fraction(value), Fraction(1, 10**9), NOWHERE)


def stated(radius: float, delta: float, names: Any) -> Curve:
    """A curve with only these of its elements stated; angles to the milliarcsecond."""
    half = math.radians(delta) / 2
    values: dict[str, Any] = {
        "radius": length(radius),
        "arc": length(2 * radius * half),
        "delta": round(delta * DEGREE),
        "chord": length(2 * radius * math.sin(half)),
        "tangent_length": length(radius * math.tan(half)),
        "degree": round(math.degrees(100 / radius) * DEGREE),
    }
    return Curve("left", **{name: values[name] for name in names})


@pytest.mark.parametrize("names", list(itertools.combinations(FIELDS, 2)) + list(itertools.combinations(FIELDS, 3)))
@pytest.mark.parametrize(("radius", "delta"), [(1181.0, 7.0), (115.0, 23.1325), (350.0, 90.0), (100.0, 170.0)])
def test_any_two_elements_give_the_others(names: tuple[str, ...], radius: float, delta: float) -> None:
    found = elements(stated(radius, delta, names))
    if set(names) in NOT_ENOUGH:
        assert found is None
        return
    assert found is not None
    half = math.radians(delta) / 2
    assert found.disputes == ()
    assert found.radius == pytest.approx(radius, abs=0.01)
    assert found.arc == pytest.approx(2 * radius * half, abs=0.01)
    assert found.chord == pytest.approx(2 * radius * math.sin(half), abs=0.01)
    assert found.tangent == pytest.approx(radius * math.tan(half), abs=0.1)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.floats(20, 5000), st.floats(5, 175), st.sets(st.sampled_from(FIELDS), min_size=2))
def test_more_elements_never_dispute_what_is_true(radius: float, delta: float, names: set[str]) -> None:
    found = elements(stated(radius, delta, sorted(names)))
    if names in NOT_ENOUGH:
        assert found is None
    else:
        assert found is not None
        assert found.disputes == ()
        assert found.radius == pytest.approx(radius, rel=1e-5, abs=0.01)


def test_one_element_is_not_enough() -> None:
    for name in FIELDS:
        assert elements(stated(100.0, 90.0, [name])) is None


def read(*courses: str) -> ParcelResult:
    """The figure of these courses."""
    text = "BEGINNING at a pin; " + "; ".join(f"thence {one}" for one in courses) + " to the point of beginning."
    (result,) = traverse(text).results
    return result


def codes(result: ParcelResult) -> list[str]:
    return [one.code for one in result.problems]


def test_d33_half_circle_to_the_right() -> None:
    result = read(
        "along a curve to the right having a radius of 100.00 feet, a chord bearing of North 90° East and a chord "
        "distance of 200.00 feet to a pin",
        "West 200 feet",
    )
    curve = result.placement.legs[0]
    assert curve.end == pytest.approx((200.0, 0.0), abs=1e-9)
    assert curve.arc is not None
    assert (curve.arc.radius, curve.arc.side, curve.arc.centre) == (100.0, "right", pytest.approx((100.0, 0.0)))
    assert result.closure.area == pytest.approx(15_707.963, abs=0.001)
    assert result.closure.orientation == "clockwise"
    assert result.polygon is not None
    assert result.polygon.area == pytest.approx(15_707.963, rel=1e-4)
    assert result.closure.perimeter == pytest.approx(200 + 100 * math.pi)


@pytest.mark.parametrize(("side", "area"), [("left", 1_000_000 - 15_707.963), ("right", 1_000_000 + 15_707.963)])
def test_the_side_decides_what_is_inside(side: str, area: float) -> None:
    curve = f"along a curve to the {side}, radius 100 feet, central angle 180°, chord bearing North 90° East"
    result = read("North 1000 feet", "East 400 feet", curve, "East 400 feet", "South 1000 feet", "West 1000 feet")
    assert result.closure.area == pytest.approx(area, abs=0.01)


def test_a_long_curve() -> None:
    curve = "along a curve to the right having a radius of 100 feet and a central angle of 270° to a pin"
    result = read("North 100 feet", curve, "West 100 feet")
    assert result.placement.legs[1].how == "assumed tangent"
    assert result.closure.misclosure == pytest.approx(0.0, abs=1e-9)
    assert result.closure.area == pytest.approx(0.75 * math.pi * 1e4 + 1e4, abs=1e-6)
    assert result.closure.closes


@pytest.mark.parametrize(
    "words",
    [
        "along a curve to the left, having a radius of 30.00 feet, an arc distance of 47.12 feet",
        "along a curve to the left having a radius of 30.00 feet, an arc length of 47.12 feet",
        "Along the arc, having a curve to the left, a radius of 30 feet, delta of 90°00'00\", and an arc distance of"
        " 47.12 feet",
        "along a curve to the left, radius 30 feet, a distance of 47.12 feet",
        "along a 30.00 foot radius curve to the left through a central angle of 90°00'00\"",
        "along a tangent curve to the left with a radius of 30 feet and a chord of 42.43 feet",
        "along a curve to the left having a central angle of 90°00'00\" and a tangent of 30.00 feet",
    ],
)
def test_words_of_curves(words: str) -> None:
    result = read("North 100 feet to a pin", words + " to a pin", "West 100 feet")
    curve = result.placement.legs[1]
    assert curve.arc is not None
    assert curve.arc.radius == pytest.approx(30.0, abs=0.01)
    assert math.degrees(curve.arc.delta) == pytest.approx(90.0, abs=0.02)
    assert curve.azimuth_out == pytest.approx(270.0, abs=0.02)
    assert curve.how == ("stated" if "tangent curve" in words else "assumed tangent")


def test_a_curve_by_its_degree() -> None:
    result = read(
        "North 10 feet", "along a curve to the right, degree of curve 10°00'00\", arc of 100 feet", "West 9 feet"
    )
    curve = result.placement.legs[1]
    assert curve.arc is not None
    assert curve.arc.radius == pytest.approx(572.958, abs=0.001)
    assert math.degrees(curve.arc.delta) == pytest.approx(10.0)


def test_a_radial_bearing_gives_the_start() -> None:
    result = read(
        "North 10 feet", "along a curve to the right, radius bears South 45° East 100 feet, arc 50 feet", "W 9 feet"
    )
    assert result.placement.legs[1].azimuth == pytest.approx(45.0)


def test_elements_that_disagree_are_named() -> None:
    result = read(
        "North 100 feet", "along a curve to the left, radius 30 feet, delta 90°, arc length 50 feet", "W 9 feet"
    )
    (problem,) = [one for one in result.problems if one.code == "M-CURVE"]
    assert problem.message == "arc 50.00 and 47.12 from radius and central angle disagree"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("along a curve to the left having a radius of 30 feet", "what is stated does not make one curve"),
        ("along a curve to the left, radius 30 feet, chord of 61 feet", "what is stated does not make one curve"),
        ("along a curve having a radius of 30 feet, an arc of 47 feet", "the curve turns to no stated side"),
    ],
)
def test_curves_that_cannot_be_placed(words: str, message: str) -> None:
    result = read("North 100 feet", words, "East 100 feet", "South 100 feet")
    assert message in [one.message for one in result.problems if one.code == "M-CURVE"]
    assert not result.usable


def test_a_compass_word_against_the_tangent_is_a_cusp() -> None:
    corner = "Northerly, along a curve to the left, having a radius of 30.00 feet, an arc distance of 47.12 feet"
    result = read("North 130 feet", "East 130 feet", "South 130 feet", corner, "West 100 feet", "South 30 feet")
    leg = result.placement.legs[3]
    assert (leg.how, leg.azimuth, round(leg.azimuth_out, 1)) == ("cusp", 0.0, 270.0)


def test_a_tangent_curve_is_checked_against_the_next_course() -> None:
    square = ("North 100 feet", "along a curve to the right, radius 50 feet, arc 78.54 feet")
    good = read(*square, "East 100 feet", "South 150 feet", "West 150 feet")
    assert [one.kind for one in good.meetings] == ["tangent"]
    assert "M-TANGENT" not in codes(good)
    bad = read(*square, "North 80°00'00\" East 100 feet", "South 150 feet", "West 150 feet")
    assert [one.kind for one in bad.meetings] == ["angle"]
    assert "M-TANGENT" in codes(bad)


def test_a_curve_to_the_wrong_side_is_found_by_tangency() -> None:
    result = read(
        "North 100 feet",
        "along a curve to the left, radius 50 feet, arc 69.81 feet",
        "North 80° East 100 feet",
        "South 166.60 feet",
        "West 139.80 feet",
    )
    (problem,) = [one for one in result.problems if one.code == "M-TANGENT"]
    assert [one.label for one in problem.suggestions] == ["right for left"]
    assert result.likely is not None
    assert (result.likely.kind, result.likely.call, result.likely.label) == ("tangency", 2, "the side of call 2")
    assert result.likely.misclosure < 0.02


def test_a_quarter_to_the_wrong_side_is_found_by_closure() -> None:
    result = read(
        "North 100 feet",
        "along a curve to the left, radius 50 feet, arc 78.54 feet",
        "East 100 feet",
        "South 150 feet",
        "West 150 feet",
    )
    assert [one.kind for one in result.meetings] == ["cusp"]
    assert result.likely is not None
    assert (result.likely.kind, result.likely.call) == ("side", 2)


def test_a_curve_said_not_to_be_tangent_waits_for_closure() -> None:
    chord = 2 * 300 * math.sin(0.2)
    result = read(
        "North 100 feet", "East 100 feet", "South 100 feet",
        f"along a non-tangent curve to the left, radius 300 feet, arc 120 feet, the chord of which is {chord:.2f} feet",
        f"North 90° East {chord - 100:.2f} feet",
    )  # fmt: skip
    assert result.placement.state == "solved"
    assert result.placement.solved == (4,)
    assert "M-SOLVED" in codes(result)
    assert result.placement.legs[3].how == "solved"
