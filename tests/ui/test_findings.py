"""The findings panel: what it lists, where it leads, and what leaves it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from qgis.core import QgsRectangle
from qgis.PyQt.QtCore import QLocale, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication

from village_petition.ui.findings import FindingsDock


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
def panel(qgis_app: Any) -> Iterator[FindingsDock]:
    """The panel on the case."""
    iface = fakes.FakeIface()
    dock = FindingsDock(fakes.FakeSession(fakes.an_analysis()), iface)
    iface.window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    iface.window.resize(1000, 700)
    iface.window.show()
    QTest.qWait(0)
    yield dock
    dock.tear_down()
    iface.window.deleteLater()


def codes(dock: FindingsDock) -> list[str]:
    return [row.code for row in dock.table.rows.rows()]


def show(dock: FindingsDock, analysis: Any) -> None:
    dock.session.analysis = analysis
    dock.session.runFinished.emit()


def test_errors_come_first_and_notes_are_off(panel: FindingsDock) -> None:
    assert codes(panel) == ["V-21", "V-24", "V-14"]
    assert [check.text() for check in panel.checks.values()] == ["&Errors (2)", "&Warnings (1)", "&Notes (1)"]
    panel.checks["info"].setChecked(True)
    assert codes(panel) == ["V-21", "V-24", "V-14", "V-44"]
    panel.checks["error"].setChecked(False)
    assert codes(panel) == ["V-14", "V-44"]


def test_a_row_says_what_where_and_what_to_do(panel: FindingsDock) -> None:
    model = panel.table.rows
    assert [model.data(model.index(0, column)) for column in range(5)] == [
        "V-21",
        "The part of Eastwick fails.",
        "Eastwick",
        "§ 2-202(1)(a)(2)",
        "Get signatures: Owners page",
    ]
    assert model.data(model.index(1, 2)) == "2.00-1-3"


def test_the_text_filter(panel: FindingsDock) -> None:
    panel.text.setText("nobody")
    assert codes(panel) == ["V-14"]
    panel.text.setText("zzz")
    assert panel.empty.text() == "No finding is like that. Tick another kind or empty the filter."


def test_rows_that_leave_leave_at_once(panel: FindingsDock) -> None:
    panel.table.choose(lambda row: row.code == "V-24")
    show(panel, fakes.an_analysis(findings=fakes.FINDINGS[1:3]))
    assert codes(panel) == ["V-24", "V-14"] and panel.table.current().code == "V-24"
    show(panel, fakes.an_analysis(findings=()))
    assert codes(panel) == []
    assert panel.empty.text() == "No findings. Every test was run." and panel.empty.isVisible()
    assert not panel.zoom_button.isEnabled() and not panel.page_button.isEnabled()


@pytest.mark.parametrize(
    ("code", "place"), [("V-21", QgsRectangle(50, 0, 100, 60)), ("V-24", QgsRectangle(90, 0, 110, 60))]
)
def test_zoom_shows_the_place(panel: FindingsDock, code: str, place: QgsRectangle) -> None:
    panel.canvas.setExtent(QgsRectangle(5000, 5000, 5100, 5100))
    panel.table.choose(lambda row: row.code == code)
    QTest.keyClick(panel.table, Qt.Key.Key_Return)
    assert panel.canvas.extent().contains(place)
    assert panel.outline.shown()
    panel.outline.hide()
    assert not panel.outline.shown()


def test_a_double_click_zooms(panel: FindingsDock) -> None:
    panel.canvas.setExtent(QgsRectangle(5000, 5000, 5100, 5100))
    panel.table.choose(lambda row: row.code == "V-24")
    cell = panel.table.visualRect(panel.table.currentIndex()).center()
    for press in (QTest.mouseClick, QTest.mouseDClick):
        press(panel.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cell)
    assert panel.canvas.extent().contains(QgsRectangle(90, 0, 110, 60))


def test_a_finding_without_a_place_cannot_be_zoomed_to(panel: FindingsDock) -> None:
    before = panel.canvas.extent()
    panel.table.choose(lambda row: row.code == "V-14")
    assert not panel.zoom_button.isEnabled()
    panel.zoom()
    assert panel.canvas.extent() == before


def test_only_in_map_view(panel: FindingsDock) -> None:
    panel.canvas.setExtent(QgsRectangle(104, 5, 105, 6))
    panel.in_view.setChecked(True)
    assert codes(panel) == ["V-24"]
    panel.canvas.setExtent(QgsRectangle(60, 10, 70, 20))
    assert codes(panel) == ["V-21"]


def test_entering_a_finding_without_a_place_leads_to_its_page(panel: FindingsDock) -> None:
    asked = []
    panel.pageRequested.connect(lambda page, key: asked.append((page, key)))
    panel.table.choose(lambda row: panel.place(row).isNull())
    QTest.keyClick(panel.table, Qt.Key.Key_Return)
    assert len(asked) == 1 and asked[0][1] is None


def test_go_to_page_names_page_and_parcel(panel: FindingsDock) -> None:
    asked = []
    panel.pageRequested.connect(lambda page, key: asked.append((page, key)))
    for code in ("V-21", "V-24"):
        panel.table.choose(lambda row, code=code: row.code == code)
        QTest.mouseClick(panel.page_button, Qt.MouseButton.LeftButton)
    assert asked == [("owners", None), ("parcels", (fakes.EAST, "2.00-1-3"))]


def test_copy(panel: FindingsDock) -> None:
    panel.table.choose(lambda row: row.code == "V-14")
    QTest.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == (
        "Code\tFinding\tWhere\tLaw\tWhat to do\n"
        "V-14\tNOBODY ATALL owns nothing that is counted.\t\t\t"
        "Match the name with an owner or a voter, or strike the line\n"
    )
