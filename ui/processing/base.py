"""What the algorithms have in common: inputs captured in the main thread, refusals in one sentence each."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from typing import Any, Callable, Optional, TypeVar

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterEnum,
    QgsProject,
    QgsProviderRegistry,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication

from ...core.model import Cancelled, InputError, ProofError
from .. import dependencies
from ..adapters import Capture, FileCapture, capture
from ..compat import is_missing
from ..state import EDITION
from ..tasks import fault

T = TypeVar("T")


class PetitionAlgorithm(QgsProcessingAlgorithm):
    """An algorithm that can say why it does not run; every run is an instance of its own, so any thread may run it."""

    layer_names: tuple[str, ...] = ()
    """The parameters that are layers."""

    def createInstance(self) -> PetitionAlgorithm:
        """A fresh one for each run."""
        return type(self)()

    def canExecute(self) -> tuple[bool, str]:
        """Whether the packages that core needs are here, else which are not and how to get them."""
        missing = dependencies.missing()
        return not missing, dependencies.explain(missing)

    def checkParameterValues(self, parameters: dict[str, Any], context: QgsProcessingContext) -> tuple[bool, str]:
        """As QGIS checks them, but what is wrong with a file is said by core in a sentence."""
        good, message = super().checkParameterValues(parameters, context)
        if not good:
            problems = [line for name in self.layer_names for line in _refusal(parameters.get(name))]
            message = "\n".join(problems) or message
        return good, message

    def capture(self, parameters: dict[str, Any], name: str, context: QgsProcessingContext) -> Optional[Capture]:
        """A layer parameter as the run reads it; None where it was left out. Call it in the main thread.

        What QGIS cannot open is handed on as it was written, so that core says what is wrong with it.
        """
        given = parameters.get(name)
        if given is None or given == "":
            return None
        layer = self.parameterAsVectorLayer(parameters, name, context)
        if isinstance(layer, QgsVectorLayer) and layer.isValid():
            project = context.project()
            return capture(layer, strict=project is None or project.mapLayer(layer.id()) is None)
        if isinstance(given, str):
            return FileCapture(_spec(given))
        raise QgsProcessingException(self.invalidSourceError(parameters, name))

    def capture_all(self, parameters: dict[str, Any], context: QgsProcessingContext) -> dict[str, Capture]:
        """Every layer parameter that is given, by its name. Call it in the main thread."""
        captured = {name: self.capture(parameters, name, context) for name in self.layer_names}
        return {name: layer for name, layer in captured.items() if layer is not None}

    def refusing(self, work: Callable[[], T], feedback: QgsProcessingFeedback) -> T:
        """What `work` gives; refusals and faults become the one kind of error that Processing shows."""
        try:
            return work()
        except InputError as error:
            raise QgsProcessingException("\n".join(error.problems)) from error
        except ProofError as error:
            raise QgsProcessingException(str(error)) from error
        except Cancelled as error:
            raise QgsProcessingException(self.tr("Cancelled.")) from error
        except QgsProcessingException:
            raise
        except Exception as error:
            feedback.pushDebugInfo(traceback.format_exc())
            raise QgsProcessingException(fault(error)) from error

    def tr(self, text: str) -> str:
        """A text in the language of QGIS."""
        return QCoreApplication.translate("VillagePetition", text)


def edition_parameter(label: str) -> QgsProcessingParameterEnum:
    """The choice of the edition of the law."""
    from ...core.editions import edition_ids

    return QgsProcessingParameterEnum(
        "EDITION", label, options=list(edition_ids()), defaultValue=EDITION, usesStaticStrings=True
    )


def _refusal(given: Any) -> tuple[str, ...]:
    """Why a file named by hand cannot be read as a layer, nothing for one that can."""
    if not isinstance(given, str) or not given or given in QgsProject.instance().mapLayers():
        return ()
    try:
        FileCapture(_spec(given)).layer("territory")
    except InputError as error:
        return error.problems
    return ()


def _spec(source: str) -> str:
    """The command line's F|layer of a source as Processing writes it: F|layername=layer."""
    parts = QgsProviderRegistry.instance().decodeUri("ogr", source)
    path, layer = parts.get("path"), parts.get("layerName")
    return f"{path}|{layer}" if path and layer else str(path or source)


def assignments(values: Iterable[Any]) -> dict[str, str]:
    """Pairs NAME=FIELD as a mapping; raises `InputError` for anything else."""
    fields: dict[str, str] = {}
    for value in values:
        if is_missing(value) or not str(value).strip():
            continue
        name, equals, field = (part.strip() for part in str(value).partition("="))
        if not equals or not name or not field:
            raise InputError(f"FIELDS “{value}” is not NAME=FIELD. Write for example total_av=TOTAL_AV.")
        if name in fields:
            raise InputError(f"FIELDS names {name} twice. Name it once.")
        fields[name] = field
    return fields
