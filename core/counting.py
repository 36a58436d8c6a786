"""What the parcels that count come to before anybody's signature is looked at: owners, rates, voters, area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Optional

from .assembly import Assembled
from .crediting import capacities
from .editions import Edition
from .equalization import rates_for_parts, roll_year_findings
from .ground import Ground
from .inputs import Given, Inputs
from .limits import area_test, city_village_test
from .model import Finding, Inhabitant, Parcel, ParcelKey, Rate, TestResult, VoterCount
from .ownership import Owners, OwnersKept, RowsByParcel, owners_by_parcel, rows_by_parcel
from .parcels import NearParcels
from .parts import PartPieces, part_pieces
from .petition import Petition
from .roll import find_keys
from .schema import town_code
from .transition import edition_findings
from .voters import Persons, persons_listed, voters


@dataclass(frozen=True, eq=False)
class Counted:
    """All that an analysis knows but for the signatures.

    `parcels` are those in no city; `others` the tests beside the valuation; `said_of_area` the findings of the area's
    test, which are among `findings` too; `in_cities` the dollars inside that the roll puts in a city; `capacities` who
    signs for whom by the list of owners.
    """

    ground: Ground
    near: NearParcels
    assembled: Assembled
    parcels: Sequence[Parcel]
    owners: Mapping[ParcelKey, Owners]
    capacities: Optional[Mapping[str, bool]]
    rates: Mapping[str, Rate]
    area: TestResult
    others: tuple[TestResult, ...]
    voter_count: Optional[VoterCount]
    pieces: PartPieces
    in_cities: int
    said_of_area: Sequence[Finding]
    findings: Sequence[Finding]


@dataclass
class Counting:
    """What one counting leaves for the next with the same inputs, whatever boundary, overrides and signatures."""

    rows: Optional[RowsByParcel] = None
    known: frozenset[ParcelKey] = frozenset()
    capacities: Optional[Mapping[str, bool]] = None
    owners: OwnersKept = field(default_factory=dict)
    persons: Optional[Persons] = None


def count_parcels(
    inputs: Inputs,
    given: Given,
    ground: Ground,
    near: NearParcels,
    assembled: Assembled,
    edition: Edition,
    kept: Optional[Counting] = None,
) -> Counted:
    """Owners, rates, voters and area over parcels whose dollars are known.

    `kept` is what the counting before left, and takes in what this one leaves. Raises `InputError` for rates and
    districts that cannot be.
    """
    kept = Counting() if kept is None else kept
    petition, towns = given.petition, assembled.towns
    parcels = [parcel for parcel in assembled.parcels if town_code(parcel.swis) not in ground.city_codes]
    if kept.rows is None:
        kept.rows, kept.capacities = rows_by_parcel(given.owners), capacities(given.owners)
        kept.known = _known(inputs, given, ground, kept.rows)
    owners, said_of_owners = owners_by_parcel(parcels, kept.rows, edition, kept.known, kept.owners)
    rates, said_of_rates = rates_for_parts(towns, given.rates, edition, petition.filed, inputs.rates.source)
    if kept.persons is None and given.inhabitants is not None:
        kept.persons = persons_listed(given.inhabitants, edition)
    voters_test, population, voter_count, said_of_voters = voters(
        kept.persons, _places(inputs, given.inhabitants, ground, assembled), edition
    )
    area, city_village, said_of_area = _limits(ground, petition, edition)
    return Counted(
        ground=ground,
        near=near,
        assembled=assembled,
        parcels=parcels,
        owners=owners,
        capacities=kept.capacities,
        rates=rates,
        area=area,
        others=(voters_test, population, area, city_village),
        voter_count=voter_count,
        pieces=part_pieces(ground, parcels, assembled.shapes),
        in_cities=sum(
            parcel.inside or 0 for parcel in assembled.parcels if town_code(parcel.swis) in ground.city_codes
        ),
        said_of_area=said_of_area,
        findings=[
            *ground.findings,
            *assembled.findings,
            *said_of_owners,
            *said_of_rates,
            *roll_year_findings(parcels, towns, rates, edition),
            *said_of_voters,
            *said_of_area,
            *edition_findings(petition, edition),
        ],
    )


def _known(inputs: Inputs, given: Given, ground: Ground, listed: RowsByParcel) -> frozenset[ParcelKey]:
    """Which keys of the list of owners the roll has, with or without a polygon."""
    unmapped = {(row.swis, row.print_key) for row in given.unmapped}
    found = find_keys(inputs.parcels, ground.fields, ground.roll, listed.keys() - unmapped)
    return frozenset(found) | (listed.keys() & unmapped)


def _places(
    inputs: Inputs, inhabitants: Optional[Sequence[Inhabitant]], ground: Ground, assembled: Assembled
) -> dict[ParcelKey, str]:
    """Where the parcels lie that the list of inhabitants names."""
    if not inhabitants:
        return {}
    listed = {parcel.key: parcel.place for parcel in assembled.parcels}
    keys = {(row.swis, row.print_key) for row in inhabitants} - listed.keys()
    return {**listed, **dict.fromkeys(find_keys(inputs.parcels, ground.fields, ground.roll, keys), "outside")}


def _limits(ground: Ground, petition: Petition, edition: Edition) -> tuple[TestResult, TestResult, list[Finding]]:
    names = {code: town.name for code, town in ground.towns.items()}
    area, said = area_test(
        ground.territory,
        ground.crs,
        ground.tolerance,
        ground.town_shapes,
        names,
        ground.districts,
        petition.area_ground or "",
        petition.districts or (),
        edition,
    )
    city_village, further = city_village_test(ground.territory, ground.cities, ground.tolerance, ground.crs, edition)
    return area, city_village, [*said, *further]
