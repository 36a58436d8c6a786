"""The session runs by itself, one run at a time, keeps its state in the project, and survives what happens to it."""

from __future__ import annotations

import gc
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from qgis.core import QgsApplication, QgsFeature, QgsGeometry, QgsProject, QgsVectorLayer

from village_petition.core.document import as_json
from village_petition.ui import session as session_module
from village_petition.ui import state
from village_petition.ui.session import Session

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample"
LAKESHORE = ROOT.parent / "shared" / "data" / "lakeshore" / "clean"
REQUIRED = ("parcels", "towns", "territory")


@pytest.fixture()
def project() -> Iterator[QgsProject]:
    instance = QgsProject.instance()
    instance.clear()
    yield instance
    instance.clear()


@pytest.fixture()
def session(project: QgsProject) -> Iterator[Session]:
    made = Session(project)
    yield made
    made.close()
    made.deleteLater()
    QgsApplication.processEvents()
    gc.collect()


@pytest.fixture()
def heard(session: Session) -> list[str]:
    said: list[str] = []
    for name in ("inputsChanged", "runStarted", "runFinished", "runFailed", "cleared"):
        getattr(session, name).connect(lambda name=name: said.append(name))
    session.notice.connect(lambda level, text: said.append(f"{level}: {text}"))
    return said


def add(session: Session, role: str, folder: Path = SAMPLE, name: str = "") -> QgsVectorLayer:
    layer = QgsVectorLayer(str(folder / f"{role}.gpkg"), name or f"my {role}", "ogr")
    assert layer.isValid()
    session.project.addMapLayer(layer)
    session.set_layer(role, layer)
    return layer


def fill(session: Session, folder: Path = SAMPLE) -> None:
    for role in REQUIRED:
        add(session, role, folder)
    session.set_table("rates", str(folder / "rates.csv"))


def finish(session: Session, qtbot: Any, heard: list[str]) -> None:
    qtbot.waitUntil(lambda: "runFinished" in heard or "runFailed" in heard, timeout=60000)
    assert session.problems == ()
    assert session.analysis is not None


def test_an_empty_session_asks_for_the_first_thing(session: Session) -> None:
    assert session.waiting_for() == "Choose a parcel layer on the Layers page to begin."
    assert session.analysis is None
    assert session.document() is None
    assert session.rates() == []
    assert session.field_map() is None
    assert session.field_problem() == ""
    assert session.field_sample("swis") == ""
    assert session.row_count("parcels") is None
    assert session.next_signers("065800") == []
    assert session.signer_lines() == []
    assert session.voters_missing() is None
    assert session.edition() == "2004"
    assert session.editions() == ("2004", "2024")
    assert not session.stale
    assert not session.running


def test_it_asks_for_one_thing_after_the_other_and_then_runs_by_itself(
    session: Session, heard: list[str], qtbot: Any
) -> None:
    add(session, "parcels")
    assert session.waiting_for() == "Choose the towns layer on the Layers page."
    add(session, "towns")
    assert session.waiting_for() == "Choose the boundary layer on the Boundary page."
    add(session, "territory")
    rates = session.rates()
    assert len(rates) == 2
    assert [row["rate"] for row in rates] == ["", ""]
    first, second = (row["town"] for row in rates)
    assert session.waiting_for() == f"Rate of {first} is empty. Enter it as printed, e.g. 52.00."
    session.set_rate(0, "rate", "50.00")
    assert session.waiting_for() == f"Rate of {second} is empty. Enter it as printed, e.g. 52.00."
    assert not session.running
    session.set_rate(1, "rate", " 80.00 ")
    assert session.waiting_for() == ""
    assert session.running
    assert "runStarted" not in heard
    finish(session, qtbot, heard)
    assert heard.count("runStarted") == 1
    assert [part.rate.text for part in session.analysis.parts if part.rate] == ["50.00", "80.00"]
    assert not session.stale
    assert not session.running


def test_the_bytes_are_those_of_the_command_line(session: Session, heard: list[str], qtbot: Any) -> None:
    from village_petition.core.analysis import analyze
    from village_petition.core.inputs import load_inputs

    session.load_sample()
    finish(session, qtbot, heard)
    paths = {role: str(SAMPLE / f"{role}.gpkg") for role in (*REQUIRED, "cities_villages", "buildings")}
    tables = ("rates", "owners", "signers", "inhabitants", "overrides")
    paths.update({role: str(SAMPLE / f"{role}.csv") for role in tables})
    paths["unmapped"] = str(SAMPLE / "roll_without_polygon.csv")
    paths["petition"] = str(SAMPLE / "petition.json")
    expected = analyze(load_inputs(paths))
    assert as_json(session.analysis) == as_json(expected)
    assert session.document() == json.loads(as_json(expected))
    assert len(session.signer_lines()) == len(expected.signers)
    assert len(session.inhabitant_rows()) == session.table_count("inhabitants")
    failing = next(test for test in expected.tests if test.id.startswith("valuation.part.") and test.status == "fail")
    candidates = session.next_signers(failing.id.rpartition(".")[2])
    assert candidates
    assert [c.adds for c in candidates] == sorted((c.adds for c in candidates), reverse=True)


def test_changes_that_come_together_run_once(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    for text in ("10.00", "20.00", "30.00"):
        session.set_rate(0, "rate", text)
    finish(session, qtbot, heard)
    assert heard.count("runStarted") == 1
    assert session.analysis.parts[0].rate.text == "30.00"


def test_a_change_during_a_run_drops_it_and_runs_again(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    session.run_now()
    assert session.running
    session.set_rate(0, "rate", "33.00")
    qtbot.waitUntil(lambda: session.analysis is not None and not session.running, timeout=60000)
    assert heard.count("runFinished") == 1
    assert session.analysis.parts[0].rate.text == "33.00"
    assert not session.stale


def test_cancel_keeps_the_last_results(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    finish(session, qtbot, heard)
    before = session.analysis
    session.set_rate(0, "rate", "33.00")
    session.run_now()
    session.cancel()
    qtbot.wait(100)
    assert session.analysis is before
    assert session.stale
    assert not session.running


def test_a_refusal_keeps_the_last_results_and_says_why(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    finish(session, qtbot, heard)
    before = session.analysis
    town = session.rates()[0]["town"]
    session.set_rate(0, "rate", "52,0O")
    assert session.stale
    qtbot.waitUntil(lambda: "runFailed" in heard, timeout=60000)
    (problem,) = session.problems
    assert problem.startswith("Equalization rates row 1: “52,0O” is not a rate for ")
    assert town in problem
    assert session.analysis is before
    assert session.stale
    session.set_rate(0, "rate", "52.00")
    qtbot.waitUntil(lambda: heard.count("runFinished") == 2, timeout=60000)
    assert session.problems == ()
    assert not session.stale


def test_fields_are_detected_shown_and_overridden(session: Session, heard: list[str], qtbot: Any) -> None:
    layer = add(session, "parcels")
    found = session.field_map()
    assert found is not None
    assert found.get("total_av") == "TOTAL_AV"
    first = next(layer.getFeatures())
    assert session.field_sample("print_key") == first["PRINT_KEY"]
    assert session.field_sample("total_av") == f"{first['TOTAL_AV']:.0f}"
    assert session.row_count("parcels") == layer.featureCount()
    session.set_field("total_av", "LAND_AV")
    assert session.field_map().get("total_av") == "LAND_AV"
    session.set_field("total_av", "NOT_THERE")
    assert session.field_map() is None
    assert "NOT_THERE" in session.field_problem()
    assert session.waiting_for() == "Choose the towns layer on the Layers page."
    session.detect_again()
    assert session.field_map().get("total_av") == "TOTAL_AV"
    assert session.field_problem() == ""


def test_a_removed_layer_is_named_and_results_stay(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    finish(session, qtbot, heard)
    heard.clear()
    session.project.removeMapLayer(session.layer("parcels").id())
    assert session.layer("parcels") is None
    assert session.missing("parcels") == "my parcels"
    assert session.missing("towns") == ""
    assert session.analysis is not None
    assert session.stale
    qtbot.waitUntil(lambda: "inputsChanged" in heard, timeout=5000)
    assert session.waiting_for() == "Layer “my parcels” is missing. Choose another on the Layers page."
    add(session, "parcels")
    assert session.missing("parcels") == ""
    qtbot.waitUntil(lambda: "runFinished" in heard, timeout=60000)
    assert not session.stale


def test_what_a_combo_box_settles_on_during_a_removal_is_no_choice(session: Session, heard: list[str]) -> None:
    layer = add(session, "parcels")
    other = add(session, "towns")

    def settle(*_: Any) -> None:
        session.set_layer("parcels", other)

    session.project.layersWillBeRemoved.connect(settle)
    session.project.removeMapLayer(layer.id())
    session.project.layersWillBeRemoved.disconnect(settle)
    assert session.layer("parcels") is None
    assert session.missing("parcels") == "my parcels"
    session.set_layer("parcels", None)
    assert session.missing("parcels") == ""


def test_the_petition_is_called_after_its_boundary_and_its_own_name_wins(session: Session, tmp_path: Path) -> None:
    assert session.name() == "New petition"
    session.project.setTitle("Somebody's map")
    assert session.name() == "Somebody's map"
    layer = QgsVectorLayer("Polygon?crs=EPSG:2262&field=NAME:string", "boundary", "memory")
    feature = QgsFeature(layer.fields())
    feature.setAttributes([" Lakeshore "])
    layer.dataProvider().addFeatures([feature])
    session.project.addMapLayer(layer)
    session.set_layer("territory", layer)
    assert session.name() == "Lakeshore"
    session.set_petition({"name": "Juniper"})
    assert session.name() == "Juniper"


def test_an_edit_in_a_layer_runs_again_and_so_does_its_end(
    session: Session, heard: list[str], qtbot: Any, tmp_path: Path
) -> None:
    # Merely to begin an edit makes QGIS write into a GeoPackage.
    for name in ("parcels.gpkg", "towns.gpkg", "territory.gpkg", "rates.csv"):
        shutil.copy(SAMPLE / name, tmp_path / name)
    fill(session, tmp_path)
    finish(session, qtbot, heard)
    before = session.analysis.territory.square_miles
    layer = session.layer("territory")
    layer.startEditing()
    feature = next(layer.getFeatures())
    box = feature.geometry().boundingBox()
    box.scale(0.5)
    layer.changeGeometry(feature.id(), QgsGeometry.fromRect(box))
    assert session.stale
    qtbot.waitUntil(lambda: heard.count("runFinished") == 2, timeout=60000)
    assert session.analysis.territory.square_miles < before
    layer.rollBack()
    qtbot.waitUntil(lambda: heard.count("runFinished") == 3, timeout=60000)
    assert session.analysis.territory.square_miles == before


def test_results_become_layers_and_source_layers_are_left_alone(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    session.set_petition({"name": "Juniper"})
    finish(session, qtbot, heard)
    layers = session.results.layers()
    places = [parcel.place for parcel in session.analysis.parcels]
    assert layers["split"].featureCount() == places.count("split")
    assert layers["inside"].featureCount() == places.count("inside") + places.count("split")
    assert layers["slivers"].featureCount() == len(session.analysis.slivers)
    assert session.results.group().name() == "Petition: Juniper"
    inside = sum(feature["inside"] for feature in layers["inside"].getFeatures())
    assert inside == session.analysis.proof.value_inside
    boundary = next(layers["territory"].getFeatures()).geometry()
    assert all(
        f.geometry().intersection(boundary).area() == pytest.approx(f.geometry().area(), rel=1e-9)
        for f in layers["inside"].getFeatures()
    )
    assert "info: Save the project to keep these results." in heard


def test_the_state_comes_back_with_the_project_and_does_not_dirty_it(
    session: Session, heard: list[str], qtbot: Any, tmp_path: Path
) -> None:
    fill(session)
    session.set_table("signers", str(SAMPLE / "signers.csv"))
    session.set_edition("2024")
    session.set_field("land_av", "LAND_AV")
    session.set_petition({"name": "Juniper", "bases": ["voters"]})
    finish(session, qtbot, heard)
    path = tmp_path / "case.qgz"
    assert session.project.write(str(path))
    before = as_json(session.analysis)
    text, found = session.project.readEntry("VillagePetition", "petition", "")
    assert found
    held = json.loads(text)
    assert held["schema_version"] == 1
    assert not Path(held["tables"]["signers"]).is_absolute()
    session.project.clear()
    assert session.layer("parcels") is None
    assert session.analysis is None
    assert session.petition() == {}
    heard.clear()
    assert session.project.read(str(path))
    assert session.layer("parcels").name() == "my parcels"
    assert session.table_path("signers") == str(SAMPLE / "signers.csv")
    assert session.table_count("signers") == len((SAMPLE / "signers.csv").read_text("utf-8").splitlines()) - 1
    assert session.edition() == "2024"
    assert session.petition() == {"name": "Juniper", "bases": ["voters"]}
    assert not session.project.isDirty()
    finish(session, qtbot, heard)
    assert as_json(session.analysis) == before
    assert not session.project.isDirty()
    assert len(session.results.layers()) == 6


def test_a_layer_that_is_gone_when_the_project_opens_is_named(
    session: Session, heard: list[str], qtbot: Any, tmp_path: Path
) -> None:
    fill(session)
    path = tmp_path / "case.qgz"
    assert session.project.write(str(path))
    session.project.removeMapLayer(session.layer("towns").id())
    assert session.project.write(str(path))
    session.project.clear()
    assert session.project.read(str(path))
    assert session.missing("towns") == "my towns"
    assert session.layer("parcels") is not None


def test_a_state_of_a_later_version_is_left_alone_and_said(session: Session, heard: list[str], tmp_path: Path) -> None:
    path = tmp_path / "later.qgz"
    later = QgsProject()
    later.writeEntry("VillagePetition", "petition", '{"schema_version": 99}')
    assert later.write(str(path))
    assert session.project.read(str(path))
    assert "error: A later version of Village Petition saved this project's petition. Update the plugin." in heard
    assert session.waiting_for() == "Choose a parcel layer on the Layers page to begin."
    assert session.project.write()
    assert session.project.readEntry("VillagePetition", "petition", "")[0] == '{"schema_version": 99}'
    session.set_edition("2024")
    assert session.project.write()
    assert json.loads(session.project.readEntry("VillagePetition", "petition", "")[0])["edition"] == "2024"


@pytest.mark.parametrize("text", ["{", "[]", '{"schema_version": 1}', '{"schema_version": 1, "layers": []}'])
def test_a_state_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(state.StateError, match="cannot be read"):
        state.from_json(text, None)


def test_a_state_goes_to_text_and_back(tmp_path: Path) -> None:
    held = state.State(
        layers={"parcels": {"id": "x1", "name": "Parzellen “ä”"}},
        tables={"owners": str(tmp_path / "a" / "owners.csv")},
        rates=[{"swis": "065800", "town": "Pomfret", "rate": "14.50"}],
        edition="2024",
        fields={"total_av": "AV"},
        petition={"name": "Lakeshore"},
    )
    text = state.to_json(held, tmp_path)
    assert '"a/owners.csv"' in text
    assert state.from_json(text, tmp_path) == held
    moved = state.from_json(text, tmp_path / "b")
    assert moved.tables["owners"] == str(tmp_path / "b" / "a" / "owners.csv")


def test_layers_are_taken_by_their_names_into_empty_roles_only(session: Session, heard: list[str], qtbot: Any) -> None:
    mine = add(session, "towns", name="my towns")
    session.project.addMapLayers(
        [
            QgsVectorLayer(str(SAMPLE / "parcels.gpkg"), "Parcels", "ogr"),
            QgsVectorLayer(str(SAMPLE / "towns.gpkg"), "Towns", "ogr"),
            QgsVectorLayer(str(SAMPLE / "streets.gpkg"), "territory", "ogr"),
            QgsVectorLayer(str(SAMPLE / "cities_villages.gpkg"), "cities_villages", "ogr"),
        ]
    )
    qtbot.waitUntil(lambda: session.layer("parcels") is not None, timeout=5000)
    assert session.layer("parcels").name() == "Parcels"
    assert session.layer("cities_villages").name() == "cities_villages"
    assert session.layer("towns") is mine
    assert session.layer("territory") is None
    assert "info: Taken by name: Parcels, cities_villages. The Layers page can change that." in heard
    session.set_layer("parcels", None)
    session.project.addMapLayer(QgsVectorLayer(str(SAMPLE / "waters.gpkg"), "Waters", "ogr"))
    qtbot.waitUntil(lambda: session.layer("waters") is not None, timeout=5000)
    assert session.layer("parcels") is None


def test_asleep_it_takes_nothing_and_runs_nothing_until_somebody_looks(
    session: Session, heard: list[str], qtbot: Any
) -> None:
    session.wake(False)
    fill(session)
    session.project.addMapLayer(QgsVectorLayer(str(SAMPLE / "buildings.gpkg"), "Buildings", "ogr"))
    qtbot.wait(400)
    assert "runStarted" not in heard
    assert session.layer("buildings") is None
    session.wake(True)
    finish(session, qtbot, heard)
    assert session.layer("buildings") is not None
    session.wake(False)
    session.wake(True)
    assert not session.running


def test_clear_forgets_the_petition_but_no_layer(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    finish(session, qtbot, heard)
    count = len(session.project.mapLayers())
    session.clear()
    assert session.analysis is None
    assert session.layer("parcels") is None
    assert "cleared" in heard
    assert len(session.project.mapLayers()) == count
    qtbot.wait(50)
    assert session.project.readEntry("VillagePetition", "petition", "")[0] == ""


def test_closing_the_project_during_a_run_is_safe(session: Session, heard: list[str], qtbot: Any) -> None:
    fill(session)
    session.run_now()
    assert session.running
    session.project.clear()
    assert not session.running
    assert session.layer("parcels") is None
    qtbot.wait(300)
    assert "runFinished" not in heard
    assert session.analysis is None


def test_a_closed_session_hears_nothing(project: QgsProject, qtbot: Any) -> None:
    signals = ("readProject", "writeProject", "layersWillBeRemoved", "layersAdded", "cleared")
    before = [project.receivers(getattr(project, name)) for name in signals]
    made = Session(project)
    layer = add(made, "parcels")
    during = [project.receivers(getattr(project, name)) for name in signals]
    assert [after - then for after, then in zip(during, before)] == [1, 1, 1, 1, 1]
    watched = layer.receivers(layer.crsChanged)
    made.close()
    assert [project.receivers(getattr(project, name)) for name in signals] == before
    assert layer.receivers(layer.crsChanged) == watched - 1
    made.deleteLater()


def test_a_table_that_cannot_be_read_is_said_and_not_taken(session: Session, heard: list[str], tmp_path: Path) -> None:
    (tmp_path / "rates.csv").write_text("swis,town,rate\n065800,Pomfret,0\n", encoding="utf-8")
    session.set_table("rates", str(tmp_path / "rates.csv"))
    assert session.table_path("rates") == ""
    assert [text for text in heard if text.startswith("error: rates.csv row 2")]
    session.set_table("owners", str(tmp_path / "owners.csv"))
    assert session.table_path("owners") == str(tmp_path / "owners.csv")
    assert session.table_count("owners") is None


def test_rates_of_a_table_are_shown_by_town_and_keep_their_other_rows(session: Session, tmp_path: Path) -> None:
    add(session, "towns")
    add(session, "territory")
    towns = session.rates()
    rows = "\n".join(
        [
            "SWIS,Town,Rate,Roll_Year,Final_Roll_Filed,Kind",
            f"{towns[1]['swis']},x,12.34,2022,2022-07-01,state",
            "019900,Elsewhere,50.00,2022,2022-07-01,state",
        ]
    )
    (tmp_path / "rates.csv").write_text(rows + "\n", encoding="utf-8")
    session.set_table("rates", str(tmp_path / "rates.csv"))
    assert [row["rate"] for row in session.rates()] == ["", "12.34"]
    assert session.rates()[1]["final_roll_filed"] == "2022-07-01"
    job = session.job() if session.layer("parcels") else None
    assert job is None
    add(session, "parcels")
    table = session.job().tables["rates"]
    assert [row[0] for row in table.rows] == [towns[1]["swis"], "019900"]


def test_one_town_needs_no_rate(session: Session, heard: list[str], qtbot: Any) -> None:
    add(session, "parcels")
    add(session, "towns")
    towns = session.layer("towns")
    town = next(towns.getFeatures())
    layer = QgsVectorLayer(f"Polygon?crs={towns.crs().authid()}", "inner", "memory")
    box = QgsGeometry.fromWkt(town.geometry().pointOnSurface().asWkt()).boundingBox()
    box.grow(800)
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromRect(box).intersection(town.geometry().buffer(-50, 4)))
    layer.dataProvider().addFeatures([feature])
    session.project.addMapLayer(layer)
    session.set_layer("territory", layer)
    assert len(session.rates()) == 1
    assert session.waiting_for() == ""


def test_the_sample_is_complete() -> None:
    from village_petition.ui import sample

    for role in sample.LAYERS:
        assert (session_module.SAMPLE / f"{role}.gpkg").is_file()
    for name in sample.TABLES.values():
        assert (session_module.SAMPLE / name).is_file()
