"""The rolls of the sample case: what stands on each lot, its assessment and its owners. Everyone is invented."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Optional, TypeVar

import shapely
from sample_land import ALDER, BIRCH, CEDAR, FAR_BUILDINGS, ROLL_SWIS, Land, Lot, rectangle

Thing = TypeVar("Thing")

RATES = {ALDER: "40.00", BIRCH: "85.00", CEDAR: "85.00"}
ROLL_YEAR = 2022
SQUARE_FEET_AN_ACRE = 43_560

CONDOMINIUM, UNITS = "3.00-3-10", 5
VACANT_BY_HAND = ("1.00-5-3", "3.00-2-8")
# print key: class, roll section, owner, market value of land and of buildings
SPECIAL: dict[str, tuple[str, str, str, int, int]] = {
    "3.00-3-3": ("620", "8", "FIRST CHURCH OF ALDER", 60_000, 540_000),
    "4.00-3-2": ("662", "8", "ALDER FIRE COMPANY NO 1", 45_000, 310_000),
    "3.00-2-3": ("963", "8", "TOWN OF ALDER", 70_000, 0),
    "3.00-4-3": ("411", "1", "MILL RACE APARTMENTS LLC", 110_000, 980_000),
    "3.00-4-9": ("484", "1", "COOPERAGE BUILDING INC", 75_000, 360_000),
    "3.00-5-2": ("411", "1", "DEPOT STREET HOUSING LLC", 90_000, 760_000),
    "3.00-3-5": ("482", "1", "LANTERN HARDWARE INC", 65_000, 290_000),
    "2.00-5-4": ("872", "6", "NORTH SHORE POWER CO", 40_000, 260_000),
    "2.00-1-2": ("120", "1", "KESTREL FARM INC", 95_000, 240_000),
}
FLATS = {"3.00-4-3": 24, "3.00-5-2": 18}

SURNAMES = (
    "ABERNATHY ARKWRIGHT BARROW BELLWEATHER BIRDSALL BOWERMAN BRACKEN CALDER CARTWRIGHT CHANDLER CLOVER "
    "COOPERSMITH COPPERFIELD CORDWAINER CROFTON DAYLILY DRAYMAN DUNNOCK EASTERBROOK FAIRWEATHER FERNSBY FLETCHER "
    "FOXGLOVE GARLAND GOLDFINCH GREENLEAF HARKNESS HATHERSAGE HAWTHORNE HEATHCOTE HOLLOWAY INGLENOOK JESSAMINE "
    "KETTLEWELL LANGSTROTH LAVENDER LINDEN LOCKSMITH MARCHBANKS MERRIWEATHER MILLSTONE NETTLETON NIGHTINGALE "
    "OAKHURST ORCHARD PARTRIDGE PENHALIGON PERIWINKLE PLOUGHMAN QUILLFEATHER RAINFORD ROOKWOOD SADDLER SILVERTON "
    "SPARROW STARLING TANAGER THATCHER THISTLEWOOD TINKER UNDERHILL VALERIAN WAINWRIGHT WEATHERBY WHEELWRIGHT "
    "WILLOWBY WINTERBOURNE WOODRUFF YARROW"
).split()
GIVEN = (
    "ADA ALBERT AMOS ANNA ARTHUR BEATRICE BENJAMIN CELIA CHARLES CLARA CORA DANIEL DORA EDITH EDWIN ELLEN EMMA "
    "ETHEL FELIX FLORA FRANK GEORGE GRACE HARRIET HENRY HIRAM IDA IRVING JAMES JANE JOSEPH JULIA LAURA LEWIS "
    "LOUISE LUCY MABEL MARTIN MARY MINNIE NELLIE NORA OLIVER OSCAR PEARL PHILIP RALPH ROSE RUTH SAMUEL SARAH "
    "SILAS STELLA THOMAS VERA VICTOR WALTER WILLIAM"
).split()


@dataclass(frozen=True)
class RollRow:
    """A parcel on the roll with its shape."""

    swis: str
    print_key: str
    sbl: str
    town: str
    address: str
    prop_class: str
    roll_section: str
    land: int
    total: int
    owners: tuple[str, ...]
    shape: shapely.Polygon
    lot: str

    @property
    def town_row(self) -> str:
        """The name of the town that the parcel is in, whatever village it is in."""
        return BIRCH if self.town == CEDAR else self.town


@dataclass(frozen=True)
class Building:
    """A footprint with the parcel that it belongs to."""

    swis: str
    print_key: str
    shape: shapely.Polygon


class Names:
    """Full names, each given once."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def surname(self) -> str:
        """Any surname."""
        return pick(self._rng, SURNAMES)

    def person(self, surname: Optional[str] = None) -> str:
        """A name that nobody else has, surname first as on a roll."""
        while True:
            name = f"{surname or self.surname()} {pick(self._rng, GIVEN)} {chr(65 + int(self._rng.random() * 26))}"
            if name not in self._used:
                self._used.add(name)
                return name


def pick(rng: random.Random, things: Sequence[Thing]) -> Thing:
    """One of these; only `random()` is used, whose numbers no version of Python has changed."""
    return things[int(rng.random() * len(things))]


def make_roll(land: Land, names: Names, rng: random.Random) -> tuple[RollRow, ...]:
    """Every lot on the rolls of the two towns and of the village, the condominium as units that share one footprint."""
    rows: list[RollRow] = []
    for lot in land.lots:
        row = _row(lot, land.shapes[lot.key], names, rng)
        rows += _units(row, names, rng) if lot.key == CONDOMINIUM else [row]
    return tuple(rows)


def make_buildings(rows: Sequence[RollRow], lots: dict[str, Lot]) -> tuple[Building, ...]:
    """A building on every improved lot near its street, and the farm buildings set by hand."""
    result = []
    for row in rows:
        lot = lots[row.lot]
        if row.total > row.land and "/" not in row.print_key:
            west, south, east, north = lot.box
            depth = min(90, (north - south) // 4)
            size = (80, 50) if row.prop_class in ("411", "482", "484", "620", "662") else (44, 30)
            middle = ((west + east) // 2, north - depth if lot.faces_north else south + depth)
            result.append(Building(row.swis, row.print_key, rectangle(middle, size)))
    swis = {row.print_key: row.swis for row in rows}
    return tuple(result + [Building(swis[key], key, rectangle(middle, size)) for key, middle, size in FAR_BUILDINGS])


def share_inside(shape: shapely.Polygon, territory: shapely.Polygon) -> Fraction:
    """The part of an area inside, to nine decimals."""
    return Fraction(f"{shapely.intersection(shape, territory).area / shape.area:.9f}")


def dollars_inside(row: RollRow, territory: shapely.Polygon, buildings: Sequence[Building]) -> int:
    """The dollars of a parcel inside: land by area, buildings by where they stand, rounded half up."""
    if territory.covers(row.shape):
        return row.total
    if not territory.intersects(row.shape) or territory.touches(row.shape):
        return 0
    share = built = share_inside(row.shape, territory)
    own = [b.shape for b in buildings if (b.swis, b.print_key) == (row.swis, row.print_key)]
    if own:
        inside = sum(shapely.intersection(shape, territory).area for shape in own)
        built = Fraction(f"{inside / sum(shape.area for shape in own):.9f}")
    exact = row.land * share + (row.total - row.land) * built
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def _row(lot: Lot, shape: shapely.Polygon, names: Names, rng: random.Random) -> RollRow:
    acres = shape.area / SQUARE_FEET_AN_ACRE
    if lot.key in SPECIAL:
        prop_class, section, owner, land, building = SPECIAL[lot.key]
        owners: tuple[str, ...] = (owner,)
    else:
        section, land, building = "1", 14_000 + round(acres * 3_500), 110_000 + int(rng.random() * 130_000)
        prop_class = "210" if acres < 9 else "105"
        if lot.key in VACANT_BY_HAND or rng.random() < 0.11:
            prop_class, building = ("311" if acres < 9 else "323"), 0
        owners = _owners(names, rng)
    at_level = Fraction(RATES[lot.town]) / 100
    land_av, total_av = (int(value * at_level / 100) * 100 for value in (land, land + building))
    address = f"{lot.number} {lot.street.upper()}"
    return RollRow(
        ROLL_SWIS[lot.town],
        lot.key,
        lot.sbl,
        lot.town,
        address,
        prop_class,
        section,
        land_av,
        total_av,
        owners,
        shape,
        lot.key,
    )


def _owners(names: Names, rng: random.Random) -> tuple[str, ...]:
    """One owner, a couple, or three who inherited together."""
    chance, surname = rng.random(), names.surname()
    count = 1 if chance < 0.36 else 2 if chance < 0.93 else 3
    return tuple(names.person(surname) for _ in range(count))


def _units(row: RollRow, names: Names, rng: random.Random) -> list[RollRow]:
    """The units of a condominium on one lot: each its own parcel and value, no land value."""
    value = 4 * row.total // 500 * 100
    return [
        replace(
            row,
            print_key=f"{row.print_key}./{unit}",
            sbl=f"{row.sbl[:13]}{unit:03d}0000",
            address=f"{row.address} UNIT {unit}",
            prop_class="210C",
            land=0,
            total=value + 1_500 * unit,
            owners=_owners(names, rng),
        )
        for unit in range(1, UNITS + 1)
    ]
