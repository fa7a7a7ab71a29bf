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


def checked_tolerances(tolerance: float | Mapping[str, float]) -> dict[str, float]:
    """Check what was given: one for all, or some by name, 1e-9 for the rest.

    Lengths are per unit of ``state.size``, "normal" is as it is; "distance" is of
    depths, too, and how far ties may be from equally close.

    Raises ValueError if there is no such name, or a number makes no sense.
    """
    given = tolerance
    if not isinstance(given, Mapping):
        given = dict.fromkeys(KEYS, given)
    for name, value in given.items():
        if name not in KEYS:
            raise ValueError(f"tolerance has no {name!r}; there are {', '.join(KEYS)}")
        if not 0.0 <= value < np.inf:
            raise ValueError(f"tolerance={value!r} must be a finite number, 0 or more")
    return {name: float(given.get(name, 1e-9)) for name in KEYS}


class Row(NamedTuple):
    """The numbers of one pair in one frame."""

    size: float
    label: object  # the features that the numbers are of; None: nobody says
    values: dict[str, Vec]  # by name; points only where one pair of them is closest

    def allowed(self, other: "Row", name: str, tolerances: dict[str, float]) -> float:
        """Return how far numbers may differ; infinite where they are not compared.

        Points and normals are compared where both name the same features.
        """
        if name != "distance" and (self.label is None or self.label != other.label):
            return np.inf
        least = tolerances["points" if name.startswith("point") else name]
        return least if name == "normal" else least * max(self.size, other.size)


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
    a: Side, b: Side, frame_tolerance: int, tolerances: dict[str, float]
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
    names: Names, ours: Rows, theirs: Rows, reach: int, tolerances: dict[str, float]
) -> Iterator[Difference]:
    """Compare the numbers of a pair in the frames that both have."""
    off: dict[str, list[tuple[float, int, str]]] = {name: [] for name in COLUMNS}
    for frame, row in ours.items():
        other = theirs.get(frame)
        if other is None or row == other:
            continue
        around = (theirs.get(frame + k) for k in range(-reach, reach + 1))
        near = [one.values for one in around if one is not None]
        for name, values in row.values.items():
            allowed = row.allowed(other, name, tolerances)
            if allowed == np.inf or not all(name in one for one in near):
                continue
            columns = zip(values, *(one[name] for one in near), strict=True)
            amount = max(max(min(seen) - x, x - max(seen)) for x, *seen in columns)
            if amount > allowed:
                deep = max(one["distance"] for one in (row.values, *near))[0] < 0.0
                label = "depth" if deep and name == "distance" else name
                off[name].append((amount, -frame, label))
    found = [some for some in off.values() if some]
    if found:
        worst = map(max, found)
        said = [f"{label} by up to {x:.3g} (frame {-k})" for x, k, label in worst]
        most = max(map(len, found))
        words = f"{', '.join(said)}: in {counted(most, 'frame')}"
        start = min(-frame for some in found for _, frame, _ in some)
        who = ("/".join(names),)
        yield Difference(start, "numbers", who, words, count=most)


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
            values = {"distance": (n.distance,), "normal": n.normal}
            if n.unique:
                values |= {"point_a": n.point_a, "point_b": n.point_b}
            row = Row(n.size, level if whole else Touch.of(state), values)
            rows.setdefault((a, b), {})[frame.index] = row
    return rows


def _told(side: Side) -> dict[Names, Rows]:
    """Read the numbers of a story; features are those that its events name."""
    told = (event for event in side.story.events if event.kind in EVENT_KINDS)
    touches = {(e.frame, e.a, e.b): e.after for e in told}  # None at an "end"
    rows: dict[Names, Rows] = {}
    for one in side.story.numbers:
        values: dict[str, Vec] = {"distance": (one.distance,)}
        for name, vector in (("normal", one.normal), ("point_a", one.point)):
            values |= {name: vector} if vector else {}
        row = Row(one.size, touches[one.key] if one.normal else None, values)
        rows.setdefault((one.a, one.b), {})[one.frame] = row
    return rows
