"""The shipped sample case, added to the project as anybody's own layers and tables would be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qgis.core import QgsVectorLayer
from qgis.PyQt.QtCore import QCoreApplication

if TYPE_CHECKING:
    from .session import Session

LAYERS = ("territory", "towns", "cities_villages", "streets", "waters", "buildings", "parcels")
"""From the top of the map downwards."""
TABLES = {
    "rates": "rates.csv",
    "owners": "owners.csv",
    "signers": "signers.csv",
    "inhabitants": "inhabitants.csv",
    "unmapped": "roll_without_polygon.csv",
    "overrides": "overrides.csv",
    "petition": "petition.json",
}


def open_sample(session: Session, folder: Path) -> None:
    """Put the sample's layers into a group of the project and take them, and the tables, as the petition."""
    layers = {role: _open(role, folder) for role in LAYERS}
    broken = [role for role, layer in layers.items() if not layer.isValid()]
    if broken:
        text = _tr("The sample is incomplete: {file} cannot be opened. Install the plugin again.")
        session.notice.emit("error", text.format(file=f"{broken[0]}.gpkg"))
        return
    session.clear()
    group = session.project.layerTreeRoot().insertGroup(0, _tr("Sample petition"))
    session.project.addMapLayers(list(layers.values()), False)
    for role in LAYERS:
        group.addLayer(layers[role])
        session.set_layer(role, layers[role])
    for role, name in TABLES.items():
        session.set_table(role, str(folder / name))


def _open(role: str, folder: Path) -> QgsVectorLayer:
    title = {
        "territory": _tr("Territory"),
        "towns": _tr("Towns"),
        "cities_villages": _tr("Cities and Villages"),
        "streets": _tr("Streets"),
        "waters": _tr("Waters"),
        "buildings": _tr("Buildings"),
        "parcels": _tr("Parcels"),
    }[role]
    return QgsVectorLayer(f"{folder / role}.gpkg|layername={role}", title, "ogr")


def _tr(text: str) -> str:
    return QCoreApplication.translate("VillagePetition", text)
