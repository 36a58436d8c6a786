"""The signature sheets: their witnesses, counts and dates, § 2-202(1)(e) (in the 2024 law (1)(d))."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Optional

from .editions import Edition
from .figures import count
from .model import Finding, SignerLine, SignerResult
from .petition import Petition, Witness
from .schema import fold

Outcome = tuple[str, str, tuple[Finding, ...]]


def signature_pages(
    petition: Petition,
    edition: Edition,
    lines: Optional[Sequence[SignerLine]],
    signers: Sequence[SignerResult],
) -> Outcome:
    """Status, reason and findings V-16, V-19 and V-20 of the item `signature_pages`.

    `lines` are None where no signers are given. Without data on witnesses the item is undecided.
    """
    if lines is None:
        return "undecided", "No signers are given.", ()
    findings = [*_without_value(edition, lines, signers), *_signed_too_early(petition, edition, lines)]
    if petition.witnesses is None:
        return "undecided", "The petition's data does not name the witnesses of the sheets.", tuple(findings)
    sheets: dict[int, list[SignerLine]] = {}
    for line in lines:
        sheets.setdefault(line.page, []).append(line)
    witnesses: dict[int, list[Witness]] = {}
    for witness in petition.witnesses:
        witnesses.setdefault(witness.page, []).append(witness)
    for page in sorted(set(sheets) | set(witnesses)):
        findings.extend(_sheet(page, sheets.get(page, []), witnesses.get(page, []), edition))
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        sheets_at_fault = count(len(errors), "fault", "faults")
        return "fail", f"{sheets_at_fault} on the signature sheets, see the findings.", tuple(findings)
    return "pass", f"{count(len(sheets), 'signature sheet')}, each with its witness's affidavit.", tuple(findings)


def _finding(code: str, severity: str, text: str, edition: Edition) -> Finding:
    return Finding(code, severity, text, citation=edition.citation(code))


def _sheet(page: int, lines: Sequence[SignerLine], witnesses: Sequence[Witness], edition: Edition) -> list[Finding]:
    if not lines:
        return [_finding("V-19", "error", f"Page {page} has a witness but no signature. Compare the sheets.", edition)]
    if not witnesses:
        text = f"Page {page} has no witness's affidavit. Each sheet needs one at its foot."
        return [_finding("V-19", "error", text, edition)]
    findings = []
    for witness in witnesses:
        if not witness.name.strip() or not witness.address.strip():
            text = f"Page {page}: name or residence of the witness is missing. Complete the affidavit."
            findings.append(_finding("V-19", "error", text, edition))
        if witness.sworn is None:
            text = f"Page {page}: the affidavit of {witness.name or 'the witness'} is not sworn."
            findings.append(_finding("V-19", "error", text, edition))
        if fold(witness.name) and fold(witness.name) in {fold(line.name) for line in lines}:
            text = f"Page {page}: the witness {witness.name} has also signed the sheet."
            findings.append(_finding("V-19", "warning", text, edition))
        findings.extend(_sworn_early(page, witness, lines, edition))
    sworn = sum(witness.signatures for witness in witnesses)
    if sworn != len(lines):
        text = f"Page {page}: {count(sworn, 'signature')} sworn to, {count(len(lines), 'line')} on the sheet."
        findings.append(_finding("V-19", "error", text, edition))
    return findings


def _sworn_early(page: int, witness: Witness, lines: Sequence[SignerLine], edition: Edition) -> list[Finding]:
    late = [line.line for line in lines if witness.sworn is not None and _after(line.date, witness.sworn)]
    if not late or witness.sworn is None:
        return []
    text = (
        f"Page {page}: the affidavit is sworn on {witness.sworn.isoformat()}, before the date of"
        f" {'line' if len(late) == 1 else 'lines'} {', '.join(str(line) for line in sorted(late))}."
    )
    return [_finding("V-19", "warning", text, edition)]


def _after(text: str, day: date) -> bool:
    signed = _day(text)
    return signed is not None and signed > day


def _day(text: object) -> Optional[date]:
    try:
        return date.fromisoformat(str(text).strip())
    except ValueError:
        return None


def _without_value(edition: Edition, lines: Sequence[SignerLine], signers: Sequence[SignerResult]) -> list[Finding]:
    """V-16 for credited lines without the credited value, where the sheets give it at all."""
    if not edition.data("credited_value_at_signature") or all(line.credited_av is None for line in lines):
        return []
    given: Mapping[tuple[int, int, str], bool] = {
        (line.page, line.line, line.name): line.credited_av is not None for line in lines
    }
    return [
        _finding(
            "V-16",
            "warning",
            f"Page {signer.page} line {signer.line}: {signer.name} has no credited assessed value after the signature.",
            edition,
        )
        for signer in signers
        if signer.status == "credited" and not given.get((signer.page, signer.line, signer.name), True)
    ]


def _signed_too_early(petition: Petition, edition: Edition, lines: Sequence[SignerLine]) -> list[Finding]:
    """V-20 for lines dated before the study that had to be attached was final, where its date is known."""
    study = petition.exhibits.study if petition.exhibits and edition.data("study_required") else None
    final = study.date if study else None
    if final is None:
        return []
    return [
        _finding(
            "V-20",
            "error",
            f"Page {line.page} line {line.line}: {line.name} signed on {line.date.strip()}, before the study of"
            f" {final.isoformat()} was attached.",
            edition,
        )
        for line in lines
        if _before(line.date, final)
    ]


def _before(text: str, day: date) -> bool:
    signed = _day(text)
    return signed is not None and signed < day
