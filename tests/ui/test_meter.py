"""The meter: figures, icons, bars, the line of what is missing, and what it says when there is nothing yet."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from qgis.PyQt.QtCore import QLocale, Qt
from qgis.PyQt.QtGui import QColor, QPalette
from qgis.PyQt.QtWidgets import QApplication

from village_petition.core.model import Ownership
from village_petition.ui import theme
from village_petition.ui.bars import ShareBar
from village_petition.ui.meter import Meter


def _load_fakes() -> Any:
    if "ui_fakes" not in sys.modules:
        spec = importlib.util.spec_from_file_location("ui_fakes", Path(__file__).with_name("fakes.py"))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["ui_fakes"] = module
        spec.loader.exec_module(module)
    return sys.modules["ui_fakes"]


fakes = _load_fakes()
READY = {"parcels": object(), "territory": object(), "towns": object()}


@pytest.fixture(autouse=True)
def _english(qgis_app: Any) -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


def a_meter(qtbot: Any, analysis: Any = None, **state: Any) -> Meter:
    session = fakes.FakeSession(analysis)
    session.layers = READY if analysis is not None else {}
    for name, value in state.items():
        setattr(session, name, value)
    meter = Meter(session)
    qtbot.addWidget(meter)
    meter.resize(380, 200)
    meter.show()
    return meter


def rows_of(meter: Meter) -> list[tuple[str, str, str, str]]:
    return [
        (row.label.text(), row.icon.status, row.now.text(), row.missing.text())
        for row in meter.rows
        if row.bar.isVisible()
    ]


def test_the_meter_says_all_of_the_case(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis())
    assert meter.verdict.text() == "Not enough yet: Eastwick part"
    assert meter.verdict_icon.status == "fail"
    assert meter.law.text() == "Owners · 2004"
    assert rows_of(meter) == [
        ("Westby >50 %", "pass", "88.10 %", "–"),
        ("Eastwick >50 %", "fail", "45.80 %", "$27,501"),
        ("Overall >50 %", "pass", "54.00 %", "–"),
        ("Voters ≥20 %", "pass", "22.00 %", "–"),
    ]
    assert meter.area.text() == "3.389 of 5 mi²"
    assert meter.people.text() == "2,735 people"
    assert meter.findings.text() == "2 errors, 1 warning"


def test_the_missing_line_names_the_shortest_way(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis())
    text = meter.missing.text()
    assert "<b>$27,501</b> of assessed value is missing." in text
    assert "<b>1 more signature</b> could do it:" in text
    assert 'href="owners/EASTWICK MILLS CORP"' in text
    assert text.endswith(", $250,000.")


def test_more_signatures_than_one(qtbot: Any) -> None:
    analysis = fakes.two_parts(1_000_000, Fraction(200_001), "fail", "fail")
    text = a_meter(qtbot, analysis).missing.text()
    assert "<b>2 more signatures</b> could do it, first" in text


def test_no_owner_left(qtbot: Any) -> None:
    analysis = fakes.two_parts(9_000_000, Fraction(1), "fail", "fail")
    assert "No owner left can bring that alone." in a_meter(qtbot, analysis).missing.text()


@pytest.mark.parametrize(
    ("signed", "status", "now"),
    [
        (Fraction(499_999), "fail", "49.9999 %"),
        (Fraction(500_000), "fail", "50.00 %"),
        (Fraction(500_001), "pass", "50.0001 %"),
    ],
)
def test_the_icon_comes_from_the_status(qtbot: Any, signed: Fraction, status: str, now: str) -> None:
    meter = a_meter(qtbot, fakes.two_parts(1_000_000, signed, status, status))
    assert rows_of(meter)[1][1:3] == (status, now)


def test_exactly_one_fifth_of_the_voters_passes(qtbot: Any) -> None:
    tests = (fakes.voters_test(Fraction(1, 5), "pass"), *fakes.other_tests())
    meter = a_meter(qtbot, fakes.an_analysis(bases=("voters",), verdict="pass", tests=tests))
    assert rows_of(meter)[-1] == ("Voters ≥20 %", "pass", "20.00 %", "–")


def test_voters_that_are_missing(qtbot: Any) -> None:
    from village_petition.core.model import VoterCount

    counted = VoterCount(inhabitants=900, qualified=510, signed=90, undecided=0, signed_undecided=0)
    tests = (fakes.voters_test(Fraction(90, 510), "fail"), *fakes.other_tests())
    meter = a_meter(qtbot, fakes.an_analysis(bases=("voters",), tests=tests, voters=counted))
    assert "Voters: 12 signatures missing" in meter.missing.text()
    assert rows_of(meter)[-1][3] == "12"


def test_undecided_owners_give_a_range(qtbot: Any) -> None:
    part = fakes.part(fakes.EAST, "Eastwick", 655_000, Fraction(300_000), high=Fraction(345, 655))
    west = fakes.an_analysis().parts[0]
    unknown = Ownership((), None, 0, Fraction(0), Fraction(1))
    analysis = fakes.an_analysis(
        parts=(west, part),
        verdict="undecided",
        tests=(
            fakes.part_test(west, "pass"),
            fakes.part_test(part, "undecided"),
            fakes.overall_test(Fraction(54, 100), "pass"),
            *fakes.other_tests(),
        ),
        ownership={**fakes.OWNERSHIP, (fakes.EAST, "2.00-1-3"): unknown},
    )
    meter = a_meter(qtbot, analysis)
    bar = meter.rows[1].bar
    assert bar.low == Fraction(300, 655) and bar.high == Fraction(345, 655)
    assert meter.verdict.text() == "Undecided: 1 parcel without owners"
    assert meter.verdict_icon.status == "undecided"
    assert meter.missing.text().startswith("Between $0 and $27,501 missing, see")
    assert "1 undecided parcel" in meter.missing.text()


def test_an_edition_without_the_owners_basis(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis(edition="2024"))
    assert meter.verdict.text() == "Owners' basis is not in the 2024 edition"
    assert meter.verdict_icon.status == "fail"
    assert meter.law.text() == "Owners · 2024"


def test_nothing_chosen_yet(qtbot: Any) -> None:
    meter = a_meter(qtbot)
    assert meter.verdict.text() == "No parcels yet"
    assert "Choose a parcel layer on the Layers page to begin." in meter.missing.text()
    assert 'href="layers"' in meter.missing.text()
    assert [row[2:] for row in rows_of(meter)] == [("", ""), ("", "")]
    assert meter.rows[0].bar.low is None


def test_no_boundary_yet(qtbot: Any) -> None:
    meter = a_meter(qtbot, layers={"parcels": object()})
    assert meter.verdict.text() == "No boundary yet"
    assert 'href="boundary"' in meter.missing.text()


def test_a_missing_rate_blocks(qtbot: Any) -> None:
    rates = [{"swis": "066800", "town": "Dunkirk", "rate": ""}]
    meter = a_meter(qtbot, layers=READY, rate_rows=rates)
    assert meter.verdict.text() == "Blocked: no equalization rate for Dunkirk"
    assert meter.verdict_icon.status == "fail"


def test_problems_of_a_run(qtbot: Any) -> None:
    problems = ("rates.csv row 3: “52,0O” is not a rate for <Dunkirk>.", "Another.")
    meter = a_meter(qtbot, fakes.an_analysis(), problems=problems, stale=True)
    assert meter.verdict.text() == "Blocked: an input is refused"
    assert "&lt;Dunkirk&gt;" in meter.missing.text() and "And 1 more." in meter.missing.text()
    assert meter.rows[0].icon.faded


def test_results_of_a_layer_that_went_are_old_and_say_what_to_do(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis(), layers={"parcels": object()}, stale=True)
    text = meter.missing.text()
    assert text.startswith('Old figures. <a href="layers">')
    assert ">Choose a boundary layer on the Boundary page.</span></a><br><b>$27,501</b>" in text
    assert meter.heads[0].text() == "Old figures"


def test_figures_turn_grey_until_they_belong(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis())
    assert not meter.rows[0].icon.faded and not meter.rows[0].bar.stale
    assert meter.heads[0].text() == "Signed share"
    meter.session.stale = True
    meter.started()
    assert meter.rows[0].icon.faded and meter.rows[0].bar.stale and meter.area_icon.faded
    assert meter.heads[0].text() == "Old figures"
    assert theme.muted_color(meter).name() in meter.rows[0].now.styleSheet()
    meter.session.stale = False
    meter.ended()
    assert meter.rows[0].now.isEnabled()


def test_without_a_roll_section(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis())
    meter.show_without("without_roll_section_8")
    assert meter.verdict.text() == "Without section 8: Enough: every test of the owners' basis is met"
    assert [row[0] for row in rows_of(meter)] == ["Westby >50 %", "Overall >50 %", "Voters"]
    meter.show_without("")
    assert meter.verdict.text() == "Not enough yet: Eastwick part"


def test_more_than_three_parts_come_worst_first_and_scroll(qtbot: Any) -> None:
    shares = (60, 10, 40, 30, 20)
    parts = tuple(fakes.part(f"01{n}000", f"Town{n}", 1000, Fraction(share * 10)) for n, share in enumerate(shares))
    tests = tuple(fakes.part_test(part, "pass" if part.share > Fraction(1, 2) else "fail") for part in parts)
    meter = a_meter(qtbot, fakes.an_analysis(parts=parts, tests=(*tests, *fakes.other_tests())))
    labels = [row[0] for row in rows_of(meter)]
    assert labels[:5] == ["Town1 >50 %", "Town4 >50 %", "Town3 >50 %", "Town2 >50 %", "Town0 >50 %"]
    assert meter.bars_scroll.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded
    assert meter.bars_scroll.height() < meter.bars.sizeHint().height()


def test_a_bar_has_a_name_and_a_tooltip(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis())
    assert meter.rows[1].bar.accessibleName() == (
        "Eastwick part, 45.80 percent signed, more than 50 needed, fails, $27,501 missing"
    )
    tip = meter.rows[1].bar.toolTip()
    for words in ("signed $300,000 of $655,000", "Equalization rate 60.00 %, roll of 2022", fakes.LAW, "never add"):
        assert words in tip


def test_figures_are_copied_as_text(qtbot: Any) -> None:
    meter = a_meter(qtbot, fakes.an_analysis())
    assert meter.figures_text().splitlines()[:3] == [
        "Not enough yet: Eastwick part",
        "Westby >50 %\t88.10 %\t–",
        "Eastwick >50 %\t45.80 %\t$27,501",
    ]


def pixels(bar: ShareBar) -> list[QColor]:
    picture = bar.grab().toImage()
    return [picture.pixelColor(x, picture.height() // 2) for x in range(picture.width())]


def test_what_a_bar_paints(qtbot: Any) -> None:
    bar = ShareBar()
    qtbot.addWidget(bar)
    bar.resize(200, 16)
    bar.show_share(Fraction(1, 4), Fraction(1, 4), Fraction(1, 2), "pass")
    row = pixels(bar)
    assert row[20] == theme.fill_color("pass") and row[100] == theme.mark_color()
    assert row[150] == bar.palette().color(QPalette.ColorRole.Base)
    bar.show_share(Fraction(1, 4), Fraction(1, 4), Fraction(1, 2), "fail")
    assert len({color.name() for color in pixels(bar)[5:45]}) > 1, "a failed bar is hatched"
    bar.show_share(Fraction(1, 4), Fraction(3, 4), None, "undecided")
    assert len({color.name() for color in pixels(bar)[60:140]}) > 1, "a range is dotted"
    bar.show_share(None, None, None, "")
    assert {color.name() for color in pixels(bar)[5:195]} == {bar.palette().color(QPalette.ColorRole.Base).name()}


def contrast(one: QColor, other: QColor) -> float:
    def light(color: QColor) -> float:
        parts = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (color.redF(), color.greenF(), color.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("window", "base", "dark"), [("#efefef", "#ffffff", False), ("#323232", "#1e1e1e", True)])
def test_status_words_can_be_read_in_both_themes(qgis_app: Any, window: str, base: str, dark: bool) -> None:
    before = QApplication.palette()
    palette = QPalette(before)
    palette.setColor(QPalette.ColorRole.Base, QColor(base))
    palette.setColor(QPalette.ColorRole.Window, QColor(window))
    QApplication.setPalette(palette)
    try:
        assert theme.is_dark() is dark
        for status in ("pass", "fail", "undecided", "note"):
            for ground in (window, base):
                assert contrast(theme.text_color(status), QColor(ground)) >= 4.5, (status, ground)
    finally:
        QApplication.setPalette(before)


def test_the_lakeshore_case_reads_as_the_golden_file_has_it(qtbot: Any, shared: Path) -> None:
    from village_petition.core import parcel_source, readers
    from village_petition.core.analysis import analyze
    from village_petition.core.inputs import Inputs

    clean = shared / "data" / "lakeshore" / "clean"

    def layer(role: str) -> Any:
        return readers.read_layer(str(clean / f"{role}.gpkg"), role)

    def table(name: str) -> Any:
        return readers.read_table(str(clean / f"{name}.csv"))

    inputs = Inputs(
        parcels=parcel_source.open_parcels(str(clean / "parcels.gpkg")),
        rates=table("rates"),
        owners=table("owners"),
        signers=table("signers"),
        inhabitants=table("inhabitants"),
        unmapped=table("roll_without_polygon"),
        **{role: layer(role) for role in ("towns", "territory", "buildings", "cities_villages")},
    )
    meter = a_meter(qtbot, analyze(inputs))
    part = next(part for part in meter.session.analysis.parts if part.town == "Dunkirk")
    missing = int(meter.rows[1].missing.text().strip("$").replace(",", ""))
    assert rows_of(meter) == [
        ("Pomfret >50 %", "pass", "54.28 %", "–"),
        ("Dunkirk >50 %", "fail", "49.00 %", "$1,521,000"),
        ("Overall >50 %", "pass", "50.53 %", "–"),
        ("Voters ≥20 %", "pass", "22.30 %", "–"),
    ]
    assert 2 * (part.signed + missing) > part.value >= 2 * (part.signed + missing - 1)
    assert meter.verdict.text() == "Not enough yet: Dunkirk part"
