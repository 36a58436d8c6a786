"""Sentences of the rules that single modules cannot show: what an analysis of a small world must say of them."""

from __future__ import annotations

from typing import Any

from worlds import DUNKIRK, POMFRET, Lot, box, override, polygon

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
    shapes = {key: shape for (_, key), shape in found.analysis.shapes.items()}
    assert set(shapes) == {"1", "sliver", "near", "far"}
    assert [round(shapes[key].area, 6) for key in ("sliver", "near", "far")] == [105, 2, 200]
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
