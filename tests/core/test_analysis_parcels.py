"""Which parcels there are and where they lie: rules 3 to 6 through the whole analysis, with its proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from worlds import BOW_TIE, DUNKIRK, POMFRET, Lot, box, moved, polygon

SQUARE = box(0, 0, 100, 100)


def lattice(**changes: Any) -> list[Lot]:
    """Three lots: wholly inside the square, half inside, and far outside."""
    return [
        Lot("in", box(10, 10, 20, 20), 100_000, "ANN", **changes),
        Lot("cut", box(90, 0, 110, 20), 50_000, "BOB", **changes),
        Lot("out", box(300, 0, 320, 20), 30_000, "CY", **changes),
    ]


# Rule 3: several rows of one key


def test_rows_that_agree_are_one_parcel_d18(world: Any) -> None:
    lots = [Lot("12.-1-3", box(0, 0, 40, 40)), Lot("12.-1-3", box(200, 0, 260, 60))]
    found = world(lots, SQUARE, signers=["ANN"]).analyze()
    parcel = found.parcel("12.-1-3")
    assert parcel["class"] == "split"
    assert Fraction(parcel["share"]) == Fraction("0.307692308")  # 1600 / 5200 in nine decimals
    assert (parcel["value"], parcel["inside"], parcel["outside"]) == (100_000, 30_769, 69_231)
    assert found.found("V-40") == [("info", POMFRET, "12.-1-3")]
    assert (found.proof["rows"], found.proof["keys"], found.proof["merged_rows"]) == (2, 1, 1)
    assert found.dollars() == (30_769, 69_231, 0, 100_000)


def test_repeated_lines_are_not_summed_d22(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10)), Lot("1", box(0, 0, 10, 10))], SQUARE).analyze()
    assert found.parcel("1")["inside"] == 100_000
    assert found.proof["value_total"] == 100_000


@pytest.mark.parametrize(
    "change",
    [{"total": 40_000}, {"land": 5}, {"section": "8"}, {"year": "2021"}, {"owner": "BOB"}, {"other": "CY"}],
    ids=lambda change: next(iter(change)),
)
def test_rows_that_differ_have_no_value_d22(change: Any, world: Any) -> None:
    first = Lot("1", box(0, 0, 10, 10), 60_000)
    lots = [first, replace(first, shape=box(10, 0, 20, 10), **change), Lot("2", box(30, 0, 40, 10), 7_000, "BOB")]
    found = world(lots, SQUARE, signers=["BOB"]).analyze()
    parcel = found.parcel("1")
    assert (parcel["class"], parcel["value"], parcel["inside"]) == ("set_aside", None, None)
    assert found.found("V-40") == [("error", POMFRET, "1")]
    assert found.dollars() == (7_000, 0, 0, 7_000)
    test = found.test("valuation.overall")
    assert (test["status"], test["low"], test["high"]) == ("undecided", None, None)
    assert found.verdict == "undecided"


def test_rows_of_one_owner_written_two_ways_agree(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10), owner="ann  lee"), Lot("1", box(10, 0, 20, 10), owner="ANN LEE")]
    assert world(lots, SQUARE).analyze().found("V-40") == [("info", POMFRET, "1")]


def test_rows_that_differ_far_outside_are_counted_once(world: Any) -> None:
    lots = [*lattice(), Lot("far", box(500, 0, 510, 10), 1), Lot("far", box(510, 0, 520, 10), 2)]
    found = world(lots, SQUARE).analyze()
    assert found.counts() == (1, 1, 2, 0)
    assert found.dollars() == (125_000, 55_000, 0, 180_000)
    assert found.found("V-39") == [("info", "", "")]
    assert found.messages("V-39")[0].startswith("1 parcel outside without a usable assessed value")


def test_units_on_one_footprint_d16(world: Any) -> None:
    lots = [Lot(f"1.-{unit}", box(0, 0, 10, 10), 100, f"OWNER {unit}") for unit in (1, 2, 3)]
    found = world(lots, SQUARE, signers=["OWNER 1", "OWNER 2"]).analyze()
    assert [found.parcel(f"1.-{unit}")["inside"] for unit in (1, 2, 3)] == [100, 100, 100]
    assert found.part()["value"] == 300
    assert found.part()["share"] == "2/3"
    assert found.found("V-42") == [("info", POMFRET, "1.-1")]
    assert found.messages("V-42") == ["3 units share one footprint: 1.-1, 1.-2, 1.-3; each counts with its own value."]
    assert found.found("V-35") == []


def test_stacked_units_that_are_cut_wait_for_the_assessor(world: Any) -> None:
    lots = [Lot(f"1.-{unit}", box(95, 0, 105, 10), 100) for unit in (1, 2)]
    found = world(lots, SQUARE).analyze()
    assert [found.parcel(f"1.-{unit}")["inside"] for unit in (1, 2)] == [50, 50]
    assert all("a condominium, only the assessor's own figure settles it" in text for text in found.messages("V-24"))
    assert len(found.messages("V-24")) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "210C"}, "a condominium, only"),
        ({"section": "5"}, "special franchise, only"),
        ({"section": "6"}, "utility property, only"),
        ({"section": "7"}, "ceiling railroad, only"),
        ({}, "the assessor has not confirmed it"),
    ],
)
def test_what_only_the_assessor_settles(change: Any, words: str, world: Any) -> None:
    found = world([Lot("1", box(95, 0, 105, 10), **change)], SQUARE).analyze()
    assert found.found("V-24") == [("error", POMFRET, "1")]
    assert words in found.messages("V-24")[0]


def test_partial_overlap_keeps_both_shares(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10)), Lot("2", box(5, 0, 15, 10))], SQUARE).analyze()
    assert found.found("V-35") == [("warning", POMFRET, "1")]
    assert found.messages("V-35") == [f"Overlaps parcel {POMFRET} 2 by 50 sq ft; each keeps its own share."]
    assert found.dollars() == (200_000, 0, 0, 200_000)


def test_an_overlap_no_wider_than_the_tolerance_is_none(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10)), Lot("2", box(9.5, 0, 20, 10))], SQUARE).analyze()
    assert found.found("V-35") == []


def test_polygon_without_key(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10)), Lot(None, box(20, 0, 40, 20), None, None), Lot("", box(300, 0, 310, 10))]
    found = world(lots, SQUARE).analyze()
    assert found.found("V-36") == [("error", "", "")]
    assert "at 930,030 890,010 meets the territory" in found.messages("V-36")[0]
    assert (found.proof["rows"], found.proof["keys"], found.proof["without_key"]) == (3, 1, 2)
    assert found.dollars() == (100_000, 0, 0, 100_000)
    assert found.json["certifiable"] is False


@pytest.mark.parametrize("swis", [None, "", " "])
def test_a_row_without_swis_has_no_key(swis: Any, world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10)), Lot("2", box(20, 0, 30, 10), swis=swis)], SQUARE).analyze()
    assert found.keys() == ["1"]
    assert found.proof["without_key"] == 1
    assert found.found("V-36") == [("error", "", "")]


def test_polygon_without_key_beside_the_territory_is_not_said(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10)), Lot(None, box(100, 0, 120, 20))]
    assert world(lots, SQUARE).analyze().found("V-36") == []


def test_row_with_neither_key_nor_shape(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10)), Lot(None, None)], SQUARE).analyze()
    assert found.found("V-36") == [("warning", "", "")]
    assert found.proof["without_key"] == 1


# Rule 4: the class


def test_classes_and_proof(world: Any) -> None:
    found = world(lattice(), SQUARE).analyze()
    assert found.counts() == (1, 1, 1, 0)
    assert found.dollars() == (125_000, 55_000, 0, 180_000)
    assert found.keys() == ["cut", "in"]
    assert found.parcel("in")["share"] == "1.000000000"
    assert found.parcel("cut")["share"] == "0.500000000"
    assert found.proof["holds"] is True


def test_half_a_parcel_gets_half_the_credit_d06(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10), 200_000)], box(-50, -50, 5, 50), signers=["ANN"]).analyze()
    assert found.parcel("1")["credit"] == "100000/1"
    assert found.part()["signed"] == "100000/1"


def test_unknown_is_not_zero_d07(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10), 100), Lot("2", box(20, 0, 30, 10), None), Lot("3", box(40, 0, 50, 10), 0)]
    found = world(lots, SQUARE, signers=["ANN"]).analyze()
    assert [(found.parcel(key)["class"], found.parcel(key)["value"], found.parcel(key)["inside"]) for key in "123"] == [
        ("inside", 100, 100),
        ("set_aside", None, None),
        ("inside", 0, 0),
    ]
    assert found.found("V-39") == [("error", POMFRET, "2")]
    assert found.json["certifiable"] is False
    assert found.verdict == "undecided"


@pytest.mark.parametrize("cell", ["1250.50", "95.000,00", "1 250 000", "12e3", "(500)", "-5"])
def test_a_value_that_cannot_be_read_is_set_aside(cell: str, world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10), cell), Lot("2", box(20, 0, 30, 10), "$95,000")], SQUARE).analyze()
    assert found.parcel("1")["class"] == "set_aside"
    assert found.parcel("2")["value"] == 95_000
    assert found.found("V-39") == [("error", POMFRET, "1")]
    assert f"“{cell}”" in found.messages("V-39")[0]


def test_value_faults_outside_are_one_note(world: Any) -> None:
    lots = [
        Lot("1", box(10, 10, 20, 20)),
        Lot("near", box(100, 0, 110, 10), None),  # touches the boundary
        Lot("far", box(400, 0, 410, 10), "nothing"),
    ]
    found = world(lots, SQUARE).analyze()
    assert found.counts() == (1, 0, 2, 0)
    assert found.found("V-39") == [("info", "", "")]
    assert found.messages("V-39") == [
        "2 parcels outside without a usable assessed value: counted as 0 in the value outside."
    ]
    assert found.dollars() == (100_000, 0, 0, 100_000)


def test_an_invalid_shape_is_set_aside_and_never_lost_d10(world: Any) -> None:
    lots = [Lot("tie", moved(BOW_TIE, 10, 10), 500), Lot("good", box(20, 20, 22, 22), 700, "BOB")]
    found = world(lots, box(0, 0, 40, 40), signers=["BOB"]).analyze()
    assert found.counts() == (1, 0, 0, 1)
    assert sum(found.counts()) == found.proof["keys"] == found.proof["rows"] == 2
    assert found.found("V-38") == [("error", POMFRET, "tie")]
    assert "self-crossing near 930,011 890,011" in found.messages("V-38")[0]
    assert found.dollars() == (700, 0, 500, 1_200)
    tie = found.parcel("tie")
    assert (tie["share"], tie["value"], tie["inside"], tie["method"]) == (None, 500, None, None)


def test_an_invalid_shape_far_away_is_outside(world: Any) -> None:
    found = world([*lattice(), Lot("tie", moved(BOW_TIE, 500, 0), 9)], SQUARE).analyze()
    assert found.counts() == (1, 1, 2, 0)
    assert found.found("V-38") == []


@pytest.mark.parametrize("shape", [polygon((0, 0), (5, 0), (10, 0)), box(0, 0, 5, 5).exterior], ids=["flat", "line"])
def test_shapes_that_are_no_ground_are_set_aside(shape: Any, world: Any) -> None:
    found = world([Lot("1", box(20, 0, 30, 10)), Lot("2", shape)], SQUARE).analyze()
    assert found.parcel("2")["class"] == "set_aside"
    assert found.found("V-38") == [("error", POMFRET, "2")]


def test_a_row_without_shape_is_set_aside_only_where_its_town_has_a_part(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", box(-1000, -1000, 500, 1000)), DUNKIRK: ("Dunkirk", box(500, -1000, 1000, 1000))}
    lots = [*lattice(), Lot("mine", None, 11), Lot("theirs", None, 13, swis=DUNKIRK)]
    found = world(lots, SQUARE, towns=towns).analyze()
    assert found.counts() == (1, 1, 2, 1)
    assert found.found("V-38") == [("error", POMFRET, "mine")]
    assert found.dollars() == (125_000, 55_000 + 13, 11, 180_000 + 24)


def test_a_key_of_which_one_row_lacks_its_shape_is_set_aside(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10)), Lot("1", None), Lot("2", box(20, 0, 30, 10), owner="BOB")]
    found = world(lots, SQUARE).analyze()
    assert found.parcel("1")["class"] == "set_aside"
    assert found.messages("V-38") == [
        "The shape cannot be used: one of its rows has no polygon. The parcel is set aside."
    ]


def test_touching_is_outside(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10)), Lot("2", box(100, 0, 110, 10))], SQUARE).analyze()
    assert found.keys() == ["1"]
    assert found.counts() == (1, 0, 1, 0)


def test_a_narrow_lot_wholly_inside_is_inside_g36(world: Any) -> None:
    found = world([Lot("1", box(10, 10, 11, 90), 1_000)], SQUARE, sliver_width_ft="1.0").analyze()
    assert (found.parcel("1")["class"], found.parcel("1")["inside"]) == ("inside", 1_000)
    assert found.found("V-41") == []


@pytest.mark.parametrize(
    "territory",
    [box(20, 20, 30, 30), polygon((-5, -5), (40, -5), (40, 40), (20, 40), (20, 0), (-5, 0))],
    ids=["apart", "boxes meet"],
)
def test_no_parcel_in_the_territory_d08(territory: Any, world: Any) -> None:
    from village_petition.core.model import InputError

    lots = [Lot("1", box(0, 0.5, 10, 10)), Lot("2", None)]
    with pytest.raises(InputError) as refused:
        world(lots, territory).analyze()
    assert refused.value.problems == (
        "No parcel of parcels.gpkg and no roll row without polygon lies in the territory of territory.gpkg."
        " Check that both layers show the same place.",
    )


def test_blank_fields_are_missing_d25(world: Any) -> None:
    found = world([Lot("1", box(0, 0, 10, 10), owner=" ", kind=" ", section=" ")], SQUARE, signers=["ANN"]).analyze()
    assert found.parcel("1")["owners"] is None
    assert found.found("V-18") == [("error", POMFRET, "1")]
    assert found.test("valuation.overall")["low"] == "0/1"
    assert found.test("valuation.overall")["high"] == "1/1"


# Rule 5: slivers


def test_slivers_at_a_near_coincident_line_d13(world: Any) -> None:
    rng = np.random.default_rng(13)
    east = 10 + rng.uniform(-0.003, 0.003, 100)
    lots = [Lot(f"{row}", box(0, 100 * row, edge, 100 * row + 100), 10_000) for row, edge in enumerate(east)]
    found = world(lots, box(-500, -500, 10, 20_000)).analyze()
    over = int((east > 10).sum())
    assert found.counts() == (100, 0, 0, 0)
    assert len(found.found("V-41")) == over > 30
    assert {severity for severity, _, _ in found.found("V-41")} == {"info"}
    assert found.dollars() == (1_000_000, 0, 0, 1_000_000)
    assert found.json["sliver_width_ft"] == "1.0"


@pytest.mark.parametrize(
    ("right", "total", "severity", "message"),
    [
        (100.4, 10_000, "info", "Only slivers outside: counted wholly inside, $40 of $10,000 by area."),
        (101.0, 10_000, "info", "Only slivers outside: counted wholly inside, $99 of $10,000 by area."),
        (100.4, 251_001, "warning", "Only slivers outside: counted wholly inside, $1,000 of $251,001 by area."),
        (101.0, 0, "info", "Only slivers outside: counted wholly inside, $0 of $0 by area."),
        (100.4, None, "info", "Only slivers outside: counted wholly inside, its value is not known."),
    ],
)
def test_a_sliver_outside_is_inside(right: float, total: Any, severity: str, message: str, world: Any) -> None:
    lots = [Lot("1", box(0, 0, right, 50), total), Lot("2", box(0, 60, 10, 70), owner="BOB")]
    found = world(lots, SQUARE).analyze()
    assert found.found("V-41") == [(severity, POMFRET, "1")]
    assert found.messages("V-41") == [message]
    if total is not None:
        assert found.parcel("1")["inside"] == total
        assert found.parcel("1")["share"] == "1.000000000"


@pytest.mark.parametrize(("left", "severity"), [(99.5, "info"), (99.0, "warning")])
def test_a_sliver_inside_is_outside(left: float, severity: str, world: Any) -> None:
    lots = [Lot("1", box(left, 0, left + 60, 50), 10_000), Lot("2", box(0, 60, 10, 70))]
    found = world(lots, SQUARE).analyze()
    assert found.counts() == (1, 0, 1, 0)
    assert found.found("V-41") == [(severity, POMFRET, "1")]
    assert found.messages("V-41") == [
        "Only slivers inside: counted wholly outside, " + {99.5: "$83", 99.0: "$167"}[left] + " of $10,000 by area."
    ]
    assert found.keys() == ["2"]


def test_the_tolerance_is_a_width_that_can_be_set(world: Any) -> None:
    lots = [Lot("1", box(98, 0, 118, 50), 10_000), Lot("2", box(0, 60, 10, 70))]
    assert world(lots, SQUARE).analyze().counts() == (1, 1, 0, 0)
    assert world(lots, SQUARE, sliver_width_ft="2.5").analyze().counts() == (1, 0, 1, 0)


def test_narrow_on_both_sides_stays_split(world: Any) -> None:
    found = world([Lot("1", box(99.5, 0, 100.5, 50)), Lot("2", box(0, 60, 10, 70))], SQUARE).analyze()
    assert found.parcel("1")["class"] == "split"
    assert found.parcel("1")["share"] == "0.500000000"


# Rule 10: dollars of what is cut


def test_land_by_area_and_improvement_by_buildings(world: Any) -> None:
    lots = [Lot("1", box(90, 0, 110, 20), 100_000, land=20_000)]
    found = world(lots, SQUARE, buildings=[box(92, 2, 98, 8), box(104, 2, 106, 5)]).analyze()
    # 20,000 × 1/2 + 80,000 × 36/42
    assert found.parcel("1")["inside"] == 10_000 + 68_571
    assert found.parcel("1")["method"] == "land_area_improvement_location"


def test_land_above_total_is_not_used(world: Any) -> None:
    lots = [Lot("1", box(90, 0, 110, 20), 100_000, land=120_000)]
    found = world(lots, SQUARE, buildings=[box(92, 2, 98, 8)]).analyze()
    assert (found.parcel("1")["inside"], found.parcel("1")["method"]) == (50_000, "area_only")
    assert found.found("V-43") == [("warning", POMFRET, "1")]


def test_land_of_zero_counts_only_where_land_is_known(world: Any) -> None:
    cut = Lot("1", box(90, 0, 110, 20), 100_000, land=0)
    buildings = [box(92, 2, 98, 8)]
    alone = world([cut], SQUARE, buildings=buildings).analyze()
    assert alone.parcel("1")["method"] == "area_only"
    beside = world([cut, Lot("2", box(500, 0, 510, 10), land=5)], SQUARE, buildings=buildings).analyze()
    assert (beside.parcel("1")["method"], beside.parcel("1")["inside"]) == ("land_area_improvement_location", 100_000)


def test_a_building_on_the_line(world: Any) -> None:
    lots = [Lot("1", box(90, 0, 110, 20), 100_000, land=20_000)]
    found = world(lots, SQUARE, buildings=[box(99, 2, 102, 8)]).analyze()
    # 20,000 / 2 + 80,000 × 1/3 in nine decimals
    assert found.parcel("1")["inside"] == 36_667
    assert found.found("V-46") == [("warning", POMFRET, "1")]


def test_no_owner_is_lost_d20(world: Any) -> None:
    owners = {"1": ["ANN", "BOB", "CY"]}
    found = world([Lot("1", box(0, 0, 10, 10), 90_000)], SQUARE, owners=owners, signers=["CY", "BOB"]).analyze()
    assert (found.parcel("1")["owners"], found.parcel("1")["signed_owners"]) == (3, 2)
    assert [signer["credits"] for signer in found.json["signers"]] == [{POMFRET: "30000/1"}] * 2
    assert found.part()["share"] == "2/3"


def test_co_owners_divide_without_a_penny_left_d26(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10), 100_000), Lot("2", box(20, 0, 30, 10), 100_001)]
    owners = {"1": ["ANN", "BOB", "CY"], "2": ["DEE", "EVE"]}
    found = world(lots, SQUARE, owners=owners, signers=["ANN", "BOB", "CY", "DEE"]).analyze()
    assert found.parcel("1")["credit"] == "100000/1"
    assert found.parcel("2")["credit"] == "100001/2"
    assert found.part()["signed"] == "300001/2"
    assert [signer["credits"][POMFRET] for signer in found.json["signers"]] == ["100000/3"] * 3 + ["100001/2"]


def test_exactly_half_is_not_more_than_half_d26(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10), 100), Lot("2", box(20, 0, 30, 10), 100, "BOB")]
    found = world(lots, SQUARE, signers=["ANN"]).analyze()
    assert found.test("valuation.overall")["value"] == "1/2"
    assert found.verdict == "fail"
    lots[0] = replace(lots[0], total=101)
    assert world(lots, SQUARE, signers=["ANN"]).analyze().test("valuation.overall")["status"] == "pass"


def test_a_person_is_credited_once_whatever_the_lines(world: Any) -> None:
    lots = [Lot("1", box(0, 0, 10, 10), 100), Lot("2", box(20, 0, 30, 10), 50), Lot("3", box(40, 0, 50, 10), 50, "BOB")]
    found = world(lots, SQUARE, signers=["ANN", "Ann", "NOBODY KNOWN"]).analyze()
    assert [signer["status"] for signer in found.json["signers"]] == ["credited", "duplicate", "not_owner"]
    assert found.part()["signed"] == "150/1"
    assert found.part()["share"] == "3/4"
