"""How streets, waters and civil areas are named in a description, and which waters are navigable by default."""

from __future__ import annotations

import re

from ..schema import fold

STREET_WORDS = {
    "ALY": "Alley", "AV": "Avenue", "AVE": "Avenue", "BLVD": "Boulevard", "BND": "Bend", "BR": "Bridge",
    "BYP": "Bypass", "CIR": "Circle", "CRES": "Crescent", "CT": "Court", "CTR": "Center", "CV": "Cove",
    "DR": "Drive", "EST": "Estates", "EXPY": "Expressway", "EXT": "Extension", "GDNS": "Gardens", "GRN": "Green",
    "HL": "Hill", "HTS": "Heights", "HWY": "Highway", "JCT": "Junction", "LN": "Lane", "LNDG": "Landing",
    "MTN": "Mountain", "PKWY": "Parkway", "PL": "Place", "PLZ": "Plaza", "PT": "Point", "RD": "Road", "RDG": "Ridge",
    "RTE": "Route", "SQ": "Square", "ST": "Street", "TER": "Terrace", "TPKE": "Turnpike", "TRL": "Trail",
    "VW": "View", "WAY": "Way", "XING": "Crossing",
}  # fmt: skip
"""Suffixes as address files cut them short, by the word that people read."""

BEHIND_SUFFIX = ("EXT", "EXTENSION", "SPUR")
"""What may stand behind the suffix: Creek Rd Extension."""

WINDS = {"N": "North", "S": "South", "E": "East", "W": "West"}
WINDS.update({"NE": "Northeast", "NW": "Northwest", "SE": "Southeast", "SW": "Southwest"})

NAVIGABLE_KINDS = frozenset({"lake", "river", "canal"})
WATER_KINDS = {
    "lake": "lake", "bay": "lake", "lakepond": "lake",
    "river": "river", "tidal_channel": "river", "estuary": "river",
    "canal": "canal", "canalditch": "canal",
    "stream": "stream", "creek": "stream", "brook": "stream", "streamriver": "stream",
    "drain": "drain", "ditch": "drain",
    "pond": "pond", "reservoir": "reservoir", "wetland": "wetland", "swamp": "wetland", "marsh": "wetland",
}  # fmt: skip
"""Kinds as layers of waters write them, folded to letters; any other kind is told by the water's name."""

_NAME_KINDS = ("canal", "river", "lake", "creek", "brook", "pond", "reservoir", "drain", "ditch", "bay")
_ROUTES = {"S": "New York State Route", "U": "United States Route", "I": "Interstate Route", "C": "County Route"}


def street_name(text: str) -> str:
    """A street's name as people read it: "Webster Rd" → "Webster Road", "N 4TH ST" → "North 4th Street".

    Only words that cannot be meant otherwise are written out: the last one, or the one before a compass letter.
    """
    words = text.split()
    if text.isupper():
        words = [_calm(word) for word in words]
    keys = [word.strip(".").upper() for word in words]
    last = len(words) - 1
    if len(words) > 2 and keys[0] in WINDS:
        words[0] = WINDS[keys[0]]
    if last >= 2 and keys[last] in WINDS and keys[last - 1] in STREET_WORDS:
        words[last] = WINDS[keys[last]]
        last -= 1
    if last >= 2 and keys[last] in BEHIND_SUFFIX and keys[last - 1] in STREET_WORDS:
        words[last] = STREET_WORDS.get(keys[last], words[last])
        last -= 1
    if last >= 1 and keys[last] in STREET_WORDS:
        words[last] = STREET_WORDS[keys[last]]
    return " ".join(words)


def route_name(shield: str, number: str) -> str:
    """A highway by its shield (S state, U federal, I interstate, C county) and number, "" for another shield."""
    word = _ROUTES.get(shield.strip().upper(), "")
    return f"{word} {number.strip()}" if word and number.strip() else ""


def water_kind(kind: str, name: str) -> str:
    """lake, river, canal, stream, drain, pond, reservoir, wetland or water, from the layer's word, else the name."""
    known = WATER_KINDS.get(re.sub(r"[^a-z_]", "", kind.casefold()))
    if known:
        return known
    words = [word.casefold() for word in re.findall(r"[A-Za-z]+", name)]
    # "Lake" stands before the name or behind it; every other word only means something as the last: Creek Road Pond.
    if words and (words[0] == "lake" or words[-1] in _NAME_KINDS):
        return WATER_KINDS["lake" if words[0] == "lake" else words[-1]]
    # banks are drawn of creeks too, so that their name goes before their kind
    return "river" if kind.casefold() == "riverbank" else "water"


def navigable_by_kind(kind: str) -> bool:
    """Lakes, rivers and canals are taken as navigable until somebody says otherwise; streams and drains are not."""
    return kind in NAVIGABLE_KINDS


def civil_name(kind: str, name: str) -> str:
    """ "Town of Pomfret", "City of Dunkirk"; a name that says its kind already stays as it is."""
    if not kind or fold(name).startswith(fold(kind) + " "):
        return name
    return f"{kind.strip().capitalize()} of {name}"


def _calm(word: str) -> str:
    """A word in capitals as people write it: MAIN → Main, 4TH → 4th."""
    return word.lower() if word[:1].isdigit() else word.capitalize()
