"""The meter: the verdict in words, what is missing, one bar a test, and the facts that go with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from qgis.PyQt.QtCore import QEvent, QPoint, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWhatsThis,
    QWidget,
)

from ..core.model import Alternative, Analysis
from . import figures, fonts, icons, theme, verdicts
from .bar_rows import bar_rows
from .bars import BarRow, BarsArea, BarWidgets, Head
from .flow import FlowLayout, pair
from .icons import StatusIcon
from .lacking import LackingLine

BUSY_AFTER_MS = 300
BUSY_HEIGHT = 3


class Meter(QFrame):
    """Always in sight: says whether the petition has enough, and if not, what is missing."""

    linkActivated = pyqtSignal(str)
    lawRequested = pyqtSignal()
    findingsRequested = pyqtSignal()

    def __init__(self, session: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.session = session
        self.without = ""
        self.rows: list[BarWidgets] = []
        self._lacking = LackingLine(session, self)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self._build()
        self._busy_timer = QTimer(self)
        self._busy_timer.setSingleShot(True)
        self._busy_timer.setInterval(BUSY_AFTER_MS)
        self._busy_timer.timeout.connect(lambda: self.busy.setVisible(True))
        self.refresh()

    # Building

    def _build(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(4, 4, 4, 4)
        box.setSpacing(3)
        box.addLayout(self._verdict_row())
        self.missing = QLabel(self)
        self.missing.setWordWrap(True)
        self.missing.setTextFormat(Qt.TextFormat.RichText)
        self.missing.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.missing.linkActivated.connect(self.linkActivated)
        fonts.write(self.missing, points=-0.5)
        box.addWidget(self.missing)
        box.addWidget(self._bars_area())
        box.addLayout(self._facts_row())
        self.busy = QProgressBar(self)
        self.busy.setTextVisible(False)
        self.busy.setRange(0, 100)
        self.busy.setAccessibleName(self.tr("Analysis is running"))
        self.busy.hide()

    def _verdict_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self.verdict_icon = StatusIcon(self)
        self.verdict = QLabel(self)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setWordWrap(True)
        self.verdict.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        fonts.write(self.verdict, bold=True, points=1)
        self.law = QToolButton(self)
        self.law.setAutoRaise(True)
        fonts.write(self.law, points=-1, padding="1px 0px")
        self.law.setToolTip(
            self.tr("Basis and edition of the law that the verdict rests on. Opens Law and Filing on the Packet page.")
        )
        self.law.clicked.connect(self.lawRequested)
        row.addWidget(self.verdict_icon, 0)
        row.addWidget(self.verdict, 1)
        row.addWidget(self.law, 0)
        return row

    def _bars_area(self) -> QScrollArea:
        self.bars = QWidget(self)
        self.grid = QGridLayout(self.bars)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(5)
        self.grid.setVerticalSpacing(0)
        self.grid.setColumnStretch(2, 1)
        self.heads = tuple(
            Head(words, self.bars)
            for words in (self.tr("Signed share"), self.tr("❘ = needed"), self.tr("Now"), self.tr("Missing"))
        )
        for column, head in enumerate(self.heads, 1):
            fonts.write(head, points=-1)
            self.grid.addWidget(head, 0, column)
        self.heads[1].setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for head in self.heads[2:]:
            head.setAlignment(Qt.AlignmentFlag.AlignRight)
        area = BarsArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(self.bars)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.viewport().setAutoFillBackground(False)
        self.bars.setAutoFillBackground(False)
        self.bars.installEventFilter(area)
        self.bars_scroll = area
        return area

    def _facts_row(self) -> FlowLayout:
        row = FlowLayout(spacing=8, last_right=True)
        self.area_icon, self.people_icon = StatusIcon(self), StatusIcon(self)
        self.area, self.people = QLabel(self), QLabel(self)
        for icon, label in ((self.area_icon, self.area), (self.people_icon, self.people)):
            label.setTextFormat(Qt.TextFormat.PlainText)
            fonts.write(label, points=-1)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            row.addWidget(pair(self, icon, label))
        self.findings = QPushButton(self)
        fonts.write(self.findings, points=-1, padding="2px 5px")
        self.findings.setToolTip(self.tr("Show what a person must know or settle. Ctrl+Alt+F"))
        self.findings.clicked.connect(self.findingsRequested)
        row.addWidget(self.findings)
        return row

    # Showing

    def refresh(self) -> None:
        """Show the session as it stands."""
        analysis = self.session.analysis
        if not self.session.running:
            self._busy_timer.stop()
            self.busy.hide()
        if analysis is None:
            self.without = ""
        shown = self._shown(analysis)
        stale = analysis is not None and bool(self.session.stale)
        words, status = self._verdict(analysis, shown)
        self.verdict.setText(words)
        self.verdict_icon.set_status(status, words)
        self.missing.setText(self._lacking.words(shown))
        self.missing.setToolTip(self._lacking.tip())
        self._show_bars(bar_rows(analysis, shown), stale)
        self._show_facts(analysis, stale)
        self.law.setText(verdicts.basis_words(analysis) if analysis is not None else self.session.edition())
        self.law.setAccessibleName(self.tr("Basis and edition: {}").format(self.law.text()))

    def started(self) -> None:
        """A run has begun: old figures turn grey, and a line shows after a moment."""
        self.busy.setValue(0)
        self._busy_timer.start()
        self.refresh()

    def progressed(self, percent: float) -> None:
        """How far the run is."""
        self.busy.setValue(int(percent))

    def ended(self) -> None:
        """A run is over, whatever came of it."""
        self.refresh()

    def _shown(self, analysis: Optional[Analysis]) -> Optional[figures.Figures]:
        if analysis is None or not self.without:
            return analysis
        return analysis.alternatives.get(self.without, analysis)

    def _verdict(self, analysis: Optional[Analysis], shown: Optional[figures.Figures]) -> tuple[str, str]:
        blocked = self._blocked()
        if blocked is not None:
            return blocked
        if analysis is None or shown is None:
            return self._waiting(), "note"
        words = verdicts.verdict_words(analysis, shown)
        status = "fail" if verdicts.lacks_basis(analysis) is not None else shown.verdict
        if isinstance(shown, Alternative):
            words = self.tr("Without section {}: {}").format(self.without[-1:], words)
        return words, status

    def _blocked(self) -> Optional[tuple[str, str]]:
        """What stands in the way of a run: no layer, no boundary, no rate, or inputs that cannot be used."""
        if self.session.layer("parcels") is None and self.session.analysis is None:
            return self.tr("No parcels yet"), "note"
        if self.session.layer("territory") is None and self.session.analysis is None:
            return self.tr("No boundary yet"), "note"
        rates = verdicts.missing_rates(self.session.rates())
        # One town alone needs no rate: the analysis, where there is one, has the word then.
        if rates and (self.session.analysis is None or self.session.problems):
            return rates, "fail"
        if self.session.problems:
            return self.tr("Blocked: an input is refused"), "fail"
        return None

    def _waiting(self) -> str:
        if self.session.running:
            return self.tr("Reading the roll")
        return self.tr("Not ready yet")

    # Bars

    def _show_bars(self, rows: Sequence[BarRow], stale: bool) -> None:
        while len(self.rows) < len(rows):
            self.rows.append(BarWidgets(self.bars, self.grid, len(self.rows) + 1))
        for number, widgets in enumerate(self.rows):
            for widget in widgets.widgets():
                widget.setVisible(number < len(rows))
            if number < len(rows):
                widgets.show_row(rows[number], stale)
        self.heads[0].setText(self.tr("Old figures") if stale else self.tr("Signed share"))
        self.bars_scroll.fit(len(rows))

    def _show_facts(self, analysis: Optional[Analysis], stale: bool) -> None:
        for icon, label in ((self.area_icon, self.area), (self.people_icon, self.people)):
            icon.setVisible(analysis is not None)
            icon.set_faded(stale)
            fonts.write(label, points=-1, color=theme.muted_color(self) if stale else None)
        self.area.setText("" if analysis is None else figures.area_words(analysis))
        self.people.setText("" if analysis is None else figures.people_words(analysis))
        if analysis is not None:
            for icon, label, test_id in (
                (self.area_icon, self.area, "area"),
                (self.people_icon, self.people, "population"),
            ):
                test = figures.test_of(analysis, test_id)
                icon.set_status("note" if test is None else test.status)
                label.setToolTip("" if test is None else "\n".join((test.reason, test.citation)))
        self.findings.setText(figures.findings_words(analysis))
        self.findings.setIcon(icons.status_icon(figures.findings_status(analysis), self))

    # Menu

    def _show_menu(self, at: QPoint) -> None:
        self.menu().exec(self.mapToGlobal(at))

    def menu(self) -> QMenu:
        """Copy the figures, or see them without a roll section."""
        menu = QMenu(self)
        analysis = self.session.analysis
        copy = menu.addAction(self.tr("&Copy Figures"))
        copy.setEnabled(analysis is not None)
        copy.triggered.connect(self.copy_figures)
        for section in ("8", "5"):
            name = f"without_roll_section_{section}"
            action = menu.addAction(self.tr("Show Without Section &{}").format(section))
            action.setCheckable(True)
            action.setChecked(self.without == name)
            action.setEnabled(analysis is not None and name in analysis.alternatives)
            action.triggered.connect(lambda on, name=name: self.show_without(name if on else ""))
        menu.addSeparator()
        menu.addAction(self.tr("&What Is This")).triggered.connect(self._explain)
        return menu

    def show_without(self, name: str) -> None:
        """Show the figures without a roll section, or all of them again for ""."""
        self.without = name
        self.refresh()

    def copy_figures(self) -> None:
        """Put the verdict and the bars on the clipboard as text."""
        QApplication.clipboard().setText(self.figures_text())

    def figures_text(self) -> str:
        """The verdict and the bars as lines of text with tabs."""
        analysis = self.session.analysis
        lines = [self.verdict.text()]
        for row in bar_rows(analysis, self._shown(analysis)):
            threshold = None if row.test is None else row.test.threshold
            lines.append("\t".join((row.label, figures.percent(row.now, threshold), row.missing)))
        lines += [self.area.text(), self.people.text()]
        return "\n".join(line for line in lines if line)

    def _explain(self) -> None:
        QWhatsThis.showText(
            self.mapToGlobal(self.rect().center()),
            self.tr(
                "Each bar shows the signed share of one town part, of the whole territory, and of the qualified "
                "voters. "
                "The tick is the share that the law asks for. Dots run from the least to the most that undecided items "
                "allow. Roll sections 8 and 5 count; without them shows what would change if they did not."
            ),
            self,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The line of a run lies along the lower edge and takes no room of its own."""
        super().resizeEvent(event)
        self.busy.setGeometry(1, self.height() - BUSY_HEIGHT - 1, self.width() - 2, BUSY_HEIGHT)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the theme: links carry a colour in their text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_busy_timer"):
            self.refresh()
