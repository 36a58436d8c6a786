"""The shipped sample case, added to the project as anybody's own layers and tables would be.

What is opened is a copy in the profile: QGIS writes into a GeoPackage as soon as it is edited, and a plugin's own
folder may be read-only and is replaced when the plugin is.
"""

from __future__ import annotations

import filecmp
import shutil
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from qgis.core import (
    QgsApplication,
    QgsFillSymbol,
    QgsLineSymbol,
    QgsPalLayerSettings,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtCore import QCoreApplication

from ..core.model import InputError
from .writers import HOME

if TYPE_CHECKING:
    from .session import Session


class Look(NamedTuple):
    """How a layer of the sample is drawn: properties of its one symbol, and the field of its labels."""

    symbol: dict[str, str]
    label: str = ""


LAYERS = {
    "territory": Look({"style": "no", "outline_color": "176,0,32", "outline_width": "0.9"}),
    "towns": Look(
        {"style": "no", "outline_color": "60,60,60", "outline_width": "0.6", "outline_style": "dash"}, "NAME"
    ),
    "cities_villages": Look(
        {"color": "150,150,150,70", "outline_color": "110,110,110", "outline_width": "0.4"}, "NAME"
    ),
    "streets": Look({"line_color": "170,160,140", "line_width": "0.5"}, "NAME"),
    "waters": Look({"line_color": "70,130,180", "line_width": "0.8"}),
    "buildings": Look({"color": "120,110,100", "outline_style": "no"}),
    "parcels": Look({"color": "248,246,238", "outline_color": "160,160,150", "outline_width": "0.15"}),
}
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


def open_sample(session: Session, shipped: Path) -> None:
    """Put the sample's layers into a group of the project and take them, and the tables, as the petition."""
    home = Path(QgsApplication.qgisSettingsDirPath()) / HOME
    try:
        folder = own_copy(shipped, home)
    except OSError as error:
        text = _tr("The sample cannot be copied to {folder}: {reason}. Make room or allow writing there.")
        session.notice.emit("error", text.format(folder=home, reason=error.strerror or error))
        return
    layers = {role: styled_layer(role, folder) for role in LAYERS}
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


def own_copy(shipped: Path, home: Path) -> Path:
    """A folder in `home` with the files of the sample as they ship; raises OSError where none can be made.

    A copy that somebody changed stays as it is, and the next is made beside it.
    """
    home.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        folder = home / ("sample" if number == 1 else f"sample {number}")
        if not folder.exists():
            break
        if _is_unchanged(folder, shipped):
            return folder
    # Whole or not at all: a copy that breaks off half-way leaves nothing under the lasting name.
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        made = Path(scratch) / "sample"
        made.mkdir()
        for path in _files(shipped):
            shutil.copyfile(path, made / path.name)
        made.rename(folder)
    return folder


def styled_layer(role: str, folder: Path) -> QgsVectorLayer:
    """A layer of the sample in this folder, drawn to be told apart from its neighbours and no more."""
    layer = QgsVectorLayer(f"{folder / role}.gpkg|layername={role}", _titles()[role], "ogr")
    if not layer.isValid():
        return layer
    look = LAYERS[role]
    is_line = "line_color" in look.symbol
    symbol = (QgsLineSymbol if is_line else QgsFillSymbol).createSimple(look.symbol)
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    if look.label:
        settings = QgsPalLayerSettings()
        settings.fieldName = look.label
        if is_line:
            settings.placement = QgsPalLayerSettings.Placement.Line
        layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
        layer.setLabelsEnabled(True)
    return layer


def _files(folder: Path) -> list[Path]:
    return [*(folder / f"{role}.gpkg" for role in LAYERS), *(folder / name for name in TABLES.values())]


def _is_unchanged(folder: Path, shipped: Path) -> bool:
    """Whether a copy still holds what ships: GeoPackages by their features, as merely opened ones differ in bytes."""
    for mine, theirs in zip(_files(folder), _files(shipped)):
        if not mine.is_file():
            return False
        if not filecmp.cmp(mine, theirs, shallow=False) and (mine.suffix != ".gpkg" or _rows(mine) != _rows(theirs)):
            return False
    return True


def _rows(path: Path) -> Optional[list[Any]]:
    """Attributes and shape of every feature of a layer file; None where it cannot be read."""
    import numpy as np

    from ..core.vector import VectorFile

    try:
        file = VectorFile(str(path))
        batches = file.batches(file.fields, geometry=True)
    except InputError:
        return None
    return [
        (batch.fids.tolist(), [np.ma.asarray(batch.columns[name]).tolist() for name in file.fields], batch.wkb)
        for batch in batches
    ]


def _titles() -> dict[str, str]:
    return {
        "territory": _tr("Territory"),
        "towns": _tr("Towns"),
        "cities_villages": _tr("Cities and Villages"),
        "streets": _tr("Streets"),
        "waters": _tr("Waters"),
        "buildings": _tr("Buildings"),
        "parcels": _tr("Parcels"),
    }


def _tr(text: str) -> str:
    return QCoreApplication.translate("VillagePetition", text)
