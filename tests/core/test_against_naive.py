"""Analyses of random small worlds against a slow second computation of the rules (`naive.py`)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction
from typing import Any, Optional

import pytest
import shapely
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from naive import Given, Naive, Refused, Result, money
from worlds import CRS, DUNKIRK, ORIGIN, POMFRET, Lot, Outcome, World, box, moved, polygon, shapes, table, texts

from village_petition.core import analysis as analyses
from village_petition.core.document import as_dict
from village_petition.core.model import InputError, Layer

SETTLED_CODES = [f"V-{n:02}" for n in (2, 5, 8, *range(13, 17), 18, 21, 23, 24, 25, *range(31, 45), 46, 47)]
"""Codes that the naive computation tells in full: severity, parcel and number of times."""

CORNERS = st.builds(
    lambda cell, off: cell * 40.0 + off, st.integers(-2, 10), st.sampled_from([0.0, 0.0, 0.0, 0.0, 0.5, -0.5, 1.5])
)


@st.composite
def rectangles(draw: Any) -> Any:
    left, bottom = draw(CORNERS), draw(CORNERS)
    return box(left, bottom, left + draw(st.sampled_from([40.0, 80.0, 39.5])), bottom + draw(st.sampled_from([40, 80])))


SHAPES = st.one_of(
    rectangles(),
    rectangles(),
    rectangles(),
    st.sampled_from(
        [
            None,
            box(40, 40, 80, 80),
            box(280, 40, 320, 80),
            polygon((40, 40), (120, 120), (120, 40), (40, 120)),
            polygon((280, 0), (330, 20), (300, 90)),
            shapely.MultiPolygon([box(280, 0, 310, 40), box(340, 0, 380, 40)]),
            shapely.Point(80, 80),
        ]
    ),
)
SWIS = [POMFRET, POMFRET, POMFRET, "065889", DUNKIRK, DUNKIRK, DUNKIRK, "066801"]
NAMES = ["ANN", "BOB", "CY", " ann ", "LLC", "DEE ET AL", "EVE, ET UX", "FAY ETAL", "", "OWNER UNKNOWN"]
LOTS = st.builds(
    Lot,
    key=st.sampled_from(["1", "2", "3", "4", "5", "6", None]),
    shape=SHAPES,
    total=st.sampled_from([0, 1, 999, 1000, 33_333, 100_001, 250_000, "$95,000", "1250.50", None]),
    owner=st.sampled_from(NAMES),
    other=st.sampled_from([None, None, None, "BOB", "GUS"]),
    swis=st.sampled_from(SWIS),
    land=st.sampled_from([None, 0, 500, 20_001]),
    section=st.sampled_from(["1", "1", "8", "5"]),
)
TERRITORIES = st.sampled_from(
    [
        [box(0, 0, 300, 300)],
        [polygon((0, 0), (300, 0), (310, 170), (170, 160), (150, 310), (0, 300))],
        [box(0, 0, 120, 300), box(160, 0, 300, 300)],
        [polygon((0, 0), (300, 0), (300, 300), (0, 300), holes=[[(100, 100), (100, 180), (180, 180), (180, 100)]])],
    ]
)
TOWN_LAYERS = st.sampled_from(
    [
        {POMFRET: ("Pomfret", box(-900, -900, 200, 900)), DUNKIRK: ("Dunkirk", box(200, -900, 900, 900))},
        {POMFRET: ("Pomfret", box(-900, -900, 200, 900)), "066889": ("Dunkirk", box(190, -900, 900, 900))},
        {POMFRET: ("Pomfret", box(-900, -900, 900, 900)), DUNKIRK: ("Dunkirk", box(800, -900, 900, 900))},
        {POMFRET: ("Pomfret", box(-900, -900, 900, 900))},
    ]
)
RATES = st.dictionaries(
    st.sampled_from([POMFRET, DUNKIRK, DUNKIRK, "066801"]), st.sampled_from(["14.50", "100", "33.33"]), max_size=3
) | st.just({POMFRET: "14.50", DUNKIRK: "52.00"})
LINES = st.lists(
    st.tuples(
        st.integers(1, 2),
        st.integers(1, 12),
        st.sampled_from(["ANN", "BOB", "Cy", "ann", "DEE", "EVE", "FAY", "GUS", "LLC", "NOBODY HERE", ""]),
        st.sampled_from(["1 Elm St", "1 Elm St", "1 Elm St", ""]),
        st.sampled_from(["Pomfret", "Pomfret", "Pomfret", ""]),
        st.sampled_from(["", "", "", "date"]),
    ),
    max_size=9,
    unique_by=lambda line: line[:2],
)
KEYS = st.tuples(st.sampled_from([POMFRET, DUNKIRK]), st.sampled_from(["1", "2", "3", "U1"]))
OWNERS = st.dictionaries(
    KEYS, st.lists(st.sampled_from(["ANN", "BOB", "ANN ET AL", "LLC", "ann", ""]), min_size=1, max_size=3), max_size=2
)
UNMAPPED = st.lists(
    st.tuples(
        st.sampled_from([POMFRET, DUNKIRK]),
        st.sampled_from(["U1", "U2"]),
        st.sampled_from(["5", "1"]),
        st.sampled_from([0, 1000, 84_000]),
        st.sampled_from(["POWER CO", "ANN", ""]),
        st.sampled_from([None, 0]),
    ),
    max_size=2,
    unique_by=lambda row: row[:2],
)
CITIES = st.sampled_from(
    [
        None,
        None,
        [("066801", "Village", box(300, 0, 400, 80))],
        [("066801", "Village", box(299.5, 0, 400, 80))],
        [(DUNKIRK, "City", box(299.5, 0, 400, 80))],
        [("066801", "Village", box(250, 0, 400, 80))],
    ]
)
PLACES = [(20.0 + 40 * x, 21.0 + 40 * y) for x in range(8) for y in range(3)]
FOOTPRINTS = st.sampled_from(PLACES).map(lambda at: box(at[0] - 9, at[1] - 9, at[0] + 4, at[1] + 5))
CUT_FOOTPRINTS = st.sampled_from([box(293, 13, 307, 27), box(-3, 13, 5, 27)])
POINTS = st.sampled_from(PLACES).map(shapely.Point) | st.just(shapely.Point(300, 21))
OWN_KEYS = st.none() | KEYS
BUILDINGS = (
    st.none()
    | st.lists(st.tuples(OWN_KEYS, FOOTPRINTS | CUT_FOOTPRINTS), min_size=1, max_size=6)
    | st.lists(st.tuples(OWN_KEYS, POINTS), min_size=1, max_size=6)
)
PEOPLE = st.lists(
    st.tuples(
        st.sampled_from(["AL", "al", "BEA", "CAM", "DON"]),
        st.sampled_from(["1 Elm St", "2 Oak St"]),
        st.sampled_from([POMFRET, POMFRET, DUNKIRK, ""]),
        st.sampled_from(["1", "2", "3", "77", ""]),
        st.sampled_from(["yes", "yes", "no", ""]),
        st.sampled_from(["yes", "yes", "no", ""]),
        st.sampled_from(["yes", "no"]),
    ),
    max_size=8,
)


@dataclasses.dataclass(frozen=True)
class Case:
    """A world and what is in it, once for `core` and once for the naive computation."""

    world: World
    given: Given

    def analyze(self) -> Outcome:
        inputs = self.world.inputs()
        some = self.given
        more: dict[str, Any] = {}
        if some.lines is not None:
            rows = [",".join((str(page), str(line), name, a, t, "", s)) for page, line, name, a, t, s in some.lines]
            more["signers"] = table("signers.csv", "\n".join(["page,line,name,address,town,date,struck", *rows]))
        if some.owners:
            rows = [f"{swis},{key},{name}" for (swis, key), names in some.owners.items() for name in names]
            more["owners"] = table("owners.csv", "\n".join(["swis,print_key,owner", *rows]))
        if some.inhabitants is not None:
            heading = "name,address,swis,print_key,adult,qualified,signed,town"
            rows = [",".join((*row, "Pomfret")) for row in some.inhabitants]
            more["inhabitants"] = table("inhabitants.csv", "\n".join([heading, *rows]))
        if some.buildings is not None:
            columns = {
                "SWIS": texts(key[0] if key else None for key, _ in some.buildings),
                "PRINT_KEY": texts(key[1] if key else None for key, _ in some.buildings),
            }
            more["buildings"] = Layer("buildings.gpkg", CRS, columns, array(shape for _, shape in some.buildings))
        analysis = analyses.analyze(dataclasses.replace(inputs, **more))
        return Outcome(analysis, as_dict(analysis))


@st.composite
def figures(draw: Any, lots: list[Lot]) -> dict[tuple[str, str], tuple[int, Optional[int]]]:
    """The assessor's figures, most of them possible: of a parcel that is there, and no more than its value."""
    found = {}
    for lot in draw(st.lists(st.sampled_from(lots), max_size=2)):
        state, value = money(lot.total)
        total = None if state == "ok" else draw(st.sampled_from([None, 1000, 33_333]))
        least = value if state == "ok" else total or 0
        found[(lot.swis, lot.key or "77")] = (draw(st.sampled_from([0, 1, least // 2, least])), total)
    return found


def array(some: Any) -> Any:
    return shapes(moved(shape, -ORIGIN[0], -ORIGIN[1]) for shape in some)


@st.composite
def cases(draw: Any) -> Case:
    lots = draw(st.lists(LOTS, min_size=1, max_size=9))
    territory, towns, rates = draw(TERRITORIES), draw(TOWN_LAYERS), draw(RATES)
    cities, buildings = draw(CITIES), draw(BUILDINGS)
    unmapped = draw(UNMAPPED)
    overrides = draw(figures(lots))
    people = draw(st.none() | PEOPLE)
    bases = draw(st.sampled_from([None, ["valuation"], ["voters"], ["valuation", "voters"]]))
    filler = draw(st.sampled_from([0, 0, 499, 520]))
    if people is not None:
        people += [(f"F{number}", "3 Ash St", "", "", "yes", "no", "no") for number in range(filler)]
    world = World(
        lots,
        territory,
        towns=towns,
        rates=rates or {POMFRET: "14.50"},
        overrides=[
            f"{swis},{key},{inside},agreed,A. ASSESSOR,2023-06-01,{'' if total is None else total}"
            for (swis, key), (inside, total) in overrides.items()
        ],
        unmapped=[
            f"{swis},{key},Town,{section},{total},,{owner},{'' if inside is None else inside},miles"
            for swis, key, section, total, owner, inside in unmapped
        ],
        cities=[("C", kind, swis, shape) for swis, kind, shape in cities or ()],
        petition={"bases": bases} if bases else None,
    )

    def there(shape: Any) -> Any:
        return moved(shape, *ORIGIN)

    given = Given(
        rows=[dataclasses.replace(lot, shape=there(lot.shape)) for lot in lots],
        territory=shapely.unary_union([there(one) for one in territory]),
        towns={swis: (name, there(shape)) for swis, (name, shape) in towns.items()},
        rates=rates or {POMFRET: "14.50"},
        lines=draw(st.none() | LINES),
        owners=draw(OWNERS),
        overrides=overrides,
        unmapped=unmapped,
        cities=None if cities is None else [(swis, kind, there(shape)) for swis, kind, shape in cities],
        buildings=None if buildings is None else [(key, there(shape)) for key, shape in buildings],
        inhabitants=people,
        bases=bases,
        features=len(territory),
    )
    return Case(world, given)


def as_fraction(text: Optional[str]) -> Optional[Fraction]:
    return None if text is None else Fraction(text)


def compare(found: Outcome, expected: Result) -> None:
    json = found.json
    assert [(one["swis"], one["print_key"]) for one in json["parcels"]] == sorted(expected.parcels)
    cities = {key for key, parcel in expected.parcels.items() if found.analysis.ownership.get(key) is None}
    for one in json["parcels"]:
        parcel = expected.parcels[(one["swis"], one["print_key"])]
        value, inside = parcel.value, parcel.inside
        assert (one["class"], one["value"], one["inside"], one["method"], one["confirmed"]) == (
            parcel.place,
            value,
            inside,
            parcel.method,
            parcel.confirmed,
        )
        assert as_fraction(one["share"]) == parcel.share
        if parcel.key not in cities:
            assert (one["owners"], one["signed_owners"]) == (parcel.owners, parcel.signed)
            assert Fraction(one["credit"]) == (inside or 0) * parcel.low
    parts = {
        part["swis"][:4]: {
            "value": part["value"],
            **{name: as_fraction(part[name]) for name in ("signed", "full_value", "signed_full_value", "share")},
        }
        for part in json["parts"]
    }
    assert parts == expected.parts
    compare_tests(json["tests"], expected.tests)
    assert json["verdict"] == expected.verdict
    assert {name: json["proof"][name] for name in expected.proof} == expected.proof
    assert [
        (one["page"], one["line"], one["status"], {town: Fraction(credit) for town, credit in one["credits"].items()})
        for one in json["signers"]
    ] == expected.lines
    for name, (verdict, flips, tests) in expected.without.items():
        other = json["alternatives"][name]
        assert (other["verdict"], other["flips"]) == (verdict, flips)
        compare_tests(other["tests"], {test: tests[test] for test in tests if test.startswith("valuation")})
    codes = Counter((one["code"], one["severity"], one["print_key"]) for one in json["findings"])
    assert {item: n for item, n in codes.items() if item[0] in SETTLED_CODES} == dict(expected.found)
    assert json["certifiable"] == expected.certifiable


def compare_tests(tests: Any, expected: Any) -> None:
    figures = {
        test["id"]: (test["status"], *(as_fraction(test[name]) for name in ("value", "low", "high")))
        for test in tests
        if test["id"] != "area"
    }
    assert figures == expected


@seed(2202)
@settings(max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_every_figure_is_that_of_the_naive_computation(case: Case) -> None:
    try:
        found = case.analyze()
    except InputError:
        with pytest.raises(Refused):
            Naive(case.given, {}).run()
        return
    shares = {parcel.key: parcel.share for parcel in found.analysis.parcels if parcel.share is not None}
    compare(found, Naive(case.given, shares).run())
