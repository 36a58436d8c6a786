"""A long run in the message bar: when it shows, how far it is, and how it is stopped."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from qgis.gui import QgsMessageBar
from qgis.PyQt.QtCore import QObject, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QProgressBar, QPushButton

from village_petition.ui.runbar import RunBar


def _load_fakes() -> Any:
    if "ui_fakes" not in sys.modules:
        spec = importlib.util.spec_from_file_location("ui_fakes", Path(__file__).with_name("fakes.py"))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["ui_fakes"] = module
        spec.loader.exec_module(module)
    return sys.modules["ui_fakes"]


fakes = _load_fakes()


@pytest.fixture()
def run(qgis_app: Any) -> Iterator[tuple[Any, QgsMessageBar, RunBar]]:
    """A session, a message bar, and what ties them."""
    session, bar, owner = fakes.FakeSession(fakes.an_analysis()), QgsMessageBar(), QObject()
    tied = RunBar(session, bar, owner)
    yield session, bar, tied
    tied.tear_down()
    bar.deleteLater()


def start(session: Any, tied: RunBar) -> None:
    session.running = True
    session.runStarted.emit()
    tied._timer.stop()


def test_a_short_run_is_not_worth_a_line(run: Any) -> None:
    session, bar, tied = run
    session.runStarted.emit()
    assert tied._timer.isActive() and bar.items() == []
    session.runFinished.emit()
    assert not tied._timer.isActive() and bar.items() == []


def test_a_long_run_shows_how_far_it_is_and_goes_with_its_end(run: Any) -> None:
    session, bar, tied = run
    start(session, tied)
    session.runProgress.emit(12.7)
    tied.show()
    (item,) = bar.items()
    progress = item.findChild(QProgressBar)
    assert item.text() == "The analysis is running." and progress.value() == 12
    session.runProgress.emit(60.0)
    assert progress.value() == 60
    session.inputsChanged.emit()
    assert len(bar.items()) == 1
    session.runFinished.emit()
    assert bar.items() == []


def test_cancel_stops_the_run_and_takes_the_line_away(run: Any) -> None:
    session, bar, tied = run
    start(session, tied)
    tied.show()
    QTest.mouseClick(bar.items()[0].findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert session.calls == [("cancel",)] and bar.items() == []


def test_a_line_that_was_closed_by_hand_comes_with_the_next_run(run: Any) -> None:
    session, bar, tied = run
    start(session, tied)
    tied.show()
    bar.popWidget(bar.items()[0])
    session.runFailed.emit()
    start(session, tied)
    tied.show()
    assert len(bar.items()) == 1
