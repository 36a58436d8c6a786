"""Columns of a layer as text, keys and dollars: vectorised, exact, with missing kept apart from 0."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Texts = NDArray[np.object_]
    Codes = NDArray[np.int64]
    Words = NDArray[np.uint64]

OK, MISSING, UNREADABLE = 0, 1, 2
"""What became of a money cell."""

SWIS_DIGITS = 6
MOST_DOLLARS = 10**15
"""Above this a double no longer holds every dollar, and no roll comes near it."""

_MONEY = re.compile(r"\$?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.00)?")
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def parse_money(text: str) -> Optional[int]:
    """Whole dollars of a US money form (`1,250,000`, `$95,000`, `1250000.00`), None where it is blank (rule 1).

    Raises ValueError for anything else, cents and negative amounts included.
    """
    stripped = text.strip()
    if not stripped:
        return None
    if not _MONEY.fullmatch(stripped):
        raise ValueError(f"“{stripped}” is not an amount in whole dollars")
    dollars = int(stripped.lstrip("$").split(".")[0].replace(",", ""))
    if dollars > MOST_DOLLARS:
        raise ValueError(f"“{stripped}” is more than any roll holds")
    return dollars


def text_of(value: Any) -> str:
    """A cell as trimmed text, "" where it is missing; a whole number without a decimal point."""
    if type(value) is str:
        return value.strip()
    if value is None or value is pd.NA or value is pd.NaT or value is np.ma.masked:
        return ""
    if isinstance(value, bytes):
        return decode(value).strip()
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if math.isnan(number):
            return ""
        return str(int(number)) if number.is_integer() else repr(number)
    return str(value).strip()


def decode(raw: bytes) -> str:
    """Text of a stored cell: UTF-8, and Latin-1 where it is none, which is what old shapefiles hold."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def swis_of(value: Any) -> str:
    """A SWIS in six digits, from text or a number that lost its leading zeros; other text as it is."""
    text = text_of(value)
    return text.zfill(SWIS_DIGITS) if text.isascii() and text.isdigit() else text


def is_swis(text: str) -> bool:
    """Whether a person may have meant this as a SWIS: six digits, or five where the first was a zero that got lost."""
    return text.isascii() and text.isdigit() and len(text) in (SWIS_DIGITS - 1, SWIS_DIGITS)


def text_column(values: Any) -> Texts:
    """Trimmed text of every cell, "" where it is missing."""
    return _by_distinct(values, text_of)


def key_column(values: Any) -> Texts:
    """Print keys or SBLs as trimmed text, "" where they are missing; nothing else of them is changed."""
    return _by_distinct(values, text_of)


def swis_column(values: Any) -> Texts:
    """SWIS codes as text of six digits, "" where they are missing."""
    return _by_distinct(values, swis_of)


def money_column(values: Any) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Whole dollars (0 unless readable) and the state of every cell: OK, MISSING or UNREADABLE (rule 1)."""
    data, mask = data_and_mask(values)
    if data.dtype.kind in "iu":
        return _money_of_integers(data, mask)
    if data.dtype.kind == "f":
        return _money_of_floats(data, mask)
    codes, distinct = distinct_cells(values)
    dollars = np.zeros(len(distinct) + 1, dtype=np.int64)
    states = np.full(len(distinct) + 1, MISSING, dtype=np.uint8)
    for place, cell in enumerate(distinct):
        dollars[place], states[place] = _money_of_cell(cell)
    return dollars[codes], states[codes]


def distinct_cells(values: Any) -> tuple[Codes, list[Any]]:
    """The code of every cell and the distinct cells in order of appearance; −1 for a missing cell."""
    data, mask = data_and_mask(values)
    if data.dtype.kind == "S":
        codes, first = factorize_words(words_of(data))
        distinct = data[first].tolist()
    else:
        cells = data.astype(object) if data.dtype.kind in "OU" else data
        codes, uniques = pd.factorize(cells)
        codes, distinct = codes.astype(np.int64), list(uniques)
    if mask.any():
        codes = np.where(mask, -1, codes)
    return codes, distinct


def words_of(data: NDArray[Any]) -> Words:
    """The bytes of each cell as rows of 64-bit words, padded with zero bytes."""
    count, width = len(data), max(data.dtype.itemsize, 1)
    whole = -(-width // 8) * 8
    padded = np.zeros((count, whole), dtype=np.uint8)
    if data.dtype.itemsize:
        padded[:, :width] = np.ascontiguousarray(data).view(np.uint8).reshape(count, width)
    return padded.view(np.uint64)


def factorize_words(words: Words) -> tuple[Codes, Codes]:
    """The code of every row of words and the first row of each code, by order of appearance.

    Rows are compared by a mixed word and then verified in full, so that equal codes mean equal rows.
    """
    mixed = words[:, 0]
    for column in range(1, words.shape[1]):
        mixed = (mixed ^ (mixed >> _SHIFT)) * _MIX ^ words[:, column]
    codes, uniques = pd.factorize(mixed)
    codes = codes.astype(np.int64, copy=False)
    first = first_rows(codes, len(uniques))
    if words.shape[1] > 1 and not np.array_equal(words, words[first[codes]]):
        return _factorize_exactly(words)
    return codes, first


def first_rows(codes: Codes, count: int) -> Codes:
    """The first row of each of `count` codes; codes are not negative."""
    first = np.empty(count, dtype=np.int64)
    # Of several values for one place numpy keeps the last, which backwards is the first.
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1, dtype=np.int64)
    return first


def _factorize_exactly(words: Words) -> tuple[Codes, Codes]:
    _, first, codes = np.unique(words, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[codes.reshape(-1)], first[order].astype(np.int64)


def data_and_mask(values: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The cells of a column, and where they are masked as missing."""
    if isinstance(values, np.ma.MaskedArray):
        mask = np.broadcast_to(np.asarray(values.mask, dtype=bool), (len(values),))
        return np.asarray(values.data), mask
    data = np.asarray(values)
    return data, np.zeros(len(data), dtype=bool)


def masked(data: NDArray[Any], mask: NDArray[np.bool_]) -> NDArray[Any]:
    """A column with the cells under `mask` missing; the plain cells where none is."""
    if not mask.any():
        return data
    column: Any = np.ma
    result: NDArray[Any] = column.MaskedArray(data, mask)
    return result


def _by_distinct(values: Any, text: Callable[[Any], str]) -> Texts:
    codes, distinct = distinct_cells(values)
    texts = np.empty(len(distinct) + 1, dtype=object)
    texts[:-1] = [text(cell) for cell in _decoded(distinct)]
    texts[-1] = ""
    return texts[codes]


def _decoded(cells: list[Any]) -> list[Any]:
    """Stored bytes as text, all in one go where all are UTF-8; other cells as they are."""
    if not cells or not isinstance(cells[0], bytes):
        return cells
    try:
        texts = b"\x00".join(cells).decode("utf-8").split("\x00")
    except UnicodeDecodeError:
        texts = []
    return texts if len(texts) == len(cells) else [decode(cell) for cell in cells]


def _money_of_integers(data: NDArray[Any], mask: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    readable = (data >= 0) & (data <= MOST_DOLLARS)
    states = np.where(mask, MISSING, np.where(readable, OK, UNREADABLE)).astype(np.uint8)
    return np.where(states == OK, data, 0).astype(np.int64), states


def _money_of_floats(data: NDArray[Any], mask: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    missing = mask | np.isnan(data)
    readable = (data >= 0) & (data <= MOST_DOLLARS) & (data == np.floor(data))
    states = np.where(missing, MISSING, np.where(readable, OK, UNREADABLE)).astype(np.uint8)
    return np.where(states == OK, data, 0).astype(np.int64), states


def _money_of_cell(cell: Any) -> tuple[int, int]:
    if isinstance(cell, (bool, np.bool_)):
        return 0, UNREADABLE
    if isinstance(cell, (int, float, Decimal, np.integer, np.floating)):
        if cell != cell:
            return 0, MISSING
        if not 0 <= cell <= MOST_DOLLARS or cell != int(cell):
            return 0, UNREADABLE
        return int(cell), OK
    try:
        dollars = parse_money(text_of(cell))
    except ValueError:
        return 0, UNREADABLE
    return (0, MISSING) if dollars is None else (dollars, OK)
