"""Towns, villages and cities: which part a parcel counts in (rule 9); the territory itself (rules 8 and 21)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import shapely
from worlds import BOW_TIE, DUNKIRK, POMFRET, Lot, box, moved, override, polygon, unmapped

from village_petition.core.model import InputError

TOWNS = {POMFRET: ("Pomfret", box(-1000, -1000, 100, 1000)), DUNKIRK: ("Dunkirk", box(100, -1000, 1000, 1000))}
WEST = Lot("west", box(0, 0, 50, 50), 60_000, "ANN")
EAST = Lot("east", box(120, 0, 170, 50), 40_000, "BOB", swis=DUNKIRK)
BOTH = box(0, 0, 200, 100)
ACRE_FEET = 43_560


def refusal(made: Any) -> tuple[str, ...]:
    with pytest.raises(InputError) as refused:
        made.analyze()
    return refused.value.problems


# Which town


@pytest.mark.parametrize("swis", ["065800", "065889", 65889, "65800", 65800.0])
def test_both_endings_are_the_town_g38(swis: Any, world: Any) -> None:
    found = world([replace(WEST, swis=swis)], box(0, 0, 90, 90), rates={POMFRET: "14.50", "065801": "44.28"}).analyze()
    assert [part["swis"] for part in found.json["parts"]] == [POMFRET]
    assert Fraction(found.part()["rate"]) == Fraction("29/2")
    assert found.found("V-47") == [("warning", "065801", "")]
    assert found.found("V-05") == []
    assert found.json["parcels"][0]["swis"] in ("065800", "065889")


def test_the_towns_row_may_end_in_89(world: Any) -> None:
    towns = {"065889": ("Pomfret", box(-1000, -1000, 1000, 1000))}
    found = world([WEST], box(0, 0, 90, 90), towns=towns).analyze()
    assert (found.part()["town"], found.part()["swis"], found.part()["rate"]) == ("Pomfret", POMFRET, "50.00")


def test_a_village_counts_in_its_town_and_is_named_g38(world: Any) -> None:
    lots = [WEST, Lot("v", box(60, 0, 70, 10), 10_000, "VI", swis="065801")]
    found = world(lots, box(0, 0, 90, 90), signers=["VI"]).analyze()
    assert found.found("V-05") == [("error", "065801", "")]
    assert found.messages("V-05") == [
        "The roll puts 1 parcel in the village of SWIS 065801 that lies in the territory: v, $10,000 inside."
        " It is counted in the part of its town. Keep the boundary clear of the village."
    ]
    assert (found.part()["value"], found.part()["signed"]) == (70_000, "10000/1")


def test_a_village_outside_is_not_named(world: Any) -> None:
    lots = [WEST, Lot("v", box(90, 0, 95, 10), swis="065801")]
    assert world(lots, box(0, 0, 90, 90)).analyze().found("V-05") == []


def test_a_city_is_in_no_part(world: Any) -> None:
    cities = [
        ("Dunkirk", "City", "061600", box(80, 0, 100, 20)),
        ("Fredonia", "Village", "065801", box(900, 0, 910, 9)),
    ]
    lots = [WEST, Lot("c", box(80, 0, 100, 20), 10_000, "CY", swis="061600")]
    found = world(lots, box(0, 0, 90, 90), cities=cities, signers=["ANN", "CY"]).analyze()
    parcel = found.parcel("c")
    assert (parcel["class"], parcel["inside"], parcel["owners"], parcel["credit"]) == ("split", 5_000, None, "0/1")
    assert ("error", "061600", "") in found.found("V-05")
    assert "It is in no town's part." in " ".join(found.messages("V-05"))
    assert [part["value"] for part in found.json["parts"]] == [60_000]
    assert found.dollars() == (65_000, 5_000, 0, 70_000)
    assert [signer["status"] for signer in found.json["signers"]] == ["credited", "not_owner"]
    assert found.test("city_village")["status"] == "fail"
    assert found.verdict == "fail"


def test_a_city_that_touches_is_none_of_the_territory(world: Any) -> None:
    cities = [("Dunkirk", "City", "061600", box(90, 0, 120, 20))]
    found = world([WEST], box(0, 0, 90, 90), cities=cities).analyze()
    assert found.test("city_village")["status"] == "pass"
    assert found.found("V-05") == []


def test_without_cities_their_test_does_not_apply(world: Any) -> None:
    assert world([WEST], BOTH).analyze().test("city_village")["status"] == "not_applicable"


def test_each_unknown_town_is_one_line(world: Any) -> None:
    lots = [
        WEST,
        Lot("a", box(60, 0, 70, 10), swis="067000"),
        Lot("b", box(70, 0, 80, 10), swis="067089"),
        Lot("c", box(80, 0, 90, 10), None, swis="061600"),
        Lot("far", box(600, 0, 610, 10), swis="069900"),
    ]
    assert refusal(world(lots, BOTH)) == (
        "towns.gpkg: no town has SWIS 061600 or 061689, yet parcel 061600 c lies in the territory."
        " Add the town, or name the layer of cities and villages if it is a city.",
        "towns.gpkg: no town has SWIS 067000 or 067089, yet parcel 067000 a lies in the territory."
        " Add the town, or name the layer of cities and villages if it is a city.",
    )


def test_an_unmapped_row_of_an_unknown_town(world: Any) -> None:
    (problem,) = refusal(world([WEST], BOTH, unmapped=[unmapped("SF", 5, "5", swis="067000")]))
    assert problem.startswith("towns.gpkg: no town has SWIS 067000 or 067089, yet parcel 067000 SF lies")


def test_a_row_of_a_village_in_the_towns_layer_is_no_town(world: Any) -> None:
    whole = box(-1000, -1000, 1000, 1000)
    towns = {"065801": ("Fredonia", box(300, 0, 320, 20)), POMFRET: ("Pomfret", whole)}
    assert world([WEST], box(0, 0, 90, 90), towns=towns).analyze().part()["town"] == "Pomfret"
    (problem,) = refusal(world([WEST], box(0, 0, 90, 90), towns={"065801": ("Fredonia", whole)}))
    assert problem.startswith("towns.gpkg: no town has SWIS 065800 or 065889, yet parcel 065800 west lies")


def test_an_unusable_shape_makes_a_part_only_where_its_town_reaches_in(world: Any) -> None:
    tie = Lot("tie", moved(BOW_TIE, 88, 40), 900, "DEE", swis=DUNKIRK)
    beside = world([WEST, tie], box(0, 0, 90, 90), towns=TOWNS, signers=["ANN"]).analyze()
    assert beside.found("V-38") == [("error", DUNKIRK, "tie")]
    assert [part["swis"] for part in beside.json["parts"]] == [POMFRET]
    assert beside.dollars() == (60_000, 0, 900, 60_900)
    reached = world([WEST, tie], box(0, 0, 110, 90), towns=TOWNS, signers=["ANN"]).analyze()
    assert [part["swis"] for part in reached.json["parts"]] == [POMFRET, DUNKIRK]
    assert reached.test(f"valuation.part.{DUNKIRK}")["status"] == "undecided"


# Town polygons


def test_the_rolls_town_decides_d04(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", box(0, 0, 6, 10)), DUNKIRK: ("Dunkirk", box(5, 0, 10, 10))}
    lots = [Lot("in both", box(5.2, 0, 5.8, 1), 900, swis=DUNKIRK), Lot("west", box(0, 0, 5, 10), swis=POMFRET)]
    found = world(lots, box(-5, -5, 15, 15), towns=towns, sliver_width_ft="0.1").analyze()
    assert found.part(DUNKIRK)["value"] == 900
    assert found.found("V-32") == []
    assert len(found.messages("V-33")) == 2  # the overlap, and the ground of no town about them


def test_overlapping_towns_do_not_count_twice_d03(world: Any) -> None:
    towns = {POMFRET: ("A", box(0, 0, 6, 10)), DUNKIRK: ("B", box(5, 0, 10, 10))}
    lots = [Lot("1", box(0, 0, 10, 10), 200_000)]
    found = world(lots, box(0, 0, 10, 10), towns=towns, sliver_width_ft="0.5", signers=["ANN"]).analyze()
    assert found.dollars() == (200_000, 0, 0, 200_000)
    assert [part["value"] for part in found.json["parts"]] == [200_000]
    assert found.part()["signed"] == "200000/1"
    overlap, corner = sorted(found.messages("V-33"))
    assert overlap.startswith("The polygon of the town B reaches into the territory by 50 sq ft")
    assert corner.startswith("The polygons of the towns A and B overlap inside the territory by 10 sq ft")
    assert {severity for severity, _, _ in found.found("V-33")} == {"warning"}


@pytest.mark.parametrize("swis", [POMFRET, DUNKIRK])
def test_a_parcel_on_the_town_line_counts_where_the_roll_says_d17(swis: str, world: Any) -> None:
    lots = [Lot("half", box(95, 0, 105, 10), 10_000, swis=swis), WEST, EAST]
    orders = [world(order, BOTH, towns=TOWNS).analyze() for order in (lots, lots[::-1])]
    assert orders[0].text == orders[1].text
    assert orders[0].part(swis)["value"] == {POMFRET: 70_000, DUNKIRK: 50_000}[swis]
    assert orders[0].found("V-32") == []


def test_a_polygon_outside_its_town_is_named(world: Any) -> None:
    lots = [WEST, EAST, Lot("lost", box(150, 60, 160, 70), 500, swis="065889")]
    found = world(lots, BOTH, towns=TOWNS).analyze()
    assert found.found("V-32") == [("warning", "065889", "lost")]
    assert found.messages("V-32") == [
        "The roll puts this parcel in the town Pomfret, but it lies in the polygon of Dunkirk"
        " (near 930,155 890,065). It counts for the roll's town."
    ]
    assert found.part(POMFRET)["value"] == 60_500


def test_ground_of_no_town_is_said(world: Any) -> None:
    towns = {**TOWNS, DUNKIRK: ("Dunkirk", box(110, -1000, 1000, 1000))}
    found = world([WEST, EAST], BOTH, towns=towns).analyze()
    assert found.found("V-33") == [("warning", "", "")]
    assert found.messages("V-33")[0].startswith("No town polygon covers 1,000 sq ft of the territory")


def test_towns_that_differ_by_a_sliver_are_as_good_as_one_line(world: Any) -> None:
    towns = {**TOWNS, DUNKIRK: ("Dunkirk", box(100.5, -1000, 1000, 1000))}
    assert world([WEST, EAST], BOTH, towns=towns).analyze().found("V-33") == []


def test_an_acre_of_ground_makes_a_part(world: Any) -> None:
    # A US survey foot is longer than the foot of the acre by two millionths, so one foot more is enough either way.
    for width, parts in ((ACRE_FEET / 200 + 1, [POMFRET, DUNKIRK]), (ACRE_FEET / 200 - 1, [POMFRET])):
        found = world([WEST], box(0, 0, 100 + width, 200), towns=TOWNS, signers=["ANN"]).analyze()
        assert [part["swis"] for part in found.json["parts"]] == parts
        assert len(found.found("V-33")) == 2 - len(parts)
    assert "That is too little to make a part." in found.messages("V-33")[0]
    assert found.verdict == "pass"


def test_a_part_without_value_is_undecided(world: Any) -> None:
    found = world([WEST], box(0, 0, 400, 200), towns=TOWNS, signers=["ANN"]).analyze()
    test = found.test(f"valuation.part.{DUNKIRK}")
    assert (test["status"], test["value"]) == ("undecided", None)
    assert found.part(DUNKIRK)["share"] is None
    reason = {"swis": DUNKIRK, "reason": "lake", "by": "A. B.", "date": "2023-01-01"}
    settled = world(
        [WEST], box(0, 0, 400, 200), towns=TOWNS, signers=["ANN"], petition={"parts_without_value": [reason]}
    ).analyze()
    assert settled.test(f"valuation.part.{DUNKIRK}")["status"] == "not_applicable"
    assert settled.verdict == "pass"


def test_two_polygons_of_one_town_are_one_part(world: Any) -> None:
    towns = {
        POMFRET: ("Pomfret", shapely.MultiPolygon([box(0, 0, 50, 90), box(60, 0, 100, 90)])),
        DUNKIRK: TOWNS[DUNKIRK],
    }
    lots = [replace(WEST, shape=box(0, 0, 50, 50)), Lot("mid", box(60, 0, 90, 90), 40_000, "BOB"), EAST]
    found = world(lots, box(0, 0, 200, 90), towns=towns, signers=["ANN"]).analyze()
    assert found.part()["value"] == 100_000
    assert found.found("V-45") == [("info", POMFRET, "")]
    assert found.messages("V-45") == [
        "The part of Pomfret lies in 2 polygons, tested as one part; by polygon, largest first:"
        " polygon 1: 100.00 % of $60,000; polygon 2: 0.00 % of $40,000."
    ]


def test_a_town_polygon_that_cannot_be_used_is_named(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", moved(BOW_TIE, 10, 10))}
    found = world([WEST], box(0, 0, 90, 90), towns=towns).analyze()
    assert found.found("V-38") == [("error", POMFRET, "")]
    assert found.part()["value"] == 60_000


# The territory


def test_several_features_are_one_territory(world: Any) -> None:
    found = world([WEST, EAST], [box(0, 0, 100, 100), box(100, 0, 200, 100)], towns=TOWNS).analyze()
    assert found.counts() == (2, 0, 0, 0)
    assert found.found("V-02") == [("warning", "", "")]
    assert found.json["territory"]["parts"] == 1


@pytest.mark.parametrize(
    "territory",
    [
        [box(0, 0, 60, 60), box(110, 0, 200, 60)],
        polygon((0, 0), (200, 0), (200, 100), (0, 100), holes=[[(60, 60), (60, 80), (90, 80), (90, 60)]]),
    ],
    ids=["parts", "hole"],
)
def test_parts_and_holes_want_a_reason(territory: Any, world: Any) -> None:
    bare = world([WEST, EAST], territory, towns=TOWNS).analyze()
    assert ("error", "", "") in bare.found("V-02")
    reasoned = world([WEST, EAST], territory, towns=TOWNS, petition={"parts_reason": "a lake"}).analyze()
    assert {severity for severity, _, _ in reasoned.found("V-02")} == {"warning"}


def test_a_territory_that_crosses_itself_is_refused(world: Any) -> None:
    assert refusal(world([WEST], moved(BOW_TIE, 10, 10))) == (
        "territory.gpkg: the territory cannot be used: self-crossing near 930,011 890,011 (EPSG:2262). Draw it as a"
        " polygon whose boundary neither crosses nor touches itself.",
    )


def test_a_territory_of_more_than_five_square_miles_fails(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", box(-1e6, -1e6, 1e6, 1e6))}
    found = world([WEST], box(-1000, -1000, 12_000, 12_000), towns=towns, signers=["ANN"]).analyze()
    area = found.test("area")
    assert (area["status"], area["threshold"], area["comparison"]) == ("fail", "5/1", "<=")
    assert Fraction(area["value"]) > 6
    assert found.found("V-04") == [("error", "", "")]
    assert found.verdict == "fail"


def test_an_override_in_a_city_counts_in_no_part(world: Any) -> None:
    cities = [("Dunkirk", "City", "061600", box(80, 0, 100, 20))]
    lots = [WEST, Lot("c", box(500, 0, 510, 20), 10_000, "CY", swis="061600")]
    rows = [override("c", 4_000, swis="061600")]
    found = world(lots, box(0, 0, 70, 90), cities=cities, overrides=rows).analyze()
    assert found.dollars() == (64_000, 6_000, 0, 70_000)
    assert found.part()["value"] == 60_000
