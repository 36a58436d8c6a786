"""What is drawn of an analysis: every listed parcel that has a shape, inside clipped to the line, labels as printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import shapely

from village_petition.core.analysis import analyze
from village_petition.core.inputs import load_inputs
from village_petition.core.model import Analysis, Ownership
from village_petition.ui.drawing import SHEETS, draw, signed_word

ROOT = Path(__file__).resolve().parents[2]
LAKESHORE = ROOT.parent / "shared" / "data" / "lakeshore"
FILES = {
    "parcels": "parcels.gpkg",
    "towns": "towns.gpkg",
    "territory": "territory.gpkg",
    "rates": "rates.csv",
    "owners": "owners.csv",
    "signers": "signers.csv",
    "buildings": "buildings.gpkg",
    "unmapped": "roll_without_polygon.csv",
}


def run(folder: Path, leave_out: tuple[str, ...] = ()) -> Analysis:
    paths: Mapping[str, str] = {role: str(folder / name) for role, name in FILES.items() if role not in leave_out}
    return analyze(load_inputs(paths))


@pytest.fixture(scope="module")
def sample() -> Analysis:
    return run(ROOT / "sample")


def columns(role: str) -> list[str]:
    return [name for sheet in SHEETS if sheet.role == role for name, _ in sheet.columns]


def test_rows_have_a_value_for_every_column(sample: Analysis) -> None:
    drawing = draw(sample)
    assert set(drawing.rows) == {sheet.role for sheet in SHEETS}
    for sheet in SHEETS:
        for shape, values in drawing.rows[sheet.role]:
            assert len(values) == len(sheet.columns)
            assert shapely.from_wkb(shape).geom_type == sheet.shape


def test_inside_is_clipped_and_covers_what_the_split_parcels_share(sample: Analysis) -> None:
    drawing = draw(sample)
    at = columns("inside").index("print_key")
    parcels = {parcel.key: parcel for parcel in sample.parcels}
    assert len(drawing.rows["inside"]) == sum(p.place in ("inside", "split") for p in sample.parcels)
    for shape, values in drawing.rows["inside"]:
        key = (values[0], values[at])
        drawn, whole = shapely.from_wkb(shape), sample.shapes[key]
        share = parcels[key].share
        assert share is not None
        assert drawn.area == pytest.approx(whole.area * float(share), rel=1e-6)
        assert shapely.difference(drawn, sample.territory_shape).area < 1e-3


def test_how_much_is_signed(sample: Analysis) -> None:
    parcel = next(parcel for parcel in sample.parcels if parcel.place == "inside")

    def word(signed: int, share: Fraction) -> str:
        ownership = Ownership(("A", "B"), 2, signed, share, share)
        return signed_word(replace(sample, ownership={parcel.key: ownership}), parcel)

    assert word(0, Fraction(0)) == "none"
    assert word(1, Fraction(1, 2)) == "some"
    assert word(2, Fraction(1)) == "all"
    assert signed_word(replace(sample, ownership={}), parcel) == "none"


def test_without_signers_a_part_has_its_name_and_no_share() -> None:
    drawing = draw(run(ROOT / "sample", leave_out=("signers",)))
    share = columns("town_parts").index("share")
    assert [values[share] for _, values in drawing.rows["town_parts"]] == ["", ""]
    signed = columns("inside").index("signed")
    assert {values[signed] for _, values in drawing.rows["inside"]} == {"none"}


@pytest.mark.skipif(not LAKESHORE.is_dir(), reason="no shared data")
def test_labels_of_the_lakeshore_case_are_the_printed_shares() -> None:
    drawing = draw(run(LAKESHORE / "clean"))
    share = columns("town_parts").index("share")
    labels = [(values[0], values[share]) for _, values in drawing.rows["town_parts"]]
    assert labels == [("Pomfret", "54.28 %"), ("Dunkirk", "49.00 %")]
    assert len(drawing.rows["split"]) == 97
    assert [values[2] for _, values in drawing.rows["territory"]] == ["3.389489"]


@pytest.mark.skipif(not LAKESHORE.is_dir(), reason="no shared data")
def test_parcels_set_aside_and_slivers_are_drawn_where_they_have_a_shape() -> None:
    analysis = run(LAKESHORE)
    drawing = draw(analysis)
    aside = [parcel.key for parcel in analysis.parcels if parcel.place == "set_aside"]
    with_shape = [key for key in aside if analysis.shapes.get(key) is not None]
    assert with_shape
    assert [(values[0], values[1]) for _, values in drawing.rows["set_aside"]] == with_shape
    drawn = [(values[0], values[1]) for _, values in drawing.rows["slivers"]]
    assert len(drawn) >= 30
    assert drawn == [key for key in analysis.slivers if key in analysis.shapes]
    for shape, values in drawing.rows["slivers"]:
        whole = analysis.shapes[(values[0], values[1])]
        assert shapely.intersects(whole, shapely.from_wkb(shape))
