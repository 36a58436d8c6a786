"""Takes the pictures of docs/screenshots: a case with its layers before the first run, and with its results.

build/ is not below the system's temporary folder: QGIS marks layers there as passing.

    .venv/bin/python tests/ui/realwindow.py tests/ui/drivers/pictures.py --out build/pictures --argument data=sample
"""


def drive(window):
    import shutil
    from pathlib import Path

    from qgis.core import QgsProject
    from qgis.PyQt.QtWidgets import QDockWidget

    from village_petition.ui import sample

    folder = window.out / "case"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(Path(window.arguments["data"]), folder)
    main = window.iface.mainWindow()
    main.findChild(QDockWidget, "Browser").hide()
    window.plugin.dock.setUserVisible(True)
    window.pump(300)
    session = window.plugin.session
    for role in reversed(sample.LAYERS):
        layer = sample.styled_layer(role, folder)
        assert layer.isValid(), role
        QgsProject.instance().addMapLayer(layer)
        QgsProject.instance().layerTreeRoot().findLayer(layer.id()).setExpanded(False)
        session.set_layer(role, layer)
    QgsProject.instance().setCrs(session.layer("territory").crs())
    QgsProject.instance().setFileName(str(folder / "case.qgz"))
    window.iface.layerTreeView().setCurrentLayer(None)
    window.settle()  # the first layer of a project moves the map to all of it
    view = session.layer("territory").extent()
    view.scale(1.15)
    window.iface.mapCanvas().setExtent(view)
    window.settle()
    window.iface.messageBar().clearWidgets()
    window.pump(200)
    window.results["waiting"] = session.waiting_for()
    window.screenshot("before")

    for role, name in sample.TABLES.items():
        if (folder / name).exists():
            session.set_table(role, str(folder / name))
    window.wait(lambda: session.analysis is not None or session.problems, "the run", 60)
    assert not session.problems, session.problems
    window.settle()
    window.iface.messageBar().clearWidgets()
    window.pump(200)
    window.screenshot("after")
    window.results["verdict"] = session.analysis.verdict
    shutil.rmtree(folder, ignore_errors=True)
