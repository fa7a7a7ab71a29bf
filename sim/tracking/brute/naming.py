"""Names for what an exhaustive search found: level parts, or the pair as it is."""

import numpy as np

from sim.kernels import layout
from sim.kernels.surface.elsewhere import ELSEWHERE
from sim.result.answer import Numbers, Vec, Work
from sim.tracking.brute.axes import Axis, gap_along
from sim.tracking.brute.nearest import Nearest
from sim.tracking.brute.surface import Surface
from sim.tracking.buffers import Buffers
from sim.tracking.tree import part_vertices


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
    return buffers.numbers("search") if buffers.run_around() == 1 else None


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
    for surface, way in ((a, np.array(n)), (b, -np.array(n))):
        heights = surface.points @ way
        level = surface.points[heights >= heights.max() - layout.EQUAL * size]
        spans.append(level - level[0])
    near = ELSEWHERE * size
    one, other, both = (
        int(np.linalg.matrix_rank(span, near)) for span in (*spans, np.vstack(spans))
    )
    x, y, z = pair.point_a
    return Numbers(
        gap,
        gap,
        gap,
        size,
        n,
        pair.point_a,
        (x + gap * n[0], y + gap * n[1], z + gap * n[2]),
        *own_names(a, pair.vertices_a),
        *own_names(b, pair.vertices_b),
        (),
        (),
        one + other == both,
        "search",
        "",
        Work(),
    )


def own_names(
    surface: Surface, vertices: tuple[int, ...]
) -> tuple[int, tuple[int, ...]]:
    """Name a vertex, a segment or a triangle by the user's numbers."""
    if len(vertices) == 1:
        return 0, vertices
    if len(vertices) == 2:
        wanted = set(vertices)
        for s, ends in enumerate(surface.segments.tolist()):
            if set(ends) == wanted:
                face = int(surface.segment_face[s])
                return (2, (face,)) if face >= 0 else (1, (s,))
    inside = (surface.triangles[:, :, None] == list(vertices)).any(axis=2).sum(axis=1)
    return 2, (int(surface.triangle_face[int(inside.argmax())]),)


def moved(numbers: Numbers, buffers: Buffers) -> Numbers:
    """Move the points of an answer from the pair's frame back to the world."""
    pose = buffers.first.pose
    x, y, z = pose[3], pose[7], pose[11]
    (ax, ay, az), (bx, by, bz) = numbers.point_a, numbers.point_b
    return numbers._replace(
        point_a=(ax + x, ay + y, az + z), point_b=(bx + x, by + y, bz + z)
    )
