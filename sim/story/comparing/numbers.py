"""Where the numbers of two runs, or those that a story tells, differ too much."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events.event import EVENT_KINDS
from sim.events.touch import Touch
from sim.result.state import PairState
from sim.story.comparing.difference import Difference, counted
from sim.story.comparing.threads import Side
from sim.story.readings import Key, Reading

Array = NDArray[np.float64]
Names = tuple[str, str]
KEYS = ("distance", "points", "normal")


class Tolerances(NamedTuple):
    """How far numbers may differ: lengths per unit of ``state.size``, normals as is."""

    distance: float  # depth, too; and how far ties may be from equally close
    points: float
    normal: float

    @classmethod
    def of(cls, tolerance: float | Mapping[str, float]) -> "Tolerances":
        """Check what was given: one for all, or some by name, 1e-9 for the rest.

        Raises ValueError if there is no such name, or a number makes no sense.
        """
        given = tolerance
        if not isinstance(given, Mapping):
            given = dict.fromkeys(KEYS, given)
        for name, value in given.items():
            if name not in KEYS:
                raise ValueError(
                    f"tolerance has no {name!r}; there are {', '.join(KEYS)}"
                )
            if not 0.0 <= value < np.inf:
                raise ValueError(
                    f"tolerance={value!r} must be a finite number, 0 or more"
                )
        return cls(*(float(given.get(name, 1e-9)) for name in KEYS))


class Series(NamedTuple):
    """The numbers of one pair, frame by frame."""

    frames: Array  # (n,) ascending, whole numbers
    columns: dict[str, Array]  # (n, 1) or (n, 3)
    size: Array  # (n,)
    unique: NDArray[np.bool_]  # (n,) one closest pair of points
    named: list[object]  # the features that the numbers are of; None: nobody says

    def at(self, rows: NDArray[np.intp]) -> "Series":
        """Return some of the frames."""
        return Series(
            self.frames[rows],
            {name: column[rows] for name, column in self.columns.items()},
            self.size[rows],
            self.unique[rows],
            [self.named[row] for row in rows.tolist()],
        )


class Worst(NamedTuple):
    """Where a column differs, and where the most."""

    column: str
    first: int
    frame: int
    amount: float
    frames: int

    def __str__(self) -> str:
        return f"{self.column} by up to {self.amount:.3g} (frame {self.frame})"


def differing(
    a: Side, b: Side, frame_tolerance: int, tolerances: Tolerances
) -> Iterator[Difference]:
    """Tell for every pair since when its numbers differ, and by how much at most.

    A number is the same where it lies, within the tolerance, between those that the
    second run has at most ``frame_tolerance`` frames before and after.  Points are
    compared where both runs have only one closest pair, points and normals where both
    name the same features; what only one of two runs reports is left to the events.
    Of a story, that is in the frames in which something happened.
    """
    first_told = next((side for side in (a, b) if side.run is None), a)
    place = {name: k for k, name in enumerate(first_told.story.bodies)}
    label = parts_of if a.run is not None and b.run is not None else Touch.of
    ours, theirs = (
        _told(side) if side.run is None else series(side, place, label)
        for side in (a, b)
    )
    if b.run is None and a.run is not None:  # a story says which frames and numbers
        ours, theirs = theirs, ours
    for names, first in ours.items():
        if names not in theirs:
            continue
        second = theirs[names]
        found = _worst(first, second, frame_tolerance, tolerances)
        if found:
            most = max(worst.frames for worst in found)
            words = f"{', '.join(map(str, found))}: in {counted(most, 'frame')}"
            start = min(worst.first for worst in found)
            yield Difference(start, "numbers", ("/".join(names),), words, count=most)


def _worst(
    first: Series, second: Series, frame_tolerance: int, tolerances: Tolerances
) -> list[Worst]:
    """Compare the columns of a pair in the frames that both have."""
    _, i, rows = np.intersect1d(first.frames, second.frames, return_indices=True)
    first, other = first.at(i), second.at(rows)
    size = np.maximum(first.size, other.size)
    both = zip(first.named, other.named, strict=True)
    same = np.array([x is not None and x == y for x, y in both], bool)
    single = same & first.unique & other.unique
    found = []
    for name, column in first.columns.items():
        low, high = _around(second.columns[name], second.frames, rows, frame_tolerance)
        amount = np.maximum(np.maximum(low - column, column - high), 0.0).max(axis=1)
        allowed, known = tolerances.points * size, single
        if name == "distance":
            allowed, known = tolerances.distance * size, np.ones(len(size), bool)
        elif name == "normal":
            allowed, known = tolerances.normal * np.ones(len(size)), same
        beyond = np.flatnonzero(known & ~(amount <= allowed))
        if len(beyond):
            k = int(beyond[amount[beyond].argmax()])
            deep = name == "distance" and max(column[k, 0], high[k, 0]) < 0.0
            start, frame = int(first.frames[beyond[0]]), int(first.frames[k])
            column_name = "depth" if deep else name
            most = float(amount[k])
            found.append(Worst(column_name, start, frame, most, len(beyond)))
    return found


def _around(
    column: Array, frames: Array, rows: NDArray[np.intp], reach: int
) -> tuple[Array, Array]:
    """Return the least and the largest numbers within so many frames of some rows."""
    low, high = column[rows], column[rows]
    for off in range(-reach, reach + 1):
        near = np.clip(np.searchsorted(frames, frames[rows] + off), 0, len(frames) - 1)
        there = (frames[near] == frames[rows] + off)[:, None]
        low = np.where(there, np.minimum(low, column[near]), low)
        high = np.where(there, np.maximum(high, column[near]), high)
    return low, high


def parts_of(state: PairState) -> object:
    """Return everything that is level in a pair."""
    n = state.numbers
    return n.dimension_a, n.parts_a, n.dimension_b, n.parts_b


def series(
    side: Side, place: Mapping[str, int], label: Callable[[PairState], object]
) -> dict[Names, Series]:
    """Read the numbers of the pairs whose bodies a story has, as it names them.

    Numbers are of the same features where their labels are equal.
    """
    states: dict[Names, list[tuple[int, PairState]]] = {}
    for frame in side.run or ():
        for state in frame.pairs:
            a, b = state.a.name, state.b.name
            if a in place and b in place:
                if place[a] > place[b]:
                    a, b, state = b, a, state.swapped()
                states.setdefault((a, b), []).append((frame.index, state))
    found = {}
    for names, rows in states.items():
        numbers = [state.numbers for _, state in rows]
        points = ("point_a", "point_b", "normal")
        columns = {
            name: np.array([getattr(n, name) for n in numbers]) for name in points
        }
        found[names] = Series(
            np.array([index for index, _ in rows], float),
            {"distance": np.array([[n.distance] for n in numbers])} | columns,
            np.array([n.size for n in numbers]),
            np.array([n.unique for n in numbers], bool),
            [label(state) for _, state in rows],
        )
    return found


UNKNOWN = (np.nan,) * 3


def are_told(a: Side, b: Side, frame_tolerance: int) -> bool:
    """Say whether two sides have numbers that can be compared.

    Those of a story are of single frames: where frames may differ, the other side has
    to be a run, which knows what is between.
    """
    runs = [side for side in (a, b) if side.run is not None]
    told = all(side.run is not None or side.story.numbers for side in (a, b))
    return told and (frame_tolerance == 0 or bool(runs))


def _told(side: Side) -> dict[Names, Series]:
    """Read the numbers of a story; features are those that its events name."""
    touches: dict[Key, Touch | None] = {}
    for event in side.story.events:
        if event.kind in EVENT_KINDS:
            touches[event.frame, event.a, event.b] = event.after  # None at an "end"
    rows: dict[Names, list[Reading]] = {}
    for reading in side.story.numbers:
        rows.setdefault((reading.a, reading.b), []).append(reading)
    return {
        names: Series(
            np.array([row.frame for row in found], float),
            {
                "distance": np.array([[row.distance] for row in found]),
                "point_a": np.array([row.point or UNKNOWN for row in found]),
                "normal": np.array([row.normal or UNKNOWN for row in found]),
            },
            np.array([row.size for row in found]),
            np.array([bool(row.point) for row in found]),
            [touches[row.key] if row.normal else None for row in found],
        )
        for names, found in rows.items()
    }
