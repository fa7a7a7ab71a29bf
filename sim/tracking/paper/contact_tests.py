"""The two contact tests of the paper: a face with a vertex, an edge with an edge.

The paper (section 4.1) prints one sentence for both, that an edge meets the plane
which contains the face.  It cannot tell them apart, so each gets a reading of its own.
"""

from math import sqrt
from typing import NamedTuple

from sim.contact import Vec
from sim.kernels.segments import crossing
from sim.kernels.vector import along, back, cross, dot, minus, reach_of, unit
from sim.tracking.paper.near import Neighbourhood, beyond, ends_of
from sim.tracking.trace.tried import printed
from wingedge import Feature

LEVEL = 1e-12  # per unit of size: vertices this near to the lowest are as low


class Hit(NamedTuple):
    """What became of one test of an element against the other body."""

    partner: Feature  # of the other body, the likeliest
    test: str  # "passed", or the condition that failed
    loss: float  # by what length it failed
    culprit: Feature | None = None
    says: str = ""
    gap: float = 0.0  # signed distance, where it passed
    normal: Vec = (0.0, 0.0, 0.0)  # unit, from the element to the partner
    point: Vec = (0.0, 0.0, 0.0)  # on the element

    @property
    def passed(self) -> bool:
        """Whether the element is in contact."""
        return self.test == "passed"


def face_vertex(
    own: Neighbourhood, other: Neighbourhood, f: int, edges: list[int], threshold: float
) -> Hit:
    """Test a face for an FV contact with the other body's edges around.

    Our reading: an edge of the other body reaches the plane of the face with its lower
    end.  That end, the lowest of all, lies over the face and within the threshold of
    its plane; where several are as low, the one that lies farthest inside is taken.
    """
    n = own.outward(f)
    corners = own.mesh.face_vertices(f).tolist()
    base = own[corners[0]]
    heights = {v: dot(minus(other[v], base), n) for v in ends_of(other.mesh, edges)}
    low = min(heights.values())
    size = max(reach_of(other[v], base) for v in heights)
    level = [v for v in heights if heights[v] <= low + LEVEL * size]
    rims = [beyond(own, corners, n, other[v]) for v in level]
    (miss, side), v = min(zip(rims, level, strict=True), key=lambda each: each[0][0])
    partner = Feature("vertex", v)
    x = other[v]
    if miss > 0.0:
        edge = Feature("edge", int(own.mesh.face_edges(f)[side]))
        says = f"{partner} lies beyond {printed(own.mesh, edge)} of f{f}"
        return Hit(partner, "beside", miss, edge, says)
    # Of a fan that is not flat, the triangle under the vertex.
    nearest = min(own.triangles(f), key=lambda t: beyond(own, list(t), n, x)[0])
    i, j, k = (own[w] for w in nearest)
    n = unit(cross(minus(j, i), minus(k, i)))
    h = dot(minus(x, i), n)
    if abs(h) > threshold:
        says = f"{partner} is {abs(h):.6g} from the plane of f{f}"
        return Hit(partner, "distance", abs(h) - threshold, partner, says)
    return Hit(partner, "passed", 0.0, None, "", h, n, along(x, -h, n))


def edge_edge(
    own: Neighbourhood, other: Neighbourhood, e: int, edges: list[int], threshold: float
) -> Hit:
    """Test an edge for an EE contact with the other body's edges around.

    Our reading: each of the two edges passes, between its ends, through the plane that
    holds the other one and their common normal; so both feet of the common
    perpendicular lie inside, and it is no longer than the threshold.  Of several that
    pass, the nearest.
    """
    tail, tip = own.mesh.edge_vertices[e].tolist()
    left, right = (own.outward(f) for f in own.mesh.edge_faces[e].tolist())
    outward = along(left, 1.0, right)
    found = []
    for k in edges:
        i, j = other.mesh.edge_vertices[k].tolist()
        ends = own[tail], own[tip], other[i], other[j]
        found.append(_crossed(Feature("edge", k), *ends, outward, threshold))
    best = min(found, key=lambda hit: (not hit.passed, abs(hit.gap), hit.loss))
    return best._replace(says=best.says.format(printed(other.mesh, best.partner)))


def _crossed(
    partner: Feature,
    p0: Vec,
    p1: Vec,
    q0: Vec,
    q1: Vec,
    outward: Vec,
    threshold: float,
) -> Hit:
    d, e = minus(p1, p0), minus(q1, q0)
    meet, s, w, sine = crossing(p0, q0, d, e)
    if not meet:
        loss = overshoot(d, e, minus(q0, p0))
        says = f"the common perpendicular with {{}} ends {loss:.6g} beyond"
        return Hit(partner, "beside", loss, partner, says)
    n = unit(cross(d, e))
    if dot(n, outward) < 0.0:
        n = back(n)
    gap = dot(n, w)
    if abs(gap) > sqrt(sine) * max(reach_of(p0, p1), reach_of(q0, q1)):
        # Nearly parallel and apart: the points know the normal better.
        n = unit(w) if gap > 0.0 else back(unit(w))
        gap = dot(n, w)
    if abs(gap) > threshold:
        says = f"{{}} is {abs(gap):.6g} away"
        return Hit(partner, "distance", abs(gap) - threshold, partner, says)
    return Hit(partner, "passed", 0.0, None, "", gap, n, along(p0, s, d))


def overshoot(d: Vec, e: Vec, r: Vec) -> float:
    """Return how far the feet of a common perpendicular lie beyond two segments.

    The segments run along ``d`` and ``e``, ``r`` from the start of the first to that
    of the second.  Parallel ones have no such feet: infinite is said as the length of
    both, which no test can pass.
    """
    dd, de, ee = dot(d, d), dot(d, e), dot(e, e)
    bottom = dd * ee - de * de
    if not bottom > 0.0:
        return sqrt(dd) + sqrt(ee)
    s = (dot(d, r) * ee - dot(e, r) * de) / bottom
    t = (dot(d, r) * de - dot(e, r) * dd) / bottom
    over_s = max(0.0, -s, s - 1.0) * sqrt(dd)
    over_t = max(0.0, -t, t - 1.0) * sqrt(ee)
    return max(over_s, over_t)
