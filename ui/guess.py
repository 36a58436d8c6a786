"""Which layer of the project is which, where its name and fields leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Optional

from qgis.core import QgsMapLayer, QgsVectorLayer, QgsWkbTypes

from ..core.model import InputError
from .writers import is_result

POLYGON, LINE, POINT = (
    QgsWkbTypes.GeometryType.PolygonGeometry,
    QgsWkbTypes.GeometryType.LineGeometry,
    QgsWkbTypes.GeometryType.PointGeometry,
)
KINDS = {
    "parcels": (POLYGON,),
    "towns": (POLYGON,),
    "territory": (POLYGON,),
    "cities_villages": (POLYGON,),
    "buildings": (POLYGON, POINT),
    "streets": (LINE,),
    "waters": (LINE, POLYGON),
    "districts": (POLYGON,),
}
WORDS = {
    "parcels": r"parcels?",
    "towns": r"towns?",
    "territory": r"territory|proposed village|village boundary",
    "cities_villages": r"cities( and)? villages|villages( and)? cities",
    "buildings": r"buildings?|building footprints",
    "streets": r"streets?|roads?",
    "waters": r"waters?|hydrography|streams",
    "districts": r"districts?",
}


def guess(layers: Iterable[QgsMapLayer], empty: Iterable[str]) -> Mapping[str, QgsVectorLayer]:
    """A layer for each of these roles that exactly one layer is named after and whose fields serve it."""
    vectors = [layer for layer in layers if isinstance(layer, QgsVectorLayer) and layer.isValid()]
    vectors = [layer for layer in vectors if not is_result(layer)]
    found: dict[str, QgsVectorLayer] = {}
    for role in empty:
        fits = [layer for layer in vectors if _named(layer.name(), role) and serves(layer, role)]
        if len(fits) == 1:
            found[role] = fits[0]
    return found


def serves(layer: Optional[QgsVectorLayer], role: str) -> bool:
    """Whether a layer has the kind of shapes and the fields that a role needs."""
    if layer is None or layer.geometryType() not in KINDS[role]:
        return False
    try:
        _detect(layer, role)
    except InputError:
        return False
    return True


def _detect(layer: QgsVectorLayer, role: str) -> None:
    from ..core import schema

    names = layer.fields().names()
    if role == "parcels":
        schema.detect_fields(layer.name(), names, {})
    elif role in ("towns", "cities_villages", "buildings", "districts"):
        schema.detect_layer_fields(role, layer.name(), names, {})


def _named(name: str, role: str) -> bool:
    """Whether the name is that of a role: "Parcels", "parcels.gpkg — parcels", "cities_villages"."""
    plain = re.sub(r"[\s_\-–—.]+", " ", re.sub(r"\.(gpkg|shp|geojson|gdb|zip)\b", "", name.lower())).strip()
    halves = plain.split(" ")
    half = " ".join(halves[: len(halves) // 2])
    single = half if half and plain == f"{half} {half}" else plain
    return re.fullmatch(WORDS[role], single) is not None
