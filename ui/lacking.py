"""The line of the meter that says what is missing and the shortest way there, with links to the pages."""

from __future__ import annotations

from html import escape
from typing import Any, Optional

from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtWidgets import QWidget

from ..core.model import Analysis, Part
from . import figures, theme

translate = QCoreApplication.translate


class LackingLine:
    """Words of one state of the session; links carry the colour of the window that `widget` is in."""

    def __init__(self, session: Any, widget: QWidget) -> None:
        self._session = session
        self._widget = widget

    def words(self, shown: Optional[figures.Figures]) -> str:
        """Rich text of one or two lines, for the figures that are shown."""
        session, analysis = self._session, self._session.analysis
        if session.problems:
            more = len(session.problems) - 1
            words = escape(session.problems[0])
            return words if not more else _tr("{} And {} more.").format(words, figures.count(more))
        if analysis is None or shown is None:
            return self._waiting()
        lines = []
        if "valuation" in analysis.bases:
            lines.append(self._part_line(analysis, shown))
        if "voters" in analysis.bases:
            lines.append(self._voters_line(analysis))
        text = " ".join(line for line in lines if line) or self._closing_line(analysis)
        return f"{self._old()}{text}"

    def tip(self) -> str:
        """What stands behind the line: every problem, or the exact figures of the parts that fail."""
        analysis = self._session.analysis
        if self._session.problems:
            return "\n".join(self._session.problems)
        if analysis is None:
            return ""
        words = _tr("{} part: signed {} of {}, full value {}, exact share {}")
        lines = []
        for part in figures.failing_parts(analysis):
            full = "–" if part.full_value is None else figures.dollars(round(part.full_value))
            signed = figures.dollars(round(part.signed))
            lines.append(words.format(part.town, signed, figures.dollars(part.value), full, part.share))
        return "\n".join(lines)

    def _old(self) -> str:
        """What makes these figures old, where no run will make them new by itself."""
        session = self._session
        if not session.stale or session.running:
            return ""
        wanting = session.waiting_for()
        if not wanting:
            return ""
        return f"{_tr('Old figures.')} {self._link('layers', wanting)}<br>"

    def _waiting(self) -> str:
        session = self._session
        if session.running:
            return _tr("The first analysis is running.")
        if session.layer("parcels") is None:
            return self._link("layers", _tr("Choose a parcel layer on the Layers page to begin."))
        page = "boundary" if session.layer("territory") is None else "layers"
        return self._link(page, session.waiting_for())

    def _part_line(self, analysis: Analysis, shown: figures.Figures) -> str:
        for status in ("fail", "undecided"):
            parts = figures.failing_parts(shown, status)
            if parts:
                return self._lacking(analysis, shown, parts[0])
        return ""

    def _lacking(self, analysis: Analysis, shown: figures.Figures, part: Part) -> str:
        missing = figures.missing_of(analysis, part, shown)
        if missing is None:
            words = _tr("{} part: nothing bounds its value yet, see the findings.")
            return self._link("findings", words.format(part.town))
        if not missing.known:
            parcels = self._link("findings", figures.undecided_parcels(missing.undecided))
            return f"{escape(figures.missing_range_words(missing))} {parcels}."
        text = _tr("{} of assessed value is missing.").format(f"<b>{figures.dollars(missing.low)}</b>")
        if shown is not analysis:
            return text
        signers = self._session.next_signers(part.swis)
        number = figures.fewest(analysis, part, signers)
        if number is None or not signers:
            return f"{text} {self._link('owners', _tr('No owner left can bring that alone.'))}"
        first = signers[0]
        link = self._link(f"owners/{first.name}", first.name)
        could = _tr("{} could do it: {}, {}.") if number == 1 else _tr("{} could do it, first {}, {}.")
        more = f"<b>{figures.more_signatures(number)}</b>"
        return f"{text} {could.format(more, link, figures.dollars(int(first.adds)))}"

    def _voters_line(self, analysis: Analysis) -> str:
        number = figures.voters_lacking(analysis)
        return "" if not number else self._link("voters", figures.voters_missing(number))

    def _closing_line(self, analysis: Analysis) -> str:
        if analysis.verdict == "pass" and analysis.certifiable:
            return _tr("Nothing is missing. The figures can be certified.")
        if analysis.verdict == "pass":
            return self._link("findings", _tr("Not ready to be certified yet: see the findings."))
        return self._link("findings", _tr("The findings say what is open and what to do."))

    def _link(self, target: str, words: str) -> str:
        color = theme.text_color(theme.PASS, self._widget).name()
        return f'<a href="{escape(target)}"><span style="color:{color}">{escape(words)}</span></a>'


def _tr(text: str) -> str:
    return translate("Meter", text)
