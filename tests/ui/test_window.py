"""The main job in the real window: layers and tables in, and the command line's bytes come out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.window

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample"
LAKESHORE = ROOT.parent / "shared" / "data" / "lakeshore" / "clean"
LAYERS = ("parcels", "towns", "territory", "buildings", "cities_villages")
TABLES = ("rates", "owners", "signers", "inhabitants", "overrides")


HANDS = {
    "width": 388,
    "link": ["owners", "PERSON 01664", "Dunkirk part, $1,521,000 missing"],
    "owner shown": [True, True],
    "findings": [True, True, True, 388],
    "zoomed": [True, True],
    "zoomed by key": [True, True],
    "page of the finding": ["parcels", True],
    "filters": [True, 1],
    "row to map": True,
    "map to row": True,
    "empty search": "No parcel is like that. Choose All Inside, or empty search and funnel.",
    "funnel": 97,
    "focus stays": [True] * 5,
    "pages": ["owners", "voters", "packet", "layers", "packet"],
    "F6": [True, True],
    "new rate": ["15.00", "15.00", False],
    "bad rate": [
        "“15,0O” is not a rate for Pomfret. Use digits and a point, e.g. 52.00.",
        "Blocked: an input is refused",
        "Old figures",
    ],
    "old results stay": [True, True],
    "errors cleared": [],
    "stopped": [False, True, True, False],
    "widths": [360, 600, 388],
    "closed and opened": [False, True, 388],
    "layer gone": ["Parcels: Layer missing", "–", True, "Old figures"],
}
"""What drivers/hands.py sees: clicks and keys on the window with the lakeshore case in it."""


def command_line(folder: Path, out: Path) -> bytes:
    files = {role: folder / f"{role}.gpkg" for role in LAYERS} | {role: folder / f"{role}.csv" for role in TABLES}
    files["unmapped"] = folder / "roll_without_polygon.csv"
    files["petition"] = folder / "petition.json"
    options = [
        text for role, path in files.items() if path.exists() for text in (f"--{role.replace('_', '-')}", str(path))
    ]
    command = [sys.executable, "-m", "core", "analyze", *options, "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (out / "analysis.json").read_bytes()


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(SAMPLE, id="sample"),
        pytest.param(
            LAKESHORE, id="lakeshore", marks=pytest.mark.skipif(not LAKESHORE.is_dir(), reason="no shared data")
        ),
    ],
)
def test_the_first_run_gives_the_bytes_of_the_command_line(folder: Path, real_window: Any, tmp_path: Path) -> None:
    outcome = real_window("drivers/first_run.py", tmp_path / "window", arguments={"data": str(folder)}, lang="de")
    assert outcome.ok, outcome.report()
    assert outcome.results["waiting"] == "Choose a parcel layer on the Layers page to begin."
    assert outcome.results["problems"] == []
    assert outcome.results["wkb"] == 21
    assert outcome.results["verdict"] == "fail"
    assert not outcome.results["stale"]
    assert (tmp_path / "window" / "analysis.json").read_bytes() == command_line(folder, tmp_path / "cli")
    assert outcome.results["layers"]["territory"] == 1
    assert outcome.results["layers"]["town_parts"] == 2
    assert (tmp_path / "window" / "before.png").stat().st_size > 10000
    assert (tmp_path / "window" / "after.png").stat().st_size > 10000


def test_bad_inputs_are_sentences_in_the_message_bar(real_window: Any, tmp_path: Path) -> None:
    outcome = real_window("drivers/bad_inputs.py", tmp_path, arguments={"data": str(SAMPLE)})
    assert outcome.ok, outcome.report()
    assert outcome.results.pop("layers") == 0
    expected = {
        "no crs": "parcels.gpkg has no coordinate reference system.",
        "rate of 0": "Equalization rates row 1: “0” is not a rate for Alder.",
        "text in a money column": "parcels.gpkg: no value of the field “PRINT_KEY” can be read as dollars",
        "no such column": "owners.csv lacks the columns swis, print_key, owner.",
        "no such file": "There is no file nothing.csv.",
        "elsewhere": "No parcel of parcels.gpkg ",
        "crossing itself": "bow: the territory cannot be used: self-crossing near ",
        "empty": "nothing drawn holds no polygon.",
        "broken GeoPackage": "towns.gpkg cannot be read as a map layer.",
    }
    assert set(outcome.results) == set(expected)
    for name, words in expected.items():
        found = outcome.results[name]
        assert found["waits"] == ""
        (problem,) = found["problems"]
        assert problem.startswith(words)
        assert problem in found["shown"]
        assert "\n" not in problem


@pytest.mark.skipif(not LAKESHORE.is_dir(), reason="no shared data")
def test_mouse_and_keyboard_do_what_they_should(real_window: Any, tmp_path: Path) -> None:
    outcome = real_window("drivers/hands.py", tmp_path / "window", arguments={"data": str(LAKESHORE)})
    assert outcome.ok, outcome.report()
    line = outcome.results.pop("missing line")
    assert "Layer “Parcels” is missing. Choose another on the Layers page." in line
    assert outcome.results == HANDS
