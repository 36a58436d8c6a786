"""The ground an analysis stands on: roll, working CRS, territory, towns, cities and districts (rules 7 to 9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from .crs import WorkingCrs, deviation_findings, parse_crs, working_crs
from .editions import Edition
from .inputs import LAYERS, Inputs, Problems
from .model import FieldMap, Finding, InputError, Layer, Operation, ParcelSource, Town
from .roll import Roll, read_roll
from .schema import detect_fields, detect_layer_fields, swis_column, town_code
from .territory import Territory, read_territory
from .topology import (
    PolygonSet,
    TownTopology,
    city_codes,
    read_polygons,
    town_shapes,
    town_topology,
    unusable_findings,
    without_towns,
)

LAYER_ROLES = ("towns", "cities_villages", "buildings", "districts")
TOWN_ENDINGS = ("00", "89")
"""How the SWIS of a town ends: the whole town, or the town outside its villages (rule 9)."""
_WIDTH = re.compile(r"\d{1,3}(\.\d{1,3})?")


@dataclass(frozen=True, eq=False)
class Ground:
    """What is read and measured before any parcel is placed. Shapes are in the working CRS, `tolerance` in its units.

    `towns` and `town_shapes` are by town code; a town whose polygon cannot be used has no shape.
    """

    fields: FieldMap
    layer_fields: Mapping[str, FieldMap]
    roll: Roll
    crs: WorkingCrs
    tolerance: float
    territory: Territory
    towns: Mapping[str, Town]
    town_shapes: Mapping[str, Any]
    cities: Optional[PolygonSet]
    city_codes: frozenset[str]
    districts: Optional[PolygonSet]
    topology: TownTopology
    operations: tuple[Operation, ...]
    findings: tuple[Finding, ...]


def read_ground(inputs: Inputs, edition: Edition, parts_reason: str, step: Callable[[], None]) -> Ground:
    """Detect the fields, read the roll's keys and values, and bring every layer but the buildings into one CRS.

    `step` is called between the stages and may raise. Raises `InputError` for all that cannot be used.
    """
    source = inputs.parcels
    fields, layer_fields, width = check_layers(inputs)
    crs = working_crs(source.crs, _swis(source, fields), source.source)
    tolerance = crs.tolerance(width)
    territory, findings = read_territory(inputs.territory, crs, tolerance, edition, parts_reason)
    step()
    roll = read_roll(source, fields)
    step()
    polygons: dict[str, PolygonSet] = {}
    operations = [territory.operation]
    said = list(findings)
    for role in ("towns", "cities_villages", "districts"):
        layer: Optional[Layer] = getattr(inputs, role)
        if layer is None:
            continue
        polygons[role], operation, deviation = read_polygons(layer, layer_fields[role], role, crs, tolerance)
        if role == "cities_villages":
            polygons[role] = without_towns(polygons[role], layer.source)
        operations.append(operation)
        said += deviation_findings(role.replace("_", " and "), deviation, crs, tolerance, edition)
    cities, districts = polygons.get("cities_villages"), polygons.get("districts")
    cities_there = city_codes(cities)
    towns = _towns(polygons["towns"], cities_there)
    shapes, unusable = town_shapes(polygons["towns"], territory, edition)
    shapes = {code: shape for code, shape in shapes.items() if code in towns}
    said += unusable
    if cities is not None:
        said += unusable_findings(cities, "city or village", territory, edition)
    return Ground(
        fields=fields,
        layer_fields=layer_fields,
        roll=roll,
        crs=crs,
        tolerance=tolerance,
        territory=territory,
        towns=towns,
        town_shapes=shapes,
        cities=cities,
        city_codes=cities_there,
        districts=districts,
        topology=town_topology(shapes, territory, tolerance, crs, edition),
        operations=tuple(operation for operation in operations if operation is not None),
        findings=tuple(said),
    )


def check_layers(inputs: Inputs) -> tuple[FieldMap, dict[str, FieldMap], Fraction]:
    """The fields of the parcels and of the other layers by role, and the sliver width in feet.

    Raises `InputError` with all that can be told of the layers without reading them: fields, CRS, the width.
    """
    overrides: dict[str, dict[str, str]] = {"": {}, **{role: {} for role in LAYER_ROLES}}
    problems = Problems()
    for name, field in inputs.fields.items():
        role, _, logical = name.rpartition(".")
        role = role.replace("-", "_")
        if role in overrides:
            overrides[role][logical] = field
        else:
            problems.add(f"--field {name}: there is no layer “{role}”. Use one of: {', '.join(LAYER_ROLES)}.")
    source = inputs.parcels
    fields = problems.take(detect_fields, source.source, source.names, overrides[""])
    layer_fields = {}
    for role in LAYER_ROLES:
        layer: Optional[Layer] = getattr(inputs, role)
        if layer is not None:
            names = tuple(layer.columns)
            layer_fields[role] = problems.take(detect_layer_fields, role, layer.source, names, overrides[role])
    for each in (source, *(getattr(inputs, role) for role in LAYERS)):
        if each is not None and not each.crs.strip():
            problems.take(parse_crs, each.crs, each.source)
    width = problems.take(_width, inputs.sliver_width_ft)
    problems.stop()
    told = {role: found for role, found in layer_fields.items() if found is not None}
    return problems.settled(fields), told, problems.settled(width)


def _width(text: str) -> Fraction:
    if not _WIDTH.fullmatch(text.strip()):
        raise InputError(f"--sliver-width-ft “{text}” is not a width in feet. Write for example 1.0.")
    return Fraction(text.strip())


def _swis(source: ParcelSource, fields: FieldMap) -> Iterator[str]:
    """The SWIS codes of all rows, read only when somebody asks."""
    field = fields.get("swis")
    if field is not None:
        yield from swis_column(source.columns([field])[field]).tolist()


def _towns(polygons: PolygonSet, cities: frozenset[str]) -> dict[str, Town]:
    names: dict[str, str] = {}
    for swis, name in sorted(zip(polygons.swis, polygons.names)):
        code = town_code(swis)
        if swis[4:] in TOWN_ENDINGS and code not in cities and not names.get(code):
            names[code] = name.strip()
    return {code: Town(code, f"{code}00", name or code) for code, name in sorted(names.items())}
