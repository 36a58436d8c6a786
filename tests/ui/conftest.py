"""What the tests of the window share: an offscreen Qt, a fresh project each time, and the real window on request."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

HERE = Path(__file__).resolve().parent


def _load_realwindow() -> Any:
    if "realwindow" in sys.modules:
        return sys.modules["realwindow"]
    spec = importlib.util.spec_from_file_location("realwindow", HERE / "realwindow.py")
    if spec is None or spec.loader is None:
        raise RuntimeError("tests/ui/realwindow.py is missing")
    module = importlib.util.module_from_spec(spec)
    sys.modules["realwindow"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture()
def real_window() -> Any:
    """`run(driver, out, arguments=…)` of realwindow.py; a driver's relative path counts from tests/ui."""
    module = _load_realwindow()
    if not module.available():
        pytest.skip("no Xvfb or no QGIS here")

    def run(driver: str, out: Path, **options: Any) -> Any:
        return module.run(HERE / driver, Path(out), **options)

    return run
