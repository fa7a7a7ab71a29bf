"""What is measured of a step: energy, momentum, forces."""

from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.laws.bulk import Bulk
from sim.laws.contacts import ContactSet, Pull
from sim.laws.equations import gradient_of
from sim.laws.shapes import moved, times

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ids = NDArray[np.intp]


class Moment(NamedTuple):
    """Maps, their speeds, and contacts with what they do (``repel``), at one time."""

    q: Array  # (B, 3, 4)
    v: Array
    contacts: ContactSet
    pulls: list[Pull]
    load: Array
    energy: Array


def measured(bulk: Bulk, gravity: Array, now: Moment, some: Flags) -> dict[str, Array]:
    """Return energies and momentum of some bodies, and ``forces`` (B, 3) on each."""
    parts = bulk.parts(now.q, now.v, gravity)
    impulse = times(now.v, bulk.mass)[some, :, 3]
    return {
        **{name: np.array(fsum(part[some].ravel())) for name, part in parts.items()},
        "contact": np.array(fsum(now.energy)),
        "momentum": np.array([fsum(column) for column in impulse.T]),
        "forces": -gradient_of(now.pulls, len(now.q))[:, :, 3],
    }


def speeds(
    bulk: Bulk, fall: Array, then: Moment, ways: Array, pulls: list[Pull], free: Flags
) -> Array:
    """Return the speeds of maps, (B, 3, 4), after a step.

    ``ways``: how far they came, by time.  The centre of a free body at which nothing
    pulls has its old velocity and that of its ``fall``: rounded places say less of it.
    """
    v, alone = ways.copy(), free.copy()
    for p in pulls:
        alone[p.a] = alone[p.b] = False
    now, last = moved(v, bulk.centre), moved(then.v, bulk.centre)
    v[alone, :, 3] += (last + fall - now)[alone]
    return v
