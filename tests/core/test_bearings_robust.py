"""Whatever stands in a text ends in a reading or a problem, never in a fault of the program."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from village_petition.core.bearings import as_dict, frame, summary, traverse

PIECES = (
    "N|S|E|W|North|South|thence|Beginning at|Commencing at|45|45°|00'|00\"|100|feet|chains|links"
    "|curve to the left|curve|radius of|arc of|delta of|central angle|chord bearing of|chord"
    "|tangent|degree of curve|interior angle of|with the previous course|(|)|[|]|1)|2.|(1)"
    "|the following two courses|:|;|,|.|to the point of beginning|from|located|being|distant"
    "|along the road|as it winds and turns|more or less|PARCEL 2:\n|EXCEPTING|Containing|acres"
    "|hundred|and|twenty|-|\n|due|azimuth|Southerly|in a general northerly direction|N45-00-00W|0"
    "|999999999999|0.00|180°|360°|90°|right|°|'|\"|1e5|±|½|\ufeff|\t"
).split("|")
FRAME = frame("EPSG:2262", (900_000.0, 850_000.0))


def digest(text: str) -> None:
    for orientation in (None, 30.0):
        result = traverse(text, FRAME, orientation=orientation)
        json.dumps(as_dict(result, FRAME, "x.txt"), allow_nan=False)
        summary(result)
        for one in (*result.problems, *(problem for parcel in result.results for problem in parcel.problems)):
            assert one.line_of("x.txt").startswith(f"x.txt:{one.span.line}:{one.span.column}: ")


@settings(max_examples=400, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_words_of_descriptions_in_any_order(pieces: list[str]) -> None:
    digest(" ".join(pieces))


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    digest(text)


@pytest.mark.parametrize(
    "text",
    [
        "N 1° E 10 feet; thence along a curve to the left, radius of 0.00 feet, arc of 10 feet; thence W 3 feet",
        "N 1° E 10 feet; thence along a curve to the left, radius of 9999999999 feet, arc of 99999999 feet",
        "N 1° E 10 feet; thence along a curve to the left, delta of 0°, chord of 10 feet; thence W 3 feet",
        "N 1° E 0.00 feet; thence N 1° E 0 feet",
        "[" * 50 + "N 1° E 5 feet",
    ],
)
def test_extremes(text: str) -> None:
    digest(text)
