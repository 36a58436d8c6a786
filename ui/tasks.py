"""The one background task: a whole analysis from captured inputs, with progress and cancel."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional

from qgis.core import QgsTask
from qgis.PyQt.QtCore import QCoreApplication

from ..core.model import Cancelled, Inhabitant, InputError, ProofError, SignerLine
from .threads import in_python_thread

if TYPE_CHECKING:
    from ..core.model import Analysis
    from .adapters import Job
    from .drawing import Drawing

OPENING = 5.0
ANALYZED = 95.0


@dataclass(frozen=True)
class Result:
    """What a run gives: the analysis, its document, what to draw, and the lines of the lists behind it."""

    analysis: Analysis
    document: dict[str, Any]
    drawing: Drawing
    signer_lines: tuple[SignerLine, ...]
    inhabitant_rows: tuple[Inhabitant, ...]


class AnalysisTask(QgsTask):
    """Runs `core.analysis.analyze` on captured inputs; `done` is called in the main thread whatever came of it.

    After the run either `result` is set, or `problems` has one sentence each, or neither: then it was cancelled.
    """

    def __init__(self, job: Job, stamp: int, done: Optional[Callable[[AnalysisTask], None]]) -> None:
        super().__init__(QCoreApplication.translate("VillagePetition", "Village petition"), QgsTask.Flag.CanCancel)
        self._job = job
        self._done = done
        self.stamp = stamp
        self.result: Optional[Result] = None
        self.problems: tuple[str, ...] = ()
        self.details = ""

    def run(self) -> bool:
        """Called by QGIS in a thread of its own; raises nothing."""
        try:
            self.result = in_python_thread(self._analyze)
        except Cancelled:
            return False
        except InputError as error:
            self.problems = error.problems
        except ProofError as error:
            self.problems = (str(error),)
        except Exception as error:  # whatever it is, it must not leave this thread
            self.details = traceback.format_exc()
            self.problems = (fault(error),)
        return self.result is not None

    def finished(self, ok: bool) -> None:
        """Called by QGIS in the main thread."""
        done, self._done = self._done, None
        if done is not None:
            done(self)

    def forget(self) -> None:
        """Nobody waits for the outcome any longer."""
        self._done = None

    def _analyze(self) -> Result:
        from ..core.analysis import analyze
        from ..core.document import as_dict
        from ..core.tables import inhabitants, signers
        from .drawing import draw

        self.setProgress(0.0)
        inputs = self._job.inputs(self.isCanceled)
        self.setProgress(OPENING)
        analysis = analyze(inputs, progress=self._progress, cancelled=self.isCanceled)
        lines = () if inputs.signers is None else tuple(signers(inputs.signers))
        people = () if inputs.inhabitants is None else tuple(inhabitants(inputs.inhabitants))
        result = Result(analysis, as_dict(analysis), draw(analysis), lines, people)
        if self.isCanceled():
            raise Cancelled
        self.setProgress(100.0)
        return result

    def _progress(self, percent: float, step: str = "") -> None:
        self.setProgress(OPENING + percent / 100.0 * (ANALYZED - OPENING))


def fault(error: BaseException) -> str:
    """One sentence for an error that nobody foresaw; the details are in the log."""
    if isinstance(error, ImportError):
        return f"A Python package does not load: {error}. See Plugins ▸ Village Petition for how to get it."
    if isinstance(error, MemoryError):
        return "There is not enough memory for these layers. Close other programs or cut the parcel layer down."
    return f"The analysis stopped at a fault of the program ({type(error).__name__}). The log panel has the details."
