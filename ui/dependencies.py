"""Which Python packages are missing here and how a person gets them; nothing is ever installed by the plugin."""

from __future__ import annotations

import importlib
import platform
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from . import geos

REQUIRED = {"numpy": "1.24", "pandas": "1.5", "shapely": "2.0", "pyproj": "3.4", "fiona": "1.8", "geopandas": "0.12"}
OS_RELEASE = Path("/etc/os-release")


@dataclass(frozen=True)
class Missing:
    """A package that cannot be used: not there, too old, or it does not load. `reason` says which."""

    name: str
    needed: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} {self.needed} or newer: {self.reason}"


def missing() -> tuple[Missing, ...]:
    """The packages that the plugin needs and cannot use, in the order in which they build on one another."""
    return tuple(item for name, needed in REQUIRED.items() if (item := _try(name, needed)) is not None)


def _try(name: str, needed: str) -> Optional[Missing]:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        found = "is not installed" if error.name == name else f"does not load ({error})"
        return Missing(name, needed, found)
    except Exception as error:  # a broken build raises whatever it likes, and QGIS must start all the same
        said = str(error).splitlines() or [type(error).__name__]
        return Missing(name, needed, f"does not load ({said[0]})")
    version = str(getattr(module, "__version__", ""))
    if version and _numbers(version) < _numbers(needed):
        return Missing(name, needed, f"{version} is installed")
    if name == "shapely" and geos.is_mixed():
        return Missing(name, needed, "another plugin loaded it together with the GEOS of QGIS; switch that plugin off")
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def explain(items: tuple[Missing, ...], system: Optional[str] = None) -> str:
    """Plain text for a person: what is missing and how to get it on this system ("debian", "fedora", "windows", …)."""
    if not items:
        return ""
    lines = ["Village Petition needs Python packages that this QGIS does not have:", ""]
    lines += [f"• {item}" for item in items]
    lines += ["", "How to get them", *ways(system or this_system(), items), "", "Then start QGIS again."]
    return "\n".join(lines)


def this_system() -> str:
    """The kind of system: debian, fedora, windows, macos, conda, or other."""
    if (Path(sys.prefix) / "conda-meta").is_dir():
        return "conda"
    name = platform.system()
    if name == "Windows":
        return "windows"
    if name == "Darwin":
        return "macos"
    release = _os_release()
    family = f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split()
    if {"debian", "ubuntu"} & set(family):
        return "debian"
    if {"fedora", "rhel", "centos"} & set(family):
        return "fedora"
    return "other"


def ways(system: str, items: tuple[Missing, ...]) -> list[str]:
    """Lines that say how to get these packages on a system, from those who built its QGIS where they have them."""
    return {
        "debian": _debian,
        "fedora": _fedora,
        "windows": _windows,
        "macos": _macos,
        "conda": _conda,
        "other": _other,
    }[system](items)


def _names(items: tuple[Missing, ...]) -> list[str]:
    return [item.name for item in items]


def _debian(items: tuple[Missing, ...]) -> list[str]:
    packages = " ".join(f"python3-{item.name}" for item in items)
    lines = ["In a terminal:", f"    sudo apt install {packages}"]
    if "shapely" in _names(items):
        lines += [
            "Where the system has only shapely 1 (Debian 12, Ubuntu 22.04), get shapely 2 for your own account, alone:",
            "    sudo apt install python3-geopandas python3-fiona python3-pyproj python3-pip",
            "    python3 -m pip install --user --no-deps --break-system-packages shapely==2.1.2",
            "(Ubuntu 22.04: leave out --break-system-packages.)",
        ]
    return lines


def _fedora(items: tuple[Missing, ...]) -> list[str]:
    return ["In a terminal:", "    sudo dnf install " + " ".join(f"python3-{item.name}" for item in items)]


def _windows(items: tuple[Missing, ...]) -> list[str]:
    return [
        "Close QGIS and start the OSGeo4W Setup from the start menu (Advanced Install). Choose these packages:",
        "    " + ", ".join(f"python3-{item.name}" for item in items),
        "Where the setup does not list one, open the OSGeo4W Shell and get it alone:",
        "    python -m pip install --no-deps " + " ".join(_names(items)),
    ]


def _macos(items: tuple[Missing, ...]) -> list[str]:
    return [
        "The QGIS for macOS does not carry them in every version. QGIS from conda-forge has all of them:",
        "    conda create -n qgis -c conda-forge qgis geopandas fiona",
        "    conda activate qgis && qgis",
    ]


def _conda(items: tuple[Missing, ...]) -> list[str]:
    return [
        "In a terminal with the environment of this QGIS active:",
        "    conda install -c conda-forge " + " ".join(_names(items)),
    ]


def _other(items: tuple[Missing, ...]) -> list[str]:
    return [
        "Get them from whoever built this QGIS, so that all use one GDAL and one PROJ:",
        "    " + ", ".join(_names(items)),
        f"QGIS runs on Python {sys.version_info.major}.{sys.version_info.minor}, {sys.prefix}.",
    ]


def _os_release() -> Mapping[str, str]:
    try:
        text = OS_RELEASE.read_text(encoding="utf-8")
    except OSError:
        return {}
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name: value.strip().strip('"') for name, _, value in pairs}
