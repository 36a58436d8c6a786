"""The sample in the window: always a copy, never the shipped files, and the project that ships gives the same."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from qgis.core import QgsApplication, QgsGeometry, QgsProject, QgsVectorLayer

from village_petition.core.document import as_json
from village_petition.ui import sample
from village_petition.ui.session import Session

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
ALL = {f"{role}.gpkg" for role in sample.LAYERS} | set(sample.TABLES.values())


@pytest.fixture()
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "profile"
    monkeypatch.setattr(QgsApplication, "qgisSettingsDirPath", staticmethod(lambda: f"{folder}/"))
    return folder


@pytest.fixture()
def session(profile: Path) -> Iterator[Session]:
    project = QgsProject.instance()
    project.clear()
    made = Session(project)
    yield made
    made.close()
    made.deleteLater()
    project.clear()
    QgsApplication.processEvents()
    gc.collect()


def finish(session: Session, qtbot: Any) -> str:
    qtbot.waitUntil(lambda: session.analysis is not None or bool(session.problems), timeout=60000)
    assert session.problems == ()
    return str(as_json(session.analysis))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_sample_is_opened_as_a_copy_and_shipped_files_stay(session: Session, profile: Path, qtbot: Any) -> None:
    before = files(SAMPLE)
    session.load_sample()
    finish(session, qtbot)
    copy = profile / "village_petition" / "sample"
    assert {path.name for path in copy.iterdir() if path.suffix in (".gpkg", ".csv", ".json")} == ALL
    for role in sample.LAYERS:
        assert Path(session.layer(role).source().partition("|")[0]) == copy / f"{role}.gpkg"
    assert {session.table_path(role) for role in sample.TABLES} == {str(copy / name) for name in sample.TABLES.values()}
    assert files(SAMPLE) == before


def test_the_project_that_ships_runs_by_itself_and_gives_the_same(session: Session, tmp_path: Path, qtbot: Any) -> None:
    session.load_sample()
    loaded = finish(session, qtbot)
    session.project.clear()
    assert session.analysis is None
    folder = tmp_path / "opened elsewhere"
    shutil.copytree(SAMPLE, folder)
    assert session.project.read(str(folder / "sample.qgz"))
    assert session.waiting_for() == ""
    assert {role for role in sample.LAYERS if session.layer(role) is not None} == set(sample.LAYERS)
    assert {session.table_path(role) for role in sample.TABLES} == {str(folder / n) for n in sample.TABLES.values()}
    assert session.name() == "Juniper"
    assert finish(session, qtbot) == loaded
    assert not session.project.isDirty()


def test_layers_of_the_sample_look_as_in_the_project(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "case")
    project = QgsProject()
    assert project.read(str(tmp_path / "case" / "sample.qgz"))
    for role in sample.LAYERS:
        own, stored = sample.styled_layer(role, tmp_path / "case"), project.mapLayer(f"sample_{role}")
        assert stored.name() == own.name()
        assert stored.renderer().symbol().color() == own.renderer().symbol().color()
        assert stored.renderer().symbol().dump() == own.renderer().symbol().dump()
        assert stored.labelsEnabled() == own.labelsEnabled() == bool(sample.LAYERS[role].label)


def test_a_copy_that_was_only_opened_serves_again(tmp_path: Path) -> None:
    first = sample.own_copy(SAMPLE, tmp_path)
    layer = QgsVectorLayer(str(first / "territory.gpkg"), "territory", "ogr")
    layer.startEditing()  # makes QGIS write into the file
    layer.rollBack()
    del layer
    assert sample.own_copy(SAMPLE, tmp_path) == first == tmp_path / "sample"
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


def _move_boundary(folder: Path) -> None:
    layer = QgsVectorLayer(str(folder / "territory.gpkg"), "territory", "ogr")
    layer.startEditing()
    feature = next(layer.getFeatures())
    layer.changeGeometry(feature.id(), QgsGeometry.fromRect(feature.geometry().boundingBox()))
    assert layer.commitChanges()


def _break(folder: Path) -> None:
    (folder / "towns.gpkg").write_bytes(b"no map at all" * 50)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_move_boundary, id="boundary moved"),
        pytest.param(_break, id="layer broken"),
        pytest.param(lambda folder: (folder / "rates.csv").write_text("swis,rate\n", encoding="utf-8"), id="table"),
        pytest.param(lambda folder: (folder / "owners.csv").unlink(), id="table removed"),
    ],
)
def test_a_copy_that_was_changed_stays_and_another_is_made(change: Any, tmp_path: Path) -> None:
    first = sample.own_copy(SAMPLE, tmp_path)
    change(first)
    kept = files(first)
    second = sample.own_copy(SAMPLE, tmp_path)
    assert second == tmp_path / "sample 2"
    assert {path.name for path in second.iterdir()} == ALL
    assert {name: data for name, data in files(first).items() if name in ALL} == {
        name: data for name, data in kept.items() if name in ALL
    }
    assert sample.own_copy(SAMPLE, tmp_path) == second


def test_a_read_only_plugin_gives_a_copy_that_can_be_written(tmp_path: Path) -> None:
    shipped = tmp_path / "shipped"
    shutil.copytree(SAMPLE, shipped)
    for path in shipped.iterdir():
        path.chmod(0o444)
    shipped.chmod(0o555)
    copy = sample.own_copy(shipped, tmp_path / "home")
    assert copy.stat().st_mode & 0o200
    assert all(path.stat().st_mode & 0o200 for path in copy.iterdir())
    shipped.chmod(0o755)


def test_where_no_copy_can_be_made_it_says_so_and_opens_nothing(session: Session, profile: Path) -> None:
    profile.write_text("in the way", encoding="utf-8")
    said: list[tuple[str, str]] = []
    session.notice.connect(lambda level, text: said.append((level, text)))
    session.load_sample()
    ((level, text),) = said
    assert level == "error"
    assert text.startswith(f"The sample cannot be copied to {profile / 'village_petition'}: ")
    assert text.endswith(". Make room or allow writing there.")
    assert session.project.mapLayers() == {}
