"""`docs/metes-and-bounds.md` lists every code, verdict and option."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOC = (ROOT / "docs" / "metes-and-bounds.md").read_text(encoding="utf-8")
SOURCE = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "core" / "bearings").glob("*.py")))


def test_every_code_has_one_row_in_order() -> None:
    listed = re.findall(r"^\| ([MV]-[A-Z0-9]+) \|", DOC, re.MULTILINE)
    assert listed == sorted(set(re.findall(r'"(M-[A-Z]+|V-01)"', SOURCE)))


def test_every_option_is_told() -> None:
    command = (ROOT / "core" / "__main__.py").read_text(encoding="utf-8")
    options = set(re.findall(r'traverse\.add_argument\(\s*"(--[a-z-]+)"', command))
    told = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert {"--crs", "--start", "--basis", "--allow-open", "--out"} <= options
    assert all(option in told for option in options)
