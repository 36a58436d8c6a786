"""Which field is which: by the schemas that county files come in, never by position; and text, keys and names.

Sources of the schemas: NYS ITS "Tax Parcels Public" with its 10-character shapefile names, the RPS V4 extract, and
county variants.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Optional

from .columns import (
    MISSING,
    OK,
    UNREADABLE,
    key_column,
    money_column,
    parse_money,
    swis_column,
    swis_of,
    text_column,
    text_of,
)
from .model import FieldMap, InputError

__all__ = [
    "LAYERS",
    "LOGICAL",
    "MISSING",
    "OK",
    "UNREADABLE",
    "detect_fields",
    "detect_layer_fields",
    "fold",
    "key_column",
    "money_column",
    "parse_money",
    "swis_column",
    "swis_of",
    "text_column",
    "text_of",
    "town_code",
]

LOGICAL = (
    "swis",
    "print_key",
    "sbl",
    "total_av",
    "land_av",
    "roll_section",
    "roll_yr",
    "prop_class",
    "primary_owner",
    "add_owner",
)
OPTIONAL = ("parcel_addr",)
"""Found where a layer has it, and not to be named by hand."""

BY_HAND = "fields named by hand"


@dataclass(frozen=True)
class _Schema:
    """A form of parcel layer: fields by logical name, those that mark it, those that only look like others."""

    name: str
    fields: Mapping[str, str]
    marks: Sequence[str]
    known: Sequence[str] = field(default=())


_SCHEMAS = (
    _Schema(
        "NYS public",
        {
            "swis": "SWIS",
            "print_key": "PRINT_KEY",
            "sbl": "SBL",
            "total_av": "TOTAL_AV",
            "land_av": "LAND_AV",
            "roll_section": "ROLL_SECTION",
            "roll_yr": "ROLL_YR",
            "prop_class": "PROP_CLASS",
            "primary_owner": "PRIMARY_OWNER",
            "add_owner": "ADD_OWNER",
            "parcel_addr": "PARCEL_ADDR",
        },
        ("SWIS", "TOTAL_AV", "ROLL_SECTION"),
    ),
    _Schema(
        "NYS public, 10-character names",
        {
            "swis": "SWIS",
            "print_key": "PRINT_KEY",
            "sbl": "SBL",
            "total_av": "TOTAL_AV",
            "land_av": "LAND_AV",
            "roll_section": "ROLL_SECTI",
            "roll_yr": "ROLL_YR",
            "prop_class": "PROP_CLASS",
            "primary_owner": "PRIMARY_OW",
            "add_owner": "ADD_OWNER",
            "parcel_addr": "PARCEL_ADD",
        },
        ("SWIS", "TOTAL_AV", "ROLL_SECTI"),
    ),
    _Schema(
        "RPS V4, 10-character names",
        {
            "swis": "SWIS_CODE",
            "print_key": "PRINT_KEY",
            "sbl": "SBL",
            "total_av": "TOTAL_AV",
            "land_av": "LAND_AV",
            "roll_section": "ROLL_SECTI",
            "roll_yr": "ROLL_YR",
            "prop_class": "PROP_CLASS",
            "primary_owner": "PRIMARY_OW",
            "add_owner": "ADD_OWNER",
        },
        ("SWIS_CODE", "TOTAL_AV", "ROLL_SECTI"),
        # The mailing name of the same owner, who must not count twice.
        known=("OWNER_NAME",),
    ),
    _Schema(
        "RPS V4",
        {
            "swis": "SWIS_CODE",
            "print_key": "PRINT_KEY",
            "sbl": "SBL",
            "total_av": "TOTAL_AV",
            "land_av": "LAND_AV",
            "roll_section": "ROLL_SECTION",
            "roll_yr": "ROLL_YR",
            "prop_class": "PROP_CLASS",
            "primary_owner": "PRIMARY_OWNER",
            "add_owner": "ADD_OWNER",
        },
        ("SWIS_CODE", "TOTAL_AV", "ROLL_SECTION"),
        known=("OWNER_NAME",),
    ),
    _Schema(
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
        ("SWIS", "PRINTKEY", "ASMT"),
        # There SBL holds SWIS and SBL together, RS and PROPCLASS hold words instead of codes.
        known=("SBL", "RS", "PROPCLASS"),
    ),
)

_ALSO = {
    "swis": ("SWISCODE", "MUNI_SWIS"),
    "print_key": ("PRINT_KEY_CODE", "PRINTKEYCODE"),
    "total_av": ("TOTALAV", "TOTAL_ASSESSED_VALUE", "ASSESSMENT_TOTAL", "TOT_AV"),
    "land_av": ("LANDAV", "LAND_ASSESSED_VALUE", "ASSESSMENT_LAND"),
    "roll_section": ("ROLLSECTION", "ROLL_SEC", "RS"),
    "roll_yr": ("ROLL_YEAR", "ROLLYR"),
    "prop_class": ("PROPERTY_CLASS", "PROPCLASS", "PROPCLS"),
    "primary_owner": ("OWNER", "OWNER_NAME", "OWNER1", "PRIMARYOWNER"),
    "add_owner": ("OWNER2", "ADDITIONAL_OWNER", "ADDOWNER"),
    "parcel_addr": ("LOCATION_ADDRESS", "SITUS_ADDRESS"),
}
"""Names met in no known schema as a whole, that leave no doubt by themselves."""

_LAYER_FIELDS: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {
    "towns": {
        "name": (("NAME",), ("MUNI_NAME", "TOWN_NAME", "TOWNNAME", "CITYTOWN_NAME", "LABEL"), ("TOWN", "MUNI")),
        "swis": (("SWIS",), ("SWIS_CODE", "SWISCODE", "MUNI_SWIS", "TOWN_SWIS", "CITYTOWN_SWIS")),
    },
    "cities_villages": {
        "name": (("NAME",), ("MUNI_NAME", "VILLAGE_NAME", "LABEL"), ("VILLAGE", "MUNI")),
        "kind": (("KIND",), ("MUNI_TYPE", "MUNITYPE", "UOG"), ("TYPE",)),
        "swis": (("SWIS",), ("SWIS_CODE", "SWISCODE", "MUNI_SWIS")),
    },
    "buildings": {
        "swis": (("SWIS",), ("SWIS_CODE", "SWISCODE")),
        "print_key": (("PRINT_KEY",), ("PRINTKEY",), ("SBL",)),
    },
    "districts": {
        "id": (("ID",), ("DISTRICT_ID", "DIST_ID")),
        "kind": (("KIND",), ("DISTRICT_KIND", "DIST_KIND")),
        "name": (("NAME",), ("DISTRICT_NAME", "DIST_NAME")),
        "town_swis": (("TOWN_SWIS",), ("SWIS", "SWIS_CODE")),
    },
    "territory": {},
}
"""By role and logical name: the names that fit, in ranks; a lower rank is looked at only where the higher has none."""

_LAYER_OPTIONAL = {"buildings": ("swis", "print_key")}
_SWIS_IN_MUNI = {"MUNI", "UOG", "LABEL"}
"""The municipal layer of Chautauqua County: MUNI is the SWIS, UOG the kind, LABEL the name."""

LAYERS = tuple(_LAYER_FIELDS)


def detect_fields(source: str, names: Sequence[str], overrides: Mapping[str, str]) -> FieldMap:
    """Which field of a parcel layer is which; `overrides` (logical name → field) win.

    `source` is what messages call the layer. Raises `InputError` where an override names no field or no logical name,
    where two fields fit one name, and where SWIS, total value, or both print key and SBL cannot be told.
    """
    named = _named(source, names, overrides, LOGICAL, "")
    schema = next((each for each in _SCHEMAS if all(_matches(names, mark) for mark in each.marks)), None)
    found: dict[str, str] = {}
    problems: list[str] = []
    for logical in (*LOGICAL, *OPTIONAL):
        if logical in named:
            found[logical] = named[logical]
            continue
        fits = _fitting(names, logical, schema)
        if len(fits) > 1:
            problems.append(_ambiguous(source, fits, logical, logical))
        elif fits:
            found[logical] = fits[0]
    doubtful = {logical for logical in LOGICAL if logical not in found and len(_fitting(names, logical, schema)) > 1}
    missing = [logical for logical in ("swis", "total_av") if logical not in found and logical not in doubtful]
    if not {"print_key", "sbl"} & (set(found) | doubtful):
        missing.insert(len(missing) and 1, "print_key")
    problems.extend(_absent(source, names, logical, logical) for logical in missing)
    if problems:
        raise InputError(*problems)
    return FieldMap(_schema_name(schema, named), found)


def detect_layer_fields(role: str, source: str, names: Sequence[str], overrides: Mapping[str, str]) -> FieldMap:
    """Which field of a small layer is which, by `role`; `overrides` (logical name → field) win.

    Raises `InputError` as `detect_fields` does; only buildings may lack both SWIS and print key.
    """
    ranks = _LAYER_FIELDS[role]
    named = _named(source, names, overrides, tuple(ranks), f"{role}.")
    found: dict[str, str] = dict(named)
    problems: list[str] = []
    known = _muni_layer(role, names)
    for logical, options in ranks.items():
        if logical in named:
            continue
        if logical in known:
            found[logical] = known[logical]
            continue
        for rank in options:
            fits = [name for option in rank for name in _matches(names, option)]
            if fits:
                found[logical] = fits[0]
                if len(fits) > 1:
                    problems.append(_ambiguous(source, fits, logical, f"{role}.{logical}"))
                break
        else:
            if logical not in _LAYER_OPTIONAL.get(role, ()):
                problems.append(_absent(source, names, logical, f"{role}.{logical}"))
    optional = [logical for logical in _LAYER_OPTIONAL.get(role, ()) if logical in found]
    if len(optional) == 1 and named:
        lacking = next(logical for logical in _LAYER_OPTIONAL[role] if logical not in found)
        problems.append(_absent(source, names, lacking, f"{role}.{lacking}"))
    elif len(optional) == 1:
        del found[optional[0]]
    if problems:
        raise InputError(*problems)
    return FieldMap(BY_HAND if named else role, found)


def fold(text: str) -> str:
    """The key by which two spellings are one name or address: NFKC, upper case, single spaces, trimmed (rule 13)."""
    if text.isascii():
        return " ".join(text.upper().split())
    upper = unicodedata.normalize("NFKC", text).upper()
    # Upper case can leave letters in pieces; the second pass makes folding twice the same as once.
    return " ".join(unicodedata.normalize("NFKC", upper).split())


def town_code(swis: str) -> str:
    """The first four digits of a SWIS, which are its town (rule 9)."""
    return swis[:4]


def _matches(names: Sequence[str], wanted: str) -> list[str]:
    return [name for name in names if name.casefold() == wanted.casefold()]


def _fitting(names: Sequence[str], logical: str, schema: Optional[_Schema]) -> list[str]:
    """All fields that could be this one: of the schema, and of the others unless the schema knows them better."""
    own = schema.fields.get(logical) if schema else None
    options = [own] if own else []
    known = {name.casefold() for name in schema.known} if schema else set()
    taken = {name.casefold() for other, name in schema.fields.items() if other != logical} if schema else set()
    options += [each.fields[logical] for each in _SCHEMAS if logical in each.fields]
    options += _ALSO.get(logical, ())
    fits: dict[str, None] = {}
    for option in options:
        if option == own or option.casefold() not in known | taken:
            fits.update(dict.fromkeys(_matches(names, option)))
    return list(fits)


def _named(
    source: str, names: Sequence[str], overrides: Mapping[str, str], logical: Sequence[str], prefix: str
) -> dict[str, str]:
    named: dict[str, str] = {}
    problems: list[str] = []
    for name, wanted in overrides.items():
        if name not in logical:
            known = ", ".join(prefix + each for each in logical) or "none"
            problems.append(f"--field {prefix}{name}: there is no such name. Known here are {known}.")
            continue
        fits = [each for each in names if each == wanted] or _matches(names, wanted)
        if len(fits) == 1:
            named[name] = fits[0]
        elif fits:
            problems.append(_ambiguous(source, fits, name, prefix + name))
        else:
            problems.append(f"{source} has no field “{wanted}” for {prefix}{name}. Its fields are {_listed(names)}.")
    if problems:
        raise InputError(*problems)
    return named


def _muni_layer(role: str, names: Sequence[str]) -> dict[str, str]:
    found = {name.casefold(): name for name in names}
    if role not in ("towns", "cities_villages") or "swis" in found:
        return {}
    if not {name.casefold() for name in _SWIS_IN_MUNI} <= set(found):
        return {}
    fields = {"swis": found["muni"], "name": found["label"]}
    return fields if role == "towns" else {**fields, "kind": found["uog"]}


def _ambiguous(source: str, fits: Sequence[str], logical: str, option: str) -> str:
    listed = " and ".join(f"“{name}”" for name in fits)
    return f"{source}: the fields {listed} both fit {logical}. Choose one with --field {option}={fits[0]}."


def _absent(source: str, names: Sequence[str], logical: str, option: str) -> str:
    return f"{source} has no field for {logical}. Name it with --field {option}=…; its fields are {_listed(names)}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "none"


def _schema_name(schema: Optional[_Schema], named: Mapping[str, str]) -> str:
    if schema is None:
        return BY_HAND if named else "single names"
    return f"{schema.name}, some {BY_HAND}" if named else schema.name
