"""Directions and lengths in all their spellings; bad ones point at line and column with the likely readings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from village_petition.core.bearings import Call, Description, Options, parse, traverse
from village_petition.core.bearings.calls import DEGREE

FEET = " 100 feet"


def only(text: str, **options: bool) -> Call:
    """The one call of a text."""
    (parcel,) = parse(text, Options(**options)).parcels  # type: ignore[arg-type]
    (call,) = parcel.calls
    return call


def codes(description: Description) -> list[str]:
    return [one.code for one in description.all_problems()]


def degrees(call: Call) -> Fraction:
    assert call.direction is not None
    return Fraction(call.direction.azimuth, DEGREE)


@pytest.mark.parametrize(
    "spelling",
    [
        "N 45°00'00\" W",
        "N45-00-00W",
        "N45d00m00sW",
        "North 45 degrees West",
        "N 45 00 00 W",
        "N45:00:00W",
        "N 45º00´00” W",
        "N 45˚ 00’ 00’’ W",
        "N. 45° W.",
        "NORTH 45° 00′ 00″ WEST",
        "n 45° 0' w",
        "north forty-five degrees west",
        "North forty-five degrees zero minutes (45° 00') West",
        "azimuth 315°00'00\"",
        "Az. 315°",
    ],
)
def test_one_direction_however_it_is_spelled(spelling: str) -> None:
    description = parse(spelling + FEET)
    (call,) = description.parcels[0].calls
    assert (call.kind, degrees(call)) == ("line", 315)
    assert call.distance is not None
    assert call.distance.feet == 100
    assert codes(description) == []


@pytest.mark.parametrize(
    ("spelling", "azimuth"),
    [
        ("N. 15 deg. and 20 min. E.", Fraction(46, 3)),
        ("S. 1 deg and 30 min. E.", Fraction(357, 2)),
        ("South 48°44'45\" East", 180 - Fraction(48 * 3600 + 44 * 60 + 45, 3600)),
        ("North 83°35' East", Fraction(1003, 12)),
        ("N 45.5° W", Fraction(629, 2)),
        ("N 10°20'30.5\" E", 10 + Fraction(2 * 1230 + 1, 7200)),
        ("N0E", Fraction(0)),
        ("S90W", Fraction(270)),
        ("N90E", Fraction(90)),
        ("S0E", Fraction(180)),
        ("due East", Fraction(90)),
        ("West", Fraction(270)),
        ("E", Fraction(90)),
    ],
)
def test_directions_are_exact(spelling: str, azimuth: Fraction) -> None:
    assert degrees(only(spelling + FEET)) == azimuth


@pytest.mark.parametrize(
    ("text", "missing", "azimuth"),
    [
        ("S 00 01' 34\" W, 50.00 feet", "degree", 180 * 3600 + 94),
        ('S 27° 54 05" W 395.21 feet', "minute", 180 * 3600 + 27 * 3600 + 54 * 60 + 5),
        ('S 04°47 52" W 355.44 feet', "minute", 180 * 3600 + 4 * 3600 + 47 * 60 + 52),
    ],
)
def test_a_missing_mark_is_assumed_and_said(text: str, missing: str, azimuth: int) -> None:
    description = parse(text)
    assert degrees(description.parcels[0].calls[0]) == Fraction(azimuth, 3600)
    (problem,) = description.all_problems()
    assert (problem.code, problem.severity) == ("M-MARK", "info")
    assert problem.message == f"{missing} mark missing"
    assert len(problem.suggestions) == 1


@pytest.mark.parametrize(
    ("text", "message", "likely"),
    [
        ("S 12°61'40\" E 100 feet", "minutes must be below 60", ["16'", "01'"]),
        ("N 10°05'75\" W 100 feet", "seconds must be below 60", ['57"', '05"']),
        ("N 10°05'66\" W 100 feet", "seconds must be below 60", ['06"']),
        ("N 95°00'00\" E 100 feet", "degrees must not be above 90", ["59°", "05°"]),
        ("N 10°450'00\" E 100 feet", "minutes have more digits than they can", ["50'", "40'", "45'"]),
        ("N 90°30'00\" E 100 feet", "the angle is above 90 degrees", []),
        ("N 45° 30 E 100 feet", "minute mark missing", ["'"]),
        ("N 45 gon E 100 feet", "gon are not read", []),
    ],
)
def test_bad_angles_are_not_read(text: str, message: str, likely: list[str]) -> None:
    description = parse(text)
    assert [call.kind for call in description.parcels[0].calls] == ["unread"]
    (problem,) = description.all_problems()
    assert (problem.code, problem.severity, problem.message) == ("M-DMS", "error", message)
    assert [one.label for one in problem.suggestions] == likely
    assert problem.call == 1


def test_the_form_of_a_problem() -> None:
    description = parse("BEGINNING at a pin;\nthence S 12°61'40\" E 100 feet to the point of beginning.")
    (problem,) = description.all_problems()
    expected = (
        "x.txt:2:8: M-DMS minutes must be below 60 | found «S 12°61'40\" E» | expected 0–59 | did you mean 16' or 01'?"
    )
    assert problem.line_of("x.txt") == expected


@pytest.mark.parametrize(
    ("text", "likely"),
    [("45°00'00\" 100 feet", []), ("45°00'00\" E 100 feet", []), ("N 45°00'00\" 100 feet", ["E", "W"])],
)
def test_a_quadrant_is_never_guessed(text: str, likely: list[str]) -> None:
    description = parse(text)
    assert [call.kind for call in description.parcels[0].calls] == ["unread"]
    (problem,) = description.all_problems()
    assert problem.code == "M-QUAD"
    assert [one.label for one in problem.suggestions] == likely


def test_azimuths_are_read_where_they_are_chosen() -> None:
    assert degrees(only("225°30'00\" 100 feet", azimuth=True)) == Fraction(451, 2)


@pytest.mark.parametrize(("word", "wind"), [("Southerly", 180), ("north-easterly", 45), ("Northwesterly", 315)])
def test_a_compass_word_is_no_direction(word: str, wind: int) -> None:
    call = only(f"thence {word}, along the road, 100 feet to a pin")
    assert (call.kind, call.direction, call.wind) == ("winding", None, wind)


def test_a_compass_word_checks_a_bearing() -> None:
    description = parse("thence in a general westerly direction North 10° East 100 feet to a pin")
    assert "M-WIND" in codes(description)


def test_d30_the_calls_of_the_report_read_the_same() -> None:
    text = (
        "N45-00-00W 2590.5\nN 45°00'00\" W, 2590.5 ft\nN45d00m00sW 2590.5\nNorth 45 degrees West 2590.5\ndue East 153\n"
    )
    calls = parse(text).parcels[0].calls
    assert [degrees(call) for call in calls] == [315, 315, 315, 315, 90]
    assert [call.distance.feet for call in calls if call.distance] == [Fraction("2590.5")] * 4 + [153]


def test_d30_a_figure_in_its_spellings_closes() -> None:
    figure = "N45-00-00W 2590.5\nSouth 45 degrees West 153\nS 45°00'00\" E, 2590.5 ft\nN45d00m00sE 153\n"
    (result,) = traverse(figure).results
    assert result.closure.misclosure < 1e-9
    assert result.closure.area == pytest.approx(2590.5 * 153, abs=1e-6)


def test_d31_quadrant_letters_decide() -> None:
    (result,) = traverse("N0E, 500\nN90E, 500\nS0E, 500\nS90W, 500\n").results
    assert (result.closure.misclosure, result.closure.area, result.closure.ratio) == (0.0, 250_000.0, None)
    assert result.usable


# Lengths


@pytest.mark.parametrize(
    ("text", "feet"),
    [
        ("883.90'", "883.90"),
        ("1,126.22 feet", "1126.22"),
        ("1044.36 ft.", "1044.36"),
        ("12.82 feet, ", "12.82"),
        ("6 chains and 8.5 links", "401.61"),
        ("18 chains", "1188"),
        ("39 ch. 27 lk.", "2591.82"),
        ("thirty nine chains & twenty seven links", "2591.82"),
        ("10 rods", "165"),
        ("4 poles", "66"),
        ("2 perches", "33"),
        ("10 yards", "30"),
        ("1 mile", "5280"),
        ("5 feet 6 inches", "5.5"),
        ("5' 6\"", "5.5"),
        ("fifteen hundred and three feet", "1503"),
        ("eight hundred and twenty-five feet", "825"),
        ("two hundred six and thirty-two hundredths (206.32) feet", "206.32"),
        ("one thousand one hundred twenty-five and ninety-four hundredths (1,125.94) feet", "1125.94"),
        ("two hundred fifty (250) feet", "250"),
        ("a distance of 40.04 feet", "40.04"),
        ("for a distance of 136.44 feet", "136.44"),
        ("along the road of Lot 327 and 318, a distance of 5,874.4 feet", "5874.4"),
        ("tenfeet", "10"),
        ("one-hundredand ten feet", "110"),
    ],
)
def test_lengths(text: str, feet: str) -> None:
    call = only(f"thence North 10° East {text} to a pin")
    assert call.distance is not None
    assert call.distance.feet == Fraction(feet)


def test_metres_follow_the_foot() -> None:
    call = only("North 10° East 1200 metres")
    assert call.distance is not None
    assert call.distance.feet == 3937


@pytest.mark.parametrize("text", ["917 feet more or less", "3,468 feet, more or less,", "740 ± feet", "1,100 feet +/-"])
def test_more_or_less(text: str) -> None:
    call = only(f"thence North 10° East {text} to a pin")
    assert call.distance is not None
    assert call.distance.approximate


@pytest.mark.parametrize(
    "thing",
    [
        "a 5/8 inch diameter rebar",
        "a 2 foot diameter pile of stones",
        "a road, a 70' width right of way",
        "a street, an eighty feet width right of way",
        "lands in Liber 5652 at page 104",
        "a 6.56 acre lot",
        "a point two (2) inches from a pipe",
        "a pin, said last mentioned course at distances of 20.00 feet and 250.00 feet passes through rebars",
        "Lots 364, 365, 344 and 343",
    ],
)
def test_numbers_that_are_no_lengths(thing: str) -> None:
    description = parse(f"thence North 10° East, 46.40 feet to {thing}; thence South 10° West 46.40 feet to a pin")
    lengths = [call.distance.feet for call in description.parcels[0].calls if call.distance]
    assert lengths == [Fraction("46.4")] * 2


def test_numbers_not_used_are_listed_each_once() -> None:
    text = "thence North 10°20'30\" East 46.40 feet to a 5/8 inch rebar in Liber 12; thence [7] South 1° West 8 feet"
    description = parse(text)
    assert [one.text for one in description.unused] == ["5", "8", "12", "7"]
    assert [text[one.span.start : one.span.end] for one in description.unused] == ["5", "8", "12", "7"]


def test_words_and_figures_must_agree() -> None:
    description = parse("thence North 10° East two hundred six (260) feet to a pin")
    (problem,) = [one for one in description.all_problems() if one.code == "M-PAIR"]
    assert problem.message == "the words say 206, the figures 260"


def test_angles_in_words_and_figures_must_agree() -> None:
    assert "M-PAIR" in codes(parse("thence south nine degrees twenty-six minutes (9° 62') west 10 feet"))
    assert "M-PAIR" in codes(parse("thence south nine degrees twenty minutes (9° 26') west 10 feet"))


def test_ill_formed_chains() -> None:
    description = parse("thence west 3.6 chains and 80 links to a pin")
    problem = next(one for one in description.all_problems() if one.code == "M-CHAIN")
    assert [one.label for one in problem.suggestions] == ["36 chains 80 links", "3 chains 60 links"]
    call = description.parcels[0].calls[0]
    assert call.distance is not None
    assert call.distance.feet == Fraction("3.6") * 66 + Fraction("0.66") * 80


def test_a_missing_unit_is_that_of_the_parcel() -> None:
    description = parse("thence North 1° East 2 chains to a pin; thence East a distance of 3 to the point")
    call = description.parcels[0].calls[1]
    assert call.distance is not None
    assert call.distance.feet == 198
    (problem,) = [one for one in description.all_problems() if one.code == "M-UNIT"]
    assert (problem.severity, problem.found) == ("info", "3")


def test_struck_matter_is_left_out_and_said() -> None:
    description = parse("thence North 1° East [124.23'] 146.23' to a point")
    call = description.parcels[0].calls[0]
    assert call.distance is not None
    assert call.distance.feet == Fraction("146.23")
    assert "M-STRUCK" in codes(description)
    assert [one.text for one in description.unused] == ["124.23"]


def test_a_note_in_brackets_is_no_course() -> None:
    text = "thence south 9° 26' west 206.32 feet to a pipe [magnetic bearing as of 1982; map shows 06º 20']; thence"
    assert len(parse(text).parcels[0].calls) == 1


def test_a_stray_letter_is_skipped() -> None:
    text = "thence, on a line having an interior angle of f 70°59'29\" with the previous course 18.01' to a point"
    description = parse(text)
    assert description.parcels[0].calls[0].angle == 70 * DEGREE + 59 * DEGREE // 60 + 29 * DEGREE // 3600
    assert "M-STRAY" in codes(description)
