"""The equations of one Newton step: gradients and curvatures of all bodies, solved."""

import numpy as np

from sim.engine.bound import Bound, floats, ints
from sim.kernels.envelope import Blocks, Envelope, solve_envelope, sum_blocks
from sim.laws.contacts import Forces
from sim.laws.shapes import Array, Ids, Mask, Masses, applied
from wingedge.tables import connected

SIZE = 12  # unknowns a body
BEYOND = np.triu_indices(SIZE, 1)  # right of the diagonal


def gradient_of(p: Forces, bodies: int) -> Array:
    """Return the derivatives by the maps of all bodies, (B, 3, 4)."""
    each = p.at_a[:, :, None] * p.x[:, None, :], p.at_b[:, :, None] * p.y[:, None, :]
    at = np.concatenate([p.a, p.b])[:, None] * SIZE + np.arange(SIZE)
    total = np.bincount(at.ravel(), np.concatenate(each).ravel(), bodies * SIZE)
    return total.astype(np.float64, copy=False).reshape(-1, 3, 4)


def carried(p: Forces, step: Array) -> Array:
    """Return by how much the gradient changes, to first order, with a step of maps."""
    dx, dy = applied(step[p.a], p.x), applied(step[p.b], p.y)
    at_a = applied(p.aa, dx) + applied(p.ab, dy)
    at_b = applied(p.ab.transpose(0, 2, 1), dx) + applied(p.bb, dy)
    return gradient_of(p._replace(at_a=at_a, at_b=at_b), len(step))


def assembled(p: Forces, slot: Ids, count: int) -> tuple[Array, Ids, Ids]:
    """Add up the stiffness of forces: blocks of bodies, and of pairs that touch.

    Parameters: ``slot`` (B,): where those that are free stand in the matrix, or -1.

    Returns (n, 12, 12) array, the first ``count`` on the diagonal, and their places.
    """
    a, b = slot[p.a], slot[p.b]
    on_a, on_b, both = a >= 0, b >= 0, (a >= 0) & (b >= 0)
    row, column = np.maximum(a, b)[both], np.minimum(a, b)[both]
    keys, at = np.unique(row * count + column, return_inverse=True)
    row, column = (np.append(np.arange(count), k) for k in np.divmod(keys, count))
    m = np.concatenate([p.aa[on_a], p.bb[on_b], p.ab[both]])
    x, y = (np.concatenate([p.x[on_a], p.y[on_b], z[both]]) for z in (p.x, p.y))
    to = np.concatenate([a[on_a], b[on_b], count + at]).astype(np.int32)
    turned = np.append(np.zeros(len(m) - len(at)), (a < b)[both]).astype(np.int32)
    sums = np.zeros((len(row), SIZE, SIZE))
    if len(m):
        block, k, e = map(floats, (m, x, y))
        into, swap = map(ints, (to, turned))
        Bound(sum_blocks)(Blocks(len(m), block, k, e, into, swap, floats(sums)))
    return sums, row, column


def in_levels(one: Ids, other: Ids, count: int) -> Ids:
    """Order bodies so that those which touch are near each other, part by part.

    Breadth first, as Cuthill and McKee (1969, DOI 10.1145/800195.805928), but not by
    degrees: scipy sorts these in an order that depends on the processor.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order

    part = connected(count, one, other)
    first = np.unique(part, return_index=True)[1]  # all beside a root
    a, b = np.append(one, first), np.append(other, np.full(len(first), count))
    web = coo_array((np.ones(len(a)), (a, b)), shape=(count + 1, count + 1))
    order = breadth_first_order(web.tocsr(), count, directed=False)[0][1:]
    return np.asarray(order[np.argsort(part[order], kind="stable")], np.intp)


def newton_step(
    masses: Masses, q: Array, dt: float, free: Mask, p: Forces, gradient: Array
) -> Array | None:
    """Return the step of Newton, (B, 3, 4), or None where there is no minimum.

    Only ``free`` bodies (B,) move; those that touch are near in the order of entries.
    """
    bodies, slot = np.flatnonzero(free), np.where(free, np.cumsum(free) - 1, -1)
    count, both = len(bodies), free[p.a] & free[p.b]
    if both.any():
        bodies = bodies[in_levels(slot[p.a[both]], slot[p.b[both]], count)]
    slot[bodies] = np.arange(count)
    sums, row, column = assembled(p, slot, count)
    first = np.arange(count)
    np.minimum.at(first, row, column)
    first = np.repeat(first * SIZE, SIZE)
    lengths = np.arange(count * SIZE) - first + 1
    base = np.cumsum(lengths) - lengths - first
    into = base.reshape(-1, SIZE)[row][:, :, None] + np.arange(SIZE)
    into += (column * SIZE)[:, None, None]
    into[:count, *BEYOND] = lengths.sum()  # which nobody reads
    starts, rows = (ints(k.astype(np.int32)) for k in (first, base))
    for full in (True, False):
        entries, values = np.zeros(lengths.sum() + 1), -gradient[bodies]
        entries[into] = sums
        own = masses.curvature(q, dt, full=full)[bodies]
        entries[into[:count]] += own
        table = Envelope(len(first), starts, rows, floats(entries), floats(values))
        if Bound(solve_envelope)(table) < 0:
            step = np.zeros(gradient.shape)
            step[bodies] = values
            return step
    return None
