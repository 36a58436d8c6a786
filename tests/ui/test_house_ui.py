"""The habits of the window, checked on the sources: enums, colours, words and icons."""

from __future__ import annotations

import ast
import enum
import importlib
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ICONS = ROOT / "resources" / "icons"
STATUSES = {"pass", "fail", "undecided", "warning", "note"}
# Field types have no spelling that Qt 5 and Qt 6 share: one file holds both.
BRIDGE = "compat.py"
SHOWN = {
    "setText", "setToolTip", "setStatusTip", "setWhatsThis", "setTitle", "setWindowTitle", "setPlaceholderText",
    "setAccessibleName", "setAccessibleDescription", "setLabelText", "setTabText", "setHeaderLabels",
    "setHorizontalHeaderLabels", "addTab", "addAction", "addMenu", "addItem", "addRow", "addButton", "pushMessage",
    "pushInfo", "pushWarning", "pushSuccess", "pushCritical", "showMessage", "setInformativeText",
    "QLabel", "QPushButton", "QToolButton", "QCheckBox", "QRadioButton", "QGroupBox", "QAction", "QMenu",
    "QDockWidget", "QgsDockWidget", "QgsCollapsibleGroupBox",
}  # fmt: skip
TRANSLATORS = {"tr", "translate"}
LITERAL_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(|color\s*:\s*(?!palette)[a-z]{3,}")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


WINDOW = sorted([*ROOT.glob("*.py"), *(ROOT / "ui").rglob("*.py")])
each_file = pytest.mark.parametrize("path", WINDOW, ids=named)


def _known(tree: ast.Module) -> dict[str, Any]:
    """What the names imported from QGIS and Qt stand for here."""
    known: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "qgis":
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                # A newer QGIS may have a name that this one lacks; the file guards it and another lane checks it.
                if hasattr(module, alias.name):
                    known[alias.asname or alias.name] = getattr(module, alias.name)
    return known


def _resolve(node: ast.expr, known: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, known)
        return getattr(owner, node.attr, None) if owner is not None else None
    return None


def _is_enum(kind: type) -> bool:
    """Whether `kind` is an enum of Python, or one of the older kind that is a subclass of int inside another class."""
    return issubclass(kind, enum.Enum) or (issubclass(kind, int) and kind not in {int, bool})


def unscoped_enums(source: str) -> list[str]:
    """Members of enums that are named without their enum, which Qt 6 does not have."""
    tree = ast.parse(source)
    known = _known(tree)
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        owner = _resolve(node.value, known)
        value = _resolve(node, known)
        if isinstance(owner, type) and _is_enum(type(value)) and owner is not type(value) and not _is_enum(owner):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def literal_colours(source: str) -> list[str]:
    """Style sheets that name a colour of their own instead of the palette's."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setStyleSheet"):
            for argument in node.args:
                for part in ast.walk(argument):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        found += [f"{node.lineno}: {hit}" for hit in LITERAL_COLOUR.findall(part.value)]
    return found


def untranslated(source: str) -> list[str]:
    """Words that are shown as they stand, and words put together before they are translated."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        arguments = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg in {"text", "title"})]
        if name in SHOWN:
            found += [f"{node.lineno}: {words}" for argument in arguments for words in _bare_words(argument)]
        elif name in TRANSLATORS:
            found += [f"{node.lineno}: f-string" for argument in arguments if isinstance(argument, ast.JoinedStr)]
    return found


def _bare_words(argument: ast.expr) -> Iterator[str]:
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str) and _has_words(argument.value):
        yield argument.value
    elif isinstance(argument, ast.JoinedStr):
        for part in argument.values:
            if isinstance(part, ast.Constant) and _has_words(str(part.value)):
                yield str(part.value)
    elif isinstance(argument, (ast.List, ast.Tuple)):
        for element in argument.elts:
            yield from _bare_words(element)


def _has_words(text: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>|&\w+;", "", text)))


@each_file
def test_enums_are_scoped(path: Path) -> None:
    found = unscoped_enums(path.read_text(encoding="utf-8"))
    if path.name == BRIDGE:
        found = [hit for hit in found if "QVariant." not in hit]
    assert found == []


@each_file
def test_no_style_sheet_has_a_colour_of_its_own(path: Path) -> None:
    assert literal_colours(path.read_text(encoding="utf-8")) == []


@each_file
def test_words_go_through_the_translator(path: Path) -> None:
    assert untranslated(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("rule", "source", "found"),
    [
        (unscoped_enums, "from qgis.PyQt.QtCore import Qt\nQt.AlignLeft", ["2: Qt.AlignLeft"]),
        (unscoped_enums, "from qgis.PyQt.QtCore import Qt\nQt.AlignmentFlag.AlignLeft", []),
        (unscoped_enums, "from qgis.PyQt import QtCore\nQtCore.Qt.Checked", ["2: QtCore.Qt.Checked"]),
        (unscoped_enums, "from qgis.core import QgsWkbTypes as W\ndef f():\n    return W.PolygonGeometry",
         ["3: W.PolygonGeometry"]),
        (unscoped_enums, "from qgis.core import QgsWkbTypes\nQgsWkbTypes.GeometryType.PolygonGeometry", []),
        (unscoped_enums, "from qgis.core import QgsTask\nQgsTask.CanCancel", ["2: QgsTask.CanCancel"]),
        (literal_colours, "a.setStyleSheet('color: red; background: #fff')", ["1: color: red", "1: #fff"]),
        (literal_colours, "a.setStyleSheet(f'color: rgb({r}, 0, 0)')", ["1: color: rgb"]),
        (literal_colours, "a.setStyleSheet('color: palette(text); font-weight: bold')", []),
        (untranslated, "QLabel('Total value', parent)", ["1: Total value"]),
        (untranslated, "a.setText(f'{n} parcels')", ["1:  parcels"]),
        (untranslated, "a.setText(self.tr('{n} parcels').format(n=n))", []),
        (untranslated, "self.tr(f'{n} parcels')", ["1: f-string"]),
        (untranslated, "a.setHeaderLabels(['Name', self.tr('Town')])", ["1: Name"]),
        (untranslated, "a.setText('')\na.setObjectName('Meter')", []),
    ],
)  # fmt: skip
def test_each_rule_catches_its_case(rule: Any, source: str, found: list[str]) -> None:
    assert rule(source) == found


def icon_names() -> set[str]:
    return {path.stem for path in ICONS.glob("*.svg")}


def test_the_resource_file_lists_the_icons() -> None:
    tree = ElementTree.parse(ROOT / "resources.qrc")
    listed = [element.text for element in tree.iter("file")]
    assert listed == sorted(f"resources/icons/{name}.svg" for name in icon_names())


def test_icons_have_a_drawing_for_every_ground() -> None:
    names = icon_names()
    plain = {name for name in names if not name.endswith(("_dark", "_selected"))} - {"plugin"}
    assert {f"{name}_dark" for name in plain} | {f"{name}_selected" for name in STATUSES} == names - plain - {"plugin"}


@pytest.mark.parametrize("path", sorted(ICONS.glob("*.svg")), ids=lambda path: path.stem)
def test_icons_draw_on_a_square_and_need_nothing_else(path: Path) -> None:
    tree = ElementTree.parse(path)
    root = tree.getroot()
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert width == height
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert tags <= {"svg", "title", "path", "rect", "circle"}
    assert "href" not in path.read_text(encoding="utf-8")


def icons_asked_for(source: str) -> set[str]:
    """Names in calls of `icon(…)`, in the table of statuses, and beside the actions that the plugin registers."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "icon":
            found |= {a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)}
        elif isinstance(node, ast.Tuple) and len(node.elts) == 4 and ast.unparse(node.elts[0]).startswith("self."):
            found |= {node.elts[1].value} if isinstance(node.elts[1], ast.Constant) else set()
    return found


def test_every_icon_is_used_and_every_icon_used_is_there() -> None:
    icons = importlib.import_module("village_petition.ui.icons")
    wanted = set(icons.STATUS.values())
    for path in WINDOW:
        wanted |= icons_asked_for(path.read_text(encoding="utf-8"))
    assert wanted == {name for name in icon_names() if not name.endswith(("_dark", "_selected"))}


def test_the_rule_on_icons_sees_each_way_to_ask() -> None:
    assert icons_asked_for('a.setIcon(icons.icon("zoom", self))\nb = icon(\n"copy")') == {"zoom", "copy"}
    assert icons_asked_for('docks = [(self.dock, "plugin", self.tr("A"), "Ctrl+A")]') == {"plugin"}
    assert icons_asked_for('self.show_page("layers")\nfolder / "icons" / "fail.svg"') == set()
