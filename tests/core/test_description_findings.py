"""What is said of a description: gaps, lot lines, names, waters, corners. `docs/findings.md`, V-01 and D-…."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from grids import BLOCK, GRID, area, described, geometries, polygon, roads, shore, street, thread, told

from village_petition.core.description import Sources

ROOT = Path(__file__).resolve().parents[2]
BARE = polygon((0, 0), (2000, 0), (2000, 2000), (0, 2000))
"""Three streets, and in the north nothing."""

NORTH_SIDE = (
    "Side 2, 2,000.00 feet from North 892,000.00, East 930,000.00 to North 892,000.00, East 932,000.00, follows no "
    "street, water or line that the description may use. The nearest named line is Main Road, 1,000 ft away. "
)


def test_a_gap_is_told_with_its_ends_and_the_nearest_line() -> None:
    given = described(BARE, Sources(GRID))
    assert told(given) == [("D-GAP", "info", NORTH_SIDE + "It is given by metes and bounds.")]
    assert given.findings[0].citation == "§ 2-202(1)(c)(1)"
    alone = described(BARE, Sources(GRID), forms=("streets_waters",))
    remedy = "Move the boundary, or give this side by metes and bounds."
    assert told(alone) == [("D-GAP", "error", NORTH_SIDE + remedy)]
    assert (alone.text, alone.reason) == (
        "",
        "1 side follows no named line of the chosen forms, 2,000 ft in all: side 2.",
    )
    assert [side.length_ft for side in alone.sides] == [2000.0] * 4


def test_metes_and_bounds_alone_have_no_gaps() -> None:
    assert told(described(BARE, Sources(GRID), forms=("metes",))) == []


def test_a_street_that_ends_before_the_side_does() -> None:
    short = street("Main Road", (-500, 3000), (1200, 3000))
    found = described(BLOCK, Sources((*GRID[:3], short)))
    assert told(found) == [
        (
            "D-GAP",
            "info",
            "Side 2, 800.00 feet from North 893,000.00, East 931,200.00 to North 893,000.00, East 932,000.00, follows "
            "no street, water or line that the description may use; Main Road ends there. It is given by metes and "
            "bounds.",
        )
    ]


def test_a_street_with_a_piece_missing() -> None:
    broken = roads("Main Road", ((-500, 3000), (800, 3000)), ((1000, 3000), (2500, 3000)))
    found = described(BLOCK, Sources((*GRID[:3], broken)))
    assert [(side.name, round(side.length_ft, 2)) for side in found.sides[:3]] == [
        ("Main Road", 800.0),
        ("", 200.0),
        ("Main Road", 1000.0),
    ]
    assert "Main Road ends there" in told(found)[0][2]


def test_less_than_thirty_feet_are_no_gap() -> None:
    broken = roads("Main Road", ((-500, 3000), (800, 3000)), ((845, 3000), (2500, 3000)))
    found = described(BLOCK, Sources((*GRID[:3], broken)))
    assert [side.name for side in found.sides] == ["Main Road", "Lake Road", "Shore Drive", "Webster Road"]
    notch = polygon((0, 0), (2000, 0), (2000, 3000), (1012, 3000), (1006, 3012), (1000, 3000), (0, 3000))
    jog = described(notch, Sources(GRID))
    assert told(jog) == [
        ("D-OFFSET", "info", "Side 1 leaves the centerline of Main Road by up to 12.0 ft for a short way.")
    ]
    assert round(jog.sides[0].length_ft, 2) == 2014.83


def test_lot_lines_alone_are_v_01() -> None:
    lots = geometries(
        polygon((0, 1000), (1000, 1000), (1000, 2000), (0, 2000)),
        polygon((1000, 1000), (2000, 1000), (2000, 2000), (1000, 2000)),
    )
    sources = Sources(GRID, parcels=lots)
    side = "Side 2, 2,000.00 feet from North 892,000.00, East 930,000.00, follows lot lines alone"
    alone = described(BARE, sources, forms=("streets_waters",))
    assert told(alone, "V-01") == [
        (
            "V-01",
            "error",
            f"{side}: no lawful description. Give it by metes and bounds, a street or a navigable water.",
        )
    ]
    assert alone.findings[-1].citation == "§ 2-202(1)(c)(1)"
    given = described(BARE, sources)
    assert told(given, "V-01") == [
        ("V-01", "warning", f"{side}. Lots do not describe a boundary; it is given by bearings and distances.")
    ]


def test_a_side_half_on_lot_lines_and_a_street_on_lot_lines_are_not_v_01() -> None:
    half = geometries(polygon((0, 1000), (1000, 1000), (1000, 2000), (0, 2000)))
    assert told(described(BARE, Sources(GRID, parcels=half)), "V-01") == []
    front = geometries(polygon((0, 1000), (2000, 1000), (2000, 3000), (0, 3000)))
    assert told(described(BLOCK, Sources(GRID, parcels=front)), "V-01") == []


def test_a_street_without_name() -> None:
    nameless = street("", (-500, 3000), (2500, 3000))
    given = described(BLOCK, Sources((*GRID[:3], nameless)))
    where = "Side 2 follows the centerline of a street without name, near North 893,000.00, East 930,000.00."
    assert told(given) == [("D-NAME", "warning", f"{where} It is given by metes and bounds.")]
    alone = described(BLOCK, Sources((*GRID[:3], nameless)), forms=("streets_waters",))
    assert told(alone) == [("D-NAME", "error", f"{where} Name it, or give this side by metes and bounds.")]
    assert alone.text == ""


def test_two_streets_within_the_tolerance() -> None:
    old = street("Old Main Road", (-500, 3006), (2500, 3006))
    found = described(BLOCK, Sources((*GRID, old)))
    assert told(found) == [
        (
            "D-CHOICE",
            "warning",
            "Side 1 lies as near to Old Main Road for 2,000 ft as to Main Road, by which it is described. Choose one "
            "of them.",
        )
    ]
    fork = street("Hill Road", (2000, 3000), (1600, 3100))
    assert told(described(BLOCK, Sources((*GRID, fork)))) == []


def test_two_roadways() -> None:
    main = roads("Main Road", ((-500, 3030), (2500, 3030)), ((-500, 2970), (2500, 2970)))
    assert told(described(BLOCK, Sources((*GRID[:3], main)))) == [
        ("D-CHOICE", "info", "Side 1 runs midway between the two roadways of Main Road.")
    ]
    north = described(polygon((0, 0), (2000, 0), (2000, 3030), (0, 3030)), Sources((*GRID[:3], main)))
    assert told(north) == [
        (
            "D-CHOICE",
            "warning",
            "Side 1 follows the centerline of the northerly roadway of Main Road, one of two. Make sure that not the "
            "middle is meant.",
        )
    ]


def test_waters_that_nobody_has_called_navigable_or_not() -> None:
    creek = thread("Mill Creek", (-300, 3000), (2300, 3000), navigable=False, told=False)
    assert told(described(BLOCK, Sources(GRID[:3], (creek,))), "D-NAV") == [
        (
            "D-NAV",
            "warning",
            "Side 2 runs along Mill Creek for 2,000 ft, which is taken as not navigable because it is a stream. Only "
            "navigable waters bound a territory; say so if it is one.",
        )
    ]
    river = thread("Black River", (-300, 3000), (2300, 3000), water="river", told=False)
    assert told(described(BLOCK, Sources(GRID[:3], (river,)))) == [
        (
            "D-NAV",
            "info",
            "Black River is taken as navigable because it is a river. Say so yourself, with the source that you rest "
            "on, or say that it is not.",
        )
    ]


def test_a_shore_without_its_mark() -> None:
    lake = shore("Lake Erie", (-300, 3000), (2300, 3000), (2300, 5000), (-300, 5000))
    found = described(BLOCK, Sources(GRID[:3], (lake,)))
    assert told(found) == [
        (
            "D-MARK",
            "error",
            "Side 1 follows the shore of Lake Erie. Say to which water mark the territory reaches.",
        )
    ]


def test_lines_that_do_not_meet_where_the_boundary_turns() -> None:
    short = street("Main Road", (20, 3000), (2500, 3000))
    found = described(BLOCK, Sources((*GRID[:3], short)))
    assert told(found) == [
        (
            "D-CORNER",
            "warning",
            "The centerline of Webster Road and the centerline of Main Road do not meet near North 893,000.00, East "
            "930,000.00, where the boundary turns. Move the corner to where they meet.",
        ),
        ("D-OFFSET", "info", "Side 4 leaves the centerline of Main Road by up to 20.0 ft for a short way."),
    ]
    assert found.text.splitlines()[-4].endswith(
        "to a point in the centerline of Webster Road, where it meets the centerline of Main Road, at North "
        "893,000.00, East 930,000.00;"
    )


def test_a_street_that_stops_within_the_tolerance_of_the_other_still_meets_it() -> None:
    near = street("Main Road", (8, 3000), (2500, 3000))
    assert told(described(BLOCK, Sources((*GRID[:3], near)))) == []


def test_a_town_line_is_left_to_counsel() -> None:
    town = area("civil", "Town", "Town of Pomfret", (-500, -500), (2500, -500), (2500, 3000), (-500, 3000))
    assert told(described(BLOCK, Sources(GRID[:3], areas=(town,)))) == [
        (
            "D-LINE",
            "warning",
            "Side 1 runs along the boundary line of the Town of Pomfret. The statute names streets, navigable waters, "
            "metes and bounds, and entire boundaries of districts or a town; ask counsel whether part of such a line "
            "may stand with them.",
        )
    ]


def test_messages_hold_no_row_and_every_code_has_its_row_in_the_docs() -> None:
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    listed = {
        code: set(severities.split(", "))
        for code, severities in re.findall(r"^\| (D-[A-Z]+) \| [^|]+ \| ([a-z, ]+) \|", text, re.MULTILINE)
    }
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "core/description").glob("*.py")))
    raised = set(re.findall(r'"(D-[A-Z]+)"', source))
    assert raised == set(listed)
    assert all(severities <= {"error", "warning", "info"} for severities in listed.values())


@pytest.mark.parametrize("forms", [("streets_waters",), ("streets_waters", "districts", "metes"), ("metes",)])
def test_findings_come_in_order_and_once(forms: tuple[str, ...]) -> None:
    found = described(BARE, Sources(GRID, parcels=geometries(BARE)), forms=forms).findings
    keys = [(one.code, one.severity, one.message) for one in found]
    assert keys == sorted(set(keys))


def test_a_street_that_makes_a_way_of_its_own_between_two_corners() -> None:
    hairpin = street("Main Road", (-500, 3000), (1000, 3000), (1000, 3400), (1000, 3000), (2500, 3000))
    found = described(BLOCK, Sources((*GRID[:3], hairpin)))
    assert told(found) == [
        (
            "D-OFFSET",
            "warning",
            "Between the corners of side 1 the centerline of Main Road leaves the boundary by up to 400.0 ft. The text "
            "follows the line; draw the boundary along it.",
        )
    ]


def test_a_lake_whose_shore_closes_on_either_side_is_no_detour() -> None:
    for start in range(4):
        corners = [(-300.0, 3000.0), (2300.0, 3000.0), (2300.0, 5000.0), (-300.0, 5000.0)]
        lake = shore("Lake Erie", *corners[start:], *corners[:start])
        assert told(described(BLOCK, Sources(GRID[:3], (lake,)), water_mark="low-water mark")) == []


def test_a_street_that_goes_all_the_way_round_has_no_second_roadway() -> None:
    ring = ((0, 0), (100, 0), (100, 100), (0, 100), (0, 0))
    found = described(polygon(*ring[:-1]), Sources((street("Fox Circle", *ring),)))
    assert told(found) == []
    assert found.text.splitlines()[2] == (
        "thence along the centerline of Fox Circle, following its turns, 400.00 feet, to the point or place "
        "of beginning."
    )
