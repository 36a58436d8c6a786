"""The Packet page: which law, when it is filed, and everything that a petition needs, item by item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from qgis.PyQt.QtCore import QDate, Qt
from qgis.PyQt.QtGui import QFont, QKeyEvent, QKeySequence
from qgis.PyQt.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from ...core.model import Analysis, Requirement, TestResult
from .. import figures, fonts, icons, theme, verdicts
from .form import narrow
from .page import EmptyText, Page, Problem

SECTION = "§ "
PREFIX = f"{SECTION}2-202(1)"
PAGE_ROLE = Qt.ItemDataRole.UserRole
STATUS_ROLE = Qt.ItemDataRole.UserRole + 1
TREE_LINES = 10
CELL_MARGIN = 10


@dataclass(frozen=True)
class Item:
    """One line of the checklist: what it asks for, how it stands, and the page that settles it."""

    title: str
    status: str
    reason: str
    citation: str
    page: str


class PacketPage(Page):
    """Law and filing, and the checklist."""

    def __init__(self, session: Any, iface: Any, parent: Optional[QWidget] = None) -> None:
        super().__init__(session, iface, parent)
        self.box.addWidget(self._law_group())
        self.empty = EmptyText(
            self.tr("No checklist yet. It appears with the first analysis: choose the layers on the Layers page."),
            self.body,
        )
        self.box.addWidget(self.empty)
        self.box.addWidget(self._tree(), 1)
        self.box.addStretch(0)

    # Building

    def _law_group(self) -> QGroupBox:
        group = QGroupBox(self.tr("Law and Filing"), self.body)
        grid = QGridLayout(group)
        grid.setContentsMargins(6, 6, 6, 6)
        grid.setColumnStretch(1, 1)
        self.edition = QComboBox(group)
        narrow(self.edition)
        self.edition.setToolTip(
            self.tr("The text of the law that every test and every citation follows. It never changes by itself.")
        )
        label = QLabel(self.tr("&Edition"), group)
        label.setBuddy(self.edition)
        self.edition.currentIndexChanged.connect(lambda: self.session.set_edition(self.edition.currentData()))
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.edition, 0, 1)
        self.bases = {
            "valuation": QCheckBox(self.tr("O&wners"), group),
            "voters": QCheckBox(self.tr("&Voters"), group),
        }
        row = QHBoxLayout()
        for box in self.bases.values():
            box.clicked.connect(self._basis_clicked)
            row.addWidget(box)
        row.addStretch(1)
        grid.addWidget(QLabel(self.tr("Basis"), group), 1, 0)
        grid.addLayout(row, 1, 1)
        self.basis_words = Problem(group)
        grid.addWidget(self.basis_words, 2, 1)
        self.is_filed = QCheckBox(self.tr("&Filed"), group)
        self.is_filed.setToolTip(self.tr("Whether the petition has been filed. Deadlines count from that day."))
        self.is_filed.clicked.connect(self._filed_changed)
        self.filed = QDateEdit(group)
        self.filed.setCalendarPopup(True)
        self.filed.setDisplayFormat("yyyy-MM-dd")
        self.filed.setAccessibleName(self.tr("Date of filing"))
        self.filed.setKeyboardTracking(False)
        self.filed.dateChanged.connect(self._filed_changed)
        self.not_filed = QLabel(self.tr("not filed"), group)
        line = QHBoxLayout()
        line.addWidget(self.filed)
        line.addWidget(self.not_filed)
        line.addStretch(1)
        grid.addWidget(self.is_filed, 3, 0)
        grid.addLayout(line, 3, 1)
        return group

    def _tree(self) -> QTreeWidget:
        self.tree = CheckTree(self.body)
        self.tree.setColumnCount(3)
        self.tree.setHeaderLabels([self.tr("Item"), PREFIX, self.tr("Do")])
        self.tree.setAccessibleName(self.tr("Checklist"))
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(10)
        fonts.write(self.tree, points=-0.5)
        head = self.tree.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        # The items need the room: a citation of another section is cut, and whole in its tooltip.
        self.tree.ensurePolished()
        self._link_font = QFont(self.tree.font())
        self._link_font.setUnderline(True)
        words = self.tree.fontMetrics()
        for column, widest in ((1, PREFIX), (2, self.tr("Boundary"))):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            head.resizeSection(column, words.horizontalAdvance(widest) + CELL_MARGIN)
        self.tree.setMinimumHeight(TREE_LINES * (self.fontMetrics().height() + 4))
        self.tree.itemActivated.connect(lambda item, _: self._go(item))
        self.tree.itemClicked.connect(lambda item, column: self._go(item) if column == 2 else None)
        return self.tree

    # Changing

    def _basis_clicked(self) -> None:
        known = verdicts.edition_bases(self.session.edition())
        bases = [basis for basis, box in self.bases.items() if box.isChecked() and basis in known]
        if bases:
            self.session.set_petition({**self.session.petition(), "bases": bases})
        self._show_bases()

    def _filed_changed(self) -> None:
        petition = dict(self.session.petition())
        if self.is_filed.isChecked():
            petition["filed"] = self.filed.date().toString(Qt.DateFormat.ISODate)
        else:
            petition.pop("filed", None)
        if petition != dict(self.session.petition()):
            self.session.set_petition(petition)
        self._show_filed()

    def _go(self, item: QTreeWidgetItem) -> None:
        page = item.data(0, PAGE_ROLE)
        if page:
            self.pageRequested.emit(page)

    # Showing

    def refresh(self) -> None:
        """Show the law chosen and how every item stands."""
        self._show_editions()
        self._show_bases()
        self._show_filed()
        analysis = self.session.analysis
        self.empty.setVisible(analysis is None)
        self.tree.setVisible(analysis is not None)
        self.tree.clear()
        if analysis is not None:
            self._show_checklist(analysis)

    def _show_editions(self) -> None:
        self.edition.blockSignals(True)
        if self.edition.count() != len(self.session.editions()):
            self.edition.clear()
            for edition in self.session.editions():
                self.edition.addItem(verdicts.edition_words(edition), edition)
        self.edition.setCurrentIndex(self.edition.findData(self.session.edition()))
        self.edition.blockSignals(False)

    def _show_bases(self) -> None:
        edition = self.session.edition()
        known = verdicts.edition_bases(edition)
        alleged = self._alleged(known)
        lacking = []
        for basis, box in self.bases.items():
            box.setEnabled(basis in known)
            box.setChecked(basis in alleged and basis in known)
            box.setToolTip(
                self.tr("Whether the petition alleges this basis. A petition alleges one or both; they never add.")
            )
            if basis not in known:
                words = (
                    self.tr("The {} edition has no owners' basis.")
                    if basis == "valuation"
                    else self.tr("The {} edition has no voters' basis.")
                ).format(edition)
                lacking.append(words)
                box.setToolTip(words)
        self.basis_words.show_problem(" ".join(lacking), "note")

    def _alleged(self, known: Sequence[str]) -> Sequence[str]:
        stated = self.session.petition().get("bases")
        if stated:
            return list(stated)
        return ["valuation"] if "valuation" in known else ["voters"]

    def _show_filed(self) -> None:
        text = str(self.session.petition().get("filed") or "")
        day = QDate.fromString(text, Qt.DateFormat.ISODate)
        for widget in (self.is_filed, self.filed):
            widget.blockSignals(True)
        self.is_filed.setChecked(day.isValid())
        if day.isValid():
            self.filed.setDate(day)
        self.filed.setVisible(day.isValid())
        self.not_filed.setVisible(not day.isValid())
        for widget in (self.is_filed, self.filed):
            widget.blockSignals(False)

    def _show_checklist(self, analysis: Analysis) -> None:
        for title, items in self._groups(analysis):
            if not items:
                continue
            counted = [item for item in items if item.status != "not_applicable"]
            done = sum(item.status == "pass" for item in counted)
            words = self.tr("{}  {} of {}").format(title, figures.count(done), figures.count(len(counted)))
            group = QTreeWidgetItem([words if counted else title, "", ""])
            font = group.font(0)
            font.setBold(True)
            group.setFont(0, font)
            self.tree.addTopLevelItem(group)
            group.setFirstColumnSpanned(True)
            for item in items:
                group.addChild(self._line(item))
            group.setExpanded(True)

    def _line(self, item: Item) -> QTreeWidgetItem:
        # An item that is met needs no more than its title; another one says at once how it stands.
        words = item.title if item.status == "pass" or not item.reason else f"{item.title}: {item.reason}"
        open_item = item.status in ("fail", "undecided")
        line = QTreeWidgetItem(
            [words, subdivision(item.citation), self._page_words(item.page) if open_item and item.page else ""]
        )
        line.setIcon(0, icons.status_icon(item.status, self))
        line.setToolTip(0, f"{item.title}\n{item.reason}".strip())
        line.setToolTip(1, item.citation)
        line.setData(0, PAGE_ROLE, item.page)
        line.setData(0, STATUS_ROLE, item.status)
        line.setForeground(2, theme.text_color(theme.PASS, self))
        line.setFont(2, self._link_font)
        return line

    def _page_words(self, page: str) -> str:
        return {
            "layers": self.tr("Layers"),
            "boundary": self.tr("Boundary"),
            "parcels": self.tr("Parcels"),
            "owners": self.tr("Owners"),
            "voters": self.tr("Voters"),
            "packet": "",
        }[page]

    def _groups(self, analysis: Analysis) -> list[tuple[str, list[Item]]]:
        """The checklist in the order of a petition, from tests and requirements."""
        groups: dict[str, list[Item]] = {
            "signatures": [],
            "contents": [],
            "exhibits": [],
            "certifications": [],
            "filing": [],
            "deadlines": [],
        }
        for test in analysis.tests:
            name = "signatures" if test.id.startswith(figures.BASES) else "contents"
            groups[name].append(self._test_item(analysis, test))
        for requirement in analysis.requirements:
            groups[_group_of(requirement.id)].append(self._requirement_item(requirement))
        titles = {
            "signatures": self.tr("Signatures"),
            "contents": self.tr("Contents of Petition"),
            "exhibits": self.tr("Exhibits Before Signatures"),
            "certifications": self.tr("Certifications"),
            "filing": self.tr("Filing"),
            "deadlines": self.tr("Deadlines"),
        }
        return [(titles[name], items) for name, items in groups.items()]

    def _test_item(self, analysis: Analysis, test: TestResult) -> Item:
        towns = {part.swis: part.town for part in analysis.parts}
        if test.id.startswith(figures.PART_TEST):
            swis = test.id[len(figures.PART_TEST) :]
            title, page = self.tr("Owners, {} part").format(towns.get(swis, swis)), "owners"
        else:
            title, page = {
                figures.OVERALL_TEST: (self.tr("Owners, overall"), "owners"),
                "voters": (self.tr("Voters"), "voters"),
                "population": (self.tr("Regular inhabitants"), "voters"),
                "area": (self.tr("Area"), "boundary"),
                "city_village": (self.tr("No city or village"), "boundary"),
            }.get(test.id, (test.id, ""))
        return Item(title, test.status, test.reason, test.citation, page)

    def _requirement_item(self, item: Requirement) -> Item:
        title, page = {
            "name": (self.tr("Name"), "layers"),
            "basis": (self.tr("Basis alleged"), "packet"),
            "population_alleged": (self.tr("Population alleged"), "layers"),
            "area_ground": (self.tr("Area ground alleged"), "layers"),
            "designees": (self.tr("Designees"), "layers"),
            "exhibit.description": (self.tr("Description of the boundary"), "layers"),
            "exhibit.inhabitants": (self.tr("List of regular inhabitants"), "layers"),
            "exhibit.study": (self.tr("Study"), "layers"),
            "signature_pages": (self.tr("Signature pages"), "layers"),
            "certificates": (self.tr("Assessors' certificates"), "parcels"),
            "filing.original": (self.tr("Original"), "layers"),
            "filing.copies": (self.tr("Copies"), "layers"),
            "filing.deposit": (self.tr("Deposit"), "layers"),
        }.get(item.id, (_spoken(item.id), "packet"))
        return Item(title, item.status, item.reason, item.citation, page)


class CheckTree(QTreeWidget):
    """The checklist as a tree; chosen lines are copied as text."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the chosen lines."""
        if event.matches(QKeySequence.StandardKey.Copy):
            lines = ["\t".join(item.text(column) for column in range(2)).strip() for item in self.selectedItems()]
            QApplication.clipboard().setText("\n".join(lines) + "\n")
        else:
            super().keyPressEvent(event)


def subdivision(citation: str) -> str:
    """ "(a)(2)" of "§ 2-202(1)(a)(2)", "2-200(1)" of "§ 2-200(1)"; whatever is no section stays as it is."""
    if citation.startswith(PREFIX) and len(citation) > len(PREFIX):
        return citation[len(PREFIX) :]
    return citation[len(SECTION) :] if citation.startswith(SECTION) else citation


def _group_of(requirement: str) -> str:
    family = requirement.split(".")[0]
    return {
        "exhibit": "exhibits",
        "signature_pages": "certifications",
        "certificates": "certifications",
        "filing": "filing",
        "deadline": "deadlines",
    }.get(family, "contents")


def _spoken(requirement: str) -> str:
    """ "deadline.first_notice" as words, for items that only an edition's data names."""
    return requirement.split(".")[-1].replace("_", " ").capitalize()
