"""Lets shapely speak to its own GEOS in a process that holds another one.

A shapely from PyPI brings a GEOS of its own. QGIS has loaded the system's before, and on Linux the names of both are
the same: shapely's calls would go to the system's GEOS, those that it lacks to shapely's, and one would work on the
other's objects. Loaded with RTLD_DEEPBIND, shapely looks among its own first.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path


def isolate() -> None:
    """Load shapely by itself, if it is one that brings its GEOS and nobody has loaded it yet."""
    if "shapely" in sys.modules or not hasattr(os, "RTLD_DEEPBIND") or not _brings_geos():
        return
    # Whatever is wrong with it is found again, and told, where the packages are checked.
    with _own_symbols_first(), contextlib.suppress(Exception):
        importlib.import_module("shapely")


def is_mixed() -> bool:
    """Whether shapely, loaded by somebody else, speaks to a GEOS that is not its own."""
    import shapely

    try:
        shapely.to_wkb(shapely.Point(0, 0))
    except shapely.errors.GEOSException:
        return True
    return False


def _brings_geos() -> bool:
    spec = importlib.util.find_spec("shapely")
    return spec is not None and spec.origin is not None and Path(spec.origin).parent.with_name("shapely.libs").is_dir()


@contextlib.contextmanager
def _own_symbols_first() -> Iterator[None]:
    flags = sys.getdlopenflags()
    sys.setdlopenflags(flags | os.RTLD_DEEPBIND)
    try:
        yield
    finally:
        sys.setdlopenflags(flags)
