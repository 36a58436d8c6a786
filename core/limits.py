"""What the territory itself must satisfy, § 2-200(1): area or a coterminous boundary, no city or village (rule 21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

import shapely

from .crs import WorkingCrs
from .model import Finding, InputError, TestResult
from .overlay import overlap_wider_than, width_pieces
from .territory import Territory, ground_text, near_shape, polygon_parts
from .topology import PolygonSet, boxes_meet, in_order, unusable_findings

if TYPE_CHECKING:
    from .editions import Edition

GROUNDS = ("a", "b", "c", "d")
CURVE = 64
"""Segments to a quarter circle of a buffer, which then falls short of its width by less than a ten-thousandth."""
ALLOWANCE = 1 + 1e-4


@dataclass(frozen=True)
class _Claim:
    """Whether an alleged coterminous ground holds, None where an input to check it is missing, and the sentence why."""

    holds: Optional[bool]
    reason: str
    too_many_towns: bool = False


def area_test(
    territory: Territory,
    crs: WorkingCrs,
    tolerance: float,
    towns: Mapping[str, Any],
    names: Mapping[str, str],
    districts: Optional[PolygonSet],
    ground: str,
    district_ids: Sequence[str],
    edition: Edition,
) -> tuple[TestResult, tuple[Finding, ...]]:
    """The test `area` with findings V-03 (ground that does not hold: error; that could not be checked: warning),
    V-04 (the limit), V-06 (several towns), V-38.

    `towns` are shapes by town code, `names` their names; `ground` is the alleged a, b, c or d, "" where none is;
    `district_ids` the districts that the petition names. Raises `InputError` for an id that no district has.
    """
    claim = None
    findings: list[Finding] = []
    if ground in ("b", "c", "d"):
        claim = _claim(territory, crs, tolerance, towns, names, districts, ground, district_ids)
        if districts is not None and ground != "d":
            named = districts.taken([row for row, one in enumerate(districts.ids) if one in set(district_ids)])
            findings.extend(unusable_findings(named, "district", territory, edition))
        if claim.too_many_towns:
            findings.append(Finding("V-06", "error", claim.reason, citation=edition.citation("V-06")))
        if not claim.holds:
            unknown = claim.holds is None
            told = "could not be checked" if unknown else "does not hold"
            message = f"The petition alleges area ground {ground}, which {told}: {claim.reason}"
            severity = "warning" if unknown else "error"
            findings.append(Finding("V-03", severity, message, citation=edition.citation("V-03")))
    result = area_result(
        territory.facts.square_miles, claim.holds if claim else False, claim.reason if claim else "", edition
    )
    findings.extend(_limit_findings(result, edition))
    return result, tuple(findings)


def area_result(square_miles: Fraction, coterminous: Optional[bool], reason: str, edition: Edition) -> TestResult:
    """The test `area` from square miles as printed: within the limit, or coterminous as alleged (rule 21).

    `coterminous` is None where the alleged ground could not be checked; `reason` is the sentence about it.
    """
    limit = edition.number("area_maximum_square_miles")
    size = f"{_miles(square_miles)} square miles"
    if square_miles <= limit:
        status, why = "pass", f"The territory has {size}, not more than {_plain(limit)}."
    elif coterminous:
        status, why = "pass", f"The territory has {size}, more than {_plain(limit)}, but is coterminous: {reason}"
    elif coterminous is None:
        status, why = "undecided", f"The territory has {size}, more than {_plain(limit)}. {reason}"
    else:
        status, why = "fail", f"The territory has {size}, more than {_plain(limit)}. {reason}".rstrip()
    return TestResult(
        id="area",
        status=status,
        reason=why,
        value=square_miles,
        low=square_miles,
        high=square_miles,
        threshold=limit,
        comparison=edition.comparison("area_maximum_square_miles"),
        citation=edition.citation("area"),
    )


def city_village_test(
    territory: Territory, cities: Optional[PolygonSet], tolerance: float, crs: WorkingCrs, edition: Edition
) -> tuple[TestResult, tuple[Finding, ...]]:
    """The test `city_village` with a V-05 for each city or village of which more than a sliver is in the territory.

    Touching passes. Without the layer the test is not applicable; a polygon that cannot be used leaves it undecided.
    """
    citation = edition.citation("city_village")
    if cities is None:
        reason = "No layer of cities and villages was given."
        return TestResult("city_village", "not_applicable", reason, citation=citation), ()
    findings = list(unusable_findings(cities, "city or village", territory, edition))
    overlapped = []
    for row in range(len(cities)):
        shape = cities.shapes[row]
        if cities.problems[row] or not overlap_wider_than(territory.shape, shape, tolerance):
            continue
        name = f"{cities.kinds[row] or 'city or village'} of {cities.names[row]}"
        overlapped.append(f"the {name}")
        shared = shapely.intersection(territory.shape, shape)
        largest = max(polygon_parts([shared])[0], key=shapely.area)
        message = (
            f"The territory takes in {ground_text(shapely.area(shared), crs)} of the {name}, {near_shape(largest)}. "
            "It may not include part of a city or village."
        )
        findings.append(Finding("V-05", "error", message, swis=cities.swis[row], citation=edition.citation("V-05")))
    if overlapped:
        status, reason = "fail", f"The territory overlaps {', '.join(sorted(set(overlapped)))}."
    elif findings:
        status, reason = "undecided", "A polygon of a city or village near the territory cannot be used."
    else:
        status, reason = "pass", "The territory overlaps no city or village."
    return TestResult("city_village", status, reason, citation=citation), tuple(findings)


# The limit


def _limit_findings(result: TestResult, edition: Edition) -> list[Finding]:
    """V-04: an error repeats a failed test, a warning says that the area is close to the limit."""
    citation = edition.citation("V-04")
    if result.status == "fail":
        return [Finding("V-04", "error", result.reason, citation=citation)]
    if result.value is None or result.threshold is None:
        return []
    margin = edition.number("area_margin")
    if abs(result.value - result.threshold) > margin * result.threshold:
        return []
    message = (
        f"The territory has {_miles(result.value)} square miles, within {_plain(margin * 100)} % of the limit of "
        f"{_plain(result.threshold)}. A more exact survey may decide otherwise."
    )
    return [Finding("V-04", "warning", message, citation=citation)]


def _miles(value: Fraction) -> str:
    return f"{value.numerator * 10**6 // value.denominator / 10**6:,.6f}"


def _plain(value: Fraction) -> str:
    """A number of the edition data as people write it: 5, 0.5."""
    return f"{float(value):,.6f}".rstrip("0").rstrip(".")


# Coterminous, § 2-200(1)(b) to (d)


def _claim(
    territory: Territory,
    crs: WorkingCrs,
    tolerance: float,
    towns: Mapping[str, Any],
    names: Mapping[str, str],
    districts: Optional[PolygonSet],
    ground: str,
    district_ids: Sequence[str],
) -> _Claim:
    if ground == "d":
        candidates = {f"the town {names.get(code, code)}": shape for code, shape in sorted(towns.items())}
        return _one_of(territory, crs, tolerance, candidates, "no town")
    if districts is None:
        return _Claim(None, "No layer of districts was given.")
    if not district_ids:
        return _Claim(False, "The petition names no district.")
    unknown = sorted(set(district_ids) - set(districts.ids))
    if unknown:
        raise InputError(
            *(f"petition.json: no row of the districts has the ID “{one}”. Correct “districts”." for one in unknown)
        )
    named = {one: [row for row, other in enumerate(districts.ids) if other == one] for one in sorted(set(district_ids))}
    broken = [one for one, rows in named.items() if any(districts.problems[row] for row in rows)]
    if broken:
        return _Claim(None, f"The polygon of the district {broken[0]} cannot be used.")
    shapes = {f"the district {one}": shapely.union_all(in_order(districts.shapes[rows])) for one, rows in named.items()}
    if ground == "b":
        return _one_of(territory, crs, tolerance, shapes, "no district")
    town_codes = {districts.swis[row][:4] for rows in named.values() for row in rows}
    return _parts_of_several(territory, crs, tolerance, shapes, town_codes, towns, names)


def _one_of(
    territory: Territory, crs: WorkingCrs, tolerance: float, candidates: Mapping[str, Any], nothing: str
) -> _Claim:
    """Grounds b and d: every piece of the symmetric difference to one of these is at most the tolerance wide."""
    closest: Optional[tuple[float, str, Any]] = None
    for name, shape in candidates.items():
        if not boxes_meet(shape, territory.shape):
            continue
        difference = shapely.symmetric_difference(territory.shape, shape)
        if width_pieces(difference) <= tolerance:
            return _Claim(True, f"its boundary is that of {name}.")
        if closest is None or shapely.area(difference) < closest[0]:
            closest = (float(shapely.area(difference)), name, difference)
    if closest is None:
        return _Claim(False, f"{nothing} lies there.")
    area, name, difference = closest
    largest = max(polygon_parts([difference])[0], key=shapely.area)
    return _Claim(False, f"the territory and {name} differ by {ground_text(area, crs)}, mostly {near_shape(largest)}.")


def _parts_of_several(
    territory: Territory,
    crs: WorkingCrs,
    tolerance: float,
    shapes: Mapping[str, Any],
    town_codes: set[str],
    towns: Mapping[str, Any],
    names: Mapping[str, str],
) -> _Claim:
    """Ground c: the boundary runs along boundaries of several districts, all wholly inside and within one town."""
    if len(shapes) < 2:
        return _Claim(False, "The petition names one district; this ground needs more than one.")
    within = sorted(code for code, shape in towns.items() if overlap_wider_than(territory.shape, shape, tolerance))
    if len(town_codes | set(within)) > 1:
        listed = ", ".join(names.get(code, code) for code in sorted(town_codes | set(within)))
        return _Claim(False, f"The territory and its districts are in more than one town: {listed}.", True)
    for name, shape in shapes.items():
        beyond = shapely.difference(shape, territory.shape)
        if width_pieces(beyond) > tolerance:
            area = ground_text(shapely.area(beyond), crs)
            return _Claim(False, f"{area} of {name} lie outside the territory.")
    lines = shapely.union_all([shapely.boundary(shape) for shape in shapes.values()])
    band = shapely.buffer(lines, tolerance * ALLOWANCE, quad_segs=CURVE)
    astray = shapely.difference(shapely.boundary(territory.shape), band)
    if not shapely.is_empty(astray):
        feet = f"{shapely.length(astray) * crs.unit_m / 0.3048:,.1f}"
        return _Claim(False, f"{feet} ft of the boundary lie on no boundary of a named district.")
    return _Claim(True, f"its boundary runs along those of {', '.join(shapes)}.")
