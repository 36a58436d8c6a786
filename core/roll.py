"""Roll rows and parcel keys (rule 3): every row is counted, few are read in full.

One pass over all rows reads nothing but key and total, without a Python object a row; the other columns are read
for the few keys that matter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import pandas as pd

from .columns import (
    MISSING,
    OK,
    UNREADABLE,
    data_and_mask,
    distinct_cells,
    factorize_words,
    key_column,
    money_column,
    swis_column,
    swis_of,
    text_column,
    text_of,
    words_of,
)
from .model import FieldMap, InputError, ParcelKey, ParcelSource
from .schema import fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .model import Column, Rows

    Texts = NDArray[np.object_]

__all__ = ["DIFFER", "MISSING", "OK", "UNREADABLE", "Roll", "RollEntries", "find_keys", "land_known", "read_entries"]
__all__ += ["read_roll"]

DIFFER = 3
"""The state of a total whose rows differ in what makes them one parcel."""

_SPACE = 32
_ASCII = 128


@dataclass(frozen=True)
class Roll:
    """All rows by their keys. Keys are coded from 0 in the order of their first rows.

    `row_key` is the code of each row's key, −1 without one; `first_row`, `row_count`, `total` (dollars) and
    `total_state` are one a key, the latter two of its first row.
    """

    rows: int
    row_key: Rows
    keys: int
    first_row: Rows
    row_count: Rows
    total: NDArray[np.int64]
    total_state: NDArray[np.uint8]
    merged_rows: int
    without_key: int
    _finder: KeyFinder = field(repr=False)

    def rows_of(self, codes: Rows) -> Rows:
        """All rows of these keys, ascending."""
        chosen = np.zeros(self.keys + 1, dtype=bool)
        chosen[codes] = True
        chosen[-1] = False
        return np.flatnonzero(chosen[self.row_key])

    def codes_of(self, keys: Sequence[ParcelKey]) -> Rows:
        """The codes of these keys, −1 for a key that no row has."""
        return self._finder.codes_of(keys)


@dataclass(frozen=True)
class RollEntries:
    """What the roll says of some keys, sorted by SWIS and print key, arrays parallel; text is "" where missing.

    `total` and `land` are whole dollars, 0 unless their state is OK; `total_text` and `land_text` hold the cells of
    those that cannot be read. Where the rows of a key differ in total, land, section, year or owners, `differs` is
    set, the total's state is DIFFER, and the section, the year or the owners in which they differ are "": which of
    them is right is nobody's guess.
    """

    codes: Rows
    swis: Texts
    print_key: Texts
    total: NDArray[np.int64]
    total_state: NDArray[np.uint8]
    total_text: Texts
    land: NDArray[np.int64]
    land_state: NDArray[np.uint8]
    land_text: Texts
    roll_section: Texts
    prop_class: Texts
    roll_year: Texts
    address: Texts
    primary_owner: Texts
    add_owner: Texts
    row_count: Rows
    differs: NDArray[np.bool_]

    def taken(self, positions: Rows) -> RollEntries:
        """The entries at some positions, in the order of these."""
        return RollEntries(*(getattr(self, name)[positions] for name in self.__dataclass_fields__))


def read_roll(source: ParcelSource, fields: FieldMap) -> Roll:
    """Key and total of every row (rule 3).

    Raises `InputError` for a layer without rows and for one in which no total can be read (rule 1).
    """
    swis_field, key_field, total_field = _field(fields, "swis"), key_field_of(fields), _field(fields, "total_av")
    columns = source.columns(list(dict.fromkeys((swis_field, key_field, total_field))))
    rows = len(source)
    if not rows:
        raise InputError(f"{source.source} is empty: it holds no parcels. Give the layer of the tax parcels.")
    dollars, states = money_column(columns[total_field])
    if not (states == OK).any():
        raise InputError(_no_value(source.source, total_field, columns[total_field], states))
    swis_codes, swis = _swis_codes(columns[swis_field])
    row_key, first, finder = _keys(swis_codes, swis, columns[key_field])
    count = np.bincount(row_key[row_key >= 0], minlength=len(first)).astype(np.int64)
    keyed = int(count.sum())
    return Roll(
        rows=rows,
        row_key=row_key,
        keys=len(first),
        first_row=first,
        row_count=count,
        total=dollars[first],
        total_state=states[first],
        merged_rows=keyed - len(first),
        without_key=rows - keyed,
        _finder=finder,
    )


def read_entries(source: ParcelSource, fields: FieldMap, roll: Roll, codes: Rows) -> RollEntries:
    """Everything that the roll says of these keys.

    Of several rows that agree the least in text is shown, so that their order does not matter.
    """
    codes = np.unique(codes).astype(np.int64)
    rows = roll.rows_of(codes)
    columns = _entry_columns(source, fields, rows)
    group = np.searchsorted(codes, roll.row_key[rows])
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(codes)))
    shown = order[starts] if len(codes) else order
    differs = np.zeros(len(codes), dtype=bool)
    for place in np.flatnonzero(roll.row_count[codes] > 1).tolist():
        same_key = order[starts[place] : starts[place] + int(roll.row_count[codes[place]])].tolist()
        shown[place] = min(same_key, key=lambda row: _shown(columns, row))
        facts = {_facts(columns, row) for row in same_key}
        if len(facts) > 1:
            differs[place] = True
            _blank_differing(columns, shown[place], facts)
    by_key = np.array(
        sorted(range(len(codes)), key=list(zip(columns["swis"][shown], columns["print_key"][shown])).__getitem__),
        dtype=np.int64,
    )
    taken = {name: column[shown[by_key]] for name, column in columns.items()}
    differs = differs[by_key]
    taken["total_state"] = np.where(differs, DIFFER, taken["total_state"]).astype(np.uint8)
    taken["total"] = np.where(differs, 0, taken["total"])
    return RollEntries(codes=codes[by_key], row_count=roll.row_count[codes[by_key]], differs=differs, **taken)


def land_known(source: ParcelSource, fields: FieldMap, entries: RollEntries) -> bool:
    """Whether any row of the layer has a land value above 0, without which 0 means unknown (rule 10).

    All rows are read only where `entries` do not settle it. Raises `InputError` for a column of land values that holds
    something but nothing that can be read (rule 1).
    """
    name = fields.get("land_av")
    if name is None:
        return False
    if bool((entries.land > 0).any()):
        return True
    column = source.columns([name])[name]
    dollars, states = money_column(column)
    if (states == UNREADABLE).any() and not (states == OK).any():
        raise InputError(_no_value(source.source, name, column, states))
    return bool((dollars > 0).any())


def find_keys(source: ParcelSource, fields: FieldMap, roll: Roll, keys: Collection[ParcelKey]) -> dict[ParcelKey, int]:
    """The codes of those of `keys` that some row has, in the order of the keys."""
    wanted = sorted(keys)
    codes = roll.codes_of(wanted)
    return {key: code for key, code in zip(wanted, codes.tolist()) if code >= 0}


def key_field_of(fields: FieldMap) -> str:
    """The field that, with SWIS, tells parcels apart: print key, else SBL."""
    return fields.get("print_key") or _field(fields, "sbl")


class KeyFinder:
    """Finds the code of a key given as text, among keys held as numbers of SWIS and words of their bytes."""

    def __init__(self, swis: Sequence[str], swis_codes: Rows, words: NDArray[np.uint64]) -> None:
        """One row of `words` and one of `swis_codes`, which count in `swis`, for each key."""
        self._swis = {code: place for place, code in enumerate(swis)}
        self._found: dict[ParcelKey, int] = {}
        self._rows = _with_swis(words, swis_codes)

    def codes_of(self, keys: Sequence[ParcelKey]) -> Rows:
        """The codes of these keys, −1 for a key that is not among them."""
        known = self._found
        asked = [key for key in keys if key not in known]
        if asked:
            known.update(zip(asked, self._search(asked).tolist()))
        return np.array([known[key] for key in keys], dtype=np.int64)

    def _search(self, keys: Sequence[ParcelKey]) -> Rows:
        found: Rows = np.full(len(keys), -1, dtype=np.int64)
        width = (self._rows.shape[1] - 1) * 8
        raw = [print_key.encode("utf-8") for _, print_key in keys]
        fits = [place for place in range(len(keys)) if keys[place][0] in self._swis and 0 < len(raw[place]) <= width]
        if not fits or not len(self._rows):
            return found
        words = words_of(np.array([raw[place] for place in fits], dtype=f"S{width}"))
        wanted = _with_swis(words, np.array([self._swis[keys[place][0]] for place in fits], dtype=np.int64))
        # Keys are numbered by their first rows and stand first, so a wanted key takes the number of the one it equals.
        codes, _ = factorize_words(np.concatenate([self._rows, wanted]))
        matched = codes[len(self._rows) :]
        found[fits] = np.where(matched < len(self._rows), matched, -1)
        return found


def _keys(swis_codes: Rows, swis: list[str], column: Column) -> tuple[Rows, Rows, KeyFinder]:
    """The key code of each row, the first row of each key, and the finder."""
    words = _key_words(column)
    has_key = (swis_codes >= 0) & (words[:, 0] != 0)
    rows = np.flatnonzero(has_key)
    codes, first = factorize_words(_with_swis(words[rows], swis_codes[rows]))
    row_key: Rows = np.full(len(words), -1, dtype=np.int64)
    row_key[rows] = codes
    first_row = rows[first] if len(rows) else rows
    return row_key, first_row, KeyFinder(swis, swis_codes[first_row], words[first_row])


def _with_swis(words: NDArray[np.uint64], swis_codes: Rows) -> NDArray[np.uint64]:
    return np.column_stack([words, swis_codes.astype(np.uint64)])


def _key_words(column: Column) -> NDArray[np.uint64]:
    """The trimmed keys as words of their UTF-8 bytes; a missing key is all zero."""
    data, mask = data_and_mask(column)
    if data.dtype.kind != "S":
        codes, distinct = distinct_cells(column)
        texts = np.array([text_of(cell).encode("utf-8") for cell in distinct] + [b""])
        return words_of(texts)[codes]
    if data.dtype.itemsize == 0:
        return np.zeros((len(data), 1), dtype=np.uint64)
    cells = np.ascontiguousarray(data).view(np.uint8).reshape(len(data), data.dtype.itemsize)
    # Keys hold neither spaces nor letters beyond ASCII as a rule; the few that do are trimmed and decoded one by one.
    odd = ((cells <= _SPACE) & (cells > 0)).any(axis=1) | (cells >= _ASCII).any(axis=1)
    if odd.any():
        trimmed = np.array([text_of(cell).encode("utf-8") for cell in data[odd].tolist()])
        data = data.astype(np.promote_types(data.dtype, trimmed.dtype))
        data[odd] = trimmed
    words = words_of(data)
    if mask.any():
        words[mask] = 0
    return words


def _swis_codes(column: Column) -> tuple[Rows, list[str]]:
    """The number of each row's SWIS among the distinct ones, −1 where it is missing, and these in six digits."""
    codes, distinct = distinct_cells(column)
    texts = [swis_of(cell) for cell in distinct]
    places, uniques = pd.factorize(np.array([*texts, ""], dtype=object))
    known = [str(text) for text in uniques]
    blank = known.index("")
    table = np.where(places == blank, -1, places).astype(np.int64)
    return table[codes], known


def _entry_columns(source: ParcelSource, fields: FieldMap, rows: Rows) -> dict[str, Any]:
    names = {logical: fields.get(logical) for logical in fields.fields}
    wanted = [name for logical, name in names.items() if name and (logical != "sbl" or name == key_field_of(fields))]
    raw = source.columns(list(dict.fromkeys(wanted)), rows)

    def text(logical: str) -> Texts:
        name = names.get(logical)
        return text_column(raw[name]) if name else np.full(len(rows), "", dtype=object)

    columns: dict[str, Any] = {
        "swis": swis_column(raw[_field(fields, "swis")]),
        "print_key": key_column(raw[key_field_of(fields)]),
        "roll_section": text("roll_section"),
        "prop_class": text("prop_class"),
        "roll_year": text("roll_yr"),
        "address": text("parcel_addr"),
        "primary_owner": text("primary_owner"),
        "add_owner": text("add_owner"),
    }
    for name, logical in (("total", "total_av"), ("land", "land_av")):
        column = raw[names[logical] or ""] if names.get(logical) else None
        columns[name], columns[f"{name}_state"], columns[f"{name}_text"] = _money(column, len(rows))
    return columns


def _money(column: Optional[Column], rows: int) -> tuple[NDArray[np.int64], NDArray[np.uint8], Texts]:
    texts: Texts = np.full(rows, "", dtype=object)
    if column is None:
        return np.zeros(rows, dtype=np.int64), np.full(rows, MISSING, dtype=np.uint8), texts
    dollars, states = money_column(column)
    unreadable = states == UNREADABLE
    if unreadable.any():
        texts[unreadable] = text_column(column[unreadable])
    return dollars, states, texts


def _facts(columns: dict[str, Any], row: int) -> tuple[Any, ...]:
    """What must agree for rows of one key to be one parcel (rule 3); owners in any order, names folded."""
    owners = sorted(filter(None, (fold(columns[name][row]) for name in ("primary_owner", "add_owner"))))
    money = tuple(
        columns[name][row] for name in ("total", "total_state", "total_text", "land", "land_state", "land_text")
    )
    return (*money, columns["roll_section"][row], columns["roll_year"][row], tuple(owners))


def _blank_differing(columns: dict[str, Any], row: int, facts: set[tuple[Any, ...]]) -> None:
    """Take out of a row the section, the year and the owners in which the rows of its key differ."""
    for place, names in ((-3, ("roll_section",)), (-2, ("roll_year",)), (-1, ("primary_owner", "add_owner"))):
        if len({fact[place] for fact in facts}) > 1:
            for name in names:
                columns[name][row] = ""


def _shown(columns: dict[str, Any], row: int) -> tuple[str, ...]:
    return tuple(str(columns[name][row]) for name in sorted(columns))


def _field(fields: FieldMap, logical: str) -> str:
    name = fields.get(logical)
    if name is None:
        raise InputError(f"No field is known for {logical}. Name it with --field {logical}=….")
    return name


def _no_value(source: str, name: str, column: Column, states: NDArray[np.uint8]) -> str:
    unreadable = np.flatnonzero(states == UNREADABLE)
    if not len(unreadable):
        return f"{source}: the field “{name}” has no value in any of its {len(states):,} rows. Choose another field."
    example = text_column(column[unreadable[:1]])[0]
    return (
        f"{source}: no value of the field “{name}” can be read as dollars, for instance “{example}”."
        " Choose another field, or give whole dollars such as 95000."
    )
