"""The clock of the proceeding after filing: notice, hearing, decision, review, election (§§ 2-204 to 2-214).

Each period is given as the statute counts it, and carried over to the next business day where it ends on a Saturday,
a Sunday or a public holiday; whether it carries over is a setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any, Optional

from .editions import Edition, load_edition

DAY = timedelta(days=1)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SATURDAY, SUNDAY = 5, 6


@dataclass(frozen=True)
class Deadline:
    """One period: `opens` and `ends` are None until the day it counts from is known, or where it has no such end.

    `rolled` is `ends` carried over to a business day. `rule` says in words what is counted, and from what.
    """

    id: str
    rule: str
    opens: Optional[date]
    ends: Optional[date]
    rolled: Optional[date]


def deadlines(
    edition: Edition,
    filed: Optional[date],
    posted: Optional[date] = None,
    hearing_fixed: Optional[date] = None,
    hearing_closed: Optional[date] = None,
    decision_filed: Optional[date] = None,
) -> tuple[Deadline, ...]:
    """The periods of the edition in order, from the days known so far.

    `posted` is the day by which the notice is posted and first published, `hearing_fixed` the day named in it.
    """
    clock = _Clock(edition)
    found = []
    if edition.has("commission_directs_days"):
        rule = "the Commission directs the town clerks within {} days of filing"
        found.append(clock.period("commission_directs", rule, filed, last="commission_directs_days"))
    rule = "the notice of hearing is posted and published within {} days of filing"
    found.append(clock.period("notice", rule, filed, last="notice_days"))
    rule = "the hearing is held {} to {} days after posting and first publication"
    found.append(clock.period("hearing", rule, posted, first="hearing_from_days", last="hearing_to_days"))
    rule = "the hearing is concluded within {} days of the day fixed for it"
    found.append(clock.period("hearing_concluded", rule, hearing_fixed, last="hearing_concluded_days"))
    rule = "the decision is made within {} days after the hearing is concluded"
    found.append(clock.period("decision", rule, hearing_closed, last="decision_days"))
    rule = "the decision is filed within {} days after the hearing is concluded"
    found.append(clock.period("decision_filed", rule, hearing_closed, last="decision_filed_days"))
    rule = "the decision is final {} days after it is filed"
    review = clock.period("review", rule, decision_filed, last="review_days")
    found.append(review)
    if edition.has("election_from_days"):
        rule = "the election is held {} to {} days after the right to it is complete"
        found.append(clock.period("election", rule, review.ends, first="election_from_days", last="election_to_days"))
    else:
        rule = "the election is held within {} days after the right to it is complete"
        found.append(clock.period("election", rule, review.ends, last="election_to_days"))
    return tuple(found)


@dataclass(frozen=True)
class _Clock:
    edition: Edition

    def period(self, id: str, rule: str, start: Optional[date], last: str, first: str = "") -> Deadline:
        """The period that counts from `start` by the parameters `first` and `last`, which the rule prints."""
        days = [self.edition.whole(name) for name in (first, last) if name]
        words = rule.format(*days)
        if start is None:
            return Deadline(id, words, None, None, None)
        ends = start + days[-1] * DAY
        return Deadline(id, words, start + days[0] * DAY if first else None, ends, business_day(ends, self.edition))


def business_day(day: date, edition: Edition) -> date:
    """`day` itself, or the next day that is no Saturday, Sunday or public holiday."""
    while day.weekday() in (SATURDAY, SUNDAY) or day in _holidays(day.year, edition.id):
        day += DAY
    return day


@cache
def _holidays(year: int, edition_id: str) -> frozenset[date]:
    """Public holidays of a year; one that falls on a Sunday is kept on the Monday too, save those set on a Sunday."""
    days = set()
    for rule in load_edition(edition_id).data("public_holidays"):
        if year < rule.get("first_year", year):
            continue
        day = _holiday(year, rule)
        days.add(day)
        if day.weekday() == SUNDAY and "weekday" not in rule:
            days.add(day + DAY)
    return frozenset(days)


def _holiday(year: int, rule: Mapping[str, Any]) -> date:
    if "day" in rule:
        return date(year, rule["month"], rule["day"])
    weekday = WEEKDAYS.index(rule["weekday"])
    if rule["week"] > 0:
        first = date(year, rule["month"], 1)
        day = first + timedelta((weekday - first.weekday()) % 7 + 7 * (int(rule["week"]) - 1))
    else:
        last = date(year, rule["month"] + 1, 1) - DAY
        day = last - timedelta((last.weekday() - weekday) % 7)
    return day + timedelta(int(rule.get("days_after", 0)))
