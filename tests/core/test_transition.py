"""Dates that the edition covers, transition grounds, conflicting bills."""

from __future__ import annotations

from datetime import date
from typing import Optional

import pytest

from village_petition.core.editions import load_edition
from village_petition.core.petition import Petition, Transition
from village_petition.core.transition import edition_findings

SAVED = Transition("saved_2017_2019", "common witness J. Doe")
NOTICED = Transition("election_noticed", "notice of 2023-12-20")


@pytest.mark.parametrize(
    ("edition", "filed", "transition", "severities"),
    [
        ("2004", None, None, ["info"]),
        ("2004", "2023-12-31", None, ["warning"]),
        ("2004", "2023-12-31", Transition(), ["warning"]),
        ("2004", "2023-12-31", SAVED, []),
        ("2004", "2024-01-01", None, ["error"]),
        ("2004", "2024-01-01", Transition("none", "something"), ["error"]),
        ("2004", "2024-07-15", SAVED, []),
        ("2004", "2024-07-15", NOTICED, []),
        ("2004", "2024-07-15", Transition("saved_2017_2019", " "), ["error"]),
        ("2024", "2024-01-01", None, []),
        ("2024", "2023-12-31", None, ["error"]),
        ("2024", None, None, ["info"]),
        ("2004", "2024-07-15", Transition("saved_2017_2019", "x", date(2039, 12, 31)), []),
        ("2004", "2024-07-15", Transition("saved_2017_2019", "x", date(2040, 1, 1)), ["error"]),
        ("2004", "2024-07-15", Transition("election_noticed", "x", date(2040, 1, 1)), []),
        ("2004", "2023-07-15", Transition("none", "", date(2041, 1, 1)), ["warning", "error"]),
        ("2004", None, Transition("saved_2017_2019", "x", date(2040, 1, 1)), ["info", "error"]),
    ],
)
def test_dates(edition: str, filed: Optional[str], transition: Optional[Transition], severities: list[str]) -> None:
    law = load_edition(edition)
    petition = Petition(filed=date.fromisoformat(filed) if filed else None, transition=transition)
    findings = [each for each in edition_findings(petition, law) if each.citation == law.citation("V-44")]
    assert [(each.code, each.severity) for each in findings] == [("V-44", severity) for severity in severities]


def test_conflicts_of_the_bills_are_said() -> None:
    law = load_edition("2024")
    found = edition_findings(Petition(filed=date(2024, 7, 15)), law)
    assert [(each.code, each.severity) for each in found] == [("V-44", "info")] * 3 + [("V-30", "warning")]
    assert all("the bills conflict" in each.message and each.citation for each in found)
    assert edition_findings(Petition(filed=date(2023, 7, 15), transition=SAVED), load_edition("2004")) == ()
