"""One bad input after the other in a window that works: each must end as sentences in the message bar."""


def drive(window):
    import shutil
    from pathlib import Path

    from qgis.core import QgsCoordinateReferenceSystem, QgsFeature, QgsGeometry, QgsProject, QgsVectorLayer

    session = window.plugin.session
    folder = window.out / "case"
    window.plugin.dock.setUserVisible(True)

    def fill():
        window.iface.newProject(False)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(window.arguments["data"], folder)
        for role in ("parcels", "towns", "territory"):
            session.set_layer(role, window.add_layer(str(folder / f"{role}.gpkg"), role))
        session.set_table("rates", str(folder / "rates.csv"))
        session.cancel()

    def boundary(name, wkt):
        layer = QgsVectorLayer("Polygon?crs=EPSG:2262", name, "memory")
        if wkt:
            feature = QgsFeature()
            feature.setGeometry(QgsGeometry.fromWkt(wkt))
            layer.dataProvider().addFeatures([feature])
        QgsProject.instance().addMapLayer(layer)
        session.set_layer("territory", layer)

    def broken(path):
        Path(path).write_bytes(b"no map at all" * 50)

    def spoiled(path, text):
        Path(path).write_text(text, encoding="utf-8")
        session.set_table("owners", str(path))

    bow = "POLYGON((1169000 1273000,1172000 1276000,1172000 1273000,1169000 1276000,1169000 1273000))"
    cases = {
        "no crs": lambda: session.layer("parcels").setCrs(QgsCoordinateReferenceSystem()),
        "rate of 0": lambda: session.set_rate(0, "rate", "0"),
        "text in a money column": lambda: session.set_field("total_av", "PRINT_KEY"),
        "no such column": lambda: spoiled(folder / "owners.csv", "nope,x\n1,2\n"),
        "no such file": lambda: session.set_table("owners", str(folder / "nothing.csv")),
        "elsewhere": lambda: boundary("far away", "POLYGON((0 0,1000 0,1000 1000,0 1000,0 0))"),
        "crossing itself": lambda: boundary("bow", bow),
        "empty": lambda: boundary("nothing drawn", ""),
        "broken GeoPackage": lambda: broken(folder / "towns.gpkg"),
    }
    for name, spoil in cases.items():
        fill()
        spoil()
        window.pump(60)
        session.run_now()
        window.wait(lambda: not session.running, name)
        window.pump(50)
        shown = [item.text() for item in window.iface.messageBar().items()]
        window.results[name] = {"problems": list(session.problems), "shown": shown, "waits": session.waiting_for()}
    window.results["layers"] = len(session.results.layers())
