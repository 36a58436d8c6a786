"""The zip that goes to the plugin site: what is in it, and that it is the same each time."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"scripts_{name}", ROOT / "scripts" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


package = load("package")


@pytest.fixture()
def small_plugin(tmp_path: Path) -> Path:
    """A folder laid out as the repository is, with what belongs in the zip and what does not."""
    root = tmp_path / "clone"
    for name in package.FILES:
        _write(root / name)
    for name in (
        "core/model.py", "core/rules/2004.json", "ui/dock.py", "resources/icons/plugin.svg", "sample/rates.csv",
        "i18n/de.qm", "i18n/de.ts", "core/__pycache__/model.cpython-311.pyc", "core/.model.py.swp", "ui/.hidden/a.py",
        "tests/test_model.py", "docs/law.md", "scripts/gate.py", "Makefile", ".ci/run", "resources.qrc",
    ):  # fmt: skip
        _write(root / name)
    return root


def _write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{path.name}\n", encoding="utf-8")


def test_the_zip_holds_the_plugin_alone(small_plugin: Path, tmp_path: Path) -> None:
    package.build(small_plugin, tmp_path / "out" / "plugin.zip")
    with zipfile.ZipFile(tmp_path / "out" / "plugin.zip") as archive:
        names = archive.namelist()
        assert archive.read("village_petition/core/model.py") == b"model.py\n"
    assert names == [
        f"village_petition/{name}"
        for name in (
            "CHANGELOG.md", "LICENSE", "README.md", "__init__.py", "core/model.py", "core/rules/2004.json",
            "i18n/de.qm", "metadata.txt", "plugin.py", "resources/icons/plugin.svg", "sample/rates.csv", "ui/dock.py",
        )
    ]  # fmt: skip
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["plugin.zip"]


def test_the_same_sources_give_the_same_bytes(small_plugin: Path, tmp_path: Path) -> None:
    package.build(small_plugin, tmp_path / "one.zip")
    copy = tmp_path / "copy"
    shutil.copytree(small_plugin, copy)
    (copy / "core" / "model.py").touch()
    (copy / "core" / "model.py").chmod(0o755)
    package.build(copy, tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_missing_licence_is_named(small_plugin: Path, tmp_path: Path) -> None:
    (small_plugin / "LICENSE").unlink()
    with pytest.raises(FileNotFoundError, match=r"^LICENSE is missing from "):
        package.build(small_plugin, tmp_path / "plugin.zip")
    assert not (tmp_path / "plugin.zip").exists()


def test_the_zip_is_what_git_would_archive() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a clone")
    tracked = [name for name in listed.stdout.split("\0") if name]
    # An attribute on a folder holds for what is in it, but git tells it of the folder alone.
    asked = sorted({str(part) for name in tracked for part in (Path(name), *Path(name).parents)} - {"."})
    told = subprocess.run(
        ["git", "check-attr", "-z", "--stdin", "export-ignore"],
        cwd=ROOT, input="\0".join(asked), capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    ignored = {told[i] for i in range(0, len(told) - 2, 3) if told[i + 2] == "set"}
    archived = {name for name in tracked if not ignored & {str(part) for part in (Path(name), *Path(name).parents)}}
    packed = {path.as_posix() for path in package.packed_files(ROOT)}
    assert packed & set(tracked) == archived
