"""`docs/architecture.md` names every module of `core/`, each below all that it imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _listed() -> list[str]:
    lines = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()
    return [name for line in lines if line.startswith("| `") for name in re.findall(r"`(\w+)`", line.split("|")[1])]


def _imported(path: Path) -> set[str]:
    """The modules of `core/` that a module imports at the top or inside a function, for types too."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    relative = [node for node in nodes if node.level == 1]
    return {name for node in relative for name in ([node.module] if node.module else [one.name for one in node.names])}


def test_every_module_is_listed_once() -> None:
    modules = {path.stem for path in (ROOT / "core").glob("*.py")} - {"__init__"}
    assert sorted(_listed()) == sorted(modules)


def test_modules_stand_below_what_they_import() -> None:
    listed = _listed()
    above = {name: set(listed[:place]) for place, name in enumerate(listed)}
    below = {name: _imported(ROOT / "core" / f"{name}.py") - above[name] for name in listed}
    assert {name: names for name, names in below.items() if names} == {}
