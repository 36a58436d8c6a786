"""Sentences of the rules that single modules cannot show: what an analysis of a small world must say of them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from worlds import CRS, DUNKIRK, POMFRET, Lot, Outcome, box, override, polygon, shapes, texts, unmapped

from village_petition.core.analysis import analyze
from village_petition.core.document import as_dict
from village_petition.core.model import InputError, Layer
from village_petition.core.summary import summary

HERE = box(0, 0, 10, 10)


# Rule 3


def test_rows_that_differ_in_owners_leave_them_unknown_even_when_settled(world: Any) -> None:
    lots = [Lot("1", HERE, 1000, "ANN"), Lot("1", HERE, 1000, "BOB"), Lot("2", box(10, 0, 20, 10), 500, "CY")]
    found = world(lots, box(0, 0, 20, 10), signers=["ANN"], overrides=[override("1", 1000, "1000")]).analyze()
    assert (found.parcel("1")["owners"], found.parcel("1")["credit"]) == (None, "0/1")
    assert found.found("V-18") == [("error", "065800", "1")]
    assert found.json["signers"][0]["status"] == "not_owner"
    listed = world(
        lots, box(0, 0, 20, 10), signers=["ANN"], overrides=[override("1", 1000, "1000")], owners={"1": ["ANN", "BOB"]}
    ).analyze()
    assert (listed.parcel("1")["owners"], listed.parcel("1")["credit"]) == (2, "500/1")


def test_rows_that_differ_in_section_belong_to_none_that_may_be_left_out(world: Any) -> None:
    lots = [Lot("1", HERE, 1000, section="8"), Lot("1", HERE, 1000), Lot("2", box(10, 0, 20, 10), 500, "CY")]
    found = world(lots, box(0, 0, 20, 10), signers=["CY"], overrides=[override("1", 1000, "1000")]).analyze()
    assert found.json["alternatives"]["without_roll_section_8"]["parts"][0]["value"] == 1500


# Rule 21


def test_a_ground_that_could_not_be_checked_is_no_error_and_fails_nothing(world: Any) -> None:
    petition = {"area_ground": "b", "districts": ["FD-1"]}
    found = world([Lot("1", HERE)], HERE, signers=["ANN"], petition=petition).analyze()
    assert found.found("V-03") == [("warning", "", "")]
    (ground,) = [item for item in found.json["requirements"] if item["id"] == "area_ground"]
    assert ground["status"] == "undecided"
    town = world([Lot("1", HERE)], HERE, signers=["ANN"], petition={"area_ground": "d"}).analyze()
    assert town.found("V-03") == [("error", "", "")] and not town.json["certifiable"]
    (ground,) = [item for item in town.json["requirements"] if item["id"] == "area_ground"]
    assert (ground["status"], town.test("area")["status"]) == ("fail", "pass")


# What the map must be able to show


def test_shapes_of_parcels_outside_that_somebody_looks_for(world: Any) -> None:
    lots = [
        Lot("1", HERE),
        Lot("sliver", box(9.5, 10, 20, 20), owner="BOB"),
        Lot("near", polygon((12, 12), (14, 12), (14, 14))),
        Lot("far", box(500, 500, 510, 510)),
        Lot("far", box(510, 500, 520, 510)),
        Lot("blank", None, swis=DUNKIRK),
    ]
    towns = {POMFRET: ("Pomfret", box(-1000, -1000, 1000, 1000)), DUNKIRK: ("Dunkirk", box(2000, 0, 2001, 1))}
    own = [override("near", 5), override("far", 7)]
    found = world(lots, polygon((0, 0), (10, 0), (10, 20), (0, 20)), towns=towns, signers=[], overrides=own).analyze()
    there = {key: shape for (_, key), shape in found.analysis.shapes.items()}
    assert set(there) == {"1", "sliver", "near", "far"}
    assert [round(there[key].area, 6) for key in ("sliver", "near", "far")] == [105, 2, 200]
    assert found.found("V-41") == [("warning", "065800", "sliver")]
    assert [parcel["print_key"] for parcel in found.json["parcels"]] == ["1", "far", "near"]


# Rules 5, 9, 10 and 16 where they meet others


def test_stacked_units_are_one_footprint_even_where_the_share_rounds_to_nothing(world: Any) -> None:
    wide = box(-1_000_000, 0, 2, 1_000_000)
    lots = [Lot("1", wide), Lot("2", wide, owner="BOB"), Lot("3", box(0, 0, 1, 4))]
    found = world(lots, box(0, 0, 4, 4), signers=["ANN"]).analyze()
    assert found.parcel("1")["share"] == "0.000000000" and found.parcel("1")["class"] == "split"
    assert found.found("V-42") == [("info", "065800", "1")]


def test_a_roll_section_may_have_a_leading_zero(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 20, 10), section="06")], HERE, signers=["ANN"]).analyze()
    assert "utility property, only the assessor's own figure settles it" in found.messages("V-24")[0]


def test_dollars_of_a_parcel_outside_are_of_the_rates_roll_year_too(world: Any) -> None:
    lots = [Lot("1", HERE), Lot("2", box(50, 0, 60, 10), year="2020")]
    assert world(lots, HERE, signers=["ANN"]).analyze().found("V-23") == []
    found = world(lots, HERE, signers=["ANN"], overrides=[override("2", 5)]).analyze()
    assert found.found("V-23") == [("error", "065800", "2")]


def test_a_parcel_moved_outside_meets_the_territory_and_may_overlap(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 20, 10)), Lot("2", box(9.5, 0, 15, 10), owner="BOB")]
    found = world(lots, HERE, signers=["ANN"]).analyze()
    assert found.counts() == (0, 1, 1, 0)
    assert found.found("V-35") == [("warning", "065800", "1")]


def test_polygons_of_a_part_without_signers_have_dollars_alone(world: Any) -> None:
    territory = [box(0, 0, 40, 40), box(60, 0, 100, 30)]
    found = world([Lot("1", box(0, 0, 40, 40))], territory).analyze()
    assert found.messages("V-45")[0].endswith("largest first: polygon 1: $100,000; polygon 2: no value.")
    signed = world([Lot("1", box(0, 0, 40, 40))], territory, signers=["ANN"]).analyze()
    assert signed.messages("V-45")[0].endswith("polygon 1: 100.00 % of $100,000; polygon 2: no value.")


def test_polygons_without_key_at_one_place_are_all_told(world: Any) -> None:
    lots = [
        Lot("1", box(0, 0, 40, 40)),
        *(Lot(None, box(10, 10, 20, 20)) for _ in range(2)),
        Lot("", box(30, 30, 34, 34)),
    ]
    found = world(lots, box(0, 0, 40, 40), signers=["ANN"]).analyze()
    assert [message[:50] for message in found.messages("V-36")] == [
        "2 polygons without parcel key at 930,015 890,015 m",
        "A polygon without parcel key at 930,032 890,032 me",
    ]


def test_a_layer_of_all_municipalities_serves_for_its_cities_and_villages(world: Any) -> None:
    rows = [
        ("Pomfret", "Town", POMFRET, box(-1000, -1000, 1000, 1000)),
        ("Fredonia", "Village", "065801", box(20, 0, 30, 10)),
    ]
    found = world([Lot("1", HERE)], HERE, signers=["ANN"], cities=rows).analyze()
    assert (found.test("city_village")["status"], found.verdict) == ("pass", "pass")
    with pytest.raises(InputError, match=r"^cities_villages\.gpkg holds towns alone\."):
        world([Lot("1", HERE)], HERE, signers=["ANN"], cities=rows[:1]).analyze()


# Rule 13


def test_a_row_without_a_name_beside_others_is_an_owner_too(world: Any) -> None:
    lots = [Lot("1", HERE, 1000), Lot("2", box(10, 0, 20, 10), 1000, "CY")]
    found = world(lots, box(0, 0, 20, 10), signers=["ANN"], owners={"1": ["ANN", "", "ANN"], "2": ["", ""]}).analyze()
    assert (found.parcel("1")["owners"], found.parcel("1")["credit"]) == (2, "500/1")
    assert found.found("V-34") == [("warning", "", ""), ("warning", "065800", "1")]
    assert found.messages("V-34")[1].startswith("A row without a name is no person by itself; it counts as one of 2 ow")
    assert (found.parcel("2")["owners"], found.found("V-18")) == (None, [("error", "065800", "2")])


# Rules 9 and 10


def test_a_village_row_that_is_placed_outside_is_not_inside(world: Any) -> None:
    rows = [f"065801,SF-1,Fredonia,5,900,,POWER CO,{inside},miles" for inside in ("", "0", "5")]
    found = [world([Lot("1", HERE)], HERE, signers=["ANN"], unmapped=[row]).analyze().found("V-05") for row in rows]
    assert found == [[("error", "065801", "")], [], [("error", "065801", "")]]


def test_a_building_of_an_unknown_parcel_is_told_and_counts_for_none(world: Any) -> None:
    made = world([Lot("1", box(0, 0, 20, 10), 1000, land=400)], HERE, signers=["ANN"], unmapped=[unmapped("U", 5)])
    inputs = made.inputs()
    for key, codes, method in (
        ("1", [], "land_area_improvement_location"),
        ("7", [("warning", "065800", "7")], "area_only"),
        ("U", [], "area_only"),
    ):
        columns = {"SWIS": texts([POMFRET]), "PRINT_KEY": texts([key])}
        layer = Layer("buildings.gpkg", CRS, columns, shapes([box(2, 2, 4, 4)]))
        analysis = analyze(replace(inputs, buildings=layer))
        outcome = Outcome(analysis, as_dict(analysis))
        assert (outcome.found("V-37"), outcome.parcel("1")["method"]) == (codes, method)
    far = Layer("buildings.gpkg", CRS, {**columns, "PRINT_KEY": texts(["7"])}, shapes([box(200, 2, 204, 4)]))
    assert not any(one.code == "V-37" for one in analyze(replace(inputs, buildings=far)).findings)


# Rules 21 and 25


def test_the_summary_never_prints_a_figure_on_the_wrong_side_of_its_limit(world: Any) -> None:
    lots = [Lot("1", HERE, 250_001), Lot("2", box(10, 0, 20, 10), 250_000, "BOB")]
    printed = summary(world(lots, box(0, 0, 20, 10), signers=["ANN"]).analyze().analysis)
    (part,) = [line for line in printed.splitlines() if line.startswith("  Pomfret  ")]
    assert part.endswith(" 50.0001 %")
    side = math.sqrt(5 * 2589988.110336) / 0.3048006096 + 0.01
    big = world(
        [Lot("1", HERE)], box(0, 0, side, side), signers=["ANN"], towns={POMFRET: ("P", box(-1, -1, 12e3, 12e3))}
    )
    found = big.analyze()
    (area,) = [line for line in summary(found.analysis).splitlines() if line.startswith("  Area")]
    assert "≤ 5 sq mi" in area
    assert f"{found.json['territory']['square_miles']} sq mi" in area
