"""The closest pair of features of two surfaces, by comparing every pair; its names."""

from typing import NamedTuple

import numpy as np

from sim.kernels import layout
from sim.kernels.surface.found import level_frame
from sim.kernels.surface.other_minima import OTHER_PLACE
from sim.kernels.vector import back
from sim.result.answer import Numbers, Vec, Work
from sim.tracking.brute.axes import Axis, gap_along
from sim.tracking.brute.surface import Ids, Points, Surface, dot_rows, heights
from sim.tracking.buffers import Buffers
from sim.tracking.tree import part_vertices
from wingedge.primitives import point_triangle, segment_segment

BLOCK = 1 << 19  # pairs bounded at once: a few MB of scratch


class Nearest(NamedTuple):
    """The closest vertex-face or edge-edge pair, A's part first."""

    distance: float
    point_a: Vec
    point_b: Vec
    vertices_a: tuple[int, ...]  # one, two or three
    vertices_b: tuple[int, ...]
    index_a: int  # the vertex, segment or triangle
    index_b: int


def nearest_pair(a: Surface, b: Surface) -> Nearest:
    """Find the closest pair of features; ties go to VF, then FV, then EE, low first.

    Every pair is looked at: bounded by the spheres around both, and measured unless
    that proves it farther than the best.  Cost: O(V_a F_b + F_a V_b + E_a E_b).
    """
    vf = _vertex_face(a, b)
    fv = _vertex_face(b, a)
    ee = _edge_edge(a, b)
    d, p, q, on_b, on_a, j, i = fv
    flipped = Nearest(d, q, p, on_a, on_b, i, j)
    return min((vf, flipped, ee), key=lambda pair: pair.distance)


def candidates(
    centres_a: Points,
    radii_a: Points,
    centres_b: Points,
    radii_b: Points,
    band: float = 0.0,
) -> tuple[Ids, Ids]:
    """List the pairs of spheres that may hold the closest pair, or one within ``band``.

    The centres lie on the features, so the least distance of centres is an upper
    bound; a pair whose spheres are farther apart than it cannot be closest.
    """
    rows = max(1, BLOCK // max(1, len(centres_b)))
    best = np.inf
    # Rounding of distances and radii must not hide the closest pair.
    spare = band + 1e-12 * (float(radii_a.max()) + float(radii_b.max()))
    found: list[tuple[Ids, Ids, Points]] = []
    for i in range(0, len(centres_a), rows):
        ca = centres_a[i : i + rows, None]
        gap = ca - centres_b[None]
        d = np.sqrt(dot_rows(gap, gap))
        best = min(best, float(d.min()))
        low = d - radii_a[i : i + rows, None] - radii_b[None]
        limit = best + 1e-12 * best + spare
        p, q = np.nonzero(low <= limit)
        found.append((p + i, q, low[p, q]))
    limit = best + 1e-12 * best + spare
    kept = [(p[low <= limit], q[low <= limit]) for p, q, low in found]
    return np.concatenate([p for p, _ in kept]), np.concatenate([q for _, q in kept])


def vertex_face_pairs(a: Surface, b: Surface, band: float = 0.0) -> tuple[Ids, Ids]:
    """List the vertices of A and triangles of B that may be closest."""
    corners = b.points[b.triangles]
    centres = (corners[:, 0] + corners[:, 1] + corners[:, 2]) / 3.0
    spokes = corners - centres[:, None]
    radii = np.sqrt(dot_rows(spokes, spokes).max(axis=1))
    return candidates(a.points, np.zeros(len(a.points)), centres, radii, band)


def edge_pairs(a: Surface, b: Surface, band: float = 0.0) -> tuple[Ids, Ids]:
    """List the segments of A and of B that may be closest."""
    (mid_a, half_a), (mid_b, half_b) = _halves(a), _halves(b)
    return candidates(mid_a, half_a, mid_b, half_b, band)


def _halves(surface: Surface) -> tuple[Points, Points]:
    tail, tip = (surface.points[surface.segments[:, k]] for k in range(2))
    half = 0.5 * (tip - tail)
    return tail + half, np.sqrt(dot_rows(half, half))


def _vertex_face(a: Surface, b: Surface) -> Nearest:
    v, t = vertex_face_pairs(a, b)
    corners = b.points[b.triangles[t]]
    hit = point_triangle.closest(
        a.points[v], corners[:, 0], corners[:, 1], corners[:, 2]
    )
    k = int(hit.distance_sq.argmin())
    return Nearest(
        float(np.sqrt(hit.distance_sq[k])),
        _vec(a.points[v[k]]),
        _vec(hit.point[k]),
        (int(v[k]),),
        tuple(b.triangles[t[k]][hit.weights[k] > 0.0].tolist()),
        int(v[k]),
        int(t[k]),
    )


def _edge_edge(a: Surface, b: Surface) -> Nearest:
    i, j = edge_pairs(a, b)
    p, q = a.points[a.segments[i]], b.points[b.segments[j]]
    hit = segment_segment.closest(p[:, 0], p[:, 1], q[:, 0], q[:, 1])
    k = int(hit.distance_sq.argmin())
    return Nearest(
        float(np.sqrt(hit.distance_sq[k])),
        _vec(hit.point_p[k]),
        _vec(hit.point_q[k]),
        _ends(a.segments[i[k]], float(hit.s[k])),
        _ends(b.segments[j[k]], float(hit.t[k])),
        int(i[k]),
        int(j[k]),
    )


def _ends(segment: Ids, t: float) -> tuple[int, ...]:
    tail, tip = segment.tolist()
    if t <= 0.0:
        return (tail,)
    return (tip,) if t >= 1.0 else (tail, tip)


def _vec(row: Points) -> Vec:
    x, y, z = row.tolist()
    return x, y, z


def named_around(
    buffers: Buffers, n: Vec, va: int, vb: int, size: float, along: bool = False
) -> Numbers | None:
    """Name and measure the level parts around two vertices, or say that it fails.

    Along their own normal, or ``along`` the direction itself.
    """
    hint, result = buffers.workspace.hint, buffers.result
    hint[layout.HINT_A], hint[layout.HINT_A + 1], hint[layout.HINT_B] = va, along, vb
    result.normal = n
    result.size = size
    done = buffers.call(level_frame, *buffers.tables) == 1
    return buffers.numbers("search") if done else None


def where_they_touch(
    buffers: Buffers,
    a: Surface,
    b: Surface,
    axis: Axis,
    size: float,
    before: Numbers | None,
) -> Numbers | None:
    """Name the level parts around two vertices that touch once B has moved back.

    None where they do not: beside each other, or level with other than the supports.
    """

    def fitting(va: int, vb: int) -> Numbers | None:
        # Parts that are level but for their last bits lean: then along the axis.
        for along in (False, True):
            named = named_around(buffers, axis.normal, va, vb, size, along)
            if named is None or abs(named.distance - axis.gap) > 1e-14 * size:
                continue
            gap = gap_along(a.points, b.points, named.normal).gap
            if gap >= axis.gap - 1e-15 * size:
                return named
        return None

    named = fitting(axis.support_a, axis.support_b)
    if named is None or named.unique or before is None:
        return named
    ends = (
        part_vertices(body.mesh, dimension, parts[0])[0]
        for body, dimension, parts in (
            (buffers.bodies[0], before.dimension_a, before.parts_a),
            (buffers.bodies[1], before.dimension_b, before.parts_b),
        )
    )
    kept = fitting(*ends)
    return named if kept is None or kept.unique else kept


def where_they_part(
    n: Vec, gap: float, a: Surface, b: Surface, pair: Nearest, size: float
) -> Numbers:
    """Name the closest pair once B has moved back along an axis by the gap, as it is.

    Where only the hulls touch there, over a notch, the surfaces of the pair are still
    apart: then the point on A lies on its feature, that on B off it by as much.  Unique
    where the supports of the hulls meet in no more than a point.
    """
    spans = []
    for surface, way in ((a, n), (b, back(n))):
        high = heights(surface.points, way)
        level = surface.points[high >= high.max() - layout.EQUAL * size]
        spans.append(level - level[0])
    unique = min(map(len, spans)) == 1  # a point meets anything in a point
    if not unique:
        near = OTHER_PLACE * size
        sums = *spans, np.vstack(spans)
        one, other, both = (int(np.linalg.matrix_rank(span, near)) for span in sums)
        unique = one + other == both
    x, y, z = pair.point_a
    ends = n, pair.point_a, (x + gap * n[0], y + gap * n[1], z + gap * n[2])
    names = *own_names(a, pair.vertices_a), *own_names(b, pair.vertices_b), (), ()
    said = unique, "search", "", Work()
    return Numbers._make((gap, gap, gap, size, *ends, *names, *said))


def own_names(
    surface: Surface, vertices: tuple[int, ...]
) -> tuple[int, tuple[int, ...]]:
    """Name a vertex, a segment or a triangle by the user's numbers."""
    if len(vertices) == 1:
        return 0, vertices
    if len(vertices) == 2:
        tail, tip = surface.segments.T
        v, w = vertices
        same = ((tail == v) & (tip == w)) | ((tail == w) & (tip == v))
        if same.any():
            face = int(surface.segment_face[s := int(same.argmax())])
            return (2, (face,)) if face >= 0 else (1, (s,))
    inside = np.zeros(len(surface.triangles), np.int64)
    for corner in surface.triangles.T:
        for v in vertices:
            inside += corner == v
    return 2, (int(surface.triangle_face[int(inside.argmax())]),)


def moved(numbers: Numbers, buffers: Buffers) -> Numbers:
    """Move the points of an answer from the pair's frame back to the world."""
    pose = buffers.first.pose
    x, y, z = pose[3], pose[7], pose[11]
    (ax, ay, az), (bx, by, bz) = numbers.point_a, numbers.point_b
    return numbers._replace(
        point_a=(ax + x, ay + y, az + z), point_b=(bx + x, by + y, bz + z)
    )
