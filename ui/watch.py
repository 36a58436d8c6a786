"""Tells when a layer that is in use changes or goes, and lets go of it cleanly."""

from __future__ import annotations

from typing import Any, Callable

from qgis.core import QgsVectorLayer

from .compat import is_gone

SIGNALS = (
    "layerModified",
    "afterCommitChanges",
    "afterRollBack",
    "dataChanged",
    "subsetStringChanged",
    "crsChanged",
    "updatedFields",
    "dataSourceChanged",
)


class Watcher:
    """Calls `changed(role)` whenever what a watched layer holds may be different."""

    def __init__(self, changed: Callable[[str], None]) -> None:
        self._changed = changed
        self._held: dict[str, tuple[QgsVectorLayer, list[tuple[str, Any]]]] = {}

    def watch(self, role: str, layer: QgsVectorLayer) -> None:
        """Watch a layer for a role, instead of the one watched so far."""
        self.release(role)

        def slot(*_: Any) -> None:
            self._changed(role)

        links = [name for name in SIGNALS if hasattr(layer, name)]
        for name in links:
            getattr(layer, name).connect(slot)
        self._held[role] = (layer, [(name, slot) for name in links])

    def release(self, role: str) -> None:
        """Stop watching for a role; a layer that is gone already needs nothing."""
        layer, links = self._held.pop(role, (None, []))
        if is_gone(layer):
            return
        for name, slot in links:
            getattr(layer, name).disconnect(slot)

    def release_all(self) -> None:
        """Stop watching."""
        for role in tuple(self._held):
            self.release(role)
