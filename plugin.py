"""Puts the plugin into QGIS and takes it out again; everything it registers is on one list."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

from qgis.core import QgsApplication
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QLocale, QObject, QSettings, Qt, QTranslator
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import QAction, QMenu, QToolBar

HERE = Path(__file__).resolve().parent
MENU = "&Village Petition"


class VillagePetitionPlugin(QObject):
    """What QGIS holds: `initGui` and `initProcessing` register, `unload` undoes all of it in reverse."""

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self.iface = iface
        self.session: Any = None
        self.dock: Any = None
        self.findings: Any = None
        self.provider: Any = None
        self._undo: list[Callable[[], None]] = []

    def initProcessing(self) -> None:
        """Register the algorithms; called alone by qgis_process."""
        if self.provider is not None:
            return
        from .ui.processing.provider import VillagePetitionProvider

        self.provider = VillagePetitionProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)
        self._undo.append(self._drop_provider)

    def initGui(self) -> None:
        """Register algorithms, docks, toolbar and menu. Where a package is missing the dock says so instead."""
        from .ui import dependencies

        self._translate()
        self.initProcessing()
        missing = dependencies.missing()
        if missing:
            from .ui.missing import MissingDock

            self.dock = self._add_dock(MissingDock(missing, self.iface.mainWindow()))
        else:
            self._open()
        self._add_actions()

    def unload(self) -> None:
        """Take out everything that was put in, last first; safe to call twice."""
        while self._undo:
            self._undo.pop()()
        self.dock = self.findings = self.session = self.provider = None

    # Registering

    def _open(self) -> None:
        from .ui.dock import VillagePetitionDock
        from .ui.findings import FindingsDock
        from .ui.messages import Messages
        from .ui.session import Session

        self.session = Session()
        self._undo.append(self._close_session)
        says = Messages(self.iface.messageBar(), self.iface.openMessageLog)
        self._undo.append(says.clear)
        self.session.notice.connect(says.show)
        self.session.runStarted.connect(says.clear_errors)
        self.session.runFailed.connect(lambda: says.show_all("error", self.session.problems))
        self.session.cleared.connect(says.clear)
        self.dock = self._add_dock(VillagePetitionDock(self.session, self.iface))
        self.findings = self._add_dock(FindingsDock(self.session, self.iface), Qt.DockWidgetArea.BottomDockWidgetArea)
        self.findings.hide()
        self.dock.join(self.findings)
        self.session.wake(self.dock.isVisible())
        self.dock.visibilityChanged.connect(self.session.wake)

    def _add_dock(self, dock: Any, area: Any = Qt.DockWidgetArea.RightDockWidgetArea) -> Any:
        self._undo.append(lambda: self._drop_dock(dock))
        self.iface.addDockWidget(area, dock)
        return dock

    def _add_actions(self) -> None:
        from .ui.icons import icon as drawn

        bar: QToolBar = self.iface.addToolBar(self.tr("Village Petition"))
        bar.setObjectName("VillagePetitionToolBar")
        self._undo.append(lambda: self._drop_bar(bar))
        # A menu of our own: the one that addPluginToMenu makes stays behind, empty, in QGIS.
        menu = QMenu(MENU, self.iface.mainWindow())
        menu.setObjectName("VillagePetitionMenu")
        self.iface.pluginMenu().addMenu(menu)
        self._undo.append(lambda: self._drop_menu(menu))
        docks = [(self.dock, "plugin", self.tr("Village Petition"), "Ctrl+Alt+V")]
        docks += [(self.findings, "findings", self.tr("Petition Findings"), "Ctrl+Alt+F")] if self.findings else []
        for dock, icon, text, keys in docks:
            action = QAction(drawn(icon), text, self.iface.mainWindow())
            action.setObjectName(f"{dock.objectName()}Action")
            action.setCheckable(True)
            action.setShortcut(QKeySequence(keys))
            action.setToolTip(self.tr("Show or hide the panel {name} ({keys})").format(name=text, keys=keys))
            dock.setToggleVisibilityAction(action)
            bar.addAction(action)
            menu.addAction(action)
            self._undo.append(lambda action=action: self._drop_action(action))

    def _translate(self) -> None:
        """Use the translation of QGIS's language, if there is one."""
        known = QSettings().value("locale/userLocale", None)
        language = known if isinstance(known, str) and known else QLocale().name()
        translator = QTranslator()
        if translator.load(f"village_petition_{language}", str(HERE / "i18n")):
            QCoreApplication.installTranslator(translator)
            self._undo.append(lambda: QCoreApplication.removeTranslator(translator) and None)

    # Undoing

    def _drop_provider(self) -> None:
        if not sip.isdeleted(self.provider):
            QgsApplication.processingRegistry().removeProvider(self.provider)

    def _close_session(self) -> None:
        self.session.close()
        self.session.deleteLater()

    def _drop_dock(self, dock: Any) -> None:
        if not sip.isdeleted(dock):
            dock.tear_down()
            self.iface.removeDockWidget(dock)
            dock.deleteLater()

    def _drop_bar(self, bar: QToolBar) -> None:
        if not sip.isdeleted(bar):
            self.iface.mainWindow().removeToolBar(bar)
            bar.deleteLater()

    def _drop_menu(self, menu: QMenu) -> None:
        if not sip.isdeleted(menu):
            self.iface.pluginMenu().removeAction(menu.menuAction())
            menu.deleteLater()

    def _drop_action(self, action: QAction) -> None:
        if not sip.isdeleted(action):
            action.deleteLater()
