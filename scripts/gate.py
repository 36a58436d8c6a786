"""Checks a built zip as the QGIS plugin site does on upload, without the network.

What blocks there blocks here: the structure, every test of Bandit, detect-secrets and the files that do not belong.
What only informs there (line lengths, style) is printed and does not fail.
"""

from __future__ import annotations

import argparse
import configparser
import json
import re
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

LARGEST_ZIP = 25 * 1024 * 1024
REQUIRED_FILES = ("__init__.py", "metadata.txt", "LICENSE")
REQUIRED_KEYS = (
    "name", "description", "version", "qgisMinimumVersion", "qgisMaximumVersion", "author", "email", "about",
    "tracker", "repository", "homepage", "icon", "hasProcessingProvider",
)  # fmt: skip
TEMPLATE_ADDRESSES = ("http://bugs", "http://repo", "http://homepage", "https://github.com/<", "example.com")
FORBIDDEN_PARTS = ("__MACOSX", "__pycache__", ".git")
FORBIDDEN_SUFFIXES = (".exe", ".dll", ".so", ".dylib", ".bat", ".sh", ".ps1", ".cmd", ".pyc", ".pyd")
DATA_SUFFIXES = (".gpkg", ".png", ".qgz", ".qm")
PACKAGE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]+")
VERSION = re.compile(r"\d+\.\d+(\.\d+)?")


def check_structure(archive: Path) -> list[str]:
    """What the site's validator would reject: size, paths, the one folder, required files and executable files."""
    if archive.stat().st_size > LARGEST_ZIP:
        return [f"{archive.name} is larger than 25 MB"]
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            broken = opened.testzip()
    except zipfile.BadZipFile as error:
        return [f"{archive.name} is no zip: {error}"]
    if broken:
        return [f"{archive.name} is damaged at {broken}"]
    problems = [problem for entry in entries for problem in _entry_problems(entry)]
    tops = sorted({PurePosixPath(entry.filename).parts[0] for entry in entries})
    if len(tops) != 1:
        return [*problems, f"one folder at the top is wanted, there are {len(tops)}: {', '.join(tops)}"]
    top = tops[0]
    if not (PACKAGE_NAME.fullmatch(top) and top.isidentifier()):
        problems.append(f"the folder “{top}” is no name of a Python package")
    names = {entry.filename for entry in entries}
    problems += [f"{name} is missing" for name in REQUIRED_FILES if f"{top}/{name}" not in names]
    return problems


def _entry_problems(entry: zipfile.ZipInfo) -> Iterable[str]:
    name = entry.filename
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or "\\" in name or re.match(r"[A-Za-z]:", name):
        yield f"{name} leads out of the folder"
    if any(part in FORBIDDEN_PARTS for part in parts):
        yield f"{name} does not belong in a plugin"
    elif any(part.startswith(".") for part in parts):
        yield f"{name} is hidden"
    if name.lower().endswith(FORBIDDEN_SUFFIXES):
        yield f"{name} is a program or compiled file"
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode):
        yield f"{name} is a link"
    elif mode & 0o111 and not entry.is_dir():
        yield f"{name} is executable"


def check_metadata(folder: Path) -> list[str]:
    """What the site would reject in metadata.txt, read with the parser that it uses."""
    reader = configparser.ConfigParser()
    # Keys keep their case: the site knows qgisMinimumVersion and no other spelling.
    reader.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        reader.read_string((folder / "metadata.txt").read_text(encoding="utf-8"))
        general = dict(reader["general"])
    except (configparser.Error, KeyError, UnicodeDecodeError) as error:
        return [f"metadata.txt cannot be read: {error}"]
    problems = [f"metadata.txt lacks {key}" for key in REQUIRED_KEYS if not general.get(key, "").strip()]
    if problems:
        return problems
    if "/" in general["author"]:
        problems.append("metadata.txt: the author has a slash")
    if not VERSION.fullmatch(general["version"]):
        problems.append(f"metadata.txt: “{general['version']}” is no version such as 1.2.3")
    for key in ("tracker", "repository", "homepage"):
        address = general[key]
        if not address.startswith("https://") or address.startswith(TEMPLATE_ADDRESSES):
            problems.append(f"metadata.txt: {key} “{address}” is no address of this project")
    if not (folder / general["icon"]).is_file():
        problems.append(f"metadata.txt: the icon {general['icon']} is not in the zip")
    if "supportsQt6" in general:
        problems.append("metadata.txt: supportsQt6 is dead, QGIS 4 goes by qgisMaximumVersion")
    return problems


def check_binaries(folder: Path) -> list[str]:
    """Files that are not text and not the data that the plugin ships."""
    problems = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in DATA_SUFFIXES and b"\0" in path.read_bytes():
            problems.append(f"{path.relative_to(folder).as_posix()} is a binary file")
    return problems


def check_bandit(folder: Path) -> list[str]:
    """Every finding of every test of Bandit: one is enough for the site to block a version."""
    report = _json_of("bandit", "--recursive", "--format", "json", "--quiet", str(folder))
    if report is None or "metrics" not in report:
        return ["Bandit did not run"]
    problems = [f"Bandit cannot read {Path(error['filename']).name}" for error in report["errors"]]
    for result in report["results"]:
        place = Path(result["filename"]).relative_to(folder).as_posix()
        problems.append(f"{place}:{result['line_number']} {result['test_id']} {result['issue_text']}")
    return problems


def check_secrets(folder: Path) -> list[str]:
    """Text that looks like a password or key; the site leaves metadata.txt out."""
    # It looks at nothing outside of the folder that it stands in, and would ask the services whether a key is good.
    options = ("--all-files", "--no-verify", "--exclude-files", r"metadata\.txt$")
    report = _json_of("detect_secrets", "-C", str(folder), "scan", *options, ".")
    if report is None or "results" not in report:
        return ["detect-secrets did not run"]
    problems = []
    for name, secrets in sorted(report["results"].items()):
        for secret in secrets:
            problems.append(f"{name}:{secret['line_number']} looks like a secret ({secret['type']})")
    return problems


def style_notes(folder: Path) -> int:
    """How many remarks the site's style check would print; it never blocks."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E,F,W", "--line-length", "120",
         "--output-format", "json", "--no-cache", "--exit-zero", str(folder)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return len(json.loads(done.stdout))


def _json_of(module: str, *arguments: str) -> dict | None:  # type: ignore[type-arg]
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return None


def check(archive: Path) -> list[str]:
    """Everything for which the site would refuse the zip, one sentence each; nothing means it would be taken."""
    problems = check_structure(archive)
    if problems:
        return problems
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(archive) as opened:
        opened.extractall(scratch)
        folder = next(Path(scratch).resolve().iterdir())
        for part in (check_metadata, check_binaries, check_bandit, check_secrets):
            problems += part(folder)
        print(f"gate: {style_notes(folder)} remarks on style (they do not block)")
    return problems


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("archive", type=Path)
    archive = parser.parse_args(arguments).archive
    if not archive.is_file():
        print(f"gate: {archive} is missing, build it with `make package`", file=sys.stderr)
        return 1
    problems = check(archive)
    for problem in problems:
        print(f"gate: {problem}", file=sys.stderr)
    print(f"gate: {archive.name} {'is refused' if problems else 'would be taken'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
