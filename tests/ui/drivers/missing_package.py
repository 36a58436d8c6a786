"""The plugin in a QGIS whose packages do not load: a dock with the reasons, and algorithms that refuse with them."""


def drive(window):
    from qgis.core import QgsApplication

    window.pump(300)
    dock = window.plugin.dock
    dock.setUserVisible(True)
    window.pump(200)
    window.results["name"] = dock.objectName()
    window.results["text"] = dock.text.toPlainText()
    window.results["visible"] = dock.isVisible()
    algorithm = QgsApplication.processingRegistry().algorithmById("villagepetition:analyze")
    window.results["algorithm"] = list(algorithm.canExecute())
    window.screenshot("missing")
