"""Sentences of the rules that single modules cannot show: what an analysis of a small world must say of them."""

from __future__ import annotations

from typing import Any

from worlds import Lot, box, override

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
