"""How far apart two surfaces are, triangle by triangle: for the checker alone.

Pairs of groups of neighbours, each in a box, are compared first: few pairs are left.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ids = NDArray[np.intp]

GROUPS = 256  # pairs of groups measured at once
PARALLEL = 1e-14  # squared sine below which two lines have no pair of closest points
GROUP = 12  # triangles in a group, about
BLOCK = 1 << 12  # pairs of groups taken apart at once
TURN = np.array(  # a rotation by no round angle: rays along z meet no edge by design
    [
        [0.7362, 0.3511, -0.5786],
        [-0.6109, 0.6798, -0.4056],
        [0.2914, 0.6477, 0.7040],
    ]
)


class Boxes:
    """Groups of triangles that lie beside each other, and the boxes around them.

    Parameters
    ----------
    triangles : (T, k, 3)
        Points may be triangles of one corner.
    """

    def __init__(self, triangles: Array) -> None:
        self.low, self.high = triangles.min(axis=1), triangles.max(axis=1)
        middles = 0.5 * (self.low + self.high)
        count = len(triangles)
        halvings = max(0, int(np.ceil(np.log2(count / GROUP))))
        size = -(-count >> halvings) << halvings
        # The last one fills the groups up: it may be met more than once.
        ids = np.minimum(np.arange(size), count - 1)[None]
        for _ in range(halvings):
            at = middles[ids]
            wide = np.ptp(at, axis=1).argmax(axis=1)
            along = np.take_along_axis(at, wide[:, None, None], axis=2)[..., 0]
            ids = np.take_along_axis(ids, along.argsort(axis=1), axis=1)
            ids = ids.reshape(2 * len(ids), -1)
        self.ids: Ids = ids
        self.lows, self.highs = self.low[ids].min(axis=1), self.high[ids].max(axis=1)


def _gaps(low: Array, high: Array, lows: Array, highs: Array) -> Array:
    """Return the distances of boxes, arrays that go together."""
    square = np.zeros(np.broadcast_shapes(low.shape, lows.shape)[:-1])
    for k in range(3):
        gap = np.maximum(low[..., k] - highs[..., k], lows[..., k] - high[..., k])
        square += np.maximum(gap, 0.0) ** 2
    return np.sqrt(square)


def near_groups(
    one: Boxes, other: Boxes, limit: float = np.inf
) -> tuple[Ids, Ids, Array]:
    """List the pairs of groups whose boxes come within a distance, the nearest first.

    Without a limit those in which the nearest of all to a triangle of the first may be.
    """
    found = []
    wide_one, wide_other = (
        np.linalg.norm(boxes.highs - boxes.lows, axis=1) for boxes in (one, other)
    )
    step = max(1, (1 << 20) // len(other.lows))
    for k in range(0, len(one.lows), step):
        part = slice(k, k + step)
        low, high = one.lows[part, None], one.highs[part, None]
        gaps = _gaps(low, high, other.lows, other.highs)
        most = np.full(len(gaps), limit)
        if limit == np.inf:
            most = (gaps + wide_other).min(axis=1) + wide_one[part]
        i, j = np.nonzero(gaps <= most[:, None])
        found.append((i + k, j, gaps[i, j]))
    i, j, gaps = (np.concatenate(column) for column in zip(*found, strict=True))
    order = gaps.argsort(kind="stable")
    return i[order], j[order], gaps[order]


def pairs_of(
    one: Boxes, other: Boxes, i: Ids, j: Ids, limit: float | Array
) -> tuple[Ids, Ids]:
    """List the pairs in pairs of groups whose own boxes come within a distance.

    One for all, or one of each of the first.
    """
    own, far = np.broadcast_arrays(one.ids[i][:, :, None], other.ids[j][:, None])
    own, far = own.ravel(), far.ravel()
    gaps = _gaps(one.low[own], one.high[own], other.low[far], other.high[far])
    near = gaps <= np.broadcast_to(limit, len(one.low))[own]
    return own[near], far[near]


def near_pairs(s: Array, t: Array, limit: float) -> Iterator[tuple[Ids, Ids]]:
    """Yield the pairs of triangles whose boxes come within a distance, in blocks."""
    one, other = Boxes(s), Boxes(t)
    i, j, _ = near_groups(one, other, limit)
    for k in range(0, len(i), BLOCK):
        block = slice(k, k + BLOCK)
        own, far = pairs_of(one, other, i[block], j[block], limit)
        if len(own):
            yield own, far


def windings(points: Array, triangles: Array) -> Array:
    """Return how often a surface winds around points; nan where a ray cannot say.

    Crossings of rays that run up are counted, with their sign.
    """
    points, triangles = points @ TURN.T, triangles @ TURN.T
    tops = points.copy()
    tops[:, 2] = max(triangles[..., 2].max(), points[:, 2].max()) + 1.0
    found = np.zeros(len(points))
    for i, j in near_pairs(np.stack([points, tops], axis=1), triangles, 0.0):
        # Each pair once, though the last one of either may come several times.
        i, j = np.divmod(np.unique(i * len(triangles) + j), len(triangles))
        u, v, w = (triangles[j, k] - points[i] for k in range(3))
        sides = np.stack(
            [a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] for a, b in ((v, w), (w, u), (u, v))]
        )
        wide = np.abs([u, v, w]).max(axis=(0, 2)) ** 2
        above = sides[0] * u[:, 2] + sides[1] * v[:, 2] + sides[2] * w[:, 2]
        sign = np.sign(sides)
        passes = np.abs(sign.sum(axis=0)) == 3.0
        unsure = np.abs(sides) <= 1e-14 * wide
        beside = (sides > 1e-14 * wide).any(axis=0) & (sides < -1e-14 * wide).any(
            axis=0
        )
        crossed = passes & (above * sign[0] > 0.0)
        np.add.at(found, i[crossed], sign[0, crossed])
        doubtful = unsure.any(axis=0) & ~beside
        found[i[doubtful]] = np.nan
    return found


def surface_gap(one: Array, other: Array) -> float:
    """Return the least distance of triangles (T, 3, 3) that do not cross.

    Pairs of groups are measured in the order of how near their boxes come, until those
    left are farther than the best.
    """
    s, t = Boxes(one), Boxes(other)
    i, j, low = near_groups(s, t)
    best = np.inf
    for start in range(0, len(i), GROUPS):
        block = slice(start, start + GROUPS)
        if low[start] > best:
            break
        own, far = pairs_of(s, t, i[block], j[block], best)
        if len(own):
            best = min(best, float(triangle_pairs(one[own], other[far])[0].min()))
    return best


def nearest_places(one: Array, other: Array, limit: float) -> tuple[Array, Array]:
    """Return the closest points of all features within a distance, (k, 3) each."""
    found = [(np.zeros((0, 3)), np.zeros((0, 3)))]
    for i, j in near_pairs(one, other, limit):
        for p, q in _feature_pairs(one[i], other[j]):
            near = np.linalg.norm(q - p, axis=1) <= limit
            found.append((p[near], q[near]))
    points_a, points_b = zip(*found, strict=True)
    return np.concatenate(points_a), np.concatenate(points_b)


def from_surface(points: Array, triangles: Array) -> Array:
    """Return the distance of each point from the nearest of all triangles."""
    found = np.full(len(points), np.inf)
    if not len(points):
        return found
    s, t = Boxes(points[:, None]), Boxes(triangles)
    i, j, low = near_groups(s, t)
    for start in range(0, len(i), GROUPS):
        block = slice(start, start + GROUPS)
        if low[start] > found.max():
            break
        open_ = low[block] <= found[s.ids[i[block]]].max(axis=1)
        own, far = pairs_of(s, t, i[block][open_], j[block][open_], found)
        np.minimum.at(found, own, from_triangles(points[own], triangles[far]))
    return found


def triangle_pairs(s: Array, t: Array) -> tuple[Array, Array, Array]:
    """Return distance and closest points of matching triangles that do not cross."""
    near = np.full(len(s), np.inf)
    p, q = np.zeros((len(s), 3)), np.zeros((len(s), 3))
    for x, y in _feature_pairs(s, t):
        d = np.linalg.norm(y - x, axis=1)
        nearer = d < near
        near[nearer], p[nearer], q[nearer] = d[nearer], x[nearer], y[nearer]
    return near, p, q


def _feature_pairs(s: Array, t: Array) -> Iterator[tuple[Array, Array]]:
    """Yield the closest points of corners and triangles, and of sides that cross."""
    for k in range(3):
        yield s[:, k], _on_triangles(s[:, k], t)
        yield _on_triangles(t[:, k], s), t[:, k]
    for i in range(3):
        for j in range(3):
            yield _crossings(s[:, i], s[:, i - 1], t[:, j], t[:, j - 1])


NARROW = 0.02  # area of a needle, per unit of its length squared


def from_triangles(p: Array, t: Array) -> Array:
    """Return the distance of points (n, 3) or one (1, 3) from triangles (n, 3, 3)."""
    out: Array = np.linalg.norm(p - _on_triangles(p, t), axis=1)
    return out


def _on_triangles(p: Array, t: Array) -> Array:
    """Return the points of triangles that are nearest to points."""
    a, b, c = t[:, 0], t[:, 1], t[:, 2]
    foot = _on_lines(p, a, b)
    near = np.linalg.norm(p - foot, axis=1)
    for u, v in ((b, c), (c, a)):
        other = _on_lines(p, u, v)
        d = np.linalg.norm(p - other, axis=1)
        foot = np.where((d < near)[:, None], other, foot)
        near = np.minimum(near, d)
    d, e = b - a, c - a
    n = np.cross(d, e)
    area = np.linalg.norm(n, axis=1)
    n = n / np.where(area > 0.0, area, 1.0)[:, None]
    dd, ee = along(d, d), along(e, e)
    thin = np.flatnonzero(area < NARROW * np.maximum(dd, ee))
    if len(thin):  # the normal of a needle leans along its long sides, to rounding
        long = np.where((dd > ee)[thin, None], d[thin], e[thin])
        n[thin] -= (along(n[thin], long) / along(long, long))[:, None] * long
    below = p - along(p - a, n)[:, None] * n
    inside = area > 0.0
    for u, v in ((a, b), (b, c), (c, a)):
        inside = inside & (along(np.cross(v - u, below - u), n) >= 0.0)
    return np.where(inside[:, None], below, foot)


def _on_lines(p: Array, a: Array, b: Array) -> Array:
    e = b - a
    length = np.linalg.norm(e, axis=1)
    e = e / np.where(length > 0.0, length, 1.0)[:, None]
    t = np.clip(along(p - a, e), 0.0, length)
    out: Array = a + t[:, None] * e
    return out


def _crossings(p: Array, q: Array, r: Array, s: Array) -> tuple[Array, Array]:
    """Return where segments come closest inside both, else points far apart."""
    d, e, w = q - p, s - r, r - p
    dd, de, ee = along(d, d), along(d, e), along(e, e)
    det = dd * ee - de * de
    apart = det > PARALLEL * dd * ee
    det = np.where(apart, det, 1.0)
    wd, we = along(w, d), along(w, e)
    x, y = (wd * ee - we * de) / det, (wd * de - we * dd) / det
    inside = apart & (x >= 0.0) & (x <= 1.0) & (y >= 0.0) & (y <= 1.0)
    x, y = np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0)
    far = np.where(inside, 0.0, np.inf)[:, None]
    return p + x[:, None] * d, r + y[:, None] * e + far


def along(u: Array, v: Array) -> Array:
    """Return the scalar products of vectors that go together."""
    out: Array = (u * v).sum(axis=1)
    return out
