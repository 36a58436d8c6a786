"""The equation that every roll row and every dollar must satisfy (rule 24)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .assembly import Assembled
from .model import Parcel, Part, Proof, ProofError, UnmappedRow
from .parcels import NearParcels
from .roll import OK, Roll


def prove(
    roll: Roll,
    near: NearParcels,
    assembled: Assembled,
    unmapped: Sequence[UnmappedRow],
    parts: Sequence[Part],
    in_cities: int,
) -> Proof:
    """Count rows, keys and dollars and check that they add up; `in_cities` are dollars inside that the roll puts in a
    city, which is in no town's part.

    Raises `ProofError` naming the equation that fails.
    """
    parcels, far = assembled.parcels, near.far
    count = Counter(parcel.place for parcel in parcels)
    proof = Proof(
        rows=roll.rows,
        keys=roll.keys,
        merged_rows=roll.merged_rows,
        without_key=roll.without_key,
        inside=count["inside"],
        split=count["split"],
        outside=far.keys + assembled.unlisted + count["outside"],
        set_aside=count["set_aside"],
        unmapped=count["unmapped"],
        value_inside=sum(parcel.inside or 0 for parcel in parcels),
        value_outside=far.value + assembled.unlisted_value + sum(parcel.outside or 0 for parcel in parcels),
        value_set_aside=sum(parcel.value or 0 for parcel in parcels if parcel.inside is None),
        value_total=_roll_value(roll, near) + assembled.filled_value + sum(row.total for row in unmapped),
        holds=True,
    )
    _check(proof, parcels, parts, in_cities)
    return proof


def _roll_value(roll: Roll, near: NearParcels) -> int:
    """The dollars of the whole roll, read without asking where anything lies; rows that differ have no value."""
    differing = near.entries.codes[near.entries.differs]
    sound = roll.total_state[differing] == OK
    return int(roll.total[roll.total_state == OK].sum() - roll.total[differing[sound]].sum()) - near.far.differing_value


def _check(proof: Proof, parcels: Sequence[Parcel], parts: Sequence[Part], in_cities: int) -> None:
    equations = {
        "rows = keys + merged rows + rows without key": (
            proof.rows,
            proof.keys + proof.merged_rows + proof.without_key,
        ),
        "inside + split + outside + set aside = keys": (
            proof.inside + proof.split + proof.outside + proof.set_aside,
            proof.keys,
        ),
        "value inside + outside + set aside = total value": (
            proof.value_inside + proof.value_outside + proof.value_set_aside,
            proof.value_total,
        ),
        "value inside = sum of the parts": (proof.value_inside, sum(part.value for part in parts) + in_cities),
    }
    failed = [f"{name} ({left} against {right})" for name, (left, right) in equations.items() if left != right]
    failed += [
        f"parcel {parcel.swis} {parcel.print_key} counts {parcel.inside} of {parcel.value}"
        for parcel in parcels
        if parcel.inside is not None and not 0 <= parcel.inside <= (parcel.value or 0)
    ]
    if failed:
        raise ProofError(f"The proof does not hold, please report this: {'; '.join(failed)}.")
