"""Ties, lists, parcels, exceptions and ends: what is a course of the boundary and what is not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from village_petition.core.bearings import Description, corrected, parse, traverse

SQUARE = "thence North 100 feet to a pin; thence East 100 feet; thence South 100 feet; thence West 100 feet to the "
CLOSED = SQUARE + "point or place of beginning."


def codes(description: Description) -> list[str]:
    return [one.code for one in description.all_problems()]


# Ties


def test_a_tie_from_the_point_of_commencement_is_no_course() -> None:
    text = f"COMMENCING at a pin; thence, North 1° East 31.72 feet to the POINT OF BEGINNING; {CLOSED}"
    (parcel,) = parse(text).parcels
    assert (parcel.lines, [(tie.kind, len(tie.calls)) for tie in parcel.ties]) == (4, [("to_start", 1)])


def test_without_its_point_of_beginning_a_tie_is_a_course() -> None:
    text = f"COMMENCING at a pin; thence, North 1° East 31.72 feet to a pipe; {CLOSED}"
    (parcel,) = parse(text).parcels
    assert (parcel.lines, parcel.ties) == (5, ())


@pytest.mark.parametrize(
    "start",
    [
        "COMMENCING at a pin being the POINT OF BEGINNING; ",
        "BEGINNING at a pin and runs thence from said point of beginning ",
        "Commencing at a pin; ",
    ],
)
def test_starts_without_tie(start: str) -> None:
    text = start + CLOSED if start.endswith("; ") else start + CLOSED.replace("thence", "", 1)
    (parcel,) = parse(text).parcels
    assert (parcel.lines, parcel.ties, parcel.calls[-1].closes) == (4, (), True)


def test_a_start_may_be_placed_from_a_corner() -> None:
    text = f"Beginning at a pin, being located S 00°01'34\" W, 50.00 feet from the corner of Lot 1; {CLOSED}"
    (parcel,) = parse(text).parcels
    (tie,) = parcel.ties
    assert (tie.kind, parcel.lines, tie.anchor_text) == ("from_start", 4, "from the corner of Lot 1")


def test_a_start_may_be_distant_from_a_corner() -> None:
    text = f"BEGINNING at a point, distant 343.87 feet southerly from the corner; {CLOSED}"
    (tie,) = parse(text).parcels[0].ties
    assert (tie.kind, tie.calls[0].wind, tie.calls[0].direction) == ("from_start", 180, None)


def test_a_tie_in_mid_course_is_no_course() -> None:
    text = "thence N 20° W, 397.60 feet to a point, said point being located N 65° E, 180.90 feet from Lot 1; thence"
    (parcel,) = parse(text).parcels
    assert (parcel.lines, [(tie.kind, tie.at_call) for tie in parcel.ties]) == (1, [("side_tie", 1)])


def test_the_figure_of_a_tie_starts_at_its_end() -> None:
    text = f"COMMENCING at a pin; thence East 50 feet to the point of beginning; {CLOSED}"
    (result,) = traverse(text).results
    assert result.placement.start == (50.0, 0.0)
    assert result.polygon is not None
    assert result.polygon.bounds == (50.0, 0.0, 150.0, 100.0)


# Lists


def test_numbered_lists_in_their_forms() -> None:
    text = (
        "BEGINNING at a pin; thence along the road the following two (2) courses and distances:\n"
        " (1) N 1° E, a distance of 10 feet;\n (2) N 2° E, a distance of 20 feet;\n"
        " thence along the lane the following two courses and distances:\n 1) N 3° E 30 feet and\n 2) N 4° E 40 feet,\n"
        " thence,\n 1. N 5° E 50 feet to a point; thence,\n 2. N 6° E 60 feet to the point of beginning."
    )
    description = parse(text)
    calls = description.parcels[0].calls
    assert [call.distance.feet for call in calls if call.distance] == [10, 20, 30, 40, 50, 60]
    assert [call.item for call in calls] == [1, 2, 1, 2, 1, 2]
    assert [call.along for call in calls[:4]] == ["the road", "the road", "the lane", "the lane"]
    assert codes(description) == []


def test_a_number_at_the_head_of_a_line_is_no_item() -> None:
    text = "BEGINNING in the road (County Route\n 42) at a corner; thence N 1° E 10 feet to Section\n 62, a pin; thence"
    assert len(parse(text).parcels[0].calls) == 1


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("the following three (3) courses and distances", "3 courses are announced, 2 follow"),
        ("the following one course and distance", "1 courses are announced, 2 follow"),
    ],
)
def test_lists_must_have_as_many_courses_as_they_say(header: str, message: str) -> None:
    text = (
        f"thence along the road {header}:\n 1) N 1° E 10 feet and\n 2) N 2° E 20 feet, thence N 3° E 30 feet to a pin"
    )
    (problem,) = [one for one in parse(text).all_problems() if one.code == "M-COUNT"]
    assert problem.message == message


def test_the_remaining_courses_are_counted_from_their_item() -> None:
    text = (
        "thence the following three courses and distances:\n 1) N 1° E 10 feet,\n"
        " 2) the remaining three courses being along the kill N 2° E 20 feet,\n 3) N 3° E 30 feet, thence N 4° E 5 feet"
    )
    (problem,) = [one for one in parse(text).all_problems() if one.code == "M-COUNT"]
    assert problem.message == "3 courses are announced, 2 follow"


def test_bearings_after_a_header_need_no_numbers() -> None:
    text = (
        "thence the following two courses along said bank N 1° E ... 10 feet; N 2° E ... 20 feet; thence N 3° E 5 feet"
    )
    description = parse(text)
    assert len(description.parcels[0].calls) == 3
    assert "M-COUNT" not in codes(description)


def test_items_that_say_the_same() -> None:
    text = (
        "thence the following two courses and distances:\n 1. Westerly, 83.70 feet, along the side of the way;\n"
        " 2. Westerly, along the side of the way, 83.70 feet to a pin; thence N 1° E 2 feet"
    )
    assert "M-TWICE" in codes(parse(text))


# Parcels


def test_several_parcels_and_exceptions() -> None:
    text = (
        f"PARCEL 1: Beginning at a pin (N=1000.00, E=2000.00); {CLOSED}\n"
        "EXCEPTING THEREFROM the following: Beginning at a pin (N=1010.00, E=2010.00); "
        f"{CLOSED.replace('100', '20')} Containing 400 square feet\n"
        f"PARCEL 2: Beginning at a pin (N=1000.00, E=2500.00); {CLOSED} Containing 0.23 acres\n"
    )
    result = traverse(text)
    assert [(one.parcel.role, one.parcel.label) for one in result.results] == [
        ("include", "PARCEL 1"),
        ("except", "Parcel 2"),
        ("include", "PARCEL 2"),
    ]
    assert result.shape is not None
    assert result.shape.area == 20_000 - 400
    assert result.shape.bounds == (0.0, 0.0, 600.0, 100.0)
    assert [one.parcel.stated_acres for one in result.results] == [None, Fraction(400, 43560), Fraction("0.23")]


def test_an_exception_outside_its_parcel_is_refused() -> None:
    text = (
        f"Beginning at a pin (N=0.00, E=0.00); {CLOSED}\nEXCEPTING THEREFROM: Beginning at a pin (N=0.00, E=500.00); "
        f"{CLOSED}"
    )
    result = traverse(text)
    assert result.shape is None
    assert "M-HOLE" in [one.code for one in result.results[1].problems]


def test_parcels_without_coordinates_are_said_to_start_together() -> None:
    result = traverse(f"Beginning at a pin; {CLOSED}\nPARCEL 2: Beginning at a pin; {CLOSED}")
    assert "M-START" in [one.code for one in result.results[1].problems]


@pytest.mark.parametrize(
    ("said", "acres"),
    [
        ("Containing 15.67 acres", Fraction("15.67")),
        ("CONTAINING Ninety-three and ninety-one hundredths (93.91) Acres", Fraction("93.91")),
        ("Containing twenty-two and thirty-five one-hundreths acres of land more or less", Fraction("22.35")),
        ("CONTAINING One thousand one hundred eighty four and eight tenths (1,184.8) acres", Fraction("1184.8")),
        ("Said parcel containing 39,996 square feet", Fraction(39996, 43560)),
        ("Said parcel described above contains 5,836 square feet (0.13 acres) of land", Fraction(5836, 43560)),
    ],
)
def test_stated_areas(said: str, acres: Fraction) -> None:
    description = parse(f"Beginning at a pin; {CLOSED}\n{said}")
    assert description.parcels[0].stated_acres == acres
    assert (codes(description), description.unused) == ([], ())


# Ends and monuments


@pytest.mark.parametrize(
    "end",
    [
        "point or place of BEGINNING",
        "PLACE AND\n POINT OF BEGINNING",
        "place of the beginning",
        "Point Of Beginning",
        "POB",
    ],
)
def test_ends(end: str) -> None:
    description = parse(
        f"BEGINNING at a pin; {SQUARE}{end}.\n All as shown on a plan, thence the sheet 12 of North 45."
    )
    assert [call.closes for call in description.parcels[0].calls] == [False, False, False, True]
    assert "M-OPEN" not in codes(description)


def test_what_stands_after_the_end_is_not_read() -> None:
    description = parse(f"BEGINNING at a pin; {CLOSED} thence N 1° E 10 feet to a pin")
    assert len(description.parcels[0].calls) == 4
    assert "M-AFTER" in codes(description)


def test_an_open_text_claims_no_area() -> None:
    (result,) = traverse("BEGINNING at a pin; thence N 1° E 10 feet to a pin; thence N 50° E 10 feet to a pipe").results
    assert "M-OPEN" in [one.code for one in result.problems]
    assert (result.closure.verdict, result.closure.area, result.usable) == ("open", None, False)
    assert result.why_not == "The text breaks off before it comes back to the beginning."


def test_monuments_and_lines_are_kept_as_they_stand() -> None:
    text = "thence along the lands of A. de la Cruz, N 1° E, 10 feet to a found\n rebar set in stones, thence E 5 feet"
    call = parse(text).parcels[0].calls[0]
    assert (call.along, call.end_monument) == ("the lands of A. de la Cruz", "to a found rebar set in stones")


def test_courses_without_bearings_or_lengths() -> None:
    text = (
        "thence southerly on the line 10 chains to a stake; thence westerly along the lot to the road; "
        "thence along the road as it winds and turns 1075 feet more or less to the place of beginning"
    )
    calls = parse(text).parcels[0].calls
    assert [call.kind for call in calls] == ["winding", "adjoiner", "winding"]
    assert [call.sinuous for call in calls] == [False, False, True]


def test_a_course_along_a_tax_lot_is_said() -> None:
    description = parse("thence Easterly, along the northerly line of said tax lot, 63.0 feet to a point")
    assert "V-01" in codes(description)


def test_a_text_without_courses() -> None:
    assert codes(parse("All that tract or parcel of land in the Town of Pomfret.")) == ["M-EMPTY"]
    assert codes(parse("")) == ["M-EMPTY"]


# Places in the text


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("BEGINNING at a pin;\nthence S 12°61'40\" E 5 feet", 2, 8),
        ("BEGINNING at a pin;\r\n\r\n\tthence S 12°61'40\" E 5 feet", 3, 9),
        ("BEGINNING at a pin;\n\u00a0thence\u00a0S\u00a012°61'40\" E 5 feet", 2, 9),
        ("\ufeffthence S 12°61'40\" E 5 feet", 1, 8),
        ("Ünterhalb, thence S 12°61'40\" E 5 feet", 1, 19),
    ],
)
def test_lines_and_columns_are_those_a_person_sees(text: str, line: int, column: int) -> None:
    (problem,) = [one for one in parse(text).all_problems() if one.code == "M-DMS"]
    assert (problem.span.line, problem.span.column) == (line, column)
    assert text[problem.span.start : problem.span.end].replace("\u00a0", " ") == "S 12°61'40\" E"


def test_a_word_broken_at_the_end_of_a_line() -> None:
    text = "BEGINNING at a pin; the\u00adnce N 1° E 5 feet; then-\n ce N 2° E 6 feet to a pin"
    calls = parse(text).parcels[0].calls
    assert [call.distance.feet for call in calls if call.distance] == [5, 6]


def test_every_call_leads_to_its_words() -> None:
    text = f"BEGINNING at a pin; {CLOSED}"
    (result,) = traverse(text).results
    assert [text[side.span.start : side.span.end] for side in result.sides] == [
        "North 100 feet",
        "East 100 feet",
        "South 100 feet",
        "West 100 feet",
    ]
    assert [side.points[-1] for side in result.sides] == [(0.0, 100.0), (100.0, 100.0), (100.0, 0.0), (0.0, 0.0)]


def test_accepted_readings_change_the_text() -> None:
    text = "thence S 12°61'40\" E 100 feet to a pin"
    (problem,) = [one for one in parse(text).all_problems() if one.code == "M-DMS"]
    mended = corrected(text, problem.suggestions[:1])
    assert mended == "thence S 12°16'40\" E 100 feet to a pin"
    assert [call.kind for call in parse(mended).parcels[0].calls] == ["line"]
    with pytest.raises(ValueError, match="same words"):
        corrected(text, problem.suggestions)


def test_the_basis_that_a_text_names() -> None:
    assert parse("bearings refer to Magnetic North 2009. thence N 1° E 5 feet").basis == "magnetic"
    assert parse("bearings refer to True North. thence N 1° E 5 feet").basis == "true"
    assert parse("thence N 1° E 5 feet").basis == ""


def test_a_long_text_is_read_in_one_pass() -> None:
    line = 'thence North 48°44\'45" East 494.90 feet to a 5/8 inch rebar with a plastic cap inscribed "A & B" set;\n'
    (parcel,) = parse("BEGINNING at a pin; " + line * 3000).parcels
    assert parcel.lines == 3000
