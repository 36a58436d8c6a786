"""Keeps a row of a table and a parcel of the result layers chosen together, in both directions."""

from __future__ import annotations

from typing import Any, Optional

from qgis.core import QgsExpression, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..core.model import ParcelKey
from .compat import is_gone
from .writers import is_result

KEY_FIELDS = ("swis", "print_key")


class ParcelSelection(QObject):
    """Emits `picked(key)` when a person selects a parcel on the map; `choose` selects one there."""

    picked = pyqtSignal(object)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._layers: list[QgsVectorLayer] = []
        self._busy = False

    def watch(self) -> None:
        """Follow the result layers that stand in the project now."""
        wanted = [
            layer
            for layer in QgsProject.instance().mapLayers().values()
            if isinstance(layer, QgsVectorLayer) and is_result(layer) and _has_key(layer)
        ]
        for layer in self._alive():
            if layer not in wanted:
                layer.selectionChanged.disconnect(self._changed)
        known = self._alive()
        for layer in wanted:
            if layer not in known:
                layer.selectionChanged.connect(self._changed)
        self._layers = wanted

    def choose(self, key: Optional[ParcelKey]) -> None:
        """Select one parcel on the map and nothing else; None selects nothing."""
        self._busy = True
        for layer in self._alive():
            if key is None:
                layer.removeSelection()
            else:
                wanted = (QgsExpression.createFieldEqualityExpression(*pair) for pair in zip(KEY_FIELDS, key))
                layer.selectByExpression(" AND ".join(wanted))
        self._busy = False

    def tear_down(self) -> None:
        """Follow no layer any more."""
        for layer in self._alive():
            layer.selectionChanged.disconnect(self._changed)
        self._layers = []

    def _alive(self) -> list[QgsVectorLayer]:
        return [layer for layer in self._layers if not is_gone(layer)]

    def _changed(self, selected: Any, deselected: Any, clear_and_select: bool) -> None:
        layer = self.sender()
        if self._busy or not selected or is_gone(layer):
            return
        feature = next(iter(layer.getFeatures(list(selected)[:1])), None)
        if feature is not None:
            self.picked.emit((str(feature["swis"]), str(feature["print_key"])))


def _has_key(layer: QgsVectorLayer) -> bool:
    names = {field.name() for field in layer.fields()}
    return names.issuperset(KEY_FIELDS)
