"""Our copy of the plugin site's checks refuses what the site refuses."""

from __future__ import annotations

import importlib.util
import stat
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Optional

import pytest

ROOT = Path(__file__).resolve().parent.parent


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"scripts_{name}", ROOT / "scripts" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


gate = load("gate")
METADATA = (ROOT / "metadata.txt").read_text(encoding="utf-8")
GOOD = {
    "village_petition/__init__.py": "def classFactory(iface):\n    return None\n",
    "village_petition/LICENSE": "GPL\n",
    "village_petition/metadata.txt": METADATA,
    "village_petition/resources/icons/plugin.svg": "<svg/>\n",
}


@pytest.fixture()
def zipped(tmp_path: Path):
    def make(changes: Optional[dict[str, Optional[str]]] = None, mode: int = 0o100644) -> Path:
        files = {name: text for name, text in {**GOOD, **(changes or {})}.items() if text is not None}
        archive = tmp_path / "plugin.zip"
        with zipfile.ZipFile(archive, "w") as opened:
            for name, text in files.items():
                entry = zipfile.ZipInfo(name)
                entry.external_attr = (mode if name in (changes or {}) else 0o100644) << 16
                opened.writestr(entry, text)
        return archive

    return make


def test_a_good_plugin_is_taken(zipped) -> None:
    assert gate.check(zipped()) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"village_petition/LICENSE": None}, "LICENSE is missing"),
        ({"village_petition/a.pyc": "x"}, "village_petition/a.pyc is a program or compiled file"),
        ({"village_petition/run.sh": "x"}, "village_petition/run.sh is a program or compiled file"),
        ({"village_petition/.bandit": "x"}, "village_petition/.bandit is hidden"),
        ({"village_petition/.git/config": "x"}, "village_petition/.git/config does not belong in a plugin"),
        ({"village_petition/../a.py": "x"}, "village_petition/../a.py leads out of the folder"),
        ({"other/a.py": "x"}, "one folder at the top is wanted, there are 2: other, village_petition"),
    ],
)
def test_structure(zipped, changes, problem) -> None:
    assert problem in gate.check_structure(zipped(changes))


@pytest.mark.parametrize(
    ("mode", "problem"),
    [
        (0o100755, "village_petition/a.py is executable"),
        (stat.S_IFLNK | 0o777, "village_petition/a.py is a link"),
    ],
)
def test_modes(zipped, mode, problem) -> None:
    assert gate.check_structure(zipped({"village_petition/a.py": "x"}, mode)) == [problem]


def test_a_folder_that_is_no_package_name(tmp_path: Path) -> None:
    archive = tmp_path / "plugin.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for name in GOOD:
            opened.writestr(name.replace("village_petition", "village-petition"), "x")
    assert gate.check_structure(archive) == ["the folder “village-petition” is no name of a Python package"]


def test_no_zip_at_all(tmp_path: Path) -> None:
    (tmp_path / "plugin.zip").write_text("text")
    assert gate.check_structure(tmp_path / "plugin.zip") == ["plugin.zip is no zip: File is not a zip file"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("email=", "mail=", "metadata.txt lacks email"),
        ("author=The", "author=The/", "metadata.txt: the author has a slash"),
        ("version=0.", "version=v0.", "is no version such as 1.2.3"),
        ("tracker=https://github.com/village-petition", "tracker=http://bugs", "tracker “http://bugs"),
        ("icon=resources", "icon=images", "the icon images/icons/plugin.svg is not in the zip"),
        ("server=False", "supportsQt6=True", "supportsQt6 is dead"),
        ("[general]", "[plugin]", "metadata.txt cannot be read"),
        ("fifth of", "20% of", "metadata.txt cannot be read"),
    ],
)
def test_metadata(tmp_path: Path, old, new, problem) -> None:
    assert METADATA.count(old) >= 1
    (tmp_path / "metadata.txt").write_text(METADATA.replace(old, new), encoding="utf-8")
    (tmp_path / "resources/icons").mkdir(parents=True)
    (tmp_path / "resources/icons/plugin.svg").touch()
    found = gate.check_metadata(tmp_path)
    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("assert True\n", "a.py:1 B101"),
        ("try:\n    x = 1\nexcept Exception:\n    pass\n", "a.py:3 B110"),
        ("import subprocess\n", "a.py:1 B404"),
        ("import jinja2\njinja2.Environment()\n", "a.py:2 B701"),
        ("def f(c, t):\n    c.execute(f'SELECT * FROM {t}')\n", "a.py:2 B608"),
        ("import xml.etree.ElementTree\n", "a.py:1 B405"),
    ],
)
def test_bandit(tmp_path: Path, source, rule) -> None:
    (tmp_path / "a.py").write_text(source, encoding="utf-8")
    found = gate.check_bandit(tmp_path)
    assert len(found) == 1
    assert found[0].startswith(rule)


def test_secrets(tmp_path: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    (tmp_path / "a.py").write_text(f"where = '{key}'\n", encoding="utf-8")
    (tmp_path / "metadata.txt").write_text(f"about={key}\n", encoding="utf-8")
    assert gate.check_secrets(tmp_path) == ["a.py:1 looks like a secret (AWS Access Key)"]


def test_binaries(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_bytes(b"\x00\x01")
    (tmp_path / "map.png").write_bytes(b"\x00\x01")
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert gate.check_binaries(tmp_path) == ["a.dat is a binary file"]


def test_what_is_refused_fails_the_command(zipped, capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main([str(zipped({"village_petition/a.py": "assert True\n"}))]) == 1
    assert "gate: plugin.zip is refused" in capsys.readouterr().out
    assert gate.main([str(zipped())]) == 0
    assert "gate: plugin.zip would be taken" in capsys.readouterr().out
