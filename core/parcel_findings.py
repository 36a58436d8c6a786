"""What is said of the shapes, rows and values of the parcels near the territory: V-35, V-36 and V-38 to V-43."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np
import shapely

from .editions import Edition
from .figures import count, dollars
from .model import Finding, Parcel, ParcelKey
from .overlay import INSIDE, OUTSIDE, SPLIT, UNUSABLE, exact_share, neighbours_among, overlapping_pairs
from .parcels import NearParcels
from .roll import DIFFER, MISSING, OK, UNREADABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .model import Geometries, Rows
    from .overlay import Positions

MOST_NAMED = 12


def roll_findings(
    near: NearParcels, positions: Sequence[int], settled: Collection[ParcelKey], edition: Edition
) -> list[Finding]:
    """V-38, V-39, V-40 and V-43 of the listed parcels, and one V-39 and V-40 for all that lie outside.

    `settled` are keys with the assessor's own figure, of which a shape, value or rows at fault are but a warning.
    """
    entries, placement = near.entries, near.placement
    rows = list(positions)
    findings: list[Finding] = []

    def say(code: str, severity: str, message: str, index: int) -> None:
        key = (str(entries.swis[index]), str(entries.print_key[index]))
        findings.append(Finding(code, severity, message, *key, edition.citation(code)))

    def set_aside(code: str, problem: str, index: int, until: str = "") -> None:
        if (entries.swis[index], entries.print_key[index]) in settled:
            say(code, "warning", f"{problem} The assessor's own figure counts instead.", index)
        else:
            say(code, "error", f"{problem} The parcel is set aside{until}.", index)

    for index in _where(rows, placement.place == UNUSABLE):
        set_aside("V-38", f"The shape cannot be used: {placement.problem[index]}.", index)
    for index in _where(rows, entries.total_state == MISSING):
        set_aside("V-39", "The roll has no assessed value.", index, " until a value is filled in")
    for index in _where(rows, entries.total_state == UNREADABLE):
        set_aside("V-39", f"The assessed value “{entries.total_text[index]}” cannot be read as dollars.", index)
    for index in _where(rows, (entries.land_state == UNREADABLE) & (placement.place == SPLIT)):
        text = f"The land value “{entries.land_text[index]}” cannot be read as dollars; it is not used."
        say("V-39", "warning", text, index)
    for index in _where(rows, entries.row_count > 1):
        number = int(entries.row_count[index])
        if entries.total_state[index] == DIFFER:
            set_aside("V-40", f"{number} rows have this key and differ in value, section, year or owners.", index)
        else:
            say("V-40", "info", f"{number} rows have this key and agree: one parcel, its value counts once.", index)
    for index in _where(rows, _land_above_total(near)):
        land, total = int(entries.land[index]), int(entries.total[index])
        say(
            "V-43",
            "warning",
            f"The land value {dollars(land)} is above the total value {dollars(total)}; the land value is not used.",
            index,
        )
    findings += _outside_findings(near, rows, edition)
    return findings


def _where(rows: Sequence[int], mask: Any) -> list[int]:
    return [row for row, chosen in zip(rows, np.asarray(mask)[list(rows)].tolist()) if chosen]


def _land_above_total(near: NearParcels) -> Any:
    entries = near.entries
    return (entries.land_state == OK) & (entries.total_state == OK) & (entries.land > entries.total)


def _outside_findings(near: NearParcels, rows: Sequence[int], edition: Edition) -> list[Finding]:
    unlisted = np.ones(len(near.entries.codes), dtype=bool)
    unlisted[list(rows)] = False
    without = near.far.without_value + int(np.count_nonzero(unlisted & (near.entries.total_state != OK)))
    repeated = near.far.repeated + int(np.count_nonzero(unlisted & (near.entries.row_count > 1)))
    findings = []
    if without:
        text = f"{count(without, 'parcel')} outside without a usable assessed value: counted as 0 in the value outside."
        findings.append(Finding("V-39", "info", text, citation=edition.citation("V-39")))
    if repeated:
        text = f"{count(repeated, 'key')} outside the territory in more than one row; each is counted once."
        findings.append(Finding("V-40", "info", text, citation=edition.citation("V-40")))
    return findings


def keyless_findings(near: NearParcels, edition: Edition) -> list[Finding]:
    """V-36: polygons without a key that meet the territory, each named by a point on it; rows with neither."""
    citation = edition.citation("V-36")
    places: Counter[str] = Counter()
    for shape in near.keyless:
        place = (
            shapely.point_on_surface(shape) if shapely.is_valid(shape) else shapely.box(*shapely.bounds(shape)).centroid
        )
        places[f"{round(place.x):,} {round(place.y):,}"] += 1
    findings = []
    for where, number in sorted(places.items()):
        text = (
            f"A polygon without parcel key at {where} meets the territory and is in no class. Give it its key or"
            " remove it."
        )
        if number > 1:
            text = (
                f"{number:,} polygons without parcel key at {where} meet the territory and are in no class. Give them"
                " their keys or remove them."
            )
        findings.append(Finding("V-36", "error", text, citation=citation))
    if near.keyless_without_shape:
        text = (
            f"{near.keyless_without_shape:,} rows have neither a parcel key nor a polygon; nothing can be said of them."
        )
        findings.append(Finding("V-36", "warning", text, citation=citation))
    return findings


def sliver_findings(near: NearParcels, edition: Edition) -> tuple[list[Finding], list[ParcelKey]]:
    """V-41: parcels that the sliver rule moved wholly inside or outside, with their dollars; and their keys."""
    entries, placement = near.entries, near.placement
    findings, keys = [], []
    for index in np.flatnonzero(placement.moved).tolist():
        share = exact_share(float(placement.moved_share[index]))
        out = placement.place[index] == OUTSIDE
        part = share if out else 1 - share
        known = entries.total_state[index] == OK
        total = int(entries.total[index]) if known else 0
        notable = known and (
            part * total > edition.number("sliver_warning_share") * total
            or part * total > edition.whole("sliver_warning_dollars")
        )
        weight = f"{dollars(part * total)} of {dollars(total)} by area" if known else "its value is not known"
        text = (
            f"Only slivers {'inside' if out else 'outside'}: counted wholly {'outside' if out else 'inside'}, {weight}."
        )
        key = (str(entries.swis[index]), str(entries.print_key[index]))
        findings.append(Finding("V-41", "warning" if notable else "info", text, *key, edition.citation("V-41")))
        keys.append(key)
    return findings, keys


def stacked_findings(parcels: Sequence[Parcel], groups: Iterable[Any], edition: Edition) -> list[Finding]:
    """V-42: units that share one footprint, named together under the first of them."""
    findings = []
    for group in groups:
        units = sorted(parcels[index].key for index in group.tolist())
        named = ", ".join(key for _, key in units[:MOST_NAMED])
        more = f" and {len(units) - MOST_NAMED} more" if len(units) > MOST_NAMED else ""
        text = f"{len(units)} units share one footprint: {named}{more}; each counts with its own value."
        swis, print_key = units[0]
        findings.append(Finding("V-42", "info", text, swis, print_key, edition.citation("V-42")))
    return findings


class Overlaps(NamedTuple):
    """Pairs of keys, by their codes in the roll, that cover the same ground wider than the tolerance, and its area."""

    first: Rows
    second: Rows
    area: NDArray[np.float64]


def overlaps_among(codes: Rows, shapes: Geometries, tolerance: float) -> Overlaps:
    """The overlaps of the shapes of these keys, which are in key order; areas in square units."""
    return _measured(codes, shapes, overlapping_pairs(shapes, tolerance))


def overlaps_beside(near: NearParcels, tolerance: float, pool: Executor) -> Callable[[], Overlaps]:
    """The overlaps of the parcels that meet the territory, whose long part runs in `pool` until they are asked for."""
    met = met_territory(near)
    codes, shapes = near.entries.codes[met], near.shapes[met]
    neighbours = neighbours_among(shapes, tolerance)
    touching = pool.submit(neighbours.touching)
    return lambda: _measured(codes, shapes, neighbours.overlapping(touching.result(), tolerance))


def met_territory(near: NearParcels) -> Positions:
    """The parcels with ground inside, slivers or not."""
    return np.flatnonzero(np.isin(near.placement.place, (INSIDE, SPLIT)) | near.placement.moved)


def _measured(codes: Rows, shapes: Geometries, pairs: tuple[Positions, Positions]) -> Overlaps:
    first, second = pairs
    areas = shapely.area(shapely.intersection(shapes[first], shapes[second]))
    return Overlaps(codes[first], codes[second], areas)


def overlap_findings(
    near: NearParcels, tolerance: float, square_feet: float, edition: Edition, known: Optional[Overlaps] = None
) -> list[Finding]:
    """V-35: two parcels that cover the same ground in part, wider than the tolerance; each keeps its own share.

    Only parcels that meet the territory are compared, slivers or not. `square_feet` are those of a square unit of the
    CRS. `known` are overlaps found before among all these parcels and others.
    """
    met = met_territory(near)
    codes = near.entries.codes[met]
    found = overlaps_among(codes, near.shapes[met], tolerance) if known is None else known
    both = np.isin(found.first, codes) & np.isin(found.second, codes)
    key_of = {code: near.key(place) for code, place in zip(codes.tolist(), met.tolist())} if both.any() else {}
    findings = []
    for one, other, area in zip(found.first[both].tolist(), found.second[both].tolist(), found.area[both].tolist()):
        swis, print_key = key_of[one]
        size = f"{area * square_feet:,.0f} sq ft"
        text = f"Overlaps parcel {' '.join(key_of[other])} by {size}; each keeps its own share."
        findings.append(Finding("V-35", "warning", text, swis, print_key, edition.citation("V-35")))
    return findings
