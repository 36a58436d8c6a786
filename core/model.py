"""The plain data that every other module passes on: frozen, without behaviour beyond checks.

What comes by the thousand, such as lines and owners, is a named tuple: as frozen as a dataclass, and made five times
as fast.

Money is whole dollars in `int`; every number that decides is a `fractions.Fraction`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[Any]
    Rows = NDArray[np.int64]
    Geometries = NDArray[np.object_]

Box = tuple[float, float, float, float]
ParcelKey = tuple[str, str]
"""SWIS in six digits and print key, both text."""


# Refusals


class InputError(Exception):
    """Inputs that cannot be used: one sentence a problem, each naming file, row, value and remedy."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems: tuple[str, ...] = problems


class ProofError(Exception):
    """The roll does not add up: a fault of the program, never a result."""


class Cancelled(Exception):
    """The person who asked for the analysis no longer wants it."""


# Inputs


@dataclass(frozen=True)
class Table:
    """A table of text as it stands in its file: `numbers` are the rows as a person counts them, heading = 1."""

    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """A vector layer read whole. `geometry` holds shapely geometries, None where a feature has none.

    `crs` is WKT or an authority code, empty where the layer has none; `columns` hold one array a field,
    object arrays of `str | None` for text, numeric arrays (masked where a value is missing) otherwise.
    """

    source: str
    crs: str
    columns: Mapping[str, Column]
    geometry: Geometries


class ParcelSource(Protocol):
    """Where parcels come from: a file, a layer in QGIS, arrays in memory. Rows count from 0 in source order."""

    @property
    def source(self) -> str:
        """What messages call it, without a folder: "parcels.gpkg"."""

    @property
    def crs(self) -> str:
        """WKT or authority code, empty where there is none."""

    @property
    def names(self) -> tuple[str, ...]:
        """The fields, in the order of the source."""

    def held(self) -> AbstractContextManager[None]:
        """A context in which the source stays open for several readings by one thread."""

    def __len__(self) -> int:
        """How many rows there are."""

    def columns(self, fields: Sequence[str], rows: Optional[Rows] = None) -> dict[str, Column]:
        """Arrays of these fields, of all rows or of `rows` in the order given (bytes, text or numbers, masked)."""

    def shapes(self, box: Optional[Box] = None, rows: Optional[Rows] = None) -> tuple[Rows, Geometries]:
        """The rows, ascending, whose box may meet `box` (a superset is allowed) or that are in `rows`, with geometry.

        A row without geometry, or with an empty one, is never part of an answer to `box`.
        """

    def shapeless(self) -> Rows:
        """The rows without geometry or with an empty one, which have no box."""


@dataclass(frozen=True)
class FieldMap:
    """Which field of a layer is which: logical name → field, and the schema that it was recognised by."""

    schema: str
    fields: Mapping[str, str]

    def get(self, logical: str) -> Optional[str]:
        """The field for a logical name, None where the layer has none."""
        return self.fields.get(logical)


@dataclass(frozen=True)
class Town:
    """A town whose ground or roll is in the territory. `swis` ends in 00, `code` is its first four digits."""

    code: str
    swis: str
    name: str


@dataclass(frozen=True)
class Rate:
    """An equalization rate: percent, exact, with the roll that it belongs to."""

    swis: str
    town: str
    text: str
    percent: Fraction
    roll_year: Optional[int]
    final_roll_filed: Optional[date]
    kind: str


class OwnerRow(NamedTuple):
    """One owner of one parcel as listed by the assessor or the petitioners."""

    swis: str
    print_key: str
    owner: str
    capacity: str = ""
    source: str = ""
    evidence: str = ""


class SignerLine(NamedTuple):
    """One line of a signature page."""

    page: int
    line: int
    name: str
    address: str
    town: str
    date: str
    basis: str = ""
    credited_av: Optional[int] = None
    struck: str = ""


class Inhabitant(NamedTuple):
    """One row of the list of regular inhabitants. `adult` and `qualified` are None where undecided."""

    name: str
    address: str
    town: str
    swis: str
    print_key: str
    adult: Optional[bool]
    qualified: Optional[bool]
    signed: bool


@dataclass(frozen=True)
class UnmappedRow:
    """A roll row that has no polygon, such as a special franchise. `inside` is None until it is placed."""

    swis: str
    print_key: str
    town: str
    roll_section: str
    total: int
    land: Optional[int]
    owner: str
    inside: Optional[int]
    reason: str
    note: str = ""


@dataclass(frozen=True)
class Override:
    """The assessor's own figure for a parcel. `total` fills in a value that the roll row lacks."""

    swis: str
    print_key: str
    inside: int
    reason: str
    by: str
    date: date
    total: Optional[int] = None


# Results


@dataclass(frozen=True)
class Finding:
    """Something a person must know or settle, by its code of `docs/findings.md`."""

    code: str
    severity: str
    message: str
    swis: str = ""
    print_key: str = ""
    citation: str = ""


@dataclass(frozen=True)
class Operation:
    """How a layer came into the working CRS: PROJ's name of the operation and its accuracy in metres, None unknown."""

    layer: str
    source_crs: str
    target_crs: str
    name: str
    accuracy_m: Optional[str]


@dataclass(frozen=True)
class Parcel:
    """A parcel that counts: what the roll says of it, where it lies, and its dollars inside.

    `place` is inside, split, outside, set_aside or unmapped; `share` has nine decimals, None where there is no shape to
    measure; `inside` is None where the dollars are unknown (set aside, not placed). An outside parcel is here only
    where the assessor gave it dollars inside.
    """

    swis: str
    print_key: str
    place: str
    share: Optional[Fraction]
    value: Optional[int]
    land: Optional[int]
    inside: Optional[int]
    method: Optional[str]
    confirmed: bool = False
    roll_section: str = ""
    prop_class: str = ""
    roll_year: str = ""
    address: str = ""
    roll_owners: tuple[str, ...] = ()

    @cached_property
    def key(self) -> ParcelKey:
        """SWIS and print key."""
        return (self.swis, self.print_key)

    @property
    def outside(self) -> Optional[int]:
        """The dollars outside: what is left of the value."""
        return None if self.value is None or self.inside is None else self.value - self.inside

    @property
    def bounds(self) -> Optional[tuple[int, int]]:
        """Least and most dollars inside; None where the value itself is missing and nothing bounds them."""
        if self.inside is not None:
            return (self.inside, self.inside)
        return None if self.value is None else (0, self.value)


@dataclass(frozen=True)
class Ownership:
    """Owners of one parcel. `count` is None where their number is unknown; credits are exact dollars, low ≤ high.

    `share` and `share_high` are the parts of the value inside (0 to 1) that signers are credited with.
    """

    names: tuple[str, ...]
    count: Optional[int]
    signed: int
    share: Fraction
    share_high: Fraction


class SignerResult(NamedTuple):
    """What became of one signature line. `credits` are exact dollars by town, keyed by the town's SWIS (…00)."""

    page: int
    line: int
    name: str
    status: str
    credits: Mapping[str, Fraction] = MappingProxyType({})


@dataclass(frozen=True)
class Part:
    """The portion of one town inside the territory, § 2-202(1)(a)(2): values, signed values and their full values.

    `signed` and `share` are the low figures; `low` and `high` bound the share under undecided items, None where nothing
    bounds it.
    """

    town: str
    swis: str
    rate: Optional[Rate]
    value: int
    signed: Fraction
    full_value: Optional[Fraction]
    signed_full_value: Optional[Fraction]
    share: Optional[Fraction]
    low: Optional[Fraction] = None
    high: Optional[Fraction] = None


@dataclass(frozen=True)
class TestResult:
    """One test of the statute. `status` is pass, fail, undecided or not_applicable."""

    __test__ = False  # not a test case, whatever its name makes a test runner think

    id: str
    status: str
    reason: str
    value: Optional[Fraction] = None
    low: Optional[Fraction] = None
    high: Optional[Fraction] = None
    threshold: Optional[Fraction] = None
    comparison: str = ""
    citation: str = ""


@dataclass(frozen=True)
class VoterCount:
    """Persons of the list of inhabitants: all that count, the qualified, the undecided, who of each signed, adults."""

    inhabitants: int
    qualified: int
    signed: int
    undecided: int
    signed_undecided: int
    adults: int = 0


@dataclass(frozen=True)
class Requirement:
    """One item of the checklist: pass, fail, undecided or not_applicable. It never enters the verdict."""

    id: str
    status: str
    reason: str
    citation: str


@dataclass(frozen=True)
class Alternative:
    """The outcome when one roll section is left out."""

    parts: tuple[Part, ...]
    tests: tuple[TestResult, ...]
    verdict: str
    flips: bool


@dataclass(frozen=True)
class Proof:
    """The equation that every roll row must satisfy, and the dollars with it."""

    rows: int
    keys: int
    merged_rows: int
    without_key: int
    inside: int
    split: int
    outside: int
    set_aside: int
    unmapped: int
    value_inside: int
    value_outside: int
    value_set_aside: int
    value_total: int
    holds: bool


@dataclass(frozen=True)
class TerritoryFacts:
    """What is printed of the territory. Square miles have six decimals, as compared with the limit."""

    square_miles: Fraction
    parts: int
    holes: int
    corners: int
    perimeter_feet: int


@dataclass(frozen=True)
class Analysis:
    """All results of one run; what `analysis.json` holds, and the shapes that go with the parcels."""

    edition: str
    bases: tuple[str, ...]
    transition: Optional[Mapping[str, Any]]
    rules_sha256: str
    verdict: str
    certifiable: bool
    territory: TerritoryFacts
    crs: str
    crs_wkt: str
    operations: tuple[Operation, ...]
    sliver_width_ft: str
    proof: Proof
    parts: tuple[Part, ...]
    tests: tuple[TestResult, ...]
    requirements: tuple[Requirement, ...]
    parcels: tuple[Parcel, ...]
    ownership: Mapping[ParcelKey, Ownership]
    signers: tuple[SignerResult, ...]
    findings: tuple[Finding, ...]
    alternatives: Mapping[str, Alternative]
    voters: Optional[VoterCount]
    shapes: Mapping[ParcelKey, Any]
    territory_shape: Any
    town_shapes: Mapping[str, Any]
    slivers: tuple[ParcelKey, ...] = ()
    fields: Optional[FieldMap] = None
