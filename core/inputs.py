"""What an analysis starts from, and how it is read from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, TypeVar

from . import petition as petitions
from . import tables
from .model import (
    Inhabitant,
    InputError,
    Layer,
    Override,
    OwnerRow,
    ParcelSource,
    Rate,
    SignerLine,
    Table,
    UnmappedRow,
)
from .parcel_source import open_parcels
from .petition import Petition
from .readers import read_layer, read_petition, read_table

TABLES = ("rates", "owners", "signers", "inhabitants", "unmapped", "overrides")
LAYERS = ("towns", "territory", "buildings", "cities_villages", "districts")
REQUIRED = ("parcels", "towns", "territory", "rates")
SLIVER_WIDTH_FT = "1.0"
PETITION_SOURCE = "petition.json"
"""What messages call the facts of the petition where they are in no file."""

T = TypeVar("T")


@dataclass(frozen=True)
class Inputs:
    """All that `analyze` looks at. Tests whose input is None are `not_applicable`.

    `fields` overrides the detection of fields: "total_av" for the parcels, "towns.swis" for another layer;
    `sliver_width_ft` is the width in feet up to which a piece is a sliver (rule 5).
    """

    parcels: ParcelSource
    towns: Layer
    territory: Layer
    rates: Table
    owners: Optional[Table] = None
    signers: Optional[Table] = None
    inhabitants: Optional[Table] = None
    unmapped: Optional[Table] = None
    overrides: Optional[Table] = None
    buildings: Optional[Layer] = None
    cities_villages: Optional[Layer] = None
    districts: Optional[Layer] = None
    petition: Optional[Mapping[str, Any]] = None
    petition_source: str = PETITION_SOURCE
    edition: str = "2004"
    fields: Mapping[str, str] = field(default_factory=dict)
    sliver_width_ft: str = SLIVER_WIDTH_FT


class Problems:
    """Collects what is wrong with several inputs, so that a person hears of all of it at once."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def take(self, read: Callable[..., T], *arguments: Any) -> Optional[T]:
        """What `read` gives; None, with its problems kept, where it raises `InputError`."""
        try:
            return read(*arguments)
        except InputError as error:
            self.add(*error.problems)
            return None

    def add(self, *lines: str) -> None:
        """Keep these sentences, each once."""
        self._lines.extend(line for line in lines if line not in self._lines)

    def settled(self, value: Optional[T]) -> T:
        """The value that `take` gave. Raises `InputError` with all that was kept."""
        self.stop()
        if value is None:
            raise ValueError("nothing was read")
        return value

    def __bool__(self) -> bool:
        return bool(self._lines)

    def stop(self) -> None:
        """Raise `InputError` with all that was kept, if anything was."""
        if self._lines:
            raise InputError(*self._lines)


def load_inputs(
    paths: Mapping[str, Optional[str]],
    edition: str = "2004",
    fields: Optional[Mapping[str, str]] = None,
    sliver_width_ft: str = SLIVER_WIDTH_FT,
) -> Inputs:
    """Open the files named by role ("parcels", "towns", …, "petition"; `F|layer` for a layer of several).

    Raises `InputError` with one sentence for each file that cannot be used.
    """
    problems = Problems()
    for role in REQUIRED:
        if not paths.get(role):
            problems.add(f"--{role} is missing. Name the file.")
    problems.stop()
    given: dict[str, Any] = {"parcels": problems.take(open_parcels, paths["parcels"])}
    for role in LAYERS:
        given[role] = problems.take(read_layer, paths[role], role) if paths.get(role) else None
    for role in TABLES:
        given[role] = problems.take(read_table, paths[role]) if paths.get(role) else None
    petition = paths.get("petition")
    given["petition"] = problems.take(read_petition, petition) if petition else None
    given["petition_source"] = Path(petition).name if petition else PETITION_SOURCE
    if problems:
        # The analysis will not come to the rows of the files that can be read: say now what is wrong with them.
        _read_rows(given, problems)
    problems.stop()
    return Inputs(edition=edition, fields=dict(fields or {}), sliver_width_ft=sliver_width_ft, **given)


@dataclass(frozen=True)
class Given:
    """The tables of an analysis as rows with a meaning; None where a table is not given."""

    petition: Petition
    rates: tuple[Rate, ...]
    owners: tuple[OwnerRow, ...]
    signers: Optional[tuple[SignerLine, ...]]
    inhabitants: Optional[tuple[Inhabitant, ...]]
    unmapped: tuple[UnmappedRow, ...]
    overrides: tuple[Override, ...]


def given_rows(inputs: Inputs) -> Given:
    """Read the tables of `inputs`. Raises `InputError` with every row that cannot be used."""
    problems = Problems()
    given = {role: getattr(inputs, role) for role in (*TABLES, "petition", "petition_source")}
    rows = _read_rows(given, problems)
    problems.stop()
    return Given(**rows)


def _read_rows(given: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    """The rows of the tables by role, of those that are given; what cannot be used goes into `problems`."""

    def read(role: str, rows: Callable[[Table], Any], otherwise: Any) -> Any:
        return otherwise if given[role] is None else problems.take(rows, given[role])

    return {
        "petition": problems.take(petitions.petition, given["petition"] or {}, given["petition_source"]),
        "rates": read("rates", tables.rates, ()),
        "owners": read("owners", tables.owners, ()),
        "signers": read("signers", tables.signers, None),
        "inhabitants": read("inhabitants", tables.inhabitants, None),
        "unmapped": read("unmapped", tables.unmapped_rows, ()),
        "overrides": read("overrides", tables.overrides, ()),
    }
