"""The QGIS project of the sample case: its layers in relative paths, styled to be told apart and no more."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsFillSymbol,
    QgsLineSymbol,
    QgsPalLayerSettings,
    QgsProject,
    QgsReferencedRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)

CRS = "EPSG:2262"
FIXED_TIME = "2023-06-20T00:00:00"

# file, title, kind of symbol, its properties, field of the labels; the first is drawn on top
LAYERS: tuple[tuple[str, str, str, dict[str, str], str], ...] = (
    ("territory", "Territory", "fill", {"style": "no", "outline_color": "176,0,32", "outline_width": "0.9"}, ""),
    (
        "towns",
        "Towns",
        "fill",
        {"style": "no", "outline_color": "60,60,60", "outline_width": "0.6", "outline_style": "dash"},
        "NAME",
    ),
    (
        "cities_villages",
        "Cities and Villages",
        "fill",
        {"color": "150,150,150,70", "outline_color": "110,110,110", "outline_width": "0.4"},
        "NAME",
    ),
    ("waters", "Waters", "line", {"line_color": "70,130,180", "line_width": "0.8"}, ""),
    ("streets", "Streets", "line", {"line_color": "170,160,140", "line_width": "0.5"}, "NAME"),
    ("buildings", "Buildings", "fill", {"color": "120,110,100", "outline_style": "no"}, ""),
    (
        "parcels",
        "Parcels",
        "fill",
        {"color": "248,246,238", "outline_color": "160,160,150", "outline_width": "0.15"},
        "",
    ),
)


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
    ids: dict[str, str] = {}
    with _qgis():
        project = QgsProject.instance()
        project.setCrs(QgsCoordinateReferenceSystem(CRS))
        project.setTitle("Village Petition: sample case")
        root = project.layerTreeRoot()
        for name, title, kind, properties, label in LAYERS:
            layer = QgsVectorLayer(f"{folder / name}.gpkg|layername={name}", title, "ogr")
            if not layer.isValid():
                raise RuntimeError(f"{name}.gpkg cannot be opened.")
            symbol = (
                QgsFillSymbol.createSimple(properties) if kind == "fill" else QgsLineSymbol.createSimple(properties)
            )
            layer.setRenderer(QgsSingleSymbolRenderer(symbol))
            if label:
                settings = QgsPalLayerSettings()
                settings.fieldName = label
                if kind == "line":
                    settings.placement = QgsPalLayerSettings.Placement.Line
                layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
                layer.setLabelsEnabled(True)
            project.addMapLayer(layer, False)
            root.addLayer(layer)
            ids[layer.id()] = f"sample_{name}"
            if name == "territory":
                view = layer.extent()
                view.scale(1.25)
                project.viewSettings().setDefaultViewExtent(QgsReferencedRectangle(view, layer.crs()))
        target = folder / "sample.qgz"
        if not project.write(str(target)):
            raise RuntimeError(f"sample.qgz cannot be written: {project.error()}")
    _strip(target, ids)


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
