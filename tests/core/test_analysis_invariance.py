"""Same inputs, same bytes (rule 2), and what holds of any world: the proof, and dollars that add up."""

from __future__ import annotations

import copy
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worlds import BOW_TIE, DUNKIRK, POMFRET, Lot, World, box, case_arguments, moved, override, polygon, unmapped

from village_petition.core.model import InputError

TOWNS = {POMFRET: ("Pomfret", box(-500, -500, 100, 500)), DUNKIRK: ("Dunkirk", box(100, -500, 500, 500))}
BENT = polygon((-3, -7), (80, 0), (207, -11), (190, 93), (110, 60), (60, 111), (5, 90))


def crowded() -> World:
    """A world with every kind of fault in it."""
    lots = [
        Lot(
            f"{column}-{row}",
            box(22 * column, 20 * row, 22 * column + 22, 20 * row + 20),
            1000 * (row + 7 * column + 17),
        )
        for column in range(-2, 12)
        for row in range(-2, 7)
    ]
    lots = [
        replace(lot, swis=DUNKIRK if lot.shape.bounds[0] >= 99 else "065889", owner=f"OWNER {number % 17}")
        for number, lot in enumerate(lots)
    ]
    lots += [
        Lot("twice", box(30, 30, 33, 33), 7, "OWNER 3"),
        Lot("twice", box(36, 30, 39.1, 33.3), 7, "owner 3"),
        Lot("twice", polygon((300, 0), (310, 0), (305, 7)), 7, "Owner 3"),
        Lot("differ", box(40, 40, 41, 41), 7, "OWNER 4"),
        Lot("differ", box(42, 40, 43, 41), 8, "OWNER 4"),
        Lot("broken", moved(BOW_TIE, 60, 60), 900, "OWNER 5"),
        Lot("broken", polygon((61, 61), (62, 62), (63, 63)), 900, "OWNER 5"),
        Lot(None, box(70, 70, 73, 73), 1, None),
        Lot(None, box(75, 75, 78, 78), 1, None),
        Lot("unit 1", box(50, 50, 60, 60), 100, "OWNER 6 ET AL"),
        Lot("unit 2", box(50, 50, 60, 60), 100, "LLC"),
        Lot("blank", box(60, 50, 70, 60), None, None),
        Lot("lost", None, 55, "OWNER 8"),
        Lot("village", box(10, 10, 12, 12), 55, "OWNER 8", swis="065801"),
    ]
    return World(
        lots,
        BENT,
        towns=TOWNS,
        rates={POMFRET: "14.50", DUNKIRK: "52.00", "065801": "40.00"},
        signers=[f"OWNER {number}" for number in range(0, 17, 2)] + ["OWNER 4", "STRANGER"],
        owners={"0-0": ["OWNER 1", "OWNER 2", "OWNER 3"], "1-1": ["OWNER 2", "ZOE"], "nowhere": ["X"]},
        overrides=[override("blank", 10, "20"), override("1-1", 9_000, swis="065889")],
        unmapped=[unmapped("SF-1", 84_000), unmapped("SF-2", 50_000, "20000")],
        inhabitants=[
            "A,1 ELM,Pomfret,065889,0-0,yes,yes,yes",
            "A,1 Elm,Pomfret,065889,0-0,yes,no,no",
            "B,2 ELM,Pomfret,065889,-1-0,yes,yes,no",
        ],
        buildings=[box(column, 3, column + 4, 9) for column in range(-20, 200, 9)],
        cities=[
            ("Fredonia", "Village", "065801", box(-100, 0, 1, 20)),
            ("Dunkirk", "City", "061600", box(250, 0, 260, 9)),
        ],
    )


def shuffled(made: World, seed: int) -> World:
    """The same world with every layer and table in another order."""
    other, mix = copy.deepcopy(made), random.Random(seed)
    other.towns = dict(mix.sample(list(made.towns.items()), len(made.towns)))
    other.rates = dict(mix.sample(list(made.rates.items()), len(made.rates)))
    other.owners = {
        key: mix.sample(list(names), len(names)) for key, names in reversed(list((made.owners or {}).items()))
    }
    for rows in (other.lots, other.overrides, other.unmapped, other.inhabitants, other.cities, other.buildings):
        mix.shuffle(rows)  # type: ignore[arg-type]
    return other


def turned(shape: Any, by: int) -> Any:
    """The same ground with rings written backwards and from another corner."""
    if shape is None or not shape.is_valid:
        return shape
    ring = shapely.get_coordinates(shape.exterior)[:-1][::-1]
    return shapely.Polygon([*ring[by % len(ring) :], *ring[: by % len(ring)]])


def test_the_crowded_world_has_every_kind_of_parcel() -> None:
    found = crowded().analyze()
    assert min(found.counts()) > 1
    codes = {finding["code"] for finding in found.json["findings"]}
    assert codes >= set("V-05 V-13 V-18 V-24 V-32 V-34 V-35 V-36 V-37 V-38 V-39 V-40 V-41 V-42 V-46 V-47".split())
    assert found.verdict == "fail"


@pytest.mark.parametrize("seed", range(5))
def test_no_order_of_rows_shows(seed: int) -> None:
    assert shuffled(crowded(), seed).analyze().text == crowded().analyze().text


@pytest.mark.parametrize("by", [1, 2, 3])
def test_no_order_of_corners_shows(by: int) -> None:
    made = crowded()
    made.lots = [replace(lot, shape=turned(lot.shape, by)) for lot in made.lots]
    made.territory = [turned(shape, by) for shape in made.territory]
    made.towns = {swis: (name, turned(shape, by)) for swis, (name, shape) in made.towns.items()}
    made.buildings = [turned(shape, by) for shape in made.buildings or ()]
    assert made.analyze().text == crowded().analyze().text


def test_no_order_of_the_territorys_features_shows() -> None:
    texts = set()
    for order in (1, -1):
        made = crowded()
        made.territory = [box(0, 0, 100, 100), box(100, 0, 170, 33), polygon((100, 33), (170, 33), (120, 90))][::order]
        texts.add(made.analyze().text)
    assert len(texts) == 1


def test_another_reading_of_a_file_with_shuffled_rows_gives_the_same_bytes(shared: Path, tmp_path: Path) -> None:
    import geopandas

    folder = shared / "data" / "lakeshore"
    plain, mixed = tmp_path / "plain", tmp_path / "mixed"
    shutil.copytree(folder, mixed, ignore=shutil.ignore_patterns("clean"))
    for name in ("parcels.gpkg", "towns.gpkg", "buildings.gpkg", "cities_villages.gpkg"):
        frame = geopandas.read_file(mixed / name)
        (mixed / name).unlink()
        frame.sample(frac=1, random_state=7).to_file(mixed / name, driver="GPKG")
    for name in ("owners.csv", "signers.csv", "inhabitants.csv", "rates.csv"):
        heading, *rows = (mixed / name).read_text(encoding="utf-8").splitlines()
        random.Random(3).shuffle(rows)
        (mixed / name).write_text("\n".join([heading, *rows, ""]), encoding="utf-8")
    run_lakeshore(folder, plain)
    run_lakeshore(mixed, tmp_path / "out")
    assert (plain / "analysis.json").read_bytes() == (tmp_path / "out" / "analysis.json").read_bytes()


def run_lakeshore(folder: Path, out: Path) -> None:
    from village_petition.core.__main__ import main

    assert main(["analyze", *case_arguments(folder), "--out", str(out)]) == 0


def test_neither_locale_nor_time_zone_nor_hash_order_shows(root: Path, tmp_path: Path) -> None:
    sample = root / "sample"
    results = set()
    for number, change in enumerate(
        (
            {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0"},
            {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "4711"},
        )
    ):
        out = tmp_path / str(number)
        arguments = [*case_arguments(sample), "--petition", str(sample / "petition.json"), "--out", str(out)]
        done = subprocess.run(
            [sys.executable, "-m", "core", "analyze", *arguments],
            cwd=root,
            env={**os.environ, **change},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        results.add((out / "analysis.json").read_bytes())
        results.add((out / "parcels.csv").read_bytes())
    assert len(results) == 2


# What holds of any world

corner = st.integers(-6, 26)
side = st.integers(1, 9)
names = st.sampled_from(["ANN", "BOB", "CY", "DEE", "EVE ET AL", "", "LLC"])
shapes = st.one_of(
    st.builds(lambda x, y, w, h: box(x, y, x + w, y + h), corner, corner, side, side),
    st.builds(
        lambda x, y, w, h, d: polygon((x, y), (x + w, y + d), (x + w - d, y + h)), corner, corner, side, side, side
    ),
    st.builds(lambda x, y: moved(BOW_TIE, x, y), corner, corner),
    st.none(),
)
lots = st.builds(
    Lot,
    key=st.one_of(st.sampled_from(["1", "2", "3", "4", "5", "6", "7", "8"]), st.none()),
    shape=shapes,
    total=st.one_of(st.integers(0, 10**6), st.just(1000), st.none(), st.just("1,5")),
    owner=names,
    land=st.one_of(st.none(), st.integers(0, 10**6)),
    section=st.sampled_from(["1", "8", "5"]),
    swis=st.sampled_from([POMFRET, POMFRET, "065889", DUNKIRK, "065801"]),
)
territories = st.sampled_from(
    [box(0, 0, 20, 20), polygon((0, 0), (20, 3), (17, 20), (9, 9), (2, 21)), [box(0, 0, 9, 20), box(12, 0, 20, 20)]]
)
signers = st.lists(st.sampled_from(["ANN", "BOB", "CY", "DEE", "EVE", "LLC", "X"]), unique=True, max_size=6)
towns = st.sampled_from([{**TOWNS, POMFRET: ("P", box(-99, -99, 11, 99)), DUNKIRK: ("D", box(11, -99, 99, 99))}, TOWNS])

quick = settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


settled = st.lists(
    st.builds(
        override,
        st.sampled_from(["1", "2", "3", "4", "U1"]),
        st.integers(0, 1200),
        st.sampled_from(["", "", "1000", "1200"]),
        st.sampled_from([POMFRET, DUNKIRK]),
    ),
    max_size=2,
    unique_by=lambda row: row[:8],
)
unplaced = st.lists(
    st.builds(
        unmapped, st.just("U1"), st.just(1000), st.sampled_from(["", "0", "400"]), st.just("CY"), st.just(DUNKIRK)
    ),
    max_size=1,
)
cities = st.sampled_from([[], [], [("Dunkirk", "City", DUNKIRK, box(14, 0, 20, 20))]])


def made_of(some: list[Lot], territory: Any, where: Any, who: list[str], **more: Any) -> Any:
    """The analysis, None where the world is refused: no parcel inside, no value at all, a figure above the total."""
    buildings = [box(3, 3, 5, 5), box(8, 1, 12, 4)]
    try:
        return World(some, territory, towns=where, signers=who, buildings=buildings, **more).analyze()
    except InputError:
        return None


@quick
@given(st.lists(lots, min_size=1, max_size=12), territories, towns, signers, settled, unplaced, cities)
def test_every_row_and_every_dollar_is_somewhere(
    some: list[Lot], territory: Any, where: Any, who: list[str], own: list[str], rows: list[str], near: list[Any]
) -> None:
    found = made_of(some, territory, where, who, overrides=own, unmapped=rows, cities=near)
    if found is None:
        return
    proof = found.proof
    assert proof["rows"] == len(some) == proof["keys"] + proof["merged_rows"] + proof["without_key"]
    assert sum(found.counts()) == proof["keys"] == len({(lot.swis, lot.key) for lot in some if lot.key})
    assert proof["unmapped"] == len(rows)
    assert sum(found.dollars()[:3]) == found.dollars()[3]
    for parcel in found.json["parcels"]:
        if parcel["inside"] is not None:
            assert parcel["inside"] + parcel["outside"] == parcel["value"]
            assert 0 <= parcel["inside"] <= parcel["value"]
            assert 0 <= Fraction(parcel["credit"]) <= parcel["inside"]
    in_city = sum(one["inside"] or 0 for one in found.json["parcels"] if near and one["swis"] == DUNKIRK)
    assert sum(part["value"] for part in found.json["parts"]) == proof["value_inside"] - in_city
    for part in found.json["parts"]:
        assert 0 <= Fraction(part["signed"]) <= part["value"]
        credits = sum(Fraction(one["credits"].get(part["swis"], "0")) for one in found.json["signers"])
        assert credits == Fraction(part["signed"])
    for test in found.json["tests"]:
        if test["id"].startswith("valuation") and test["low"] is not None:
            assert Fraction(test["low"]) <= Fraction(test["value"]) <= Fraction(test["high"])


@quick
@given(st.lists(lots, min_size=1, max_size=12), territories, towns, signers, st.randoms(use_true_random=False))
def test_no_permutation_shows(some: list[Lot], territory: Any, where: Any, who: list[str], mix: random.Random) -> None:
    found = made_of(some, territory, where, who)
    other = made_of(mix.sample(some, len(some)), territory, dict(reversed(list(where.items()))), who)
    assert (found is None) == (other is None)
    if found is not None:
        assert found.text == other.text


@quick
@given(
    st.lists(lots, min_size=1, max_size=10), territories, towns, signers, st.sampled_from(["ANN", "BOB", "EVE", "CY"])
)
def test_a_further_signature_never_lowers_a_share(
    some: list[Lot], territory: Any, where: Any, who: list[str], more: str
) -> None:
    before, after = (made_of(some, territory, where, list(dict.fromkeys(all_of))) for all_of in (who, [*who, more]))
    if before is None or after is None:
        assert before is after
        return
    for old, new in zip(before.json["tests"], after.json["tests"]):
        for figure in ("value", "low", "high"):
            if old[figure] is not None and old["id"].startswith("valuation"):
                assert Fraction(new[figure]) >= Fraction(old[figure]), (old["id"], figure)


def test_a_scale_of_a_thousand_lots_leaves_no_dollar_out() -> None:
    rng = random.Random(5)
    some = [
        Lot(f"{x}-{y}", box(x, y, x + 1.5, y + 1.5), rng.randrange(10**6), f"O{rng.randrange(99)}")
        for x in range(-10, 25)
        for y in range(-10, 25)
    ]
    found = made_of(some, polygon((0, 0), (20.3, 3.1), (17.7, 20.2), (9.1, 9.3), (2.2, 21)), TOWNS, ["O1", "O2"])
    assert found.dollars()[3] == sum(lot.total for lot in some)
    assert sum(found.counts()) == 35 * 35
