"""The findings panel: everything a person must know or settle, where it is, and what to do about it."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import QgsGeometry, QgsRectangle
from qgis.gui import QgsDockWidget, QgsFilterLineEdit
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.model import Analysis, Finding
from . import figures, fonts, icons, places, remedies
from .flow import FlowLayout, pair
from .models import Column, RowModel
from .pages.page import RowTable

SEVERITIES = ("error", "warning", "info")
BAR_MARGIN = 6
FILTER_WIDTHS = (90, 240)
WIDTHS = {2: 85, 3: 105, 4: 190}
"""Columns beside the finding itself, which takes the room that is left."""


class FindingsDock(QgsDockWidget):
    """Rows come from the last analysis; one that disappears there leaves at once."""

    pageRequested = pyqtSignal(str, object)
    """A page's name, and a parcel's key or None."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setObjectName("VillagePetitionFindingsDock")
        self.setWindowTitle(self.tr("Petition Findings"))
        self.session = session
        self.iface = iface
        self.canvas = iface.mapCanvas()
        self.outline = places.Outline(self.canvas, self)
        self._boxes: dict[tuple[str, str], QgsRectangle] = {}
        body = QWidget(self)
        box = QVBoxLayout(body)
        box.setContentsMargins(4, 4, 4, 4)
        box.setSpacing(4)
        box.addLayout(self._bar(body))
        self.empty = QLabel(body)
        self.empty.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.addWidget(self.empty)
        self.table = self._table(body)
        box.addWidget(self.table, 1)
        box.addStretch(0)
        self.setWidget(body)
        self._links = [
            (session.runFinished, self.refresh),
            (session.cleared, self.refresh),
            (self.canvas.extentsChanged, self._extent_changed),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        self.refresh()

    # Building

    def _bar(self, body: QWidget) -> FlowLayout:
        row = FlowLayout(spacing=6, last_right=True)
        self.checks: dict[str, QCheckBox] = {}
        for severity in SEVERITIES:
            check = QCheckBox(body)
            check.setChecked(severity != "info")
            fonts.write(check, points=-0.5)
            check.toggled.connect(self._filter)
            row.addWidget(check)
            self.checks[severity] = check
        self.in_view = QCheckBox(self.tr("Only in map &view"), body)
        fonts.write(self.in_view, points=-0.5)
        self.in_view.toggled.connect(self._filter)
        row.addWidget(self.in_view)
        self.text = QgsFilterLineEdit(body)
        self.text.setShowSearchIcon(True)
        self.text.setPlaceholderText(self.tr("Filter"))
        self.text.setAccessibleName(self.tr("Filter findings"))
        self.text.textChanged.connect(self._filter)
        row.addWidget(self.text)
        self.zoom_button = QPushButton(icons.icon("zoom", self), self.tr("&Zoom"), body)
        self.zoom_button.setToolTip(self.tr("Show the place of the finding on the map. Enter"))
        self.zoom_button.clicked.connect(self.zoom)
        fonts.write(self.zoom_button, points=-0.5, padding="3px 6px")
        self.page_button = QPushButton(self.tr("&Go to Page"), body)
        self.page_button.setToolTip(self.tr("Open the page where the finding is settled."))
        self.page_button.clicked.connect(self._go)
        fonts.write(self.page_button, points=-0.5, padding="3px 6px")
        self.copy_button = QToolButton(body)
        self.copy_button.setIcon(icons.icon("copy", self))
        self.copy_button.setAutoRaise(True)
        self.copy_button.setAccessibleName(self.tr("Copy"))
        self.copy_button.setToolTip(self.tr("Copy the chosen rows, or all rows shown, as text. Ctrl+C"))
        self.copy_button.clicked.connect(self.copy)
        self.copy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row.addWidget(pair(body, self.zoom_button, self.page_button, self.copy_button))
        return row

    def _table(self, body: QWidget) -> RowTable:
        model = RowModel(
            (
                Column(
                    self.tr("Code"),
                    lambda row: row.code,
                    key=lambda row: (SEVERITIES.index(row.severity), row.code),
                    status=lambda row: row.severity,
                    tip=lambda row: self._severity_words(row.severity),
                ),
                Column(self.tr("Finding"), lambda row: row.message),
                Column(self.tr("Where"), self._where, tip=lambda row: f"{row.swis} {row.print_key}".strip()),
                Column(self.tr("Law"), lambda row: row.citation),
                Column(self.tr("What to do"), lambda row: remedies.remedy(row.code)),
            ),
            self,
        )
        table = RowTable(model, self.tr("Findings"), body, lines=0)
        table.setMinimumHeight(60)
        table.setMaximumHeight(16777215)
        table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        head = table.horizontalHeader()
        for column, width in WIDTHS.items():
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            table.setColumnWidth(column, width)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        table.entered_row.connect(lambda _: self._enter())
        table.current_row.connect(self._chosen)
        return table

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The filter has what the others leave of the row."""
        super().resizeEvent(event)
        self._fit_filter()

    def _fit_filter(self) -> None:
        bar = self.widget().layout().itemAt(0).layout()
        items = [bar.itemAt(number) for number in range(bar.count())]
        taken = sum(item.sizeHint().width() + bar.spacing() for item in items if item.widget() is not self.text)
        least, most = FILTER_WIDTHS
        self.text.setFixedWidth(max(least, min(most, self.width() - taken - 2 * BAR_MARGIN)))

    # Showing

    def show_up(self) -> None:
        """Open the panel and put the focus into its table."""
        self.setUserVisible(True)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Show the findings of the last analysis."""
        analysis: Optional[Analysis] = self.session.analysis
        before = self.table.current()
        self._boxes = {}
        found = () if analysis is None else analysis.findings
        rows = sorted(
            found, key=lambda row: (SEVERITIES.index(row.severity), row.code, row.swis, row.print_key, row.message)
        )
        words = {
            "error": self.tr("&Errors ({})"),
            "warning": self.tr("&Warnings ({})"),
            "info": self.tr("&Notes ({})"),
        }
        for severity, check in self.checks.items():
            total = sum(row.severity == severity for row in rows)
            check.setText(words[severity].format(figures.count(total)))
        self._fit_filter()
        self.table.rows.set_rows(rows)
        self._filter()
        if before is not None:
            self.table.choose(lambda row: row == before)
        self._chosen(self.table.current())

    def _filter(self) -> None:
        wanted = {severity for severity, check in self.checks.items() if check.isChecked()}
        text = self.text.text().strip().casefold()
        view = self._view() if self.in_view.isChecked() else None
        chosen = self.table.current()

        def shown(row: Finding) -> bool:
            if row.severity not in wanted or (text and text not in self._searchable(row)):
                return False
            return view is None or self._box(row).intersects(view)

        self.table.rows.set_filter(shown)
        if chosen is not None:
            self.table.choose(lambda row: row == chosen)
        self._show_empty()

    def _show_empty(self) -> None:
        words = ""
        if self.session.analysis is None:
            words = self.tr(
                "No findings yet. They appear with the first analysis: choose the layers on the Layers page."
            )
        elif not self.table.rows.all_rows():
            words = self.tr("No findings. Every test was run.")
        elif not self.table.rows.rows():
            words = self.tr("No finding is like that. Tick another kind or empty the filter.")
        self.empty.setText(words)
        self.empty.setVisible(bool(words))
        self.table.setVisible(not words)

    def _where(self, row: Finding) -> str:
        if row.print_key:
            return row.print_key
        analysis = self.session.analysis
        if row.swis and analysis is not None:
            return next((part.town for part in analysis.parts if part.swis[:4] == row.swis[:4]), row.swis)
        return ""

    def _searchable(self, row: Finding) -> str:
        return f"{row.code} {row.message} {self._where(row)} {row.citation} {remedies.remedy(row.code)}".casefold()

    def _severity_words(self, severity: str) -> str:
        return {"error": self.tr("Error"), "warning": self.tr("Warning"), "info": self.tr("Note")}[severity]

    # Places

    def place(self, row: Finding) -> QgsGeometry:
        """Where a finding is, in the working CRS: its parcel, its town's part, the territory, or nowhere."""
        analysis = self.session.analysis
        if analysis is None:
            return QgsGeometry()
        if row.swis:
            return places.place_of(analysis, row.swis, row.print_key)
        if remedies.page_of(row.code) == "boundary":
            return places.geometry_of(analysis.territory_shape)
        return QgsGeometry()

    def _box(self, row: Finding) -> QgsRectangle:
        """The box of a finding on the canvas, kept until the next analysis; an empty one for no place."""
        key = (row.swis, row.print_key) if row.swis else ("", remedies.page_of(row.code))
        if key not in self._boxes:
            place = places.on_canvas(self.canvas, self.place(row), places.crs_of(self.session.analysis))
            self._boxes[key] = QgsRectangle() if place.isNull() else place.boundingBox()
        return self._boxes[key]

    def _view(self) -> QgsRectangle:
        return self.canvas.extent()

    def _extent_changed(self) -> None:
        if self.in_view.isChecked():
            # The canvas may have another CRS now, so boxes are made again.
            self._boxes = {}
            self._filter()

    # Doing

    def zoom(self) -> None:
        """Show the place of the current finding, outlined for three seconds."""
        row = self.table.current()
        if row is None:
            return
        place, crs = self.place(row), places.crs_of(self.session.analysis)
        if places.zoom_to(self.canvas, place, crs):
            self.outline.show(place, crs, fleeting=True)

    def _enter(self) -> None:
        """Where the current finding leads: to its place, or to its page where it has none on the map."""
        row = self.table.current()
        if row is not None and self.place(row).isNull():
            self._go()
        else:
            self.zoom()

    def copy(self) -> None:
        """Copy the chosen rows, or all where none is chosen."""
        if not self.table.selected_rows():
            self.table.selectAll()
        self.table.copy_rows()

    def _go(self) -> None:
        row = self.table.current()
        if row is not None:
            key = (row.swis, row.print_key) if row.print_key else None
            self.pageRequested.emit(remedies.page_of(row.code), key)

    def _chosen(self, row: Optional[Finding]) -> None:
        self.page_button.setEnabled(row is not None)
        self.zoom_button.setEnabled(row is not None and not self.place(row).isNull())

    def tear_down(self) -> None:
        """Let go of the session and of the map."""
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._links = []
        self.outline.tear_down()
