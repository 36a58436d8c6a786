"""The open petition in the window: its inputs, the run in the background, the last results. Pages talk to it alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional

from qgis.core import QgsApplication, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..core.model import Inhabitant, SignerLine
from . import messages, state
from .compat import is_gone
from .inputs import RATES, ROLES, TABLES, Inputs
from .tasks import AnalysisTask, Result
from .writers import ResultLayers, WriteError, is_result

if TYPE_CHECKING:
    from ..core.majority import NextSigner
    from ..core.model import Analysis

__all__ = ["RATES", "ROLES", "TABLES", "Session"]

DEBOUNCE_MS = 250
SAMPLE = Path(__file__).resolve().parent.parent / "sample"


class Session(Inputs):
    """Owns the inputs, the one task and the last analysis, and says what changed."""

    runStarted = pyqtSignal()
    runProgress = pyqtSignal(float)
    runFinished = pyqtSignal()
    runFailed = pyqtSignal()
    cleared = pyqtSignal()

    def __init__(self, project: Optional[QgsProject] = None, parent: Optional[QObject] = None) -> None:
        super().__init__(project or QgsProject.instance(), parent)
        self.results = ResultLayers(self.project)
        self._result_stamp = -1
        self._failed_stamp = -1
        self._again = False
        self._told_scratch = False
        self._task: Optional[AnalysisTask] = None
        self._result: Optional[Result] = None
        self._next: dict[str, list[NextSigner]] = {}
        self._problems: tuple[str, ...] = ()
        self._run_timer = self._timer(DEBOUNCE_MS, self._start)
        self._links: list[tuple[Any, Callable[..., None]]] = [
            (self.project.readProject, self._read),
            (self.project.writeProject, self._write),
            (self.project.layersWillBeRemoved, self._layers_going),
            (self.project.layersRemoved, self._layers_gone),
            (self.project.layersAdded, self._layers_added),
            (self.project.cleared, self._project_cleared),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        self._load()

    def close(self) -> None:
        """Let go of everything: the task is cancelled and waited for, no signal of the project comes here any more."""
        if self._remember_timer.isActive():
            self._remember()
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._links = []
        self._drop_task(wait=True)
        self._run_timer.stop()
        self._empty()
        self.results.rest()

    # Results

    @property
    def analysis(self) -> Optional[Analysis]:
        """The last results, None before the first."""
        return None if self._result is None else self._result.analysis

    def document(self) -> Optional[dict[str, Any]]:
        """The last results as analysis.json has them."""
        return None if self._result is None else self._result.document

    @property
    def stale(self) -> bool:
        """Whether inputs changed since the last results."""
        return self._result is not None and self._result_stamp != self._stamp

    @property
    def running(self) -> bool:
        """Whether a run is under way or about to start."""
        return self._task is not None or self._run_timer.isActive()

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the last run gave no results, one sentence each."""
        return self._problems

    def signer_lines(self) -> list[SignerLine]:
        """The rows of the signature pages that the last results rest on."""
        return [] if self._result is None else list(self._result.signer_lines)

    def inhabitant_rows(self) -> list[Inhabitant]:
        """The rows of the list of inhabitants that the last results rest on."""
        return [] if self._result is None else list(self._result.inhabitant_rows)

    def voters_missing(self) -> Optional[int]:
        """How many more qualified voters must sign at least; None where the test has no figures."""
        analysis = self.analysis
        if analysis is None or analysis.voters is None:
            return None
        from ..core.editions import load_edition
        from ..core.voters import missing_signatures

        return missing_signatures(analysis.voters, load_edition(analysis.edition))

    def next_signers(self, part_swis: str) -> list[NextSigner]:
        """Who could sign next in a part of a town, whoever adds most first."""
        analysis = self.analysis
        part = None if analysis is None else next((part for part in analysis.parts if part.swis == part_swis), None)
        if analysis is None or part is None:
            return []
        if part_swis not in self._next:
            from ..core.majority import next_signers
            from ..core.schema import fold

            signed = {fold(signer.name) for signer in analysis.signers if signer.status == "credited"}
            self._next[part_swis] = list(next_signers(analysis.parcels, analysis.ownership, signed, part))
        return self._next[part_swis]

    # Running

    def schedule(self) -> None:
        """Run soon, once for all changes that come together."""
        self._stamp += 1
        if self._awake and not self.waiting_for():
            self._run_timer.start()
        else:
            self._run_timer.stop()
            self._drop_task()

    def run_now(self) -> None:
        """Run at once."""
        self._run_timer.stop()
        self._start()

    def cancel(self) -> None:
        """Stop the run; the last results stay."""
        self._run_timer.stop()
        self._drop_task()
        self.inputsChanged.emit()

    def wake(self, awake: bool) -> None:
        """Whether anybody looks: asleep nothing starts and nothing is guessed; what was missed is made up for."""
        self._awake = awake
        if awake:
            self._guess_timer.start()
            if self._stamp not in (self._result_stamp, self._failed_stamp) and not self.running:
                self.schedule()

    def clear(self) -> None:
        """Forget the petition: inputs and results. Layers, also those of the results, stay in the project."""
        self._forget()
        self._declined.update(ROLES)
        self._remember_timer.start()
        self.cleared.emit()
        self.inputsChanged.emit()

    def load_sample(self) -> None:
        """Add the sample's layers to the project and take them, and its tables, as the petition."""
        from .sample import open_sample

        open_sample(self, SAMPLE)

    def _start(self) -> None:
        if self._task is not None:
            self._again = True
            self._task.cancel()
            return
        if self.waiting_for():
            return
        self._again = False
        task = AnalysisTask(self.job(), self._stamp, self._finished)
        task.progressChanged.connect(self.runProgress)
        self._task = task
        self._problems = ()
        QgsApplication.taskManager().addTask(task)
        self.runStarted.emit()

    def _finished(self, task: AnalysisTask) -> None:
        if task is not self._task:
            return
        self._task = None
        if task.stamp != self._stamp or self._again:
            if not self._run_timer.isActive():
                self._start()
        elif task.result is not None:
            self._take_result(task.result, task.stamp)
        elif task.problems:
            self._problems, self._failed_stamp = task.problems, task.stamp
            if task.details:
                messages.log(task.details, "error")
            self.runFailed.emit()
        else:
            self.inputsChanged.emit()

    def _take_result(self, result: Result, stamp: int) -> None:
        self._result, self._result_stamp, self._problems, self._next = result, stamp, (), {}
        try:
            note = self.results.show(result.drawing, self.name())
        except WriteError as error:
            self.notice.emit("error", str(error))
        else:
            if note and not self._told_scratch:
                self._told_scratch = True
                self.notice.emit("info", note)
        self.runFinished.emit()

    def _drop_task(self, wait: bool = False) -> None:
        """Cancel the task and take nothing from it; `wait` until it has left its thread."""
        task, self._task = self._task, None
        self._again = False
        if task is None or is_gone(task):
            return
        task.forget()
        task.progressChanged.disconnect(self.runProgress)
        task.cancel()
        if wait:
            task.waitForFinished()

    # The project

    def _load(self) -> None:
        self._loaded = True
        try:
            known = state.read(self.project)
        except state.StateError as error:
            self._foreign = True
            self.notice.emit("error", str(error))
            return
        if known is None:
            self._guess_timer.start()
            return
        self._forget()
        self._state = known
        for role, held in tuple(known.layers.items()):
            layer = self.project.mapLayer(held["id"])
            if role in ROLES and isinstance(layer, QgsVectorLayer) and layer.isValid():
                self._hold(role, layer)
        self.schedule()
        self.inputsChanged.emit()

    def _read(self, *_: Any) -> None:
        self._load()

    def _write(self, *_: Any) -> None:
        problem = self.results.settle()
        if problem:
            self.notice.emit("error", problem)
        self._remember()

    def _layers_added(self, layers: Any) -> None:
        if any(not is_result(layer) for layer in layers):
            self._guess_timer.start()

    def _layers_going(self, ids: Any) -> None:
        self._removing = True
        going = [role for role, layer in self._layers.items() if is_gone(layer) or layer.id() in ids]
        for role in going:
            self._watcher.release(role)
            self._layers.pop(role)
            self._layer_changed(role)

    def _layers_gone(self, *_: Any) -> None:
        self._removing = False

    def _project_cleared(self) -> None:
        self._loaded = False
        self._forget()
        self.results.rest()
        self.cleared.emit()
        self.inputsChanged.emit()

    def _forget(self) -> None:
        self._run_timer.stop()
        self._drop_task()
        self._empty()
        self._result, self._problems, self._next = None, (), {}
        self._told_scratch = False
        self._stamp += 1
