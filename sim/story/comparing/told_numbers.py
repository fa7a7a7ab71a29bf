"""Where the numbers that a story tells differ from those of another, or of a run."""

from collections.abc import Iterator, Mapping

import numpy as np

from sim.story.comparing.difference import Difference
from sim.story.comparing.numbers import Names, Series, Tolerances, series, worst_of
from sim.story.comparing.sources import Side
from sim.story.events import EVENT_KINDS, Touch
from sim.story.readings import Key, Reading

UNKNOWN = (np.nan,) * 3


def are_told(a: Side, b: Side, frame_tolerance: int) -> bool:
    """Say whether two sides have numbers that can be compared.

    Those of a story are of single frames: where frames may differ, the other side has
    to be a run, which knows what is between.
    """
    runs = [side for side in (a, b) if side.run is not None]
    told = all(side.run is not None or side.story.numbers for side in (a, b))
    return told and (frame_tolerance == 0 or bool(runs))


def told_apart(
    a: Side, b: Side, frame_tolerance: int, tolerances: Tolerances
) -> Iterator[Difference]:
    """Tell for every pair where its numbers differ from what a story tells of it.

    At least one side is a story.  The rule is that of `numbers.differing`, in the
    frames in which something happened; normals and points are compared where both
    name the same features there.
    """
    if a.run is None and b.run is None:
        ours, theirs = _told(a), _told(b)
    else:
        story, run = (a, b) if a.run is None else (b, a)
        place = {name: k for k, name in enumerate(story.story.bodies)}
        ours, theirs = _told(story), series(run, place, Touch.of)
    yield from worst_of(ours, theirs, frame_tolerance, tolerances)


def _told(side: Side) -> dict[Names, Series]:
    """Read the numbers of a story; features are those that its events name."""
    touches: dict[Key, Touch | None] = {}
    for event in side.story.events:
        if event.kind in EVENT_KINDS:
            touches[event.frame, event.a, event.b] = event.after  # None at an "end"
    rows: dict[Names, list[Reading]] = {}
    for reading in side.story.numbers:
        rows.setdefault((reading.a, reading.b), []).append(reading)
    return {names: _table(found, touches) for names, found in rows.items()}


def _table(rows: list[Reading], touches: Mapping[Key, Touch | None]) -> Series:
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
