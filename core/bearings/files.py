"""A description from disk."""

from __future__ import annotations

from pathlib import Path

from ..model import InputError

MOST_BYTES = 20_000_000


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
