"""Where and when a body loses convexity on a straight way to new positions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.audit import ring_tables
from sim.body.body import Body
from sim.body.guard import checked
from sim.engine.bound import Bound, floats, ints
from sim.kernels.between.hinges import MovingHinges, open_hinges
from wingedge.mesh import WingedEdgeMesh
from wingedge.primitives import moving_orientation

Array = NDArray[np.float64]
REFLEX = 1


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

    Cost: 10 ns a hinge that keeps its sign, and 0.2 ms for each other.
    """
    tables = ring_tables(mesh)
    ids = tables.tail, tables.tip, tables.left, tables.right
    room = np.zeros(tables.hinges, np.int32)
    before, after = (floats(np.ascontiguousarray(p)) for p in (start, end))
    sizes = len(start), tables.hinges
    ways = MovingHinges(before, after, *sizes, *ids, ints(room))
    room = room[: Bound(open_hinges)(ways)]  # those that floats leave open
    if not len(room):
        return Losses(room, *np.zeros((3, 0)))
    corners = np.stack([np.asarray(column)[room] for column in ids], axis=1)
    at = start[corners], end[corners]
    told = moving_orientation.roots(*at)
    rows: list[tuple[float, float, int, float]] = []
    diagonal = np.asarray(tables.diagonal)[room] == 1
    loses = (told.sign == REFLEX).any(axis=1)
    for h in np.flatnonzero(loses).tolist():
        count = int(told.found[h])
        times = [(told.lower[h, k], told.upper[h, k]) for k in range(count)]
        spans = [(0.0, 0.0), *times, (1.0, 1.0)]
        edge = -1 if diagonal[h] else _edge_of(mesh, *corners[h, :2].tolist())
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


def _edge_of(mesh: WingedEdgeMesh, tail: int, tip: int) -> int:
    """Return the number of the edge between two vertices."""
    ends = mesh.edge_vertices
    return next(int(e) for e in mesh.vertex_edges(tail) if tip in ends[e])


def _depth(before: Array, after: Array, first: float, last: float) -> float:
    """Return how far a corner stands over the plane across, at most, in a while."""
    t = np.linspace(first, last, 33)[:, None, None]
    a, b, c, d = np.moveaxis((1.0 - t) * before + t * after, 1, 0)
    normal = np.cross(b - a, c - a)
    length = np.sqrt((normal * normal).sum(axis=1))
    height = ((d - a) * normal).sum(axis=1)
    return float((height / np.where(length > 0.0, length, 1.0)).max())
