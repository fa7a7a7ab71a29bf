"""Rays and segments against bodies: through faces, edges, corners, along, from inside.

The judge clips each line, as a segment in rational numbers, by every triangle.
"""

from fractions import Fraction
from functools import cache

import numpy as np

from queries._exact import bounds, clip, cross, dot, subtract
from wingedge import WingedEdgeMesh, shapes
from wingedge.primitives.segment_body import ray, segment

OFF = 1e-13  # of the largest coordinate, in a point
BODIES = 10


@cache
def _body(k):
    """Build body k; those from 8 on are not convex."""
    if k == 6:
        box = shapes.grid_box(2)
        return WingedEdgeMesh.from_faces(
            box.points * 1000.0 + (2.0**20, -(2.0**19), 0),
            [box.face_vertices(f) for f in range(box.n_faces)],
        )
    return (
        shapes.box,
        lambda: shapes.grid_box(3),
        shapes.tetrahedron,
        lambda: shapes.prism(7),
        lambda: shapes.icosphere(1),
        lambda: shapes.random_hull(2, 30),
        None,
        lambda: shapes.needle(),
        shapes.l_block,
        lambda: shapes.star(5),
    )[k]()


def ask(body, endless, start, other):
    """Ask body by body; a row's answer is (hit, t, face, last t, last face, point)."""
    hit, face, last_face = (np.zeros(len(body), kind) for kind in (bool, int, int))
    t, last_t = np.zeros(len(body)), np.zeros(len(body))
    point = np.zeros((len(body), 3))
    for k in np.unique(body):
        for form in (ray, segment):
            some = np.nonzero((body == k) & (endless == (form is ray)))[0]
            got = form(_body(int(k)), start[some], other[some])
            hit[some], face[some], last_face[some] = got.hit, got.face, got.last_face
            t[some], last_t[some], point[some] = got.t, got.last_t, got.point
    return hit, t, face, last_t, last_face, point


def draw(rng, n, kind):
    """Draw a body's number, whether the line is a ray, its start, and the other."""
    body = np.arange(n) % BODIES
    endless = rng.random(n) < 0.5
    start, other = np.zeros((2, n, 3))
    for k in range(BODIES):
        here = np.nonzero(body == k)[0]
        points = _body(k).points
        middle, size = points.mean(axis=0), np.abs(points - points.mean(axis=0)).max()
        p = middle + size * rng.normal(size=(len(here), 3)) * 1.5
        q = middle + size * rng.normal(size=(len(here), 3)) * 1.0
        if kind == "degenerate":
            p, q = _special(rng, points, middle, size, p, q)
        start[here] = p
        other[here] = np.where(endless[here, None], q - p, q)
    return body, endless, start, other


def _special(rng, points, middle, size, p, q):
    n = len(p)
    which = rng.integers(0, 8, (n, 1))
    u, v, w = (points[rng.integers(0, len(points), n)] for _ in range(3))
    axis = np.eye(3)[rng.integers(0, 3, n)] * size * rng.choice([-2, 2], (n, 1))
    level = np.round((p - middle) / size * 4) / 4 * size + middle
    tiny = rng.normal(size=(n, 3)) * size * 10.0 ** rng.uniform(-17, -5, (n, 1))
    forms = [
        (p, u),  # ends at a corner
        (u, v),  # from corner to corner: along edges, in faces
        ((u + v) / 2, q),  # from an edge, perhaps
        (u - (v - u), v + (v - u)),  # along an edge, and further
        (middle + axis, middle - axis),  # through the middle of a face
        (level - axis, level + axis),  # along a grid, grazing
        (p, (u + v + w) / 3 + tiny),  # ends on a face, nearly
        (u, u),  # no length, on the surface
    ]
    return tuple(
        np.select([which == k for k in range(8)], [form[i] for form in forms])
        for i in range(2)
    )


def wrong(body, endless, start, other):
    """Compare with what is common to the line and each triangle, without rounding."""
    hit, t, face, last_t, last_face, point = ask(body, endless, start, other)
    off = np.zeros(len(body), bool)
    for k in range(len(body)):
        p, d = _exact(start[k]), _exact(other[k])
        d = d if endless[k] else subtract(d, p)
        mesh = _body(int(body[k]))
        true = _met(mesh, endless[k], p, d)
        if not true or not hit[k]:
            off[k] = bool(true) != hit[k] or (face[k], last_face[k]) != (-1, -1)
            continue
        first = min(true, key=lambda m: (m[0], m[2], m[3]))
        last = min(true, key=lambda m: (-m[1], -m[2], m[3]))
        off[k] = (face[k], last_face[k]) != (first[3], last[3])
        at = [float(x + first[0] * y) for x, y in zip(p, d, strict=True)]
        size = max(np.abs(start[k]).max(), np.abs(at).max(), np.abs(mesh.points).max())
        step = max(float(max(abs(x) for x in d)), 1e-300)
        off[k] |= np.abs(point[k] - at).max() > OFF * size
        off[k] |= abs(t[k] - first[0]) * step > OFF * size
        off[k] |= abs(last_t[k] - last[1]) * step > OFF * size
    return off


def _exact(v):
    return [Fraction(float(x)) for x in v]


def _met(mesh, endless, p, d):
    """List first t, last t, whether the face looks along, and face, of all met."""
    far = 1
    if endless and any(d):
        reach = max(abs(x) for x in p) + int(np.abs(mesh.points).max()) + 1
        far = int(reach / max(abs(x) for x in d)) * 4 + 4
    unit, triangles = _triangles(mesh)
    p, d = ([x * unit for x in v] for v in (p, d))
    fine = max(x.denominator for x in (*p, *d))
    p, d = ([int(x * fine) for x in v] for v in (p, d))
    q = [x + far * y for x, y in zip(p, d, strict=True)]
    found = []
    for sides, normal, face in triangles:
        (plane, c), *_ = sides
        if (dot(plane, p) - c * fine) * (dot(plane, q) - c * fine) > 0:
            continue
        common = clip([p, q], [(m, c * fine) for m, c in sides])
        if common:
            dd = dot(d, d) or 1
            t = [Fraction(dot(subtract(x, p), d), dd) for x in common]
            rise = dot(normal, d)
            found.append((min(t), max(t), (rise > 0) - (rise < 0), face))
    return found


@cache
def _triangles(mesh):
    """Multiply by the unit that makes integers: half-spaces, normal, face of each."""
    exact = [_exact(v) for v in mesh.points]
    unit = max(x.denominator for v in exact for x in v)
    whole = [[int(x * unit) for x in v] for v in exact]
    triangles = []
    for corners, face in zip(mesh.fan.vertex, mesh.fan.face, strict=True):
        a, b, c = (whole[v] for v in corners)
        normal = cross(subtract(b, a), subtract(c, a))
        triangles.append((bounds([a, b, c]), normal, int(face)))
    return unit, triangles
