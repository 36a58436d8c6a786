"""One line each in the message bar, nothing twice, and only what still holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from qgis.core import Qgis
from qgis.gui import QgsMessageBar
from qgis.PyQt.QtWidgets import QPushButton, QTextBrowser

from village_petition.ui.messages import Messages


@pytest.fixture()
def bar() -> Iterator[QgsMessageBar]:
    made = QgsMessageBar()
    yield made
    made.clearWidgets()
    made.deleteLater()


def shown(bar: QgsMessageBar) -> list[tuple[str, Qgis.MessageLevel]]:
    """Texts from the top down."""
    return [(item.text(), item.level()) for item in bar.items()]


def test_lines_stand_in_reading_order_from_the_top(bar: QgsMessageBar) -> None:
    Messages(bar).show_all("error", ["first.", "second."])
    assert [text for text, _ in shown(bar)] == ["first.", "second."]
    assert {level for _, level in shown(bar)} == {Qgis.MessageLevel.Critical}


def test_the_same_line_is_shown_once(bar: QgsMessageBar) -> None:
    messages = Messages(bar)
    messages.show("warning", "once.")
    messages.show("warning", "once.")
    assert len(bar.items()) == 1
    bar.popWidget(bar.items()[0])
    messages.show("warning", "once.")
    assert len(bar.items()) == 1


def test_many_lines_go_to_the_log(bar: QgsMessageBar) -> None:
    Messages(bar).show_all("error", [f"problem {n}." for n in range(1, 14)])
    texts = [text for text, _ in shown(bar)]
    assert texts == [*(f"problem {n}." for n in range(1, 6)), "8 more problems are in the log panel."]


def test_errors_go_when_they_no_longer_hold_and_the_rest_stays(bar: QgsMessageBar) -> None:
    messages = Messages(bar)
    messages.show("info", "kept.")
    messages.show("error", "gone.")
    messages.clear_errors()
    assert [text for text, _ in shown(bar)] == ["kept."]
    messages.clear()
    assert bar.items() == []


def test_a_long_line_is_not_broken_and_leads_to_the_log(bar: QgsMessageBar) -> None:
    opened = []
    messages = Messages(bar, lambda: opened.append(True))
    text = "rates.csv row 3: “52,0O” is not a rate for Dunkirk. Use digits and a point, e.g. 52.00. " * 3
    messages.show("error", text)
    messages.show("info", "kept.")
    said = {item.text(): item for item in bar.items()}
    words = said[text].findChild(QTextBrowser)
    assert words.lineWrapMode() == QTextBrowser.LineWrapMode.NoWrap and words.toolTip() == text
    details = [button for button in said[text].findChildren(QPushButton) if button.text() == "Details"]
    details[0].click()
    assert opened == [True]
    assert [button for button in said["kept."].findChildren(QPushButton) if button.text() == "Details"] == []


def test_a_bar_that_is_gone_is_no_error() -> None:
    made = QgsMessageBar()
    messages = Messages(made)
    messages.show("error", "one.")
    from qgis.PyQt import sip

    sip.delete(made)
    messages.show("error", "two.")
    messages.clear()
