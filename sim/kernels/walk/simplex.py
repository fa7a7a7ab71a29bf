"""The point of a simplex of one to four points that is nearest to the origin.

Source: Ericson (2005), 5.1; Montanari, Petrinic, Barbieri (2017),
DOI 10.1145/3083724.  Own formulation: points lie flat in ``w`` (three floats
each), the ids travel with them, and the simplex is cut down in place.
"""

from math import sqrt

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import along, cross, dot, minus, point, put

FLAT = 1.6e-14  # tetrahedra below this volume / L^3 carry no reliable sign


@kernel
def keep(w: Floats, ids: Ints, position: int, source: int) -> None:
    """Move one point of the simplex, with both of its ids, to an earlier place."""
    if position == source:
        return
    put(w, 3 * position, point(w, source))
    ids[1 + position] = ids[1 + source]
    ids[5 + position] = ids[5 + source]


@kernel
def nearest_on_segment(p: Vec, q: Vec) -> tuple[float, float]:
    """Return the parameter in [0, 1] nearest to the origin and the square there."""
    e = minus(q, p)
    ee = dot(e, e)
    t = -dot(p, e)
    if t <= 0.0 or not ee > 0.0:
        return 0.0, dot(p, p)
    if t >= ee:
        return 1.0, dot(q, q)
    t = t / ee
    x = along(p, t, e)
    return t, dot(x, x)


@kernel
def reduce_segment(w: Floats, ids: Ints, i: int, j: int) -> Vec:
    """Cut the simplex down to the nearest part of the segment (i, j), i < j."""
    p = point(w, i)
    q = point(w, j)
    t, _ = nearest_on_segment(p, q)
    if t <= 0.0:
        keep(w, ids, 0, i)
        ids[0] = 1
        return p
    if t >= 1.0:
        keep(w, ids, 0, j)
        ids[0] = 1
        return q
    keep(w, ids, 0, i)
    keep(w, ids, 1, j)
    ids[0] = 2
    e = minus(q, p)
    v = along(p, t, e)
    # Near the origin v is a difference of large numbers; what is left of it
    # along the segment is rounding, and would tilt the direction.
    ee = dot(e, e)
    return along(v, -dot(v, e) / ee, e)


@kernel
def stands_over(p: Vec, q: Vec, r: Vec) -> tuple[bool, Vec, float]:
    """Say whether the origin projects into a triangle; with the normal, its square."""
    n = cross(minus(q, p), minus(r, p))
    nn = dot(n, n)
    inside = dot(n, cross(q, r)) > 0.0 and dot(n, cross(r, p)) > 0.0
    return inside and dot(n, cross(p, q)) > 0.0 and nn > 0.0, n, nn


@kernel
def nearest_sq_on_rim(p: Vec, q: Vec, r: Vec) -> float:
    """Return the squared distance of the origin from the sides of a triangle."""
    _, a = nearest_on_segment(p, q)
    _, b = nearest_on_segment(q, r)
    _, c = nearest_on_segment(p, r)
    return min(a, b, c)


@kernel
def nearest_sq_on_triangle(w: Floats, i: int, j: int, k: int) -> float:
    """Return the squared distance of the origin from the triangle (i, j, k)."""
    p = point(w, i)
    q = point(w, j)
    r = point(w, k)
    inside, n, nn = stands_over(p, q, r)
    if inside:
        h = dot(n, p)
        return h * (h / nn)  # no power of a length above the fourth
    return nearest_sq_on_rim(p, q, r)


@kernel
def reduce_triangle(w: Floats, ids: Ints, i: int, j: int, k: int) -> Vec:
    """Cut the simplex down to the nearest part of the triangle, i < j < k.

    Inside, the direction is the triangle's own normal: exact down to distance
    zero, where the nearest point itself has no digits left.
    """
    p = point(w, i)
    q = point(w, j)
    r = point(w, k)
    inside, n, nn = stands_over(p, q, r)
    if inside:
        keep(w, ids, 0, i)
        keep(w, ids, 1, j)
        keep(w, ids, 2, k)
        ids[0] = 3
        s = dot(n, p) / nn
        return (s * n[0], s * n[1], s * n[2])
    _, a = nearest_on_segment(p, q)
    _, b = nearest_on_segment(q, r)
    _, c = nearest_on_segment(p, r)
    if a <= b and a <= c:
        return reduce_segment(w, ids, i, j)
    if b <= c:
        return reduce_segment(w, ids, j, k)
    return reduce_segment(w, ids, i, k)


@kernel
def reduce_tetrahedron(w: Floats, ids: Ints) -> tuple[bool, Vec]:
    """Cut the simplex down to its nearest face, or say that the origin is inside.

    A flat tetrahedron has no inside: the best of its four faces is taken.
    """
    a = point(w, 0)
    b = point(w, 1)
    c = point(w, 2)
    d = point(w, 3)
    ab = minus(b, a)
    ac = minus(c, a)
    ad = minus(d, a)
    bc = minus(c, b)
    volume = dot(ab, cross(ac, ad))
    reach = max(dot(ab, ab), dot(ac, ac), dot(ad, ad), dot(bc, bc))
    flat = abs(volume) <= FLAT * reach * sqrt(reach)
    # The origin's own signed volumes against each face, in the same orientation.
    vd = -dot(a, cross(ab, ac))
    vb = -dot(a, cross(ac, ad))
    vc = -dot(a, cross(ad, ab))
    va = dot(b, cross(bc, minus(d, b)))
    if not flat:
        if volume < 0.0:
            va, vb, vc, vd = -va, -vb, -vc, -vd
        if va > 0.0 and vb > 0.0 and vc > 0.0 and vd > 0.0:
            return True, (0.0, 0.0, 0.0)
    best = -1.0
    i, j, k = 1, 2, 3
    if flat or vd <= 0.0:
        best = nearest_sq_on_triangle(w, 0, 1, 2)
        i, j, k = 0, 1, 2
    if flat or vb <= 0.0:
        s = nearest_sq_on_triangle(w, 0, 2, 3)
        if best < 0.0 or s < best:
            best = s
            i, j, k = 0, 2, 3
    if flat or vc <= 0.0:
        s = nearest_sq_on_triangle(w, 0, 1, 3)
        if best < 0.0 or s < best:
            best = s
            i, j, k = 0, 1, 3
    if (
        (flat or va <= 0.0)
        and best >= 0.0
        and nearest_sq_on_triangle(w, 1, 2, 3) < best
    ):
        i, j, k = 1, 2, 3
    return False, reduce_triangle(w, ids, i, j, k)


@kernel
def reduce(w: Floats, ids: Ints) -> tuple[bool, Vec]:
    """Cut a simplex down to its part nearest to the origin.

    Returns whether the origin is strictly inside a tetrahedron, and the vector
    from the origin to the nearest point.
    """
    k = ids[0]
    if k == 1:
        return False, point(w, 0)
    if k == 2:
        return False, reduce_segment(w, ids, 0, 1)
    if k == 3:
        return False, reduce_triangle(w, ids, 0, 1, 2)
    return reduce_tetrahedron(w, ids)
