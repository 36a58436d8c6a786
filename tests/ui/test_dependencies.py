"""What is missing is named with its reason, and the way to it is that of the system."""

from __future__ import annotations

import sys
import types

import pytest

from village_petition.ui import dependencies
from village_petition.ui.dependencies import Missing

SHAPELY = Missing("shapely", "2.0", "1.8.5 is installed")
FIONA = Missing("fiona", "1.8", "is not installed")


def test_nothing_is_missing_where_the_tests_run() -> None:
    assert dependencies.missing() == ()
    assert dependencies.explain(()) == ""


def test_a_package_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "geopandas", None)
    assert dependencies.missing() == (Missing("geopandas", "0.12", "is not installed"),)


def test_a_package_that_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    old = types.ModuleType("shapely")
    old.__version__ = "1.8.5.post1"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "shapely", old)
    assert dependencies.missing() == (Missing("shapely", "2.0", "1.8.5.post1 is installed"),)


def test_a_shapely_that_speaks_to_another_geos(monkeypatch: pytest.MonkeyPatch) -> None:
    import shapely

    def refuses(*_: object, **__: object) -> bytes:
        raise shapely.errors.GEOSException("IllegalArgumentException: WKB output dimension must be 2 or 3")

    monkeypatch.setattr(shapely, "to_wkb", refuses)
    (only,) = dependencies.missing()
    assert only.name == "shapely"
    assert only.reason.startswith("another plugin loaded it together with the GEOS of QGIS")


def test_a_package_that_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> types.ModuleType:
        if name == "fiona":
            raise ImportError("libgdal.so.32: cannot open shared object file\nand more")
        return sys.modules[name]

    monkeypatch.setattr(dependencies.importlib, "import_module", fails)
    (only,) = dependencies.missing()
    assert str(only) == "fiona 1.8 or newer: does not load (libgdal.so.32: cannot open shared object file)"


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("debian", "sudo apt install python3-shapely python3-fiona"),
        ("fedora", "sudo dnf install python3-shapely python3-fiona"),
        ("windows", "OSGeo4W"),
        ("macos", "conda create -n qgis -c conda-forge qgis geopandas fiona"),
        ("conda", "conda install -c conda-forge shapely fiona"),
        ("other", "shapely, fiona"),
    ],
)
def test_the_way_is_that_of_the_system(system: str, words: str) -> None:
    text = dependencies.explain((SHAPELY, FIONA), system)
    assert "• shapely 2.0 or newer: 1.8.5 is installed" in text
    assert "• fiona 1.8 or newer: is not installed" in text
    assert words in text
    assert text.endswith("Then start QGIS again.")


@pytest.mark.parametrize(
    ("release", "system"),
    [
        ('ID=debian\nVERSION_ID="12"\n', "debian"),
        ("ID=ubuntu\nID_LIKE=debian\n", "debian"),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"\n', "debian"),
        ("ID=fedora\n", "fedora"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "fedora"),
        ("ID=arch\n", "other"),
    ],
)
def test_linux_is_told_by_its_release_file(
    release: str, system: str, tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "os-release"
    file.write_text(release, encoding="utf-8")
    monkeypatch.setattr(dependencies.platform, "system", lambda: "Linux")
    monkeypatch.setattr(dependencies, "OS_RELEASE", file)
    monkeypatch.setattr(dependencies.sys, "prefix", str(tmp_path))
    assert dependencies.this_system() == system


@pytest.mark.parametrize(("name", "system"), [("Windows", "windows"), ("Darwin", "macos")])
def test_other_systems_are_told_by_their_name(
    name: str, system: str, tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dependencies.platform, "system", lambda: name)
    monkeypatch.setattr(dependencies.sys, "prefix", str(tmp_path))
    assert dependencies.this_system() == system


def test_conda_is_told_on_any_system(tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conda-meta").mkdir()
    monkeypatch.setattr(dependencies.platform, "system", lambda: "Windows")
    monkeypatch.setattr(dependencies.sys, "prefix", str(tmp_path))
    assert dependencies.this_system() == "conda"
