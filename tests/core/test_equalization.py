"""Rates of the parts and the rolls they belong to."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Optional

import pytest

from village_petition.core.editions import load_edition
from village_petition.core.equalization import full_value, parse_rate, rates_for_parts, roll_year_findings
from village_petition.core.model import InputError, Parcel, Rate, Town

LAW = load_edition("2004")
POMFRET, DUNKIRK = Town("0658", "065800", "Pomfret"), Town("0668", "066800", "Dunkirk")


def rate(swis: str, text: str = "14.50", year: Optional[int] = 2022, filed: Optional[date] = None) -> Rate:
    return Rate(swis, "Somewhere", text, parse_rate(text), year, filed, "state")


@pytest.mark.parametrize(
    "text", ["0", "0.00", "-5", "", "abc", "1e2", "NaN", "14,5", "14.505", "1000", " 5", "5.", ".5", "٥", "5\n"]
)
def test_refused_rates(text: str) -> None:
    with pytest.raises(ValueError, match="rate"):
        parse_rate(text)


def test_full_value_is_exact() -> None:
    assert full_value(1, parse_rate("33.33")) == Fraction(10000, 3333)
    assert full_value(Fraction(1, 3), parse_rate("103.50")) == Fraction(200, 621)


def test_a_row_of_the_town_outside_its_villages_serves() -> None:
    found, findings = rates_for_parts([POMFRET], [rate("065889")], LAW)
    assert found["0658"].text == "14.50" and findings == ()


def test_two_rows_of_one_town_are_refused() -> None:
    with pytest.raises(InputError, match=r"rates.csv: Pomfret \(065800\) has 2 rates, 14.50 and 15.00. Keep one row."):
        rates_for_parts([POMFRET], [rate("065800"), rate("065889", "15.00")], LAW)


def test_a_rate_is_needed_for_every_one_of_several_parts() -> None:
    with pytest.raises(InputError, match=r"my rates.csv: no rate for Dunkirk \(066800\)"):
        rates_for_parts([POMFRET, DUNKIRK], [rate("065800")], LAW, source="my rates.csv")


def test_one_part_may_do_without() -> None:
    found, findings = rates_for_parts([POMFRET], [], LAW)
    assert found == {}
    assert [(finding.code, finding.severity, finding.swis) for finding in findings] == [("V-23", "warning", "065800")]


def test_rows_of_villages_and_other_towns_are_named() -> None:
    _, findings = rates_for_parts([POMFRET], [rate("065800"), rate("065801"), rate("066800"), rate("066800")], LAW)
    assert [(finding.code, finding.severity, finding.swis) for finding in findings] == [
        ("V-47", "warning", "065801"),
        ("V-47", "warning", "066800"),
        ("V-47", "warning", "066800"),
    ]


@pytest.mark.parametrize(("days", "severity"), [(-1, "error"), (0, None), (366, None), (367, "warning")])
def test_age_of_the_final_roll(days: int, severity: Optional[str]) -> None:
    filed = date(2023, 6, 1)
    row = rate("065800", filed=filed - timedelta(days))
    _, findings = rates_for_parts([POMFRET], [row], LAW, filed)
    assert [(finding.code, finding.severity) for finding in findings] == ([("V-23", severity)] if severity else [])


def parcel(key: str, year: str, place: str = "inside") -> Parcel:
    return Parcel("065889", key, place, Fraction(1), 10, None, 10, "whole", roll_year=year)


def test_roll_years_that_differ_from_the_rate() -> None:
    parcels = [parcel(key, "2021") for key in ("5", "2", "3", "4", "1")]
    parcels += [parcel("6", "2022"), parcel("7", "2022.0"), parcel("8", "")]
    parcels.append(replace(parcel("9", "2021", "outside"), inside=0))
    (finding,) = roll_year_findings(parcels, [POMFRET], {"0658": rate("065800")}, LAW)
    assert (finding.code, finding.severity, finding.swis, finding.print_key) == ("V-23", "error", "065800", "")
    assert "5 parcels of roll year 2021, but the rate is of 2022: 1, 2, 3 and 2 more." in finding.message


def test_one_parcel_of_another_year_is_the_finding_s_place() -> None:
    (finding,) = roll_year_findings([parcel("5", "2019")], [POMFRET], {"0658": rate("065800")}, LAW)
    assert (finding.swis, finding.print_key) == ("065889", "5")


def test_a_rate_without_roll_year_is_not_compared() -> None:
    assert roll_year_findings([parcel("5", "2019")], [POMFRET], {"0658": rate("065800", year=None)}, LAW) == ()
