"""What is measured of a step: energy, momentum, forces."""

from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.laws.bulk import Bulk
from sim.laws.contacts import ContactSet, Pull, scaled
from sim.laws.equations import gradient_of, summed
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
    """Return energies and momentum of some bodies, and what contacts do to all.

    ``forces`` (B, 3) on each body; of each pair of bodies that repel each other
    ``contact_bodies`` (P, 2), where, ``contact_point`` (P, 3), the middle of the
    contacts by their load, and ``contact_force`` (P, 3) on the second body.
    """
    parts = bulk.parts(now.q, now.v, gravity)
    impulse = times(now.v, bulk.mass)[some, :, 3]
    return {
        **{name: np.array(fsum(part[some].ravel())) for name, part in parts.items()},
        "contact": np.array(fsum(now.energy)),
        "momentum": np.array([fsum(column) for column in impulse.T]),
        "forces": -gradient_of(now.pulls, len(now.q))[:, :, 3],
        **_by_pair(now),
    }


def _by_pair(now: Moment) -> dict[str, Array]:
    """Return the force of each pair of bodies, and where it acts."""
    some = now.load > 0.0
    c, load, count = now.contacts, now.load[some], len(now.q)

    def keys(a: Ids, b: Ids) -> Ids:
        """Return one number for each pair of bodies, whatever their order."""
        return np.asarray(np.minimum(a, b) * count + np.maximum(a, b))

    pairs, row = np.unique(keys(c.a[some], c.b[some]), return_inverse=True)
    middle = times(now.q[c.a[some]], c.x[some][:, :, None])[:, :, 0] - 0.5 * c.r[some]
    share = load / summed(row, load[:, None], len(pairs))[row, 0]
    force = np.zeros((len(pairs), 3))
    for p in now.pulls:
        key = keys(p.a, p.b)
        known = np.isin(key, pairs)
        on_second = scaled(np.where(p.a < p.b, p.x[:, 3], -p.x[:, 3]), p.at_a)
        at = np.searchsorted(pairs, key[known])
        force += summed(at, on_second[known], len(pairs))
    return {
        "contact_bodies": np.stack([pairs // count, pairs % count], axis=1),
        "contact_point": summed(row, scaled(share, middle), len(pairs)),
        "contact_force": force,
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
