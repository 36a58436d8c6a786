"""A small world in memory: parcels, towns and tables from short plain data, so that a test reads like its rule.

Coordinates are US survey feet from a corner of EPSG:2262, so 10 ft parcels can stand at 0 to 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
import shapely

from village_petition.core import analysis as analyses
from village_petition.core.document import as_dict, as_json
from village_petition.core.model import Analysis, Layer, Table
from village_petition.core.parcel_source import MemoryParcels

ORIGIN = (930_000.0, 890_000.0)
CRS = "EPSG:2262"
POMFRET, DUNKIRK = "065800", "066800"
FIELDS = {
    "SWIS": "swis",
    "PRINT_KEY": "key",
    "TOTAL_AV": "total",
    "LAND_AV": "land",
    "ROLL_SECTION": "section",
    "ROLL_YR": "year",
    "PROP_CLASS": "kind",
    "PRIMARY_OWNER": "owner",
    "ADD_OWNER": "other",
}


@dataclass(frozen=True)
class Lot:
    """One row of the parcel layer: a shape, None without one, and what the roll says."""

    key: Optional[str]
    shape: Any
    total: Any = 100_000
    owner: Optional[str] = "ANN"
    swis: Optional[str] = POMFRET
    land: Any = None
    section: str = "1"
    year: str = "2022"
    kind: str = "210"
    other: Optional[str] = None


def box(left: float, bottom: float, right: float, top: float) -> Any:
    """A rectangle."""
    return shapely.box(left, bottom, right, top)


def polygon(*corners: tuple[float, float], holes: Sequence[Sequence[tuple[float, float]]] = ()) -> Any:
    """A polygon of these corners, valid or not."""
    return shapely.Polygon(corners, holes)


BOW_TIE = polygon((0, 0), (2, 2), (2, 0), (0, 2))


def moved(shape: Any, dx: float, dy: float) -> Any:
    """The shape at another place."""
    return None if shape is None else shapely.transform(shape, lambda xy: xy + (dx, dy))


def shapes(some: Iterable[Any]) -> Any:
    """An array of shapes at their place in EPSG:2262."""
    placed = [moved(shape, *ORIGIN) for shape in some]
    array = np.empty(len(placed), dtype=object)
    array[:] = placed
    return array


def texts(values: Iterable[Any]) -> Any:
    """An object array of cells as they come from a file."""
    values = list(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def table(source: str, text: str) -> Table:
    """A table from lines of comma separated text, the first being the heading."""
    lines = [tuple(cell.strip() for cell in line.split(",")) for line in text.strip().splitlines()]
    return Table(source, lines[0], tuple(lines[1:]), tuple(range(2, len(lines) + 1)))


@dataclass(frozen=True)
class Outcome:
    """An analysis, read as `analysis.json` has it."""

    analysis: Analysis
    json: Mapping[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """The bytes that must not depend on any order."""
        return as_json(self.analysis)

    @property
    def verdict(self) -> str:
        return str(self.json["verdict"])

    @property
    def proof(self) -> Mapping[str, Any]:
        return self.json["proof"]  # type: ignore[no-any-return]

    def counts(self) -> tuple[int, int, int, int]:
        """Keys inside, split, outside and set aside."""
        proof = self.proof
        return proof["inside"], proof["split"], proof["outside"], proof["set_aside"]

    def dollars(self) -> tuple[int, int, int, int]:
        """Value inside, outside, set aside and total."""
        proof = self.proof
        return proof["value_inside"], proof["value_outside"], proof["value_set_aside"], proof["value_total"]

    def keys(self) -> list[str]:
        """Print keys of the listed parcels."""
        return [parcel["print_key"] for parcel in self.json["parcels"]]

    def parcel(self, key: str) -> Mapping[str, Any]:
        """The one listed parcel of this print key."""
        (found,) = [parcel for parcel in self.json["parcels"] if parcel["print_key"] == key]
        return found

    def test(self, test: str) -> Mapping[str, Any]:
        (found,) = [one for one in self.json["tests"] if one["id"] == test]
        return found

    def part(self, swis: str = POMFRET) -> Mapping[str, Any]:
        (found,) = [part for part in self.json["parts"] if part["swis"] == swis]
        return found

    def found(self, code: str) -> list[tuple[str, str, str]]:
        """Severity, SWIS and print key of each finding of a code."""
        return [
            (finding["severity"], finding["swis"], finding["print_key"])
            for finding in self.json["findings"]
            if finding["code"] == code
        ]

    def messages(self, code: str) -> list[str]:
        return [finding["message"] for finding in self.json["findings"] if finding["code"] == code]


Towns = Mapping[str, tuple[str, Any]]


class World:
    """What one analysis starts from. `analyze` runs it; everything may be changed before."""

    def __init__(
        self,
        lots: Sequence[Lot],
        territory: Any,
        *,
        towns: Optional[Towns] = None,
        rates: Optional[Mapping[str, str]] = None,
        signers: Optional[Sequence[str]] = None,
        owners: Optional[Mapping[str, Sequence[str]]] = None,
        overrides: Sequence[str] = (),
        unmapped: Sequence[str] = (),
        inhabitants: Sequence[str] = (),
        cities: Sequence[tuple[str, str, str, Any]] = (),
        buildings: Optional[Sequence[Any]] = None,
        petition: Optional[Mapping[str, Any]] = None,
        edition: str = "2004",
        sliver_width_ft: str = "1.0",
        fields: Optional[Mapping[str, str]] = None,
        crs: str = CRS,
    ) -> None:
        self.lots = list(lots)
        self.territory = list(territory) if isinstance(territory, (list, tuple)) else [territory]
        self.towns = dict(towns or {POMFRET: ("Pomfret", box(-1000, -1000, 1000, 1000))})
        self.rates = dict(rates or dict.fromkeys(self.towns, "50.00"))
        self.signers, self.owners = signers, owners
        self.overrides, self.unmapped, self.inhabitants = list(overrides), list(unmapped), list(inhabitants)
        self.cities, self.buildings = list(cities), buildings
        self.petition, self.edition, self.sliver_width_ft = petition, edition, sliver_width_ft
        self.fields, self.crs = dict(fields or {}), crs

    def parcels(self) -> MemoryParcels:
        columns = {name: texts(getattr(lot, attribute) for lot in self.lots) for name, attribute in FIELDS.items()}
        return MemoryParcels("parcels.gpkg", self.crs, columns, shapes(lot.shape for lot in self.lots))

    def inputs(self) -> analyses.Inputs:
        """The inputs, each table and layer in the order in which it was given."""
        return analyses.Inputs(
            parcels=self.parcels(),
            towns=self._layer(
                "towns.gpkg",
                {"NAME": [name for name, _ in self.towns.values()], "SWIS": list(self.towns)},
                [shape for _, shape in self.towns.values()],
            ),
            territory=self._layer("territory.gpkg", {}, self.territory),
            rates=table(
                "rates.csv",
                "swis,town,rate,roll_year,final_roll_filed,kind\n"
                + "\n".join(
                    f"{swis},{self.towns.get(swis, (swis,))[0]},{rate},2022,2022-07-01,state"
                    for swis, rate in self.rates.items()
                ),
            ),
            owners=self._owners(),
            signers=self._signers(),
            inhabitants=self._rows(
                "inhabitants.csv", "name,address,town,swis,print_key,adult,qualified,signed", self.inhabitants
            ),
            unmapped=self._rows(
                "roll_without_polygon.csv",
                "swis,print_key,town,roll_section,total_av,land_av,owner,inside_value,reason",
                self.unmapped,
            ),
            overrides=self._rows(
                "overrides.csv", "swis,print_key,inside_value,reason,by,date,total_av", self.overrides
            ),
            buildings=None if self.buildings is None else self._layer("buildings.gpkg", {}, self.buildings),
            cities_villages=self._cities(),
            petition=self.petition,
            edition=self.edition,
            fields=self.fields,
            sliver_width_ft=self.sliver_width_ft,
        )

    def analyze(self) -> Outcome:
        analysis = analyses.analyze(self.inputs())
        return Outcome(analysis, as_dict(analysis))

    def _layer(self, source: str, columns: Mapping[str, Sequence[Any]], some: Sequence[Any]) -> Layer:
        return Layer(source, CRS, {name: texts(values) for name, values in columns.items()}, shapes(some))

    def _cities(self) -> Optional[Layer]:
        if not self.cities:
            return None
        names = ("NAME", "KIND", "SWIS")
        columns = {name: [row[place] for row in self.cities] for place, name in enumerate(names)}
        return self._layer("cities_villages.gpkg", columns, [row[3] for row in self.cities])

    def _rows(self, source: str, heading: str, rows: Sequence[str]) -> Optional[Table]:
        if not rows:
            return None
        commas = heading.count(",")
        filled = [row + "," * (commas - row.count(",")) for row in rows]
        return table(source, "\n".join([heading, *filled]))

    def _owners(self) -> Optional[Table]:
        if self.owners is None:
            return None
        swis = {lot.key: lot.swis for lot in self.lots}
        rows = [f"{swis.get(key, POMFRET)},{key},{name}" for key, names in self.owners.items() for name in names]
        return table("owners.csv", "\n".join(["swis,print_key,owner", *rows]))

    def _signers(self) -> Optional[Table]:
        if self.signers is None:
            return None
        rows = [f"1,{line},{name},1 Elm St,Pomfret,2023-05-01" for line, name in enumerate(self.signers, 1)]
        return table("signers.csv", "\n".join(["page,line,name,address,town,date", *rows]))


def override(key: str, inside: Union[int, str], total: str = "", swis: str = POMFRET) -> str:
    """A row of overrides.csv."""
    return f"{swis},{key},{inside},agreed on site,A. ASSESSOR,2023-06-01,{total}"


def unmapped(key: str, total: int, inside: str = "", owner: str = "POWER CO", swis: str = POMFRET) -> str:
    """A row of roll_without_polygon.csv."""
    return f"{swis},{key},Pomfret,5,{total},,{owner},{inside},{'line miles' if inside else ''}"


CASE = {
    "parcels": "parcels.gpkg",
    "towns": "towns.gpkg",
    "territory": "territory.gpkg",
    "rates": "rates.csv",
    "owners": "owners.csv",
    "signers": "signers.csv",
    "inhabitants": "inhabitants.csv",
    "buildings": "buildings.gpkg",
    "cities_villages": "cities_villages.gpkg",
    "unmapped": "roll_without_polygon.csv",
    "overrides": "overrides.csv",
}
"""The files of a case by role, as the sample and the lakeshore case have them."""


def case_paths(folder: Path) -> dict[str, str]:
    """The files of the case in a folder by role."""
    return {role: str(folder / name) for role, name in CASE.items()}


def case_arguments(folder: Path) -> list[str]:
    """The same as options of the command line."""
    return [text for role, path in case_paths(folder).items() for text in (f"--{role.replace('_', '-')}", path)]
