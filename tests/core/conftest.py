"""What the tests of the analysis share: a small world in memory, and the analyses of the lakeshore case."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent


def _register(name: str) -> Any:
    """Makes a module beside this one importable by its name, so that tests read `from worlds import Lot`."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
        if spec is None or spec.loader is None:
            raise RuntimeError(f"tests/core/{name}.py is missing")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


worlds = _register("worlds")
_register("naive")
_register("grids")


@pytest.fixture(scope="session")
def world() -> Any:
    """Makes a `World`: `world([Lot("1", box(0, 0, 10, 10))], box(0, 0, 5, 10), signers=["ANN"]).analyze()`."""
    return worlds.World


def _lakeshore(folder: Path) -> Any:
    from village_petition.core.analysis import analyze
    from village_petition.core.document import as_dict
    from village_petition.core.inputs import load_inputs

    analysis = analyze(load_inputs(worlds.case_paths(folder)))
    return worlds.Outcome(analysis, as_dict(analysis))


@pytest.fixture(scope="session")
def lakeshore_clean(shared: Path) -> Any:
    """The analysis of the lakeshore case without faults."""
    return _lakeshore(shared / "data" / "lakeshore" / "clean")


@pytest.fixture(scope="session")
def lakeshore_faults(shared: Path) -> Any:
    """The analysis of the lakeshore case with its known faults."""
    return _lakeshore(shared / "data" / "lakeshore")
