"""The independent checker: re-prove an answer from positions alone.

Shares no code with the tracker, the exhaustive search or their primitives: other
formulas, another order, so one mistake cannot hide in both.
"""

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.contact import PairState
from sim.tracking.proof.triangle_gap import from_triangles, surface_gap

if TYPE_CHECKING:
    from fractions import Fraction

Array = NDArray[np.float64]

SLACK = 1e-14  # per unit of scale: this checker's own rounding, and the answer's
LEVEL = 1e-12  # per unit of size: heights within this are one level part
HULL_LIMIT = 1_000_000  # difference points that a convex hull is built of


class Verdict(NamedTuple):
    """Whether an answer holds, and why not; true or false in a condition."""

    holds: bool
    reason: str

    def __bool__(self) -> bool:
        """Say whether the answer holds."""
        return self.holds


class _Case(NamedTuple):
    """An answer and what it is held against, relative to the origin of A."""

    state: PairState
    a: Body
    b: Body
    xa: Array  # (V, 3) vertices
    xb: Array
    pa: Array  # (3,) the closest points
    pb: Array
    slack: float  # what rounding may move a coordinate by


def verify(state: PairState, a: Body, b: Body) -> Verdict:
    """Re-prove an answer from the positions of its bodies, before they change.

    Parameters
    ----------
    state : PairState
        An answer for ``a`` and ``b`` in this order.
    a, b : Body
        The bodies as they were when it was given.

    Returns
    -------
    Verdict
        False with a reason if the points do not lie on the named features, do not
        belong to the distance and the normal, or if a bound does not hold.

    Raises
    ------
    TypeError
        For a compound: its answer is that of its pieces, ``state.nearest.state``.

    Notes
    -----
    A body made with ``convexity="hull"`` is checked as the hull that Qhull finds.
    Lower bound: a scan of all vertices along the normal; where that is not enough
    (bodies that are not convex), all pairs of triangles again.  Upper bound: the points
    themselves; in convex overlap, the convex hull of the difference of the bodies.
    Cost: O(V) for a separated convex pair, else up to seconds.
    """
    for body in (a, b):
        if not isinstance(body, Body):
            raise TypeError(
                f"verify takes two sim.Body, got {type(body).__name__}; hold the "
                f"pieces of a compound against state.nearest.state"
            )
    if (state.a, state.b) == (a, b) and state.editions != (a.edition, b.edition):
        return Verdict(False, "a body has another mesh since this was answered")
    origin = a.transform[:, 3].copy()
    xa = _placed(a, origin)
    xb = _placed(b, origin)
    pa, pb = state.point_a - origin, state.point_b - origin
    scale = max(float(np.abs(pa).max()), float(np.abs(pb).max()), state.size)
    # The points were rounded once more when they were moved to the world.
    slack = SLACK * scale + 4.0 * np.finfo(float).eps * float(np.abs(origin).max())
    d, n = state.distance, state.normal
    finite = np.isfinite([d, *n, *pa, *pb, state.lower]).all()
    if not finite or not state.upper > -np.inf:  # infinite where nothing is proven
        return Verdict(False, "a number is not finite")
    if abs(float(np.linalg.norm(n)) - 1.0) > 1e-12:
        return Verdict(False, f"the normal has length {np.linalg.norm(n)}")
    if not state.lower <= state.upper:
        return Verdict(False, f"the bounds {state.lower} and {state.upper} are crossed")
    if not state.lower <= d <= state.upper:
        return Verdict(False, f"the distance {d} lies outside its own bounds")
    miss = float(np.abs(pb - pa - d * n).max())
    if miss > 4.0 * slack + 1e-12 * abs(d):
        return Verdict(False, f"the points are {miss:g} from distance times normal")
    case = _Case(state, a, b, xa, xb, pa, pb, slack)
    return _apart(case) if d >= 0.0 else _overlapping(case)


def _apart(case: _Case) -> Verdict:
    state, a, b, xa, xb, pa, pb, slack = case
    off = _off_features(case)
    if off:
        return Verdict(False, off)
    width = float(np.linalg.norm(pb - pa))
    if width > state.upper + slack:
        return Verdict(False, f"the points are {width} apart, beyond the upper bound")
    gap = float((xb @ state.normal).min() - (xa @ state.normal).max())
    if gap >= state.lower - slack:
        return Verdict(True, "")
    if state.proof in ("ring", "scan"):
        return Verdict(False, f"the gap along the normal is {gap}, below the bound")
    if _contains(a, xa, pb, 16.0 * slack) or _contains(b, xb, pa, 16.0 * slack):
        return Verdict(False, "a closest point lies inside the other body")
    nearest = _surface_distance(a, xa, b, xb)
    if nearest < state.lower - slack:
        return Verdict(False, f"two features are {nearest} apart, below the bound")
    return Verdict(True, "")


def _overlapping(case: _Case) -> Verdict:
    state, a, b, xa, xb, _, _, slack = case
    gap = float((xb @ state.normal).min() - (xa @ state.normal).max())
    if gap < state.lower - slack:
        return Verdict(False, f"the gap along the normal is {gap}, below the bound")
    if _is_convex(a) and _is_convex(b):
        off = _off_features(case)
        if off:
            return Verdict(False, off)
    if not state.certified:
        return Verdict(True, "")
    if len(xa) * len(xb) > HULL_LIMIT:
        return Verdict(False, "the bodies are too large to re-prove a depth")
    from scipy.spatial import ConvexHull, QhullError

    difference = (xb[:, None, :] - xa[None, :, :]).reshape(-1, 3)
    try:
        planes = ConvexHull(difference).equations
    except QhullError:
        return Verdict(False, "no hull of the difference to re-prove the depth by")
    depth = float((-planes[:, 3]).min())
    # Qhull merges facets that are level within its own rounding.
    coarse = 1e-9 * abs(state.distance) + 1e-12 * float(np.abs(difference).max())
    if -depth > state.upper + coarse:
        return Verdict(False, f"the depth is {depth}, less than the upper bound says")
    return Verdict(True, "")


def _off_features(case: _Case) -> str:
    """Say which point does not lie on the feature that it is named after."""
    state = case.state
    wide = 1e-9 * abs(state.distance) + 16.0 * case.slack
    if state.kind != "VV":
        wide += LEVEL * state.size  # a level part is as deep as its own tolerance
    for name, body, x, p, parts in (
        ("A", case.a, case.xa, case.pa, state.parts_a),
        ("B", case.b, case.xb, case.pb, state.parts_b),
    ):
        off = _off_feature(body, x, p, parts, _from_triangle)
        if off > wide:
            # The plane of a narrow face has few digits in floats.
            off = min(off, _off_feature(body, x, p, parts, _exactly_from_triangle))
        if off > wide:
            return f"point {name} is {off:g} off its feature {parts[0]}"
    return ""


def _contains(body: Body, x: Array, p: Array, near: float) -> bool:
    """Say whether a body's surface winds around a point that is not on it."""
    corners = _triangles(body, x) - p
    u, v, w = (corners[:, k] for k in range(3))
    lu, lv, lw = (np.linalg.norm(c, axis=1) for c in (u, v, w))
    if float(from_triangles(np.zeros((1, 3)), corners).min()) <= near:
        return False
    top = (u * np.cross(v, w)).sum(axis=1)
    low = lu * lv * lw + (u * v).sum(axis=1) * lw
    low = low + (v * w).sum(axis=1) * lu + (w * u).sum(axis=1) * lv
    return bool(abs(np.arctan2(top, low).sum()) > np.pi)


def _is_convex(body: Body) -> bool:
    return body.convexity == "hull" or body.audit().is_convex()


def _triangles(body: Body, x: Array) -> Array:
    """Return the surface that a body stands for, (T, 3, 3), outward.

    Raises
    ------
    scipy.spatial.QhullError
        If it stands for a hull and is flat.
    """
    if body.convexity != "hull":
        return x[body.mesh.fan.vertex]
    from scipy.spatial import ConvexHull

    centre = x.mean(axis=0)
    hull = ConvexHull((x - centre) / np.abs(x - centre).max())
    corners: Array = x[hull.simplices]
    u, v, w = (corners[:, k] for k in range(3))
    turned = (np.cross(v - u, w - u) * hull.equations[:, :3]).sum(axis=1) < 0.0
    corners[turned] = corners[turned][:, ::-1]
    return corners


def _placed(body: Body, origin: Array) -> Array:
    shift = body.transform[:, 3] - origin
    out: Array = body.positions @ body.transform[:, :3].T + shift
    return out


def _off_feature(
    body: Body,
    x: Array,
    p: Array,
    parts: tuple[tuple[str, int], ...],
    from_triangle: Callable[[Array, Array, Array, Array], float],
) -> float:
    """Return the distance of a point from the features it is said to lie on."""
    best = np.inf
    for kind, index in parts:
        if kind == "lid" and body.convexity != "hull":
            continue  # only a hull has lids
        if kind == "vertex":
            best = min(best, float(np.linalg.norm(x[index] - p)))
        elif kind == "edge":
            tail, tip = x[body.mesh.edge_vertices[index]]
            best = min(best, _from_segment(p, tail, tip))
        elif kind == "lid" and len(index) == 2:  # type: ignore[arg-type]
            best = min(best, _from_segment(p, *x[list(index)]))  # type: ignore[call-overload]
        else:
            face = index if kind == "lid" else body.mesh.face_vertices(index)
            corners = x[list(face)]  # type: ignore[arg-type]
            for k in range(1, len(corners) - 1):
                best = min(best, from_triangle(p, *corners[[0, k, k + 1]]))
    return best


def _exactly_from_triangle(p: Array, a: Array, b: Array, c: Array) -> float:
    """Return the distance, exact over the triangle, else that of its rim."""
    return min(_over_triangle(p, a, b, c), *_from_rims(p, a, b, c))


def _over_triangle(p: Array, a: Array, b: Array, c: Array) -> float:
    """Return the exact height over a triangle; infinite where the foot lies outside."""
    from fractions import Fraction

    o, q, r, s = ([Fraction(float(t)) for t in v] for v in (a, b, c, p))
    e, f, w = ([u[i] - o[i] for i in range(3)] for u in (q, r, s))

    def cross(u: "list[Fraction]", v: "list[Fraction]") -> "list[Fraction]":
        return [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]

    def dot(u: "list[Fraction]", v: "list[Fraction]") -> "Fraction":
        return sum((u[i] * v[i] for i in range(3)), Fraction(0))

    n = cross(e, f)
    area = dot(n, n)
    beta, gamma = dot(cross(w, f), n), dot(cross(e, w), n)
    if area == 0 or min(beta, gamma, area - beta - gamma) < 0:
        return np.inf
    height = dot(w, n)
    return sqrt(height * height / area)


def _from_segment(p: Array, a: Array, b: Array) -> float:
    e = b - a
    length = float(np.linalg.norm(e))
    if length == 0.0:
        return float(np.linalg.norm(p - a))
    t = np.clip((p - a) @ (e / length), 0.0, length)
    return float(np.linalg.norm(p - a - t * (e / length)))


def _from_rims(p: Array, a: Array, b: Array, c: Array) -> tuple[float, float, float]:
    return _from_segment(p, a, b), _from_segment(p, b, c), _from_segment(p, c, a)


def _from_triangle(p: Array, a: Array, b: Array, c: Array) -> float:
    """Return the distance by the weights of the nearest point in the plane."""
    n = np.cross(b - a, c - a)
    area = float(np.linalg.norm(n))
    rims = _from_rims(p, a, b, c)
    if area == 0.0:
        return min(rims)
    n = n / area
    foot = p - ((p - a) @ n) * n
    sides = [float(np.cross(v - u, foot - u) @ n) for u, v in ((a, b), (b, c), (c, a))]
    if min(sides) >= 0.0:
        return abs(float((p - a) @ n))
    return min(rims)


def _surface_distance(a: Body, xa: Array, b: Body, xb: Array) -> float:
    """Return the distance of two surfaces that do not cross, triangle by triangle."""
    return surface_gap(_triangles(a, xa), _triangles(b, xb))
