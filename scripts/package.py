"""Builds build/village_petition.zip as the plugin site wants it: the same sources give the same bytes."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "village_petition"
FILES = ("LICENSE", "README.md", "CHANGELOG.md", "metadata.txt", "__init__.py", "plugin.py")
FOLDERS = ("core", "ui", "resources", "i18n", "sample")
LEFT_OUT_SUFFIXES = (".pyc", ".ts", ".gpkg-shm", ".gpkg-wal", ".qgz~")
OLDEST_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
REGULAR_FILE = 0o100644 << 16
UNIX = 3


def packed_files(root: Path) -> list[Path]:
    """The files of the plugin, relative to `root`, in the order of their names."""
    found = [Path(name) for name in FILES if (root / name).is_file()]
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            relative = path.relative_to(root)
            if path.is_file() and not _left_out(relative):
                found.append(relative)
    return sorted(found, key=lambda path: path.as_posix())


def _left_out(relative: Path) -> bool:
    hidden = any(part.startswith(".") or part == "__pycache__" for part in relative.parts)
    return hidden or relative.name.endswith(LEFT_OUT_SUFFIXES)


def build(root: Path, target: Path) -> list[Path]:
    """Write the zip to `target` and give the files in it; FileNotFoundError names one that must be there and is not."""
    for name in FILES:
        if not (root / name).is_file():
            raise FileNotFoundError(f"{name} is missing from {root}")
    files = packed_files(root)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for relative in files:
            entry = zipfile.ZipInfo(f"{PACKAGE}/{relative.as_posix()}", OLDEST_ZIP_TIME)
            entry.create_system = UNIX
            entry.external_attr = REGULAR_FILE
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (root / relative).read_bytes())
    unfinished.replace(target)
    return files


def main() -> int:
    target = ROOT / "build" / f"{PACKAGE}.zip"
    try:
        files = build(ROOT, target)
    except FileNotFoundError as missing:
        print(f"package: {missing}", file=sys.stderr)
        return 1
    print(f"package: {target.relative_to(ROOT)}, {len(files)} files, {target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
