"""From placed parcels to the list that counts: values, buildings, roll rows without polygon, the assessor's figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .assessment import Assessed, assess, listed, settle, settlement_findings, unmapped_parcels
from .buildings import Buildings, read_buildings, shares_inside, unknown_parcel_findings
from .crs import deviation_findings
from .editions import Edition
from .ground import Ground
from .inputs import Given, Inputs
from .model import Finding, InputError, Operation, Override, Parcel, ParcelKey, Town
from .overlay import INSIDE, OUTSIDE, SPLIT, stacked_groups
from .parcel_findings import keyless_findings, roll_findings, sliver_findings, stacked_findings
from .parcels import NearParcels, united_shapes
from .parts import part_codes, part_towns, place_findings
from .roll import OK, find_keys, land_known, read_entries
from .schema import town_code
from .topology import WrongTowns, town_findings, wrong_town_findings

if TYPE_CHECKING:
    from .model import Geometries

LAYER_ORDER = ("parcels", "towns", "territory", "cities_villages", "buildings", "districts")


@dataclass(frozen=True, eq=False)
class Assembled:
    """The listed parcels in key order, the towns that have a part, and what is left to prove.

    `shapes` are those of the listed parcels and of the parcels that the sliver rule moved outside.
    `unlisted` is the number and `unlisted_value` the dollars of near parcels that are outside and not listed, less
    those outside that the assessor's figure put on the list; `filled_value` are dollars that overrides gave parcels
    without a value.
    """

    parcels: tuple[Parcel, ...]
    shapes: Mapping[ParcelKey, Any]
    towns: tuple[Town, ...]
    unlisted: int
    unlisted_value: int
    filled_value: int
    slivers: tuple[ParcelKey, ...]
    operations: tuple[Operation, ...]
    findings: tuple[Finding, ...]


@dataclass
class Assembling:
    """What one assembling leaves for the next with the same inputs, whatever the boundary and the overrides."""

    buildings: Optional[Buildings] = None
    land: Optional[bool] = None
    assessed: Assessed = field(default_factory=dict)
    outside: dict[ParcelKey, Parcel] = field(default_factory=dict)
    wrong_towns: WrongTowns = field(default_factory=dict)


def assemble(
    inputs: Inputs,
    given: Given,
    ground: Ground,
    near: NearParcels,
    edition: Edition,
    step: Callable[[], None],
    kept: Optional[Assembling] = None,
) -> Assembled:
    """The parcels that count, each with its dollars. Raises `InputError` where overrides, towns or keys cannot be.

    `kept` is what the assembling before left, and takes in what this one leaves.
    """
    kept = Assembling() if kept is None else kept
    placed = listed(near, ())
    shares, operation, findings = _buildings(inputs, given, ground, near, edition, kept)
    step()
    if kept.land is None:
        kept.land = land_known(inputs.parcels, ground.fields, near.entries)
    land = kept.land
    parcels = [*assess(near, placed, land, shares, kept.assessed), *unmapped_parcels(given.unmapped)]
    _refuse_mapped(inputs, given, ground)
    codes = _part_codes(ground, parcels, given.overrides, near)
    positions = sorted(set(placed) | set(listed(near, codes)))
    boxless = [position for position in positions if near.boxless[position]]
    parcels += assess(near, boxless, land, {}, kept.assessed)
    before = {parcel.key: parcel for parcel in parcels}
    outside = _outside(inputs, given, ground, before, kept.outside)
    settled = settle(parcels, outside, given.overrides, _source(inputs))
    shapes = dict(zip(_keys(near, positions), near.shapes[positions].tolist()))
    if not any(_lies_inside(parcel, shapes) for parcel in settled):
        raise InputError(
            f"No parcel of {inputs.parcels.source} and no roll row without polygon lies in the territory of"
            f" {inputs.territory.source}. Check that both layers show the same place."
        )
    towns = part_towns(ground, codes, settled, inputs.towns.source)
    joined = [parcel for parcel in settled if parcel.place == "outside"]
    slivers_said, slivers = sliver_findings(near, edition)
    compared, stacked = _compared(ground, settled, shapes, edition, kept.wrong_towns)
    step()
    findings += [
        *roll_findings(near, positions, {parcel.key for parcel in settled if parcel.confirmed}, edition),
        *keyless_findings(near, edition),
        *slivers_said,
        *compared,
        *deviation_findings("parcels", near.deviation, ground.crs, ground.tolerance, edition),
        *settlement_findings(settled, stacked, edition),
        *place_findings(ground, settled, edition),
        *_town_findings(ground, towns, edition),
    ]
    operations = [*ground.operations, near.operation, operation]
    return Assembled(
        parcels=tuple(settled),
        shapes={**shapes, **_shapes_outside(inputs, ground, near, joined)},
        towns=towns,
        unlisted=len(near.entries.codes) - len(positions) - len(joined),
        unlisted_value=_unlisted_value(near, positions)
        - sum(parcel.value or 0 for parcel in joined if outside[parcel.key].value is not None),
        filled_value=sum(
            parcel.value or 0 for parcel in settled if (before.get(parcel.key) or outside[parcel.key]).value is None
        ),
        slivers=tuple(slivers),
        operations=tuple(
            sorted((one for one in operations if one is not None), key=lambda one: LAYER_ORDER.index(one.layer))
        ),
        findings=tuple(findings),
    )


def _lies_inside(parcel: Parcel, shapes: Mapping[ParcelKey, Any]) -> bool:
    """Whether a parcel's ground or dollars are inside, or a shape that cannot be used may be."""
    return bool(parcel.inside) or (parcel.place not in ("outside", "unmapped") and shapes.get(parcel.key) is not None)


def _source(inputs: Inputs) -> str:
    return "" if inputs.overrides is None else inputs.overrides.source


def _keys(near: NearParcels, positions: Sequence[int]) -> list[ParcelKey]:
    rows = list(positions)
    return list(zip(near.entries.swis[rows].tolist(), near.entries.print_key[rows].tolist()))


def _part_codes(
    ground: Ground, parcels: Sequence[Parcel], overrides: Sequence[Override], near: NearParcels
) -> frozenset[str]:
    """Codes of the towns that have a part, the assessors' own figures taken in."""
    own = {(row.swis, row.print_key): row.inside for row in overrides}
    reaches = np.isin(near.placement.place, (INSIDE, SPLIT))
    met = set(near.entries.swis[reaches].tolist())
    settled = [replace(parcel, inside=own.get(parcel.key, parcel.inside)) for parcel in parcels] if own else parcels
    placed = {town_code(swis) for (swis, _), inside in own.items() if inside}
    return part_codes(ground, settled, met) | (placed - ground.city_codes)


def _buildings(
    inputs: Inputs, given: Given, ground: Ground, near: NearParcels, edition: Edition, kept: Assembling
) -> tuple[dict[ParcelKey, Fraction], Optional[Operation], list[Finding]]:
    layer = inputs.buildings
    if layer is None:
        return {}, None, []
    if kept.buildings is None:
        kept.buildings = read_buildings(layer, ground.layer_fields["buildings"], ground.crs, ground.tolerance)
    cut = np.flatnonzero((near.placement.place == SPLIT) & (near.entries.total_state == OK)).tolist()
    found = shares_inside(
        kept.buildings, _keys(near, cut), near.shapes[cut], ground.territory, ground.tolerance, edition
    )
    said = deviation_findings("buildings", found.deviation, ground.crs, ground.tolerance, edition)
    strangers = found.carried - set(zip(near.entries.swis.tolist(), near.entries.print_key.tolist()))
    strangers -= {(row.swis, row.print_key) for row in given.unmapped}
    if strangers:
        strangers -= set(find_keys(inputs.parcels, ground.fields, ground.roll, strangers))
    findings = [*found.findings, *unknown_parcel_findings(strangers, edition), *said]
    return {key: one.share for key, one in found.shares.items()}, found.operation, findings


def _refuse_mapped(inputs: Inputs, given: Given, ground: Ground) -> None:
    """A roll row said to have no polygon must not be among those of the parcel layer (rule 11)."""
    keys = {(row.swis, row.print_key) for row in given.unmapped}
    mapped = sorted(find_keys(inputs.parcels, ground.fields, ground.roll, keys))
    if mapped and inputs.unmapped is not None:
        raise InputError(
            *(
                f"{inputs.unmapped.source}: parcel {swis} {key} is a row of {inputs.parcels.source} too."
                " Remove it here, or correct its key."
                for swis, key in mapped
            )
        )


def _outside(
    inputs: Inputs, given: Given, ground: Ground, here: Mapping[ParcelKey, Parcel], kept: dict[ParcelKey, Parcel]
) -> dict[ParcelKey, Parcel]:
    """The overridden parcels that are not listed: those of the roll lie outside."""
    keys = {(row.swis, row.print_key) for row in given.overrides} - set(here)
    kept.update(_read_outside(inputs, ground, keys - set(kept)))
    return {key: kept[key] for key in sorted(keys) if key in kept}


def _read_outside(inputs: Inputs, ground: Ground, keys: Collection[ParcelKey]) -> dict[ParcelKey, Parcel]:
    codes = find_keys(inputs.parcels, ground.fields, ground.roll, keys)
    if not codes:
        return {}
    entries = read_entries(inputs.parcels, ground.fields, ground.roll, np.array(sorted(codes.values()), dtype=np.int64))
    return {
        (swis, key): Parcel(
            swis=swis,
            print_key=key,
            place="outside",
            share=Fraction(0),
            value=total if state == OK else None,
            land=None,
            inside=0,
            method="whole",
            roll_section=section,
            prop_class=kind,
            roll_year=year,
            address=address,
            roll_owners=tuple(name for name in (owner, other) if name),
        )
        for swis, key, total, state, section, kind, year, address, owner, other in zip(
            entries.swis.tolist(),
            entries.print_key.tolist(),
            entries.total.tolist(),
            entries.total_state.tolist(),
            entries.roll_section.tolist(),
            entries.prop_class.tolist(),
            entries.roll_year.tolist(),
            entries.address.tolist(),
            entries.primary_owner.tolist(),
            entries.add_owner.tolist(),
        )
    }


def _shapes_outside(
    inputs: Inputs, ground: Ground, near: NearParcels, joined: Sequence[Parcel]
) -> dict[ParcelKey, Any]:
    """Shapes of parcels outside that somebody looks for: moved there by the sliver rule, or given dollars inside."""
    wanted = {parcel.key for parcel in joined}
    moved = np.flatnonzero(near.placement.moved & (near.placement.place == OUTSIDE)).tolist()
    shapes = dict(zip(_keys(near, moved), near.shapes[moved].tolist()))
    if wanted:
        every = zip(zip(near.entries.swis.tolist(), near.entries.print_key.tolist()), near.shapes.tolist())
        shapes.update((key, shape) for key, shape in every if key in wanted)
    far = find_keys(inputs.parcels, ground.fields, ground.roll, wanted - set(shapes))
    if far:
        codes = np.array(sorted(far.values()), dtype=np.int64)
        read = united_shapes(inputs.parcels, ground.roll, codes, ground.crs, ground.tolerance)
        found = dict(zip(codes.tolist(), read.tolist()))
        shapes.update((key, found[code]) for key, code in far.items())
    return shapes


def _unlisted_value(near: NearParcels, positions: Sequence[int]) -> int:
    unlisted = near.entries.total_state == OK
    unlisted[list(positions)] = False
    return int(near.entries.total[unlisted].sum())


def _compared(
    ground: Ground,
    parcels: Sequence[Parcel],
    shapes: Mapping[ParcelKey, Any],
    edition: Edition,
    kept: WrongTowns,
) -> tuple[list[Finding], frozenset[ParcelKey]]:
    """V-32 and V-42 among the parcels that have ground inside, and the keys of stacked units."""
    usable = [
        parcel
        for parcel in parcels
        if parcel.place != "outside" and parcel.share is not None and shapes.get(parcel.key) is not None
    ]
    ground_of: Geometries = np.empty(len(usable), dtype=object)
    ground_of[:] = [shapes[parcel.key] for parcel in usable]
    groups = stacked_groups(ground_of)
    names = {code: town.name for code, town in ground.towns.items()}
    keys = [parcel.key for parcel in usable]
    findings = [
        *stacked_findings(usable, groups, edition),
        *wrong_town_findings(keys, ground_of, ground.town_shapes, names, edition, kept),
    ]
    return findings, frozenset(keys[index] for group in groups for index in group.tolist())


def _town_findings(ground: Ground, towns: Sequence[Town], edition: Edition) -> Sequence[Finding]:
    names = {code: town.name for code, town in ground.towns.items()}
    return town_findings(ground.topology, names, {town.code for town in towns}, ground.crs, edition)
