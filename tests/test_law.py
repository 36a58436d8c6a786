"""Every function and every test that `docs/law.md` names is there, and every clause names both."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FUNCTION = re.compile(r"`([a-z_]+)\.([a-z_]+)`")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
OUTSIDE_THE_DATA = {"(b)(6)"}
"""Clauses about paper and thread, of which no data can tell."""

CLAUSES = {
    "2-200(1) population",
    "2-200(1) city, village",
    *(f"2-200(1)({letter})" for letter in "abcd"),
    "2-200(2)",
    "(a)",
    "(a)(1)",
    *(f"(b)({number})" for number in range(1, 7)),
    "(c)(1)",
    "(c)(2)",
    "(c)(3), (2)",
    "(d)(1)",
    "(d)(2)",
    "(e)(1)",
    "(e)(2)",
    "(e)(3) address",
    "(e)(3) credited value",
    "(e)(4)",
    "(f)(1) original",
    "(f)(1) copies",
    "(f)(2)",
}


def _rows() -> list[list[str]]:
    lines = (ROOT / "docs" / "law.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [row for row in rows if row[0] != "clause"]


ROWS = _rows()
IDS = [row[0] for row in ROWS]


def test_every_clause_has_its_row() -> None:
    assert set(IDS) >= CLAUSES
    assert sum(one.startswith("(a)(2)") for one in IDS) >= 8
    assert len(set(IDS)) == len(IDS)


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_functions_are_there(row: list[str]) -> None:
    functions = FUNCTION.findall(row[3])
    assert bool(functions) == (row[0] not in OUTSIDE_THE_DATA)
    for module, name in functions:
        assert callable(getattr(importlib.import_module(f"village_petition.core.{module}"), name))


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_tests_are_there(row: list[str]) -> None:
    tests = TEST.findall(row[4])
    assert bool(tests) == (row[0] not in OUTSIDE_THE_DATA)
    for path, name in tests:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
