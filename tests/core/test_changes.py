"""What another boundary changes, in whole numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from worlds import DUNKIRK, POMFRET, Lot, box

from village_petition.core.changes import changes

LOTS = [
    Lot("1", box(0, 0, 100, 100), total=1_000, owner="ANN"),
    Lot("2", box(100, 0, 200, 100), total=2_000, owner="BOB", other=" ann "),
    Lot("3", box(200, 0, 300, 100), total=4_000, owner="CY", swis=DUNKIRK),
]
TOWNS = {POMFRET: ("Pomfret", box(-900, -900, 200, 900)), DUNKIRK: ("Dunkirk", box(200, -900, 900, 900))}
PEOPLE = ["AL,1 Elm St,Pomfret,065800,1,yes,yes,no", "BEA,1 Elm St,Dunkirk,066800,3,yes,no,no"]


def analyzed(world: Any, territory: Any, **more: Any) -> Any:
    given = {"towns": TOWNS, "signers": ["ANN"], "inhabitants": PEOPLE, **more}
    return world(LOTS, territory, **given).analyze().analysis


def test_a_wider_boundary_gains_what_it_takes_in(world: Any) -> None:
    narrow, wide = analyzed(world, box(0, 0, 150, 100)), analyzed(world, box(0, 0, 300, 100))
    found = changes(narrow, wide)
    assert (found.gained, found.lost, found.moved) == (((DUNKIRK, "3"),), (), ((POMFRET, "2"),))
    assert (found.parcels, found.dollars, found.owners) == (1, 5_000, 1)
    assert (found.inhabitants, found.qualified) == (1, 0)
    assert found.square_miles == wide.territory.square_miles - narrow.territory.square_miles > 0
    # 1,000 of 2,000 and half of the other 1,000, then half of 2,000 more: 1,500 of 2,000, later 2,000 of 3,000.
    assert found.shares[f"valuation.part.{POMFRET}"] == Fraction(2_000, 3_000) - Fraction(1_500, 2_000)
    assert f"valuation.part.{DUNKIRK}" not in found.shares


def test_the_way_back_loses_it(world: Any) -> None:
    narrow, wide = analyzed(world, box(0, 0, 150, 100)), analyzed(world, box(0, 0, 300, 100))
    there, back = changes(narrow, wide), changes(wide, narrow)
    assert (back.gained, back.lost, back.moved) == (there.lost, there.gained, there.moved)
    assert (back.parcels, back.dollars, back.owners, back.inhabitants) == (-1, -5_000, -1, -1)
    assert back.square_miles == -there.square_miles


def test_one_boundary_twice_changes_nothing(world: Any) -> None:
    one = analyzed(world, box(0, 0, 150, 100))
    found = changes(one, one)
    assert (found.gained, found.lost, found.moved, found.dollars, found.owners, found.inhabitants) == (
        (),
        (),
        (),
        0,
        0,
        0,
    )
    assert set(found.shares.values()) == {Fraction(0)}


def test_without_a_list_nothing_is_said_of_people(world: Any) -> None:
    one = analyzed(world, box(0, 0, 150, 100), inhabitants=(), signers=None)
    found = changes(one, analyzed(world, box(0, 0, 300, 100)))
    assert found.inhabitants is None and found.qualified is None
    assert found.shares[f"valuation.part.{POMFRET}"] is None
