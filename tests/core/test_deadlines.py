"""Business days and periods of the proceeding."""

from __future__ import annotations

from datetime import date

import pytest

from village_petition.core.deadlines import business_day, deadlines
from village_petition.core.editions import load_edition

OLD, NEW = load_edition("2004"), load_edition("2024")


@pytest.mark.parametrize(
    ("day", "rolled"),
    [
        ("2024-08-02", "2024-08-02"),
        ("2024-08-03", "2024-08-05"),
        ("2024-08-04", "2024-08-05"),
        ("2024-08-31", "2024-09-03"),  # Saturday before Labor day
        ("2024-07-04", "2024-07-05"),
        ("2024-05-27", "2024-05-28"),  # last Monday of May
        ("2024-11-05", "2024-11-06"),  # Tuesday after the first Monday of November
        ("2022-11-01", "2022-11-01"),  # a Tuesday before it
        ("2024-11-28", "2024-11-29"),
        ("2023-01-01", "2023-01-03"),  # New Year's Day on a Sunday is kept on the Monday
        ("2024-06-09", "2024-06-10"),  # Flag day is always a Sunday and moves nothing
        ("2020-06-19", "2020-06-19"),  # Juneteenth before it was a holiday
        ("2023-06-19", "2023-06-20"),
        ("2024-12-25", "2024-12-26"),
        ("2024-01-15", "2024-01-16"),
        ("2024-02-19", "2024-02-20"),
        ("2024-10-14", "2024-10-15"),
    ],
)
def test_business_day(day: str, rolled: str) -> None:
    assert business_day(date.fromisoformat(day), OLD) == date.fromisoformat(rolled)


def test_nothing_is_counted_from_days_that_are_not_known() -> None:
    found = deadlines(OLD, None)
    assert all((each.opens, each.ends, each.rolled) == (None, None, None) for each in found)
    assert [each.id for each in found] == [
        "notice",
        "hearing",
        "hearing_concluded",
        "decision",
        "decision_filed",
        "review",
        "election",
    ]


def test_rules_in_words_take_their_numbers_from_the_edition() -> None:
    old, new = ({each.id: each.rule for each in deadlines(law, None)} for law in (OLD, NEW))
    assert old["hearing"] == "the hearing is held 20 to 30 days after posting and first publication"
    assert new["hearing"] == "the hearing is held 100 to 120 days after posting and first publication"
    assert old["election"] == "the election is held within 40 days after the right to it is complete"
    assert new["commission_directs"] == "the Commission directs the town clerks within 3 days of filing"
    assert set(new) - set(old) == {"commission_directs"}


def test_the_election_counts_from_the_end_of_the_review() -> None:
    found = {each.id: each for each in deadlines(OLD, None, decision_filed=date(2023, 3, 1))}
    assert found["review"].ends == date(2023, 3, 31)
    assert (found["election"].opens, found["election"].ends) == (None, date(2023, 5, 10))


def test_a_hearing_ends_within_days_of_the_day_fixed() -> None:
    found = {each.id: each for each in deadlines(NEW, None, hearing_fixed=date(2024, 11, 15))}
    assert (found["hearing_concluded"].ends, found["hearing_concluded"].rolled) == (
        date(2024, 12, 5),
        date(2024, 12, 5),
    )
