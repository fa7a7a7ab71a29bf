"""When a body on a straight way to new positions loses convexity."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.between.moves import Array
from sim.body.audit import sides_at_hinges
from sim.body.body import Body
from sim.body.guard import checked
from wingedge import columns
from wingedge.convex import sides_of
from wingedge.mesh import WingedEdgeMesh
from wingedge.polynomials import Polynomial
from wingedge.primitives import moving_orientation
from wingedge.tables import once_per_mesh

REFLEX = 1
ROUNDING = 96.0 * 2.220446049250313e-16
"""Of a coefficient, per cube of the longest way between corners along an axis.

It has 18 terms at most, of ten roundings each: three edges, the products, the sums.
"""
LEAST = 1e-200  # what products below the least number may have lost


class Losses(NamedTuple):
    """The hinges of a body that become reflex on a way, each time that they do.

    In the order of time; rows of one time by edge.
    """

    edge: NDArray[np.int32]  # (k,) its number; -1 for a diagonal of a polygon's fan
    lower: Array  # (k,) the time, from 0 to 1, at which it was flat, lies
    upper: Array  # (k,) between these, at most 2^-40 apart
    depth: Array  # (k,) how deep the dent is at its deepest until it heals, or the end


def losses(body: Body, points: ArrayLike) -> Losses:
    """Find when hinges of a body become reflex; see ``Body.losses``."""
    start = body.positions
    return losses_between(body.mesh, start, checked(points, start.shape, body.name))


def losses_between(mesh: WingedEdgeMesh, start: Array, end: Array) -> Losses:
    """Find when hinges become reflex while vertices go straight; exact.

    Cost: some 0.2 us a hinge that keeps its sign, and 0.2 ms for each other.
    """
    ids = np.stack(_corners_of(mesh), axis=1)
    room = open_hinges(start[ids], end[ids])
    if not len(room):
        return Losses(room, *np.zeros((3, 0)))
    at = start[ids[room]], end[ids[room]]
    told = moving_orientation.roots(*at)
    rows: list[tuple[float, float, int, float]] = []
    loses = (told.sign == REFLEX).any(axis=1)
    for h in np.flatnonzero(loses).tolist():
        count = int(told.found[h])
        times = [(told.lower[h, k], told.upper[h, k]) for k in range(count)]
        spans = [(0.0, 0.0), *times, (1.0, 1.0)]
        edge = int(room[h]) if room[h] < mesh.n_edges else -1
        was = told.at_start[h]  # one that is reflex at the start was lost before
        for k, sign in enumerate(told.sign[h, : count + 1].tolist()):
            was, before_it = sign, was
            if sign != REFLEX or before_it == REFLEX:
                continue
            deep = _depth(at[0][h], at[1][h], spans[k][1], spans[k + 1][0])
            lower, upper = map(float, spans[k])
            rows.append((lower, upper, edge, deep))
    rows.sort()
    columns = np.array(rows, float).reshape(-1, 4).T
    return Losses(columns[2].astype(np.int32), columns[0], columns[1], columns[3])


def open_hinges(start: Array, end: Array) -> NDArray[np.int32]:
    """List the hinges, (H, 4, 3) at both ends, whose sign may change on the way.

    The volume at one is a cubic in time, between the least and the greatest of its four
    Bernstein coefficients: where they share a sign beyond rounding, it keeps that.
    """
    edges = [np.moveaxis(p[:, 1:] - p[:, :1], 0, -1) for p in (start, end)]
    with np.errstate(all="ignore"):
        # of polynomials, for which mypy has no arithmetic of columns
        a, b, c = (tuple(map(Polynomial, *rows)) for rows in zip(*edges, strict=True))
        volume = np.stack(columns.dot(a, columns.cross(b, c)).c)  # type: ignore
        wide = np.abs(edges).max(axis=(0, 1, 2))
        blur = ROUNDING * (wide * wide * wide) + LEAST
    sure = (volume < -blur).all(axis=0) | (volume > blur).all(axis=0)
    return np.flatnonzero(~sure).astype(np.int32)


@once_per_mesh
def _corners_of(mesh: WingedEdgeMesh) -> list[NDArray[np.int32]]:
    """List the corners at each hinge: tail, tip, on the left, on the right."""
    t, k = np.divmod(sides_at_hinges(mesh).min(axis=1), 3)
    left = [mesh.fan.vertex[t, (k + i) % 3] for i in range(3)]
    return [*left, sides_of(mesh).across[t, k]]


def _depth(before: Array, after: Array, first: float, last: float) -> float:
    """Return how far a corner stands over the plane across, at most, in a while."""
    t = np.linspace(first, last, 33)[:, None, None]
    a, b, c, d = np.moveaxis((1.0 - t) * before + t * after, 1, 0)
    normal = np.cross(b - a, c - a)
    length = np.sqrt((normal * normal).sum(axis=1))
    height = ((d - a) * normal).sum(axis=1)
    return float((height / np.where(length > 0.0, length, 1.0)).max())
