"""The dock as a whole: its size, what stays in sight, its links, its keys."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsVectorLayer
from qgis.gui import QgsFileWidget, QgsFilterLineEdit
from qgis.PyQt.QtCore import QLocale, Qt
from qgis.PyQt.QtGui import QFont
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)

from village_petition.ui.dock import VillagePetitionDock
from village_petition.ui.findings import FindingsDock

PAGES = ["layers", "boundary", "parcels", "owners", "voters", "packet"]


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
def _design(qgis_app: Any) -> Iterator[None]:
    before = QLocale()
    font = QApplication.font()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    # The font that the widths of the design are meant for.
    QApplication.setFont(QFont("DejaVu Sans", 9))
    yield
    QApplication.setFont(font)
    QLocale.setDefault(before)


@pytest.fixture()
def window(qgis_app: Any) -> Iterator[Any]:
    """A window of 1366×768 with both docks on the case; `window.open(analysis)` shows another one."""

    class Window:
        def __init__(self) -> None:
            self.iface = fakes.FakeIface()
            self.session = fakes.FakeSession(fakes.an_analysis())
            parcels = QgsVectorLayer(
                "Polygon?crs=EPSG:2262&field=SWIS:string&field=TOTAL_AV:integer", "Parcels", "memory"
            )
            line = QgsVectorLayer("Polygon?crs=EPSG:2262", "Sketch of the boundary", "memory")
            QgsProject.instance().addMapLayers([parcels, line])
            self.session.layers = {"parcels": parcels, "territory": line, "towns": parcels}
            self.dock = VillagePetitionDock(self.session, self.iface)
            self.findings = FindingsDock(self.session, self.iface)
            self.dock.join(self.findings)
            main = self.iface.window
            main.resize(1366, 768)
            main.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
            main.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.findings)
            self.findings.hide()
            main.show()
            QTest.qWait(0)

        def open(self, analysis: Any) -> None:
            self.session.analysis = analysis
            self.session.runFinished.emit()

        def close(self) -> None:
            self.findings.tear_down()
            self.dock.tear_down()
            self.iface.window.close()
            self.iface.window.deleteLater()
            QgsProject.instance().clear()

    held = Window()
    yield held
    held.close()


@pytest.mark.parametrize("page", PAGES)
def test_the_dock_never_forces_more_than_400(window: Any, page: str) -> None:
    window.dock.show_page(page)
    QTest.qWait(0)
    assert window.dock.minimumSizeHint().width() <= 400
    assert window.dock.widget().sizeHint().width() == 388


@pytest.mark.parametrize("page", PAGES)
def test_nothing_ends_outside_at_the_designed_width(window: Any, page: str) -> None:
    window.iface.window.resizeDocks([window.dock], [388], Qt.Orientation.Horizontal)
    window.dock.show_page(page)
    QTest.qWait(0)
    assert window.iface.window.width() <= 1366 and window.iface.window.height() <= 768
    shown = window.dock.pages[page]
    assert shown.horizontalScrollBar().maximum() == 0
    for child in shown.body.findChildren(QWidget):
        if child.isVisibleTo(shown.body) and child.parentWidget() is shown.body:
            assert child.geometry().right() <= shown.body.width(), child.objectName() or type(child).__name__
    meter = window.dock.meter
    for child in meter.findChildren(QWidget):
        if child.isVisible():
            assert child.mapTo(meter, child.rect().bottomRight()).x() <= meter.width()


@pytest.mark.parametrize("page", PAGES)
def test_meter_and_proof_stay_in_sight(window: Any, page: str) -> None:
    window.dock.show_page(page)
    QTest.qWait(0)
    bar = window.dock.pages[page].verticalScrollBar()
    bar.setValue(bar.maximum())
    body = window.dock.widget()
    for widget in (window.dock.meter, window.dock.proof, window.dock.petition):
        assert widget.isVisible() and body.rect().contains(widget.geometry())


def test_the_proof_line(window: Any) -> None:
    assert window.dock.proof.text() == (
        "2,481 roll rows = 1,624 in + 97 split + 757 out + 1 by hand + 1 repeated + 1 without key"
    )
    assert window.dock.proof_icon.status == "pass"
    broken = fakes.an_analysis()
    window.open(replace(broken, proof=replace(broken.proof, holds=False)))
    assert window.dock.proof_icon.status == "fail"


def test_a_click_on_the_missing_line_opens_owners_with_that_owner(window: Any) -> None:
    window.dock.show_page("layers")
    window.dock.meter.linkActivated.emit("owners/EASTWICK MILLS CORP")
    page = window.dock.pages["owners"]
    assert window.dock.tabs.currentWidget() is page
    assert page.next_table.current().name == "EASTWICK MILLS CORP"


def test_the_law_button_opens_the_packet_page(window: Any) -> None:
    QTest.mouseClick(window.dock.meter.law, Qt.MouseButton.LeftButton)
    assert window.dock.tabs.currentWidget() is window.dock.pages["packet"]


def test_the_findings_button_opens_the_panel_and_the_toggle_closes_it(window: Any) -> None:
    QTest.mouseClick(window.dock.meter.findings, Qt.MouseButton.LeftButton)
    assert window.findings.isVisible() and window.dock.findings.isChecked()
    QTest.mouseClick(window.dock.findings, Qt.MouseButton.LeftButton)
    assert not window.findings.isVisible() and not window.dock.findings.isChecked()


def test_a_finding_leads_to_its_page_and_parcel(window: Any) -> None:
    window.findings.pageRequested.emit("parcels", (fakes.EAST, "2.00-1-3"))
    page = window.dock.pages["parcels"]
    assert window.dock.tabs.currentWidget() is page and page.table.current().print_key == "2.00-1-3"


def test_pages_turn_by_keys(window: Any) -> None:
    window.dock.show_page("layers")
    window.iface.window.activateWindow()
    window.dock.tabs.tabBar().setFocus()
    QTest.keyClick(window.dock.tabs.tabBar(), Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert window.dock.tabs.currentIndex() == 1
    QTest.keyClick(window.dock.tabs.tabBar(), Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert window.dock.tabs.currentIndex() == 0


def test_f6_goes_from_the_map_to_the_dock_and_back(window: Any) -> None:
    canvas, dock = window.iface.canvas, window.dock
    QApplication.setActiveWindow(window.iface.window)
    dock.show_page("parcels")
    dock.pages["parcels"].table.setFocus()
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_F6)
    assert QApplication.focusWidget() is dock.pages["parcels"].table
    QTest.keyClick(dock.pages["parcels"].table, Qt.Key.Key_F6)
    assert QApplication.focusWidget() is canvas
    dock.hide()
    QTest.keyClick(canvas, Qt.Key.Key_F6)
    assert QApplication.focusWidget() is canvas


def test_escape_stops_a_run_and_only_then(window: Any) -> None:
    QApplication.setActiveWindow(window.iface.window)
    bar = window.dock.tabs.tabBar()
    bar.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    assert window.session.calls == []
    window.session.running = window.session.stale = True
    window.session.runStarted.emit()
    window.dock.meter.busy.show()
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    assert window.session.calls == [("cancel",)]
    assert not window.dock.meter.busy.isVisible() and window.dock.meter.heads[0].text() == "Old figures"


@pytest.mark.parametrize("page", [*PAGES, "findings"])
def test_no_two_mnemonics_of_a_page_are_the_same(window: Any, page: str) -> None:
    held = window.findings if page == "findings" else window.dock.pages[page].body
    named = [*held.findChildren(QLabel), *held.findChildren(QAbstractButton)]
    letters = [widget.text()[at + 1].lower() for widget in named if (at := widget.text().find("&")) >= 0]
    assert sorted(letters) == sorted(set(letters))


@pytest.mark.parametrize("page", PAGES)
def test_what_can_be_worked_says_what_it_is_for(window: Any, page: str) -> None:
    """Lists, boxes and buttons have a tooltip; search fields say it in their own text."""
    body = window.dock.pages[page].body
    others = (QgsFileWidget, QgsFilterLineEdit, QDateEdit, QAbstractItemView)

    def is_ours(widget: QWidget) -> bool:
        around = widget.parentWidget()
        return around is body or (not isinstance(around, others) and is_ours(around))

    kinds = (QComboBox, QCheckBox, QPushButton, QToolButton)
    ours = [widget for kind in kinds for widget in body.findChildren(kind) if is_ours(widget)]
    window.dock.show_page(page)
    assert [widget for widget in ours if not widget.toolTip()] == []


def test_tabs_with_longer_words_stand_side_by_side(window: Any) -> None:
    tabs = window.dock.tabs
    window.iface.window.resizeDocks([window.dock], [388], Qt.Orientation.Horizontal)
    for number, word in enumerate(("Layersun", "Boundaryun", "Parcelsun", "Ownersun", "Votersun", "Packetun")):
        tabs.setTabText(number, word)
    window.dock.refresh()
    QTest.qWait(0)
    assert tabs.tabBar().tabRect(5).right() <= tabs.width()


def test_zoom_to_territory(window: Any) -> None:
    QTest.mouseClick(window.dock.zoom, Qt.MouseButton.LeftButton)
    extent = window.iface.canvas.extent()
    assert extent.xMinimum() <= 0 and extent.xMaximum() >= 100 and extent.yMinimum() <= 0 and extent.yMaximum() >= 60


def test_the_menu_loads_and_closes(window: Any) -> None:
    window.dock.load_sample.trigger()
    assert window.session.calls == [("load_sample",)]
    window.dock.close_petition.trigger()
    assert window.session.calls[-1] == ("clear",)
    assert window.dock.proof.text() == "No roll is read yet."
    assert window.findings.table.rows.rowCount() == 0


def test_a_page_with_an_open_error_is_marked_and_no_word_is_cut(window: Any) -> None:
    window.iface.window.resizeDocks([window.dock], [700], Qt.Orientation.Horizontal)
    QTest.qWait(0)
    marked = [name for number, name in enumerate(PAGES) if not window.dock.tabs.tabIcon(number).isNull()]
    assert marked == ["parcels", "owners"]
    window.iface.window.resizeDocks([window.dock], [360], Qt.Orientation.Horizontal)
    QTest.qWait(0)
    bar = window.dock.tabs.tabBar()
    for number in range(bar.count()):
        assert bar.tabRect(number).width() >= bar.fontMetrics().horizontalAdvance(bar.tabText(number))


def test_everything_is_reached_by_tab_and_icon_buttons_have_names(window: Any) -> None:
    for page in PAGES:
        window.dock.show_page(page)
        QTest.qWait(0)
        shown = [w for w in window.dock.widget().findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        for widget in shown:
            if (
                isinstance(widget, QAbstractButton)
                and not widget.text()
                and type(widget).__module__.startswith("village")
            ):
                raise AssertionError(widget)
        chain, walk = [], window.dock.petition
        for _ in range(4000):
            chain.append(walk)
            walk = walk.nextInFocusChain()
            if walk is window.dock.petition:
                break
        wanted = [w for w in shown if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.focusProxy() is None]
        assert set(wanted) <= set(chain)
    owners, parcels = window.dock.pages["owners"], window.dock.pages["parcels"]
    icons = (window.dock.zoom, window.dock.findings, window.findings.copy_button, owners.show_button, parcels.funnel)
    for button in icons:
        assert button.accessibleName() and button.toolTip()


def test_long_words_are_not_cut(window: Any) -> None:
    """Words a third longer, as German has them, still fit the dock's least width or scroll."""
    for combo in window.dock.findChildren(QComboBox):
        assert combo.minimumSizeHint().width() < 200
    window.dock.meter.verdict.setText("Noch nicht genug: Ortsteil Dunkirk und zwei weitere Teile")
    window.dock.meter.findings.setText("13 schwere Fehler, 25 Warnungen")
    window.iface.window.resizeDocks([window.dock], [360], Qt.Orientation.Horizontal)
    QTest.qWait(0)
    meter = window.dock.meter
    assert meter.minimumSizeHint().width() <= meter.width()
    assert meter.findings.width() >= meter.findings.sizeHint().width()
    assert meter.verdict.height() >= meter.verdict.heightForWidth(meter.verdict.width())


def test_an_empty_project_says_what_to_do_on_every_page(qgis_app: Any) -> None:
    iface, session = fakes.FakeIface(), fakes.FakeSession()
    dock, findings = VillagePetitionDock(session, iface), FindingsDock(session, iface)
    iface.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    iface.window.show()
    texts = {}
    for page in PAGES:
        dock.show_page(page)
        QTest.qWait(0)
        empties = ("first", "empty", "next_empty", "signers_empty", "rates_empty")
        texts[page] = [
            held for name in empties if (held := getattr(dock.pages[page], name, None)) is not None and held.isVisible()
        ]
    assert all(texts[page] for page in PAGES)
    assert dock.pages["boundary"].empty.text().startswith("No boundary yet.")
    assert dock.pages["owners"].signers_empty.text().startswith("No signatures yet.")
    assert (
        dock.pages["voters"]
        .empty.text()
        .startswith("No list of inhabitants. It is an exhibit in every petition (c)(2).")
    )
    assert dock.pages["parcels"].empty.text().startswith("No parcels yet.")
    assert dock.pages["packet"].empty.text().startswith("No checklist yet.")
    assert findings.empty.text().startswith("No findings yet.")
    findings.tear_down()
    dock.tear_down()
    iface.window.deleteLater()


def test_nothing_is_left_on_the_map(window: Any) -> None:
    window.dock.show_page("parcels")
    window.dock.pages["parcels"].table.choose(lambda parcel: True)
    canvas = window.iface.canvas
    before = len(canvas.scene().items())
    window.dock.pages["parcels"].tear_down()
    assert len(canvas.scene().items()) == before - 1


def test_a_canvas_in_another_system_still_finds_the_territory(window: Any) -> None:
    window.iface.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:26917"))
    window.dock.zoom_to_territory()
    assert window.iface.canvas.extent().width() < 1000
