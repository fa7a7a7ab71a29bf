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
    sides = [side for side in (a, b) if side.run is None] or [a]
    place = {name: k for k, name in enumerate(sides[0].story.bodies)}
    if a.run is not None and b.run is not None:
        ours, theirs = series(a, place), series(b, place)
    elif a.run is None and b.run is None:
        ours, theirs = _told(a), _told(b)
    else:
        ours, theirs = (
            _told(sides[0]),
            series(b if a.run is None else a, place, Touch.of),
        )
    yield from worst_of(ours, theirs, frame_tolerance, tolerances)


def worst_of(
    ours: Mapping[Names, Series],
    theirs: Mapping[Names, Series],
    frame_tolerance: int,
    tolerances: Tolerances,
) -> Iterator[Difference]:
    """Tell for every pair that both have, of the frames that both have."""
    for names, first in ours.items():
        if names not in theirs:
            continue
        second = theirs[names]
        _, i, j = np.intersect1d(first.frames, second.frames, return_indices=True)
        found = _worst(first.at(i), second, j, frame_tolerance, tolerances)
        if found:
            most = max(worst.frames for worst in found)
            words = f"{', '.join(map(str, found))}: in {counted(most, 'frame')}"
            start = min(worst.first for worst in found)
            yield Difference(start, "numbers", ("/".join(names),), words, count=most)


def _worst(
    first: Series,
    second: Series,
    rows: NDArray[np.intp],
    frame_tolerance: int,
    tolerances: Tolerances,
) -> list[Worst]:
    """Compare the columns of a pair in the frames that both have."""
    other = second.at(rows)
    size = np.maximum(first.size, other.size)
    same = np.array(
        [
            x is not None and x == y
            for x, y in zip(first.named, other.named, strict=True)
        ],
        bool,
    )
    found = []
    for name, column in first.columns.items():
        low, high = _around(second.columns[name], second.frames, rows, frame_tolerance)
        amount = np.maximum(np.maximum(low - column, column - high), 0.0).max(axis=1)
        allowed = tolerances.normal * np.ones(len(amount))
        known = same
        if name == "distance":
            allowed, known = tolerances.distance * size, np.ones(len(amount), bool)
        elif name != "normal":
            allowed, known = (
                tolerances.points * size,
                same & first.unique & other.unique,
            )
        beyond = np.flatnonzero(known & ~(amount <= allowed))
        if len(beyond):
            k = int(beyond[amount[beyond].argmax()])
            deep = name == "distance" and max(column[k, 0], high[k, 0]) < 0.0
            found.append(
                Worst(
                    "depth" if deep else name,
                    int(first.frames[beyond[0]]),
                    int(first.frames[k]),
                    float(amount[k]),
                    len(beyond),
                )
            )
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
    side: Side,
    place: Mapping[str, int],
    label: Callable[[PairState], object] = parts_of,
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
    return {names: _table(rows, label) for names, rows in states.items()}


def _table(
    rows: list[tuple[int, PairState]], label: Callable[[PairState], object]
) -> Series:
    numbers = [state.numbers for _, state in rows]
    return Series(
        np.array([index for index, _ in rows], float),
        {
            "distance": np.array([[n.distance] for n in numbers]),
            "point_a": np.array([n.point_a for n in numbers]),
            "point_b": np.array([n.point_b for n in numbers]),
            "normal": np.array([n.normal for n in numbers]),
        },
        np.array([n.size for n in numbers]),
        np.array([n.unique for n in numbers], bool),
        [label(state) for _, state in rows],
    )


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
    return {names: _read(found, touches) for names, found in rows.items()}


def _read(rows: list[Reading], touches: Mapping[Key, Touch | None]) -> Series:
    return Series(
        np.array([row.frame for row in rows], float),
        {
            "distance": np.array([[row.distance] for row in rows]),
            "point_a": np.array([row.point or UNKNOWN for row in rows]),
            "normal": np.array([row.normal or UNKNOWN for row in rows]),
        },
        np.array([row.size for row in rows]),
        np.array([bool(row.point) for row in rows]),
        [touches[row.key] if row.normal else None for row in rows],
    )
