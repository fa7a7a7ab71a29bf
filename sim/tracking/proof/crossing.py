"""Whether two surfaces, or the parts of one, pass through each other."""

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.solid import Solid
from sim.tracking.proof.triangle_gap import along, near_pairs
from sim.tracking.proof.verdict import FalseAnswer

Array = NDArray[np.float64]
Ids = NDArray[np.intp]

LEVEL = 1e-9  # sine below which two planes are one
LITTLE = 1e-6  # of the width: triangles that share no more lie beside each other


def check_apart(a: Solid, b: Solid, slack: float, *, touching: bool) -> None:
    """Prove that two solids share no inside, beyond what ``slack`` may hide.

    Where they touch an edge may come in through a corner or along a face, and surfaces
    may lie on each other: then the middles of all parts of all edges are asked, and all
    faces that lie in one plane.
    """
    s, t = a.triangles, b.triangles
    for i, j, _ in near_pairs(s, t, slack):
        if _cuts(s[i], t[j], slack) or _cuts(t[j], s[i], slack):
            raise FalseAnswer("the surfaces cross")
        if touching:
            if _share_side(a, b, i, j, slack):
                raise FalseAnswer("the bodies lie on the same side of a common face")
            for own, other, solid in ((s[i], t[j], b), (t[j], s[i], a)):
                if solid.depths(_middles(own, other, slack)).max() > 8.0 * slack:
                    raise FalseAnswer("an edge of a body runs inside the other")
    if max(a.depths(b.x).max(), b.depths(a.x).max()) > 8.0 * slack:
        raise FalseAnswer("a vertex of a body lies inside the other")


def surfaces_cross(a: Solid, b: Solid, slack: float) -> bool:
    """Say whether two solids surely share some of their inside."""
    try:
        check_apart(a, b, slack, touching=True)
    except FalseAnswer:
        return True
    return False


def crosses_itself(solid: Solid, slack: float) -> bool:
    """Say whether a side of one triangle of a surface passes through another one."""
    t = solid.triangles
    return any(_cuts(t[i], t[j], slack) for i, j, _ in near_pairs(t, t, slack))


def _cuts(s: Array, t: Array, slack: float) -> bool:
    """Say whether a side of a triangle passes through the one that goes with it."""
    return any(_pierces(s[:, k], s[:, k - 1], t, slack).any() for k in range(3))


def _pierces(p: Array, q: Array, t: Array, slack: float) -> NDArray[np.bool_]:
    """Say which segments pass through which triangles, beyond rounding."""
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    area = np.linalg.norm(n, axis=1)
    widest = sum(np.linalg.norm(t[:, k] - t[:, k - 1], axis=1) for k in range(3))
    found = area > 0.0
    area = np.where(found, area, 1.0)
    margin = slack * (1.0 + widest * widest / area)
    above = along(p - t[:, 0], n) / area
    below = along(q - t[:, 0], n) / area
    found &= (np.minimum(above, below) < -margin) & (np.maximum(above, below) > margin)
    d = q - p
    sides = []
    for k in range(3):
        e = t[:, k] - t[:, k - 1]
        c = np.cross(d, e)
        wide = np.linalg.norm(c, axis=1)
        wide = np.where(wide > 0.0, wide, np.inf)
        gap = along(t[:, k] - p, c) / wide
        around = np.linalg.norm(d, axis=1) * np.linalg.norm(e, axis=1) / wide
        sides.append((gap, slack * (1.0 + 4.0 * around)))
    left = np.logical_and.reduce([gap > limit for gap, limit in sides])
    right = np.logical_and.reduce([gap < -limit for gap, limit in sides])
    out: NDArray[np.bool_] = found & (left | right)
    return out


def _middles(s: Array, t: Array, slack: float) -> Array:
    """Return the middles of the parts into which planes cut the sides of triangles.

    The planes are those of the other triangles, and those upright on their sides.
    """
    found = []
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    planes = [(t[:, 0], n)]
    planes += [(t[:, k], np.cross(n, t[:, k] - t[:, k - 1])) for k in range(3)]
    for k in range(3):
        p, q = s[:, k], s[:, k - 1]
        sides = np.concatenate([p, q], axis=1)
        cuts = []
        for at, way in planes:
            above, below = along(p - at, way), along(q - at, way)
            with np.errstate(divide="ignore", invalid="ignore"):
                cuts.append(above / (above - below))
        cut = np.stack(cuts, axis=1)
        cut = np.where((cut > 0.0) & (cut < 1.0), cut, 0.0)
        _, owner = np.unique(sides, axis=0, return_inverse=True)
        owner = owner.reshape(-1)
        for number in range(int(owner.max()) + 1):
            own = np.flatnonzero(owner == number)
            ends = np.unique(np.concatenate([[0.0, 1.0], cut[own].ravel()]))
            e = q[own[0]] - p[own[0]]
            long = np.diff(ends) * float(np.linalg.norm(e)) > 4.0 * slack
            found.append(p[own[0]] + (0.5 * (ends[1:] + ends[:-1]))[long, None] * e)
    return np.concatenate(found)


def _share_side(a: Solid, b: Solid, i: Ids, j: Ids, slack: float) -> bool:
    """Say whether triangles of one plane overlap that face the same way."""
    s, t = a.triangles[i], b.triangles[j]
    m, n = (np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]) for x in (s, t))
    lm, ln = np.linalg.norm(m, axis=1), np.linalg.norm(n, axis=1)
    sense = (1.0 if a.hulled else a.sense) * (1.0 if b.hulled else b.sense)
    level = (np.linalg.norm(np.cross(m, n), axis=1) <= LEVEL * lm * ln) & (
        lm * ln > 0.0
    )
    level &= sense * along(m, n) > 0.0
    lm = np.where(lm > 0.0, lm, 1.0)
    for k in range(3):
        level &= np.abs(along(t[:, k] - s[:, 0], m)) <= 8.0 * slack * lm
    s, t, m = s[level], t[level], m[level] / lm[level, None]
    apart = np.zeros(len(s), bool)
    for x in (s, t):
        for k in range(3):  # across a side of either they share next to nothing
            way = np.cross(m, x[:, k] - x[:, k - 1])
            way /= np.linalg.norm(way, axis=1)[:, None]
            one, other = (np.einsum("pkx,px->pk", y, way) for y in (s, t))
            common = np.minimum(one.max(axis=1), other.max(axis=1))
            common -= np.maximum(one.min(axis=1), other.min(axis=1))
            least = np.minimum(np.ptp(one, axis=1), np.ptp(other, axis=1))
            apart |= common <= LITTLE * least + 8.0 * slack
    return bool((~apart).any())
