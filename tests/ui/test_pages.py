"""The six pages: what they show, what they change, and what they leave alone."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsFeature, QgsGeometry, QgsProject, QgsRectangle, QgsVectorLayer
from qgis.PyQt.QtCore import QDate, QLocale, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication

from village_petition.core.model import FieldMap, Finding, Inhabitant
from village_petition.ui import writers
from village_petition.ui.pages.boundary import BoundaryPage
from village_petition.ui.pages.layers import LayersPage
from village_petition.ui.pages.owners import OwnersPage
from village_petition.ui.pages.packet import PacketPage, subdivision
from village_petition.ui.pages.parcels import ParcelsPage
from village_petition.ui.pages.voters import VotersPage


def _load_fakes() -> Any:
    if "ui_fakes" not in sys.modules:
        spec = importlib.util.spec_from_file_location("ui_fakes", Path(__file__).with_name("fakes.py"))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["ui_fakes"] = module
        spec.loader.exec_module(module)
    return sys.modules["ui_fakes"]


fakes = _load_fakes()


@pytest.fixture(autouse=True)
def _english(qgis_app: Any) -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.fixture()
def make(qgis_app: Any) -> Iterator[Any]:
    """`make(kind, analysis=…, **session attributes)` gives a page that is shown."""
    made = []

    def page(kind: Any, analysis: Any = None, **state: Any) -> Any:
        iface, session = fakes.FakeIface(), fakes.FakeSession(analysis)
        for name, value in state.items():
            setattr(session, name, value)
        held = kind(session, iface)
        held.resize(388, 500)
        held.show()
        made.append(held)
        return held

    yield page
    for held in made:
        held.tear_down()
        held.close()
        held.iface.window.deleteLater()
        held.deleteLater()
    QgsProject.instance().clear()


def texts(table: Any) -> list[list[str]]:
    model = table.rows
    return [
        [model.data(model.index(row, column)) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


# Layers


def parcels_layer() -> QgsVectorLayer:
    fields = "field=SWIS:string&field=PRINT_KEY:string&field=AV:integer"
    layer = QgsVectorLayer(f"Polygon?crs=EPSG:2262&{fields}", "Lots", "memory")
    QgsProject.instance().addMapLayer(layer)
    return layer


FIELDS = FieldMap("NYS public", {"swis": "SWIS", "print_key": "PRINT_KEY", "total_av": "AV"})


def test_layers_fields_and_counts(make: Any) -> None:
    layer = parcels_layer()
    samples = {"swis": "066800", "print_key": "125.00-3-5", "total_av": "208000"}
    page = make(LayersPage, layers={"parcels": layer}, counts={"parcels": 2478}, fields=FIELDS, samples=samples)
    first = page.layer_rows[0]
    assert (first.combo.currentLayer(), first.count.text(), first.mark.status) == (layer, "2,478", "pass")
    assert page.layer_rows[1].count.text() == "none"
    combo, mark, sample = page.field_rows["print_key"]
    assert (combo.currentField(), mark.status, sample.words()) == ("PRINT_KEY", "pass", "125.00-3-5")
    assert page.field_rows["total_av"][2].words() == "208,000"
    assert page.field_rows["land_av"][1].status == "note"
    assert page.detected.text() == "3 of 7 found. Schema: NYS public."
    assert not page.first.isVisible() and page.session.calls == []


def test_choosing_layers_and_fields_reaches_the_session(make: Any) -> None:
    layer = parcels_layer()
    page = make(LayersPage, layers={"parcels": layer}, fields=FIELDS)
    page.layer_rows[1].combo.setLayer(layer)
    page.field_rows["land_av"][0].setField("AV")
    QTest.mouseClick(page.detect, Qt.MouseButton.LeftButton)
    assert page.session.calls == [("set_layer", "towns", layer), ("set_field", "land_av", "AV"), ("detect_again",)]


def test_a_layer_without_crs_says_so_under_its_row(make: Any) -> None:
    layer = parcels_layer()
    layer.setCrs(QgsCoordinateReferenceSystem())
    page = make(LayersPage, layers={"parcels": layer}, counts={"parcels": 3})
    assert page.layer_rows[0].problem.isVisible()
    assert page.layer_rows[0].problem.text() == (
        "Parcels: layer has no coordinate system. Set it in Layer Properties ▸ Source."
    )


def test_a_removed_layer_leaves_its_name(make: Any) -> None:
    page = make(LayersPage, fakes.an_analysis(), gone={"parcels": "Lots"})
    assert page.layer_rows[0].problem.text() == "Lots: Layer missing"
    assert page.layer_rows[0].mark.status == "fail"
    assert not page.first.isVisible()


def test_a_long_value_is_cut_and_its_tooltip_has_it(make: Any) -> None:
    samples = {"primary_owner": "WOCLOALL DORIAN AND OTHERS AS TRUSTEES OF A FAMILY TRUST"}
    fields = FieldMap("NYS public", {"primary_owner": "OWNER"})
    page = make(LayersPage, layers={"parcels": parcels_layer()}, fields=fields, samples=samples)
    sample = page.field_rows["primary_owner"][2]
    assert sample.text().endswith("…") and sample.text().startswith("WOCL")
    assert sample.toolTip() == sample.words() == samples["primary_owner"]


def test_a_swis_that_lost_its_zero(make: Any) -> None:
    page = make(LayersPage, layers={"parcels": parcels_layer()}, fields=FIELDS, samples={"swis": "66800"})
    assert page.field_problem.text() == "SWIS is a number, 66800 lost its zero; 066800 is used."


def a_rate(town: str, rate: str) -> dict[str, str]:
    rest = {"roll_year": "2022", "final_roll_filed": "2022-07-01", "kind": "state"}
    return {"swis": "0", "town": town, "rate": rate, **rest}


def test_rates_are_text_and_faults_stand_under_them(make: Any) -> None:
    page = make(LayersPage, rate_rows=[a_rate("Pomfret", "14.50"), a_rate("Dunkirk", "52,0O"), a_rate("Ripley", "")])
    assert texts(page.rates.table)[0] == ["Pomfret", "14.50", "2022", "2022-07-01", "State"]
    assert page.rates.problem.text().splitlines() == [
        "“52,0O” is not a rate for Dunkirk. Use digits and a point, e.g. 52.00.",
        "Rate of Ripley is empty. Enter it as printed, e.g. 52.00.",
    ]
    page.session.inputsChanged.connect(page.invalidate)
    model = page.rates.table.rows
    assert model.setData(model.index(1, 1), "52.00") and model.setData(model.index(2, 1), "100")
    assert page.session.calls == [("set_rate", 1, "rate", "52.00"), ("set_rate", 2, "rate", "100")]
    assert not page.rates.problem.isVisible()


def test_tables_show_their_rows(make: Any) -> None:
    paths = {"owners": "/case/owners.csv", "signers": "/case/gone.csv"}
    page = make(LayersPage, paths=paths, counts={"owners": 3312})
    rows = page.tables.rows
    owners, signers = rows["owners"], rows["signers"]
    assert (owners.file.filePath(), owners.mark.status, owners.number.text()) == ("owners.csv", "pass", "3,312")
    assert owners.file.toolTip() == (
        "Every owner of every parcel; without it the roll's owners are taken.\n/case/owners.csv"
    )
    assert (signers.file.filePath(), signers.mark.status, signers.number.text()) == ("gone.csv", "fail", "")
    assert rows["rates"].mark.status == "note"


def test_a_table_is_named_from_the_folder_of_the_others(make: Any) -> None:
    page = make(LayersPage, paths={"owners": "/case/owners.csv"})
    rows = page.tables.rows
    rows["rates"].file.setFilePath("rates.csv")
    rows["signers"].file.setFilePath("/elsewhere/signers.csv")
    rows["owners"].file.setFilePath("../owners 2.csv")
    rows["owners"].file.setFilePath("")
    assert page.session.calls == [
        ("set_table", "rates", "/case/rates.csv"),
        ("set_table", "signers", "/elsewhere/signers.csv"),
        ("set_table", "owners", "/owners 2.csv"),
        ("set_table", "owners", ""),
    ]


def test_the_first_steps(make: Any) -> None:
    page = make(LayersPage)
    fired = []
    page.iface.action.triggered.connect(lambda: fired.append(True))
    QTest.mouseClick(page.add_parcels, Qt.MouseButton.LeftButton)
    QTest.mouseClick(page.sample, Qt.MouseButton.LeftButton)
    assert fired == [True] and page.session.calls == [("load_sample",)]


# Boundary


def test_the_facts_of_the_boundary(make: Any) -> None:
    page = make(BoundaryPage, fakes.an_analysis(), layers={"territory": parcels_layer()}, counts={"territory": 1})
    facts = {name: (icon.status, label.text()) for name, (icon, label) in page.facts.items()}
    assert facts == {
        "polygon": ("pass", "valid, 1 part, no holes"),
        "area": ("pass", "3.389 mi² (geodesic, GRS80)"),
        "perimeter": ("pass", "42,021 ft, 1,179 corners"),
        "closure": ("pass", "polygon, closes exactly"),
        "city_village": ("pass", "Touches the City of Eastwick, no overlap."),
        "ground": ("pass", "Not more than 5 square miles."),
        "crs": ("note", "EPSG:2262"),
    }
    assert not page.empty.isVisible()


# Parcels


def test_the_split_parcels_and_their_sum(make: Any) -> None:
    page = make(ParcelsPage, fakes.an_analysis())
    assert page.kind.currentText() == "Split (2)"
    assert texts(page.table) == [
        ["Westby 1.00-1-2", "0.250", "100,000", "62,500", "L + B"],
        ["Eastwick 2.00-1-3", "0.500", "90,000", "45,000", "Area"],
    ]
    assert page.sum.text() == "2 split: $107,500 inside + $82,500 outside = $190,000"


def test_every_filter_has_its_number(make: Any) -> None:
    page = make(ParcelsPage, fakes.an_analysis())
    assert [page.kind.itemText(number) for number in range(5)] == [
        "Split (2)",
        "Inside (3)",
        "Set Aside (0)",
        "By Hand (1)",
        "All Inside (6)",
    ]
    page.kind.setCurrentIndex(3)
    assert texts(page.table) == [["Eastwick SF-1", "–", "84,000", "60,000", "Stated"]]
    page.kind.setCurrentIndex(2)
    assert page.empty.text() == "No parcel is like that. Choose All Inside, or empty search and funnel."
    page.kind.setCurrentIndex(4)
    page.text.setText("mills corp")
    assert [row[0] for row in texts(page.table)] == ["Eastwick 2.00-1-2"]


def test_the_funnel_leaves_parcels_with_errors_or_warnings(make: Any) -> None:
    findings = (
        Finding("V-24", "error", "Cut.", fakes.EAST, "2.00-1-3"),
        Finding("V-40", "info", "Same.", fakes.WEST, "1.00-1-2"),
    )
    page = make(ParcelsPage, fakes.an_analysis(findings=findings))
    QTest.mouseClick(page.funnel, Qt.MouseButton.LeftButton)
    assert [row[0] for row in texts(page.table)] == ["Eastwick 2.00-1-3"]
    assert page.show_parcel((fakes.WEST, "1.00-1-2")) and not page.funnel.isChecked()
    assert page.table.current().print_key == "1.00-1-2"


def test_no_parcel_is_cut(make: Any) -> None:
    whole = tuple(parcel for parcel in fakes.PARCELS if parcel.place != "split")
    page = make(ParcelsPage, fakes.an_analysis(parcels=whole))
    assert page.empty.text() == "No parcel is cut by the line."


def test_the_detail_adds_up_and_says_why(make: Any) -> None:
    page = make(ParcelsPage, fakes.an_analysis())
    page.table.choose(lambda parcel: parcel.print_key == "1.00-1-2")
    amounts = {name: (whole.text(), inside.text()) for name, (whole, inside) in page.detail.amounts.items()}
    assert page.detail.title() == "1.00-1-2, 2 Main Rd"
    assert amounts == {
        "share": ("1", "0.250000"),
        "land": ("50,000", "12,500"),
        "improvement": ("50,000", "50,000"),
        "total": ("100,000", "62,500"),
    }
    assert page.detail.why.text() == "Building wholly inside: improvement follows it."


def test_the_drawing_has_the_buildings_on_top(make: Any) -> None:
    buildings = parcels_layer()
    page = make(ParcelsPage, fakes.an_analysis(), layers={"buildings": buildings})
    page.table.choose(lambda parcel: parcel.print_key == "1.00-1-2")
    assert page.detail.preview.layers()[0] == buildings


def test_enter_zooms_to_the_parcel(make: Any) -> None:
    page = make(ParcelsPage, fakes.an_analysis())
    page.table.choose(lambda parcel: parcel.print_key == "2.00-1-3")
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert page.iface.canvas.extent().contains(QgsRectangle(90, 0, 110, 60))
    assert page.outline.shown()


def test_rows_are_copied_as_text(make: Any) -> None:
    page = make(ParcelsPage, fakes.an_analysis())
    page.table.selectAll()
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == (
        "Parcel\tShare\tValue $\tInside $\tBy\n"
        "Westby 1.00-1-2\t0.250\t100,000\t62,500\tL + B\n"
        "Eastwick 2.00-1-3\t0.500\t90,000\t45,000\tArea\n"
    )


def result_layer(role: str, keys: list[tuple[str, str]]) -> QgsVectorLayer:
    layer = QgsVectorLayer("Polygon?crs=EPSG:2262&field=swis:string&field=print_key:string", role, "memory")
    layer.setCustomProperty(writers.ROLE, role)
    features = []
    for key in keys:
        feature = QgsFeature(layer.fields())
        feature.setAttributes(list(key))
        feature.setGeometry(QgsGeometry.fromWkt(fakes.SHAPES[key].wkt))
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    QgsProject.instance().addMapLayer(layer)
    return layer


def test_row_and_map_choose_each_other(make: Any) -> None:
    split = result_layer("split", [(fakes.WEST, "1.00-1-2"), (fakes.EAST, "2.00-1-3")])
    inside = result_layer("inside", [(fakes.EAST, "2.00-1-1")])
    page = make(ParcelsPage, fakes.an_analysis())
    page.table.choose(lambda parcel: parcel.print_key == "2.00-1-3")
    assert [feature["print_key"] for feature in split.selectedFeatures()] == ["2.00-1-3"]
    split.selectByIds([feature.id() for feature in split.getFeatures() if feature["print_key"] == "1.00-1-2"])
    assert page.table.current().print_key == "1.00-1-2"
    inside.selectAll()
    assert page.table.current().print_key == "2.00-1-1" and page.kind.currentData() == "inside"
    assert split.selectedFeatureCount() == 0


def test_removing_a_result_layer_does_no_harm(make: Any) -> None:
    split = result_layer("split", [(fakes.WEST, "1.00-1-2")])
    page = make(ParcelsPage, fakes.an_analysis())
    QgsProject.instance().removeMapLayer(split)
    page.table.choose(lambda parcel: parcel.print_key == "1.00-1-2")
    page.invalidate()
    assert page.table.current().print_key == "1.00-1-2"


def test_heads_sort_and_turn(make: Any) -> None:
    page = make(ParcelsPage, fakes.an_analysis())
    page.kind.setCurrentIndex(4)
    assert [row[3] for row in texts(page.table)] == ["300,000", "250,000", "200,000", "62,500", "60,000", "45,000"]
    page.table.horizontalHeader().sectionClicked.emit(1)
    assert [row[1] for row in texts(page.table)] == ["–", "0.250", "0.500", "1.000", "1.000", "1.000"]
    page.table.horizontalHeader().sectionClicked.emit(1)
    assert texts(page.table)[-1][1] == "–"


# Owners


def test_who_to_sign_next_worst_part_first(make: Any) -> None:
    page = make(OwnersPage, fakes.an_analysis())
    assert [page.part.itemText(number) for number in range(page.part.count())] == [
        "Eastwick part, $27,501 missing",
        "Westby part, 88.10 %",
    ]
    assert texts(page.next_table) == [
        ["EASTWICK MILLS CORP", "1", "250,000", "83.97 %"],
        ["LAKE POWER CO", "1", "60,000", "54.96 %"],
        ["FAY NOE", "1", "45,000", "52.67 %"],
    ]
    assert page.next_words.text() == "Fewest further signatures: 1. Any owners adding $27,501 or more are enough."
    page.part.setCurrentIndex(1)
    assert page.next_words.text() == "This part has enough: no further signature is needed."


def test_a_part_without_an_owners_test_does_not_have_enough(make: Any) -> None:
    analysis = fakes.an_analysis()
    reason = "Edition 2024 has no owners' basis."
    tests = tuple(
        replace(test, status="not_applicable", reason=reason) if test.id.startswith("valuation") else test
        for test in analysis.tests
    )
    page = make(OwnersPage, replace(analysis, edition="2024", tests=tests))
    assert page.next_words.text() == reason


def test_an_owner_of_a_half_is_marked_and_shown_on_the_map(make: Any) -> None:
    page = make(OwnersPage, fakes.an_analysis())
    page.part.setCurrentIndex(1)
    row = page.next_table.rows.rows()[0]
    assert texts(page.next_table) == [["CARL POE ½", "1", "31,250", "100.00 %"]]
    assert page.next_table.rows.column(0).tip(row) == "CARL POE\n018800 1.00-1-2, 2 owners"
    assert not page.show_button.isEnabled()
    page.next_table.choose(lambda _: True)
    QTest.mouseClick(page.show_button, Qt.MouseButton.LeftButton)
    assert page.iface.canvas.extent().contains(QgsRectangle(40, -45, 50, 15)) and page.outline.shown()


def test_every_signature_line_is_listed(make: Any) -> None:
    page = make(OwnersPage, fakes.an_analysis())
    assert texts(page.signers) == [
        ["1/1", "ANN DOE", "Credited", "200,000.00"],
        ["1/2", "BEN ROE", "Credited", "31,250.00"],
        ["1/3", "DORA LOE", "Credited", "300,000.00"],
        ["1/4", "ANN DOE", "Duplicate", "0.00"],
        ["2/1", "NOBODY ATALL", "Not owner", "0.00"],
        ["2/2", "GLEG MOE", "No address", "0.00"],
        ["2/3", "FAY NOE", "Withdrawn", "0.00"],
    ]
    assert [page.status.itemText(number) for number in range(page.status.count())] == [
        "All (7)",
        "Credited (3)",
        "Duplicate (1)",
        "No address (1)",
        "Not owner (1)",
        "Withdrawn (1)",
    ]
    page.status.setCurrentIndex(2)
    assert [row[0] for row in texts(page.signers)] == ["1/4"]
    page.status.setCurrentIndex(0)
    page.text.setText("2/2")
    assert [row[1] for row in texts(page.signers)] == ["GLEG MOE"]


def test_tooltips_of_signers(make: Any) -> None:
    page = make(OwnersPage, fakes.an_analysis())
    model, tip = page.signers.rows, Qt.ItemDataRole.ToolTipRole
    assert model.data(model.index(1, 3), tip) == "31250/1\n018800 1.00-1-2, 2 owners"
    assert model.data(model.index(3, 2), tip) == "Counted once, on page 1 line 1."
    assert model.data(model.index(6, 2), tip) == "Struck: withdrawn"


# Voters


def person(name: str, qualified: Any, signed: bool = False, adult: Any = True) -> Inhabitant:
    return Inhabitant(name, "1 Main Rd", "Westby", fakes.WEST, "1.00-1-1", adult, qualified, signed)


def test_the_numbers_of_the_voters(make: Any) -> None:
    persons = [person("ANN", True, True), person("BOB", None), person("CAT", False, adult=False), person("ann ", True)]
    page = make(VotersPage, fakes.an_analysis(), persons=persons)
    numbers = {name: (icon.status, number.text(), note.text()) for name, (icon, number, note) in page.figures.items()}
    assert numbers == {
        "inhabitants": ("pass", "2,735", "500 needed"),
        "adults": ("note", "1,891", ""),
        "qualified": ("note", "1,773", ""),
        "undecided": ("undecided", "29", "21.64 to 22.00 %"),
        "signed": ("pass", "390", "355 to 361 needed"),
    }
    assert page.kind.itemText(1) == "Undecided (1)"
    page.kind.setCurrentIndex(1)
    assert texts(page.table) == [["BOB", "1 Main Rd", "Undecided", "no"]]


# Packet


def test_an_edition_without_a_basis_disables_its_check(make: Any) -> None:
    page = make(PacketPage, fakes.an_analysis())
    page.session.inputsChanged.connect(page.invalidate)
    assert page.bases["valuation"].isChecked() and page.bases["valuation"].isEnabled()
    assert page.edition.currentText() == "2004: text of § 2-202 until 2023"
    page.edition.setCurrentIndex(1)
    assert page.session.calls == [("set_edition", "2024")]
    assert not page.bases["valuation"].isEnabled() and not page.bases["valuation"].isChecked()
    assert page.basis_words.text() == "The 2024 edition has no owners' basis."


def test_bases_are_written_and_one_always_stays(make: Any) -> None:
    page = make(PacketPage, fakes.an_analysis(), facts={"name": "Lakeshore"})
    page.session.inputsChanged.connect(page.invalidate)
    QTest.mouseClick(page.bases["voters"], Qt.MouseButton.LeftButton)
    assert page.session.facts == {"name": "Lakeshore", "bases": ["valuation", "voters"]}
    QTest.mouseClick(page.bases["valuation"], Qt.MouseButton.LeftButton)
    assert page.session.facts["bases"] == ["voters"]
    QTest.mouseClick(page.bases["voters"], Qt.MouseButton.LeftButton)
    assert page.session.facts["bases"] == ["voters"] and page.bases["voters"].isChecked()


def test_the_filing_date_can_be_open(make: Any) -> None:
    page = make(PacketPage, fakes.an_analysis())
    page.session.inputsChanged.connect(page.invalidate)
    assert page.not_filed.isVisible() and not page.filed.isVisible()
    page.filed.setDate(QDate(2023, 6, 15))
    assert page.session.calls == []
    QTest.mouseClick(page.is_filed, Qt.MouseButton.LeftButton)
    assert page.session.facts == {"filed": "2023-06-15"}
    page.filed.setDate(QDate(2023, 7, 1))
    assert page.session.facts == {"filed": "2023-07-01"}
    QTest.mouseClick(page.is_filed, Qt.MouseButton.LeftButton)
    assert page.session.facts == {}


def test_the_checklist(make: Any) -> None:
    page = make(PacketPage, fakes.an_analysis())
    groups = [page.tree.topLevelItem(number) for number in range(page.tree.topLevelItemCount())]
    assert [group.text(0) for group in groups] == [
        "Signatures  3 of 4",
        "Contents of Petition  4 of 5",
        "Exhibits Before Signatures  0 of 1",
        "Filing",
    ]
    failing = groups[0].child(1)
    assert [failing.text(column) for column in range(3)] == ["Owners, Eastwick part: Reason.", "(a)(2)", "Owners"]
    asked = []
    page.pageRequested.connect(asked.append)
    page.tree.itemActivated.emit(failing, 0)
    page.tree.itemClicked.emit(groups[2].child(0), 2)
    assert asked == ["owners", "layers"]


def test_subdivisions() -> None:
    assert subdivision("§ 2-202(1)(a)(2)") == "(a)(2)"
    assert subdivision("§ 2-204(1)") == "2-204(1)"
    assert subdivision("S8007 § 1") == "S8007 § 1"
