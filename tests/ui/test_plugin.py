"""The plugin comes and goes in the real window and leaves nothing; it loads where a package is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.window


def test_five_loads_and_unloads_leave_nothing(real_window: Any, tmp_path: Path) -> None:
    outcome = real_window("drivers/lifecycle.py", tmp_path)
    assert outcome.ok, outcome.report()
    before, after = outcome.results["before"], outcome.results["after"]
    assert "villagepetition" not in before["providers"]
    assert len(after) == 5
    for later in after:
        assert later == before
    with_it = outcome.results["with it"]
    assert {"VillagePetitionDock", "VillagePetitionFindingsDock"} <= set(with_it["docks"])
    assert with_it["bars"].count("VillagePetitionToolBar") == 1
    assert with_it["providers"].count("villagepetition") == 1
    assert with_it["menu"] != before["menu"]
    assert outcome.results["cleared"] == "Choose a parcel layer on the Layers page to begin."
    last = outcome.results["after all"]
    assert last["receivers"] == before["receivers"]
    assert last["providers"] == before["providers"]
    assert last["docks"] == before["docks"]


@pytest.mark.parametrize("package", ["geopandas", "shapely"])
def test_a_missing_package_is_named_and_nothing_breaks(package: str, real_window: Any, tmp_path: Path) -> None:
    outcome = real_window("drivers/missing_package.py", tmp_path, without=[package])
    assert outcome.ok, outcome.report()
    assert outcome.results["name"] == "VillagePetitionDock"
    assert outcome.results["visible"]
    text = outcome.results["text"]
    assert text.startswith("Village Petition needs Python packages that this QGIS does not have:")
    assert f"• {package} " in text
    assert "How to get them" in text
    runs, reason = outcome.results["algorithm"]
    assert not runs
    assert f"• {package} " in reason


def test_a_layer_that_is_removed_stays_named_and_nothing_breaks(real_window: Any, tmp_path: Path) -> None:
    outcome = real_window("drivers/layer_removal.py", tmp_path)
    assert outcome.ok, outcome.report()
    results = outcome.results
    assert (results["buildings"], results["parcels"]) == ("Buildings", "Parcels")
    assert results["stale"]
    assert results["kept"] == "fail"
    assert results["waiting"] == "Layer “Parcels” is missing. Choose another on the Layers page."
    assert results["all gone"] == {"parcels": "Parcels", "towns": "Towns", "territory": "Territory"}
    assert results["new"] == [True, "Choose a parcel layer on the Layers page to begin."]
