"""Where things lie: from a result to the map, and the yellow outline that shows the way."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
    QgsWkbTypes,
)
from qgis.gui import QgsMapCanvas, QgsRubberBand
from qgis.PyQt.QtCore import QObject, QTimer
from qgis.PyQt.QtGui import QColor

from ..core.model import Analysis
from . import theme

OUTLINE_MS = 3000
FLASHES, FLASH_MS = 2, 400
MARGIN = 1.3


def crs_of(analysis: Analysis) -> QgsCoordinateReferenceSystem:
    """The working CRS of an analysis, by its code where it has one: only then it equals the project's."""
    known = QgsCoordinateReferenceSystem(analysis.crs) if ":" in analysis.crs else QgsCoordinateReferenceSystem()
    return known if known.isValid() else QgsCoordinateReferenceSystem.fromWkt(analysis.crs_wkt)


def geometry_of(shape: Any) -> QgsGeometry:
    """A shapely geometry as QGIS has it; a null one for None."""
    import shapely

    geometry = QgsGeometry()
    if shape is not None and not shape.is_empty:
        # Shapely's own choice of dimension fails where QGIS has loaded an older GEOS first.
        geometry.fromWkb(shapely.to_wkb(shape, output_dimension=2))
    return geometry


def place_of(analysis: Analysis, swis: str, print_key: str) -> QgsGeometry:
    """The parcel, or the part of its town inside the territory; a null geometry where there is no place."""
    if print_key:
        return geometry_of(analysis.shapes.get((swis, print_key)))
    if swis:
        town = analysis.town_shapes.get(swis[:4], analysis.town_shapes.get(swis))
        if town is not None:
            return geometry_of(town.intersection(analysis.territory_shape))
    return QgsGeometry()


def on_canvas(canvas: QgsMapCanvas, geometry: QgsGeometry, crs: QgsCoordinateReferenceSystem) -> QgsGeometry:
    """A geometry in the CRS of the canvas; a null one where it cannot be brought there."""
    target = canvas.mapSettings().destinationCrs()
    moved = QgsGeometry(geometry)
    if not moved.isNull() and target.isValid() and crs.isValid() and crs != target:
        try:
            moved.transform(QgsCoordinateTransform(crs, target, QgsProject.instance()))
        except QgsCsException:
            return QgsGeometry()
    return moved


def zoom_to(canvas: QgsMapCanvas, geometry: QgsGeometry, crs: QgsCoordinateReferenceSystem) -> bool:
    """Show a geometry with a margin around it; False where it has no place on this map."""
    place = on_canvas(canvas, geometry, crs)
    if place.isNull():
        return False
    box = QgsRectangle(place.boundingBox())
    if box.isEmpty():
        box.grow(max(box.width(), box.height(), canvas.mapUnitsPerPixel() * 50))
    box.scale(MARGIN)
    canvas.setExtent(box)
    canvas.refresh()
    return True


class Outline(QObject):
    """A yellow outline on the map: for three seconds, or for as long as a row is chosen."""

    def __init__(self, canvas: QgsMapCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._band: Optional[QgsRubberBand] = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)

    def show(self, geometry: QgsGeometry, crs: QgsCoordinateReferenceSystem, fleeting: bool = False) -> None:
        """Outline a geometry, for three seconds where `fleeting`."""
        place = on_canvas(self._canvas, geometry, crs)
        if place.isNull():
            self.hide()
            return
        band = self._ready_band()
        band.setToGeometry(place, None)
        band.show()
        self._timer.stop()
        if fleeting:
            start, end = QColor(theme.highlight_color()), QColor(theme.highlight_color())
            end.setAlpha(0)
            target = self._canvas.mapSettings().destinationCrs()
            self._canvas.flashGeometries([place], target, start, end, FLASHES, FLASH_MS)
            self._timer.start(OUTLINE_MS)

    def hide(self) -> None:
        """Take the outline off the map."""
        self._timer.stop()
        if self._band is not None:
            self._band.reset(QgsWkbTypes.GeometryType.PolygonGeometry)

    def shown(self) -> bool:
        """Whether something is outlined."""
        return self._band is not None and self._band.numberOfVertices() > 0

    def tear_down(self) -> None:
        """Leave nothing on the canvas."""
        self.hide()
        if self._band is not None:
            self._canvas.scene().removeItem(self._band)
            self._band = None

    def _ready_band(self) -> QgsRubberBand:
        if self._band is None:
            band = QgsRubberBand(self._canvas, QgsWkbTypes.GeometryType.PolygonGeometry)
            line, fill = theme.highlight_color(), QColor(theme.highlight_color())
            fill.setAlpha(60)
            band.setStrokeColor(line)
            band.setFillColor(fill)
            band.setWidth(3)
            self._band = band
        return self._band
