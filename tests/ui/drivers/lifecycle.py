"""Loads and unloads the plugin five times and counts what could be left behind; breaks in at bad moments."""


def counts(window):
    from qgis.core import QgsApplication, QgsProject
    from qgis.PyQt.QtWidgets import QAction, QDockWidget, QToolBar, QWidget

    main = window.iface.mainWindow()
    project = QgsProject.instance()
    signals = (
        "readProject",
        "writeProject",
        "layersWillBeRemoved",
        "layersAdded",
        "cleared",
        "layersRemoved",
    )
    return {
        "children": len(main.children()),
        "widgets": len(main.findChildren(QWidget)),
        "docks": sorted(dock.objectName() for dock in main.findChildren(QDockWidget)),
        "bars": sorted(bar.objectName() for bar in main.findChildren(QToolBar)),
        "actions": len(main.findChildren(QAction)),
        "menu": [action.text() for action in window.iface.pluginMenu().actions()],
        "providers": sorted(provider.id() for provider in QgsApplication.processingRegistry().providers()),
        "receivers": {name: project.receivers(getattr(project, name)) for name in signals},
        "canvas": len(window.iface.mapCanvas().scene().items()),
        "tasks": QgsApplication.taskManager().count(),
        "messages": len(window.iface.messageBar().items()),
    }


def unload(window):
    from qgis import utils

    assert utils.unloadPlugin("village_petition")
    window.plugin = None
    window.pump(200)


def load(window):
    from qgis import utils

    assert utils.loadPlugin("village_petition")
    assert utils.startPlugin("village_petition")
    window.plugin = utils.plugins["village_petition"]
    window.pump(200)


def drive(window):
    unload(window)
    before = counts(window)
    seen = []
    for _ in range(5):
        load(window)
        assert window.plugin.dock.objectName() == "VillagePetitionDock"
        assert window.plugin.findings.objectName() == "VillagePetitionFindingsDock"
        with_it = counts(window)
        unload(window)
        seen.append(counts(window))
    window.results["with it"] = with_it
    window.results["before"] = before
    window.results["after"] = seen

    load(window)
    from qgis.core import QgsProject

    project = QgsProject.instance()
    session = window.plugin.session
    session.load_sample()
    assert session.running
    project.clear()  # while a run is about to start
    window.pump(600)
    assert session.analysis is None and not session.running and session.layer("parcels") is None
    window.results["cleared"] = session.waiting_for()

    session.load_sample()
    window.wait(lambda: session._task is not None, "the run to start")
    project.clear()  # while it runs
    window.pump(300)
    assert session.analysis is None and not session.running

    session.load_sample()
    window.wait(lambda: session._task is not None, "the run to start")
    unload(window)  # while it runs
    window.pump(300)
    project.clear()
    window.results["after all"] = counts(window)
