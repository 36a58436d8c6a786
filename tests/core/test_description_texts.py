"""Boundaries along hand-made streets and waters, word for word: § 2-202(1)(c)(1), `docs/description.md`."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from grids import BLOCK, CRS, EDITION, GRID, area, calls, described, polygon, roads, shore, street, thread, told

from village_petition.core.crs import working_crs
from village_petition.core.description import Choices, Line, Sources, bearings, describe
from village_petition.core.description.rings import straightened
from village_petition.core.model import InputError

FEET = "Distances are United States survey feet, measured on the grid."
SYSTEM = "NAD83 / New York West (ftUS) (EPSG:2262)"


def test_four_streets() -> None:
    described_ = described(BLOCK, Sources(GRID))
    assert described_.text.splitlines() == [
        "All that territory, bounded and described as follows, by reference to existing streets:",
        "BEGINNING at the point of intersection of the centerlines of Webster Road and Main Road;",
        "thence easterly along the centerline of Main Road (New York State Route 5), about 2,000 feet, to the point of "
        "intersection of the centerlines of Main Road and Lake Road;",
        "thence southerly along the centerline of Lake Road, about 3,000 feet, to the point of intersection of the "
        "centerlines of Lake Road and Shore Drive;",
        "thence westerly along the centerline of Shore Drive, about 2,000 feet, to the point of intersection of the "
        "centerlines of Shore Drive and Webster Road;",
        "thence northerly along the centerline of Webster Road, about 3,000 feet, to the point or place of beginning.",
        "Containing 137.74 acres (0.215 square miles), more or less.",
        FEET,
    ]
    assert described_.basis == "by reference to existing streets"
    assert described_.findings == ()
    assert [(side.name, side.length_ft, side.offset_ft) for side in described_.sides] == [
        ("Main Road", 2000.0, 0.0),
        ("Lake Road", 3000.0, 0.0),
        ("Shore Drive", 2000.0, 0.0),
        ("Webster Road", 3000.0, 0.0),
    ]


def test_a_boundary_drawn_by_hand_has_the_same_sides() -> None:
    drawn = described(polygon((3, -1), (2005, 2), (1996, 3001), (-6, 3003)), Sources(GRID))
    assert calls(drawn) == calls(described(BLOCK, Sources(GRID)))
    assert drawn.findings == ()
    assert [round(side.offset_ft or 0, 1) for side in drawn.sides] == [3.0, 5.0, 2.0, 6.0]


def test_a_road_two_hundred_feet_away_is_no_side() -> None:
    beside = described(polygon((200, 0), (2000, 0), (2000, 3000), (200, 3000)), Sources(GRID))
    assert calls(beside)[2:] == [
        "thence westerly along the centerline of Shore Drive, 1,800.00 feet, to a point in the centerline of Shore "
        "Drive at North 890,000.00, East 930,200.00;",
        "thence North 00°00'00\" East, 3,000.00 feet to a point in the centerline of Main Road at North 893,000.00, "
        "East 930,200.00;",
        "thence easterly along the centerline of Main Road (New York State Route 5), 1,800.00 feet, to the point or "
        "place of beginning.",
    ]
    assert beside.text.splitlines()[-1] == (
        f"Coordinates are feet of {SYSTEM}. Bearings refer to grid north of {SYSTEM}. {FEET}"
    )
    assert beside.basis == "by a combination of existing streets and metes and bounds"
    assert beside.alone["streets_waters"].text == ""
    assert beside.alone["streets_waters"].reason == (
        "1 side follows no named line of the chosen forms, 3,000 ft in all: side 3."
    )
    nothing = "The territory is not the whole of a town or of districts that are given."
    assert beside.alone["districts"].reason == nothing
    assert beside.alone["metes"].text.splitlines()[:6] == [
        "All that territory, bounded and described as follows, by metes and bounds:",
        "BEGINNING at a point at North 893,000.00, East 930,200.00;",
        "thence North 90°00'00\" East, 1,800.00 feet to a point;",
        "thence South 00°00'00\" East, 3,000.00 feet to a point;",
        "thence North 90°00'00\" West, 1,800.00 feet to a point;",
        "thence North 00°00'00\" East, 3,000.00 feet to the point or place of beginning.",
    ]


def test_the_shore_of_a_lake() -> None:
    lake = shore("Lake Erie", (-3000, 2900), (0, 3010), (700, 2950), (1400, 3060), (2000, 2990), (5000, 9000))
    territory = polygon((0, 0), (2000, 0), (2000, 2990), (1400, 3060), (700, 2950), (0, 3010))
    found = described(territory, Sources(GRID[:3], (lake,)), water_mark="mean high-water mark")
    assert calls(found)[:3] == [
        "BEGINNING at the point of intersection of the centerline of Webster Road with the shore of Lake Erie;",
        "thence easterly along the shore of Lake Erie at the mean high-water mark, about 2,020 feet, to the point of "
        "intersection of the shore of Lake Erie with the centerline of Lake Road;",
        "thence southerly along the centerline of Lake Road, about 2,990 feet, to the point of intersection of the "
        "centerlines of Lake Road and Shore Drive;",
    ]
    assert found.basis == "by reference to existing streets and navigable waters"
    assert found.findings == ()


def test_the_thread_of_a_river_that_winds() -> None:
    xy = ((-300, 3000), (0, 3000), (600, 3400), (1300, 2700), (2000, 3000), (2300, 3000))
    river = thread("Niagara River", *xy, water="river")
    territory = polygon((0, 0), (2000, 0), *reversed(xy[1:-1]))
    found = described(territory, Sources(GRID[:3], (river,)))
    thread_ = "the thread of the Niagara River"
    assert calls(found)[:2] == [
        f"BEGINNING at the point of intersection of the centerline of Webster Road with {thread_};",
        f"thence generally easterly along {thread_} as it winds and turns, about 2,470 feet, to the point of "
        f"intersection of {thread_} with the centerline of Lake Road;",
    ]


def test_a_creek_that_is_not_navigable_is_given_by_metes_and_bounds() -> None:
    creek = thread("Mill Creek", (-300, 3000), (2300, 3000), navigable=False)
    found = described(BLOCK, Sources(GRID[:3], (creek,)))
    assert calls(found)[2] == (
        "thence North 90°00'00\" East, 2,000.00 feet to a point in the centerline of Lake Road at North 893,000.00, "
        "East 932,000.00;"
    )


def test_two_roadways_of_one_street() -> None:
    main = roads("Main Road", ((-500, 3030), (2500, 3030)), ((-500, 2970), (2500, 2970)))
    middle = described(BLOCK, Sources((*GRID[:3], main)))
    assert calls(middle)[1] == (
        "thence easterly along the centerline of Main Road, midway between its roadways, about 2,000 feet, to the "
        "point of intersection of the centerlines of Main Road and Lake Road;"
    )
    one = described(polygon((0, 0), (2000, 0), (2000, 2970), (0, 2970)), Sources((*GRID[:3], main)))
    assert calls(one)[:2] == [
        "BEGINNING at the point of intersection of the centerline of Webster Road with the centerline of the southerly "
        "roadway of Main Road;",
        "thence easterly along the centerline of the southerly roadway of Main Road, about 2,000 feet, to the point of "
        "intersection of the centerline of the southerly roadway of Main Road with the centerline of Lake Road;",
    ]


def test_a_street_without_name_is_given_by_metes_and_bounds() -> None:
    nameless = street("", (-500, 3000), (900, 3000), (1100, 3000.5), (2500, 3004))
    found = described(polygon((0, 0), (2000, 0), (2000, 3000), (1000, 3005), (0, 3000)), Sources((*GRID[:3], nameless)))
    assert calls(found)[1:4] == [
        "thence northerly along the centerline of Webster Road, 3,000.00 feet, to a point in the centerline of Webster "
        "Road at North 893,000.00, East 930,000.00;",
        "thence along the centerline of a street without name, North 89°42'49\" East, 1,000.01 feet to a point;",
        "thence South 89°42'49\" East, 1,000.01 feet to a point in the centerline of Lake Road at North 893,000.00, "
        "East 932,000.00;",
    ]


def test_a_street_that_turns_and_changes_its_name_straight_on() -> None:
    bent = street("Creek Road", (0, 0), (-700, 700), (0, 1500), (0, 2000))
    onward = street("Hill Road", (0, 2000), (0, 3500))
    territory = polygon((0, 0), (2000, 0), (2000, 3000), (0, 3000), (0, 1500), (-700, 700))
    found = described(territory, Sources((*GRID[1:], bent, onward)))
    assert calls(found)[-2:] == [
        "thence generally northerly along the centerline of Creek Road, following its turns, about 2,550 feet, to the "
        "point of intersection of the centerlines of Creek Road and Hill Road;",
        "thence northerly along the centerline of Hill Road, about 1,000 feet, to the point or place of beginning.",
    ]
    assert [round(side.length_ft, 2) for side in found.sides[-2:]] == [2552.96, 1000.0]


def test_lines_that_meet_twice_are_told_apart_by_coordinates() -> None:
    loop = street("Loop Drive", (500, -400), (500, 600), (1500, 600), (1500, -400))
    found = described(polygon((500, 0), (1500, 0), (1500, 600), (500, 600)), Sources((GRID[2], loop)))
    assert calls(found) == [
        "BEGINNING at the point of intersection of the centerlines of Shore Drive and Loop Drive at North 890,000.00, "
        "East 930,500.00;",
        "thence generally easterly along the centerline of Loop Drive, following its turns, about 2,200 feet, to the "
        "point of intersection of the centerlines of Loop Drive and Shore Drive at North 890,000.00, East 931,500.00;",
        "thence westerly along the centerline of Shore Drive, about 1,000 feet, to the point or place of beginning.",
    ]


def test_town_lines_and_a_district_line() -> None:
    towns = (
        area("civil", "Town", "Town of Pomfret", (-5000, -5000), (0, -5000), (0, 9000), (-5000, 9000)),
        area("civil", "Town", "Town of Dunkirk", (0, -5000), (9000, -5000), (9000, 3000), (0, 3000)),
        area("civil", "City", "City of Dunkirk", (0, 3000), (9000, 3000), (9000, 9000), (0, 9000)),
    )
    fire = area("district", "Fire", "Point Fire District", (2000, -900), (8000, -900), (8000, 4000), (2000, 4000))
    found = described(BLOCK, Sources((GRID[2],), areas=(*towns, fire)))
    pomfret = "the boundary line between the Town of Dunkirk and the Town of Pomfret"
    city = "the boundary line between the Town of Dunkirk and the City of Dunkirk"
    district = "the boundary line of the Point Fire District"
    assert calls(found) == [
        f"BEGINNING at the point of intersection of {pomfret} with {city};",
        f"thence easterly along {city}, about 2,000 feet, to the point of intersection of {city} with {district};",
        f"thence southerly along {district}, about 3,000 feet, to the point of intersection of {district} with the "
        "centerline of Shore Drive;",
        "thence westerly along the centerline of Shore Drive, about 2,000 feet, to the point of intersection of the "
        f"centerline of Shore Drive with {pomfret};",
        f"thence northerly along {pomfret}, about 3,000 feet, to the point or place of beginning.",
    ]
    assert found.basis == "by a combination of existing streets, municipal boundary lines and district boundary lines"
    assert [code for code, severity, _ in told(found)] == ["D-LINE"] * 3
    only = described(BLOCK, Sources((GRID[2],), areas=towns), forms=("streets_waters", "metes"))
    assert [side.kind for side in only.sides] == ["course", "street"]


def test_a_hole_and_a_second_part() -> None:
    hole = ((500, 500), (1500, 500), (1500, 1500), (500, 1500))
    inner = (
        street("First Street", (500, 400), (500, 1600)),
        street("Second Street", (1500, 400), (1500, 1600)),
        street("Elm Street", (400, 500), (1600, 500)),
        street("Oak Street", (400, 1500), (1600, 1500)),
    )
    parts = shapely.MultiPolygon(
        [
            polygon((5000, 0), (5100, 0), (5100, 100), (5000, 100)),
            polygon((0, 0), (2000, 0), (2000, 3000), (0, 3000), holes=(hole,)),
        ]
    )
    found = described(parts, Sources((*GRID, *inner)))
    assert [line for line in calls(found) if not line.startswith("thence")] == [
        "PART 1",
        "BEGINNING at the point of intersection of the centerlines of Webster Road and Main Road;",
        "EXCEPTING the land described as follows, which is not part of the territory:",
        "BEGINNING at the point of intersection of the centerlines of First Street and Oak Street;",
        "PART 2",
        "BEGINNING at a point at North 890,100.00, East 935,000.00;",
    ]
    assert [side.label for side in found.sides] == [
        *(f"Side {number}" for number in (1, 2, 3, 4)),
        *(f"Side {number} of hole 1" for number in (1, 2, 3, 4)),
        "Side 1 of part 2",
    ]


WHOLE = area("civil", "Town", "Town of Pomfret", (0, 0), (2000, 0), (2000, 3000), (0, 3000))
HALVES = (
    area("district", "Fire", "North Fire District", (0, 1500), (2000, 1500), (2000, 3000), (0, 3000)),
    area("district", "Fire", "South Fire District", (0, 0), (2000, 0), (2000, 1500), (0, 1500)),
    area("district", "Water", "Water District No. 1", (0, 0), (1000, 0), (1000, 1500), (0, 1500)),
)
ACRES = "Containing 137.74 acres (0.215 square miles), more or less."


def test_the_entire_boundary_of_a_town() -> None:
    found = described(BLOCK, Sources(GRID, areas=(WHOLE,)))
    assert found.text == (
        "All that territory within the entire boundary of the Town of Pomfret, as shown on the map attached.\n" + ACRES
    )
    assert (found.entire, found.basis) == ("Town of Pomfret", "as the entire boundary of the Town of Pomfret")
    assert [(side.kind, side.name, side.length_ft) for side in found.sides] == [("civil", "Town of Pomfret", 10000.0)]
    assert found.alone["districts"].text == found.text
    assert found.alone["streets_waters"].text == described(BLOCK, Sources(GRID)).text
    assert described(BLOCK, Sources(GRID, areas=(WHOLE,)), forms=("streets_waters",)).entire == ""


def test_the_entire_boundaries_of_several_districts_of_one_kind() -> None:
    found = described(BLOCK, Sources(areas=HALVES))
    assert found.text.splitlines()[0] == (
        "All that territory within the entire boundaries of the North Fire District and the South Fire District, "
        "as shown on the map attached."
    )


def test_one_corner_thirty_feet_off_is_no_entire_boundary() -> None:
    off = polygon((0, 0), (2000, 0), (2030, 3000), (0, 3000))
    found = described(off, Sources(GRID, areas=(WHOLE,)))
    assert found.entire == ""
    assert told(found, "D-WHOLE") == [
        (
            "D-WHOLE",
            "info",
            "The territory and the Town of Pomfret differ by 1.0 acres, mostly near 932,008 891,500, so “the entire "
            "boundary” is not said.",
        )
    ]


def test_half_a_foot_off_is_within_the_tolerance() -> None:
    found = described(polygon((0, 0), (2000, 0), (2000.5, 3000), (0, 3000)), Sources(areas=(WHOLE,)))
    assert found.entire == "Town of Pomfret"
    assert described(polygon((0, 0), (2000, 0), (2003, 3000), (0, 3000)), Sources(areas=(WHOLE,))).entire == ""


def test_a_city_or_village_is_never_the_whole_of_a_territory_but_may_be_a_hole() -> None:
    square = ((500, 500), (900, 500), (900, 900), (500, 900))
    village = area("civil", "Village", "Village of Fredonia", *square)
    around = polygon((0, 0), (2000, 0), (2000, 3000), (0, 3000), holes=(square,))
    found = described(around, Sources(GRID, areas=(village,)))
    assert calls(found)[-1] == (
        "EXCEPTING the land within the entire boundary of the Village of Fredonia, which is not part of the territory."
    )
    assert found.basis == "by a combination of existing streets and the entire boundary of the Village of Fredonia"
    inside = described(polygon(*square), Sources(areas=(village,)))
    assert inside.entire == ""


def test_the_words_of_a_course_are_the_callers() -> None:
    def counted(xy: object, foot: float) -> list[str]:
        return [f"course {number}" for number in range(1, len(xy))]  # type: ignore[arg-type]

    shape = polygon((0, 0), (2000, 0), (2000, 1000), (1000, 1200), (0, 1000))
    found = describe(shape, Sources(GRID), CRS, EDITION, Choices(), counted)
    assert calls(found)[2:4] == [
        "thence course 1 to a point;",
        "thence course 2 to a point in the centerline of Lake Road at North 891,000.00, East 932,000.00;",
    ]


def test_a_layer_in_metres_gives_feet() -> None:
    metres = working_crs("EPSG:26918", (), "parcels.gpkg")
    east, north, foot = 690000.0, 4700000.0, 1200 / 3937
    corners = [(east + x * foot, north + y * foot) for x, y in ((0, 0), (2000, 0), (2000, 1000), (0, 1000))]
    line = shapely.multilinestrings([shapely.linestrings([corners[0], corners[1]])])
    found = describe(shapely.Polygon(corners), Sources((Line("street", "Main Road", line),)), metres, EDITION)
    assert [(side.name, round(side.length_ft, 6)) for side in found.sides] == [("", 4000.0), ("Main Road", 2000.0)]
    assert "Coordinates are meters of NAD83 / UTM zone 18N (EPSG:26918)." in found.text
    assert "North 00°00'00\" East, 1,000.00 feet" in found.text


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ((0, 500), "North 00°00'00\" East, 500.00 feet"),
        ((500, 0), "North 90°00'00\" East, 500.00 feet"),
        ((-500, 0), "North 90°00'00\" West, 500.00 feet"),
        ((0, -500), "South 00°00'00\" East, 500.00 feet"),
        ((300, -400), "South 36°52'12\" East, 500.00 feet"),
        ((-300, -400), "South 36°52'12\" West, 500.00 feet"),
        ((-300, 400), "North 36°52'12\" West, 500.00 feet"),
        ((-0.0001, 500), "North 00°00'00\" East, 500.00 feet"),
        ((500, -0.0001), "North 90°00'00\" East, 500.00 feet"),
        ((1.234, 1.006), "North 50°48'43\" East, 1.59 feet"),
    ],
)
def test_bearings_to_the_second(way: tuple[float, float], words: str) -> None:
    assert bearings([(0.0, 0.0), way], 1.0) == (words,)


def test_corners_on_a_straight_line_make_no_course() -> None:
    assert bearings([(0, 0), (100, 0.004), (200, 0), (200, 50)], 1.0) == (
        "North 90°00'00\" East, 200.00 feet",
        "North 00°00'00\" East, 50.00 feet",
    )


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"forms": ("verse",)}, "There is no form “verse”. Choose among streets_waters, districts, metes."),
        ({"forms": ()}, "No form of description is chosen. Choose among streets_waters, districts, metes."),
        ({"street_ft": "0"}, "“0” is not a width in feet above 0. Use digits and a point, e.g. 10."),
        ({"line_ft": "one"}, "“one” is not a width in feet above 0. Use digits and a point, e.g. 10."),
        (
            {"water_mark": "wet"},
            "There is no water mark “wet”. Choose among mean high-water mark, ordinary high-water mark, ordinary "
            "low-water mark, low-water mark.",
        ),
    ],
)
def test_choices_that_there_are_not(choices: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as refused:
        Choices(**choices)  # type: ignore[arg-type]
    assert refused.value.problems == (words,)


def test_three_towns_on_one_line() -> None:
    north = ((-5000, 3000), (9000, 3000), (9000, 9000), (-5000, 9000))
    rest = ((-5000, -5000), (9000, -5000), (9000, 3000), (-5000, 3000))
    names = ("Town of Pomfret", "Town of Arkwright", "City of Dunkirk")
    areas = tuple(area("civil", name.split()[0], name, *ring) for name, ring in zip(names, (rest, north, north)))
    side = described(BLOCK, Sources(GRID[:3], areas=areas)).sides[0]
    assert side.line.phrase == (
        "the common boundary line of the Town of Arkwright, the Town of Pomfret and the City of Dunkirk"
    )
    assert side.name == "Town of Arkwright, Town of Pomfret and City of Dunkirk"


def test_lengths_by_kind_add_up() -> None:
    found = described(polygon((0, 0), (2000, 0), (2000, 2000), (0, 2000)), Sources(GRID))
    assert found.lengths == {"course": 2000.0, "street": 6000.0}


def test_a_gentle_curve_of_many_corners_keeps_its_bend() -> None:
    arc = [(1000 * math.sin(step / 1000), 1000 * math.cos(step / 1000)) for step in range(1571)]
    kept = straightened(np.array(arc), 0.005)
    assert 100 < len(kept) < 300
    assert shapely.distance(shapely.linestrings(kept), shapely.points(arc)).max() <= 0.005
