"""The habits of the house, checked on the sources: each rule is a function that also has a case it must catch."""

from __future__ import annotations

import ast
import configparser
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# The order in which data flows through core: a module imports only from above itself.
FLOW = (
    "model", "editions", "schema", "readers", "territory", "overlay", "apportion", "ownership", "equalization",
    "majority", "voters", "requirements", "analysis", "__main__",
)  # fmt: skip
NO_QT_AND_NO_QGIS = """
import importlib, pathlib, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"qgis", "PyQt5", "PyQt6", "PySide2", "PySide6"}:
            raise ImportError(f"{name} was imported")

sys.meta_path.insert(0, Blocked())
names = sorted(path.stem for path in pathlib.Path("core").glob("*.py") if path.stem != "__main__")
for name in names:
    importlib.import_module("core" if name == "__init__" else f"core.{name}")
print(len(names))
"""


def python_files(*folders: str) -> list[Path]:
    """The Python files under these folders of the repository, and its own two at the top with the folder "."."""
    found: list[Path] = []
    for folder in folders:
        found += ROOT.glob("*.py") if folder == "." else (ROOT / folder).rglob("*.py")
    return sorted(found)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


PRODUCT = python_files(".", "core", "ui")
EVERYTHING = [*PRODUCT, *python_files("tests", "scripts")]
each_product_file = pytest.mark.parametrize("path", PRODUCT, ids=named)
each_file = pytest.mark.parametrize("path", EVERYTHING, ids=named)


def imports(tree: ast.AST) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Level, module and names of every import, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield 0, alias.name, ()
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(alias.name for alias in node.names)


def foreign_to_core(source: str) -> list[str]:
    """Imports that core must not have: QGIS, Qt, and the package by its own name."""
    barred = {"qgis", "PyQt5", "PyQt6", "PySide2", "PySide6", "sip", "core", "ui", "village_petition"}
    found = []
    for level, module, _ in imports(ast.parse(source)):
        if level == 0 and module.split(".")[0] in barred:
            found.append(module)
        if level > 1 and module.split(".")[0] == "ui":
            found.append(module)
    return found


def qt_past_the_bridge(source: str) -> list[str]:
    """Imports of Qt other than through `qgis.PyQt`, and of actions from where QGIS 3.22 has none."""
    found = []
    for _, module, names in imports(ast.parse(source)):
        if module.split(".")[0] in {"PyQt5", "PyQt6", "PySide2", "PySide6", "sip"}:
            found.append(module)
        if module == "qgis.PyQt.QtGui":
            found += sorted({"QAction", "QActionGroup", "QShortcut", "QUndoStack"} & set(names))
        if "WebKit" in module or "QRegExp" in names:
            found.append(module)
    return found


def newer_than_python_3_9(source: str) -> list[str]:
    """Syntax and calls that Python 3.9, which QGIS 3.22 brings, does not have."""
    try:
        tree = ast.parse(source, feature_version=(3, 9))
    except SyntaxError as error:
        return [str(error)]
    found = []
    annotated = False
    for node in ast.walk(tree):
        annotated |= isinstance(node, ast.AnnAssign) or getattr(node, "returns", None) is not None
        if isinstance(node, ast.Call):
            keywords = {keyword.arg for keyword in node.keywords}
            name = ast.unparse(node.func)
            if name == "zip" and "strict" in keywords:
                found.append("zip(strict=)")
            if name.endswith("dataclass") and keywords & {"slots", "kw_only"}:
                found.append("dataclass(slots=, kw_only=)")
            if name in {"isinstance", "issubclass"} and isinstance(node.args[1], ast.BinOp):
                found.append(f"{name}(…, A | B)")
            if name in {"itertools.pairwise", "pairwise", "datetime.UTC"}:
                found.append(name)
        if isinstance(node, ast.Try) and type(node).__name__ == "TryStar":
            found.append("except*")
    future = any(module == "__future__" and "annotations" in names for _, module, names in imports(tree))
    if annotated and not future:
        found.append("annotations without `from __future__ import annotations`")
    return found


def unfinished(source: str) -> list[str]:
    """Marks of work that was put off, and functions without a body outside protocols and abstract classes."""
    found = re.findall(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b", source)
    tree = ast.parse(source)
    for owner in ast.walk(tree):
        if not isinstance(owner, (ast.Module, ast.ClassDef)):
            continue
        bases = {ast.unparse(base) for base in getattr(owner, "bases", [])}
        if bases & {"Protocol", "ABC", "typing.Protocol"}:
            continue
        for node in owner.body:
            if isinstance(node, ast.FunctionDef) and not node.decorator_list and _is_empty(node.body):
                found.append(f"{node.name} does nothing")
    return found


def _is_empty(body: list[ast.stmt]) -> bool:
    last = body[-1]
    return len(body) == 1 and (
        isinstance(last, ast.Pass) or isinstance(last, ast.Expr) and getattr(last.value, "value", None) is Ellipsis
    )


def against_the_flow(module: str, source: str) -> list[str]:
    """Modules of core that `module` imports although they stand below it."""
    if module not in FLOW:
        return []
    below = FLOW[FLOW.index(module) + 1 :]
    found = []
    for level, imported, names in imports(ast.parse(source)):
        if level == 1:
            found += [name for name in ([imported.split(".")[0]] if imported else names) if name in below]
    return found


@pytest.mark.parametrize("path", python_files("core"), ids=named)
def test_core_knows_nothing_of_qgis_and_qt(path: Path) -> None:
    assert foreign_to_core(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", python_files("core"), ids=named)
def test_core_imports_only_from_above(path: Path) -> None:
    assert against_the_flow(path.stem, path.read_text(encoding="utf-8")) == []


def test_core_has_no_circle_of_imports() -> None:
    graph = {}
    for path in (ROOT / "core").glob("*.py"):
        graph[path.stem] = {
            name
            for level, module, names in imports(ast.parse(path.read_text(encoding="utf-8")))
            if level == 1
            for name in ([module.split(".")[0]] if module else names)
        }
    while ready := [name for name, needs in graph.items() if not needs & graph.keys()]:
        for name in ready:
            del graph[name]
    assert graph == {}


def test_core_runs_where_qgis_is_not() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_QT_AND_NO_QGIS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert int(done.stdout) == len([path for path in (ROOT / "core").glob("*.py") if path.stem != "__main__"])


def test_loading_the_package_loads_no_library() -> None:
    probe = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('p', {str(ROOT / '__init__.py')!r})\n"
        "spec.loader.exec_module(importlib.util.module_from_spec(spec))\n"
        "print(sorted({'qgis', 'numpy', 'pandas', 'geopandas', 'shapely', 'pyproj', 'fiona'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@each_product_file
def test_qt_comes_through_qgis(path: Path) -> None:
    assert qt_past_the_bridge(path.read_text(encoding="utf-8")) == []


@each_product_file
def test_python_3_9_reads_it(path: Path) -> None:
    assert newer_than_python_3_9(path.read_text(encoding="utf-8")) == []


@each_file
def test_nothing_is_left_unfinished(path: Path) -> None:
    assert unfinished(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("rule", "source", "found"),
    [
        (foreign_to_core, "def f():\n    from qgis.core import QgsProject", ["qgis.core"]),
        (foreign_to_core, "from village_petition.core import model", ["village_petition.core"]),
        (foreign_to_core, "from ..ui import dock", ["ui"]),
        (foreign_to_core, "from .model import Finding", []),
        (qt_past_the_bridge, "from PyQt5.QtCore import Qt", ["PyQt5.QtCore"]),
        (qt_past_the_bridge, "from qgis.PyQt.QtGui import QAction, QIcon", ["QAction"]),
        (qt_past_the_bridge, "from qgis.PyQt.QtWidgets import QAction", []),
        (newer_than_python_3_9, "zip(a, b, strict=True)", ["zip(strict=)"]),
        (newer_than_python_3_9, "isinstance(a, int | str)", ["isinstance(…, A | B)"]),
        (newer_than_python_3_9, "a: int = 1", ["annotations without `from __future__ import annotations`"]),
        (newer_than_python_3_9, "zip(a, b)", []),
        (unfinished, "# TO" + "DO later", ["TO" + "DO"]),
        (unfinished, "def f():\n    pass", ["f does nothing"]),
        (unfinished, "class A(Protocol):\n    def f(self): ...", []),
    ],
)  # fmt: skip
def test_each_rule_catches_its_case(rule, source, found) -> None:
    assert rule(source) == found


def test_a_match_statement_is_newer_than_python_3_9() -> None:
    assert len(newer_than_python_3_9("match a:\n    case 1:\n        b = 2")) == 1


def test_the_flow_rule_catches_an_import_from_below() -> None:
    assert against_the_flow("schema", "from .analysis import analyze\nfrom . import model, overlay") == [
        "analysis",
        "overlay",
    ]


def test_the_package_holds_the_class_factory_and_nothing_else() -> None:
    tree = ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8"))
    kinds = [type(node).__name__ for node in tree.body]
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)] == ["classFactory"]
    assert set(kinds) <= {"Expr", "ImportFrom", "FunctionDef"}
    outside = [module for node in tree.body for _, module, _ in imports(node) if not isinstance(node, ast.FunctionDef)]
    assert set(outside) <= {"__future__", "typing"}


def test_the_plugin_only_registers() -> None:
    assert len((ROOT / "plugin.py").read_text(encoding="utf-8").splitlines()) <= 150


def metadata() -> configparser.SectionProxy:
    reader = configparser.ConfigParser()
    reader.optionxform = str  # type: ignore[assignment, method-assign]
    reader.read(ROOT / "metadata.txt", encoding="utf-8")
    return reader["general"]


def test_metadata_names_the_plugin_and_its_range() -> None:
    general = metadata()
    assert general["name"] == "Village Petition"
    assert (general["qgisMinimumVersion"], general["qgisMaximumVersion"]) == ("3.22", "4.99")
    assert general["hasProcessingProvider"] == "yes"
    assert (ROOT / general["icon"]).is_file()
    for package in ("shapely", "geopandas", "pyproj", "fiona"):
        assert package in general["about"]


def test_the_version_stands_in_metadata_alone() -> None:
    version = metadata()["version"]
    assert f"## {version}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert metadata()["changelog"].startswith(version)
    literal = re.compile(rf"""["']{re.escape(version)}["']|__version__\s*=""")
    holders = [named(path) for path in PRODUCT if literal.search(path.read_text(encoding="utf-8"))]
    assert holders == []
    assert not re.search(r"^version\s*=", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_licence_is_the_whole_gpl_2() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Version 2, June 1991" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "GPL-2.0-or-later" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_leads_to_what_is_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert len(links) >= 4
    assert [link for link in links if not link.startswith("https://") and not (ROOT / link).exists()] == []
    targets = set(re.findall(r"^make (\w+)", text, re.MULTILINE)) | {"bench", "package"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [target for target in sorted(targets) if f"\n{target}:" not in makefile] == []


def test_the_demo_names_files_that_ship() -> None:
    wanted = set(re.findall(r"sample/[a-z_.]+", (ROOT / "Makefile").read_text(encoding="utf-8")))
    assert len(wanted) == 12
    assert [name for name in sorted(wanted) if not (ROOT / name).is_file()] == []


def test_the_demo_opens_a_copy_and_keeps_it_until_another_sample_ships(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/open_demo.sh", tmp_path / "scripts")
    shutil.copytree(ROOT / "sample", tmp_path / "sample")
    for path in (tmp_path / "sample").iterdir():
        os.utime(path, (1_600_000_000, 1_600_000_000))
    no_screen = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}

    def demo() -> dict[str, bytes]:
        command = ["bash", str(tmp_path / "scripts/open_demo.sh")]
        done = subprocess.run(command, env=no_screen, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("There is no screen here, so QGIS is not opened.")
        assert done.stderr == ""
        return {path.name: path.read_bytes() for path in (tmp_path / "build/demo/sample").iterdir()}

    shipped = {path.name: path.read_bytes() for path in (ROOT / "sample").iterdir()}
    assert demo() == shipped
    (tmp_path / "build/demo/sample/rates.csv").write_bytes(b"mine")
    assert demo() == {**shipped, "rates.csv": b"mine"}
    later = (tmp_path / "build/demo/sample").stat().st_mtime + 10
    os.utime(tmp_path / "sample/towns.gpkg", (later, later))
    assert demo() == shipped
    assert {path.name: path.read_bytes() for path in (tmp_path / "sample").iterdir()} == shipped


@pytest.mark.parametrize("name", ["scripts/setup.sh", "scripts/open_demo.sh", ".ci/run"])
def test_shell_scripts_are_read_and_executable(name: str) -> None:
    path = ROOT / name
    assert path.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(path)], check=True)


def test_the_tools_of_the_checks_are_pinned() -> None:
    lines = (ROOT / "scripts/dev-requirements.txt").read_text(encoding="utf-8").splitlines()
    names = [line for line in lines if line and not line.startswith("#")]
    assert names
    assert [line for line in names if not re.fullmatch(r"[a-z-]+==[0-9.]+", line)] == []
