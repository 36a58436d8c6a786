"""The one function that runs all of it: a boundary over parcels gives the verdict (§ 2-200, § 2-202)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Optional

from .assembly import assemble
from .counting import Counted, count_parcels
from .crediting import Crediting, Ledger, credit, unauthorized_findings
from .crs import METRES_PER_FOOT
from .editions import Edition, load_edition, rules_sha256
from .ground import Ground, check_layers, read_ground
from .inputs import Given, Inputs, Problems, given_rows
from .majority import valuation_of
from .model import Analysis, Cancelled, Finding, Ownership, ParcelKey, Part, Proof
from .parcel_findings import overlap_findings, overlaps_beside
from .parcels import near_parcels
from .parts import polygon_findings
from .petition import Petition
from .proof import prove
from .requirements import Facts, checklist
from .tally import Tally, tally_of
from .verdict import Case, alleged_bases, alternatives, certifiable, nobodies_finding, verdict

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

    edition, given = edition_and_rows(inputs)
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
    with ThreadPoolExecutor(1) as beside:
        # The one long piece of geometry that nothing waits for; GEOS lets go of Python meanwhile.
        found = overlaps_beside(near, ground.tolerance, beside)
        assembled = assemble(inputs, given, ground, near, edition, step)
        step()
        counted = count_parcels(inputs, given, ground, near, assembled, edition)
        return conclude(
            inputs,
            given,
            counted,
            lambda: overlap_findings(near, ground.tolerance, square_feet(ground), edition, found()),
            edition,
        )


def square_feet(ground: Ground) -> float:
    """The square feet of a square unit of the working CRS."""
    return (ground.crs.unit_m / float(METRES_PER_FOOT)) ** 2


def edition_and_rows(inputs: Inputs) -> tuple[Edition, Given]:
    """The edition and the rows of the tables, or one refusal for all that can be told before anything is placed."""
    problems = Problems()
    edition = problems.take(load_edition, inputs.edition)
    given = problems.take(given_rows, inputs)
    if problems:
        problems.take(check_layers, inputs)
    return problems.settled(edition), problems.settled(given)


@dataclass
class Concluding:
    """What one conclusion leaves for the next with the same inputs, whatever boundary, overrides and signatures.

    `tally` is that of `ownership`; `proof` is that of `counted` and of parts with the dollars `values`.
    """

    crediting: Crediting = field(default_factory=Crediting)
    ownership: Optional[Mapping[ParcelKey, Ownership]] = None
    tally: Optional[Tally] = None
    counted: Optional[Counted] = None
    values: tuple[int, ...] = ()
    proof: Optional[Proof] = None


def conclude(
    inputs: Inputs,
    given: Given,
    counted: Counted,
    overlaps: Callable[[], list[Finding]],
    edition: Edition,
    kept: Optional[Concluding] = None,
) -> Analysis:
    """Signatures, tests and verdict over counted parcels; `overlaps` waits for V-35.

    `kept` is what the conclusion before left, and takes in what this one leaves. Raises `ProofError` where the roll
    does not add up.
    """
    petition, ground, assembled = given.petition, counted.ground, counted.assembled
    parcels, towns, rates = counted.parcels, assembled.towns, counted.rates
    ledger, tally = _credited(given, counted, edition, kept)
    findings = [*counted.findings, *ledger.findings]
    findings += unauthorized_findings(counted.capacities, ledger.signers, edition)
    signers_given, bases = given.signers is not None, alleged_bases(petition.bases, edition)
    case = Case(
        parcels, ledger.ownership, towns, rates, edition, signers_given, bases, petition.parts_without_value, tally
    )
    parts, owner_tests, said = valuation_of(tally, towns, rates, edition, signers_given, petition.parts_without_value)
    findings += said
    tests = (*owner_tests, *counted.others)
    outcome = verdict(tests, bases, edition)
    without, said = alternatives(case, counted.others, outcome)
    findings += [*said, *nobodies_finding(case, counted.owners, ledger.signed, counted.others, outcome)]
    findings += polygon_findings(ground, counted.pieces, parts, ledger.ownership, edition)
    requirements, said = checklist(petition, edition, _facts(given, counted, ledger))
    findings += [*said, *overlaps()]
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
        proof=_proven(given, counted, parts, kept),
        parts=parts,
        tests=tests,
        requirements=requirements,
        parcels=assembled.parcels,
        ownership=ledger.ownership,
        signers=ledger.signers,
        findings=in_order(findings),
        alternatives=without,
        voters=counted.voter_count,
        shapes=assembled.shapes,
        territory_shape=ground.territory.shape,
        town_shapes=ground.town_shapes,
        slivers=assembled.slivers,
        fields=ground.fields,
    )


def _credited(given: Given, counted: Counted, edition: Edition, kept: Optional[Concluding]) -> tuple[Ledger, Tally]:
    """What the signatures come to, and what the parcels add up to with them."""
    parcels, owners = counted.parcels, counted.owners
    if kept is None:
        ledger = credit(parcels, owners, given.signers, edition)
        return ledger, tally_of(parcels, ledger.ownership)
    before = kept.crediting.ownership
    ledger = credit(parcels, owners, given.signers, edition, kept.crediting)
    if kept.tally is None or ledger.changed is None or kept.ownership is not before:
        tally = tally_of(parcels, ledger.ownership)
    else:
        changed = [parcel for parcel in parcels if parcel.key in ledger.changed] if ledger.changed else []
        tally = kept.tally.changed(changed, before, ledger.ownership)
    kept.ownership, kept.tally = ledger.ownership, tally
    return ledger, tally


def _proven(given: Given, counted: Counted, parts: Sequence[Part], kept: Optional[Concluding]) -> Proof:
    """The proof; signatures move no dollar of it."""
    values = tuple(part.value for part in parts)
    if kept is not None and kept.proof is not None and kept.counted is counted and kept.values == values:
        return kept.proof
    proof = prove(counted.ground.roll, counted.near, counted.assembled, given.unmapped, parts, counted.in_cities)
    if kept is not None:
        kept.counted, kept.values, kept.proof = counted, values, proof
    return proof


def _facts(given: Given, counted: Counted, ledger: Ledger) -> Facts:
    said = [(finding.code, finding.severity) for finding in counted.said_of_area]
    return Facts(
        towns=counted.assembled.towns,
        area=counted.area,
        ground_fails=("V-03", "error") in said,
        ground_unknown=("V-03", "warning") in said,
        inhabitants=None if counted.voter_count is None else counted.voter_count.inhabitants,
        lines=given.signers,
        signers=ledger.signers,
        town_areas=counted.ground.topology.ground,
    )


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Each finding once, by code, SWIS, print key and message."""
    return tuple(
        sorted(
            set(findings), key=lambda found: (found.code, found.swis, found.print_key, found.message, found.severity)
        )
    )


def _transition(petition: Petition) -> Optional[dict[str, Optional[str]]]:
    transition = petition.transition
    if transition is None:
        return None
    concluded = None if transition.concluded is None else transition.concluded.isoformat()
    return {"ground": transition.ground, "evidence": transition.evidence, "concluded": concluded}
