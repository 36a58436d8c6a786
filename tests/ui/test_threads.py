"""Work with PROJ keeps out of the threads of Qt's pool, where its second use would crash with pyproj 3.7."""

from __future__ import annotations

import threading
from typing import Any, Callable

import pytest
from pyproj import CRS
from qgis.PyQt.QtCore import QRunnable, QThreadPool

from village_petition.ui.threads import in_python_thread


class Job(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self.work = work

    def run(self) -> None:
        self.work()


def in_pool(work: Callable[[], None], times: int) -> None:
    """Run `work` so many times, one after the other, in the same thread of a pool."""
    pool = QThreadPool()
    pool.setMaxThreadCount(1)
    for _ in range(times):
        pool.start(Job(work))
        assert pool.waitForDone(60000)


def test_proj_may_be_used_again_and_again_from_one_thread_of_the_pool() -> None:
    seen: list[tuple[str, str]] = []

    def measure() -> tuple[str, str]:
        return threading.current_thread().name, CRS.from_user_input("EPSG:2262").name

    in_pool(lambda: seen.append(in_python_thread(measure)), 5)
    assert [name for _, name in seen] == ["NAD83 / New York West (ftUS)"] * 5
    assert [thread for thread, _ in seen if thread.startswith("Dummy")] == []


def test_what_work_raises_comes_through() -> None:
    caught: list[Any] = []

    def refuse() -> None:
        raise KeyError("nothing there")

    def attempt() -> None:
        with pytest.raises(KeyError) as error:
            in_python_thread(refuse)
        caught.append(error.value.args)

    in_pool(attempt, 2)
    assert caught == [("nothing there",)] * 2


def test_in_the_main_thread_work_runs_at_once() -> None:
    assert in_python_thread(threading.current_thread) is threading.main_thread()
