"""Takes layers away in the window at the moments that hurt, and looks whether anything breaks."""


def drive(window):
    from qgis.core import QgsProject

    project = QgsProject.instance()
    window.plugin.dock.setUserVisible(True)
    session = window.plugin.session
    session.load_sample()
    window.wait(lambda: session.analysis is not None, "the first run")
    window.settle()
    for page in ("layers", "boundary", "parcels", "owners", "voters", "packet"):
        window.plugin.dock.show_page(page)
        window.pump(100)
    window.plugin.dock.show_page("layers")
    for role in ("buildings", "parcels"):
        project.removeMapLayer(session.layer(role).id())
        window.pump(400)
        window.results[role] = session.missing(role)
    window.results["stale"] = session.stale
    window.results["kept"] = session.analysis.verdict
    window.results["waiting"] = session.waiting_for()
    window.screenshot("removed")
    group = session.results.group()
    project.removeMapLayers([layer.id() for layer in session.results.layers().values()])
    window.pump(200)
    del group
    project.removeAllMapLayers()
    window.pump(300)
    window.results["all gone"] = {role: session.missing(role) for role in ("parcels", "towns", "territory")}
    window.iface.newProject(False)
    window.pump(300)
    window.results["new"] = [session.analysis is None, session.waiting_for()]
