"""Adds a case's layers and tables to the empty window and saves what the first run gives, before and after."""


def drive(window):
    from pathlib import Path

    import shapely

    from village_petition.core.document import as_json

    # With the system's GEOS in its place, a shapely that brings a later one cannot even do this.
    window.results["wkb"] = len(shapely.to_wkb(shapely.Point(0, 0)))
    folder = Path(window.arguments["data"])
    window.plugin.dock.setUserVisible(True)
    window.pump(200)
    window.screenshot("before")
    session = window.plugin.session
    window.results["waiting"] = session.waiting_for()
    for role in ("parcels", "towns", "cities_villages", "buildings", "streets", "waters", "territory"):
        session.set_layer(role, window.add_layer(str(folder / f"{role}.gpkg"), role.replace("_", " ").title()))
    for role, name in {
        "rates": "rates.csv",
        "owners": "owners.csv",
        "signers": "signers.csv",
        "inhabitants": "inhabitants.csv",
        "unmapped": "roll_without_polygon.csv",
        "overrides": "overrides.csv",
    }.items():
        session.set_table(role, str(folder / name))
    if (folder / "petition.json").exists():
        session.set_table("petition", str(folder / "petition.json"))
    window.wait(lambda: session.analysis is not None or session.problems, "the first run", 60)
    window.results["problems"] = list(session.problems)
    if session.analysis is None:
        window.screenshot("failed")
        return
    window.settle()
    window.plugin.dock.zoom_to_territory()
    window.settle()
    window.screenshot("after")
    (window.out / "analysis.json").write_bytes(as_json(session.analysis).encode("utf-8"))
    window.results["verdict"] = session.analysis.verdict
    window.results["layers"] = {role: layer.featureCount() for role, layer in session.results.layers().items()}
    window.results["stale"] = session.stale
