"""Tables, small layers and the petition from their files: nothing is guessed, every refusal says what to do."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .columns import data_and_mask, decode, masked
from .model import InputError, Layer, Table
from .vector import Batch, VectorFile, shapes_of

if TYPE_CHECKING:
    from .model import Column

SEPARATORS = (",", ";", "\t")
MOST_LINES = 20
"""How many problems of one file are told one by one."""


def several(problems: list[str]) -> InputError:
    """The refusal for these problems of one file, at most `MOST_LINES` of them and the number of the rest."""
    more = len(problems) - MOST_LINES
    return InputError(*problems[:MOST_LINES], *([f"… and {more} more."] if more > 0 else []))


def read_table(path: str) -> Table:
    """A CSV file of UTF-8 or Windows text, parted by comma, semicolon or tab as its heading is.

    Cells are trimmed, blank rows left out. Raises `InputError` for a file that is missing or no such table, columns of
    one name, and rows with more or fewer cells than the heading.
    """
    source = Path(path).name
    text = _text(path, source)
    records = _records(text, source)
    heading = next(((number, cells) for number, cells in records if any(cells)), None)
    if heading is None:
        raise InputError(f"{source} is empty. Its first row must hold the names of the columns.")
    start, columns = heading
    problems = [
        f"{source} row {start}: two columns are called “{name}”. Rename or remove one." for name in _twice(columns)
    ]
    rows = [(number, cells) for number, cells in records if number > start and any(cells)]
    for number, cells in rows:
        if len(cells) != len(columns):
            problems.append(
                f"{source} row {number} has {len(cells)} cells, the heading has {len(columns)}."
                " Put cells that hold a separator in quotation marks."
            )
    if problems:
        raise several(problems)
    return Table(source, tuple(columns), tuple(tuple(cells) for _, cells in rows), tuple(number for number, _ in rows))


def read_layer(spec: str, role: str) -> Layer:
    """The layer `F[|layer]` read whole; `role` says what it is wanted for ("towns", "territory", …).

    Text fields become object arrays of `str | None`, numbers arrays masked where a value is missing. Raises
    `InputError` for a file or layer that is missing, cannot be read, or holds nothing.
    """
    file = VectorFile(spec)
    with file.held():
        batches = file.batches(file.fields, geometry=True)
        found = sum(len(batch.fids) for batch in batches)
        file.refuse_loss(found)
    if not found:
        raise InputError(f"{file.source} is empty: the layer for {role.replace('_', ' ')} holds no rows.")
    order = np.argsort(np.concatenate([batch.fids for batch in batches]), kind="stable")
    columns = {name: _plain_column(joined(batches, name))[order] for name in file.fields}
    wkb = [raw for batch in batches for raw in batch.wkb or ()]
    return Layer(file.source, file.crs, columns, shapes_of(wkb)[order])


def read_petition(path: str) -> Mapping[str, Any]:
    """The object in a JSON file; `petition.petition` gives it its meaning. Raises `InputError` where it is none."""
    source = Path(path).name
    try:
        data = json.loads(_text(path, source), object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{source} line {error.lineno} column {error.colno} is not JSON: {error.msg}. Correct it."
        ) from None
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None
    if not isinstance(data, dict):
        raise InputError(f"{source} must hold one object in braces.")
    return data


def joined(batches: list[Batch], name: str) -> Column:
    """One field of all batches, masked where a value is missing in any."""
    parts = [data_and_mask(batch.columns[name]) for batch in batches]
    return masked(np.concatenate([data for data, _ in parts]), np.concatenate([mask for _, mask in parts]))


def _plain_column(values: Column) -> Column:
    """Text as an object array with None where it is missing; numbers as they are."""
    if values.dtype.kind in "iufb":
        return values
    data, mask = data_and_mask(values)
    cells = np.empty(len(values), dtype=object)
    cells[:] = [_cell(cell, hidden) for cell, hidden in zip(data.tolist(), mask.tolist())]
    return cells


def _cell(cell: Any, missing: bool) -> Optional[str]:
    if missing or cell is None:
        return None
    return decode(cell) if isinstance(cell, bytes) else str(cell)


def _text(path: str, source: str) -> str:
    try:
        raw = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {source}. Check the name and the folder.") from None
    except IsADirectoryError:
        raise InputError(f"{source} is a folder. Name a file in it.") from None
    except PermissionError:
        raise InputError(
            f"{source} cannot be opened: no permission, or another program holds it. Close it there."
        ) from None
    except OSError:
        raise InputError(f"{source} cannot be read from its disk. Copy it to this computer and try again.") from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in raw:
        raise InputError(f"{source} is not text in UTF-8. Save it as CSV UTF-8 and give that file.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            return raw.decode("cp1252")
        except UnicodeDecodeError:
            raise InputError(f"{source} is not text in UTF-8. Save it as CSV UTF-8 and give that file.") from None


def _records(text: str, source: str) -> list[tuple[int, list[str]]]:
    """The rows as a person counts them in a spreadsheet, the first line being 1, with trimmed cells."""
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    records: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            records.append((len(records) + 1, [cell.strip() for cell in cells]))
    except csv.Error:
        number = len(records) + 1
        raise InputError(
            f"{source} row {number}: a quotation mark is not closed or stands inside a cell. Double it."
        ) from None
    return records


def _separator(text: str) -> str:
    """The separator that stands most often in the first line with anything in it, outside quotation marks."""
    line = next((line for line in text.splitlines() if line.strip(" \t,;")), "")
    outside = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=outside.count)


def _twice(columns: list[str]) -> list[str]:
    folded = [name.casefold() for name in columns]
    return [name for place, name in enumerate(columns) if name and folded[place] in folded[:place]]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"the key “{twice}” stands twice. Keep one.")
    return data


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON. Give a number.")
