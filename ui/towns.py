"""Which towns of the towns layer the territory lies in, so that the window asks for their rates and no others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from qgis.core import QgsCoordinateTransform, QgsCsException, QgsFeatureRequest, QgsProject, QgsVectorLayer

from ..core.model import InputError
from . import adapters
from .compat import is_missing
from .rates import TownGround


def grounds(
    towns: Optional[QgsVectorLayer], territory: Optional[QgsVectorLayer], fields: Mapping[str, str], project: QgsProject
) -> tuple[TownGround, ...]:
    """The towns that the territory lies in, by SWIS, with the share of it that each covers; all without a territory.

    `fields` are overrides by name ("name", "swis"). Empty where the layer has no town names or SWIS.
    """
    if towns is None:
        return ()
    from ..core.schema import detect_layer_fields

    names = towns.fields().names()
    try:
        found = detect_layer_fields("towns", towns.name(), names, fields)
    except InputError:
        return ()
    land = None if territory is None else _ground(territory, towns, project)
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([names.index(found.fields["name"]), names.index(found.fields["swis"])])
    towns_by_swis: dict[str, TownGround] = {}
    for feature in towns.getFeatures(request):
        swis, name = feature[found.fields["swis"]], feature[found.fields["name"]]
        if is_missing(swis):
            continue
        key = f"{str(swis).strip().zfill(6)[:4]}00"
        cover = 0.0 if land is None else _cover(adapters.shape_of(feature), land)
        known = towns_by_swis.get(key)
        title = known.name if known else ("" if is_missing(name) else str(name).strip())
        towns_by_swis[key] = TownGround(key, title, cover + (known.cover if known else 0.0))
    all_towns = tuple(towns_by_swis[key] for key in sorted(towns_by_swis))
    met = tuple(town for town in all_towns if town.cover > 0)
    return met or all_towns


def _ground(territory: QgsVectorLayer, towns: QgsVectorLayer, project: QgsProject) -> Optional[Any]:
    """The territory as one shape in the towns' coordinate system; None where it cannot be had: a run says why."""
    import shapely

    change = QgsCoordinateTransform(territory.crs(), towns.crs(), project)
    shapes = []
    for feature in territory.getFeatures(QgsFeatureRequest().setNoAttributes()):
        geometry = feature.geometry()
        try:
            geometry.transform(change)
        except QgsCsException:
            return None
        feature.setGeometry(geometry)
        shapes.append(adapters.shape_of(feature))
    usable = [shape for shape in shapes if shape is not None and shapely.is_valid(shape)]
    return shapely.union_all(usable) if usable else None


def _cover(town: Optional[Any], land: Any) -> float:
    import shapely

    if town is None or not shapely.intersects(town, land):
        return 0.0
    try:
        return float(shapely.area(shapely.intersection(town, land)) / shapely.area(land))
    except shapely.errors.GEOSException:  # a ring that crosses itself: the town is met, how much of it is not known
        return 1.0
