"""A vertex over one face: the plain case, measured without a patch."""

from math import sqrt

from sim.kernels import layout
from sim.kernels.language import Vec, kernel
from sim.kernels.vector import (
    HERE,
    along,
    cross,
    dot,
    farther,
    minus,
    place,
    reach_of,
    unit,
)
from sim.kernels.workspace import BodyView, Workspace

BESIDE = 5e-10  # of the gap: farther beside, a point would leave its feature


@kernel
def beside(
    side: BodyView, origin: Vec, n: Vec, x: Vec, flip: float, pair: Workspace
) -> tuple[float, float, float, float]:
    """Look at a point and the one level face of a side along a normal.

    Returns how far the point lies outside the face, across the normal; the face's
    greatest and least height and its reach.  ``flip`` is -1 for the body that faces
    against the normal.  The hint is the side that the point lies beyond.
    """
    points = side.points
    corner_vertex = side.corner_vertex
    first = side.corner_start[side.faces[0]]
    last = side.corner_start[side.faces[0] + 1]
    # The last corner first, and kept: with it begins and ends the way round.
    end = place(points, side.pose, origin, corner_vertex[last - 1])
    p = end
    reach = reach_of(origin, p)
    high = low = total = dot(p, n)
    worst = 0.0
    for corner in range(first, last):
        q = end
        if corner < last - 1:
            q = place(points, side.pose, origin, corner_vertex[corner])
            reach = farther(reach, q[0], q[1], q[2])
            level = dot(q, n)
            if level > high:
                high = level
            elif level < low:
                low = level
            total += level
        # The way out across this side: the edge turned about the normal.
        way = cross(minus(q, p), n)
        miss = flip * dot(minus(x, p), way)
        if miss > 0.0:
            square = dot(way, way)
            if square > 0.0 and miss / sqrt(square) > worst:
                worst = miss / sqrt(square)
                before = corner - 1 if corner > first else last - 1
                hint = pair.hint
                hint_at = layout.HINT_A if flip > 0.0 else layout.HINT_B
                hint[hint_at] = 2
                hint[hint_at + 1] = corner_vertex[before]
                hint[hint_at + 2] = corner_vertex[corner]
        p = q
    pair.result.nan_sum += total
    return worst, high, low, reach


@kernel
def is_over(
    face: BodyView, origin: Vec, n: Vec, miss: float, flip: float, pair: Workspace
) -> bool:
    """Say whether a point just beyond a side of a face counts as over it.

    It does where nothing can tell: within the blur of its own place, and where the
    face is level along the way from that side to the point.  Farther out the side is
    the feature, and only the side: whichever is tried first, the answer is the same.
    """
    gap = pair.result.distance
    blur = layout.BLUR * pair.result.size
    if miss <= blur:
        return True
    if miss > BESIDE * gap:
        return False
    hint_at = layout.HINT_A if flip > 0.0 else layout.HINT_B
    tail = place(face.points, face.pose, origin, pair.hint[hint_at + 1])
    tip = place(face.points, face.pose, origin, pair.hint[hint_at + 2])
    inward = unit(cross(minus(tip, tail), n))
    f = face.faces[0]
    wide = 0.0
    for k in range(face.corner_start[f], face.corner_start[f + 1]):
        y = place(face.points, face.pose, origin, face.corner_vertex[k])
        wide = max(wide, abs(dot(minus(y, tail), inward)))
    return (miss - blur) * wide <= pair.tolerance * pair.result.size * gap


@kernel
def vertex_and_face(
    vertex: BodyView, face: BodyView, origin: Vec, n: Vec, flip: float, pair: Workspace
) -> None:
    """Measure a vertex against one face.

    ``flip`` is 1 where the face belongs to A, -1 where it belongs to B, and ``origin``
    that of B.
    """
    vertex_origin = origin if flip > 0.0 else HERE
    face_origin = HERE if flip > 0.0 else origin
    x = place(vertex.points, vertex.pose, vertex_origin, vertex.members[0])
    miss, high, low, reach = beside(face, face_origin, n, x, flip, pair)
    h = dot(x, n)
    gap = h - high if flip > 0.0 else low - h
    rough = gap + (high - low)
    result = pair.result
    result.distance = gap
    result.lower = gap
    result.upper = rough
    result.miss = 0.0
    result.size = max(reach, reach_of(x, vertex_origin))
    if miss > 0.0:
        result.upper = sqrt(rough * rough + miss * miss)
        if pair.result.strict == 1 or not is_over(
            face, face_origin, n, miss, flip, pair
        ):
            result.miss = miss
    if flip > 0.0:
        x = along(x, -gap, n)
    result.point_a = x
    result.point_b = along(x, gap, n)


@kernel
def apart(pair: Workspace) -> bool:
    """Say whether the measured parts are apart, and across from each other."""
    result = pair.result
    size = result.size
    gap = result.distance
    if not gap > layout.TOUCH * size:
        pair.note[layout.NOTE_TEST] = layout.BEHIND
        return False  # past each other: supports alone do not bound a depth
    limit = gap + layout.RELATIVE * gap + layout.ABSOLUTE * size
    if result.miss > 0.0 or result.upper > limit:
        pair.note[layout.NOTE_TEST] = layout.BESIDE
        return False
    return True
