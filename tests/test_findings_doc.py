"""`docs/findings.md` lists every code with the citation of both editions and the modules that raise it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "core" / "rules"
EDITIONS = ("2004", "2024")
CODE = re.compile(r"V-[0-9]{2}")
SEVERITIES = ("error", "warning", "info")
LAST = 48


class Row(NamedTuple):
    """One code of the table."""

    code: str
    when: str
    severity: str
    law_2004: str
    law_2024: str
    raised_by: str
    remedy: str


def _rows() -> list[Row]:
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.splitlines()
        if line[:4] == "| V-"
    ]
    return [Row(*row) for row in cells]


ROWS = {row.code: row for row in _rows()}


def _rules(edition: str) -> dict[str, dict[str, object]]:
    rules: dict[str, dict[str, object]] = json.loads((RULES / f"{edition}.json").read_text(encoding="utf-8"))
    return rules


def _raised() -> Iterator[tuple[str, str, set[str]]]:
    """Code, module and the severities written beside the code, of every call that gives a finding."""
    for path in sorted((ROOT / "core").rglob("*.py")):
        module = path.relative_to(ROOT / "core").with_suffix("").parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            if getattr(node.func, "attr", "") == "citation":
                continue
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            for code in filter(CODE.fullmatch, texts):
                yield code, module, {text for text in texts if text in SEVERITIES}
    for edition in EDITIONS:
        for conflict in _rules(edition)["parameters"]["conflicts"]["value"]:  # type: ignore[index]
            yield conflict["code"], "transition", {conflict["severity"]}


def test_every_code_has_one_row_in_order() -> None:
    assert [row.code for row in _rows()] == [f"V-{number:02d}" for number in range(1, LAST + 1)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_citations_are_the_editions(edition: str) -> None:
    citations = {key: text for key, text in _rules(edition)["citations"].items() if CODE.fullmatch(key)}
    stated = {row.code: row.law_2004 if edition == "2004" else row.law_2024 for row in ROWS.values()}
    assert stated == {code: text or "–" for code, text in citations.items()}


def test_raised_by_is_what_the_modules_raise() -> None:
    found: dict[str, set[str]] = {code: set() for code in ROWS}
    for code, module, _ in _raised():
        found[code].add(module)
    assert {code: row.raised_by for code, row in ROWS.items()} == {
        code: ", ".join(f"`{module}`" for module in sorted(modules)) or "–" for code, modules in found.items()
    }


def test_severities_are_those_of_the_modules() -> None:
    listed = {code: set(row.severity.split(", ")) for code, row in ROWS.items()}
    assert all(severities and severities <= set(SEVERITIES) for severities in listed.values())
    wrong = [(code, module) for code, module, severities in _raised() if not severities <= listed[code]]
    assert wrong == []


def test_every_row_says_when_and_what_to_do() -> None:
    lacking = [row.code for row in ROWS.values() if not row.when.endswith(".") or not row.remedy.endswith(".")]
    assert lacking == []
