"""A session without QGIS layers or a run behind it, holding an analysis made by hand from a small case.

Two towns, Eastwick (019900) and Westby (018800); the territory is a square of 100 by 60 over both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, Optional

import shapely
from qgis.core import QgsCoordinateReferenceSystem
from qgis.gui import QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtWidgets import QAction, QMainWindow

from village_petition.core.model import (
    Alternative,
    Analysis,
    FieldMap,
    Finding,
    Inhabitant,
    Ownership,
    Parcel,
    Part,
    Proof,
    Rate,
    Requirement,
    SignerLine,
    SignerResult,
    TerritoryFacts,
    TestResult,
    VoterCount,
)

HALF, FIFTH = Fraction(1, 2), Fraction(1, 5)
EAST, WEST = "019900", "018800"
LAW = "§ 2-202(1)(a)(2)"


def rate(swis: str, town: str, text: str) -> Rate:
    return Rate(swis, town, text, Fraction(text), 2022, date(2022, 7, 1), "state")


def part(swis: str, town: str, value: int, signed: Fraction, rate_text: str = "50.00", **more: Any) -> Part:
    percent = Fraction(rate_text)
    share = signed / value if value else None
    more = {"low": share, "high": share, **more}
    return Part(
        town,
        swis,
        rate(swis, town, rate_text),
        value,
        signed,
        value * 100 / percent,
        signed * 100 / percent,
        share,
        **more,
    )


def part_test(of: Part, status: str) -> TestResult:
    return TestResult(f"valuation.part.{of.swis}", status, "Reason.", of.share, of.low, of.high, HALF, ">", LAW)


def overall_test(
    share: Fraction, status: str, low: Optional[Fraction] = None, high: Optional[Fraction] = None
) -> TestResult:
    return TestResult(
        "valuation.overall", status, "Overall.", share, share if low is None else low, share if high is None else high,
        HALF, ">", LAW,
    )  # fmt: skip


def voters_test(share: Optional[Fraction], status: str) -> TestResult:
    return TestResult("voters", status, "Voters.", share, share, share, FIFTH, ">=", "§ 2-202(1)(a)(1)")


def other_tests(area: str = "pass", people: str = "pass", city: str = "pass") -> tuple[TestResult, ...]:
    return (
        TestResult("area", area, "Not more than 5 square miles.", Fraction("3.389489"), None, None, Fraction(5), "<="),
        TestResult("population", people, "Counted.", Fraction(2735), None, None, Fraction(500), ">="),
        TestResult("city_village", city, "Touches the City of Eastwick, no overlap."),
    )


def parcel(swis: str, key: str, place: str, share: str, value: int, inside: int, method: str, land: int = 0) -> Parcel:
    return Parcel(
        swis, key, place, Fraction(share), value, land, inside, method, address=f"{key[-1]} Main Rd",
        roll_owners=(f"OWNER {key}",),
    )  # fmt: skip


PARCELS = (
    parcel(WEST, "1.00-1-1", "inside", "1", 200_000, 200_000, "whole", 80_000),
    parcel(WEST, "1.00-1-2", "split", "0.25", 100_000, 62_500, "land_area_improvement_location", 50_000),
    parcel(EAST, "2.00-1-1", "inside", "1", 300_000, 300_000, "whole", 100_000),
    parcel(EAST, "2.00-1-2", "inside", "1", 250_000, 250_000, "whole", 90_000),
    parcel(EAST, "2.00-1-3", "split", "0.5", 90_000, 45_000, "area_only", 90_000),
    Parcel(EAST, "SF-1", "unmapped", None, 84_000, None, 60_000, "inside_value", True, "5"),
)
SHAPES = {
    (WEST, "1.00-1-1"): shapely.box(0, 0, 40, 60),
    (WEST, "1.00-1-2"): shapely.box(40, -45, 50, 15),
    (EAST, "2.00-1-1"): shapely.box(50, 0, 70, 60),
    (EAST, "2.00-1-2"): shapely.box(70, 0, 90, 60),
    (EAST, "2.00-1-3"): shapely.box(90, 0, 110, 60),
}


def owned(*names: str, signed: int = 0) -> Ownership:
    share = Fraction(signed, len(names))
    return Ownership(names, len(names), signed, share, share)


OWNERSHIP = {
    (WEST, "1.00-1-1"): owned("ANN DOE", signed=1),
    (WEST, "1.00-1-2"): owned("BEN ROE", "CARL POE", signed=1),
    (EAST, "2.00-1-1"): owned("DORA LOE", signed=1),
    (EAST, "2.00-1-2"): owned("EASTWICK MILLS CORP"),
    (EAST, "2.00-1-3"): owned("FAY NOE"),
    (EAST, "SF-1"): owned("LAKE POWER CO"),
}
SIGNERS = (
    SignerResult(1, 1, "ANN DOE", "credited", {WEST: Fraction(200_000)}),
    SignerResult(1, 2, "BEN ROE", "credited", {WEST: Fraction(62_500, 2)}),
    SignerResult(1, 3, "DORA LOE", "credited", {EAST: Fraction(300_000)}),
    SignerResult(1, 4, "ANN DOE", "duplicate"),
    SignerResult(2, 1, "NOBODY ATALL", "not_owner"),
    SignerResult(2, 2, "GLEG MOE", "incomplete"),
    SignerResult(2, 3, "FAY NOE", "struck"),
)
FINDINGS = (
    Finding("V-21", "error", "The part of Eastwick fails.", EAST, citation=LAW),
    Finding("V-14", "warning", "NOBODY ATALL owns nothing that is counted."),
    Finding("V-24", "error", "Split parcel without a record.", EAST, "2.00-1-3", "§ 2-202(1)(a)(2)"),
    Finding("V-44", "info", "No filing date."),
)
REQUIREMENTS = (
    Requirement("name", "pass", "Lakeshore.", "§ 2-202(1)(b)(2)"),
    Requirement("designees", "fail", "1 of 3 resides inside.", "§ 2-202(1)(b)(5)"),
    Requirement("exhibit.description", "undecided", "No description is recorded.", "§ 2-202(1)(c)(1)"),
    Requirement("filing.deposit", "not_applicable", "Not filed.", "§ 2-202(1)(f)"),
)


def an_analysis(**changes: Any) -> Analysis:
    """The case as it stands: Westby's part passes, Eastwick's fails, the whole passes, the voters pass."""
    west = part(WEST, "Westby", 262_500, Fraction(231_250))
    east = part(EAST, "Eastwick", 655_000, Fraction(300_000), "60.00")
    overall = overall_test(Fraction(54, 100), "pass")
    tests = (
        part_test(west, "pass"),
        part_test(east, "fail"),
        overall,
        voters_test(Fraction(22, 100), "pass"),
        *other_tests(),
    )
    crs = QgsCoordinateReferenceSystem("EPSG:2262")
    facts = TerritoryFacts(Fraction("3.389489"), 1, 0, 1179, 42_021)
    proof = Proof(2480, 2478, 1, 1, 1624, 97, 757, 0, 1, 917_500, 82_500, 0, 1_000_000, True)
    analysis = Analysis(
        edition="2004",
        bases=("valuation",),
        transition=None,
        rules_sha256="0",
        verdict="fail",
        certifiable=False,
        territory=facts,
        crs="EPSG:2262",
        crs_wkt=crs.toWkt(),
        operations=(),
        sliver_width_ft="1.0",
        proof=proof,
        parts=(west, east),
        tests=tests,
        requirements=REQUIREMENTS,
        parcels=PARCELS,
        ownership=OWNERSHIP,
        signers=SIGNERS,
        findings=FINDINGS,
        alternatives={
            "without_roll_section_8": Alternative((west,), (part_test(west, "pass"), overall), "pass", True),
            "without_roll_section_5": Alternative((west, east), tests, "fail", False),
        },
        shapes=SHAPES,
        territory_shape=shapely.box(0, 0, 100, 60),
        town_shapes={WEST: shapely.box(-50, -50, 50, 100), EAST: shapely.box(50, -50, 150, 100)},
        voters=VoterCount(inhabitants=2735, qualified=1773, signed=390, undecided=29, signed_undecided=0, adults=1891),
    )
    return replace(analysis, **changes)


def two_parts(east_value: int, east_signed: Fraction, status: str, verdict: str) -> Analysis:
    """The case with other figures for Eastwick's part."""
    west = part(WEST, "Westby", 262_500, Fraction(231_250))
    east = part(EAST, "Eastwick", east_value, east_signed)
    tests = (
        part_test(west, "pass"),
        part_test(east, status),
        overall_test(Fraction(54, 100), "pass"),
        voters_test(Fraction(22, 100), "pass"),
        *other_tests(),
    )
    return an_analysis(parts=(west, east), tests=tests, verdict=verdict)


class FakeSession(QObject):
    """What pages and docks ask of a session, from plain attributes; `calls` lists the changes asked for."""

    inputsChanged = pyqtSignal()
    runStarted = pyqtSignal()
    runProgress = pyqtSignal(float)
    runFinished = pyqtSignal()
    runFailed = pyqtSignal()
    cleared = pyqtSignal()

    def __init__(self, analysis: Optional[Analysis] = None) -> None:
        super().__init__()
        self.analysis = analysis
        self.stale = False
        self.running = False
        self.problems: tuple[str, ...] = ()
        self.layers: dict[str, Any] = {}
        self.gone: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.paths: dict[str, str] = {}
        self.samples: dict[str, str] = {}
        self.fields: Optional[FieldMap] = None
        self.field_trouble = ""
        self.rate_rows: list[dict[str, str]] = []
        self.law = "2004"
        self.facts: dict[str, Any] = {}
        self.persons: list[Inhabitant] = []
        self.calls: list[tuple[Any, ...]] = []

    def layer(self, role: str) -> Any:
        return self.layers.get(role)

    def missing(self, role: str) -> str:
        return self.gone.get(role, "")

    def row_count(self, role: str) -> Optional[int]:
        return self.counts.get(role)

    def field_map(self) -> Optional[FieldMap]:
        return self.fields

    def field_problem(self) -> str:
        return self.field_trouble

    def field_sample(self, logical: str) -> str:
        return self.samples.get(logical, "")

    def rates(self) -> list[dict[str, str]]:
        return self.rate_rows

    def table_path(self, role: str) -> str:
        return self.paths.get(role, "")

    def table_count(self, role: str) -> Optional[int]:
        return self.counts.get(role)

    def edition(self) -> str:
        return self.law

    def editions(self) -> tuple[str, ...]:
        return ("2004", "2024")

    def petition(self) -> dict[str, Any]:
        return self.facts

    def name(self) -> str:
        return "Lakeshore"

    def waiting_for(self) -> str:
        return "Choose a boundary layer on the Boundary page." if "parcels" in self.layers else "Choose a parcel layer."

    def signer_lines(self) -> list[SignerLine]:
        return [
            SignerLine(s.page, s.line, s.name, "" if s.status == "incomplete" else "7 Main Rd", "Westby", "2023-05-09",
                       struck="withdrawn" if s.status == "struck" else "")
            for s in (self.analysis.signers if self.analysis is not None else ())
        ]  # fmt: skip

    def next_signers(self, part_swis: str) -> Sequence[Any]:
        from village_petition.core.majority import next_signers
        from village_petition.core.schema import fold

        analysis = self.analysis
        if analysis is None:
            return []
        signed = {fold(signer.name) for signer in analysis.signers if signer.status == "credited"}
        wanted = next(each for each in analysis.parts if each.swis == part_swis)
        return next_signers(analysis.parcels, analysis.ownership, signed, wanted)

    def inhabitant_rows(self) -> list[Inhabitant]:
        return self.persons

    def set_layer(self, role: str, layer: Any) -> None:
        self.calls.append(("set_layer", role, layer))

    def set_field(self, logical: str, field: str) -> None:
        self.calls.append(("set_field", logical, field))

    def detect_again(self) -> None:
        self.calls.append(("detect_again",))

    def set_rate(self, row: int, column: str, text: str) -> None:
        self.calls.append(("set_rate", row, column, text))
        self.rate_rows[row][column] = text
        self.inputsChanged.emit()

    def set_table(self, role: str, path: str) -> None:
        self.calls.append(("set_table", role, path))

    def set_edition(self, edition: str) -> None:
        self.calls.append(("set_edition", edition))
        self.law = edition
        self.inputsChanged.emit()

    def set_petition(self, facts: Mapping[str, Any]) -> None:
        self.calls.append(("set_petition", dict(facts)))
        self.facts = dict(facts)
        self.inputsChanged.emit()

    def cancel(self) -> None:
        self.calls.append(("cancel",))
        self.running = False
        self.inputsChanged.emit()

    def load_sample(self) -> None:
        self.calls.append(("load_sample",))

    def clear(self) -> None:
        self.calls.append(("clear",))
        self.analysis = None
        self.cleared.emit()


class FakeIface(QObject):
    """As much of QGIS's window as the docks use: a canvas in EPSG:2262, a main window, one action."""

    def __init__(self) -> None:
        super().__init__()
        self.window = QMainWindow()
        self.canvas = QgsMapCanvas(self.window)
        self.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:2262"))
        self.window.setCentralWidget(self.canvas)
        self.action = QAction(self.window)
        self.bar = QgsMessageBar(self.window)

    def mapCanvas(self) -> QgsMapCanvas:
        return self.canvas

    def messageBar(self) -> QgsMessageBar:
        return self.bar

    def mainWindow(self) -> QMainWindow:
        return self.window

    def actionAddOgrLayer(self) -> QAction:
        return self.action
