"""The law and the arithmetic of Village Law § 2-202: no QGIS, no Qt; runs and is tested alone."""
