"""The boundary described by existing streets and navigable waters, alone or combined with the other statutory forms.

§ 2-202(1)(c)(1): a description by metes and bounds, by existing streets and navigable waters, by the entire boundaries
of districts or of a town, or by a combination of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Optional

from ..crs import WorkingCrs
from ..model import Finding
from .following import FORMS, MARKS, Choices, candidates
from .remarks import remarks
from .rings import rings_of
from .sides import Side, entire_side, sides_of
from .sources import Area, Line, Sources, areas_of, name_banks, read_lots, read_streets, read_waters
from .text import Drawn, basis, written
from .wholes import Whole, near_miss, whole_of
from .words import Metes, bearings, foot_of

if TYPE_CHECKING:
    from ..editions import Edition

__all__ = [
    "FORMS",
    "MARKS",
    "Area",
    "Choices",
    "Description",
    "FormText",
    "Line",
    "Metes",
    "Side",
    "Sources",
    "areas_of",
    "bearings",
    "describe",
    "name_banks",
    "read_lots",
    "read_streets",
    "read_waters",
]

STREETS_WATERS, DISTRICTS, METES = FORMS


@dataclass(frozen=True)
class FormText:
    """The description in one form alone: its text, or "" with the reason why it cannot be given."""

    text: str
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Description:
    """A boundary described.

    `sides` and `findings` belong to the chosen forms combined, and so does `text`, "" where some side has no words in
    them (`reason` says which); `alone` holds each form by itself. `entire` names the town or districts of which the
    territory is the whole, "" where it is of none or that form is not chosen.
    """

    sides: tuple[Side, ...]
    findings: tuple[Finding, ...]
    text: str
    reason: str
    basis: str
    entire: str
    alone: Mapping[str, FormText]

    @property
    def lengths(self) -> Mapping[str, float]:
        """Feet of boundary by what is followed: street, shore, thread, civil, district, course; they add up to it."""
        kinds = sorted({side.kind for side in self.sides})
        return {kind: sum(side.length_ft for side in self.sides if side.kind == kind) for kind in kinds}


@dataclass(frozen=True, eq=False)
class _Draft:
    """A boundary cut into sides for some forms, before it is put into words."""

    rings: tuple[Drawn, ...]
    whole: Optional[Whole]
    found: Any

    @property
    def sides(self) -> tuple[Side, ...]:
        return tuple(side for ring in self.rings for side in ring.sides)


def describe(
    shape: Any,
    sources: Sources,
    crs: WorkingCrs,
    edition: Edition,
    choices: Optional[Choices] = None,
    metes: Metes = bearings,
) -> Description:
    """Describe a territory, a valid Polygon or MultiPolygon in the working CRS, by what its boundary follows.

    `metes` words the courses that follow nothing. The sides cover every ring exactly, each ring clockwise from its
    northernmost corner between named lines; neither the order of the sources nor the way in which the polygon was drawn
    changes the text. Findings are V-01 and the codes D-… of `docs/findings.md`.
    """
    choices = choices or Choices()
    foot = foot_of(crs)
    drafts = {forms: _draft(shape, sources, replace(choices, forms=forms), crs, foot) for forms in _wanted(choices)}
    chosen = drafts[choices.forms]
    text, reason = _words(shape, chosen, choices, metes, crs, foot)
    alone = {}
    for form in FORMS:
        own = replace(choices, forms=(form,))
        alone[form] = FormText(*_words(shape, drafts[(form,)], own, metes, crs, foot))
    asked = DISTRICTS in choices.forms and chosen.whole is None
    miss = near_miss(shape, sources.areas) if asked else None
    return Description(
        sides=chosen.sides,
        findings=remarks(chosen.sides, chosen.found, sources, choices, miss, crs, foot, edition),
        text=text,
        reason=reason,
        basis=f"as {chosen.whole.phrase}" if chosen.whole else basis(chosen.rings),
        entire=chosen.whole.name if chosen.whole else "",
        alone=MappingProxyType(alone),
    )


def _wanted(choices: Choices) -> list[tuple[str, ...]]:
    return list(dict.fromkeys([choices.forms, *((form,) for form in FORMS)]))


def _draft(shape: Any, sources: Sources, choices: Choices, crs: WorkingCrs, foot: float) -> _Draft:
    rings = rings_of(shape)
    width = crs.tolerance(choices.line_ft)
    areas = sources.areas if DISTRICTS in choices.forms else ()
    whole = whole_of(shape, areas, width)
    if whole is not None:
        return _Draft(tuple(Drawn((entire_side(ring, whole, foot),), None) for ring in rings), whole, ())
    found = candidates(sources, choices, foot)
    return _Draft(tuple(Drawn(*sides_of(ring, found, areas, width, foot)) for ring in rings), None, found)


def _words(shape: Any, draft: _Draft, choices: Choices, metes: Metes, crs: WorkingCrs, foot: float) -> tuple[str, str]:
    """The text, or "" and why there is none."""
    if choices.forms == (DISTRICTS,) and draft.whole is None:
        return "", "The territory is not the whole of a town or of districts that are given."
    bare = [side for side in draft.sides if not side.name and not side.entire]
    if bare and METES not in choices.forms:
        feet = sum(side.length_ft for side in bare)
        noun = "1 side follows" if len(bare) == 1 else f"{len(bare):,} sides follow"
        return "", f"{noun} no named line of the chosen forms, {feet:,.0f} ft in all: {_listed(bare)}."
    return written(draft.rings, draft.whole, shape, choices, metes, crs, foot), ""


def _listed(sides: list[Side]) -> str:
    labels = [side.label[0].lower() + side.label[1:] for side in sides]
    return ", ".join(labels)
