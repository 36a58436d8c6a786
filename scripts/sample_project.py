"""The QGIS project of the sample case: the layers as the plugin's own sample draws them, in relative paths.

It knows its petition as the window saves it, so that opening it is enough to get the verdict.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsProject,
    QgsReferencedRectangle,
    QgsVectorLayer,
)

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "village_petition"
CRS = "EPSG:2262"
FIXED_TIME = "2023-06-20T00:00:00"


@contextmanager
def _qgis() -> Iterator[None]:
    application = QgsApplication([], False)
    application.initQgis()
    try:
        yield
    finally:
        QgsProject.instance().clear()
        application.exitQgis()


def write_project(folder: Path) -> None:
    """`sample.qgz` in the folder of the layers; RuntimeError where one cannot be opened or it cannot be written."""
    target = folder / "sample.qgz"
    with _qgis():
        sample = _of_plugin("ui.sample")
        project = QgsProject.instance()
        project.setCrs(QgsCoordinateReferenceSystem(CRS))
        project.setTitle("Village Petition: sample case")
        project.setFileName(str(target))
        layers: dict[str, QgsVectorLayer] = {}
        for role in sample.LAYERS:
            layers[role] = sample.styled_layer(role, folder)
            if not layers[role].isValid():
                raise RuntimeError(f"{role}.gpkg cannot be opened.")
            project.addMapLayer(layers[role], False)
            project.layerTreeRoot().addLayer(layers[role]).setExpanded(False)
        view = layers["territory"].extent()
        view.scale(1.25)
        project.viewSettings().setDefaultViewExtent(QgsReferencedRectangle(view, layers["territory"].crs()))
        _remember(project, folder, layers)
        if not project.write(str(target)):
            raise RuntimeError(f"sample.qgz cannot be written: {project.error()}")
        ids = {layer.id(): f"sample_{role}" for role, layer in layers.items()}
    _strip(target, ids)


def _remember(project: QgsProject, folder: Path, layers: Mapping[str, QgsVectorLayer]) -> None:
    """Give the project the petition that the window would save in it: layers by role, tables, rates and facts."""
    sample, state, rates = (_of_plugin(f"ui.{name}") for name in ("sample", "state", "rates"))
    readers = _of_plugin("core.readers")
    petition = state.State(
        layers={role: {"id": layer.id(), "name": layer.name()} for role, layer in layers.items()},
        tables={role: str(folder / name) for role, name in sample.TABLES.items()},
        rates=rates.from_table(readers.read_table(str(folder / sample.TABLES["rates"]))),
        petition=dict(readers.read_petition(str(folder / sample.TABLES["petition"]))),
    )
    state.write(project, petition)


def _of_plugin(name: str) -> Any:
    """A module of the plugin, whatever the folder of the clone is called."""
    if PACKAGE not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            PACKAGE, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
        )
        if spec is None or spec.loader is None:
            raise RuntimeError(f"{ROOT} holds no package")
        sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[PACKAGE])
    return importlib.import_module(f"{PACKAGE}.{name}")


def _strip(path: Path, ids: Mapping[str, str]) -> None:
    """Takes out who wrote the project and when, and gives the layers ids that stay the same."""
    with zipfile.ZipFile(path) as archive:
        text = next(archive.read(name) for name in archive.namelist() if name.endswith(".qgs")).decode("utf-8")
    for chance, lasting in ids.items():
        text = text.replace(chance, lasting)
    text = re.sub(r"Annotations_[0-9a-f_]{36}", "sample_annotations", text)
    text = re.sub(r"(?: *<layer-setting [^>]*/>\n)+", lambda block: "".join(sorted(block[0].splitlines(True))), text)
    text = re.sub(r' (saveUser|saveUserFull)="[^"]*"', r' \1=""', text)
    text = re.sub(r' saveDateTime="[^"]*"', f' saveDateTime="{FIXED_TIME}"', text)
    text = re.sub(r"<author>[^<]*</author>", "<author></author>", text)
    text = re.sub(r"<creation>[^<]*</creation>", f"<creation>{FIXED_TIME}</creation>", text)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo("sample.qgs", (2023, 6, 20, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, text)
