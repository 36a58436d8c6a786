"""Whether the edition governs the petition at all: dates and transition grounds (rule 26), and conflicting bills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Optional

from .editions import Edition
from .model import Finding
from .petition import Petition

Note = tuple[str, str]
"""Severity and message."""


def edition_findings(petition: Petition, edition: Edition) -> tuple[Finding, ...]:
    """V-44 for dates that the edition does not cover, and V-44 or V-30 where the bills of the edition conflict."""
    citation = edition.citation("V-44")
    findings = [Finding("V-44", severity, text, citation=citation) for severity, text in _notes(petition, edition)]
    for conflict in edition.data("conflicts"):
        readings = "; or ".join(conflict["readings"])
        text = f"{conflict['subject']}: the bills conflict. {readings}. {conflict['used']}"
        findings.append(Finding(conflict["code"], conflict["severity"], text, citation=conflict["citation"]))
    return tuple(findings)


def ground_of(petition: Petition, edition: Edition) -> Optional[Mapping[str, Any]]:
    """The transition ground that the petition names, as the edition knows it; None where it names none of them."""
    named = petition.transition.ground if petition.transition else None
    grounds: list[Mapping[str, Any]] = edition.data("transition")
    return next((ground for ground in grounds if ground["id"] == named), None)


def _notes(petition: Petition, edition: Edition) -> Iterator[Note]:
    ground, filed = ground_of(petition, edition), petition.filed
    if filed is None:
        yield "info", f"No filing date is given, so nothing shows whether edition {edition.id} governs the petition."
    else:
        yield from _filing(petition, edition, ground, filed)
    concluded = petition.transition.concluded if petition.transition else None
    last = _last_day(edition, ground)
    if concluded is not None and last is not None and concluded >= last:
        yield (
            "error",
            f"The process is concluded on {concluded.isoformat()}; edition {edition.id} governs a saved petition only"
            f" where that is before {last.isoformat()}.",
        )


def _filing(petition: Petition, edition: Edition, ground: Optional[Mapping[str, Any]], filed: date) -> Iterator[Note]:
    if edition.in_force_from is not None and filed < edition.in_force_from:
        yield (
            "error",
            f"Filed on {filed.isoformat()}, before edition {edition.id} came into force on"
            f" {edition.in_force_from.isoformat()}. Choose the edition of that day.",
        )
    if edition.in_force_to is None:
        return
    evidence = petition.transition.evidence if petition.transition else ""
    if filed <= edition.in_force_to:
        if ground is None:
            yield (
                "warning",
                f"Filed on {filed.isoformat()} under edition {edition.id} without a transition ground: if the petition"
                " is still pending, the law is silent on which edition governs it. Ask counsel.",
            )
    elif ground is None or not (evidence or "").strip():
        lacks = "a transition ground" if ground is None else f"evidence that it is a {ground['name']}"
        yield (
            "error",
            f"Filed on {filed.isoformat()}, after edition {edition.id} ended on {edition.in_force_to.isoformat()},"
            f" without {lacks}. Choose the edition of that day, or record ground and evidence.",
        )


def _last_day(edition: Edition, ground: Optional[Mapping[str, Any]]) -> Optional[date]:
    if not edition.data("transition"):
        return None
    if ground is None:
        return edition.day("transition_concluded_before")
    return None if ground["concluded_before"] is None else date.fromisoformat(ground["concluded_before"])
