"""`petition.json`: every key, and every value that cannot be one."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from village_petition.core.model import InputError
from village_petition.core.petition import (
    Designee,
    Exhibits,
    PartReason,
    Petition,
    Study,
    Transition,
    Witness,
    petition,
)

WHOLE: dict[str, Any] = {
    "name": " Lakeshore ",
    "bases": ["voters", "valuation"],
    "filed": "2023-06-01",
    "population_alleged": 1200,
    "area_ground": "a",
    "districts": ["F1"],
    "designees": [{"name": "ANN", "address": "1 ELM", "town": "Alpha", "resident": True}, {"name": "BOB"}],
    "transition": {"ground": "election_noticed", "evidence": "notice", "concluded": "2024-01-02"},
    "exhibits": {"description": "map", "inhabitants": True, "study": {"certified": True, "date": "2023-05-20"}},
    "witnesses": [{"page": 1, "name": "W", "address": "x", "signatures": 10, "sworn": "2023-05-30"}, {"page": 2}],
    "filed_with": ["65800", "Commission"],
    "deposits": {"065800": 6000, "commission": 0},
    "parts_reason": "an island",
    "parts_without_value": [{"swis": "066800", "reason": "water", "by": "assessor", "date": "2023-05-01"}],
}


def refused(data: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(InputError) as told:
        petition(data, "petition.json")
    return told.value.problems


def test_every_key() -> None:
    assert petition(WHOLE, "petition.json") == Petition(
        name="Lakeshore",
        bases=("valuation", "voters"),
        filed=date(2023, 6, 1),
        population_alleged=1200,
        area_ground="a",
        districts=("F1",),
        designees=(Designee("ANN", "1 ELM", "Alpha", True), Designee("BOB")),
        transition=Transition("election_noticed", "notice", date(2024, 1, 2)),
        exhibits=Exhibits("map", True, Study(certified=True, date=date(2023, 5, 20))),
        witnesses=(Witness(1, "W", "x", 10, date(2023, 5, 30)), Witness(2)),
        filed_with=("065800", "commission"),
        deposits={"065800": 6000, "commission": 0},
        parts_reason="an island",
        parts_without_value=(PartReason("066800", "water", "assessor", date(2023, 5, 1)),),
    )


def test_nothing_said_is_not_empty() -> None:
    nothing = petition({}, "petition.json")
    assert nothing == Petition()
    assert nothing == petition(dict.fromkeys(WHOLE), "petition.json")
    said = petition({"bases": [], "designees": [], "filed_with": [], "deposits": {}, "witnesses": []}, "petition.json")
    assert (said.bases, said.designees, said.filed_with, said.deposits, said.witnesses) == ((), (), (), {}, ())


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"nmae": "x"}, "“nmae” is not a known key. Known here are name, bases, filed, population_alleged, area_ground,"
         " districts, designees, transition, exhibits, witnesses, filed_with, deposits, parts_reason,"
         " parts_without_value."),
        ({"transition": {"grounds": "none"}},
         "“transition.grounds” is not a known key. Known here are ground, evidence, concluded."),
        ({"designees": [{"name": "A"}, {"name": "B", "phone": "1"}]},
         "“designees[2].phone” is not a known key. Known here are name, address, town, resident."),
        ({"designees": [{"address": "x"}]}, "“designees[1].name” is missing. Give it."),
        ({"designees": {"name": "A"}}, "“designees” is an object. Give a list in square brackets."),
        ({"designees": ["A"]}, "“designees[1]” is “A”. Give an object in braces."),
        ({"designees": [{"name": "A", "resident": "yes"}]}, "“designees[1].resident” is “yes”. Give true or false."),
        ({"name": 5}, "“name” is 5. Give text in quotation marks."),
        ({"bases": ["owners"]}, "“bases[1]” is “owners”. Give one of valuation, voters."),
        ({"bases": ["voters", "voters"]}, "“bases” names a basis twice. Name each once."),
        ({"bases": "voters"}, "“bases” is “voters”. Give a list in square brackets."),
        ({"filed": "2023-02-29"}, "“filed” is “2023-02-29”. There is no such day."),
        ({"filed": "6/1/2023"}, "“filed” is “6/1/2023”. Give a date as YYYY-MM-DD."),
        ({"filed": 20230601}, "“filed” is 20230601. Give a date as YYYY-MM-DD."),
        ({"population_alleged": "500"}, "“population_alleged” is “500”. Give a whole number, 0 or more."),
        ({"population_alleged": True}, "“population_alleged” is true. Give a whole number, 0 or more."),
        ({"population_alleged": 500.0}, "“population_alleged” is 500.0. Give a whole number, 0 or more."),
        ({"population_alleged": -1}, "“population_alleged” is -1. Give a whole number, 0 or more."),
        ({"area_ground": "e"}, "“area_ground” is “e”. Give one of a, b, c, d."),
        ({"transition": {"ground": "pending"}},
         "“transition.ground” is “pending”. Give one of none, saved_2017_2019, election_noticed."),
        ({"exhibits": {"description": "lots"}},
         "“exhibits.description” is “lots”. Give one of metes_bounds, streets_waters, map."),
        ({"exhibits": {"study": [1]}}, "“exhibits.study” is a list. Give an object in braces."),
        ({"exhibits": {"study": {"certified": "yes"}}}, "“exhibits.study.certified” is “yes”. Give true or false."),
        (
            {"exhibits": {"study": {"public_from": "soon"}}},
            "“exhibits.study.public_from” is “soon”. Give a date as YYYY-MM-DD.",
        ),
        (
            {"exhibits": {"study": {"pages": 2}}},
            "“exhibits.study.pages” is not a known key. Known here are attached, jointly_selected, confirmed,"
            " certified, date, public_from.",
        ),
        ({"exhibits": []}, "“exhibits” is a list. Give an object in braces."),
        ({"witnesses": [{"page": 0}]}, "“witnesses[1].page” is 0. Give a whole number, 1 or more."),
        ({"filed_with": [65800]},
         "“filed_with[1]” is 65800. Give the town's SWIS code of six digits, or “commission”."),
        ({"deposits": {"Pomfret": 6000}},
         "“deposits, key” is “Pomfret”. Give the town's SWIS code of six digits, or “commission”."),
        ({"deposits": {"065800": 60.5}}, "“deposits.065800” is 60.5. Give a whole number, 0 or more."),
        ({"deposits": {"065800": 1, "65800": 2}}, "“deposits” names 065800 twice. Name it once."),
        ({"deposits": [6000]}, "“deposits” is a list. Give an object in braces, dollars by SWIS code."),
        ({"districts": [""]}, "“districts[1]” is empty. It must not be empty."),
        ({"parts_without_value": [{"swis": "0668", "reason": "x", "by": "y", "date": "2023-01-01"}]},
         "“parts_without_value[1].swis” is “0668”. Give a SWIS code of six digits in quotation marks."),
        ({"parts_without_value": [{"swis": "Dunkirk", "reason": "x", "by": "y", "date": "2023-01-01"}]},
         "“parts_without_value[1].swis” is “Dunkirk”. Give a SWIS code of six digits in quotation marks."),
    ],
)  # fmt: skip
def test_one_sentence_a_problem(data: dict[str, Any], problem: str) -> None:
    assert refused(data) == (f"petition.json: {problem}",)


def test_all_problems_are_told_together() -> None:
    problems = refused({"x": 1, "filed": "soon", "parts_without_value": [{"swis": "066800", "reason": " "}]})
    assert problems == (
        "petition.json: “x” is not a known key. Known here are name, bases, filed, population_alleged, area_ground,"
        " districts, designees, transition, exhibits, witnesses, filed_with, deposits, parts_reason,"
        " parts_without_value.",
        "petition.json: “filed” is “soon”. Give a date as YYYY-MM-DD.",
        "petition.json: “parts_without_value[1].reason” is “ ”. It must not be empty.",
        "petition.json: “parts_without_value[1].by” is missing. Give it.",
        "petition.json: “parts_without_value[1].date” is missing. Give it.",
    )
