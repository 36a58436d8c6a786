"""The words of descriptions: numbers, units, directions. All lower case."""

from __future__ import annotations

from fractions import Fraction

ONES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS = {
    word: value * 10
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
SCALES = {"hundred": 100, "thousand": 1000}
PARTS = {
    "tenth": 10,
    "tenths": 10,
    "hundredth": 100,
    "hundredths": 100,
    "hundreth": 100,
    "hundreths": 100,
    "thousandth": 1000,
    "thousandths": 1000,
}
NUMBER_WORDS = {**ONES, **TENS, **SCALES}

METRE = Fraction(-1)
"""Stands for a unit whose length in feet depends on which foot the text means."""

UNITS: dict[str, Fraction] = {
    **dict.fromkeys(("feet", "foot", "ft"), Fraction(1)),
    **dict.fromkeys(("chain", "chains", "ch", "chs"), Fraction(66)),
    **dict.fromkeys(("link", "links", "lk", "lks", "l"), Fraction(66, 100)),
    **dict.fromkeys(("rod", "rods", "pole", "poles", "perch", "perches"), Fraction(33, 2)),
    **dict.fromkeys(("yard", "yards", "yd", "yds"), Fraction(3)),
    **dict.fromkeys(("mile", "miles"), Fraction(5280)),
    **dict.fromkeys(("metre", "metres", "meter", "meters", "m"), METRE),
    **dict.fromkeys(("inch", "inches"), Fraction(1, 12)),
}
SECOND_ONLY = ("inch", "inches")
"""Units that only follow another: alone they are sizes of pipes and monuments."""
LINKS = ("link", "links", "lk", "lks", "l")
CHAINS = ("chain", "chains", "ch", "chs")
SIZES = ("width", "wide", "diameter", "high", "deep", "thick", "strip", "easement", "right")
"""After a length these make it a size, not a distance."""

NORTH_SOUTH = {"n": 1, "north": 1, "s": -1, "south": -1}
EAST_WEST = {"e": 1, "east": 1, "w": -1, "west": -1}
CARDINALS = {"n": 0, "north": 0, "e": 90, "east": 90, "s": 180, "south": 180, "w": 270, "west": 270}
_EIGHT = (
    ("north",),
    ("northeast", "north-east"),
    ("east",),
    ("southeast", "south-east"),
    ("south",),
    ("southwest", "south-west"),
    ("west",),
    ("northwest", "north-west"),
)
WINDS = {
    name + ending: 45 * number
    for number, names in enumerate(_EIGHT)
    for name in names
    for ending in ("erly", "wardly", "ward", "wards")
}
WIND_TOLERANCE = 67.5
"""Degrees by which a course may differ from its compass word."""

DEGREES = ("d", "deg", "degs", "degree", "degrees")
MINUTES = ("m", "min", "mins", "minute", "minutes")
SECONDS = ("s", "sec", "secs", "second", "seconds")
OTHER_ANGLES = ("gon", "gons", "grad", "grads", "grade", "grades", "mil", "mils")
PLACED_BY = ("located", "distant", "lying", "lies", "situate", "situated")
"""Words before a direction that make it the place of a point and not a course."""
WATERS = ("shore", "shoreline", "bank", "river", "creek", "brook", "stream", "narrows", "bay", "lake", "waterline")
