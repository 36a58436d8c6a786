"""The ground an analysis stands on: roll, working CRS, territory, towns, cities and districts (rules 7 to 9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

import shapely

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
    shapes_by_town,
    town_topology,
    unusable_findings,
    without_towns,
)

LAYER_ROLES = ("towns", "cities_villages", "buildings", "districts")
TOWN_ENDINGS = ("00", "89")
"""How the SWIS of a town ends: the whole town, or the town outside its villages (rule 9)."""
_WIDTH = re.compile(r"\d{1,3}(\.\d{1,3})?")


@dataclass(frozen=True, eq=False)
class Frame:
    """How everything is read: which field is which, the CRS of all measuring and the sliver width in its units."""

    fields: FieldMap
    layer_fields: Mapping[str, FieldMap]
    crs: WorkingCrs
    tolerance: float


@dataclass(frozen=True, eq=False)
class Survey:
    """What is read whatever the boundary: the roll, and towns, cities and districts in the working CRS.

    `towns` and `town_shapes` are by town code, a town whose polygon cannot be used has no shape; `all_towns` is their
    union.
    """

    frame: Frame
    roll: Roll
    town_polygons: PolygonSet
    towns: Mapping[str, Town]
    town_shapes: Mapping[str, Any]
    all_towns: Any
    cities: Optional[PolygonSet]
    city_codes: frozenset[str]
    districts: Optional[PolygonSet]
    operations: tuple[Operation, ...]
    findings: tuple[Finding, ...]


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
    frame = read_frame(inputs)
    territory = read_territory(inputs.territory, frame.crs, frame.tolerance, edition, parts_reason)
    step()
    return ground_under(*territory, read_survey(inputs, frame, edition, step), edition)


def read_frame(inputs: Inputs) -> Frame:
    """The fields of all layers, the working CRS and the sliver width. Raises `InputError` where one cannot be told."""
    fields, layer_fields, width = check_layers(inputs)
    source = inputs.parcels
    crs = working_crs(source.crs, _swis(source, fields), source.source)
    return Frame(fields, layer_fields, crs, crs.tolerance(width))


def read_survey(inputs: Inputs, frame: Frame, edition: Edition, step: Callable[[], None] = lambda: None) -> Survey:
    """Read the roll, and the towns, cities and districts. Raises `InputError` for all that cannot be used."""
    roll = read_roll(inputs.parcels, frame.fields)
    step()
    polygons: dict[str, PolygonSet] = {}
    operations = []
    said: list[Finding] = []
    for role in ("towns", "cities_villages", "districts"):
        layer: Optional[Layer] = getattr(inputs, role)
        if layer is None:
            continue
        polygons[role], operation, deviation = read_polygons(
            layer, frame.layer_fields[role], role, frame.crs, frame.tolerance
        )
        if role == "cities_villages":
            polygons[role] = without_towns(polygons[role], layer.source)
        operations.append(operation)
        said += deviation_findings(role.replace("_", " and "), deviation, frame.crs, frame.tolerance, edition)
    cities = polygons.get("cities_villages")
    cities_there = city_codes(cities)
    towns = _towns(polygons["towns"], cities_there)
    shapes = {code: shape for code, shape in shapes_by_town(polygons["towns"]).items() if code in towns}
    return Survey(
        frame=frame,
        roll=roll,
        town_polygons=polygons["towns"],
        towns=towns,
        town_shapes=shapes,
        all_towns=shapely.union_all(list(shapes.values())),
        cities=cities,
        city_codes=cities_there,
        districts=polygons.get("districts"),
        operations=tuple(operation for operation in operations if operation is not None),
        findings=tuple(said),
    )


def ground_under(territory: Territory, findings: Sequence[Finding], survey: Survey, edition: Edition) -> Ground:
    """The ground of one territory; `findings` are what was said of its boundary."""
    frame, cities = survey.frame, survey.cities
    said = [*findings, *survey.findings, *unusable_findings(survey.town_polygons, "town", territory, edition)]
    if cities is not None:
        said += unusable_findings(cities, "city or village", territory, edition)
    carried = () if territory.operation is None else (territory.operation,)
    return Ground(
        fields=frame.fields,
        layer_fields=frame.layer_fields,
        roll=survey.roll,
        crs=frame.crs,
        tolerance=frame.tolerance,
        territory=territory,
        towns=survey.towns,
        town_shapes=survey.town_shapes,
        cities=cities,
        city_codes=survey.city_codes,
        districts=survey.districts,
        topology=town_topology(
            survey.town_shapes, territory, frame.tolerance, frame.crs, edition, all_towns=survey.all_towns
        ),
        operations=(*carried, *survey.operations),
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
