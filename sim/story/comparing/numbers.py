"""Where the numbers of two runs, or those that a story tells, differ too much."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from sim.events.event import EVENT_KINDS
from sim.events.touch import Touch
from sim.story.comparing.difference import Difference, counted
from sim.story.comparing.histories import Side
from sim.story.readings import Vec

KEYS = ("distance", "points", "normal")
COLUMNS = ("distance", "point_a", "point_b", "normal")


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


class Row(NamedTuple):
    """The numbers of one pair in one frame; a vector that is not told is empty."""

    size: float
    label: object  # the features that the numbers are of; None: nobody says
    single: bool  # one closest pair of points
    distance: float
    point_a: Vec
    point_b: Vec
    normal: Vec

    def column(self, name: str) -> Vec:
        """Return the numbers of this name."""
        values: Vec = (self.distance,) if name == "distance" else getattr(self, name)
        return values

    def allowed(self, other: "Row", name: str, tolerances: Tolerances) -> float:
        """Return how far a column may differ; infinite where it is not compared.

        Points are compared where both runs have only one closest pair, points and
        normals where both name the same features.
        """
        size = max(self.size, other.size)
        if name == "distance":
            return tolerances.distance * size
        if self.label is None or self.label != other.label:
            return np.inf
        if name == "normal":
            return tolerances.normal
        return tolerances.points * size if self.single and other.single else np.inf


Rows = dict[int, Row]  # by frame
Names = tuple[str, str]


def are_told(a: Side, b: Side, frame_tolerance: int) -> bool:
    """Say whether two sides have numbers that can be compared.

    Those of a story are of single frames: where frames may differ, the other side has
    to be a run, which knows what is between.
    """
    runs = [side for side in (a, b) if side.run is not None]
    told = all(side.run is not None or side.story.numbers for side in (a, b))
    return told and (frame_tolerance == 0 or bool(runs))


def differing(
    a: Side, b: Side, frame_tolerance: int, tolerances: Tolerances
) -> Iterator[Difference]:
    """Tell for every pair since when its numbers differ, and by how much at most.

    A number is the same where it lies, within the tolerance, between those that the
    second run has at most ``frame_tolerance`` frames before and after.  Of a story,
    that is in the frames in which something happened.
    """
    one, other = (b, a) if b.run is None and a.run is not None else (a, b)
    bodies = one.story.bodies  # of a story, which says which frames and numbers
    whole = one.run is not None and other.run is not None
    ours, theirs = (
        _told(side) if side.run is None else _measured(side, bodies, whole)
        for side in (one, other)
    )
    for names in ours:
        if names in theirs:
            yield from _compared(
                names, ours[names], theirs[names], frame_tolerance, tolerances
            )


def _compared(
    names: Names, ours: Rows, theirs: Rows, reach: int, tolerances: Tolerances
) -> Iterator[Difference]:
    """Compare the columns of a pair in the frames that both have."""
    off: dict[str, list[tuple[float, int, str, float]]] = {name: [] for name in COLUMNS}
    for frame, row in ours.items():
        other = theirs.get(frame)
        if other is None or row == other:
            continue
        around = (theirs.get(frame + k) for k in range(-reach, reach + 1))
        near = [one for one in around if one is not None]
        for name in COLUMNS:
            allowed = row.allowed(other, name, tolerances)
            columns = [one.column(name) for one in near]
            if allowed == np.inf or not (row.column(name) and all(columns)):
                continue
            amount = max(
                max(min(seen) - x, x - max(seen))
                for x, *seen in zip(row.column(name), *columns, strict=True)
            )
            if amount > allowed:
                deep = max(row.distance, *(one.distance for one in near)) < 0.0
                label = "depth" if deep and name == "distance" else name
                ratio = amount if name == "normal" else amount / row.size
                off[name].append((amount, -frame, label, ratio))
    worst = [max(some) for some in off.values() if some]
    if worst:
        said = [f"{x[2]} by up to {x[0]:.3g} (frame {-x[1]})" for x in worst]
        most = max(map(len, off.values()))
        words = f"{', '.join(said)}: in {counted(most, 'frame')}"
        start = min(-frame for some in off.values() for _, frame, *_ in some)
        excess = max(ratio for some in off.values() for *_, ratio in some)
        who = ("/".join(names),)
        yield Difference(start, "numbers", who, words, count=most, excess=excess)


def _measured(side: Side, bodies: tuple[str, ...], whole: bool) -> dict[Names, Rows]:
    """Read the numbers of a run, of the pairs of some bodies in their order.

    Parameters: ``whole``: whether numbers are of everything that is level in a pair, or
    of the features that its events name.
    """
    place = {name: k for k, name in enumerate(bodies)}
    rows: dict[Names, Rows] = {}
    for frame in side.run or ():
        for state in frame.pairs:
            a, b = state.a.name, state.b.name
            if a not in place or b not in place:
                continue
            if place[a] > place[b]:
                a, b, state = b, a, state.swapped()
            n = state.numbers
            level = n.dimension_a, n.parts_a, n.dimension_b, n.parts_b
            label = level if whole else Touch.of(state)
            values = n.distance, n.point_a, n.point_b, n.normal
            row = Row(n.size, label, n.unique, *values)
            rows.setdefault((a, b), {})[frame.index] = row
    return rows


def _told(side: Side) -> dict[Names, Rows]:
    """Read the numbers of a story; features are those that its events name."""
    told = (event for event in side.story.events if event.kind in EVENT_KINDS)
    touches = {(e.frame, e.a, e.b): e.after for e in told}  # None at an "end"
    rows: dict[Names, Rows] = {}
    for one in side.story.numbers:
        label = touches[one.key] if one.normal else None
        values = one.distance, one.point, (), one.normal
        row = Row(one.size, label, bool(one.point), *values)
        rows.setdefault((one.a, one.b), {})[one.frame] = row
    return rows
