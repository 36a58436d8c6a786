"""Mouse and keyboard on the window with a case in it: links, tables, rates, keys, a layer that goes."""


def drive(window):
    from pathlib import Path

    from qgis.core import QgsProject
    from qgis.PyQt.QtCore import QPoint, Qt
    from qgis.PyQt.QtTest import QTest
    from qgis.PyQt.QtWidgets import QApplication, QLineEdit

    key, left = Qt.Key, Qt.MouseButton.LeftButton
    plugin, seen = window.plugin, window.results
    dock, findings, session, canvas = plugin.dock, plugin.findings, plugin.session, window.iface.mapCanvas()
    folder = Path(window.arguments["data"])
    QApplication.setActiveWindow(window.iface.mainWindow())  # no window manager does it here
    dock.setUserVisible(True)
    for role in ("parcels", "towns", "cities_villages", "buildings", "territory"):
        session.set_layer(role, window.add_layer(str(folder / f"{role}.gpkg"), role.replace("_", " ").title()))
    for role in ("rates", "owners", "signers", "inhabitants"):
        session.set_table(role, str(folder / f"{role}.csv"))
    session.set_table("unmapped", str(folder / "roll_without_polygon.csv"))
    window.wait(lambda: session.analysis is not None or session.problems, "the first run", 60)
    assert not session.problems, session.problems
    window.settle()
    dock.zoom_to_territory()
    window.settle()
    seen["width"] = dock.width()

    def click(widget, at=None):
        QTest.mouseClick(widget, left, Qt.KeyboardModifier.NoModifier, at or widget.rect().center())
        window.pump(60)

    def page():
        return next(name for name, shown in dock.pages.items() if shown is dock.tabs.currentWidget())

    def cell(table, row, column):
        return table.visualRect(table.model().index(row, column)).center()

    # The link of the missing line: found as a person would, by where the cursor becomes a hand.
    label = dock.meter.missing
    spots = [QPoint(x, y) for y in range(4, label.height(), 4) for x in range(2, label.width(), 6)]

    def is_link(spot):
        QTest.mouseMove(label, spot)
        QApplication.processEvents()
        return label.cursor().shape() == Qt.CursorShape.PointingHandCursor

    spot = next(spot for spot in spots if is_link(spot))
    click(label, spot)
    owners = dock.pages["owners"]
    seen["link"] = [page(), owners.next_table.current().name, owners.part.currentText()]
    before = canvas.extent()
    QTest.keyClick(owners.next_table, key.Key_Return)
    window.settle()
    seen["owner shown"] = [canvas.extent() != before, owners.outline.shown()]
    window.screenshot("owner")

    # Findings
    click(dock.meter.findings)
    window.settle()
    seen["findings"] = [findings.isVisible(), findings.table.hasFocus(), dock.findings.isChecked(), dock.width()]
    row = next(n for n, each in enumerate(findings.table.rows.rows()) if each.print_key)
    findings.table.scrollTo(findings.table.model().index(row, 1))
    at = cell(findings.table, row, 1)
    QTest.mouseClick(findings.table.viewport(), left, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseDClick(findings.table.viewport(), left, Qt.KeyboardModifier.NoModifier, at)
    window.settle()
    chosen = findings.table.current()
    box = findings._box(chosen)
    seen["zoomed"] = [canvas.extent().contains(box), findings.outline.shown()]
    window.screenshot("finding")
    QTest.keyClick(findings.table, key.Key_Down)
    QTest.keyClick(findings.table, key.Key_Return)
    window.settle()
    seen["zoomed by key"] = [
        canvas.extent().contains(findings._box(findings.table.current())),
        findings.table.current() != chosen,
    ]
    click(findings.page_button)
    parcels = dock.pages["parcels"]
    seen["page of the finding"] = [page(), parcels.table.current().print_key == findings.table.current().print_key]
    rows = len(findings.table.rows.rows())
    click(findings.checks["warning"], QPoint(8, findings.checks["warning"].height() // 2))
    fewer = len(findings.table.rows.rows())
    QTest.keyClicks(findings.text, "v-21")
    seen["filters"] = [rows > fewer, len(findings.table.rows.rows())]
    findings.text.clear()
    click(findings.checks["warning"], QPoint(8, findings.checks["warning"].height() // 2))

    # Row and map, both ways
    dock.show_page("parcels")
    window.settle()
    click(parcels.table.viewport(), cell(parcels.table, 2, 0))
    chosen = parcels.table.current()
    split = session.results.layers()["split"]
    seen["row to map"] = [feature["print_key"] for feature in split.selectedFeatures()] == [chosen.print_key]
    other = next(each for each in split.getFeatures() if each["print_key"] != chosen.print_key)
    split.selectByIds([other.id()])
    window.pump(60)
    seen["map to row"] = parcels.table.current().print_key == other["print_key"]
    window.screenshot("parcel")
    QTest.keyClicks(parcels.text, "zzz")
    seen["empty search"] = parcels.empty.text()
    parcels.text.clear()
    click(parcels.funnel)
    seen["funnel"] = len(parcels.table.rows.rows())
    click(parcels.funnel)

    # Keys
    parcels.table.setFocus()
    order = []
    for turn in (key.Key_PageDown, key.Key_PageDown, key.Key_PageDown, key.Key_PageDown, key.Key_PageUp):
        QTest.keyClick(QApplication.focusWidget(), turn, Qt.KeyboardModifier.ControlModifier)
        window.pump(30)
        order.append(page())
        seen.setdefault("focus stays", []).append(dock.isAncestorOf(QApplication.focusWidget()))
    seen["pages"] = order
    canvas.setFocus()
    QTest.keyClick(canvas, key.Key_F6)
    seen["F6"] = [dock.isAncestorOf(QApplication.focusWidget())]
    QTest.keyClick(QApplication.focusWidget(), key.Key_F6)
    seen["F6"].append(QApplication.focusWidget() is canvas)

    # A rate, edited in place: a good one, then a bad one
    dock.show_page("layers")
    layers = dock.pages["layers"]
    table = layers.rates.table
    layers.ensureWidgetVisible(layers.rates)
    window.pump(100)
    first = session.analysis

    def type_rate(text):
        at = cell(table, 0, 1)
        QTest.mouseClick(table.viewport(), left, Qt.KeyboardModifier.NoModifier, at)
        QTest.mouseDClick(table.viewport(), left, Qt.KeyboardModifier.NoModifier, at)
        editor = table.viewport().findChild(QLineEdit)
        assert editor is not None, "no editor"
        editor.selectAll()
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, key.Key_Return)

    type_rate("15.00")
    window.wait(lambda: session.running, "a run to start")
    dock.meter.busy.show()
    window.screenshot("running")
    window.wait(lambda: session.analysis is not first and not session.running, "the new run")
    seen["new rate"] = [session.rates()[0]["rate"], session.analysis.parts[0].rate.text, session.stale]
    again = session.analysis
    type_rate("15,0O")
    window.wait(lambda: bool(session.problems), "the refusal")
    window.pump(200)
    seen["bad rate"] = [layers.rates.problem.text(), dock.meter.verdict.text(), dock.meter.heads[0].text()]
    seen["old results stay"] = [session.analysis is again, session.stale]
    window.screenshot("refused")
    type_rate("14.50")
    window.wait(lambda: session.analysis is not again and not session.running, "the run after")
    window.settle()
    seen["errors cleared"] = [item.text() for item in window.iface.messageBar().items() if item.level() == 2]

    # Escape stops a run and marks what is shown as old
    again = session.analysis
    session.schedule()
    window.wait(lambda: session._task is not None, "a run to start")
    window.pump(10)
    dock.tabs.tabBar().setFocus()
    if session.running:
        QTest.keyClick(dock.tabs.tabBar(), key.Key_Escape)
    window.pump(100)
    seen["stopped"] = [session.running, session.stale, session.analysis is again, dock.meter.busy.isVisible()]
    session.run_now()
    window.wait(lambda: not session.running and not session.stale, "the run again")

    # The dock: narrow, wide, closed, opened
    widths = []
    for width in (360, 600, 388):
        window.iface.mainWindow().resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        window.pump(150)
        widths.append(dock.width())
        for name in dock.pages:
            dock.show_page(name)
            window.pump(60)
            bar = dock.pages[name].horizontalScrollBar()
            if bar.maximum():
                seen.setdefault("scrolls sideways", []).append([width, name, bar.maximum()])
            if window.arguments.get("pictures"):
                window.screenshot(f"{name}_{width}")
    seen["widths"] = widths
    dock.close()
    window.pump(50)
    closed = dock.isVisible()
    QTest.keyClick(
        window.iface.mainWindow(), key.Key_V, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    window.pump(100)
    seen["closed and opened"] = [closed, dock.isVisible(), dock.width()]

    # A layer goes
    dock.show_page("layers")
    QgsProject.instance().removeMapLayer(session.layer("parcels").id())
    window.pump(300)
    row = layers.layer_rows[0]
    seen["layer gone"] = [row.problem.text(), row.count.text(), session.stale, dock.meter.heads[0].text()]
    seen["missing line"] = dock.meter.missing.text()
    layers.verticalScrollBar().setValue(0)
    window.screenshot("gone")
