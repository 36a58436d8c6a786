"""`docs/architecture.md` names every module of `core/`, each below all that it imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _listed() -> list[str]:
    lines = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()
    return [name for line in lines if line.startswith("| `") for name in re.findall(r"`(\w+)/?`", line.split("|")[1])]


def _modules() -> dict[str, list[Path]]:
    """The files of each module of `core/`: one, or those of a package."""
    core = ROOT / "core"
    files = {path.stem: [path] for path in core.glob("*.py") if path.stem != "__init__"}
    return {**files, **{path.parent.name: sorted(path.parent.glob("*.py")) for path in core.glob("*/__init__.py")}}


def _imported(paths: list[Path]) -> set[str]:
    """The modules of `core/` that a module imports at the top or inside a function, for types too."""
    names: set[str] = set()
    for path in paths:
        level = 1 if path.parent.name == "core" else 2
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == level:
                names |= {node.module.split(".")[0]} if node.module else {one.name for one in node.names}
    return names


def test_every_module_is_listed_once() -> None:
    assert sorted(_listed()) == sorted(_modules())


def test_modules_stand_below_what_they_import() -> None:
    listed = _listed()
    above = {name: set(listed[:place]) for place, name in enumerate(listed)}
    below = {name: _imported(paths) - above[name] for name, paths in _modules().items()}
    assert {name: names for name, names in below.items() if names} == {}
