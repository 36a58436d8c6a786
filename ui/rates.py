"""The equalization rates of the window: rows as typed or read from a table, one shown for each town in question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Optional

from ..core.model import Table

COLUMNS = ("swis", "town", "rate", "roll_year", "final_roll_filed", "kind")
SOURCE = "Equalization rates"


@dataclass(frozen=True)
class TownGround:
    """A town of the towns layer: SWIS of six digits, name, and how much of the territory its ground covers (0 to 1)."""

    swis: str
    name: str
    cover: float


def blank(town: TownGround) -> dict[str, str]:
    """The row of a town whose rate nobody has typed yet."""
    return {"swis": town.swis, "town": town.name, "rate": "", "roll_year": "", "final_roll_filed": "", "kind": ""}


def from_table(table: Table) -> list[dict[str, str]]:
    """The rows of a rates table, with its columns matched whatever their case."""
    at = {name.strip().lower(): position for position, name in enumerate(table.columns)}
    return [{name: row[at[name]].strip() if name in at else "" for name in COLUMNS} for row in table.rows]


def to_table(rows: Iterable[Mapping[str, str]], source: str = SOURCE) -> Table:
    """The rows that have a rate, as core reads a table; rows count from 1 as they stand in the window."""
    filled = [(number, row) for number, row in enumerate(rows, 1) if row["rate"].strip()]
    return Table(
        source,
        COLUMNS,
        tuple(tuple(row[name].strip() for name in COLUMNS) for _, row in filled),
        tuple(number for number, _ in filled),
    )


def shown(rows: Sequence[Mapping[str, str]], towns: Sequence[TownGround]) -> list[dict[str, str]]:
    """One row for each of these towns, in their order, taken from `rows` where one is there."""
    return [dict(known) if (known := find(rows, town.swis)) is not None else blank(town) for town in towns]


def find(rows: Sequence[Mapping[str, str]], swis: str) -> Optional[Mapping[str, str]]:
    """The row of a town, which its first four digits name."""
    return next((row for row in rows if _code(row["swis"]) == _code(swis)), None)


def put(rows: list[dict[str, str]], town: Mapping[str, str], column: str, text: str) -> None:
    """Set one cell of a town's row; the row is added where there is none."""
    held = next((row for row in rows if _code(row["swis"]) == _code(town["swis"])), None)
    if held is None:
        held = dict(town)
        rows.append(held)
    held[column] = text.strip()


def _code(swis: str) -> str:
    return swis.strip().zfill(6)[:4]
