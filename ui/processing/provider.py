"""The Processing provider `villagepetition`."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .analyze import AnalyzeAlgorithm
from .areatest import AreaTestAlgorithm
from .describe import DescribeAlgorithm

ICON = Path(__file__).resolve().parents[2] / "resources" / "icons" / "plugin.svg"


class VillagePetitionProvider(QgsProcessingProvider):
    """Registers the algorithms; also where a package is missing, which each of them then says."""

    def id(self) -> str:
        """The first half of every algorithm's id."""
        return "villagepetition"

    def name(self) -> str:
        """What the toolbox calls it."""
        return "Village Petition"

    def icon(self) -> QIcon:
        """The plugin's icon."""
        return QIcon(str(ICON))

    def loadAlgorithms(self) -> None:
        """Called by QGIS."""
        for algorithm in (AnalyzeAlgorithm(), AreaTestAlgorithm(), DescribeAlgorithm()):
            self.addAlgorithm(algorithm)
