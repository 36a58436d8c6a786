"""The verdict as a table a person reads in a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Optional

from .editions import load_edition
from .figures import count, dollars, percent
from .majority import missing_dollars, next_signers_by_part
from .model import Analysis, Finding, Part, TestResult
from .voters import missing_signatures

WIDTH = 100
SHOWN = 3
"""Findings of one code and severity that are printed; the rest stand in the file."""
SEVERITIES = ("error", "warning", "info")
OUTCOMES = (
    ("pass", "passes", "ENOUGH: every test of an alleged basis is met"),
    ("fail", "FAILS", "NOT ENOUGH"),
    ("undecided", "UNDECIDED", "UNDECIDED"),
    ("not_applicable", "not tested", ""),
)
WORDS = {status: word for status, word, _ in OUTCOMES}
VERDICTS = {status: sentence for status, _, sentence in OUTCOMES}


def summary(analysis: Analysis) -> str:
    """Verdict, parts, tests with thresholds and margins, proof line and findings, as lines of at most 100 columns."""
    threshold = load_edition(analysis.edition).number("valuation_threshold")
    blocks = [
        _head(analysis),
        _table("Parts of towns", PART_HEAD, [_part_row(part, threshold) for part in analysis.parts]),
        _table("Tests", TEST_HEAD, [_test_row(test, analysis) for test in analysis.tests]),
        _next(analysis),
        _proof(analysis),
        _findings(analysis.findings),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


PART_HEAD = ("Town", "Rate", "Value inside", "Signed", "Full value", "Signed of full value", "Share")
TEST_HEAD = ("Test", "Outcome", "Share", "Needed", "Margin", "Law")


def _head(analysis: Analysis) -> str:
    bases = " and ".join({"valuation": "owners", "voters": "voters"}[basis] for basis in analysis.bases)
    certifiable = "can be certified" if analysis.certifiable else "cannot be certified yet"
    miles = f"{float(analysis.territory.square_miles):.3f} square miles"
    return "\n".join(
        [
            _wrapped(
                f"{VERDICTS[analysis.verdict]} — {bases}' basis, § 2-202 edition {analysis.edition}; {certifiable}"
            ),
            _wrapped(f"{miles}, sliver width {analysis.sliver_width_ft} ft, {analysis.crs}"),
        ]
    )


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)


def _part_row(part: Part, threshold: Fraction) -> tuple[str, ...]:
    return (
        part.town,
        "–" if part.rate is None else part.rate.text,
        dollars(part.value),
        dollars(part.signed),
        "–" if part.full_value is None else dollars(part.full_value),
        "–" if part.signed_full_value is None else dollars(part.signed_full_value),
        "–" if part.share is None else percent(part.share, threshold),
    )


def _test_row(test: TestResult, analysis: Analysis) -> tuple[str, ...]:
    return (
        _test_name(test, analysis),
        WORDS[test.status],
        _figure(test, test.value),
        f"{_sign(test.comparison)} {_figure(test, test.threshold)}".strip() if test.threshold is not None else "–",
        _margin(test, analysis),
        test.citation,
    )


def _sign(comparison: str) -> str:
    return {">=": "≥", "<=": "≤"}.get(comparison, comparison)


def _test_name(test: TestResult, analysis: Analysis) -> str:
    names = {part.swis: part.town for part in analysis.parts}
    if test.id.startswith("valuation.part."):
        swis = test.id.rpartition(".")[2]
        return f"{names.get(swis, swis)} part"
    return {
        "valuation.overall": "Overall valuation",
        "voters": "Voters",
        "population": "Regular inhabitants",
        "area": "Area",
        "city_village": "City or village",
    }[test.id]


def _figure(test: TestResult, value: Optional[Fraction]) -> str:
    if value is None:
        return "–"
    if test.id == "population":
        return f"{int(value):,}"
    if test.id == "area":
        # With the decimals in which it is compared.
        return f"{float(value):g} sq mi" if value is test.threshold else f"{float(value):.6f} sq mi"
    if test.id == "city_village":
        return "–"
    return percent(value, None if value is test.threshold else test.threshold)


def _margin(test: TestResult, analysis: Analysis) -> str:
    if test.status == "not_applicable" or test.value is None:
        return "–"
    if test.id.startswith("valuation."):
        missing = missing_dollars(test, analysis.parts)
        return (
            "–" if missing is None else (f"{dollars(missing)} missing" if missing > 0 else f"{dollars(-missing)} over")
        )
    if test.id == "voters":
        short = missing_signatures(test, analysis.voters)
        if short is None:
            return "–"
        return f"{count(short, 'signature')} missing" if short > 0 else f"{count(-short, 'signature')} over"
    if test.id == "population" and test.threshold is not None:
        return f"{int(test.value - test.threshold):+,}"
    return "–"


def _next(analysis: Analysis) -> str:
    lines = []
    for part, owners, fewest in next_signers_by_part(analysis):
        if fewest is None or not owners:
            continue
        first = owners[0]
        more = "signature" if fewest == 1 else "signatures"
        lines.append(
            _wrapped(
                f"{part.town} part: {fewest:,} more {more} could do it, first {first.name} ({dollars(first.adds)})."
            )
        )
    return "\n".join(lines)


def _proof(analysis: Analysis) -> str:
    proof = analysis.proof
    rows = (
        f"{proof.rows:,} roll rows = {proof.keys:,} parcels + {count(proof.merged_rows, 'repeated row')}"
        f" + {proof.without_key:,} without a key"
    )
    keys = (
        f"{proof.keys:,} parcels = {proof.inside:,} inside + {proof.split:,} split + {proof.outside:,} outside"
        f" + {proof.set_aside:,} set aside; {count(proof.unmapped, 'roll row')} without polygon"
    )
    value = (
        f"{dollars(proof.value_total)} = {dollars(proof.value_inside)} inside + {dollars(proof.value_outside)} outside"
        f" + {dollars(proof.value_set_aside)} set aside"
    )
    return "\n".join(["Proof", *(_wrapped(line, "  ") for line in (rows, keys, value))])


def _findings(findings: Sequence[Finding]) -> str:
    if not findings:
        return "No findings."
    number = Counter(finding.severity for finding in findings)
    lines = [
        f"Findings: {count(number['error'], 'error')}, {count(number['warning'], 'warning')},"
        f" {count(number['info'], 'note')}"
    ]
    for severity in SEVERITIES:
        by_code: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.severity == severity:
                by_code.setdefault(finding.code, []).append(finding)
        for code, found in by_code.items():
            lines += [_finding_line(severity, finding) for finding in found[:SHOWN]]
            if len(found) > SHOWN:
                lines.append(f"{' ' * 16}… and {len(found) - SHOWN:,} more of {code}, all in analysis.json")
    return "\n".join(lines)


def _finding_line(severity: str, finding: Finding) -> str:
    place = " ".join(text for text in (finding.swis, finding.print_key) if text and finding.print_key)
    text = f"{place}: {finding.message}" if place else finding.message
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"  {severity:<8}{finding.code}  ",
        subsequent_indent=" " * 16,
        break_on_hyphens=False,
    )


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under their heading; where they would be too wide, each name stands on a line above its figures."""
    if not rows:
        return ""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    to_the_left = {1, len(head) - 1} if head is TEST_HEAD else set()
    figures = [
        "  ".join(
            cell.ljust(widths[column]) if column in to_the_left else cell.rjust(widths[column])
            for column, cell in enumerate(row)
            if column
        ).rstrip()
        for row in table
    ]
    names = [row[0] for row in table]
    if widths[0] + max(map(len, figures)) + 4 > WIDTH:
        lines = [f"{_wrapped(name, '  ')}\n    {text}" for name, text in zip(names, figures)]
    else:
        lines = [f"  {name.ljust(widths[0])}  {text}" for name, text in zip(names, figures)]
    return "\n".join([title, *lines])
