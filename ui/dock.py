"""The dock: bar, meter, six pages, proof line. Bar, meter and proof line never scroll away."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import QgsSettings
from qgis.gui import QgsDockWidget
from qgis.PyQt.QtCore import QEvent, QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QKeySequence, QShowEvent
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QShortcut,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.model import Analysis
from . import figures, fonts, icons, places, remedies
from .icons import StatusIcon
from .meter import Meter
from .pages.boundary import BoundaryPage
from .pages.layers import LayersPage
from .pages.owners import OwnersPage
from .pages.packet import PacketPage
from .pages.page import Page
from .pages.parcels import ParcelsPage
from .pages.voters import VotersPage
from .runbar import RunBar
from .switch import FocusSwitch

WIDTH, LEAST_WIDTH = 388, 360
NAME_WIDTH = 200
SIZED = "VillagePetition/sized"
SIZING_MS = 100
TAB_FITS = ((5, 0.0), (2, 0.0), (2, 0.5), (2, 1.0), (1, 1.5))
"""Padding at the sides of a tab in pixels, and points off its words, from the best to the tightest."""
KEPT_OFTEN, ASKED_OFTEN = 5, 20


class VillagePetitionDock(QgsDockWidget):
    """The petition in the window; it talks to the session, and the pages never to one another.

    `join` ties it to the findings panel; `tear_down` lets go of everything outside before it is removed.
    """

    findingsRequested = pyqtSignal()

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setObjectName("VillagePetitionDock")
        self.setWindowTitle(self.tr("Village Petition"))
        self.session = session
        self.iface = iface
        body = DockBody(self)
        box = QVBoxLayout(body)
        box.setContentsMargins(4, 2, 4, 2)
        box.setSpacing(3)
        box.addLayout(self._bar(body))
        self.meter = Meter(session, body)
        self.meter.linkActivated.connect(self.follow)
        self.meter.lawRequested.connect(lambda: self.show_page("packet"))
        self.meter.findingsRequested.connect(self.findingsRequested)
        box.addWidget(self.meter)
        box.addWidget(self._pages(body), 1)
        box.addLayout(self._proof_line(body))
        self.setWidget(body)
        self._shortcuts = [
            self._shortcut("Ctrl+PgUp", lambda: self._turn(-1)),
            self._shortcut("Ctrl+PgDown", lambda: self._turn(1)),
        ]
        self._stop = self._shortcut("Esc", session.cancel)
        self._shortcuts.append(self._stop)
        self.run_bar = RunBar(session, iface.messageBar(), self)
        self.switch = FocusSwitch(iface.mapCanvas(), self, self.tabs.tabBar())
        self._kept = self._asked = 0
        self._sizing = QTimer(self)
        self._sizing.setInterval(SIZING_MS)
        self._sizing.timeout.connect(self._take_width)
        self._links = [
            (session.inputsChanged, self.refresh),
            (session.runStarted, self._started),
            (session.runProgress, self.meter.progressed),
            (session.runFinished, self._ended),
            (session.runFailed, self._ended),
            (session.cleared, self._ended),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        self.refresh()

    # Building

    def _bar(self, body: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        self.petition = QToolButton(body)
        self.petition.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.petition.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.petition.setAutoRaise(True)
        self.petition.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.petition.setToolTip(self.tr("The petition: load the sample, or close this one."))
        menu = QMenu(self.petition)
        self.load_sample = menu.addAction(self.tr("Load &Sample Petition"))
        self.load_sample.triggered.connect(self.session.load_sample)
        self.close_petition = menu.addAction(self.tr("&Close Petition"))
        self.close_petition.setToolTip(self.tr("Forget inputs and results. Layers and files stay."))
        self.close_petition.triggered.connect(self.session.clear)
        self.petition.setMenu(menu)
        self.zoom = self._button(body, self.tr("Zoom to Territory"), self.tr("Show the whole territory on the map."))
        self.zoom.clicked.connect(self.zoom_to_territory)
        self.findings = self._button(
            body, self.tr("Findings"), self.tr("Show or hide what a person must know or settle. Ctrl+Alt+F")
        )
        self.findings.setCheckable(True)
        row.addWidget(self.petition)
        row.addStretch(1)
        row.addWidget(self.zoom)
        row.addWidget(self.findings)
        return row

    def _button(self, body: QWidget, name: str, tip: str) -> QToolButton:
        button = QToolButton(body)
        button.setAutoRaise(True)
        button.setAccessibleName(name)
        button.setToolTip(f"{name}\n{tip}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _pages(self, body: QWidget) -> QTabWidget:
        self.tabs = QTabWidget(body)
        self.tabs.setAccessibleName(self.tr("Pages"))
        self.tabs.setDocumentMode(False)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.pages: dict[str, Page] = {}
        for name, words, kind in (
            ("layers", self.tr("Layers"), LayersPage),
            ("boundary", self.tr("Boundary"), BoundaryPage),
            ("parcels", self.tr("Parcels"), ParcelsPage),
            ("owners", self.tr("Owners"), OwnersPage),
            ("voters", self.tr("Voters"), VotersPage),
            ("packet", self.tr("Packet"), PacketPage),
        ):
            page = kind(self.session, self.iface, self.tabs)
            page.pageRequested.connect(self.show_page)
            self.tabs.addTab(page, words)
            self.pages[name] = page
        return self.tabs

    def _proof_line(self, body: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(4, 0, 0, 0)
        row.setSpacing(4)
        self.proof_icon, self.proof = StatusIcon(body), QLabel(body)
        self.proof.setWordWrap(True)
        self.proof.setTextFormat(Qt.TextFormat.PlainText)
        self.proof.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        fonts.write(self.proof, points=-1)
        row.addWidget(self.proof_icon)
        row.addWidget(self.proof, 1)
        return row

    def _shortcut(self, keys: str, slot: Any) -> QShortcut:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(slot)
        return shortcut

    def join(self, findings: Any) -> None:
        """Tie the findings panel to this dock, in both directions."""
        self.findingsRequested.connect(findings.show_up)
        self.findings.clicked.connect(findings.setUserVisible)
        findings.visibilityChanged.connect(self.findings.setChecked)
        findings.pageRequested.connect(self.show_page)
        self.findings.setChecked(findings.isUserVisible())

    # Showing

    def refresh(self) -> None:
        """Show the session as it stands: bar, meter, pages and proof."""
        self.meter.refresh()
        self._stop.setEnabled(self.session.running)
        for page in self.pages.values():
            page.invalidate()
        analysis = self.session.analysis
        name = self.session.name()
        self.petition.setText(self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, NAME_WIDTH))
        self.petition.setAccessibleName(self.tr("Petition: {}").format(name))
        self.close_petition.setEnabled(analysis is not None or self.session.layer("parcels") is not None)
        self.zoom.setEnabled(analysis is not None)
        self._show_proof(analysis)
        self._mark_tabs(analysis)
        self._paint_icons()

    def _show_proof(self, analysis: Optional[Analysis]) -> None:
        self.proof_icon.setVisible(analysis is not None)
        if analysis is None:
            self.proof.setText(self.tr("No roll is read yet."))
            return
        self.proof.setText(figures.proof_words(analysis.proof))
        self.proof_icon.set_status("pass" if analysis.proof.holds else "fail")
        self.proof.setToolTip(
            self.tr("Every row of the roll is accounted for: value inside {} + outside {} + set aside {} = {}.").format(
                figures.dollars(analysis.proof.value_inside),
                figures.dollars(analysis.proof.value_outside),
                figures.dollars(analysis.proof.value_set_aside),
                figures.dollars(analysis.proof.value_total),
            )
        )

    def _fit_tabs(self) -> None:
        """Six words must stand side by side: the style's margins go first, then a little of the letters' size."""
        bar = self.tabs.tabBar()
        points = fonts.surrounding_points(self.tabs)
        for padding, smaller in TAB_FITS:
            sheet = f"QTabBar {{ font-size: {points - smaller}pt; }} QTabBar::tab {{ padding: 4px {padding}px; }}"
            if bar.styleSheet() != sheet:
                bar.setStyleSheet(sheet)
            if bar.sizeHint().width() <= self.tabs.width():
                return

    def _mark_tabs(self, analysis: Optional[Analysis]) -> None:
        """The fail icon on a page with an open error, where all tabs still fit with it."""
        marked = set()
        if analysis is not None:
            marked = {remedies.page_of(finding.code) for finding in analysis.findings if finding.severity == "error"}
        for number in range(self.tabs.count()):
            self.tabs.setTabIcon(number, icons.status_icon(""))
        self._fit_tabs()
        for number, name in enumerate(self.pages):
            icon = icons.status_icon("fail", self) if name in marked else icons.status_icon("")
            self.tabs.setTabIcon(number, icon)
            self.tabs.setTabToolTip(number, self.tr("This page has an open error.") if name in marked else "")
        if self.tabs.tabBar().sizeHint().width() > self.tabs.width():
            for number in range(self.tabs.count()):
                self.tabs.setTabIcon(number, icons.status_icon(""))

    def _paint_icons(self) -> None:
        self.petition.setIcon(icons.icon("open_folder", self))
        self.zoom.setIcon(icons.icon("zoom_territory", self))
        self.findings.setIcon(icons.icon("findings", self))

    def _started(self) -> None:
        self._stop.setEnabled(True)
        self.meter.started()

    def _ended(self) -> None:
        self.meter.ended()
        self.refresh()

    # Going

    def follow(self, target: str) -> None:
        """Follow a link of the meter: a page, the findings, or an owner."""
        page, _, detail = target.partition("/")
        if page == "findings":
            self.findingsRequested.emit()
            return
        self.show_page(page)
        if page == "owners" and detail:
            self.pages["owners"].choose_owner(detail)

    def show_page(self, name: str, key: object = None) -> None:
        """Open a page by name, and choose a parcel there where one is given."""
        self.setUserVisible(True)
        self.tabs.setCurrentWidget(self.pages[name])
        if name == "parcels" and key is not None:
            self.pages["parcels"].show_parcel(key)

    def zoom_to_territory(self) -> None:
        """Show the whole territory on the map."""
        analysis = self.session.analysis
        if analysis is not None:
            shape = places.geometry_of(analysis.territory_shape)
            places.zoom_to(self.iface.mapCanvas(), shape, places.crs_of(analysis))

    def _turn(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())

    def showEvent(self, event: QShowEvent) -> None:
        """The first time of all it takes its designed width; later QGIS remembers what a person made of it."""
        super().showEvent(event)
        if not QgsSettings().value(SIZED, False, type=bool):
            self._sizing.start()

    def _take_width(self) -> None:
        """Ask for the designed width until it stays: a window that is still laying itself out takes it back."""
        window = self.parentWidget()
        self._asked += 1
        if not isinstance(window, QMainWindow) or not self.isVisible() or self.isFloating():
            self._sizing.stop()
            return
        self._kept = self._kept + 1 if self.width() == WIDTH else 0
        if not self._kept:
            window.resizeDocks([self], [WIDTH], Qt.Orientation.Horizontal)
        if self._kept == KEPT_OFTEN or self._asked == ASKED_OFTEN:
            self._sizing.stop()
            QgsSettings().setValue(SIZED, True)

    def resizeEvent(self, event: Any) -> None:
        """Tabs get their icons where they fit."""
        super().resizeEvent(event)
        self._mark_tabs(self.session.analysis)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_links"):
            self._paint_icons()

    def tear_down(self) -> None:
        """Let go of the session and of the map."""
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._links = []
        self._sizing.stop()
        self.run_bar.tear_down()
        self.switch.tear_down()
        for page in self.pages.values():
            page.tear_down()


class DockBody(QWidget):
    """The dock's content: as wide as designed at first, and never forcing more than its least width."""

    def sizeHint(self) -> QSize:
        """The designed width."""
        return QSize(WIDTH, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """The least width, whatever the pages hold: they scroll."""
        return QSize(LEAST_WIDTH, super().minimumSizeHint().height())
