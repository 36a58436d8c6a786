"""The dock of a QGIS that lacks a Python package: it says which and how to get it, and needs none itself."""

from __future__ import annotations

from typing import Optional

from qgis.gui import QgsDockWidget
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from .dependencies import Missing, explain


class MissingDock(QgsDockWidget):
    """Stands in the place of the petition's dock, under the same name."""

    def __init__(self, items: tuple[Missing, ...], parent: Optional[QWidget] = None) -> None:
        super().__init__(_tr("Village Petition"), parent)
        self.setObjectName("VillagePetitionDock")
        page = QWidget(self)
        layout = QVBoxLayout(page)
        self.text = QPlainTextEdit(explain(items), page)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(_tr("Missing packages and how to get them"))
        copy = QPushButton(_tr("&Copy Text"), page)
        copy.setToolTip(_tr("Copy this text, to send it to whoever looks after this computer"))
        copy.clicked.connect(self._copy)
        layout.addWidget(self.text)
        layout.addWidget(copy)
        self.setWidget(page)

    def tear_down(self) -> None:
        """Nothing outside was taken."""

    def _copy(self) -> None:
        QApplication.clipboard().setText(self.text.toPlainText())


def _tr(text: str) -> str:
    return QCoreApplication.translate("VillagePetition", text)
