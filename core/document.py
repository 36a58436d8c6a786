"""What an analysis leaves behind: `analysis.json`, `parcels.csv` and `parcels.gpkg`."""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Optional

from .model import (
    Alternative,
    Analysis,
    Finding,
    InputError,
    Ownership,
    Parcel,
    Part,
    Requirement,
    SignerResult,
    TestResult,
)

SCHEMA = 1
PARCEL_COLUMNS = (
    "swis",
    "print_key",
    "class",
    "share",
    "value",
    "inside",
    "outside",
    "method",
    "confirmed",
    "owners",
    "signed_owners",
    "credit",
)
FILES = ("analysis.json", "parcels.csv", "parcels.gpkg")

Json = dict[str, Any]


def as_dict(analysis: Analysis) -> Json:
    """The analysis as `analysis.json` has it: dollars as numbers, fractions as "n/d" in lowest terms."""
    facts, proof = analysis.territory, analysis.proof
    return {
        "schema": SCHEMA,
        "edition": analysis.edition,
        "bases": list(analysis.bases),
        "transition": None if analysis.transition is None else dict(analysis.transition),
        "rules_sha256": analysis.rules_sha256,
        "verdict": analysis.verdict,
        "certifiable": analysis.certifiable,
        "territory": {
            "square_miles": decimals(facts.square_miles, 6),
            "parts": facts.parts,
            "holes": facts.holes,
            "corners": facts.corners,
            "perimeter_feet": facts.perimeter_feet,
        },
        "crs": analysis.crs,
        "operations": [
            {
                "layer": operation.layer,
                "from": operation.source_crs,
                "to": operation.target_crs,
                "name": operation.name,
                "accuracy_m": operation.accuracy_m,
            }
            for operation in analysis.operations
        ],
        "sliver_width_ft": analysis.sliver_width_ft,
        "proof": {name: getattr(proof, name) for name in proof.__dataclass_fields__},
        "parts": [_part(part) for part in analysis.parts],
        "tests": [_test(test) for test in analysis.tests],
        "requirements": [_requirement(item) for item in analysis.requirements],
        "parcels": parcel_rows(analysis),
        "signers": [_signer(signer) for signer in analysis.signers],
        "findings": [_finding(finding) for finding in analysis.findings],
        "alternatives": {name: _alternative(other) for name, other in sorted(analysis.alternatives.items())},
    }


def as_json(analysis: Analysis) -> str:
    """The text of `analysis.json`."""
    return json.dumps(as_dict(analysis), ensure_ascii=False, indent=1) + "\n"


def parcel_rows(analysis: Analysis) -> list[Json]:
    """One mapping a listed parcel, with the keys of `PARCEL_COLUMNS`, in the order of the analysis."""
    return [_parcel(parcel, analysis.ownership.get(parcel.key)) for parcel in analysis.parcels]


def fraction(value: Optional[Fraction]) -> Optional[str]:
    """ "n/d" in lowest terms, always with the denominator; None stays None."""
    return None if value is None else f"{value.numerator}/{value.denominator}"


def decimals(value: Fraction, places: int) -> str:
    """A non-negative number that has at most `places` decimals, written with all of them."""
    scaled = value * 10**places
    whole, part = divmod(scaled.numerator // scaled.denominator, 10**places)
    return f"{whole}.{part:0{places}d}"


def write(analysis: Analysis, folder: str) -> tuple[str, ...]:
    """Write the three files into `folder`, made where missing, all of them or none; gives their paths.

    Raises `InputError` where the folder cannot be written to.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target, prefix=".writing-") as scratch:
            rows = parcel_rows(analysis)
            _write_text(Path(scratch, "analysis.json"), as_json(analysis))
            _write_text(Path(scratch, "parcels.csv"), parcels_csv(rows))
            _write_shapes(Path(scratch, "parcels.gpkg"), analysis, rows)
            for name in FILES:
                os.replace(os.path.join(scratch, name), target / name)
    except OSError as error:
        raise InputError(
            f"{target.name}: results cannot be written there ({error.strerror or error}). Choose another folder."
        ) from error
    return tuple(str(target / name) for name in FILES)


def parcels_csv(rows: Sequence[Json]) -> str:
    """The listed parcels as comma separated text with a heading; nothing stands for null."""
    text = io.StringIO()
    table = csv.DictWriter(text, PARCEL_COLUMNS, lineterminator="\n")
    table.writeheader()
    for row in rows:
        table.writerow({**row, "confirmed": "true" if row["confirmed"] else "false"})
    return text.getvalue()


def _write_text(path: Path, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)


def _write_shapes(path: Path, analysis: Analysis, rows: Sequence[Json]) -> None:
    import geopandas
    import shapely

    shapes = [analysis.shapes.get((row["swis"], row["print_key"])) for row in rows]
    multi = [
        shapely.multipolygons([shape]) if shape is not None and shape.geom_type == "Polygon" else shape
        for shape in shapes
    ]
    columns = {name: [row[name] for row in rows] for name in PARCEL_COLUMNS}
    for name in ("value", "inside", "outside", "owners"):
        columns[name] = _nullable(columns[name])
    frame = geopandas.GeoDataFrame(columns, geometry=geopandas.GeoSeries(multi, dtype="geometry"), crs=analysis.crs_wkt)
    frame.to_file(str(path), driver="GPKG", layer="parcels")


def _nullable(values: list[Optional[int]]) -> Any:
    import pandas

    return pandas.array(values, dtype="Int64")


def _parcel(parcel: Parcel, ownership: Optional[Ownership]) -> Json:
    inside = parcel.inside or 0
    return {
        "swis": parcel.swis,
        "print_key": parcel.print_key,
        "class": parcel.place,
        "share": None if parcel.share is None else decimals(parcel.share, 9),
        "value": parcel.value,
        "inside": parcel.inside,
        "outside": parcel.outside,
        "method": parcel.method,
        "confirmed": parcel.confirmed,
        "owners": None if ownership is None else ownership.count,
        "signed_owners": 0 if ownership is None else ownership.signed,
        "credit": "0/1" if ownership is None or not ownership.signed else fraction(inside * ownership.share),
    }


def _part(part: Part) -> Json:
    rate = part.rate
    return {
        "town": part.town,
        "swis": part.swis,
        "rate": None if rate is None else rate.text,
        "roll_year": None if rate is None else rate.roll_year,
        "value": part.value,
        "signed": fraction(part.signed),
        "full_value": fraction(part.full_value),
        "signed_full_value": fraction(part.signed_full_value),
        "share": fraction(part.share),
    }


def _test(test: TestResult) -> Json:
    return {
        "id": test.id,
        "status": test.status,
        "reason": test.reason,
        "value": fraction(test.value),
        "low": fraction(test.low),
        "high": fraction(test.high),
        "threshold": fraction(test.threshold),
        "comparison": test.comparison,
        "citation": test.citation,
    }


def _requirement(item: Requirement) -> Json:
    return {"id": item.id, "status": item.status, "reason": item.reason, "citation": item.citation}


def _signer(signer: SignerResult) -> Json:
    return {
        "page": signer.page,
        "line": signer.line,
        "name": signer.name,
        "status": signer.status,
        "credits": {town: fraction(credit) for town, credit in sorted(signer.credits.items())},
    }


def _finding(finding: Finding) -> Json:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "swis": finding.swis,
        "print_key": finding.print_key,
        "citation": finding.citation,
    }


def _alternative(other: Alternative) -> Json:
    return {
        "parts": [_part(part) for part in other.parts],
        "tests": [_test(test) for test in other.tests],
        "verdict": other.verdict,
        "flips": other.flips,
    }
