"""Which bars the meter shows for an analysis: one a town part, the overall one, and the voters'."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Optional

from qgis.PyQt.QtCore import QCoreApplication

from ..core.model import Analysis, Part, TestResult
from . import figures
from .bars import BarRow

translate = QCoreApplication.translate
IN_ORDER = 3
"""So many town parts keep the order of the analysis; of more, the worst comes first."""


def bar_rows(analysis: Optional[Analysis], shown: Optional[figures.Figures]) -> list[BarRow]:
    """All rows from top to bottom; without an analysis the two that every petition has, empty."""
    rows = [] if shown is None or analysis is None else _part_rows(analysis, shown)
    overall = None if shown is None else figures.test_of(shown, figures.OVERALL_TEST)
    voters = None if shown is None else figures.test_of(shown, "voters")
    rows.append(_test_row(_tr("Overall"), overall, "–"))
    lacking = 0 if analysis is None else figures.voters_lacking(analysis)
    rows.append(_test_row(_tr("Voters"), voters, figures.count(lacking) if lacking else "–"))
    return rows


def _part_rows(analysis: Analysis, shown: figures.Figures) -> list[BarRow]:
    parts: Sequence[Part] = shown.parts
    if len(parts) > IN_ORDER:
        parts = figures.worst_first(parts)
    rows = []
    for part in parts:
        test = figures.part_test(shown, part)
        missing = figures.missing_of(analysis, part, shown)
        lacks = "–" if missing is None or not missing.high else figures.dollars(missing.high)
        low, high = (part.share, part.share) if test is None else _range(test, part)
        name = _tr("{} part").format(part.town)
        rows.append(
            BarRow(
                label=f"{part.town} {figures.limit(test)}".strip(),
                spoken=figures.accessible_bar(name, test, part.share, "" if lacks == "–" else lacks),
                test=test,
                now=part.share,
                low=low,
                high=high,
                missing=lacks,
                tip=_part_tip(part, test),
            )
        )
    return rows


def _test_row(name: str, test: Optional[TestResult], missing: str) -> BarRow:
    applies = test is not None and test.status != "not_applicable"
    now = test.value if test is not None and applies else None
    low, high = (test.low, test.high) if test is not None and applies and test.low is not None else (now, now)
    texts = () if test is None else (test.reason, test.citation, no_adding())
    return BarRow(
        label=f"{name} {figures.limit(test)}".strip(),
        spoken=figures.accessible_bar(name, test if applies else None, now, "" if missing == "–" else missing),
        test=test,
        now=now,
        low=low,
        high=high,
        missing=missing if test is not None else "",
        tip="\n".join(text for text in texts if text),
    )


def _part_tip(part: Part, test: Optional[TestResult]) -> str:
    signed, value = figures.dollars(round(part.signed)), figures.dollars(part.value)
    lines = [_tr("{} part: signed {} of {}").format(part.town, signed, value)]
    if part.full_value is not None and part.signed_full_value is not None:
        full = (figures.dollars(round(part.signed_full_value)), figures.dollars(round(part.full_value)))
        lines.append(_tr("Full value {} of {}").format(*full))
    if part.rate is not None:
        rate = figures.local(part.rate.text)
        lines.append(_tr("Equalization rate {} %, roll of {}").format(rate, part.rate.roll_year or "–"))
    if test is not None and test.low is not None and test.low != test.high:
        limits = (figures.percent(test.low, test.threshold), figures.percent(test.high, test.threshold))
        lines.append(_tr("Between {} and {}").format(*limits))
    if test is not None and test.citation:
        lines.append(test.citation)
    return "\n".join([*lines, no_adding()])


def no_adding() -> str:
    """What a reader of two bases must not do."""
    return _tr("Both bases are shown; they never add.")


def _range(test: TestResult, part: Part) -> tuple[Optional[Fraction], Optional[Fraction]]:
    if test.low is None and test.high is None:
        return part.share, part.share if test.status in ("pass", "fail") else part.high
    return test.low, test.high


def _tr(text: str) -> str:
    return translate("Meter", text)
