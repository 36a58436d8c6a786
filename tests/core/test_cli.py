"""The contract of the command line: exit codes, one line a problem and nothing else, all files or none."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fiona
import geopandas
import pytest
import shapely
from worlds import BOW_TIE, CRS, DUNKIRK, POMFRET, box, case_arguments, moved
from worlds import shapes as placed

from village_petition.core import __main__ as cli
from village_petition.core.inputs import Problems
from village_petition.core.model import InputError

PARCELS = [
    # swis, key, total, land, owner, shape
    (POMFRET, "1.-1", 100_000, 20_000, "ANN LEE", box(10, 10, 40, 40)),
    (POMFRET, "1.-2", 50_000, 10_000, "BOB COLE", box(90, 0, 110, 20)),
    (POMFRET, "1.-3", 30_000, 5_000, "CY MUÑOZ", box(300, 0, 320, 20)),
    (DUNKIRK, "1.-1", 40_000, 0, "ANN LEE", box(60, 60, 80, 80)),
    (POMFRET, "1.-4", 20_000, 0, "DEE", None),
]
TABLES = {
    "rates.csv": "swis,town,rate,roll_year,final_roll_filed,kind,source\n"
    "065800,Pomfret,14.50,2022,2022-07-01,state,x\n066800,Dunkirk,52.00,2022,2022-07-01,state,x\n",
    "signers.csv": "page,line,name,address,town,date\n1,1,ANN LEE,1 Elm St,Pomfret,2023-05-01\n",
    "owners.csv": "swis,print_key,owner\n065800,1.-2,BOB COLE\n065800,1.-2,EVE COLE\n",
    "unmapped.csv": "swis,print_key,town,roll_section,total_av,land_av,owner,inside_value,reason,note\n"
    "065800,SF-1,Pomfret,5,9000,,POWER CO,4000,line miles,\n",
    "overrides.csv": "swis,print_key,inside_value,reason,by,date\n065800,1.-2,25000,seen,A. ASSESSOR,2023-06-01\n",
}


def write_layer(path: Path, columns: dict[str, Any], some: Any, crs: Any = CRS, **options: Any) -> None:
    frame = geopandas.GeoDataFrame(columns, geometry=geopandas.GeoSeries(placed(some), dtype="geometry"), crs=crs)
    frame.to_file(path, driver="GPKG", **options)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a small case, made once."""
    folder = tmp_path_factory.mktemp("case")
    names = ("SWIS", "PRINT_KEY", "TOTAL_AV", "LAND_AV", "PRIMARY_OWNER")
    columns = {name: [row[place] for row in PARCELS] for place, name in enumerate(names)}
    write_layer(folder / "parcels.gpkg", columns, [row[5] for row in PARCELS])
    write_layer(
        folder / "towns.gpkg",
        {"NAME": ["Pomfret", "Dunkirk"], "SWIS": [POMFRET, DUNKIRK]},
        [box(-500, -500, 500, 50), box(-500, 50, 500, 500)],
    )
    write_layer(folder / "territory.gpkg", {"NAME": ["T"]}, [box(0, 0, 100, 100)])
    for name, text in TABLES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def case(made: Path, tmp_path: Path) -> Path:
    """The case in a folder of the test's own."""
    return Path(shutil.copytree(made, tmp_path / "case"))


Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def run(case: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line over the case; gives exit code, lines of standard error and standard output.

    `options` replace or add files by role ("rates" → name in the folder), None leaves one out.
    """

    def go(*more: str, out: str = "out", **options: Any) -> tuple[int, list[str], str]:
        files = {"parcels": "parcels.gpkg", "towns": "towns.gpkg", "territory": "territory.gpkg", "rates": "rates.csv"}
        arguments = [
            text
            for role, name in {**files, **options}.items()
            if name is not None
            for text in (f"--{role.replace('_', '-')}", str(case / name))
        ]
        capfd.readouterr()
        try:
            code = cli.main(["analyze", *arguments, *more, "--out", str(case / out)])
        except SystemExit as stop:
            code = int(str(stop.code))
        said = capfd.readouterr()
        return code, said.err.splitlines(), said.out

    return go


def refused(case: Path, answer: tuple[int, list[str], str]) -> list[str]:
    """The lines of a refusal, which wrote nothing."""
    code, lines, out = answer
    assert (code, out) == (2, "")
    assert lines and all(line.strip() and line == line.strip() for line in lines)
    assert not (case / "out").exists()
    assert not any(str(case) in line for line in lines)
    return lines


# Exit 0


def test_results(case: Path, run: Run) -> None:
    code, lines, out = run(
        signers="signers.csv", owners="owners.csv", unmapped="unmapped.csv", overrides="overrides.csv"
    )
    assert (code, lines, out) == (0, [], "pass\n")
    assert sorted(path.name for path in (case / "out").iterdir()) == ["analysis.json", "parcels.csv", "parcels.gpkg"]
    result = json.loads((case / "out" / "analysis.json").read_text(encoding="utf-8"))
    assert result["verdict"] == "pass"
    assert [(part["swis"], part["value"], part["signed"]) for part in result["parts"]] == [
        (POMFRET, 129_000, "100000/1"),
        (DUNKIRK, 40_000, "40000/1"),
    ]
    assert [result["proof"][name] for name in ("rows", "inside", "split", "outside", "set_aside", "unmapped")] == [
        5,
        2,
        1,
        1,
        1,
        1,
    ]


def cell(value: Any) -> str:
    """A value of analysis.json as parcels.csv has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def test_parcels_csv_holds_what_the_analysis_lists(case: Path, run: Run) -> None:
    assert run(owners="owners.csv", signers="signers.csv", unmapped="unmapped.csv")[0] == 0
    text = (case / "out" / "parcels.csv").read_text(encoding="utf-8")
    assert text.splitlines()[0] == (
        "swis,print_key,class,share,value,inside,outside,method,confirmed,owners,signed_owners,credit"
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    listed = json.loads((case / "out" / "analysis.json").read_text(encoding="utf-8"))["parcels"]
    shown = [{name: cell(value) for name, value in row.items()} for row in listed]
    assert rows == shown
    assert text.splitlines()[2] == "065800,1.-2,split,0.500000000,50000,25000,25000,area_only,false,2,0,0/1"
    assert text.splitlines()[3] == "065800,1.-4,set_aside,,20000,,,,false,1,0,0/1"
    assert text.splitlines()[4] == "065800,SF-1,unmapped,,9000,4000,5000,inside_value,false,1,0,0/1"


def test_parcels_gpkg_holds_the_same_with_geometry(case: Path, run: Run) -> None:
    assert run(owners="owners.csv", signers="signers.csv", unmapped="unmapped.csv")[0] == 0
    listed = json.loads((case / "out" / "analysis.json").read_text(encoding="utf-8"))["parcels"]
    with fiona.open(case / "out" / "parcels.gpkg") as layer:
        assert (layer.name, layer.crs.to_epsg()) == ("parcels", 2262)
        features = list(layer)
    assert [dict(feature["properties"]) for feature in features] == [
        {**row, "confirmed": row["confirmed"]} for row in listed
    ]
    shapes = [None if one["geometry"] is None else shapely.geometry.shape(one["geometry"]) for one in features]
    expected = {(row[0], row[1]): row[5] for row in PARCELS}
    for row, shape in zip(listed, shapes):
        ground = expected.get((row["swis"], row["print_key"]))
        if ground is None:
            assert shape is None
        else:
            assert shape.geom_type == "MultiPolygon"
            assert shape.equals(placed([ground])[0])


def test_results_of_rows_without_any_polygon(case: Path, run: Run) -> None:
    write_layer(case / "territory.gpkg", {"NAME": ["T"]}, [box(200, 0, 250, 40)])
    code, lines, _ = run(unmapped="unmapped.csv")
    assert (code, lines) == (0, [])
    with fiona.open(case / "out" / "parcels.gpkg") as layer:
        assert [(one["properties"]["print_key"], one["geometry"]) for one in layer] == [("1.-4", None), ("SF-1", None)]


def test_a_parcel_that_cannot_be_used_keeps_its_shape(case: Path, run: Run) -> None:
    tie = moved(BOW_TIE, 50, 50)
    columns = {"SWIS": [POMFRET] * 3, "PRINT_KEY": ["1", "2", "2"], "TOTAL_AV": [5, 6, 6]}
    write_layer(case / "parcels.gpkg", columns, [box(0, 0, 5, 5), tie, box(10, 10, 20, 20)])
    code, lines, _ = run()
    assert (code, lines) == (0, [])
    with fiona.open(case / "out" / "parcels.gpkg") as layer:
        kinds = [(one["properties"]["class"], one["geometry"]["type"]) for one in layer]
    assert kinds == [("inside", "MultiPolygon"), ("set_aside", "GeometryCollection")]


def test_files_are_replaced_whole(case: Path, run: Run) -> None:
    out = case / "out"
    out.mkdir()
    for name in ("analysis.json", "parcels.csv", "parcels.gpkg"):
        (out / name).write_text("old " * 100_000, encoding="utf-8")
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    assert run()[0] == 0
    assert json.loads((out / "analysis.json").read_text(encoding="utf-8"))["schema"] == 1
    with fiona.open(out / "parcels.gpkg") as layer:
        assert len(layer) == 4
    assert (out / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in out.iterdir()) == [
        "analysis.json",
        "notes.txt",
        "parcels.csv",
        "parcels.gpkg",
    ]


def test_a_refusal_leaves_earlier_results_as_they_are(case: Path, run: Run) -> None:
    assert run()[0] == 0
    before = {path.name: path.read_bytes() for path in (case / "out").iterdir()}
    assert run(rates="nowhere.csv")[0] == 2
    assert {path.name: path.read_bytes() for path in (case / "out").iterdir()} == before


def test_two_runs_write_the_same_bytes(case: Path, run: Run) -> None:
    assert run(out="one")[0] == run(out="two/deep")[0] == 0
    for name in ("analysis.json", "parcels.csv"):
        assert (case / "one" / name).read_bytes() == (case / "two" / "deep" / name).read_bytes()


def test_other_layers_may_be_in_another_crs(case: Path, run: Run) -> None:
    geopandas.read_file(case / "territory.gpkg").to_crs("EPSG:4326").to_file(case / "t.geojson", driver="GeoJSON")
    code, lines, _ = run(territory="t.geojson")
    assert (code, lines) == (0, [])
    result = json.loads((case / "out" / "analysis.json").read_text(encoding="utf-8"))
    assert [(one["layer"], one["from"], one["to"]) for one in result["operations"]] == [
        ("territory", "EPSG:4326", "EPSG:2262")
    ]


@pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:4326"])
def test_parcels_that_cannot_be_measured_are_brought_into_state_plane(crs: str, case: Path, run: Run) -> None:
    geopandas.read_file(case / "parcels.gpkg").to_crs(crs).to_file(case / "p.gpkg", driver="GPKG")
    code, lines, _ = run(parcels="p.gpkg")
    assert (code, lines) == (0, [])
    result = json.loads((case / "out" / "analysis.json").read_text(encoding="utf-8"))
    assert result["crs"] == "EPSG:2262"
    assert [parcel["share"] for parcel in result["parcels"]] == ["1.000000000", "0.500000000", None, "1.000000000"]


def test_summary(case: Path, run: Run) -> None:
    code, lines, out = run("--summary", signers="signers.csv", owners="owners.csv")
    assert (code, lines) == (0, [])
    assert out.splitlines()[0].startswith("ENOUGH: every test of an alleged basis is met — owners' basis")
    assert max(map(len, out.splitlines())) <= 100
    for figure in (
        "$125,000",
        "$100,000",
        "80.00 %",
        "> 50.00 %",
        "14.50",
        "§ 2-202(1)(a)(2)",
        "5 roll rows = 5 parcels",
    ):
        assert figure in out
    assert "error   V-24  065800 1.-2: Cut by the boundary: $25,000 of $50,000" in out


def test_long_names_keep_the_summary_narrow(case: Path, run: Run) -> None:
    long = "The Town of the Nine Partners at the Great Carrying Place beyond the Ox-Bow"
    write_layer(
        case / "towns.gpkg",
        {"NAME": [long, "Dunkirk"], "SWIS": [POMFRET, DUNKIRK]},
        [box(-500, -500, 500, 50), box(-500, 50, 500, 500)],
    )
    columns = {
        "SWIS": [POMFRET, DUNKIRK],
        "PRINT_KEY": ["1", "2"],
        "TOTAL_AV": [987_654_321_000, 123_456_789_000],
        "PRIMARY_OWNER": [f"{long} Limited Dividend Housing Company", "ANN LEE"],
    }
    write_layer(case / "parcels.gpkg", columns, [box(0, 0, 5, 5), box(60, 60, 70, 70)])
    code, _, out = run("--summary", signers="signers.csv")
    assert code == 0
    assert [line for line in out.splitlines() if len(line) > 100] == []
    assert f"  {long}\n" in out
    assert "$987,654,321,000" in out


# Exit 2: what cannot be used


def test_missing_files_are_all_told(case: Path, run: Run) -> None:
    assert refused(case, run(parcels="a.gpkg", rates="b.csv", owners="c.csv", petition="d.json")) == [
        "There is no file a.gpkg. Check the name and the folder.",
        "There is no file b.csv. Check the name and the folder.",
        "There is no file c.csv. Check the name and the folder.",
        "There is no file d.json. Check the name and the folder.",
    ]


def test_problems_of_files_and_rows_are_told_together(case: Path, run: Run) -> None:
    (case / "rates.csv").write_text('swis,town,rate\n065800,Pomfret,"52,0O"\n', encoding="utf-8")
    (case / "owners.csv").write_text("swis,print_key\n065800,1\n", encoding="utf-8")
    assert refused(case, run(towns="a.gpkg", owners="owners.csv")) == [
        "There is no file a.gpkg. Check the name and the folder.",
        "rates.csv row 2: “52,0O” is not a rate for Pomfret. Use digits above 0 and a point, e.g. 52.00.",
        "owners.csv lacks the column owner. Its columns are swis, print_key.",
    ]


def test_problems_of_rows_edition_fields_and_crs_are_told_together(case: Path, run: Run) -> None:
    (case / "rates.csv").write_text("swis,town,rate\n065800,Pomfret,0\n", encoding="utf-8")
    write_layer(case / "territory.gpkg", {"NAME": ["T"]}, [box(0, 0, 100, 100)], crs=None)
    lines = refused(
        case,
        run("--edition", "2019", "--field", "total_av=NOPE", "--field", "towns.swis=X", "--sliver-width-ft", "wide"),
    )
    assert len(lines) == 6
    assert "2019" in lines[0] and "2004" in lines[0] and "2024" in lines[0]
    assert lines[1:] == [
        "rates.csv row 2: “0” is not a rate for Pomfret. Use digits above 0 and a point, e.g. 52.00.",
        "parcels.gpkg has no field “NOPE” for total_av. Its fields are"
        " SWIS, PRINT_KEY, TOTAL_AV, LAND_AV, PRIMARY_OWNER.",
        "towns.gpkg has no field “X” for towns.swis. Its fields are NAME, SWIS.",
        "territory.gpkg has no coordinate reference system. Assign the one that it was made in, e.g. EPSG:2262.",
        "--sliver-width-ft “wide” is not a width in feet. Write for example 1.0.",
    ]


def test_a_missing_layer(case: Path, run: Run) -> None:
    assert refused(case, run(parcels="parcels.gpkg|nowhere")) == [
        "parcels.gpkg has no layer “nowhere”. Its layers are “parcels”."
    ]


def test_several_layers_must_be_told_apart(case: Path, run: Run) -> None:
    write_layer(case / "parcels.gpkg", {"NAME": ["x"]}, [box(0, 0, 5, 5)], layer="lots")
    assert refused(case, run()) == [
        "parcels.gpkg has several layers: “parcels”, “lots”. Name one, as in parcels.gpkg|parcels."
    ]
    assert run(parcels="parcels.gpkg|parcels")[0] == 0


@pytest.mark.parametrize("role", ["parcels", "towns", "territory"])
def test_a_layer_without_crs(role: str, case: Path, run: Run) -> None:
    frame = geopandas.read_file(case / f"{role}.gpkg")
    frame.crs = None
    (case / f"{role}.gpkg").unlink()
    geopandas.GeoDataFrame(frame.drop(columns="geometry"), geometry=list(frame.geometry)).to_file(
        case / f"{role}.gpkg", driver="GPKG"
    )
    assert refused(case, run()) == [
        f"{role}.gpkg has no coordinate reference system. Assign the one that it was made in, e.g. EPSG:2262."
    ]


@pytest.mark.parametrize(
    ("assignment", "line"),
    [
        (
            "value=TOTAL_AV",
            "--field value: there is no such name. Known here are swis, print_key, sbl, total_av, land_av,",
        ),
        ("roads.swis=X", "--field roads.swis: there is no layer “roads”. Use one of:"),
        ("total_av", "--field “total_av” is not NAME=FIELD. Write for example total_av=TOTAL_AV."),
        ("total_av=", "--field “total_av=” is not NAME=FIELD. Write for example total_av=TOTAL_AV."),
    ],
)
def test_field_assignments(assignment: str, line: str, case: Path, run: Run) -> None:
    (told,) = refused(case, run("--field", assignment))
    assert told.startswith(line)


def test_a_field_given_twice(case: Path, run: Run) -> None:
    assert refused(case, run("--field", "total_av=TOTAL_AV", "--field", "total_av=LAND_AV")) == [
        "--field total_av is given twice. Give it once."
    ]


def test_a_field_given_by_hand_is_used(case: Path, run: Run) -> None:
    assert run("--field", "total_av=LAND_AV")[0] == 0
    result = json.loads((case / "out" / "analysis.json").read_text(encoding="utf-8"))
    assert [parcel["value"] for parcel in result["parcels"]] == [20_000, 10_000, 0, 0]


def test_two_fields_that_fit(case: Path, run: Run) -> None:
    columns = {"SWIS": [POMFRET], "SWIS_CODE": [POMFRET], "PRINT_KEY": ["1"], "TOTAL_AV": [5]}
    write_layer(case / "parcels.gpkg", columns, [box(0, 0, 5, 5)])
    assert refused(case, run()) == [
        "parcels.gpkg: the fields “SWIS” and “SWIS_CODE” both fit swis. Choose one with --field swis=SWIS."
    ]
    assert run("--field", "swis=SWIS")[0] == 0


def test_text_in_a_money_column(case: Path, run: Run) -> None:
    columns = {"SWIS": [POMFRET] * 2, "PRINT_KEY": ["1", "2"], "TOTAL_AV": ["n/a", "lots"]}
    write_layer(case / "parcels.gpkg", columns, [box(0, 0, 5, 5), box(5, 0, 9, 5)])
    assert refused(case, run()) == [
        "parcels.gpkg: no value of the field “TOTAL_AV” can be read as dollars, for instance “n/a”."
        " Choose another field, or give whole dollars such as 95000."
    ]


@pytest.mark.parametrize("role", ["parcels", "towns", "territory"])
def test_an_empty_layer(role: str, case: Path, run: Run) -> None:
    with fiona.open(case / f"{role}.gpkg") as layer:
        profile = layer.profile
    (case / f"{role}.gpkg").unlink()
    with fiona.open(case / f"{role}.gpkg", "w", **profile):
        pass
    (line,) = refused(case, run())
    assert line.startswith(f"{role}.gpkg is empty: ")


def test_a_boundary_that_meets_no_parcel(case: Path, run: Run) -> None:
    write_layer(case / "territory.gpkg", {"NAME": ["T"]}, [box(200, 0, 250, 40)])
    assert refused(case, run()) == [
        "No parcel of parcels.gpkg and no roll row without polygon lies in the territory of territory.gpkg."
        " Check that both layers show the same place."
    ]


def test_a_territory_that_crosses_itself(case: Path, run: Run) -> None:
    write_layer(case / "territory.gpkg", {"NAME": ["T"]}, [moved(BOW_TIE, 50, 50)])
    (line,) = refused(case, run())
    assert line.startswith("territory.gpkg: the territory cannot be used: self-crossing near 930,051 890,051")


@pytest.mark.parametrize("rate", ["0", "0.00", "14,50", "1e2", "-5", "14.505", ""])
def test_a_rate_that_is_none(rate: str, case: Path, run: Run) -> None:
    text = TABLES["rates.csv"].replace("14.50", f'"{rate}"')
    (case / "rates.csv").write_text(text, encoding="utf-8")
    assert refused(case, run()) == [
        f"rates.csv row 2: “{rate}” is not a rate for Pomfret. Use digits above 0 and a point, e.g. 52.00."
    ]


def test_an_unknown_town(case: Path, run: Run) -> None:
    write_layer(case / "towns.gpkg", {"NAME": ["Dunkirk"], "SWIS": [DUNKIRK]}, [box(-500, 50, 500, 500)])
    assert refused(case, run()) == [
        "towns.gpkg: no town has SWIS 065800 or 065889, yet parcel 065800 1.-1 lies in the territory."
        " Add the town, or name the layer of cities and villages if it is a city."
    ]


@pytest.mark.parametrize("kept", [100, 5_000, 60_000])
def test_a_truncated_geopackage(kept: int, case: Path, run: Run) -> None:
    whole = (case / "parcels.gpkg").read_bytes()
    (case / "parcels.gpkg").write_bytes(whole[:kept])
    (line,) = refused(case, run())
    assert line == "parcels.gpkg is damaged and cannot be read to its end. Get a fresh copy of it."


@pytest.mark.parametrize("content", [b"", b"not a map\n" * 50])
def test_a_file_that_is_no_map(content: bytes, case: Path, run: Run) -> None:
    (case / "towns.gpkg").write_bytes(content)
    (line,) = refused(case, run())
    assert line.startswith("towns.gpkg is empty." if not content else "towns.gpkg cannot be read as a map layer.")


def test_a_file_in_use(case: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from village_petition.core import vector

    monkeypatch.setattr(vector, "LOCK_WAIT_MS", "10")
    other = sqlite3.connect(case / "parcels.gpkg", isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        assert refused(case, run()) == [
            "parcels.gpkg is in use by another program that is writing it. Close it there, then try again."
        ]
    finally:
        other.close()


def test_a_bad_row_of_a_table(case: Path, run: Run) -> None:
    (case / "overrides.csv").write_text(TABLES["overrides.csv"] + "065800,1.-1,5,seen,A. B.\n", encoding="utf-8")
    assert refused(case, run(overrides="overrides.csv")) == [
        "overrides.csv row 3 has 5 cells, the heading has 6. Put cells that hold a separator in quotation marks."
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"nam": "x"}', "facts.json: "),
        ("{", "facts.json line 1 column 2 is not JSON: "),
        ("[]", "facts.json must hold one object in braces."),
        ('{"filed": "1 May"}', "facts.json: "),
    ],
)
def test_a_petition_that_is_none(text: str, line: str, case: Path, run: Run) -> None:
    (case / "facts.json").write_text(text, encoding="utf-8")
    (told,) = refused(case, run(petition="facts.json"))
    assert told.startswith(line)


def test_an_unknown_edition(case: Path, run: Run) -> None:
    (line,) = refused(case, run("--edition", "1999"))
    assert all(text in line for text in ("1999", "2004", "2024"))


@pytest.mark.parametrize("out", ["rates.csv", "rates.csv/below"])
def test_a_folder_for_results_that_is_none(out: str, case: Path, run: Run) -> None:
    code, lines, said = run(out=out)
    assert (code, said, len(lines)) == (2, "", 1)
    assert lines[0].startswith(f"{Path(out).name}: results cannot be written there (")
    assert (case / "rates.csv").read_text(encoding="utf-8") == TABLES["rates.csv"]


def test_options_that_are_missing_or_unknown(case: Path, run: Run) -> None:
    assert refused(case, run(towns=None)) == [
        "The following arguments are required: --towns. See python -m core analyze --help."
    ]
    (line,) = refused(case, run("--colour", "red"))
    assert line == "Unrecognized arguments: --colour red. See python -m core analyze --help."
    (line,) = refused(case, run("--sig", "x"))
    assert line.startswith("Unrecognized arguments: --sig x")


# Exit 1 and 3: faults of the program


def test_a_proof_that_fails_is_exit_3(case: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from village_petition.core import analysis, proof
    from village_petition.core.model import ProofError

    def fails(*_: Any) -> Any:
        raise ProofError("The proof does not hold, please report this: rows (1 against 2).")

    monkeypatch.setattr(analysis, "prove", fails)
    assert proof.prove is not fails
    assert run() == (3, ["The proof does not hold, please report this: rows (1 against 2)."], "")
    assert not (case / "out").exists()


def test_a_fault_nobody_thought_of_is_one_line(case: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Any) -> Any:
        raise KeyError("first line\nsecond line")

    monkeypatch.setattr(cli, "_analyze", fails)
    assert run() == (
        1,
        ["The analysis stopped by a fault of the program, please report this: KeyError 'first line\\nsecond line'"],
        "",
    )


def test_what_libraries_say_stays_out_of_the_answer(
    case: Path, run: Run, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    def fails(_: Any) -> Any:
        heard.append(logging.getLogger("fiona").isEnabledFor(logging.CRITICAL))
        warnings.warn("deprecated", UserWarning, stacklevel=1)
        raise InputError("rates.csv is empty.")

    heard: list[bool] = []
    monkeypatch.setattr(cli, "_analyze", fails)
    assert run() == (2, ["rates.csv is empty."], "")
    assert (heard, len(recwarn)) == ([False], 0)
    assert logging.getLogger("fiona").isEnabledFor(logging.CRITICAL)


def test_each_problem_is_told_once() -> None:
    problems = Problems()
    problems.add("a", "b", "a")
    problems.add("b", "c")
    with pytest.raises(InputError) as refused:
        problems.stop()
    assert refused.value.problems == ("a", "b", "c")


# As a person runs it


def program(root: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONWARNINGS": "default", "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def test_the_program_says_nothing_but_the_answer(root: Path, tmp_path: Path) -> None:
    arguments = case_arguments(root / "sample")
    code, out, err = program(root, "analyze", *arguments, "--summary", "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100


def test_the_program_refuses_in_one_line(root: Path, case: Path) -> None:
    (case / "parcels.gpkg").write_bytes((case / "parcels.gpkg").read_bytes()[:5_000])
    files = [f"--parcels={case / 'parcels.gpkg'}", f"--towns={case / 'towns.gpkg'}", f"--rates={case / 'rates.csv'}"]
    code, out, err = program(root, "analyze", *files, f"--territory={case / 'territory.gpkg'}", f"--out={case / 'out'}")
    assert (code, out) == (2, "")
    assert err == "parcels.gpkg is damaged and cannot be read to its end. Get a fresh copy of it.\n"
    assert program(root)[0] == 2
