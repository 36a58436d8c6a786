"""What the window says at its top, one line each, and what it keeps in the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Callable, Optional

from qgis.core import Qgis, QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, Qt
from qgis.PyQt.QtWidgets import QPushButton, QTextBrowser

from .compat import is_gone

TITLE = "Village Petition"
SECONDS = 8
MOST = 5
LEVELS = {
    "info": Qgis.MessageLevel.Info,
    "success": Qgis.MessageLevel.Success,
    "warning": Qgis.MessageLevel.Warning,
    "error": Qgis.MessageLevel.Critical,
}


class Messages:
    """Shows sentences in a message bar; a sentence that stands there already is not shown again."""

    def __init__(self, bar: Any, open_log: Optional[Callable[[], None]] = None) -> None:
        """`open_log` shows the log panel; without it there is no button for it."""
        self._bar = bar
        self._open_log = open_log
        self._shown: list[tuple[Any, str, str]] = []

    def show(self, level: str, text: str) -> None:
        """Show one line; level is info, success, warning or error. Errors stay until they are closed or cleared."""
        if is_gone(self._bar):
            return
        standing = self._bar.items()
        self._shown = [shown for shown in self._shown if not is_gone(shown[0]) and shown[0] in standing]
        if any(said == text for _, said, _ in self._shown):
            return
        item = self._bar.createMessage(TITLE, text)
        item.setLevel(LEVELS[level])
        self._finish(item, text, level)
        if level not in ("error", "warning"):
            item.setDuration(SECONDS)
        self._bar.pushItem(item)
        self._shown.append((item, text, level))
        log(text, level)

    def _finish(self, item: Any, text: str, level: str) -> None:
        """One line, the whole of it in the tooltip; what went wrong leads to the log."""
        words = item.findChild(QTextBrowser)
        if words is not None:
            words.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
            words.setToolTip(text)
            for policy in (words.setHorizontalScrollBarPolicy, words.setVerticalScrollBarPolicy):
                policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if self._open_log is not None and level in ("error", "warning"):
            details = QPushButton(QCoreApplication.translate("VillagePetition", "Details"), item)
            details.setToolTip(QCoreApplication.translate("VillagePetition", "Open the log panel, where this is kept."))
            details.clicked.connect(self._open_log)
            item.layout().addWidget(details)

    def show_all(self, level: str, lines: Iterable[str]) -> None:
        """Show these lines, each in an item of its own, in reading order; after the first few the log has them."""
        every = tuple(lines)
        if len(every) > MOST:
            for line in every[MOST:]:
                log(line, level)
            rest = QCoreApplication.translate("VillagePetition", "{count} more problems are in the log panel.")
            self.show(level, rest.format(count=len(every) - MOST))
        for line in reversed(every[:MOST]):
            self.show(level, line)

    def clear(self) -> None:
        """Take away all that was shown."""
        self._clear(tuple(LEVELS))

    def clear_errors(self) -> None:
        """Take away the errors: what they said may no longer hold."""
        self._clear(("error",))

    def _clear(self, levels: tuple[str, ...]) -> None:
        shown, self._shown = self._shown, []
        for item, said, level in shown:
            if is_gone(item) or is_gone(self._bar):
                continue
            if level in levels:
                self._bar.popWidget(item)
            else:
                self._shown.append((item, said, level))


def log(text: str, level: str = "info") -> None:
    """Keep a line in the log panel, tab Village Petition."""
    QgsApplication.messageLog().logMessage(text, TITLE, LEVELS[level], False)
