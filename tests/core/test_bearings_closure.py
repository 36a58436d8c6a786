"""Closure, its classes, the compass rule, and the one call that most likely is wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from village_petition.core.bearings import Call, Hint, Parcel, ParcelResult, corrected, parse, place, traverse
from village_petition.core.bearings.adjust import adjusted
from village_petition.core.bearings.calls import CIRCLE, DEGREE
from village_petition.core.bearings.closure import closure
from village_petition.core.bearings.figures import feet, from_seconds, quadrant
from village_petition.core.bearings.hints import hints, is_slip
from village_petition.core.bearings.tangency import flipped

KITE = [(31.2, 1034.55), (97.4, 812.3), (171.9, 655.12), (222.2, 498.7), (288.8, 900.25)]


def closing(courses: list[tuple[float, float]]) -> tuple[float, float]:
    east = -sum(length * math.sin(math.radians(azimuth)) for azimuth, length in courses)
    north = -sum(length * math.cos(math.radians(azimuth)) for azimuth, length in courses)
    return math.degrees(math.atan2(east, north)) % 360, math.hypot(east, north)


def text_of(courses: list[tuple[float, float]], stated: str = "") -> str:
    body = "; ".join(
        f"thence {from_seconds(round(azimuth * 3600), long=True)}, {feet(length)} feet" for azimuth, length in courses
    )
    return f"BEGINNING at a pin; {body} to the point or place of beginning. {stated}"


GOOD = [*KITE, closing(KITE)]


def read(text: str) -> ParcelResult:
    (result,) = traverse(text).results
    return result


def test_the_figures_of_a_closed_figure() -> None:
    figures = read(text_of(GOOD)).closure
    assert figures.misclosure < 0.02
    assert figures.verdict == "closes"
    assert figures.orientation == "clockwise"
    assert figures.perimeter == pytest.approx(sum(length for _, length in GOOD), abs=0.01)
    assert figures.ratio == math.floor(figures.perimeter / figures.misclosure)
    assert figures.area is not None
    assert (figures.acres, figures.square_miles) == (figures.area / 43560, figures.area / 5280**2)
    assert not figures.closed_by_line


def test_the_direction_to_close() -> None:
    text = (
        "BEGINNING at a pin; thence North 100.00 feet; thence East 100.00 feet; thence South 100.00 feet; thence West"
    )
    figures = read(f"{text} 97.00 feet to the point of beginning").closure
    assert (figures.east, figures.north) == (pytest.approx(-3.0), pytest.approx(0.0))
    assert figures.to_close == "N 90°00'00\" W"
    assert (figures.ratio, figures.verdict, figures.closed_by_line) == (132, "does not close", True)
    # Closed by a straight line from its end to the start.
    assert figures.area == pytest.approx(10_000.0)


@pytest.mark.parametrize(
    ("west", "verdict", "closes"),
    [
        ("1000.00", "closes", True),
        ("1000.01", "closes", True),
        ("1000.60", "closes within survey practice", True),
        ("1001.00", "poor", False),
        ("1008.10", "does not close", False),
    ],
)
def test_classes(west: str, verdict: str, closes: bool) -> None:
    text = "BEGINNING at a pin; thence N 0°00'00\" E 1000.00 feet; thence N 90°00'00\" E 1000.00 feet; "
    text += f"thence S 0°00'00\" E 1000.00 feet; thence S 90°00'00\" W {west} feet to the point of beginning"
    result = read(text)
    assert (result.closure.verdict, result.closure.closes, result.usable) == (verdict, closes, closes)


def test_a_figure_that_crosses_itself_has_no_area() -> None:
    text = "thence N 45°00'00\" E 141.42 feet; thence West 100.00 feet; thence S 45°00'00\" E 141.42 feet;"
    result = read(f"BEGINNING at a pin; {text} thence West 100.00 feet to the point of beginning")
    assert result.closure.crosses
    assert (result.closure.area, result.polygon, result.usable) == (None, None, False)
    assert "M-CROSS" in [one.code for one in result.problems]


# What closure gives


def test_one_length_along_a_winding_road_is_a_gap() -> None:
    text = (
        "BEGINNING in a road; thence South 100 feet; thence West 300 feet; thence North 100 feet; thence along the "
        "road as it winds and turns 320 feet more or less to the point of beginning"
    )
    result = read(text)
    assert result.placement.state == "gap"
    assert result.closure.misclosure == pytest.approx(300.0)
    assert result.closure.area == pytest.approx(30_000.0)
    assert not result.usable
    (problem,) = [one for one in result.problems if one.code == "M-PLACE"]
    assert problem.message == "no bearing is stated: 320.00 ft along it, 300.00 straight, ratio 1.067"


def test_two_bearings_are_solved_by_their_compass_words() -> None:
    text = (
        "BEGINNING at a pin; thence North 0°00'00\" East 400.00 feet; thence easterly along the road 500.00 feet; "
        "thence southerly along the lane 400.00 feet; thence North 90°00'00\" West 500.00 feet to the "
        "place of beginning"
    )
    result = read(text)
    assert result.placement.state == "provisional"
    assert result.placement.solved == (2, 3)
    assert [round(leg.azimuth, 6) for leg in result.placement.legs[1:3]] == [90.0, 180.0]
    assert (result.closure.verdict, result.usable) == ("provisional", False)


def test_more_unknowns_are_not_placed() -> None:
    text = (
        "BEGINNING at a pin; thence northerly along A 10 feet; thence easterly along B 10 feet; thence along C to the"
    )
    result = read(f"{text} place of beginning")
    assert result.closure.verdict == "unplaced"
    assert [one.code for one in result.problems] == ["M-PLACE"] * 3
    assert result.polygon is None


# Interior angles


def angles(*courses: tuple[str, str, str]) -> str:
    body = "; thence ".join(
        f"on a line in a general {wind} direction, interior angle {angle} with the previous course, {length}'"
        for wind, angle, length in courses
    )
    return f"Beginning at a pin, running thence {body} to the Point of Beginning."


SQUARE = [("northerly", "90°00'00\"", "10"), ("easterly", "90°00'00\"", "20"), ("southerly", "90°00'00\"", "10")]


@pytest.mark.parametrize(("last", "orientation"), [("westerly", "clockwise"), ("easterly", "counter-clockwise")])
def test_interior_angles_turn_as_the_compass_words_say(last: str, orientation: str) -> None:
    words = SQUARE if last == "westerly" else [(SQUARE[0]), ("westerly", *SQUARE[1][1:]), SQUARE[2]]
    (result,) = traverse(angles(*words, (last, "90°00'00\"", "20"))).results
    assert (result.closure.orientation, result.closure.area) == (orientation, pytest.approx(200.0))
    assert (result.placement.floating, result.usable) == (True, False)
    assert "M-FLOAT" in [one.code for one in result.problems]
    assert result.angle_sum == 360 * DEGREE


def test_one_direction_places_a_floating_figure() -> None:
    text = angles(*SQUARE, ("westerly", "90°00'00\"", "20"))
    (result,) = traverse(text, orientation=30.0).results
    assert result.usable
    assert result.placement.legs[0].azimuth == 30.0
    assert result.placement.legs[1].azimuth == 120.0


def test_the_sum_of_the_angles_is_checked() -> None:
    (result,) = traverse(angles(*SQUARE, ("westerly", "90°01'00\"", "20"))).results
    (problem,) = [one for one in result.problems if one.code == "M-ANGLES"]
    assert problem.message == "the interior angles make +1′00″ against a figure of 4 sides"


# The compass rule


def test_the_compass_rule_spreads_a_misclosure() -> None:
    text = "BEGINNING at a pin; thence North 100 feet; thence East 200 feet; thence South 100 feet; thence West"
    (parcel,) = parse(f"{text} 199 feet to the point of beginning").parcels
    placed = place(parcel)
    made = adjusted(placed)
    assert made.shifts == pytest.approx([1 / 5.99, 3 / 5.99, 4 / 5.99, 1.0])
    assert made.largest_shift == pytest.approx(1.0)
    assert made.closure.misclosure == pytest.approx(0.0, abs=1e-9)
    assert placed.legs[-1].end == pytest.approx((1.0, 0.0))


def test_the_compass_rule_keeps_the_radius_of_curves() -> None:
    curve = "along a curve to the right, radius 50 feet, arc 78.54 feet"
    text = f"BEGINNING at a pin; thence North 100 feet; thence {curve}; thence East 100 feet; thence South 150 feet;"
    (parcel,) = parse(f"{text} thence West 150.10 feet to the point of beginning").parcels
    leg = adjusted(place(parcel)).placement.legs[1]
    assert leg.arc is not None
    assert leg.arc.radius == 50.0
    assert math.dist(leg.arc.centre, leg.start) == pytest.approx(50.0)
    assert math.dist(leg.arc.centre, leg.end) == pytest.approx(50.0)


def test_the_compass_rule_is_no_cure_for_blunders() -> None:
    bad = [(azimuth, length + (100 if number == 2 else 0)) for number, (azimuth, length) in enumerate(GOOD)]
    assert read(text_of(bad)).adjustment is None
    slip = [(azimuth, length + (1 if number == 2 else 0)) for number, (azimuth, length) in enumerate(GOOD)]
    result = read(text_of(slip))
    assert result.closure.verdict == "poor"
    assert result.adjustment is None


# The likely slip


def damaged(number: int, azimuth: float = 0.0, length: float = 0.0) -> str:
    courses = [(a + azimuth, d + length) if at == number else (a, d) for at, (a, d) in enumerate(GOOD)]
    area = read(text_of(GOOD)).closure.acres
    return text_of(courses, f"Containing {area:.2f} acres")


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_a_length_that_is_wrong_is_found_and_mended(number: int) -> None:
    text = damaged(number, length=100.0)
    result = read(text)
    assert result.likely is not None
    assert (result.likely.kind, result.likely.call) == ("length", number + 1)
    mended = read(corrected(text, result.likely.edits))
    assert mended.closure.closes
    assert mended.placement.legs[number].length == pytest.approx(GOOD[number][1], abs=0.02)


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_a_bearing_that_is_wrong_is_found_and_mended(number: int) -> None:
    text = damaged(number, azimuth=10.0)
    result = read(text)
    assert result.likely is not None
    assert (result.likely.kind, result.likely.call) == ("bearing", number + 1)
    assert read(corrected(text, result.likely.edits)).closure.closes


@pytest.mark.parametrize(("letters", "which"), [(("North", "South"), "N/S"), (("East", "West"), "E/W")])
def test_a_letter_that_is_wrong_is_found_and_mended(letters: tuple[str, str], which: str) -> None:
    text = text_of(GOOD).replace(letters[0], letters[1], 1)
    result = read(text)
    assert result.likely is not None
    assert (result.likely.kind, result.likely.call) == ("letters", 1)
    assert which in result.likely.label
    assert corrected(text, result.likely.edits) == text_of(GOOD)


def test_two_letters_that_are_wrong() -> None:
    courses = [((180 - a) % 360, d) if at in (0, 3) else (a, d) for at, (a, d) in enumerate(GOOD)]
    result = read(text_of(courses))
    assert result.likely is not None
    assert (result.likely.kind, result.likely.label) == ("two", "the N/S letter of call 1 and the N/S letter of call 4")


def test_a_doubled_and_a_missing_course() -> None:
    area = f"Containing {read(text_of(GOOD)).closure.acres:.2f} acres"
    doubled = read(text_of([*GOOD[:3], GOOD[2], *GOOD[3:]], area))
    assert doubled.likely is not None
    assert (doubled.likely.kind, doubled.likely.call) == ("doubled", 3)
    missing = read(text_of([*GOOD[:3], *GOOD[4:]], area))
    assert missing.likely is None
    assert (missing.hints[0].kind, missing.hints[0].call) == ("missing", 3)


@pytest.mark.parametrize(
    ("old", "new", "slip"),
    [
        ("287.00", "278.00", True),
        ("287.00", "237.00", True),
        ("287.00", "28.700", True),
        ("287.00", "2877.00", True),
        ("287.00", "27.00", True),
        ("287.00", "327.22", False),
        ("1,126.22", "1126.22", True),
    ],
)
def test_usual_slips(old: str, new: str, slip: bool) -> None:
    assert is_slip(old, new) == slip


def _renumbered(parcel: Parcel, calls: tuple[Call, ...]) -> Parcel:
    return replace(parcel, calls=tuple(replace(call, no=number) for number, call in enumerate(calls, 1)))


def _ranks(folder: Path) -> dict[str, list[int]]:
    """For every damage of every call of two real parcels: where its cause stands among the hints, from 0."""
    ranks: dict[str, list[int]] = {}
    for name in ("2023_A1314_01", "2023_A1314_02"):
        text = (folder / f"{name}.txt").read_text(encoding="utf-8")
        parcel = parse(text).parcels[0]

        def rank(kind: str, made: Parcel, is_cause: Callable[[Hint], bool], text: str = text) -> None:
            placed = place(made)
            found = hints(placed, closure(placed), text)
            ranks.setdefault(kind, []).append(next((at for at, one in enumerate(found) if is_cause(one)), 999))

        for at, call in enumerate(parcel.calls):
            direction, length = call.direction, call.distance
            assert direction is not None
            assert length is not None
            ten = replace(direction, azimuth=(direction.azimuth + 10 * DEGREE) % CIRCLE)
            changes = {
                "N/S": replace(call, direction=replace(direction, azimuth=flipped(direction, "N/S") or 0)),
                "E/W": replace(call, direction=replace(direction, azimuth=flipped(direction, "E/W") or 0)),
                "length": replace(call, distance=replace(length, feet=length.feet + 100)),
                "bearing": replace(call, direction=ten),
            }
            for kind, changed in changes.items():
                names = {"length": ("length",), "bearing": ("bearing", "letters")}.get(kind, ("letters",))
                calls = (*parcel.calls[:at], changed, *parcel.calls[at + 1 :])
                rank(
                    kind,
                    replace(parcel, calls=calls),
                    lambda one, no=call.no, names=names: one.call == no and one.kind in names,  # type: ignore[misc]
                )
            twice = _renumbered(parcel, (*parcel.calls[:at], call, *parcel.calls[at:]))
            rank(
                "doubled",
                twice,
                lambda one, no=call.no: one.kind == "doubled" and one.call in (no, no + 1),  # type: ignore[misc]
            )
            if 0 < at < len(parcel.calls) - 1:
                without = _renumbered(parcel, (*parcel.calls[:at], *parcel.calls[at + 1 :]))
                rank(
                    "missing",
                    without,
                    lambda one, no=call.no - 1: one.kind == "missing" and one.call == no,  # type: ignore[misc]
                )
    return ranks


def test_damage_is_among_the_first_three_hints(shared: Path) -> None:
    ranks = _ranks(shared / "data" / "metes_bounds" / "texts")
    assert Counter({kind: len(found) for kind, found in ranks.items()}) == {
        "N/S": 44, "E/W": 44, "length": 44, "bearing": 44, "doubled": 44, "missing": 40,
    }  # fmt: skip
    for kind, found in ranks.items():
        assert sum(at < 3 for at in found) >= 0.95 * len(found), kind
    assert sum(at == 0 for at in ranks["N/S"] + ranks["E/W"]) == 88


def test_bearings_are_written_with_carried_seconds() -> None:
    assert quadrant(44.99999) == "N 45°00'00\" E"
    assert quadrant(359.99999) == "N 00°00'00\" E"
    assert quadrant(90.0) == "N 90°00'00\" E"
    assert quadrant(270.0) == "N 90°00'00\" W"
    assert quadrant(180.0) == "S 00°00'00\" E"
    assert from_seconds(131 * 3600 + 915, long=True) == "South 48°44'45\" East"
