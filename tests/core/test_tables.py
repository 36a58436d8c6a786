"""Tables as rows with a meaning, and every cell that cannot be one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core import tables
from village_petition.core.model import Inhabitant, InputError, Override, OwnerRow, Rate, SignerLine, Table, UnmappedRow
from village_petition.core.readers import read_table

INHABITANT = "name,address,town,swis,print_key,adult,qualified,signed"
UNMAPPED = "swis,print_key,town,roll_section,total_av,land_av,owner,inside_value,reason"
OVERRIDE = "swis,print_key,inside_value,reason,by,date"


def table(source: str, heading: str, *rows: str) -> Table:
    return Table(
        source,
        tuple(heading.split(",")),
        tuple(tuple(row.split(",")) for row in rows),
        tuple(range(2, len(rows) + 2)),
    )


def told(read: Callable[[Table], Any], given: Table) -> tuple[str, ...]:
    with pytest.raises(InputError) as refused:
        read(given)
    return refused.value.problems


# Rates


def test_rates() -> None:
    given = table(
        "rates.csv", "SWIS,Town,Rate,roll_year,final_roll_filed,Kind", "65800,Pomfret,14.5,2022,2022-07-01,State"
    )
    assert tables.rates(given) == (Rate("065800", "Pomfret", "14.5", Fraction(29, 2), 2022, date(2022, 7, 1), "state"),)
    bare = table("rates.csv", "swis,town,rate", "066889,Dunkirk,103.50")
    assert tables.rates(bare) == (Rate("066889", "Dunkirk", "103.50", Fraction(207, 2), None, None, ""),)


@pytest.mark.parametrize(
    "text", ["0", "0.00", "-5", "", "abc", "52,00", "52,0O", "1e2", "NaN", "14.505", "1000", "5.", ".5", "٣"]
)
def test_a_rate_that_cannot_be_used_names_town_and_text(text: str) -> None:
    given = Table("rates.csv", ("swis", "town", "rate"), (("065800", "Dunkirk", text),), (3,))
    assert told(tables.rates, given) == (
        f"rates.csv row 3: “{text}” is not a rate for Dunkirk. Use digits above 0 and a point, e.g. 52.00.",
    )


@given(st.integers(1, 99999))
def test_rates_are_exact(hundredths: int) -> None:
    text = f"{hundredths // 100}.{hundredths % 100:02d}"
    rate = tables.rates(table("rates.csv", "swis,town,rate", f"065800,Dunkirk,{text}"))[0]
    assert rate.percent == Fraction(hundredths, 100)


def test_two_rates_of_one_town_and_rows_of_villages() -> None:
    heading = "swis,town,rate"
    assert told(tables.rates, table("rates.csv", heading, "065800,Pomfret,14.50", "065889,Pomfret outside,14.50")) == (
        "rates.csv row 3: Pomfret outside has a rate already in row 2. Keep one of them.",
    )
    villages = table("rates.csv", heading, "065800,Pomfret,14.50", "065801,Fredonia,44.28", "065803,Brocton,44.90")
    assert [rate.swis for rate in tables.rates(villages)] == ["065800", "065801", "065803"]


def test_rates_refused() -> None:
    heading = "swis,town,rate,roll_year,final_roll_filed,kind"
    rows = ("65a,A,1,22,2022-02-30,own", ",B,2,2022.0,7/1/2022,county")
    assert told(tables.rates, table("rates.csv", heading, *rows)) == (
        "rates.csv row 2: “65a” in swis is no SWIS code. Give its six digits, e.g. 065800.",
        "rates.csv row 2: “22” in roll_year is no year. Give four digits, e.g. 2022.",
        "rates.csv row 2: “own” in kind is not known. Give one of state, special, county.",
        "rates.csv row 2: “2022-02-30” in final_roll_filed is no date. Give a day of the calendar as YYYY-MM-DD.",
        "rates.csv row 3: swis is blank. Fill it in.",
        "rates.csv row 3: “2022.0” in roll_year is no year. Give four digits, e.g. 2022.",
        "rates.csv row 3: “7/1/2022” in final_roll_filed is no date. Give a day of the calendar as YYYY-MM-DD.",
    )


def test_missing_columns_are_one_refusal() -> None:
    assert told(tables.rates, table("rates.csv", "swis,percent")) == (
        "rates.csv lacks the columns town, rate. Its columns are swis, percent.",
    )
    assert told(tables.owners, table("owners.csv", "swis,print_key")) == (
        "owners.csv lacks the column owner. Its columns are swis, print_key.",
    )


def test_no_more_than_twenty_problems_are_told_one_by_one() -> None:
    problems = told(tables.rates, table("rates.csv", "swis,town,rate", *(f"0{60100 + row},T,x" for row in range(30))))
    assert len(problems) == 21
    assert problems[-1] == "… and 10 more."


# Owners, signers, inhabitants


def test_owners() -> None:
    heading = "Owner,PRINT_KEY,swis,capacity,source,evidence,note"
    given = table(
        "owners.csv", heading, "ANN,1.-1,65800,trustee,deed,L 5 p 6,x", "ANN,1.-1,065800,,,,", ",2.-1,065800,,,,"
    )
    assert tables.owners(given) == (
        OwnerRow("065800", "1.-1", "ANN", "trustee", "deed", "L 5 p 6"),
        OwnerRow("065800", "1.-1", "ANN"),
        OwnerRow("065800", "2.-1", ""),
    )
    assert told(
        tables.owners, table("owners.csv", "swis,print_key,owner", "065800,,ANN", ",1,BOB", "0658001,1,CY")
    ) == (
        "owners.csv row 2: print_key is blank. Fill it in.",
        "owners.csv row 3: swis is blank. Fill it in.",
        "owners.csv row 4: “0658001” in swis is no SWIS code. Give its six digits, e.g. 065800.",
    )


def test_signers() -> None:
    heading = "page,line,name,address,town,date,basis,credited_av,struck"
    given = table("signers.csv", heading, "01,2,ANN,1 ELM ST,Alpha,2023-05-09,valuation,$95000,", "1,3,,,,,,,date")
    assert tables.signers(given) == (
        SignerLine(1, 2, "ANN", "1 ELM ST", "Alpha", "2023-05-09", "valuation", 95000, ""),
        SignerLine(1, 3, "", "", "", "", "", None, "date"),
    )
    bare = table("signers.csv", "page,line,name,address,town", "1,1,A,B,C")
    assert tables.signers(bare) == (SignerLine(1, 1, "A", "B", "C", ""),)


def test_signers_refused() -> None:
    heading = "page,line,name,address,town,date,credited_av"
    rows = ("1,1,A,B,C,,", "01,1,D,E,F,,", "0,1.5,A,B,C,9.5.2023,12e3", ",-1,A,B,C,2023-13-01,(500)")
    assert told(tables.signers, table("signers.csv", heading, *rows)) == (
        "signers.csv row 3: page 1 line 1 is listed already in row 2. Keep one of them.",
        "signers.csv row 4: “0” in page is no number from 1. Give digits, e.g. 12.",
        "signers.csv row 4: “1.5” in line is no number from 1. Give digits, e.g. 12.",
        "signers.csv row 4: “9.5.2023” in date is no date. Give a day of the calendar as YYYY-MM-DD.",
        "signers.csv row 4: “12e3” in credited_av cannot be read. Give whole dollars, e.g. 95000 or $95,000.",
        "signers.csv row 5: page is blank. Fill it in.",
        "signers.csv row 5: “-1” in line is no number from 1. Give digits, e.g. 12.",
        "signers.csv row 5: “2023-13-01” in date is no date. Give a day of the calendar as YYYY-MM-DD.",
        "signers.csv row 5: “(500)” in credited_av cannot be read. Give whole dollars, e.g. 95000 or $95,000.",
    )


def test_inhabitants() -> None:
    given = table("i.csv", INHABITANT, "ANN,1 ELM,Alpha,65800,1.-1,YES,No,yes", "BOB,,,,,,undecided,")
    assert tables.inhabitants(given) == (
        Inhabitant("ANN", "1 ELM", "Alpha", "065800", "1.-1", True, False, True),
        Inhabitant("BOB", "", "", "", "", None, None, False),
    )
    assert told(tables.inhabitants, table("i.csv", INHABITANT, "A,B,C,x,1,y,1,true")) == (
        "i.csv row 2: “x” in swis is no SWIS code. Give its six digits, e.g. 065800.",
        "i.csv row 2: “y” in adult is neither yes nor no. Give yes, no, or leave it blank.",
        "i.csv row 2: “1” in qualified is neither yes nor no. Give yes, no, or leave it blank.",
        "i.csv row 2: “true” in signed is neither yes nor no. Give yes, no, or leave it blank.",
    )


# Rows without polygon and the assessor's own figures


def test_unmapped_rows() -> None:
    given = table("u.csv", f"{UNMAPPED},note", "65889,SF-1,Pomfret,5,84000,,LAKESHORE POWER CO,60000,line miles,x")
    assert tables.unmapped_rows(given) == (
        UnmappedRow("065889", "SF-1", "Pomfret", "5", 84000, None, "LAKESHORE POWER CO", 60000, "line miles", "x"),
    )
    unplaced = tables.unmapped_rows(table("u.csv", UNMAPPED, "065889,SF-1,,,0,0,,,"))
    assert (unplaced[0].inside, unplaced[0].land, unplaced[0].owner) == (None, 0, "")


def test_unmapped_rows_refused() -> None:
    rows = ("065889,A,,,100,,,50,", "065889,B,,,100,,,101,x", "065889,C,,,,,,,", "065889,A,,,1 000,,,,")
    assert told(tables.unmapped_rows, table("u.csv", UNMAPPED, *rows)) == (
        "u.csv row 2: inside_value has no reason. A reason is required: fill in the column reason.",
        "u.csv row 3: inside_value is $101, more than the assessed value of $100. Correct one of them.",
        "u.csv row 4: total_av is blank. Fill it in.",
        "u.csv row 5: “1 000” in total_av cannot be read. Give whole dollars, e.g. 95000 or $95,000.",
        "u.csv row 5: parcel 065889 A is listed already in row 2. Keep one of them.",
    )


def test_overrides() -> None:
    given = table(
        "o.csv", f"{OVERRIDE},total_av", "65800,1.-1,250000,barn,assessor,2023-06-01,", "65800,2,0,x,y,2023-06-01,9"
    )
    assert tables.overrides(given) == (
        Override("065800", "1.-1", 250000, "barn", "assessor", date(2023, 6, 1)),
        Override("065800", "2", 0, "x", "y", date(2023, 6, 1), 9),
    )


def test_overrides_refused() -> None:
    rows = (
        "065800,1,250000,,assessor,2023-06-01,",
        "065800,2,,x,,,",
        "065800,1,-1,x,y,2023-06-31,",
        "065800,3,2,x,y,2023-06-01,1",
    )
    assert told(tables.overrides, table("o.csv", f"{OVERRIDE},total_av", *rows)) == (
        "o.csv row 2: reason is blank. Fill it in.",
        "o.csv row 3: inside_value is blank. Fill it in.",
        "o.csv row 3: by is blank. Fill it in.",
        "o.csv row 3: date is blank. Fill it in.",
        "o.csv row 4: “-1” in inside_value cannot be read. Give whole dollars, e.g. 95000 or $95,000.",
        "o.csv row 4: “2023-06-31” in date is no date. Give a day of the calendar as YYYY-MM-DD.",
        "o.csv row 4: parcel 065800 1 is listed already in row 2. Keep one of them.",
        "o.csv row 5: inside_value is $2, more than the assessed value of $1. Correct one of them.",
    )


@pytest.mark.parametrize(
    ("folder", "numbers"),
    [("lakeshore", (2, 4042, 1370, 2732, 1, 0)), ("lakeshore/clean", (2, 4039, 1312, 2738, 1, 0))],
)
def test_the_tables_of_the_main_case(shared: Path, folder: str, numbers: tuple[int, ...]) -> None:
    readers = {
        "rates": tables.rates,
        "owners": tables.owners,
        "signers": tables.signers,
        "inhabitants": tables.inhabitants,
        "roll_without_polygon": tables.unmapped_rows,
        "overrides": tables.overrides,
    }
    found = tuple(
        len(read(read_table(str(shared / "data" / folder / f"{name}.csv")))) for name, read in readers.items()
    )
    assert found == numbers
