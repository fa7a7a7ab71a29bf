"""The balance of a step: energy, momentum, forces; and what was made of nothing.

Implicit Euler loses energy where the potential is convex; where it is not, as that of
contacts is about an edge that tips over another, a step may gain some: it is taken out.
"""

from math import fsum, sqrt
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


def without_excess(
    bulk: Bulk, gravity: Array, moments: tuple[Moment, Moment], free: Flags, led: Flags
) -> Array:
    """Return the speeds of maps, (B, 3, 4), after which no group's energy has risen.

    A group is of free bodies that touch, before or after.  What is too much comes out
    of the motion within the group: its linear and angular momentum stay.  One that
    touches a body that stands has no momentum to keep, and all its motion counts; one
    that touches a body that is ``led``, for which work is done, is left alone.
    """
    a, b = (np.concatenate([m.contacts[k] for m in moments]) for k in (0, 1))
    count, group = len(free), _groups(a, b, free)
    worked, stands = ~free, np.zeros(len(free), bool)
    for one, other in ((a, b), (b, a)):
        worked[group[one[led[other]]]] = True
        stands[group[one[~free[other]]]] = True
    excess = np.zeros(count)
    for m, sign in zip(moments, (-1.0, 1.0), strict=True):
        own = np.concatenate([*bulk.parts(m.q, m.v, gravity).values()], axis=1)
        at = group[np.where(free[m.contacts.a], m.contacts.a, m.contacts.b)]
        to = np.concatenate([np.repeat(group, own.shape[1]), at])
        values = np.concatenate([own.ravel(), m.energy])
        excess += sign * np.bincount(to, values, count)
    q, v = moments[1].q, moments[1].v.copy()
    for k in np.flatnonzero((excess > 0.0) & ~worked).tolist():
        some = group == k
        mass = bulk.mass[some]
        kept = 0.0 if stands[k] else _rigid(mass, q[some], v[some])
        rest = v[some] - kept
        kinetic = 0.5 * _inner(mass, rest, rest)
        v[some] = kept + sqrt(max(1.0 - excess[k] / max(kinetic, excess[k]), 0)) * rest
    return v


def _groups(a: NDArray[np.intp], b: NDArray[np.intp], free: Flags) -> NDArray[np.intp]:
    """Return for each body the first of the free ones with which it hangs together."""
    both = free[a] & free[b]
    a, b, group = a[both], b[both], np.arange(len(free))
    while not np.array_equal(group[a], group[b]):
        least = np.minimum(group[a], group[b])
        np.minimum.at(group, a, least)
        np.minimum.at(group, b, least)
    return group


def _inner(mass: Array, v: Array, w: Array) -> float:
    return fsum((v * times(w, mass)).ravel())


def _rigid(mass: Array, q: Array, v: Array) -> Array:
    """Return the rigid motion with the linear and angular momentum of a group."""
    centre = [fsum(x) / fsum(mass[:, 3, 3]) for x in times(q, mass)[:, :, 3].T]
    arm = q.copy()
    arm[:, :, 3] -= centre
    fields = np.zeros((6, *v.shape))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        fields[k, :, k, 3] = 1.0
        fields[3 + k, :, i], fields[3 + k, :, j] = -arm[:, j], arm[:, i]
    kept = np.zeros(v.shape)
    for k, field in enumerate(fields):  # each at right angles to those before
        for other in fields[:k]:
            field -= _inner(mass, field, other) / _inner(mass, other, other) * other
        kept += _inner(mass, v, field) / _inner(mass, field, field) * field
    return kept
