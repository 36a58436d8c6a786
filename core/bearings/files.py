"""A description from disk, and files of courses that are no description."""

from __future__ import annotations

import re
from pathlib import Path

from ..model import InputError

MOST_BYTES = 20_000_000
_ESRI = re.compile(r"^[ \t]*D[TU][ \t]+(?:QB|QA|NA|SA|P|DMS|DD|GRA|GON|RAD)[ \t]*\r?$", re.MULTILINE)
_TABLE = re.compile(r"^\s*[\"']?(?:no|course|call)[\"']?[ \t]*[,;\t].*\b(?:bearing|direction)\b", re.IGNORECASE)


def read_text(path: str) -> str:
    """The text of a file in UTF-8, with or without byte order mark, or Windows-1252; line ends as they are.

    Raises `InputError` where it cannot be read or is no text.
    """
    name = Path(path).name
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise InputError(f"{name} is larger than any description. Give the text of one boundary.")
        raw = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read ({error.strerror or error}). Check its name and place.") from error
    if b"\0" in raw:
        raise InputError(f"{name} is no plain text. Save the description as a text file in UTF-8.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def other_form(text: str) -> str:
    """Why a file of courses is not read as a description, in one sentence; empty where it may be one.

    Its codes would be taken for words and its columns for one another, so it is refused whole.
    """
    if _ESRI.search(text):
        return "This is an Esri traverse file, not a description: write its courses as N 45°00'00\" W, 100 feet."
    if _TABLE.match(text.lstrip("\ufeff")):
        return "This is a table of courses, not a description: write each line as N 45°00'00\" W, 100 feet."
    return ""
