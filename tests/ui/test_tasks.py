"""The task raises nothing, whatever happens in it, and says what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from village_petition.core import analysis as core_analysis
from village_petition.core.model import Cancelled, InputError, ProofError
from village_petition.ui.adapters import FileCapture, Job
from village_petition.ui.tasks import AnalysisTask, fault

SAMPLE = Path(__file__).resolve().parents[2] / "sample"


def job() -> Job:
    return Job(
        layers={role: FileCapture(str(SAMPLE / f"{role}.gpkg")) for role in ("parcels", "towns", "territory")},
        tables={"rates": str(SAMPLE / "rates.csv"), "signers": str(SAMPLE / "signers.csv")},
    )


def test_a_run_gives_all_that_the_window_needs() -> None:
    task = AnalysisTask(job(), 7, None)
    steps: list[float] = []
    task.progressChanged.connect(steps.append)
    assert task.run()
    assert task.stamp == 7
    assert task.problems == ()
    assert task.result is not None
    assert task.result.document["verdict"] == task.result.analysis.verdict
    assert len(task.result.signer_lines) == len(task.result.analysis.signers)
    assert len(task.result.drawing.rows["territory"]) == 1
    assert len(task.result.drawing.rows["town_parts"]) == len(task.result.analysis.parts)
    assert steps == sorted(steps)
    assert task.progress() == 100.0


@pytest.mark.parametrize(
    ("raised", "problems"),
    [
        (InputError("one.", "two."), ("one.", "two.")),
        (ProofError("The roll does not add up."), ("The roll does not add up.",)),
        (
            ZeroDivisionError("division by zero"),
            ("The analysis stopped at a fault of the program (ZeroDivisionError). The log panel has the details.",),
        ),
        (
            ImportError("No module named 'geopandas'"),
            (
                "A Python package does not load: No module named 'geopandas'. "
                "See Plugins ▸ Village Petition for how to get it.",
            ),
        ),
        (
            MemoryError(),
            ("There is not enough memory for these layers. Close other programs or cut the parcel layer down.",),
        ),
        (Cancelled(), ()),
    ],
)
def test_what_is_raised_becomes_sentences(
    raised: BaseException, problems: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise raised

    monkeypatch.setattr(core_analysis, "analyze", fails)
    task = AnalysisTask(job(), 1, None)
    assert not task.run()
    assert task.result is None
    assert task.problems == problems
    assert ("Traceback" in task.details) == (not isinstance(raised, (InputError, ProofError, Cancelled)))


def test_a_cancelled_task_has_no_result() -> None:
    task = AnalysisTask(job(), 1, None)
    task.cancel()
    assert not task.run()
    assert task.result is None
    assert task.problems == ()


def test_it_tells_once_and_not_when_forgotten() -> None:
    told: list[AnalysisTask] = []
    task = AnalysisTask(job(), 1, told.append)
    task.finished(False)
    task.finished(False)
    assert told == [task]
    other = AnalysisTask(job(), 1, told.append)
    other.forget()
    other.finished(True)
    assert told == [task]


def test_a_missing_file_is_a_problem_and_no_fault(tmp_path: Path) -> None:
    broken = Job(layers={**job().layers, "towns": FileCapture(str(tmp_path / "towns.gpkg"))}, tables=job().tables)
    task = AnalysisTask(broken, 1, None)
    assert not task.run()
    assert task.problems == ("There is no file towns.gpkg. Check the name and the folder.",)
    assert task.details == ""


def test_faults_are_one_line() -> None:
    assert "\n" not in fault(ValueError("a\nb"))
