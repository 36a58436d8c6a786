"""The one function that runs all of it: a boundary over parcels gives the verdict (§ 2-200, § 2-202)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Optional

from .assembly import Assembled, assemble
from .crediting import authority_findings, credit
from .crs import METRES_PER_FOOT
from .editions import Edition, load_edition, rules_sha256
from .equalization import rates_for_parts, roll_year_findings
from .ground import Ground, check_layers, read_ground
from .inputs import Given, Inputs, Problems, given_rows
from .limits import area_test, city_village_test
from .majority import valuation
from .model import Analysis, Cancelled, Finding, ParcelKey, TestResult
from .ownership import owners_by_parcel
from .parcel_findings import overlap_findings
from .parcels import NearParcels, near_parcels
from .parts import polygon_findings
from .petition import Petition
from .proof import prove
from .requirements import Facts, checklist
from .roll import find_keys
from .schema import town_code
from .transition import edition_findings
from .verdict import Case, alleged_bases, alternatives, certifiable, nobodies_finding, verdict
from .voters import voters

__all__ = ["Inputs", "analyze"]

Progress = Callable[[float, str], None]
Step = Callable[[], None]

STAGES = (
    (5, "Reading the boundary"),
    (10, "Reading the roll"),
    (30, "Reading parcels near the boundary"),
    (40, "Reading parcels near the boundary"),
    (50, "Reading their values and owners"),
    (60, "Placing the parcels"),
    (70, "Dividing the parcels that the line cuts"),
    (80, "Comparing parcels and towns"),
    (90, "Crediting the owners and running the tests"),
)


def analyze(
    inputs: Inputs, progress: Optional[Progress] = None, cancelled: Optional[Callable[[], bool]] = None
) -> Analysis:
    """Everything of rules 1 to 26 from the inputs: the same result for the same inputs, whatever their order.

    `progress` hears percent and words, `cancelled` is asked between the stages. Raises `InputError` where an input
    cannot be used, `Cancelled` when asked to stop, `ProofError` where the roll does not add up.
    """
    stages = iter(STAGES)

    def step() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled
        if progress is not None:
            progress(*next(stages, STAGES[-1]))

    edition, given = _edition_and_rows(inputs)
    step()
    with uncollected(), inputs.parcels.held():
        return _analyzed(inputs, given, edition, step)


@contextmanager
def uncollected() -> Iterator[None]:
    """Without Python's search for cycles, which would look through every object of QGIS and pandas and find none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _analyzed(inputs: Inputs, given: Given, edition: Edition, step: Step) -> Analysis:
    ground = read_ground(inputs, edition, given.petition.parts_reason, step)
    near = near_parcels(
        inputs.parcels, ground.fields, ground.roll, ground.crs, ground.territory, ground.tolerance, step
    )
    step()
    square_feet = (ground.crs.unit_m / float(METRES_PER_FOOT)) ** 2
    with ThreadPoolExecutor(1) as beside:
        # The one long piece of geometry that nothing waits for; GEOS lets go of Python meanwhile.
        overlaps = beside.submit(overlap_findings, near, ground.tolerance, square_feet, edition)
        assembled = assemble(inputs, given, ground, near, edition, step)
        step()
        return _counted(inputs, given, ground, near, assembled, overlaps.result, edition)


def _edition_and_rows(inputs: Inputs) -> tuple[Edition, Given]:
    """The edition and the rows of the tables, or one refusal for all that can be told before anything is placed."""
    problems = Problems()
    edition = problems.take(load_edition, inputs.edition)
    given = problems.take(given_rows, inputs)
    if problems:
        problems.take(check_layers, inputs)
    return problems.settled(edition), problems.settled(given)


def _counted(
    inputs: Inputs,
    given: Given,
    ground: Ground,
    near: NearParcels,
    assembled: Assembled,
    overlaps: Callable[[], list[Finding]],
    edition: Edition,
) -> Analysis:
    """Owners, signatures, tests and verdict over parcels whose dollars are known; `overlaps` waits for V-35."""
    petition, towns = given.petition, assembled.towns
    parcels = [parcel for parcel in assembled.parcels if town_code(parcel.swis) not in ground.city_codes]
    findings = [*ground.findings, *assembled.findings]
    owners, said = owners_by_parcel(parcels, given.owners, edition, _known(inputs, given, ground))
    findings += said
    ledger = credit(parcels, owners, given.signers, edition)
    findings += [*ledger.findings, *authority_findings(given.owners, ledger.signers, edition)]
    rates, said = rates_for_parts(towns, given.rates, edition, petition.filed, inputs.rates.source)
    findings += [*said, *roll_year_findings(parcels, towns, rates, edition)]
    signers_given, bases = given.signers is not None, alleged_bases(petition.bases, edition)
    case = Case(parcels, ledger.ownership, towns, rates, edition, signers_given, bases, petition.parts_without_value)
    parts, owner_tests, said = valuation(
        parcels, ledger.ownership, towns, rates, edition, signers_given, petition.parts_without_value
    )
    findings += said
    voters_test, population, voter_count, said = voters(
        given.inhabitants, _places(inputs, given, ground, assembled), edition
    )
    findings += said
    area, city_village, said_of_area = _limits(ground, petition, edition)
    findings += said_of_area
    others = (voters_test, population, area, city_village)
    tests = (*owner_tests, *others)
    outcome = verdict(tests, bases, edition)
    without, said = alternatives(case, others, outcome)
    findings += [*said, *nobodies_finding(case, owners, ledger.signed, others, outcome)]
    findings += polygon_findings(ground, parts, parcels, ledger.ownership, assembled.shapes, edition)
    facts = Facts(
        towns=towns,
        area=area,
        ground_fails=any((finding.code, finding.severity) == ("V-03", "error") for finding in said_of_area),
        ground_unknown=any((finding.code, finding.severity) == ("V-03", "warning") for finding in said_of_area),
        inhabitants=None if voter_count is None else voter_count.inhabitants,
        lines=given.signers,
        signers=ledger.signers,
        town_areas=ground.topology.ground,
    )
    requirements, said = checklist(petition, edition, facts)
    findings += [*said, *edition_findings(petition, edition)]
    in_cities = sum(parcel.inside or 0 for parcel in assembled.parcels if town_code(parcel.swis) in ground.city_codes)
    findings += overlaps()
    return Analysis(
        edition=edition.id,
        bases=bases,
        transition=_transition(petition),
        rules_sha256=rules_sha256(),
        verdict=outcome,
        certifiable=certifiable(findings, parcels, ledger.ownership, tests, bases),
        territory=ground.territory.facts,
        crs=ground.crs.label,
        crs_wkt=ground.crs.wkt,
        operations=assembled.operations,
        sliver_width_ft=inputs.sliver_width_ft.strip(),
        proof=prove(ground.roll, near, assembled, given.unmapped, parts, in_cities),
        parts=parts,
        tests=tests,
        requirements=requirements,
        parcels=assembled.parcels,
        ownership=ledger.ownership,
        signers=ledger.signers,
        findings=in_order(findings),
        alternatives=without,
        voters=voter_count,
        shapes=assembled.shapes,
        territory_shape=ground.territory.shape,
        town_shapes=ground.town_shapes,
        slivers=assembled.slivers,
        fields=ground.fields,
    )


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Each finding once, by code, SWIS, print key and message."""
    return tuple(
        sorted(
            set(findings), key=lambda found: (found.code, found.swis, found.print_key, found.message, found.severity)
        )
    )


def _known(inputs: Inputs, given: Given, ground: Ground) -> set[ParcelKey]:
    """Which keys of the list of owners the roll has, with or without a polygon."""
    keys = {(row.swis, row.print_key) for row in given.owners}
    unmapped = {(row.swis, row.print_key) for row in given.unmapped}
    return set(find_keys(inputs.parcels, ground.fields, ground.roll, keys - unmapped)) | (keys & unmapped)


def _places(inputs: Inputs, given: Given, ground: Ground, assembled: Assembled) -> dict[ParcelKey, str]:
    """Where the parcels lie that the list of inhabitants names."""
    listed = {parcel.key: parcel.place for parcel in assembled.parcels}
    keys = {(row.swis, row.print_key) for row in given.inhabitants or ()} - set(listed)
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


def _transition(petition: Petition) -> Optional[dict[str, Optional[str]]]:
    transition = petition.transition
    if transition is None:
        return None
    concluded = None if transition.concluded is None else transition.concluded.isoformat()
    return {"ground": transition.ground, "evidence": transition.evidence, "concluded": concluded}
