"""Where a ring changes from one line to the next: the cheapest way round, with a price for every change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]

FOLLOWING, TURNED, NO_NAME, BEYOND, PARTLY = 0.1, 1.2, 1.0, 2.0, 0.3
"""What a foot costs: on a line at its full reach, across it, on no line, off the line that is followed, and on a
municipal line of which only some of the towns are there. A step across or off a line is thus cheaper without it, but
only for so long that two changes are worth it."""

CHANGE_PART = 0.5
"""What a change costs, as part of the shortest run: a run of that length between two changes just pays."""


@dataclass(frozen=True)
class Run:
    """Steps `first` to `last - 1` of a ring (counted on over its start) that follow one state."""

    first: int
    last: int
    state: int


def cheapest_states(cost: Numbers, change: float) -> Places:
    """For each step the state on the cheapest way round; the way is closed, so its end meets its start.

    `cost` is steps by states, `change` what any change of state costs. Among equals the first state is taken.
    """
    steps, states = cost.shape
    total = np.full((states, states), np.inf)
    np.fill_diagonal(total, cost[0])
    came = np.empty((steps, states, states), dtype=np.int16)
    came[0] = np.arange(states)
    for step in range(1, steps):
        best = total.argmin(axis=1)
        moved = total[np.arange(states), best] + change
        moves = moved[:, None] < total
        came[step] = np.where(moves, best[:, None], np.arange(states))
        total = np.where(moves, moved[:, None], total) + cost[step]
    total = total + change * (1 - np.eye(states))
    start, end = np.unravel_index(int(total.argmin()), total.shape)
    found = np.empty(steps, dtype=np.int64)
    state = int(end)
    for step in range(steps - 1, -1, -1):
        found[step] = state
        state = int(came[step, start, state])
    return found


def runs_of(states: Places) -> list[Run]:
    """The runs of equal states round the ring, the first one starting at the first change; one run has no change."""
    changes = np.flatnonzero(states != np.roll(states, 1))
    if not len(changes):
        return [Run(0, len(states), int(states[0]))]
    ends = [*changes[1:], changes[0] + len(states)]
    return [Run(int(first), int(last), int(states[first])) for first, last in zip(changes, ends)]


def absorbed(states: Places, cost: Numbers, length: Numbers, shortest: float) -> Places:
    """The states after runs shorter than `shortest` went, the shortest first, to the cheaper of their neighbours."""
    states = states.copy()
    while True:
        runs = runs_of(states)
        if len(runs) == 1:
            return states
        size = [_sum(length, run) for run in runs]
        short = min(range(len(runs)), key=lambda number: (size[number], number))
        if size[short] >= shortest:
            return states
        run = runs[short]
        rows = np.arange(run.first, run.last) % len(states)
        neighbours = (runs[short - 1].state, runs[(short + 1) % len(runs)].state)
        states[rows] = min(neighbours, key=lambda state: (float(cost[rows, state].sum()), state))


def _sum(length: Numbers, run: Run) -> float:
    rows = np.arange(run.first, run.last) % len(length)
    return float(length[rows].sum())


def following_cost(distance: Numbers, near: Any, reach: Numbers, rank: Numbers) -> Numbers:
    """What a foot of each step costs on each line: next to nothing where it follows it closely."""
    with np.errstate(invalid="ignore"):
        close = FOLLOWING * (distance / reach) ** 2 + rank
    cost: Numbers = np.where(np.isfinite(distance), close, np.where(near, TURNED, BEYOND))
    return cost
