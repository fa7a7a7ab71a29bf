"""One frame of a recording as its rows, and what they say."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.guard import checked
from sim.body.pose import check_matrix
from sim.contact import PairState
from sim.contact_manager import Checkpoint, PairCheckpoint
from sim.frame import same_bits
from sim.story.events import Event
from sim.story.file.header import Actor, standing_of
from sim.story.file.layout import NO_STATE
from sim.story.spelling import shown

Float = np.float64
Array = NDArray[Any]
Hulls = list[Array | None]


class Placement(NamedTuple):
    """Where one body was in one frame."""

    transform: NDArray[Float]  # (3, 4)
    points: NDArray[Float]  # (V, 3), body frame, read-only
    is_open: bool

    def put(self, body: Actor) -> None:
        """Put a body there, as open or closed as it was.

        Raises
        ------
        ValueError
            If it cannot be there.
        """
        check_matrix(self.transform, body.name)
        body.transform[...] = self.transform
        if self.is_open:
            body.points[...] = checked(self.points, self.points.shape, body.name)[0]
        elif not same_bits(body.positions, self.points):
            body.points = self.points


class Raw(NamedTuple):
    """The rows of one frame, as its seals say that they were written."""

    rows: dict[str, Array]
    start: dict[str, int]  # how long the tables were before
    placements: list[Placement]
    hulls: Hulls  # triangles of what stands for a body, or None


def carry_of(raw: Raw, states: list[PairState]) -> Checkpoint:
    """Say what is carried out of a frame, given its states decoded."""
    pairs = raw.rows["states"]["pair"].tolist()
    carried = raw.rows["memories"].tolist()
    placed = raw.rows["placements"]
    return Checkpoint(
        tuple(
            PairCheckpoint((a, b), contact, state, next_region)
            for (a, b), (contact, next_region), state in zip(
                pairs, carried, states, strict=True
            )
        ),
        tuple(map(standing_of, placed["standing"].tolist())),
        tuple(map(bool, placed["open"].tolist())),
        int(raw.rows["frames"]["next_contact"][0]),
    )


def events_of(raw: Raw, states: list[PairState]) -> tuple[Event, ...]:
    """Say what happened in a frame, given its states decoded."""
    rows = raw.rows["events"].tolist()
    text = raw.rows["lines"].tobytes().decode()
    first = raw.start["states"]
    found = []
    for (contact, row, _), line in zip(rows, text.splitlines(), strict=True):
        if row != NO_STATE and not 0 <= row - first < len(states):
            raise ValueError(f"{shown(line)} is of an answer that is not there")
        state = None if row == NO_STATE else states[row - first]
        found.append(Event.parse(line).of(state, contact))
    return tuple(found)
