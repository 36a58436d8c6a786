"""Village Petition: the plugin's entry point for QGIS."""

from __future__ import annotations

from typing import Any


def classFactory(iface: Any) -> Any:
    """Give QGIS the plugin; nothing else is loaded until QGIS asks."""
    from .plugin import VillagePetitionPlugin

    return VillagePetitionPlugin(iface)
