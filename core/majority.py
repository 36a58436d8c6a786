"""The majority of owners: value and signed value of each part of a town and overall (rules 17 to 19).

§ 2-202(1)(a)(2): more than half in full valuation in each part of each town, computed separately, and overall.
Undecided items give a range; a test passes or fails only where both ends of the range do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Optional

from .editions import Edition, load_edition, person_names
from .equalization import full_value
from .figures import count, dollars, percent
from .model import Analysis, Finding, Ownership, Parcel, ParcelKey, Part, Rate, TestResult, Town
from .petition import PartReason
from .schema import fold, town_code
from .tally import Sums, Tally, tally_of, total

ZERO, ONE = Fraction(0), Fraction(1)
OVERALL = "valuation.overall"
PART = "valuation.part."


@dataclass(frozen=True)
class _Weighted:
    """Sums in the dollars that a test compares: value, signed low and high, and what is unplaced by share."""

    value: Fraction
    low: Fraction
    high: Fraction
    unplaced_low: tuple[tuple[Fraction, Fraction], ...]
    unplaced_high: tuple[tuple[Fraction, Fraction], ...]
    missing: int


def valuation(
    parcels: Iterable[Parcel],
    ownership: Mapping[ParcelKey, Ownership],
    towns: Sequence[Town],
    rates: Mapping[str, Rate],
    edition: Edition,
    signers_given: bool,
    parts_without_value: Sequence[PartReason] = (),
) -> tuple[tuple[Part, ...], tuple[TestResult, ...], tuple[Finding, ...]]:
    """The parts, the tests `valuation.part.<swis>` and `valuation.overall`, and findings V-21 and V-37.

    `towns` are those that have a part and `rates` theirs by town code; a parcel of another town is in no part. With
    one part the rate may be missing: the share is the same without it.
    """
    return valuation_of(tally_of(parcels, ownership), towns, rates, edition, signers_given, parts_without_value)


def valuation_of(
    tally: Tally,
    towns: Sequence[Town],
    rates: Mapping[str, Rate],
    edition: Edition,
    signers_given: bool,
    parts_without_value: Sequence[PartReason] = (),
    without: str = "",
) -> tuple[tuple[Part, ...], tuple[TestResult, ...], tuple[Finding, ...]]:
    """What `valuation` gives, from the sums of the parcels, with the roll section `without` left out."""
    towns = sorted(towns, key=lambda town: town.swis)
    sums = {town.code: tally.of_town(town.code, without) for town in towns}
    weighted = {town.code: _weigh(sums[town.code], rates.get(town.code)) for town in towns}
    overall = _together(list(weighted.values()))
    parts = tuple(_part(town, sums[town.code], rates.get(town.code), signers_given) for town in towns)
    settled = {town_code(reason.swis): reason for reason in parts_without_value}
    unavailable = _unavailable(edition, signers_given)
    if unavailable:
        tests = [_not_applicable(f"{PART}{town.swis}", unavailable, edition) for town in towns]
        return parts, (*tests, _not_applicable(OVERALL, unavailable, edition)), ()
    tests = [
        _test(f"{PART}{town.swis}", weighted[code], _of_part(town, towns), edition, settled.get(code), overall)
        for code, town in ((town.code, town) for town in towns)
    ]
    tests.append(_test(OVERALL, overall, "the territory", edition, None, overall))
    parts = tuple(replace(part, low=test.low, high=test.high) for part, test in zip(parts, tests))
    findings = [*_failed(tests, parts, edition), *_idle_reasons(parts_without_value, parts, edition)]
    return parts, tuple(tests), tuple(findings)


def _unavailable(edition: Edition, signers_given: bool) -> str:
    if "valuation" not in edition.bases:
        return f"Edition {edition.id} has no owners' basis."
    return "" if signers_given else "No signers are given."


def _weigh(sums: Sums, rate: Optional[Rate]) -> _Weighted:
    factor = ONE if rate is None else full_value(1, rate.percent)
    return _Weighted(
        sums.value * factor,
        sums.low() * factor,
        sums.high() * factor,
        tuple((share, value * factor) for share, value in sums.unplaced_low.items()),
        tuple((share, value * factor) for share, value in sums.unplaced_high.items()),
        sums.missing,
    )


def _together(parts: Sequence[_Weighted]) -> _Weighted:
    return _Weighted(
        sum((part.value for part in parts), ZERO),
        sum((part.low for part in parts), ZERO),
        sum((part.high for part in parts), ZERO),
        tuple(item for part in parts for item in part.unplaced_low),
        tuple(item for part in parts for item in part.unplaced_high),
        sum(part.missing for part in parts),
    )


def _part(town: Town, sums: Sums, rate: Optional[Rate], signers_given: bool) -> Part:
    signed = sums.low()
    return Part(
        town=town.name,
        swis=town.swis,
        rate=rate,
        value=sums.value,
        signed=signed,
        full_value=None if rate is None else full_value(sums.value, rate.percent),
        signed_full_value=None if rate is None else full_value(signed, rate.percent),
        share=signed / sums.value if signers_given and sums.value else None,
    )


# Ranges


def extreme(
    signed: Fraction, value: Fraction, unplaced: Iterable[tuple[Fraction, Fraction]], highest: bool
) -> Fraction:
    """The highest or lowest share when any part of the unplaced dollars may be inside.

    `unplaced` are pairs of the share credited and its dollars; they are taken in by share for as long as that moves
    the share. Exact, since an item moves the share only where its own share lies beyond it. `value` must not be 0.
    """
    for share, more in sorted(unplaced, reverse=highest):
        now = signed / value
        if (share <= now) if highest else (share >= now):
            break
        signed, value = signed + share * more, value + more
    return signed / value


def _range(sums: _Weighted) -> tuple[Optional[Fraction], Optional[Fraction]]:
    if sums.missing or not sums.value:
        return None, None
    low = extreme(sums.low, sums.value, sums.unplaced_low, highest=False)
    return low, extreme(sums.high, sums.value, sums.unplaced_high, highest=True)


# Tests


def _of_part(town: Town, towns: Sequence[Town]) -> str:
    return f"the part of {town.name}" if len(towns) > 1 else f"the territory in {town.name}"


def _not_applicable(test: str, reason: str, edition: Edition) -> TestResult:
    if "valuation" not in edition.bases:
        return TestResult(test, "not_applicable", reason, citation=edition.citation(test))
    return _result(test, "not_applicable", reason, edition)


def _result(
    test: str,
    status: str,
    reason: str,
    edition: Edition,
    value: Optional[Fraction] = None,
    low: Optional[Fraction] = None,
    high: Optional[Fraction] = None,
) -> TestResult:
    name = "valuation_threshold"
    limit, comparison = edition.number(name), edition.comparison(name)
    return TestResult(test, status, reason, value, low, high, limit, comparison, edition.citation(test))


def _test(
    test: str, sums: _Weighted, where: str, edition: Edition, reason: Optional[PartReason], overall: _Weighted
) -> TestResult:
    if not sums.value:
        return _without_value(test, sums, where, edition, reason, overall)
    value = sums.low / sums.value
    low, high = _range(sums)
    limit = edition.number("valuation_threshold")
    if low is None or high is None:
        text = f"Nothing bounds the share of {where}: {count(sums.missing, 'parcel')} without an assessed value."
        return _result(test, "undecided", text, edition, value)
    passes = edition.holds(low, "valuation_threshold"), edition.holds(high, "valuation_threshold")
    status = "pass" if all(passes) else "undecided" if any(passes) else "fail"
    text = f"Owners of {percent(value, limit)} of the value of {where} have signed"
    if low != high:
        text += f", between {percent(low, limit)} and {percent(high, limit)} under undecided items"
    return _result(test, status, f"{text}.", edition, value, low, high)


def _without_value(
    test: str, sums: _Weighted, where: str, edition: Edition, reason: Optional[PartReason], overall: _Weighted
) -> TestResult:
    unknown = any(more for _, more in overall.unplaced_high) or overall.missing
    if not overall.value and not unknown:
        return _result(test, "fail", f"Nothing in {where} is assessed, so no share can be owned.", edition)
    if reason is not None and not any(more for _, more in sums.unplaced_high) and not sums.missing:
        text = f"No assessed value in {where}: {reason.reason} ({reason.by}, {reason.date.isoformat()})."
        return _result(test, "not_applicable", text, edition)
    return _result(test, "undecided", f"No assessed value in {where}, so its share is not defined.", edition)


def missing_dollars(test: TestResult, parts: Sequence[Part]) -> Optional[int]:
    """The least whole dollars that must still be signed for a valuation test to pass; negative: dollars to spare.

    In assessed value for a part, in full value overall where the rates are known. Counts the figures without what is
    undecided; None where the test has none.
    """
    if test.value is None or test.threshold is None:
        return None
    if test.id == OVERALL:
        full = [part.full_value for part in parts if part.full_value is not None]
        complete = len(full) == len(parts)
        total = sum(full, ZERO) if complete else Fraction(sum(part.value for part in parts))
    else:
        total = sum((Fraction(part.value) for part in parts if test.id == f"{PART}{part.swis}"), ZERO)
    need = test.threshold * total - test.value * total
    if test.comparison == ">":
        return need.numerator // need.denominator + 1
    return -(-need.numerator // need.denominator)


def _failed(tests: Sequence[TestResult], parts: Sequence[Part], edition: Edition) -> list[Finding]:
    names = {f"{PART}{part.swis}": part for part in parts}
    findings = []
    for test in tests:
        if test.status != "fail":
            continue
        part = names.get(test.id)
        where = f"The part of {part.town}" if part else "The whole territory"
        missing = missing_dollars(test, parts)
        if test.value is None or missing is None or test.threshold is None:
            text = f"{where} has no assessed value, so its owners' test fails."
        else:
            equalized = part is None and all(each.full_value is not None for each in parts)
            unit = "full value" if equalized else "assessed value"
            text = (
                f"{where} fails: owners of {percent(test.value, test.threshold)} of the value have signed and more than"
                f" {percent(test.threshold)} is needed. {dollars(missing)} more in {unit} must be signed."
            )
        swis = part.swis if part else ""
        findings.append(Finding("V-21", "error", text, swis, citation=edition.citation("V-21")))
    return findings


def _idle_reasons(reasons: Sequence[PartReason], parts: Sequence[Part], edition: Edition) -> list[Finding]:
    worthless = {town_code(part.swis) for part in parts if not part.value}
    return [
        Finding(
            "V-37",
            "warning",
            f"A reason is given for a part without value in {reason.swis}, which has value or no part. Remove it.",
            reason.swis,
            citation=edition.citation("V-37"),
        )
        for reason in reasons
        if town_code(reason.swis) not in worthless
    ]


# Who to sign next


@dataclass(frozen=True)
class NextSigner:
    """An owner who has not signed: how many lots, exact dollars added in the part, and the part's share then."""

    name: str
    lots: int
    adds: Fraction
    share_then: Fraction


def next_signers(
    parcels: Iterable[Parcel],
    ownership: Mapping[ParcelKey, Ownership],
    signed: Collection[str],
    part: Part,
) -> tuple[NextSigner, ...]:
    """Who has not signed in a part, by the dollars that a signature would add, then by name.

    `signed` are the keys of the persons credited. Parcels with an unknown number of owners or unknown dollars add
    nothing for sure and are left out, and so are names that are no person.
    """
    names = person_names()
    code = town_code(part.swis)
    adds: dict[str, dict[int, int]] = {}
    lots: dict[str, int] = {}
    shown: dict[str, str] = {}
    for parcel in parcels:
        owned = ownership[parcel.key]
        number, inside = owned.count, parcel.inside
        if not inside or not number or owned.signed == number or town_code(parcel.swis) != code:
            continue
        for name in owned.names:
            key = fold(name)
            if key in signed:
                continue
            by_number = adds.setdefault(key, {})
            by_number[number] = by_number.get(number, 0) + inside
            lots[key] = lots.get(key, 0) + 1
            shown[key] = min(shown.get(key, name), name)
    found = [
        NextSigner(shown[key], lots[key], total, (part.signed + total) / part.value)
        for key, total in ((key, total(amounts)) for key, amounts in adds.items())
        if not names.is_nobody(key)
    ]
    return tuple(sorted(found, key=lambda signer: (-signer.adds, signer.name)))


def fewest(part: Part, candidates: Sequence[NextSigner], edition: Edition) -> Optional[int]:
    """The least number of further signatures by which the part passes; 0 where it does, None where none suffice.

    `candidates` as `next_signers` gives them: each adds to the sum by itself, so taking the largest first is best.
    """
    if not part.value:
        return None
    signed = part.signed
    for number, candidate in enumerate(candidates):
        if edition.holds(signed / part.value, "valuation_threshold"):
            return number
        signed += candidate.adds
    return len(candidates) if edition.holds(signed / part.value, "valuation_threshold") else None


def next_signers_by_part(analysis: Analysis) -> tuple[tuple[Part, tuple[NextSigner, ...], Optional[int]], ...]:
    """Parts that do not pass, worst first, with who to sign next and the fewest signatures that suffice."""
    edition = load_edition(analysis.edition)
    signed = {fold(signer.name) for signer in analysis.signers if signer.status == "credited"}
    failing = [part for part in analysis.parts if part.share is not None]
    failing = [part for part in failing if not edition.holds(part.share or ZERO, "valuation_threshold")]
    result = []
    for part in sorted(failing, key=lambda part: (part.share or ZERO, part.swis)):
        candidates = next_signers(analysis.parcels, analysis.ownership, signed, part)
        result.append((part, candidates, fewest(part, candidates, edition)))
    return tuple(result)
