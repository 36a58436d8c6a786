"""`python -m core traverse`: exit codes, what is written, one line a refusal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fiona
import jsonschema
import pytest
import shapely

from village_petition.core import __main__ as cli
from village_petition.core.bearings import as_dict, frame, traverse

ROOT = Path(__file__).resolve().parents[2]
SQUARE = "N0E, 500\nN90E, 500\nS0E, 500\nS90W, 500\n"
CURVED = (
    "BEGINNING at a pin; thence North 100.00 feet; thence along a curve to the right, having a radius of 50.00 feet, "
    "an arc distance of 78.54 feet; thence East 100.00 feet; thence South 150.00 feet; thence West 150.00 feet to the "
    "point of beginning. Containing 0.5 acres"
)
OPEN = (
    "BEGINNING at a pin; thence N 0°00'00\" E 100.00 feet; thence East 100.00 feet; thence S 10°00'00\" W 90.00 feet "
    "to the point of beginning"
)
Run = Callable[..., tuple[int, str, list[str]]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command on a text; gives the exit code, standard output and the lines of standard error."""

    def call(text: Any, *more: str, crs: str = "EPSG:2261", start: str = "300000,400000") -> tuple[int, str, list[str]]:
        path = tmp_path / "x.txt"
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        try:
            code = cli.main(
                ["traverse", str(path), "--crs", crs, "--start", start, "--out", str(tmp_path / "out"), *more]
            )
        except SystemExit as left:
            code = int(left.code or 0)
        said = capfd.readouterr()
        return code, said.out, said.err.splitlines()

    return call


def result_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "out" / "traverse.json").read_text(encoding="utf-8"))
    schema = json.loads((ROOT / "docs" / "traverse.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found)
    return found


def rows(folder: Path, layer: str) -> list[Any]:
    with fiona.open(folder / "out" / "traverse.gpkg", layer=layer) as opened:
        return list(opened)


def test_a_figure_that_closes(run: Run, tmp_path: Path) -> None:
    code, said, errors = run(SQUARE, "--basis", "grid")
    assert (code, errors) == (0, [])
    assert said.splitlines()[0] == "Parcel 1: 4 lines, 0 curves, misclosure 0.000 ft, exact, closes, 5.739 acres"
    found = result_of(tmp_path)
    (parcel,) = found["parcels"]
    wanted = {"label": "Parcel 1", "lines": 4, "curves": 0, "ties": 0, "misclosure_ft": 0.0, "ratio": None}
    assert {key: parcel[key] for key in wanted} == wanted
    assert (parcel["closes"], parcel["area_acres"], parcel["stated_acres"], found["closed"]) == (
        True,
        5.7392,
        None,
        True,
    )
    (feature,) = rows(tmp_path, "boundary")
    assert shapely.geometry.shape(feature["geometry"]).bounds == (300000, 400000, 300500, 400500)
    assert [row["properties"]["closed"] for row in rows(tmp_path, "parcels")] == [True]


def test_d33_curve_data_survive_the_file(run: Run, tmp_path: Path) -> None:
    assert run(CURVED, "--basis", "grid")[0] == 0
    curve = rows(tmp_path, "courses")[1]["properties"]
    assert (curve["side"], curve["radius"]) == ("right", 50.0)
    assert curve["delta_degrees"] == pytest.approx(90.0, abs=0.001)
    assert (curve["centre_e"], curve["centre_n"]) == (pytest.approx(300050.0), pytest.approx(400100.0))
    assert result_of(tmp_path)["parcels"][0]["calls"][1]["curve"] == {
        "side": "right",
        "radius_ft": 50.0,
        "delta_degrees": 90.00021,
        "arc_ft": 78.54,
        "chord_ft": 70.7108,
        "chord_bearing": "N 45°00'00\" E",
    }


def test_a_figure_that_does_not_close(run: Run, tmp_path: Path) -> None:
    code, said, errors = run(OPEN)
    assert code == 3
    assert "does not close" in said
    (line,) = errors
    assert line.startswith("x.txt: Parcel 1: It misses by ")
    assert result_of(tmp_path)["closed"] is False
    assert not (tmp_path / "out" / "traverse.gpkg").exists()


def test_an_open_figure_is_written_when_asked_and_marked(run: Run, tmp_path: Path) -> None:
    assert run(OPEN, "--allow-open")[0] == 3
    (row,) = rows(tmp_path, "parcels")
    assert (row["properties"]["closed"], row["properties"]["verdict"]) == (False, "does not close")
    assert fiona.listlayers(tmp_path / "out" / "traverse.gpkg") == ["parcels", "courses"]
    assert run(OPEN)[0] == 3
    assert not (tmp_path / "out" / "traverse.gpkg").exists()


def test_problems_are_lines_with_their_place(run: Run, tmp_path: Path) -> None:
    code, said, _ = run(SQUARE.replace("N90E", "N 12°61'40\" E"))
    assert code == 3
    wanted = (
        "x.txt:2:1: M-DMS minutes must be below 60 | found «N 12°61'40\" E» | expected 0–59 | did you mean 16' or 01'?"
    )
    assert wanted in said.splitlines()
    (problem,) = [one for one in result_of(tmp_path)["parcels"][0]["problems"] if one["code"] == "M-DMS"]
    assert (problem["line"], problem["column"], problem["call"]) == (2, 1, 2)
    assert [one["label"] for one in problem["suggestions"]] == ["16'", "01'"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"crs": "EPSG:4269"}, "EPSG:4269: lengths in feet cannot be laid out in degrees"),
        ({"crs": "EPSG:1"}, "its coordinate reference system “EPSG:1” is not known"),
        ({"crs": "EPSG:3857"}, "Add --confirm-crs to use it all the same."),
        ({"start": "somewhere"}, "“somewhere” is no start."),
        ({"text": None}, "x.txt cannot be read"),
        ({"text": b"\x00\x01"}, "x.txt is no plain text."),
        ({"text": "All that land."}, "x.txt states no course."),
        ({"text": ""}, "x.txt states no course."),
        ({"text": "DT QB\nDU DMS\nSP 1 2\nDD N90-0-0E 105\nAD 45-0-0 100\n"}, "x.txt: This is an Esri traverse file"),
        ({"text": "no,bearing,distance,unit\n1,N 45 E,100,ft\n"}, "x.txt: This is a table of courses"),
        ({"more": ("--basis", "north")}, "“north” is no basis of bearings."),
        ({"more": ("--grid-factor", "7")}, "“7” is no grid factor."),
        ({"more": ("--first-bearing", "up")}, "“up” is no bearing."),
        ({"more": ("--colour", "red")}, "Unrecognized arguments: --colour red. See python -m core traverse --help."),
        ({"more": ("--foot", "roman")}, "See python -m core traverse --help."),
    ],
)
def test_refusals_are_one_line_and_leave_nothing(
    changes: dict[str, Any], sentence: str, run: Run, tmp_path: Path
) -> None:
    more = changes.pop("more", ()) if "more" in changes else ()
    code, said, errors = run(changes.get("text", SQUARE), *more, **{k: v for k, v in changes.items() if k != "text"})
    assert (code, said, len(errors)) == (2, "", 1)
    assert sentence in errors[0]
    assert not (tmp_path / "out").exists()


def test_a_system_that_distorts_may_be_confirmed(run: Run) -> None:
    assert run(SQUARE, "--confirm-crs", crs="EPSG:26917", start="600000,4700000")[0] == 0


def test_a_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way", encoding="utf-8")
    code, said, errors = run(SQUARE)
    assert (code, said, len(errors)) == (2, "", 1)
    assert errors[0].startswith("out: results cannot be written there (")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_encodings(encoding: str, run: Run, tmp_path: Path) -> None:
    assert run(CURVED.replace("a pin", "Muñoz’s pin").encode(encoding))[0] == 0
    assert result_of(tmp_path)["parcels"][0]["start"] == "BEGINNING at Muñoz’s pin"


def test_the_same_text_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    run(CURVED)
    first = (tmp_path / "out" / "traverse.json").read_bytes()
    run(CURVED)
    assert (tmp_path / "out" / "traverse.json").read_bytes() == first


def test_the_summary_calls_nothing_exact_that_is_open(run: Run) -> None:
    text = (
        "BEGINNING in a road; thence South 100 feet; thence West 300 feet; thence North 100 feet; thence along the "
        "road as it winds and turns 320 feet more or less to the point of beginning"
    )
    code, said, _ = run(text)
    assert code == 3
    assert said.splitlines()[0] == "Parcel 1: 3 lines, 0 curves, misclosure 300.000 ft, does not close, 0.689 acres"


def test_angles_need_a_direction(run: Run, tmp_path: Path) -> None:
    words = ("northerly", "easterly", "southerly", "westerly")
    body = "; thence ".join(
        f"on a line in a general {wind} direction having an interior angle of 90° with the previous course 10.00'"
        for wind in words
    )
    text = f"Beginning at a pin, running thence {body} to the Point of Beginning."
    code, _, errors = run(text)
    assert code == 3
    assert errors == ["x.txt: Parcel 1: It is told by interior angles alone: give the direction of one course."]
    assert run(text, "--first-bearing", "N 30° E")[0] == 0
    assert result_of(tmp_path)["parcels"][0]["calls"][0]["azimuth_degrees"] == 30.0


def test_real_texts_are_valid_results(shared: Path) -> None:
    schema = json.loads((ROOT / "docs" / "traverse.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    made = frame("EPSG:2261", (300_000.0, 400_000.0))
    for path in sorted((shared / "data" / "metes_bounds" / "texts").glob("*.txt")):
        result = traverse(path.read_text(encoding="utf-8"), made, basis_chosen=False)
        found = json.loads(json.dumps(as_dict(result, made, path.name), allow_nan=False))
        assert [error.message for error in validator.iter_errors(found)] == []
