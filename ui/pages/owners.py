"""The Owners page: whose signature brings most, and what became of every signature line."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any, Optional

from qgis.core import QgsGeometry
from qgis.gui import QgsFilterLineEdit
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QComboBox, QGroupBox, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from ...core.model import Analysis, ParcelKey, Part, SignerLine, SignerResult
from ...core.schema import fold
from .. import figures, fonts, icons, places
from ..models import Column, RowModel
from .form import narrow
from .page import EmptyText, Page, RowTable

PARCELS_IN_TIP = 8
HALVES = {2: "½", 3: "⅓", 4: "¼"}
Signer = tuple[SignerResult, Optional[SignerLine]]
Holding = tuple[ParcelKey, Optional[int]]
"""A parcel, and how many owners it has; None where they are not known."""


class OwnersPage(Page):
    """Who to sign next, and the signers."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(session, iface, parent)
        self._holdings: Optional[dict[str, list[Holding]]] = None
        self.outline = places.Outline(iface.mapCanvas(), self)
        self.box.addWidget(self._next_group())
        self.box.addWidget(self._signers_group())
        self.box.addStretch(1)

    # Building

    def _next_group(self) -> QGroupBox:
        self.next = QGroupBox(self.tr("Who to Sign Next"), self.body)
        box = QVBoxLayout(self.next)
        box.setContentsMargins(6, 6, 6, 6)
        self.next_empty = EmptyText("", self.next)
        box.addWidget(self.next_empty)
        self.part = QComboBox(self.next)
        self.part.setAccessibleName(self.tr("Town part"))
        self.part.setToolTip(self.tr("The town part whose value is to be signed for, the worst one first."))
        narrow(self.part)
        self.part.currentIndexChanged.connect(self._show_next)
        line = QHBoxLayout()
        self.show_button = QToolButton(self.next)
        self.show_button.setAutoRaise(True)
        self.show_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_button.setAccessibleName(self.tr("Show on Map"))
        self.show_button.setToolTip(self.tr("Show the lots of the chosen owner in this part on the map. Enter"))
        self.show_button.clicked.connect(self.zoom)
        line.addWidget(self.part, 1)
        line.addWidget(self.show_button)
        box.addLayout(line)
        model = RowModel(
            (
                Column(self.tr("Owner, not signed"), self._owner_words, tip=self._owner_tip),
                Column(self.tr("Lots"), lambda row: figures.count(row.lots), key=lambda row: row.lots, right=True),
                Column(
                    self.tr("Adds $"),
                    lambda row: figures.count(int(row.adds)),
                    key=lambda row: row.adds,
                    right=True,
                    tip=lambda row: f"{row.adds.numerator}/{row.adds.denominator}",
                ),
                Column(
                    self.tr("Part then"),
                    lambda row: figures.percent(row.share_then, self._threshold()),
                    key=lambda row: row.share_then,
                    status=self._then_status,
                    tip=lambda row: self.tr("Signed share of the part with this signature more."),
                ),
            ),
            self,
        )
        self.next_table = RowTable(model, self.tr("Who to sign next"), self.next, lines=4)
        self.next_table.sort_by(2, Qt.SortOrder.DescendingOrder)
        self.next_table.entered_row.connect(lambda _: self.zoom())
        self.next_table.current_row.connect(lambda row: self.show_button.setEnabled(row is not None))
        box.addWidget(self.next_table)
        self.next_words = QLabel(self.next)
        self.next_words.setWordWrap(True)
        fonts.write(self.next_words, points=-1)
        box.addWidget(self.next_words)
        return self.next

    def _signers_group(self) -> QGroupBox:
        group = QGroupBox(self.tr("Signers"), self.body)
        box = QVBoxLayout(group)
        box.setContentsMargins(6, 6, 6, 6)
        self.signers_empty = EmptyText(
            self.tr("No signatures yet. Choose a table of signers on the Layers page."), group
        )
        box.addWidget(self.signers_empty)
        row = QHBoxLayout()
        self.text = QgsFilterLineEdit(group)
        self.text.setShowSearchIcon(True)
        self.text.setPlaceholderText(self.tr("Name, page or address"))
        self.text.setAccessibleName(self.text.placeholderText())
        self.text.textChanged.connect(self._filter)
        self.status = QComboBox(group)
        self.status.setAccessibleName(self.tr("Status"))
        self.status.setToolTip(self.tr("Which signature lines the table shows."))
        narrow(self.status)
        self.status.currentIndexChanged.connect(self._filter)
        row.addWidget(self.text, 3)
        row.addWidget(self.status, 2)
        box.addLayout(row)
        model = RowModel(
            (
                Column(self.tr("Line"), lambda row: f"{row[0].page}/{row[0].line}", key=_place, tip=self._line_tip),
                Column(self.tr("Name"), lambda row: row[0].name, tip=self._line_tip),
                Column(
                    self.tr("Status"),
                    lambda row: _status(row)[0],
                    status=lambda row: _status(row)[1],
                    tip=self._status_tip,
                ),
                Column(
                    self.tr("Credit $"),
                    lambda row: figures.decimal(_credit(row), 2),
                    key=_credit,
                    right=True,
                    tip=self._credit_tip,
                ),
            ),
            self,
        )
        self.signers = RowTable(model, self.tr("Signers"), group, lines=8)
        self.signers.set_stretch(1)
        self.signers.sort_by(0, Qt.SortOrder.AscendingOrder)
        box.addWidget(self.signers)
        return group

    # Showing

    def refresh(self) -> None:
        """Show who to sign next and the signers of the last analysis."""
        analysis = self.session.analysis
        self._holdings = None
        self.show_button.setIcon(icons.icon("zoom", self))
        self._show_parts(analysis)
        self._show_signers(analysis)

    def _show_parts(self, analysis: Optional[Analysis]) -> None:
        chosen = self.part.currentData()
        parts = [] if analysis is None or not analysis.signers else figures.worst_first(analysis.parts)
        self.part.blockSignals(True)
        self.part.clear()
        for part in parts:
            self.part.addItem(self._part_words(analysis, part), part.swis)
        at = self.part.findData(chosen)
        self.part.setCurrentIndex(at if at >= 0 else 0)
        self.part.blockSignals(False)
        words = self.tr("No figures yet. They appear once there is a boundary.")
        if analysis is not None:
            words = self.tr("No figures yet. They appear once there are signers.")
        self.next_empty.setText(words)
        self.next_empty.setVisible(not parts)
        for widget in (self.part, self.show_button, self.next_table, self.next_words):
            widget.setVisible(bool(parts))
        self._show_next()

    def _part_words(self, analysis: Analysis, part: Part) -> str:
        missing = figures.missing_of(analysis, part)
        if missing is not None and missing.high:
            return self.tr("{} part, {} missing").format(part.town, figures.dollars(missing.high))
        return self.tr("{} part, {}").format(part.town, figures.percent(part.share, self._threshold()))

    def _part(self) -> Optional[Part]:
        analysis, swis = self.session.analysis, self.part.currentData()
        return None if analysis is None else next((part for part in analysis.parts if part.swis == swis), None)

    def _threshold(self) -> Optional[Fraction]:
        analysis = self.session.analysis
        test = None if analysis is None else figures.test_of(analysis, figures.OVERALL_TEST)
        return None if test is None else test.threshold

    def _then_status(self, row: Any) -> str:
        part = self._part()
        test = None if part is None else figures.part_test(self.session.analysis, part)
        if test is None or test.threshold is None or row.share_then is None:
            return "note"
        enough = row.share_then > test.threshold or (test.comparison == ">=" and row.share_then == test.threshold)
        return "pass" if enough else "fail"

    def _show_next(self) -> None:
        part, analysis = self._part(), self.session.analysis
        rows = [] if part is None else list(self.session.next_signers(part.swis))
        chosen = self.next_table.current()
        self.next_table.rows.set_rows(rows)
        if chosen is not None:
            self.next_table.choose(lambda row: row.name == chosen.name)
        if part is not None and analysis is not None:
            self.next_words.setText(self._fewest_words(analysis, part, rows))
        self.show_button.setEnabled(self.next_table.current() is not None)

    def zoom(self) -> None:
        """Show the lots of the chosen owner in this part on the map, outlined for three seconds."""
        row, analysis = self.next_table.current(), self.session.analysis
        if row is None or analysis is None:
            return
        shapes = [places.place_of(analysis, *key) for key, _ in self._lots(row)]
        shape = QgsGeometry.collectGeometry([shape for shape in shapes if not shape.isNull()])
        if places.zoom_to(self.iface.mapCanvas(), shape, places.crs_of(analysis)):
            self.outline.show(shape, places.crs_of(analysis), fleeting=True)

    def _lots(self, row: Any) -> list[Holding]:
        """What an owner holds in the part that is shown."""
        part = self._part()
        held = self._held().get(fold(row.name), [])
        return [holding for holding in held if part is not None and holding[0][0][:4] == part.swis[:4]]

    def _owner_words(self, row: Any) -> str:
        """A name, with "½" where each lot has one other owner: by equal division, half of it is credited."""
        owners = {count for _, count in self._lots(row)}
        number = owners.pop() if len(owners) == 1 else None
        return row.name if number is None or number < 2 else f"{row.name} {HALVES.get(number, f'1/{number}')}"

    def _owner_tip(self, row: Any) -> str:
        return "\n".join([row.name, *self._holding_lines(self._lots(row))])

    def _fewest_words(self, analysis: Analysis, part: Part, rows: list[Any]) -> str:
        test = figures.part_test(analysis, part)
        missing = figures.missing_of(analysis, part)
        if test is not None and test.status == "not_applicable":
            return test.reason
        if test is None or missing is None or test.status == "pass":
            return self.tr("This part has enough: no further signature is needed.") if test is not None else ""
        if not missing.low:
            return self.tr("Settle the undecided parcels first: the part may already have enough.")
        number = figures.fewest(analysis, part, rows)
        if number is None:
            return self.tr("All owners that have not signed are too few: the boundary has to change.")
        return self.tr("Fewest further signatures: {}. Any owners adding {} or more are enough.").format(
            figures.count(number), figures.dollars(missing.high)
        )

    def _show_signers(self, analysis: Optional[Analysis]) -> None:
        lines = {(line.page, line.line, line.name): line for line in self.session.signer_lines()}
        results = () if analysis is None else analysis.signers
        rows: list[Signer] = [(signer, lines.get((signer.page, signer.line, signer.name))) for signer in results]
        counts = Counter(_status(row)[0] for row in rows)
        chosen = self.status.currentData()
        self.status.blockSignals(True)
        self.status.clear()
        self.status.addItem(self.tr("All ({})").format(figures.count(len(rows))), "")
        for word in sorted(counts):
            self.status.addItem(f"{word} ({figures.count(counts[word])})", word)
        self.status.setCurrentIndex(max(0, self.status.findData(chosen)))
        self.status.blockSignals(False)
        self.signers_empty.setVisible(not rows)
        for widget in (self.text, self.status, self.signers):
            widget.setVisible(bool(rows))
        before = self.signers.current()
        self.signers.rows.set_rows(rows)
        self._filter()
        if before is not None:
            self.signers.choose(lambda row: _place(row) == _place(before))

    def _filter(self) -> None:
        word, text = self.status.currentData(), self.text.text().strip().casefold()

        def wanted(row: Signer) -> bool:
            return (not word or _status(row)[0] == word) and (not text or text in _searchable(row))

        self.signers.rows.set_filter(wanted)

    def choose_owner(self, owner: str) -> bool:
        """Choose an owner under Who to Sign Next, in the worst part; False where the owner is not listed."""
        self.fresh()
        self.part.setCurrentIndex(0)
        found = self.next_table.choose(lambda row: row.name == owner)
        self.next_table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensureWidgetVisible(self.next_table)
        return found

    # Tooltips

    def _line_tip(self, row: Signer) -> str:
        line = row[1]
        if line is None:
            return row[0].name
        return "\n".join(text for text in (row[0].name, f"{line.address}, {line.town}", line.date) if text.strip(", "))

    def _status_tip(self, row: Signer) -> str:
        signer, line = row
        if signer.status == "duplicate":
            counted = next(
                (
                    other
                    for other, _ in self.signers.rows.all_rows()
                    if other.status == "credited" and fold(other.name) == fold(signer.name)
                ),
                None,
            )
            if counted is not None:
                return self.tr("Counted once, on page {} line {}.").format(counted.page, counted.line)
        if signer.status == "struck" and line is not None:
            return self.tr("Struck: {}").format(line.struck)
        return {
            "credited": self.tr("Credited with the owner's equal part of each parcel."),
            "not_owner": self.tr("This name owns nothing that is counted inside."),
            "incomplete": self.tr("The line lacks a name, an address or a town."),
        }.get(signer.status, _status(row)[0])

    def _credit_tip(self, row: Signer) -> str:
        credit = _credit(row)
        lines = [f"{credit.numerator}/{credit.denominator}"]
        if row[0].status == "credited":
            lines += self._holding_lines(self._held().get(fold(row[0].name), []))
        return "\n".join(lines)

    def _holding_lines(self, held: list[Holding]) -> list[str]:
        lines = []
        for key, owners in held[:PARCELS_IN_TIP]:
            words = self.tr("owners unknown") if owners is None else None
            words = words or figures.either(owners or 0, self.tr("{} owner"), self.tr("{} owners"))
            lines.append(f"{key[0]} {key[1]}, {words}")
        if len(held) > PARCELS_IN_TIP:
            lines.append(self.tr("and {} more").format(figures.count(len(held) - PARCELS_IN_TIP)))
        return lines

    def _held(self) -> dict[str, list[Holding]]:
        """Which parcels each owner holds, made once an analysis and only when asked for."""
        if self._holdings is None:
            held: dict[str, list[Holding]] = defaultdict(list)
            analysis = self.session.analysis
            for key, ownership in ({} if analysis is None else analysis.ownership).items():
                for name in ownership.names:
                    held[fold(name)].append((key, ownership.count))
            self._holdings = held
        return self._holdings

    def tear_down(self) -> None:
        """Leave nothing on the map."""
        self.outline.tear_down()


def _place(row: Signer) -> tuple[int, int, str]:
    return row[0].page, row[0].line, row[0].name


def _credit(row: Signer) -> Fraction:
    return sum(row[0].credits.values(), Fraction(0))


def _status(row: Signer) -> tuple[str, str]:
    return figures.signer_status(row[0].status, "" if row[1] is None else row[1].struck)


def _searchable(row: Signer) -> str:
    signer, line = row
    address = "" if line is None else f"{line.address} {line.town}"
    return f"{signer.page}/{signer.line} {signer.name} {address}".casefold()
