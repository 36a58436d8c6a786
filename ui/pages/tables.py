"""The tables of a petition on the Layers page: one row a file, with a mark and the number of rows read."""

from __future__ import annotations

import os
from typing import Any

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtWidgets import QGroupBox, QLabel, QWidget

from .. import figures
from ..icons import StatusIcon
from .form import page_grid


class TableRow:
    """A table: label, file by its name alone, mark, and row count. Which folder it lies in says the tooltip."""

    def __init__(self, group: TablesGroup, role: str, words: str, tip: str, kind: str) -> None:
        self.role = role
        self._session = group.session
        self._tip = tip
        self.file = QgsFileWidget(group)
        self.file.setStorageMode(QgsFileWidget.StorageMode.GetFile)
        self.file.setRelativeStorage(QgsFileWidget.RelativeStorage.RelativeDefaultPath)
        self.file.setFilter(kind)
        self.file.setMinimumWidth(80)
        self.label, self.mark, self.number = QLabel(words, group), StatusIcon(group), QLabel(group)
        self.label.setToolTip(self._tip)
        self.label.setBuddy(self.file.lineEdit())
        self.file.lineEdit().setAccessibleName(words.replace("&", ""))
        self.number.setMinimumWidth(group.fontMetrics().horizontalAdvance("0,000"))
        self.file.fileChanged.connect(self._chosen)

    def widgets(self) -> tuple[QWidget, ...]:
        """From left to right."""
        return (self.label, self.file, self.mark, self.number)

    def _chosen(self, text: str) -> None:
        root = self.file.defaultRoot()
        path = os.path.normpath(os.path.join(root, text)) if text and root else text
        if path != self._session.table_path(self.role):
            self._session.set_table(self.role, path)

    def show_session(self, root: str) -> None:
        """Show what the session holds; `root` is where a file is looked for while there is none."""
        path, count = self._session.table_path(self.role), self._session.table_count(self.role)
        self.file.blockSignals(True)
        self.file.setDefaultRoot(os.path.dirname(path) or root)
        if self.file.filePath() != os.path.basename(path):
            self.file.setFilePath(os.path.basename(path))
            self.file.lineEdit().setCursorPosition(0)
        self.file.blockSignals(False)
        self.file.setToolTip("\n".join(text for text in (self._tip, path) if text))
        read = count is not None or (self.role == "petition" and bool(path))
        self.mark.set_status("note" if not path else "pass" if read else "fail")
        self.number.setText("" if count is None else figures.count(count))


class TablesGroup(QGroupBox):
    """All tables."""

    def __init__(self, session: Any, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Tables"))
        self.session = session
        grid = page_grid(self)
        tables = self.tr("Tables (*.csv *.CSV)")
        self.rows: dict[str, TableRow] = {}
        for role, words, tip in (
            (
                "owners",
                self.tr("Own&ers"),
                self.tr("Every owner of every parcel; without it the roll's owners are taken."),
            ),
            ("signers", self.tr("Signers"), self.tr("The lines of the signature pages, as they were signed.")),
            (
                "inhabitants",
                self.tr("In&habitants"),
                self.tr("The list of regular inhabitants. It is an exhibit in every petition (c)(2)."),
            ),
            (
                "unmapped",
                self.tr("No pol&ygon"),
                self.tr("Roll rows without polygon, such as special franchises, each with its value inside."),
            ),
            (
                "overrides",
                self.tr("Overrides"),
                self.tr("The assessor's own figures for parcels that the line cuts."),
            ),
            ("rates", self.tr("Rates"), self.tr("The equalization rate of each town; it fills the table above.")),
            (
                "petition",
                self.tr("Petition details"),
                self.tr("Name, basis, designees, pages and filing; the checklist on the Packet page reads them."),
            ),
        ):
            kind = self.tr("Petition details (*.json *.JSON)") if role == "petition" else tables
            row = self.rows[role] = TableRow(self, role, words, tip, kind)
            line = grid.rowCount()
            for column, widget in enumerate(row.widgets()):
                grid.addWidget(widget, line, column)

    def show_session(self) -> None:
        """Show the files and counts of the session."""
        folders = (os.path.dirname(self.session.table_path(role)) for role in self.rows)
        root = next((folder for folder in folders if folder), "")
        for row in self.rows.values():
            row.show_session(root)
