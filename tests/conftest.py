"""Loads the repository's root as the package `village_petition`, whatever the folder of the clone is called."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
PACKAGE = "village_petition"

# Before any Qt is loaded: tests that need a real window start their own screen in a process of its own.
os.environ["QT_QPA_PLATFORM"] = "offscreen"

# The same examples every time, so that a check fails for who broke something; HYPOTHESIS_PROFILE=explore looks further.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def _register_package() -> None:
    if PACKAGE in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(PACKAGE, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)])
    if spec is None or spec.loader is None:
        raise RuntimeError(f"{ROOT} holds no package")
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)


_register_package()


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root, which is the plugin's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the clone; tests that use it are left out where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("no shared data beside the clone")
    return SHARED
