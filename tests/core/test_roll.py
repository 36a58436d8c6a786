"""Every row counted once: keys, repeated rows, and what the roll says of a few keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core.model import FieldMap, InputError
from village_petition.core.parcel_source import MemoryParcels
from village_petition.core.roll import (
    DIFFER,
    MISSING,
    OK,
    UNREADABLE,
    RollEntries,
    find_keys,
    land_known,
    read_entries,
    read_roll,
)
from village_petition.core.schema import LOGICAL

FIELDS = FieldMap("test", {name: name.upper() for name in LOGICAL if name != "sbl"} | {"parcel_addr": "ADDR"})
BLANK: dict[str, Any] = {
    "SWIS": "065800",
    "PRINT_KEY": "",
    "TOTAL_AV": None,
    "LAND_AV": None,
    "ROLL_SECTION": "1",
    "ROLL_YR": 2022.0,
    "PROP_CLASS": "210",
    "PRIMARY_OWNER": None,
    "ADD_OWNER": None,
    "ADDR": None,
}


def parcels(rows: Sequence[dict[str, Any]], stored: str = "object") -> MemoryParcels:
    """Rows as a source; "bytes" stores the keys as a file's columns come."""
    columns: dict[str, Any] = {}
    for name in BLANK:
        cells = [row.get(name, BLANK[name]) for row in rows]
        if stored == "bytes" and name in ("SWIS", "PRINT_KEY"):
            raw = [("" if cell is None else str(cell)).encode() for cell in cells]
            columns[name] = np.ma.MaskedArray(np.array(raw, dtype="S"), [cell is None for cell in cells])
        else:
            columns[name] = np.empty(len(cells), dtype=object)
            columns[name][:] = cells
    return MemoryParcels("p.gpkg", "EPSG:2262", columns, np.full(len(rows), None, dtype=object))


def entries(rows: Sequence[dict[str, Any]]) -> RollEntries:
    source = parcels(rows)
    roll = read_roll(source, FIELDS)
    return read_entries(source, FIELDS, roll, np.arange(roll.keys))


# All rows


@pytest.mark.parametrize("stored", ["object", "bytes"])
def test_rows_keys_and_totals(stored: str) -> None:
    source = parcels(
        [
            {"PRINT_KEY": "12.-1-3", "TOTAL_AV": 100},
            {"PRINT_KEY": " 12.-1-3 ", "TOTAL_AV": 100},
            {"PRINT_KEY": "12.-1-3", "TOTAL_AV": 7, "SWIS": "066800"},
            {"PRINT_KEY": "12.-1-3", "TOTAL_AV": 8, "SWIS": 66800},
            {"PRINT_KEY": None, "TOTAL_AV": 9},
            {"PRINT_KEY": "45", "TOTAL_AV": "x"},
            {"PRINT_KEY": "0045", "TOTAL_AV": None},
            {"PRINT_KEY": "45", "TOTAL_AV": 1, "SWIS": None},
            {"PRINT_KEY": "Ñ 1", "TOTAL_AV": 5},
        ],
        stored,
    )
    roll = read_roll(source, FIELDS)
    assert (roll.rows, roll.keys, roll.merged_rows, roll.without_key) == (9, 5, 2, 2)
    assert roll.row_key.tolist() == [0, 0, 1, 1, -1, 2, 3, -1, 4]
    assert roll.first_row.tolist() == [0, 2, 5, 6, 8]
    assert roll.row_count.tolist() == [2, 2, 1, 1, 1]
    assert roll.total.tolist() == [100, 7, 0, 0, 5]
    assert roll.total_state.tolist() == [OK, OK, UNREADABLE, MISSING, OK]
    assert roll.rows_of(np.array([3, 0])).tolist() == [0, 1, 6]
    assert roll.rows_of(np.array([], dtype=np.int64)).tolist() == []
    keys = [("065800", "Ñ 1"), ("066800", "12.-1-3"), ("065800", "46"), ("067000", "45"), ("065800", "")]
    assert roll.codes_of(keys).tolist() == [4, 1, -1, -1, -1]
    assert roll.codes_of([("065800", "45" * 40)]).tolist() == [-1]
    assert find_keys(source, FIELDS, roll, set(keys)) == {("065800", "Ñ 1"): 4, ("066800", "12.-1-3"): 1}
    assert find_keys(source, FIELDS, roll, set()) == {}


def test_keys_by_sbl_and_by_numbers() -> None:
    fields = FieldMap("test", {"swis": "S", "sbl": "B", "total_av": "T"})
    columns = {"S": np.array([503689, 10100, 10100]), "B": np.array([7, 7, 7]), "T": np.array([1, 2, 2])}
    source = MemoryParcels("p", "", columns, np.full(3, None, dtype=object))
    roll = read_roll(source, fields)
    assert roll.row_key.tolist() == [0, 1, 1]
    found = read_entries(source, fields, roll, np.array([0, 1]))
    assert list(zip(found.swis, found.print_key, found.total)) == [("010100", "7", 2), ("503689", "7", 1)]
    assert found.roll_section.tolist() == found.primary_owner.tolist() == ["", ""]
    assert found.land_state.tolist() == [MISSING, MISSING]
    assert land_known(source, fields, found) is False


TEXTS = st.sampled_from(["1", "1 ", "01", " 1", "", "12.-1-3", "12.-1-30", "12.-1-3\u00a0", "Ñ", "a" * 9, "a" * 30])
ROWS = st.lists(
    st.tuples(st.sampled_from(["065800", "65800", " 65800", "066800", ""]), TEXTS, st.integers(0, 9)),
    min_size=1,
    max_size=40,
)


@given(ROWS, st.sampled_from(["object", "bytes"]), st.randoms(use_true_random=False))
def test_grouping_is_that_of_the_plain_way_in_any_order(
    rows: list[tuple[str, str, int]], stored: str, random: Any
) -> None:
    random.shuffle(rows)
    source = parcels([{"SWIS": swis, "PRINT_KEY": key, "TOTAL_AV": total} for swis, key, total in rows], stored)
    roll = read_roll(source, FIELDS)
    groups: dict[tuple[str, str], list[int]] = {}
    for row, (swis, key, _) in enumerate(rows):
        if swis.strip() and key.strip():
            groups.setdefault((swis.strip().zfill(6), key.strip()), []).append(row)
    assert roll.rows == len(rows)
    assert roll.keys == len(groups)
    assert roll.first_row.tolist() == [group[0] for group in groups.values()]
    assert roll.row_count.tolist() == [len(group) for group in groups.values()]
    assert roll.total.tolist() == [rows[group[0]][2] for group in groups.values()]
    assert roll.rows == roll.keys + roll.merged_rows + roll.without_key
    for code, group in enumerate(groups.values()):
        assert roll.rows_of(np.array([code])).tolist() == group
    assert find_keys(source, FIELDS, roll, set(groups)) == {key: code for code, key in enumerate(groups)}


# Refusals


def test_a_layer_without_rows_is_refused() -> None:
    with pytest.raises(InputError, match=r"^p.gpkg is empty: it holds no parcels. Give the layer of the tax parcels.$"):
        read_roll(parcels([]), FIELDS)


def test_a_column_in_which_nothing_can_be_read_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        read_roll(parcels([{"PRINT_KEY": "1", "TOTAL_AV": None}, {"PRINT_KEY": "2", "TOTAL_AV": "95.000"}]), FIELDS)
    assert refused.value.problems == (
        "p.gpkg: no value of the field “TOTAL_AV” can be read as dollars, for instance “95.000”."
        " Choose another field, or give whole dollars such as 95000.",
    )
    with pytest.raises(InputError) as refused:
        read_roll(parcels([{"PRINT_KEY": "1"}, {"PRINT_KEY": "2"}]), FIELDS)
    assert refused.value.problems == (
        "p.gpkg: the field “TOTAL_AV” has no value in any of its 2 rows. Choose another field.",
    )


# A few keys


def test_entries_are_sorted_by_key_and_complete() -> None:
    found = entries(
        [
            {"SWIS": "066800", "PRINT_KEY": "1", "TOTAL_AV": "$95,000", "LAND_AV": 5000, "PRIMARY_OWNER": " ANN "},
            {"PRINT_KEY": "9", "TOTAL_AV": 1, "LAND_AV": "?", "ADD_OWNER": "BOB", "ADDR": "1 ELM ST"},
            {"PRINT_KEY": "10", "TOTAL_AV": "1250.50", "ROLL_YR": "2021", "ROLL_SECTION": 8, "PROP_CLASS": "210C"},
        ]
    )
    assert found.codes.tolist() == [2, 1, 0]
    assert list(zip(found.swis, found.print_key)) == [("065800", "10"), ("065800", "9"), ("066800", "1")]
    assert found.total.tolist() == [0, 1, 95000]
    assert found.total_state.tolist() == [UNREADABLE, OK, OK]
    assert found.total_text.tolist() == ["1250.50", "", ""]
    assert found.land.tolist() == [0, 0, 5000]
    assert found.land_state.tolist() == [MISSING, UNREADABLE, OK]
    assert found.land_text.tolist() == ["", "?", ""]
    assert found.roll_section.tolist() == ["8", "1", "1"]
    assert found.roll_year.tolist() == ["2021", "2022", "2022"]
    assert found.prop_class.tolist() == ["210C", "210", "210"]
    assert found.primary_owner.tolist() == ["", "", "ANN"]
    assert found.add_owner.tolist() == ["", "BOB", ""]
    assert found.address.tolist() == ["", "1 ELM ST", ""]
    assert found.row_count.tolist() == [1, 1, 1]
    assert found.differs.tolist() == [False, False, False]


SAME = {"PRINT_KEY": "1", "TOTAL_AV": 100, "LAND_AV": 40, "PRIMARY_OWNER": "ANN", "ADD_OWNER": "BOB"}


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"TOTAL_AV": "$100", "LAND_AV": 40.0},
        {"PRIMARY_OWNER": "ann ", "ADD_OWNER": "Bob"},
        {"PRIMARY_OWNER": "BOB", "ADD_OWNER": "ANN"},
        {"PROP_CLASS": "311", "ADDR": "elsewhere"},
        {"ROLL_YR": "2022"},
    ],
)
def test_rows_that_agree_are_one_parcel(other: dict[str, Any]) -> None:
    found = entries([SAME, {**SAME, **other}])
    assert (found.row_count.tolist(), found.differs.tolist()) == ([2], [False])
    assert (found.total.tolist(), found.total_state.tolist()) == ([100], [OK])


@pytest.mark.parametrize(
    "other",
    [
        {"TOTAL_AV": 101},
        {"TOTAL_AV": None},
        {"LAND_AV": 41},
        {"LAND_AV": None},
        {"ROLL_SECTION": "8"},
        {"ROLL_YR": 2021},
        {"PRIMARY_OWNER": "ANNE"},
        {"ADD_OWNER": None},
    ],
)
def test_rows_that_differ_have_no_value(other: dict[str, Any]) -> None:
    found = entries([SAME, {**SAME, **other}, {**SAME, "PRINT_KEY": "2"}])
    assert found.row_count.tolist() == [2, 1]
    assert found.differs.tolist() == [True, False]
    assert found.total.tolist() == [0, 100]
    assert found.total_state.tolist() == [DIFFER, OK]


def test_what_is_shown_of_repeated_rows_does_not_depend_on_their_order() -> None:
    rows = [{**SAME, "ADDR": "2 B ST"}, {**SAME, "ADDR": "1 A ST", "PROP_CLASS": "311"}, {**SAME, "ADDR": "3 C ST"}]
    shown = {(found.address[0], found.prop_class[0]) for found in (entries(rows), entries(rows[::-1]))}
    assert shown == {("1 A ST", "311")}


def test_no_keys_at_all() -> None:
    source = parcels([SAME])
    found = read_entries(source, FIELDS, read_roll(source, FIELDS), np.empty(0, dtype=np.int64))
    assert len(found.codes) == len(found.swis) == len(found.total_state) == 0


# Land


def test_land_is_known_where_any_row_of_the_layer_has_some() -> None:
    def known(*lands: Any) -> bool:
        rows = [{"PRINT_KEY": str(row), "TOTAL_AV": 1, "LAND_AV": land} for row, land in enumerate(lands)]
        source = parcels(rows)
        roll = read_roll(source, FIELDS)
        return land_known(source, FIELDS, read_entries(source, FIELDS, roll, np.array([0])))

    assert known(5, 0) is True
    assert known(0, 5) is True
    assert known(0, 0) is False
    assert known(None, None) is False
    assert known("?", 0) is False
    with pytest.raises(
        InputError, match="p.gpkg: no value of the field “LAND_AV” can be read as dollars, for instance “"
    ):
        known("?", None)
