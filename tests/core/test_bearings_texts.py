"""The real descriptions beside the clone, and what must come out of each of them."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple, Optional

import pytest

from village_petition.core.bearings import ParcelResult, Traverse, corrected, traverse


class Row(NamedTuple):
    """What is expected of one parcel: courses, misclosure, area in acres, ratio, verdict."""

    text: str
    number: int
    lines: int
    curves: int
    ties: int
    perimeter: float
    misclosure: Optional[float]
    acres: Optional[float]
    ratio: Optional[int]
    verdict: str
    winding: int = 0


ROWS = [
    Row("2023_A1314_01", 0, 29, 0, 0, 10_181.02, 0.006, 93.909, 1_715_000, "closes"),
    Row("2023_A1314_02", 0, 15, 0, 0, 11_405.11, 0.006, 120.124, 1_919_000, "closes"),
    Row("2023_A1314_03", 0, 4, 0, 0, 2_852.41, 1_019.952, 21.417, None, "does not close", 1),
    Row("2023_A1314_04", 0, 11, 0, 0, 27_244.70, 3_360.947, 1_178.4285, None, "does not close", 1),
    Row("2023_A6959A_01", 0, 18, 5, 2, 4_498.01, 0.011, 15.674, 404_900, "closes"),
    Row("2024_A6500A_01", 0, 0, 0, 1, 5_846.81, None, None, None, "unplaced", 18),
    Row("2024_S6150A_01", 0, 6, 1, 0, 1_517.63, 0.008, 39_996.1 / 43_560, 181_991, "closes"),
    Row("2024_S6150A_02", 0, 12, 0, 1, 3_025.85, 40.222, 1.2545, 75, "does not close"),
    Row("2024_S6150A_03", 0, 13, 0, 1, 5_126.28, 47.197, 0.8811, 108, "does not close"),
    Row("2024_S6150A_04", 0, 4, 0, 0, 395.34, 0.008, 0.1777, 50_000, "closes"),
    Row("2024_S6150A_06", 0, 4, 0, 0, 840.55, 0.002, 0.9440, 505_600, "closes"),
    Row("2024_S6150A_07", 0, 17, 12, 0, 3_362.31, 193.893, None, 17, "does not close"),
    Row("2024_S6726_01", 0, 10, 0, 2, 446.03, 0.010, 5_834.8 / 43_560, 42_500, "closes"),
    Row("2024_S6726_01", 1, 11, 0, 4, 204.57, 0.002, 2_485.1 / 43_560, 86_255, "closes"),
    Row("2024_S6726_01", 2, 11, 0, 1, 498.54, 0.004, 5_751.8 / 43_560, 116_632, "closes"),
    Row("2024_S6726_03", 0, 4, 0, 1, 437.33, 0.005, 10_968.1 / 43_560, 90_100, "closes"),
    Row("2024_S9269A_01", 0, 4, 0, 0, 4_278.00, 8.327, 22.740, 513, "poor"),
    Row("2024_S9269A_01", 1, 4, 0, 0, 1_401.51, 60.318, 2.9949, 23, "does not close"),
    Row("2024_S9269A_02", 0, 3, 0, 0, 5_136.12, 0.0, 37.3515, None, "provisional", 2),
    Row("2024_S9269A_03", 0, 0, 0, 0, 2_591.82, None, None, None, "unplaced", 4),
]


@pytest.fixture(scope="module")
def texts(shared: Path) -> Path:
    return shared / "data" / "metes_bounds" / "texts"


def read(folder: Path, name: str) -> Traverse:
    return traverse((folder / f"{name}.txt").read_text(encoding="utf-8"))


def codes(result: ParcelResult) -> list[str]:
    return [one.code for one in result.problems]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.text}-{row.number + 1}" for row in ROWS])
def test_what_comes_out(row: Row, texts: Path) -> None:
    result = read(texts, row.text)
    assert len(result.results) == sum(one.text == row.text for one in ROWS)
    one = result.results[row.number]
    parcel, figures = one.parcel, one.closure
    assert (parcel.lines, parcel.curves, sum(len(tie.calls) for tie in parcel.ties)) == (
        row.lines,
        row.curves,
        row.ties,
    )
    assert len(parcel.calls) - parcel.lines - parcel.curves == row.winding
    assert figures.perimeter == pytest.approx(row.perimeter, abs=0.01)
    assert figures.verdict == row.verdict
    if row.misclosure is not None:
        assert figures.misclosure == pytest.approx(row.misclosure, abs=0.0006)
    if row.acres is None:
        assert figures.area is None
    else:
        assert figures.acres == pytest.approx(row.acres, abs=0.0006)
    if row.ratio is not None:
        assert figures.ratio == pytest.approx(row.ratio, rel=0.001)


def test_olive_1(texts: Path) -> None:
    result = read(texts, "2023_A1314_01")
    (one,) = result.results
    assert one.closure.bound == pytest.approx(0.15, abs=0.005)
    assert one.closure.to_close.startswith("S 45°4")
    assert one.closure.orientation == "clockwise"
    assert [call.no for call in one.parcel.calls if call.item is None] == [1, 7, 8, 13, 23]
    assert [call.no for call in one.parcel.calls if call.item == 1] == [2, 9, 11, 14, 18, 24]
    assert codes(one) == ["M-COUNT"]
    unused = {number.text for number in result.description.unused}
    assert {"20.00", "250.00", "105.67", "47.3", "414.2", "39.4", "284.7"} <= unused


def test_olive_2(texts: Path) -> None:
    result = read(texts, "2023_A1314_02")
    assert {"6.56", "203.73"} <= {number.text for number in result.description.unused}
    assert "12.82" not in {number.text for number in result.description.unused}
    assert result.problems + result.results[0].problems == ()
    assert result.usable


@pytest.mark.parametrize(
    ("name", "to_close", "ratio", "percent"),
    [
        ("2023_A1314_03", "S 79°36'19\" E", "1.054", -0.71),
        ("2023_A1314_04", "N 78°15'40\" E", "1.032", -0.54),
    ],
)
def test_moriah_is_not_closed_by_the_text(name: str, to_close: str, ratio: str, percent: float, texts: Path) -> None:
    (one,) = read(texts, name).results
    assert (one.closure.to_close, one.closure.closes, one.usable) == (to_close, False, False)
    assert one.closure.difference_percent == pytest.approx(percent, abs=0.01)
    (problem,) = [problem for problem in one.problems if problem.code == "M-PLACE"]
    assert problem.message.endswith(f"ratio {ratio}")


def test_moriah_1_first_and_rough_course(texts: Path) -> None:
    calls = read(texts, "2023_A1314_03").results[0].parcel.calls
    assert [float(call.distance.feet) for call in calls if call.distance] == [25.0, 866.05, 1044.36, 917.0, 1075.0]
    assert [call.distance.approximate for call in calls if call.distance] == [False, False, False, True, True]


def test_warwick_closes_with_its_curves(texts: Path) -> None:
    (one,) = read(texts, "2023_A6959A_01").results
    curves = [(leg.arc.radius, leg.length, leg.arc.side) for leg in one.placement.legs if leg.arc is not None]
    assert curves == [
        (115.0, 46.43, "left"),
        (45.0, pytest.approx(43.03), "right"),
        (250.0, 97.24, "right"),
        (350.0, pytest.approx(270.71), "left"),
        (365.0, 298.77, "right"),
    ]
    assert [meeting.kind for meeting in one.meetings] == ["tangent", "tangent", "tangent", "radial"]
    assert all(abs(meeting.difference) <= 0.003 for meeting in one.meetings[:3])
    assert [(tie.kind, float(tie.calls[0].distance.feet)) for tie in one.parcel.ties if tie.calls[0].distance] == [
        ("from_start", 50.0),
        ("side_tie", 180.9),
    ]
    assert codes(one) == ["M-MARK", "M-UNIT"]
    assert one.closure.difference_percent == pytest.approx(0.03, abs=0.005)


def test_freeport_has_compass_words_only(texts: Path) -> None:
    (one,) = read(texts, "2024_A6500A_01").results
    assert {call.kind for call in one.parcel.calls} == {"winding"}
    assert all(call.direction is None for call in one.parcel.calls)
    assert [call.no for call in one.parcel.calls if call.sinuous] == [8, 9]
    assert {"M-COUNT", "M-TWICE", "M-PLACE", "V-01"} <= set(codes(one))
    assert float(one.parcel.ties[0].calls[0].distance.feet) == 343.87  # type: ignore[union-attr]


def test_henrietta_1_has_its_curve_from_closure(texts: Path) -> None:
    (one,) = read(texts, "2024_S6150A_01").results
    leg = one.placement.legs[4]
    assert (one.placement.state, one.placement.solved, leg.how) == ("solved", (5,), "solved")
    assert abs(one.placement.check or 0.0) == pytest.approx(0.008, abs=0.0005)
    chord = (leg.end[0] - leg.start[0], leg.end[1] - leg.start[1])
    assert math.hypot(*chord) == pytest.approx(144.490, abs=0.0005)
    assert math.degrees(leg.arc.delta) == pytest.approx(7 + 51 / 3600, abs=0.0003)  # type: ignore[union-attr]
    assert codes(one) == ["M-SOLVED"]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("2024_S6150A_02", (8, "327.22", 0.5224), (6, "295.39", 0.5085)),
        ("2024_S6150A_03", (2, "325.47", 0.8858), (12, "277.12", 0.8695)),
    ],
)
def test_henrietta_2_and_3_have_one_wrong_length(
    name: str, first: tuple[int, str, float], second: tuple[int, str, float], texts: Path
) -> None:
    (one,) = read(texts, name).results
    for hint, (call, length, acres) in zip(one.hints, (first, second)):
        assert (hint.kind, hint.call, hint.edits[0].replacement) == ("length", call, length)
        assert hint.misclosure == pytest.approx(0.003, abs=0.0006)
        assert hint.acres == pytest.approx(acres, abs=0.0001)
    assert one.adjustment is None


def test_henrietta_7_has_four_slips_that_tangency_finds(texts: Path) -> None:
    text = (texts / "2024_S6150A_07.txt").read_text(encoding="utf-8")
    (one,) = traverse(text).results
    assert "M-MARK" in codes(one)
    assert one.closure.crosses
    assert one.placement.legs[28].how == "cusp"
    differences = {meeting.call: meeting.difference for meeting in one.meetings if meeting.kind == "angle"}
    assert differences[2] == pytest.approx(99.31, abs=0.01)
    assert differences[4] == pytest.approx(80.78, abs=0.01)
    assert differences[25] == pytest.approx(0.1525, abs=0.0005)
    assert one.likely is not None
    assert one.likely.label == (
        "the N/S letter of call 1, the side of call 2, the side of call 4, the N/S letter of call 26"
    )
    (mended,) = traverse(corrected(text, one.likely.edits)).results
    assert mended.closure.misclosure == pytest.approx(0.019, abs=0.0005)
    assert mended.closure.ratio == pytest.approx(178_000, rel=0.001)
    assert mended.closure.acres == pytest.approx(2.2304, abs=0.0001)
    assert {meeting.kind for meeting in mended.meetings} == {"tangent", "radial", "cusp"}
    assert mended.usable


def test_brooklyn_is_told_by_angles(texts: Path) -> None:
    area_a, area_b, area_e = read(texts, "2024_S6726_01").results
    assert [one.parcel.label for one in (area_a, area_b, area_e)] == ["Parcel 1", "Area B", "Area E"]
    assert [one.closure.orientation for one in (area_a, area_b, area_e)] == [
        "clockwise",
        "clockwise",
        "counter-clockwise",
    ]
    assert all(one.placement.floating and not one.usable for one in (area_a, area_b, area_e))
    assert [call.kind for call in area_b.parcel.tie_legs] == ["winding", "curve", "winding", "angle"]
    assert {"M-STRAY", "M-FLOAT"} <= set(codes(area_a))
    assert "M-STRUCK" in codes(area_b)
    (problem,) = [problem for problem in area_e.problems if problem.code == "M-ANGLES"]
    assert problem.message.startswith("the interior angles make +1′00″")
    assert codes(area_e).count("M-MARK") == 2
    assert [float(value) for value in area_a.parcel.coordinates or ()] == [1009899.0749, 186378.8532]


def test_brooklyn_3_reads_the_new_length(texts: Path) -> None:
    (one,) = read(texts, "2024_S6726_03").results
    assert "M-STRUCK" in codes(one)
    assert one.angle_sum == 360 * 3_600_000 - 1000
    assert "M-ANGLES" not in codes(one)


def test_milton_1_is_only_spread_by_the_compass_rule(texts: Path) -> None:
    one, two = read(texts, "2024_S9269A_01").results
    assert one.closure.bound == pytest.approx(3.76, abs=0.005)
    assert not any(hint.explains for hint in one.hints)
    assert one.adjustment is not None
    assert [round(shift, 2) for shift in one.adjustment.shifts] == [2.93, 4.53, 7.26, 8.33]
    assert one.adjustment.closure.acres == pytest.approx(22.69, abs=0.005)
    assert codes(two).count("M-CHAIN") == 2


def test_milton_2_has_two_solutions_and_the_words_choose(texts: Path) -> None:
    (one,) = read(texts, "2024_S9269A_02").results
    solved = [leg.azimuth for leg in one.placement.legs if leg.how == "solved"]
    assert solved == [pytest.approx(360 - (32 * 60 + 33) / 3600, abs=0.0003), pytest.approx(105.9003, abs=0.0003)]
    assert not one.usable


def test_milton_3_cannot_be_placed(texts: Path) -> None:
    (one,) = read(texts, "2024_S9269A_03").results
    assert [call.kind for call in one.parcel.calls] == ["winding", "adjoiner", "adjoiner", "adjoiner"]
    assert codes(one).count("M-PLACE") == 4


EXCERPTS = [(8, 2_348.61, 191.379), (4, 1_923.16, 1_511.92)]


@pytest.mark.parametrize("number", [1, 2])
def test_excerpts_that_break_off_are_open(number: int, shared: Path) -> None:
    file = (shared / "data" / "metes_bounds" / "excerpts.md").read_text(encoding="utf-8")
    quoted = re.findall(r'^\d\. .*?: "(.*)" \(cut off', file, re.MULTILINE)[number - 1]
    text = quoted.replace("[minute mark missing] ", "")
    (one,) = traverse(text).results
    lines, perimeter, misclosure = EXCERPTS[number - 1]
    assert (one.parcel.lines, one.parcel.curves) == (lines, 0)
    assert one.closure.perimeter == pytest.approx(perimeter, abs=0.01)
    assert one.closure.misclosure == pytest.approx(misclosure, abs=0.01)
    assert (one.closure.verdict, one.closure.area) == ("open", None)
    assert "M-OPEN" in codes(one)


def test_roads_and_neighbours_have_nothing_to_measure(shared: Path) -> None:
    file = (shared / "data" / "metes_bounds" / "excerpts.md").read_text(encoding="utf-8")
    quoted = re.findall(r'^3\. .*?: "(.*)" \(cut off', file, re.MULTILINE)[0]
    (one,) = traverse(quoted).results
    assert {call.kind for call in one.parcel.calls} == {"adjoiner"}
    assert one.closure.verdict == "unplaced"


def test_every_number_of_every_text_is_used_or_listed(texts: Path) -> None:
    for path in sorted(texts.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        result = traverse(text)
        listed = [number.span.start for number in result.description.unused]
        assert len(listed) == len(set(listed))
        for side in (side for one in result.results for side in one.sides):
            for part in (side.call.direction, side.call.distance):
                if part is not None:
                    assert not any(part.span.start <= start < part.span.end for start in listed)
