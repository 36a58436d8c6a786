"""What a person settles: rows without polygon (rule 11), the assessor's figures (rule 12), ranges (rule 18)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from worlds import BOW_TIE, DUNKIRK, POMFRET, Lot, box, moved, override, unmapped

from village_petition.core.model import InputError, ProofError
from village_petition.core.proof import prove

SQUARE = box(0, 0, 100, 100)
IN = Lot("in", box(10, 10, 20, 20), 100_000, "ANN")
CUT = Lot("cut", box(90, 0, 110, 20), 50_000, "BOB")
OUT = Lot("out", box(300, 0, 320, 20), 30_000, "CY")
TIE = Lot("tie", moved(BOW_TIE, 40, 40), 8_000, "DEE")
BLANK = Lot("blank", box(50, 50, 60, 60), None, "EVE")


def refusal(made: Any) -> tuple[str, ...]:
    with pytest.raises(InputError) as refused:
        made.analyze()
    return refused.value.problems


# Rule 11


def test_a_placed_roll_row_counts_with_its_owner_d23(world: Any) -> None:
    rows = [unmapped("SF-1", 84_000, "60000", "LAKESHORE POWER CO")]
    found = world([IN, OUT], SQUARE, unmapped=rows, signers=["LAKESHORE POWER CO"]).analyze()
    row = found.parcel("SF-1")
    assert (row["class"], row["share"], row["value"], row["inside"], row["outside"]) == (
        "unmapped",
        None,
        84_000,
        60_000,
        24_000,
    )
    assert (row["method"], row["owners"], row["credit"], row["confirmed"]) == ("inside_value", 1, "60000/1", False)
    assert found.counts() == (1, 0, 1, 0)
    assert (found.proof["keys"], found.proof["unmapped"]) == (2, 1)
    assert found.dollars() == (160_000, 54_000, 0, 214_000)
    assert found.part()["share"] == "3/8"


def test_two_rows_unplaced_and_a_polygon_without_key_d23(world: Any) -> None:
    lots = [Lot(f"{row}", box(10 * row, 0, 10 * row + 10, 10), 10_000) for row in range(8)]
    lots.append(Lot(None, box(0, 20, 10, 30), None, None))
    found = world(lots, SQUARE, unmapped=[unmapped("U1", 6_000), unmapped("U2", 4_000)], signers=["ANN"]).analyze()
    assert found.found("V-24") == [("error", POMFRET, "U1"), ("error", POMFRET, "U2")]
    assert found.found("V-36") == [("error", "", "")]
    assert found.json["certifiable"] is False
    assert found.dollars() == (80_000, 0, 10_000, 90_000)
    assert (found.parcel("U1")["inside"], found.parcel("U1")["method"]) == (None, None)
    # All of the 80,000 are signed; of the 10,000 nobody has signed.
    test = found.test("valuation.overall")
    assert (test["value"], test["low"], test["high"]) == ("1/1", "8/9", "1/1")
    assert found.verdict == "pass"


def test_the_owners_table_wins_over_the_owner_column(world: Any) -> None:
    rows = [unmapped("SF-1", 84_000, "60000")]
    found = world([IN], SQUARE, unmapped=rows, owners={"SF-1": ["X", "Y"]}, signers=["X"]).analyze()
    assert (found.parcel("SF-1")["owners"], found.parcel("SF-1")["credit"]) == (2, "30000/1")


@pytest.mark.parametrize("lot", [IN, OUT, replace(IN, key="flat", shape=None)], ids=["inside", "outside", "shapeless"])
def test_a_key_of_the_layer_cannot_be_unmapped(lot: Lot, world: Any) -> None:
    assert refusal(world([IN, OUT, lot], SQUARE, unmapped=[unmapped(str(lot.key), 5)])) == (
        f"roll_without_polygon.csv: parcel {POMFRET} {lot.key} is a row of parcels.gpkg too."
        " Remove it here, or correct its key.",
    )


def test_an_unmapped_row_alone_is_a_case(world: Any) -> None:
    found = world([OUT], SQUARE, unmapped=[unmapped("SF-1", 84_000, "60000")]).analyze()
    assert found.counts() == (0, 0, 1, 0)
    assert found.part()["value"] == 60_000


@pytest.mark.parametrize("inside", ["", "0"])
def test_an_unmapped_row_that_is_not_inside_makes_no_case(inside: str, world: Any) -> None:
    (problem,) = refusal(world([OUT], SQUARE, unmapped=[unmapped("SF-1", 84_000, inside)]))
    assert problem.startswith("No parcel of parcels.gpkg and no roll row without polygon lies in the territory")


# Rule 12


def test_an_override_replaces_the_computed_dollars(world: Any) -> None:
    found = world([IN, CUT], SQUARE, overrides=[override("cut", 20_000)]).analyze()
    cut = found.parcel("cut")
    assert (cut["class"], cut["share"], cut["inside"], cut["outside"]) == ("split", "0.500000000", 20_000, 30_000)
    assert (cut["method"], cut["confirmed"]) == ("assessor_override", True)
    assert found.found("V-24") == []
    assert found.dollars() == (120_000, 30_000, 0, 150_000)


def test_the_same_figure_confirms_and_keeps_the_method(world: Any) -> None:
    found = world([IN, CUT], SQUARE, overrides=[override("cut", "$25000")]).analyze()
    assert (found.parcel("cut")["method"], found.parcel("cut")["confirmed"]) == ("area_only", True)
    assert found.found("V-24") == []
    assert found.json["certifiable"] is True


def test_an_override_of_a_parcel_inside(world: Any) -> None:
    found = world([IN], SQUARE, overrides=[override("in", 60_000)], signers=["ANN"]).analyze()
    assert found.parcel("in")["class"] == "inside"
    assert (found.parcel("in")["credit"], found.dollars()) == ("60000/1", (60_000, 40_000, 0, 100_000))


def test_an_unusable_shape_is_settled(world: Any) -> None:
    found = world([IN, TIE], SQUARE, overrides=[override("tie", 3_000)], signers=["DEE"]).analyze()
    tie = found.parcel("tie")
    assert (tie["class"], tie["share"], tie["inside"], tie["method"], tie["confirmed"]) == (
        "set_aside",
        None,
        3_000,
        "assessor_override",
        True,
    )
    assert found.dollars() == (103_000, 5_000, 0, 108_000)
    assert found.found("V-38") == [("warning", POMFRET, "tie")]
    assert found.part()["share"] == "3/103"
    assert found.json["certifiable"] is True


def test_a_missing_value_needs_a_total(world: Any) -> None:
    assert refusal(world([IN, BLANK], SQUARE, overrides=[override("blank", 3_000)])) == (
        f"overrides.csv: parcel {POMFRET} blank: the roll has no usable assessed value, so total_av is required.",
    )
    found = world([IN, BLANK], SQUARE, overrides=[override("blank", 3_000, "7000")]).analyze()
    assert (found.parcel("blank")["value"], found.parcel("blank")["outside"]) == (7_000, 4_000)
    assert found.dollars() == (103_000, 4_000, 0, 107_000)
    assert found.found("V-39") == [("warning", POMFRET, "blank")]
    assert found.test("valuation.overall")["status"] == "not_applicable"


def test_rows_that_differ_are_settled(world: Any) -> None:
    lots = [IN, replace(TIE, shape=box(40, 40, 50, 50)), replace(TIE, shape=box(40, 40, 50, 50), total=9_000)]
    found = world(lots, SQUARE, overrides=[override("tie", 8_500, "9000")]).analyze()
    assert found.dollars() == (108_500, 500, 0, 109_000)
    assert found.found("V-40") == [("warning", POMFRET, "tie")]


def test_an_unmapped_row_is_settled(world: Any) -> None:
    rows = [unmapped("SF-1", 84_000)]
    found = world([IN], SQUARE, unmapped=rows, overrides=[override("SF-1", 42_000)]).analyze()
    row = found.parcel("SF-1")
    assert (row["class"], row["inside"], row["method"], row["confirmed"]) == (
        "unmapped",
        42_000,
        "assessor_override",
        True,
    )
    assert found.found("V-24") == []
    assert found.dollars() == (142_000, 42_000, 0, 184_000)


def test_dollars_for_a_parcel_outside_are_counted_and_warned_of(world: Any) -> None:
    found = world([IN, OUT, CUT], SQUARE, overrides=[override("out", 12_000)], signers=["CY"]).analyze()
    out = found.parcel("out")
    assert (out["class"], out["share"], out["inside"], out["credit"]) == (
        "outside",
        "0.000000000",
        12_000,
        "12000/1",
    )
    assert found.found("V-24") == [("error", POMFRET, "cut"), ("warning", POMFRET, "out")]
    assert found.counts() == (1, 1, 1, 0)
    assert found.dollars() == (137_000, 43_000, 0, 180_000)


def test_a_near_parcel_outside_with_dollars_is_counted_once(world: Any) -> None:
    beside = replace(OUT, shape=box(100, 0, 120, 20))
    found = world([IN, beside], SQUARE, overrides=[override("out", 12_000)]).analyze()
    assert found.counts() == (1, 0, 1, 0)
    assert found.dollars() == (112_000, 18_000, 0, 130_000)


def test_nothing_inside_for_a_parcel_outside_is_what_it_was(world: Any) -> None:
    found = world([IN, OUT], SQUARE, overrides=[override("out", 0)]).analyze()
    assert found.keys() == ["in"]
    assert found.found("V-24") == []


def test_a_blank_parcel_outside_gets_value_and_dollars(world: Any) -> None:
    far = replace(BLANK, shape=box(600, 0, 610, 10))
    found = world([IN, far], SQUARE, overrides=[override("blank", 5, "9")]).analyze()
    assert found.dollars() == (100_005, 4, 0, 100_009)


def test_dollars_inside_make_a_part_and_its_shapeless_rows_count(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", box(-1000, -1000, 250, 1000)), DUNKIRK: ("Dunkirk", box(250, -1000, 1000, 1000))}
    lots = [IN, replace(OUT, swis=DUNKIRK), Lot("lost", None, 700, "LOU", swis=DUNKIRK)]
    found = world(lots, SQUARE, towns=towns, overrides=[override("out", 12_000, swis=DUNKIRK)]).analyze()
    assert [part["swis"] for part in found.json["parts"]] == [POMFRET, DUNKIRK]
    assert found.parcel("lost")["class"] == "set_aside"
    assert found.dollars() == (112_000, 18_000, 700, 130_700)


def test_a_row_placed_outside_makes_no_part(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", box(-1000, -1000, 250, 1000)), DUNKIRK: ("Dunkirk", box(250, -1000, 1000, 1000))}
    lots = [IN, Lot("lost", None, 700, "LOU", swis=DUNKIRK)]
    rows = [unmapped("SF-1", 84_000, swis=DUNKIRK)]
    open_case = world(lots, SQUARE, towns=towns, unmapped=rows).analyze()
    assert [part["swis"] for part in open_case.json["parts"]] == [POMFRET, DUNKIRK]
    found = world(lots, SQUARE, towns=towns, unmapped=rows, overrides=[override("SF-1", 0, swis=DUNKIRK)]).analyze()
    assert [part["swis"] for part in found.json["parts"]] == [POMFRET]
    assert found.keys() == ["in", "SF-1"]
    assert found.counts() == (1, 0, 1, 0)


def test_what_an_override_cannot_be(world: Any) -> None:
    rows = [override("nowhere", 5), override("in", 100_001), override("cut", 1, "49999"), override("out", 30_001)]
    assert refusal(world([IN, CUT, OUT], SQUARE, overrides=rows)) == (
        f"overrides.csv: parcel {POMFRET} nowhere is not in the roll. Correct the key or remove the row.",
        f"overrides.csv: parcel {POMFRET} in: the value inside, 100,001, is more than the assessed value of 100,000.",
        f"overrides.csv: parcel {POMFRET} cut: total_av 49,999 differs from the assessed value of 50,000 on the roll.",
        f"overrides.csv: parcel {POMFRET} out: the value inside, 30,001, is more than the assessed value of 30,000.",
    )


# Rule 18


def test_an_unknown_place_bounds_the_share(world: Any) -> None:
    lots = [replace(IN, total=60_000), Lot("two", box(30, 0, 40, 10), 40_000, "BOB"), replace(TIE, total=50_000)]
    nobody = world(lots, SQUARE, signers=["ANN"]).analyze().test("valuation.overall")
    assert (nobody["value"], nobody["low"], nobody["high"], nobody["status"]) == ("3/5", "2/5", "3/5", "undecided")
    signed = world(lots, SQUARE, signers=["ANN", "DEE"]).analyze().test("valuation.overall")
    assert (signed["value"], signed["low"], signed["high"], signed["status"]) == ("3/5", "3/5", "11/15", "pass")
    half = world(lots, SQUARE, owners={"tie": ["DEE", "X"]}, signers=["ANN", "DEE"]).analyze()
    # Half of the 50,000 would be signed: less than the share of the rest, so it can only lower it.
    assert (half.test("valuation.overall")["low"], half.test("valuation.overall")["high"]) == ("17/30", "3/5")


def test_an_unknown_number_of_owners_bounds_the_credit(world: Any) -> None:
    lots = [replace(IN, total=50_000), Lot("two", box(30, 0, 40, 10), 50_000, "JOHN DOE ET AL")]
    found = world(lots, SQUARE, signers=["ANN", "JOHN DOE"]).analyze()
    test = found.test("valuation.overall")
    assert (test["value"], test["low"], test["high"], test["status"]) == ("1/2", "1/2", "3/4", "undecided")
    assert found.parcel("two")["credit"] == "0/1"
    assert found.part()["value"] == 100_000
    # Nobody of those named signed: then no credit is open.
    settled = world(lots, SQUARE, signers=["ANN"]).analyze().test("valuation.overall")
    assert (settled["low"], settled["high"], settled["status"]) == ("1/2", "1/2", "fail")


def test_a_missing_value_leaves_no_bound(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", box(-1000, -1000, 250, 1000)), DUNKIRK: ("Dunkirk", box(250, -1000, 1000, 1000))}
    lots = [IN, Lot("two", box(260, 0, 270, 10), owner="ANN", swis=DUNKIRK), replace(BLANK, swis=POMFRET)]
    found = world(lots, box(0, 0, 300, 100), towns=towns, signers=["ANN"]).analyze()
    statuses = {test["id"]: (test["status"], test["low"]) for test in found.json["tests"]}
    assert statuses[f"valuation.part.{POMFRET}"] == ("undecided", None)
    assert statuses[f"valuation.part.{DUNKIRK}"] == ("pass", "1/1")
    assert statuses["valuation.overall"] == ("undecided", None)


# Rule 16


def test_two_parts_need_a_rate_each(world: Any) -> None:
    towns = {POMFRET: ("Pomfret", box(-1000, -1000, 250, 1000)), DUNKIRK: ("Dunkirk", box(250, -1000, 1000, 1000))}
    lots = [IN, Lot("two", box(260, 0, 270, 10), 52_000, "BOB", swis=DUNKIRK)]
    made = world(lots, box(0, 0, 300, 100), towns=towns, rates={POMFRET: "14.50"}, signers=["ANN"])
    assert refusal(made) == (f"rates.csv: no rate for Dunkirk ({DUNKIRK}), which has a part. Add a row for it.",)
    made.rates = {POMFRET: "14.50", DUNKIRK: "52.00"}
    found = made.analyze()
    assert found.part(POMFRET)["full_value"] == "20000000/29"
    assert found.part(DUNKIRK)["full_value"] == "100000/1"
    assert found.test("valuation.overall")["value"] == "200/229"
    assert found.verdict == "fail"


def test_one_part_without_rate_has_no_full_value(world: Any) -> None:
    found = world([IN], SQUARE, rates={DUNKIRK: "52.00"}, signers=["ANN"]).analyze()
    assert (found.part()["rate"], found.part()["full_value"]) == (None, None)
    assert found.found("V-23") == [("warning", POMFRET, "")]
    assert found.found("V-47") == [("warning", DUNKIRK, "")]
    assert found.test("valuation.overall")["value"] == "1/1"
    assert found.verdict == "pass"


def test_a_roll_of_another_year_than_the_rate(world: Any) -> None:
    found = world([replace(IN, year="2021"), replace(CUT, year="2022")], SQUARE).analyze()
    assert found.found("V-23") == [("error", POMFRET, "in")]


# Rule 24: a proof that fails is never a result


@pytest.mark.parametrize(
    ("tamper", "equation"),
    [
        (lambda roll, near, done: (replace(roll, rows=roll.rows + 1), near, done), "rows = keys + merged rows"),
        (lambda roll, near, done: (replace(roll, keys=roll.keys + 1), near, done), "inside + split + outside"),
        (
            lambda roll, near, done: (roll, near, replace(done, unlisted_value=done.unlisted_value + 1)),
            "value inside + outside + set aside = total value",
        ),
        (
            lambda roll, near, done: (roll, near, replace(done, parcels=done.parcels[1:])),
            "value inside + outside + set aside = total value",
        ),
        (
            lambda roll, near, done: (
                roll,
                near,
                replace(done, parcels=(replace(done.parcels[0], inside=50_001), *done.parcels[1:])),
            ),
            "counts 50001 of 50000",
        ),
    ],
)
def test_a_figure_that_was_tampered_with_is_refused(
    tamper: Any, equation: str, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from village_petition.core import analysis

    def proved(roll: Any, near: Any, assembled: Any, *rest: Any) -> Any:
        return prove(*tamper(roll, near, assembled), *rest)

    made = world([CUT, IN, OUT], SQUARE)
    assert made.analyze().proof["holds"] is True
    monkeypatch.setattr(analysis, "prove", proved)
    with pytest.raises(ProofError, match="please report this") as failed:
        made.analyze()
    assert equation in str(failed.value)


def test_parts_that_miss_a_dollar_are_refused(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from village_petition.core import analysis

    def proved(roll: Any, near: Any, assembled: Any, unmapped: Any, parts: Any, in_cities: int) -> Any:
        parts = [replace(part, value=part.value - 1) for part in parts]
        return prove(roll, near, assembled, unmapped, parts, in_cities)

    monkeypatch.setattr(analysis, "prove", proved)
    with pytest.raises(ProofError, match="value inside = sum of the parts .125000 against 124999."):
        world([CUT, IN, OUT], SQUARE).analyze()


def test_fractions_of_every_parcel_add_up(world: Any) -> None:
    found = world([IN, CUT, OUT, TIE], SQUARE, signers=["ANN", "BOB"]).analyze()
    credits = sum(Fraction(parcel["credit"]) for parcel in found.json["parcels"])
    assert credits == Fraction(found.part()["signed"]) == 125_000
