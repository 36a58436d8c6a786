"""`Live` against `analyze`: the same bytes after every edit of the boundary, the signatures and the overrides."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from worlds import CRS, DUNKIRK, ORIGIN, POMFRET, Lot, World, box, case_paths, moved, override, polygon, table, unmapped

from village_petition.core import live as lives
from village_petition.core.analysis import analyze
from village_petition.core.document import as_json
from village_petition.core.inputs import Inputs, load_inputs
from village_petition.core.live import Live
from village_petition.core.model import Cancelled, InputError, Layer, SignerLine
from village_petition.core.overlay import Placement, place
from village_petition.core.strip import concerned_by, place_again

STEP = 40.0
ACROSS = 12
NAMES = ["ANN", "BOB", "CY", "DEE ET AL", "EVE, ET UX", "LLC", "", "FAY"]


def lots() -> list[Lot]:
    """A grid of lots, some at fault in every way that the rules know."""
    found = []
    for east in range(ACROSS):
        for north in range(ACROSS):
            number = east * ACROSS + north
            left, bottom = east * STEP, north * STEP
            found.append(
                Lot(
                    key=f"{number}",
                    shape=box(left, bottom, left + STEP, bottom + STEP - 0.2 * (north % 3)),
                    total=1000 * (number % 17) + 13,
                    owner=NAMES[number % len(NAMES)],
                    other="GUS" if number % 5 == 0 else None,
                    swis=POMFRET if east < ACROSS // 2 else DUNKIRK,
                    land=200 * (number % 3) or None,
                    section="8" if number % 11 == 0 else "5" if number % 13 == 0 else "1",
                    year="2021" if number == 50 else "2022",
                )
            )
    return [
        *found,
        Lot("cross", polygon((200, 200), (240, 240), (240, 200), (200, 240))),
        Lot("cross 2", polygon((10, 10), (30, 30), (30, 10), (10, 30))),
        Lot("bare", None),
        Lot("two", box(120, 120, 130, 130), total=900),
        Lot("two", box(320, 120, 330, 130), total=900),
        Lot("differ", box(160, 160, 170, 170), total=900),
        Lot("differ", box(400, 400, 410, 410), total=901),
        Lot("half", box(100, 300, 120, 320), total=900),
        Lot("half", None, total=900),
        Lot(None, box(90, 90, 95, 95)),
        Lot("on top", box(85, 330, 130, 352), total=77_000, owner="CY"),
        Lot("unit 1", box(241, 241, 279, 279), total=5_000, kind="411C"),
        Lot("unit 2", box(241, 241, 279, 279), total=6_000, kind="411C"),
        Lot("blank", box(280, 280, 300, 300), total=None),
        Lot("dear", box(300, 280, 319, 300), total=1_000, land=2_000),
    ]


def ring(center: tuple[float, float], radius: float, number: int) -> list[tuple[float, float]]:
    """Corners of a regular polygon, counter-clockwise."""
    angles = np.arange(number) * 2 * np.pi / number
    return [(center[0] + radius * float(np.cos(a)), center[1] + radius * float(np.sin(a))) for a in angles]


START = ring((240.0, 240.0), 163.0, 90)


def world(territory: Any = None, **more: Any) -> World:
    towns = {
        POMFRET: ("Pomfret", box(-900, -900, 240, 1500)),
        DUNKIRK: ("Dunkirk", box(236, -900, 1500, 1500)),
    }
    given: dict[str, Any] = {
        "towns": towns,
        "rates": {POMFRET: "14.50", DUNKIRK: "52.00"},
        "signers": ["ANN", "BOB", "ann", "NOBODY HERE", "GUS"],
        "owners": {"15": ["ANN", "HAL"], "77": ["LLC"], "nowhere": ["ANN"]},
        "overrides": [override("80", 99, "", DUNKIRK), override("3", 7), override("bare", 10)],
        "unmapped": [unmapped("U1", 84_000), unmapped("U2", 1_000, "500", "ANN")],
        "inhabitants": ["AL,1 Elm St,Pomfret,065800,40,yes,yes,yes", "BEA,1 Elm St,Pomfret,065800,2,yes,yes,no"],
        "cities": [("Southtown", "Village", "066801", box(380, -100, 420, 60))],
        "buildings": [box(x * 50.0, y * 50.0, x * 50.0 + 12, y * 50.0 + 9) for x in range(9) for y in range(9)],
        **more,
    }
    return World(lots(), polygon(*START) if territory is None else territory, **given)


def layer(shape: Any) -> Layer:
    """A territory as `analyze` takes it."""
    geometry = np.empty(1, dtype=object)
    geometry[0] = shape
    return Layer("territory.gpkg", CRS, {}, geometry)


def outcome(run: Callable[[], Any]) -> Any:
    """What an analysis comes to: its bytes and its shapes, or the sentences by which it is refused."""
    try:
        analysis = run()
    except InputError as error:
        return error.problems
    shapes = {key: None if shape is None else shape.wkb for key, shape in analysis.shapes.items()}
    return as_json(analysis), shapes, analysis.slivers, analysis.territory_shape.wkb


def assert_same(live: Live, inputs: Inputs, shape: Any) -> None:
    mine, other = outcome(lambda: live.update(shape)), outcome(lambda: analyze(with_line(inputs, shape)))
    assert mine == other


def with_line(inputs: Inputs, shape: Any) -> Inputs:
    return dataclasses.replace(inputs, territory=layer(shape))


# Random edits


Edit = Callable[[list[tuple[float, float]]], list[tuple[float, float]]]


def _at(corners: list[tuple[float, float]], where: float) -> int:
    return int(where * len(corners)) % len(corners)


def _move(where: float, east: float, north: float) -> Edit:
    def edit(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
        at = _at(corners, where)
        x, y = corners[at]
        return [*corners[:at], (x + east, y + north), *corners[at + 1 :]]

    return edit


def _add(where: float, part: float) -> Edit:
    def edit(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
        at = _at(corners, where)
        (x, y), (u, v) = corners[at - 1], corners[at]
        return [*corners[:at], (x + (u - x) * part, y + (v - y) * part), *corners[at:]]

    return edit


def _delete(where: float, number: int) -> Edit:
    def edit(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
        at = _at(corners, where)
        return [*corners[:at], *corners[at + number :]]

    return edit


def _shift(east: float, north: float) -> Edit:
    return lambda corners: [(x + east, y + north) for x, y in corners]


def _turn(number: int) -> Edit:
    return lambda corners: [*corners[number:], *corners[:number]]


WHERE = st.floats(0, 1)
FAR = st.sampled_from([-57.0, -20.0, -3.7, -0.4, 0.0, 0.4, 2.0, 19.0, 41.0])
EDITS = st.one_of(
    st.builds(_move, WHERE, FAR, FAR),
    st.builds(_move, WHERE, FAR, FAR),
    st.builds(_add, WHERE, st.sampled_from([0.5, 0.25, 0.3])),
    st.builds(_delete, WHERE, st.sampled_from([1, 1, 3, 30])),
    st.builds(_shift, st.sampled_from([0.0, -600.0, 600.0, 90.0]), st.sampled_from([0.0, 35.0])),
    st.builds(_turn, st.integers(1, 20)),
    st.just(lambda corners: corners[::-1]),
)
RINGS = st.sampled_from([(), (), (), (ring((240, 240), 70, 12),), (ring((240, 200), 31, 5), ring((240, 300), 20, 4))])
PARTS = st.sampled_from([(), (), (), (box(60, 60, 79.9, 80),), (box(-50, 0, -10, 40),), (box(230, 230, 250, 250),)])


@seed(2202)
@settings(max_examples=18, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(EDITS, RINGS, PARTS, st.booleans()), min_size=2, max_size=6))
def test_every_edit_gives_what_a_whole_analysis_gives(
    edits: Sequence[tuple[Edit, Any, Any, bool]],
) -> None:
    inputs = world(petition={"parts_reason": "a river"}).inputs()
    live = Live(inputs)
    corners = list(START)
    assert outcome(live.update) == outcome(lambda: analyze(inputs))
    for edit, holes, parts, back in edits:
        before, corners = corners, edit(corners)
        shape = polygon(*corners, holes=holes)
        assert_same(live, inputs, moved(shapely.MultiPolygon([shape, *parts]) if parts else shape, *ORIGIN))
        if back:
            corners = before
            assert_same(live, inputs, moved(polygon(*corners), *ORIGIN))


@seed(2202)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(EDITS, min_size=1, max_size=5), st.integers(0, 10_000))
def test_placing_again_is_placing_to_the_bit(edits: Sequence[Edit], chance: int) -> None:
    random = np.random.default_rng(chance)
    at = random.uniform(-40, 520, (400, 2))
    size = random.uniform(0.2, 60, (400, 2))
    shapes = shapely.box(*at.T, *(at + size).T)
    shapes[::50] = [polygon((0, 0), (40, 40), (40, 0), (0, 40)) for _ in range(8)]
    shapes[7] = None
    boxes = shapely.bounds(shapes)
    corners, territory = list(START), polygon(*START)
    placement = place(shapes, territory, 1.0)
    for edit in edits:
        corners = edit(corners)
        changed = polygon(*corners)
        if not changed.is_valid:
            continue
        placement = place_again(placement, shapes, boxes, territory, changed, 1.0)
        territory = changed
        expected = place(shapes, territory, 1.0)
        for name in Placement.__dataclass_fields__:
            found, wanted = getattr(placement, name), getattr(expected, name)
            assert found.dtype == wanted.dtype
            assert np.array_equal(found, wanted, equal_nan=found.dtype.kind == "f"), name


# The strip


def test_a_moved_corner_concerns_the_lots_about_it_alone() -> None:
    old = polygon(*START)
    corners = list(START)
    corners[0] = (corners[0][0] + 30, corners[0][1])
    boxes = np.array([[0.0, 0, 10, 10], [400, 235, 410, 245], [235, 235, 245, 245]])
    concerned = concerned_by(boxes, old, polygon(*corners))
    assert concerned is not None and concerned.tolist() == [False, True, False]


def test_a_lot_between_the_old_line_and_the_new_is_concerned_though_no_edge_meets_it() -> None:
    old = polygon((0, 0), *((0 + 4 * k, 0) for k in range(1, 30)), (116, 100), *((100 - 2 * k, 100) for k in range(50)))
    corners = shapely.get_coordinates(old)[:-1].tolist()
    corners.insert(30, [900.0, 50.0])
    boxes = np.array([[200.0, 49, 201, 51], [40, 40, 42, 42], [950, 49, 951, 51]])
    concerned = concerned_by(boxes, old, polygon(*corners))
    assert concerned is not None and concerned.tolist() == [True, False, False]


def test_a_line_of_few_corners_or_of_many_other_edges_concerns_everything() -> None:
    boxes = np.array([[0.0, 0, 10, 10]])
    assert concerned_by(boxes, box(0, 0, 9, 9), box(0, 0, 9, 9)) is None
    assert concerned_by(boxes, polygon(*ring((0, 0), 50, 300)), polygon(*ring((1, 0), 50, 300))) is None
    unchanged = concerned_by(boxes, polygon(*START), polygon(*START[5:], *START[:5]))
    assert unchanged is not None and unchanged.tolist() == [False]


# Signatures and overrides


def lines(*names: str) -> tuple[SignerLine, ...]:
    return tuple(SignerLine(1, at, name, "1 Elm St", "Pomfret", "2023-05-01") for at, name in enumerate(names, 1))


def signed_by(inputs: Inputs, names: Optional[Sequence[str]]) -> Inputs:
    if names is None:
        return dataclasses.replace(inputs, signers=None)
    rows = [f"1,{at},{name},1 Elm St,Pomfret,2023-05-01" for at, name in enumerate(names, 1)]
    return dataclasses.replace(
        inputs, signers=table("signers.csv", "\n".join(["page,line,name,address,town,date", *rows]))
    )


def test_signatures_change_what_they_change_in_a_whole_analysis() -> None:
    inputs = world().inputs()
    live = Live(inputs)
    for names in (["ANN"], ["ANN", "CY"], ["CY", "ANN", "ann"], [], ["LLC", "GUS", "FAY", "STRANGER"], None, ["BOB"]):
        given_lines = None if names is None else lines(*names)
        assert outcome(lambda to=given_lines: live.sign(to)) == outcome(lambda to=names: analyze(signed_by(inputs, to)))
    shape = moved(polygon(*_move(0.1, 30, 9)(START)), *ORIGIN)
    mine = outcome(lambda: live.update(shape))
    assert mine == outcome(lambda: analyze(with_line(signed_by(inputs, ["BOB"]), shape)))
    assert outcome(lambda: live.sign(signed_by(inputs, ["CY"]).signers)) == outcome(
        lambda: analyze(with_line(signed_by(inputs, ["CY"]), shape))
    )


def test_a_signature_moves_no_parcel(monkeypatch: pytest.MonkeyPatch) -> None:
    live = Live(world().inputs())
    before = live.update()

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("parcels were looked at")

    for stage in ("read_territory", "ground_under", "place", "place_again", "placed_near", "assemble", "count_parcels"):
        monkeypatch.setattr(lives, stage, never)
    after = live.sign(lines("FAY"))
    assert after.parcels is before.parcels
    assert [part.signed for part in after.parts] != [part.signed for part in before.parts]


def test_overrides_change_what_they_change_in_a_whole_analysis() -> None:
    made = world()
    live = Live(made.inputs())
    for rows in (
        [],
        [override("40", 1)],
        [override("3", 5), override("100", 9, "", DUNKIRK)],
        [override("blank", 5, "9")],
    ):
        made.overrides = rows
        inputs = made.inputs()
        to = inputs.overrides
        assert outcome(lambda to=to: live.overrides(to)) == outcome(lambda inputs=inputs: analyze(inputs))
    before = live.analysis
    with pytest.raises(InputError, match="overrides.csv: parcel 065800 nowhere is not in the roll"):
        live.overrides(world(overrides=[override("nowhere", 5)]).inputs().overrides)
    assert live.analysis is before
    assert outcome(lambda: live.update(None)) == outcome(lambda: analyze(inputs))


# Margin, refusals, cancelling


def test_a_territory_beyond_the_margin_reads_more_parcels(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = world(moved(polygon(*ring((60, 60), 30, 70)), 0, 0)).inputs()
    live = Live(inputs)
    boxes = []
    read = lives.read_neighbourhood
    monkeypatch.setattr(lives, "read_neighbourhood", lambda *given: boxes.append(given[3]) or read(*given))
    live.update()
    assert len(boxes) == 1
    for center, radius, readings in (((62, 60), 31, 1), ((300, 300), 90, 2), ((310, 300), 90, 2), ((60, 60), 30, 3)):
        assert_same(live, inputs, moved(polygon(*ring(center, radius, 70)), *ORIGIN))
        assert len(boxes) == readings


def test_the_margin_need_not_be_fit_for_use(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = world().inputs()
    live = Live(inputs)
    read, boxes = lives.read_neighbourhood, []

    def narrow(source: Any, roll: Any, crs: Any, box: Any, *rest: Any) -> Any:
        boxes.append(box)
        if len(boxes) == 1:
            raise InputError("parcels: the point 1 2 cannot be brought into EPSG:2262.")
        return read(source, roll, crs, box, *rest)

    monkeypatch.setattr(lives, "read_neighbourhood", narrow)
    assert outcome(live.update) == outcome(lambda: analyze(inputs))
    assert boxes[1] == tuple(shapely.bounds(inputs.territory.geometry[0]))


def test_a_line_that_crosses_itself_is_refused_and_leaves_the_one_before() -> None:
    inputs = world().inputs()
    live = Live(inputs)
    first = live.update()
    corners = list(START)
    corners[3], corners[20] = corners[20], corners[3]
    with pytest.raises(InputError, match="territory.gpkg: the territory cannot be used: self-crossing near"):
        live.update(moved(polygon(*corners), *ORIGIN))
    assert live.analysis is first
    assert outcome(lambda: live.sign(lines("ANN"))) == outcome(lambda: analyze(signed_by(inputs, ["ANN"])))
    shape = moved(polygon(*_move(0.4, 11, 0)(START)), *ORIGIN)
    assert outcome(lambda: live.update(shape)) == outcome(lambda: analyze(with_line(signed_by(inputs, ["ANN"]), shape)))


def test_a_first_line_that_is_refused_can_be_followed_by_a_right_one() -> None:
    inputs = world().inputs()
    live = Live(inputs)
    with pytest.raises(InputError):
        live.update(moved(polygon((0, 0), (40, 40), (40, 0), (0, 40)), *ORIGIN))
    assert live.analysis is None
    assert_same(live, inputs, moved(polygon(*START), *ORIGIN))


def test_cancelling_at_any_stage_leaves_the_line_before() -> None:
    inputs = world().inputs()
    live = Live(inputs)
    first = live.update()
    shape = moved(polygon(*_move(0.2, 40, 40)(START)), *ORIGIN)
    asked = 0
    for stage in range(100):
        answers = iter([False] * stage + [True])
        asked = stage
        try:
            live.update(shape, cancelled=lambda answers=answers: next(answers))
        except Cancelled:
            assert live.analysis is first
            continue
        break
    assert 5 <= asked < 100
    assert_same(live, inputs, shape)
    with pytest.raises(Cancelled):
        live.sign(lines("CY"), cancelled=lambda: True)
    assert_same(live, inputs, moved(polygon(*START), *ORIGIN))


def test_parcels_in_degrees_are_measured_in_the_zone() -> None:
    from pyproj import Transformer

    there = Transformer.from_crs(CRS, "EPSG:4269", always_xy=True)
    made = world()
    parcels = made.parcels()
    _, shapes = parcels.shapes(rows=np.arange(len(parcels)))
    carried = shapely.transform(shapes, lambda xy: np.column_stack(there.transform(*xy.T)))
    columns = parcels.columns(parcels.names)
    inputs = dataclasses.replace(made.inputs(), parcels=type(parcels)("parcels.gpkg", "EPSG:4269", columns, carried))
    live = Live(inputs)
    for edit in (_move(0.3, 41, 3), _shift(90, 0), _shift(700, 0), _shift(-790, 0), _delete(0.5, 3)):
        assert_same(live, inputs, moved(polygon(*edit(START)), *ORIGIN))


@pytest.mark.parametrize("folder", ["", "clean"])
def test_the_lakeshore_case(folder: str, shared: Path) -> None:
    inputs = load_inputs(case_paths(shared / "data" / "lakeshore" / folder))
    live = Live(inputs)
    line = inputs.territory.geometry[0]
    parts = shapely.get_parts(line)
    largest = max(parts, key=shapely.area)
    corners = shapely.get_coordinates(largest.exterior)[:-1].tolist()
    assert outcome(live.update) == outcome(lambda: analyze(inputs))
    for edit in (_move(0.3, 120, -60), _add(0.6, 0.4), _delete(0.8, 1), _shift(9_000, 0)):
        shape = polygon(*edit([(x, y) for x, y in corners]))
        inputs_now = dataclasses.replace(
            inputs, territory=dataclasses.replace(inputs.territory, geometry=layer(shape).geometry, columns={})
        )
        mine = outcome(lambda line=inputs_now.territory: live.update(line))
        assert mine == outcome(lambda inputs_now=inputs_now: analyze(inputs_now))
