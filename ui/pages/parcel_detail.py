"""The parcel that is chosen on the Parcels page: drawn with the line, and reckoned in land, improvement and total."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QGridLayout, QGroupBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ...core.figures import half_up
from ...core.model import Parcel
from .. import figures, fonts, icons
from ..writers import is_result

PREVIEW = QSize(118, 112)
PREVIEW_MARGIN = 1.25


class ParcelDetail(QGroupBox):
    """Whole and inside of one parcel, and one sentence why. Out of sight without a parcel."""

    zoomRequested = pyqtSignal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        box = QVBoxLayout(self)
        box.setContentsMargins(4, 4, 4, 4)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.preview = QgsMapCanvas(self)
        self.preview.setFixedSize(PREVIEW)
        self.preview.setCanvasColor(Qt.GlobalColor.white)
        self.preview.setFrameShape(QFrame.Shape.StyledPanel)
        self.preview.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.preview.setAccessibleName(self.tr("Drawing of the parcel"))
        self.preview.enableAntiAliasing(True)
        # What is chosen on the map stays hatched or plain here, and its neighbours' labels would cover it.
        hidden = QgsMapSettings.Flag.DrawSelection | QgsMapSettings.Flag.DrawLabeling
        self.preview.setMapSettingsFlags(self.preview.mapSettings().flags() & ~hidden)
        # The preview looks only: its wheel and its drags would scroll away from the parcel.
        self.preview.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignTop)
        right = QVBoxLayout()
        grid = QGridLayout()
        grid.setHorizontalSpacing(3)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        for column, words in ((1, self.tr("Whole")), (2, self.tr("Inside"))):
            grid.addWidget(_number(words, self, bold=True), 0, column)
        self.amounts: dict[str, tuple[QLabel, QLabel]] = {}
        for name, words in (
            ("share", self.tr("Share by area")),
            ("land", self.tr("Land")),
            ("improvement", self.tr("Improvement")),
            ("total", self.tr("Total")),
        ):
            line = grid.rowCount()
            bold = name == "total"
            head = _number(words, self, bold)
            head.setAlignment(Qt.AlignmentFlag.AlignLeft)
            whole, inside = _number("", self, bold), _number("", self, bold)
            for column, label in enumerate((head, whole, inside)):
                grid.addWidget(label, line, column)
            self.amounts[name] = (whole, inside)
        right.addLayout(grid)
        self.why = QLabel(self)
        self.why.setWordWrap(True)
        fonts.write(self.why, points=-0.8)
        right.addWidget(self.why)
        right.addStretch(1)
        row.addLayout(right, 1)
        box.addLayout(row)
        buttons = QHBoxLayout()
        self.zoom_button = QPushButton(icons.icon("zoom", self), self.tr("&Zoom"), self)
        self.zoom_button.setToolTip(self.tr("Show this parcel on the map. Enter"))
        self.zoom_button.clicked.connect(self.zoomRequested)
        buttons.addWidget(self.zoom_button)
        buttons.addStretch(1)
        box.addLayout(buttons)

    def show_parcel(
        self,
        parcel: Optional[Parcel],
        shape: QgsGeometry,
        crs: QgsCoordinateReferenceSystem,
        buildings: Optional[QgsVectorLayer] = None,
    ) -> None:
        """Show a parcel whose polygon is `shape`, a null one where the roll row has no polygon; None shows nothing.

        `buildings` are drawn on top: they decide where the improvement goes.
        """
        self.setVisible(parcel is not None)
        if parcel is None:
            return
        self.setTitle(", ".join(text for text in (parcel.print_key, parcel.address) if text))
        self._show_amounts(parcel)
        self.why.setText(self._why(parcel))
        self.zoom_button.setEnabled(not shape.isNull())
        self.preview.setVisible(not shape.isNull())
        if not shape.isNull():
            self.preview.setDestinationCrs(crs)
            self.preview.setLayers([*([] if buildings is None else [buildings]), *_result_layers()])
            box = QgsRectangle(shape.boundingBox())
            box.scale(PREVIEW_MARGIN)
            self.preview.setExtent(box)
            self.preview.refresh()

    def _show_amounts(self, parcel: Parcel) -> None:
        land, improvement = _inside_of(parcel)
        built = None if parcel.land is None or parcel.value is None else parcel.value - parcel.land
        rows: dict[str, tuple[str, str]] = {
            "share": (
                self.tr("1"),
                "–" if parcel.share is None else figures.decimal(parcel.share, 6),
            ),
            "land": (_amount(parcel.land), _amount(land)),
            "improvement": (_amount(built), _amount(improvement)),
            "total": (_amount(parcel.value), _amount(parcel.inside)),
        }
        for name, texts in rows.items():
            for label, text in zip(self.amounts[name], texts):
                label.setText(text)

    def _why(self, parcel: Parcel) -> str:
        if parcel.method == "land_area_improvement_location":
            built = None if parcel.land is None or parcel.value is None else parcel.value - parcel.land
            inside = _inside_of(parcel)[1]
            if inside == built:
                return self.tr("Building wholly inside: improvement follows it.")
            if inside == 0:
                return self.tr("Building wholly outside: improvement stays outside.")
            return self.tr("Building cut by the line: improvement follows its footprint.")
        if parcel.method == "area_only":
            return self.tr("No building or no land value is known: the whole value goes by area.")
        if parcel.method == "inside_value":
            return self.tr("No polygon: the value inside is the one stated in the table.")
        if parcel.place == "unmapped" and parcel.method is None:
            return self.tr("No polygon, and nobody has said yet how much of it lies inside.")
        return figures.method_words(parcel.method)[1]

    def tear_down(self) -> None:
        """Let go of the layers that are drawn."""
        self.preview.setLayers([])
        self.preview.stopRendering()


def _inside_of(parcel: Parcel) -> tuple[Optional[int], Optional[int]]:
    """Land and improvement inside, in whole dollars that add up to the total; None where the method knows no halves."""
    if parcel.inside is None or parcel.land is None or parcel.share is None or parcel.value is None:
        return None, None
    if parcel.method not in ("whole", "area_only", "land_area_improvement_location") or parcel.land > parcel.value:
        return None, None
    land = half_up(parcel.land * parcel.share)
    land = min(max(land, parcel.inside - (parcel.value - parcel.land)), parcel.inside)
    return land, parcel.inside - land


def _amount(value: Optional[int]) -> str:
    return "–" if value is None else figures.count(value)


def _number(words: str, parent: QWidget, bold: bool = False) -> QLabel:
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    fonts.write(label, bold=bold, points=-0.8)
    return label


def _result_layers() -> list[Any]:
    tree = QgsProject.instance().layerTreeRoot()
    return [layer for layer in tree.layerOrder() if is_result(layer)]
