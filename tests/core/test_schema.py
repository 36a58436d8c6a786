"""Fields by schema, dollars, keys and names."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core.columns import _factorize_exactly, factorize_words, words_of
from village_petition.core.model import InputError
from village_petition.core.schema import (
    MISSING,
    OK,
    UNREADABLE,
    detect_fields,
    detect_layer_fields,
    fold,
    key_column,
    money_column,
    parse_money,
    swis_column,
    text_column,
    town_code,
)
from village_petition.core.vector import VectorFile

NYS = (
    "COUNTY_NAME MUNI_NAME SWIS PARCEL_ADDR PRINT_KEY SBL CITYTOWN_NAME CITYTOWN_SWIS PROP_CLASS ROLL_SECTION LAND_AV"
    " TOTAL_AV FULL_MARKET_VAL ROLL_YR PRIMARY_OWNER ADD_OWNER SWIS_SBL_ID SWIS_PRINT_KEY_ID"
).split()


# Fields


def test_public_schema_is_found_whatever_the_case_and_order() -> None:
    fields = detect_fields("parcels.gpkg", [name.lower() for name in reversed(NYS)], {})
    assert fields.schema == "NYS public"
    assert dict(fields.fields) == {
        "swis": "swis",
        "print_key": "print_key",
        "sbl": "sbl",
        "total_av": "total_av",
        "land_av": "land_av",
        "roll_section": "roll_section",
        "roll_yr": "roll_yr",
        "prop_class": "prop_class",
        "primary_owner": "primary_owner",
        "add_owner": "add_owner",
        "parcel_addr": "parcel_addr",
    }


def test_shapefile_names_of_ten_characters() -> None:
    fields = detect_fields("parcels.shp", [name[:10] for name in NYS if "_ID" not in name], {})
    assert fields.schema == "NYS public, 10-character names"
    assert (fields.get("roll_section"), fields.get("primary_owner"), fields.get("parcel_addr")) == (
        "ROLL_SECTI",
        "PRIMARY_OW",
        "PARCEL_ADD",
    )


@pytest.mark.parametrize(
    ("file", "schema", "expected"),
    [
        (
            "nys_albany_rps_parcels/albany_rps_2011.gpkg",
            "RPS V4, 10-character names",
            {
                "swis": "SWIS_CODE",
                "print_key": "print_key",
                "sbl": "SBL",
                "total_av": "total_av",
                "land_av": "land_av",
                "roll_section": "roll_secti",
                "roll_yr": "roll_yr",
                "prop_class": "prop_class",
                "primary_owner": "primary_ow",
            },
        ),
        (
            "nys_tompkins_parcels/ulysses_4_parcels.gpkg",
            "Tompkins County",
            {
                "swis": "SWIS",
                "print_key": "PRINTKEY",
                "sbl": "TAXID",
                "total_av": "ASMT",
                "land_av": "LAND",
                "roll_section": "ROLLSECT",
                "roll_yr": "ROLLYEAR",
                "prop_class": "PC",
                "primary_owner": "MAILING",
                "parcel_addr": "LOCADDR",
            },
        ),
    ],
)
def test_real_county_layers(shared: Path, file: str, schema: str, expected: dict[str, str]) -> None:
    layer = VectorFile(str(shared / "data" / file))
    fields = detect_fields(layer.source, layer.fields, {})
    assert fields.schema == schema
    assert dict(fields.fields) == expected


def test_two_fields_that_fit_one_name_are_refused() -> None:
    with pytest.raises(InputError) as refused:
        detect_fields("parcels.gpkg", [*NYS, "ASMT", "total_av"], {})
    assert refused.value.problems == (
        "parcels.gpkg: the fields “TOTAL_AV” and “total_av” and “ASMT” both fit total_av."
        " Choose one with --field total_av=TOTAL_AV.",
    )


def test_a_field_named_by_hand_settles_it() -> None:
    fields = detect_fields("parcels.gpkg", [*NYS, "ASMT"], {"total_av": "asmt"})
    assert fields.get("total_av") == "ASMT"
    assert fields.schema == "NYS public, some fields named by hand"


def test_an_override_must_name_a_field_and_a_logical_name() -> None:
    with pytest.raises(InputError) as refused:
        detect_fields("p.shp", ["SWIS", "SBL", "TOTAL_AV"], {"total_av": "VALUE", "owner": "SBL"})
    assert refused.value.problems[0] == ("p.shp has no field “VALUE” for total_av. Its fields are SWIS, SBL, TOTAL_AV.")
    assert refused.value.problems[1].startswith("--field owner: there is no such name. Known here are swis, print_key,")


def test_what_is_needed_and_absent_is_named_with_the_fields_that_are_there() -> None:
    with pytest.raises(InputError) as refused:
        detect_fields("p.shp", ["ID", "VALUE"], {})
    assert refused.value.problems == tuple(
        f"p.shp has no field for {name}. Name it with --field {name}=…; its fields are ID, VALUE."
        for name in ("swis", "print_key", "total_av")
    )


def test_sbl_stands_in_for_the_print_key() -> None:
    fields = detect_fields("p.shp", ["SWIS", "SBL", "TOTAL_AV"], {})
    assert (fields.get("print_key"), fields.get("sbl")) == (None, "SBL")


def test_small_layers() -> None:
    towns = detect_layer_fields("towns", "t.gpkg", ["fid", "Name", "TOWN", "Swis"], {})
    assert dict(towns.fields) == {"name": "Name", "swis": "Swis"}
    cities = detect_layer_fields("cities_villages", "c.gpkg", ["SWIS", "KIND", "NAME"], {})
    assert dict(cities.fields) == {"name": "NAME", "kind": "KIND", "swis": "SWIS"}
    assert dict(detect_layer_fields("buildings", "b.gpkg", ["height"], {}).fields) == {}
    assert dict(detect_layer_fields("buildings", "b.gpkg", ["swis", "height"], {}).fields) == {}
    assert dict(detect_layer_fields("buildings", "b.gpkg", ["swis", "print_key"], {}).fields) == {
        "swis": "swis",
        "print_key": "print_key",
    }
    districts = detect_layer_fields("districts", "d.gpkg", ["ID", "KIND", "NAME", "TOWN_SWIS"], {})
    assert dict(districts.fields) == {"id": "ID", "kind": "KIND", "name": "NAME", "town_swis": "TOWN_SWIS"}
    assert dict(detect_layer_fields("territory", "x.geojson", ["name"], {}).fields) == {}


def test_small_layers_refused() -> None:
    with pytest.raises(InputError, match="m.gpkg has no field for swis. Name it with --field towns.swis=…"):
        detect_layer_fields("towns", "m.gpkg", ["NAME", "CLASS"], {})
    with pytest.raises(InputError, match="“NAME” and “name” both fit name. Choose one with --field towns.name=NAME"):
        detect_layer_fields("towns", "m.gpkg", ["NAME", "name", "SWIS"], {})
    with pytest.raises(InputError, match="b.gpkg has no field for print_key. Name it with --field buildings.print_key"):
        detect_layer_fields("buildings", "b.gpkg", ["code"], {"swis": "code"})


def test_real_municipal_layers(shared: Path) -> None:
    chautauqua = VectorFile(str(shared / "data/chautauqua_pack/chautauqua.gpkg|municipal_boundaries"))
    assert dict(detect_layer_fields("towns", "c", chautauqua.fields, {}).fields) == {"swis": "MUNI", "name": "LABEL"}
    athens = VectorFile(str(shared / "data/athens_town_village/athens-town.shp"))
    assert dict(detect_layer_fields("towns", "a", athens.fields, {}).fields) == {"name": "NAME", "swis": "SWIS"}


# Dollars


@pytest.mark.parametrize(
    ("text", "dollars"),
    [("1,250,000", 1250000), ("$95,000", 95000), ("1250000.00", 1250000), ("0", 0), (" 7 ", 7), ("$1,000.00", 1000)],
)
def test_us_money_forms(text: str, dollars: int) -> None:
    assert parse_money(text) == dollars


@pytest.mark.parametrize("text", ["", "  ", "\t"])
def test_blank_is_missing(text: str) -> None:
    assert parse_money(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "1250.50", "95.000,00", "95.000", "1 250 000", "12e3", "(500)", "-500", "+5", "1,25,000", "1,2500", ",500",
        "95,000.0", "1250.", ".00", "$", "$ 5", "5$", "1\u00a0250", "٣", "nan", "NULL", "0x10", "1_000", "9" * 17,
    ],
)  # fmt: skip
def test_anything_else_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match="“"):
        parse_money(text)


@given(st.integers(0, 10**15))
def test_every_form_of_an_amount_reads_the_same(dollars: int) -> None:
    for form in (f"{dollars}", f"{dollars:,}", f"${dollars:,}", f"{dollars}.00", f"${dollars:,}.00", f" {dollars:,} "):
        assert parse_money(form) == dollars


@given(st.text(alphabet="0123456789.,$-() e", max_size=12))
def test_money_is_read_exactly_or_not_at_all(text: str) -> None:
    try:
        dollars = parse_money(text)
    except ValueError:
        return
    plain = text.strip()
    if dollars is None:
        assert plain == ""
        return
    whole = plain.removesuffix(".00").removeprefix("$")
    groups = whole.split(",")
    assert int("".join(groups)) == dollars
    assert len(groups) == 1 or (len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:]))
    assert all(group.isdigit() for group in groups)


def test_numbers_in_a_money_column() -> None:
    values = np.ma.MaskedArray([95000.0, 12.5, -1.0, np.nan, np.inf, 7.0], [0, 0, 0, 0, 0, 1])
    dollars, states = money_column(values)
    assert dollars.tolist() == [95000, 0, 0, 0, 0, 0]
    assert states.tolist() == [OK, UNREADABLE, UNREADABLE, MISSING, UNREADABLE, MISSING]
    dollars, states = money_column(np.ma.MaskedArray([5, -5, 9], [False, False, True]))
    assert (dollars.tolist(), states.tolist()) == ([5, 0, 0], [OK, UNREADABLE, MISSING])


@pytest.mark.parametrize("kind", ["object", "S", "U"])
def test_text_in_a_money_column(kind: str) -> None:
    cells = ["95,000", "", "  ", "95.000,00", "$7"]
    values = np.array(cells, dtype=object) if kind == "object" else np.array(cells).astype(kind)
    dollars, states = money_column(values)
    assert dollars.tolist() == [95000, 0, 0, 0, 7]
    assert states.tolist() == [OK, MISSING, MISSING, UNREADABLE, OK]


def test_mixed_cells_in_a_money_column() -> None:
    values = np.array([None, 5, 5.0, 5.5, Decimal("12"), "12", True, float("nan"), np.int64(3)], dtype=object)
    dollars, states = money_column(values)
    assert dollars.tolist() == [0, 5, 5, 0, 12, 12, 0, 0, 3]
    assert states.tolist() == [MISSING, OK, OK, UNREADABLE, OK, OK, UNREADABLE, MISSING, OK]


# Keys and text


def test_swis_in_six_digits() -> None:
    assert swis_column(np.array([65889, 503689])).tolist() == ["065889", "503689"]
    assert swis_column(np.ma.MaskedArray([65889.0, 0.0], [False, True])).tolist() == ["065889", ""]
    assert swis_column(np.array([b"65800", b" 065800 ", b"", b"ABC"])).tolist() == ["065800", "065800", "", "ABC"]
    assert swis_column(np.array(["065889", None, "10100"], dtype=object)).tolist() == ["065889", "", "010100"]
    assert town_code("065889") == "0658"


def test_keys_stay_text() -> None:
    keys = key_column(np.array([" 12.-1-3 ", "0045", "45", None, ""], dtype=object))
    assert keys.tolist() == ["12.-1-3", "0045", "45", "", ""]
    assert key_column(np.array([45, 102])).tolist() == ["45", "102"]


def test_text_of_numbers_and_bytes() -> None:
    assert text_column(np.array([2022.0, 2022.5, np.nan])).tolist() == ["2022", "2022.5", ""]
    assert text_column(np.ma.MaskedArray([b"x", b"Mu\xc3\xb1oz", b"Mu\xf1oz"], [1, 0, 0])).tolist() == [
        "",
        "Muñoz",
        "Muñoz",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Smith  John ", "SMITH JOHN"),
        ("SMITH\u00a0JOHN", "Smith John"),
        ("ﬁelds", "FIELDS"),
        ("Muñoz", "MUN\u0303OZ"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_are_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("SMITH, J", "SMITH J"), ("SMITH J JR", "SMITH J"), ("A B", "B A")])
def test_names_that_are_two(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert once == once.strip() and "  " not in once


@given(st.lists(st.binary(max_size=20).map(lambda raw: raw.rstrip(b"\x00")), min_size=1, max_size=60))
def test_words_of_bytes_tell_equal_from_unequal(cells: list[bytes]) -> None:
    data = np.array(cells, dtype="S20")
    codes, first = factorize_words(words_of(data))
    order: dict[bytes, int] = {}
    expected = [order.setdefault(cell, len(order)) for cell in data.tolist()]
    assert codes.tolist() == expected
    assert first.tolist() == [data.tolist().index(cell) for cell in order]
    exact_codes, exact_first = _factorize_exactly(words_of(data))
    assert (exact_codes.tolist(), exact_first.tolist()) == (expected, first.tolist())


def test_words_that_mix_alike_are_still_told_apart() -> None:
    # The two rows differ, and their mixed words are made equal: only the full comparison tells them apart.
    mix, shift = 0x9E3779B97F4A7C15, 29
    mask = (1 << 64) - 1

    def mixed(word: int) -> int:
        return ((word ^ (word >> shift)) * mix) & mask

    words = np.array([[1, 5], [2, mixed(1) ^ 5 ^ mixed(2)], [1, 5]], dtype=np.uint64)
    codes, first = factorize_words(words)
    assert (codes.tolist(), first.tolist()) == ([0, 1, 0], [0, 1])
