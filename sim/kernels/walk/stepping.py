"""Step from features that failed to the neighbours that they point to.

Each failed test leaves a hint: vertices of a side that its next part consists of.
The rules are V-Clip's (Mirtich 1998, DOI 10.1145/285857.285860) with planes computed on
the fly; wherever they lead, the answer is confirmed like any other.
"""

from sim.kernels.closest.naming import adopt
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.result import Part
from sim.kernels.vector import cross, dot, minus, place
from sim.kernels.view import BodyView
from sim.kernels.workspace import Workspace

STEPS = 4  # before the walk takes over


@kernel
def step(side: BodyView, hint: Ints, hint_at: int, part: Part) -> bool:
    """Name the neighbouring part that the hint points to; False if it is none.

    An edge with a higher neighbour of one end becomes the face that has all three, or
    else the edge between those two.
    """
    count = hint[hint_at]
    if count == 0:
        return True
    if adopt(side, hint, hint_at + 1, count, part):
        return True
    return count == 3 and adopt(side, hint, hint_at + 1, 2, part)


@kernel
def cross_face(
    face: BodyView,
    face_origin: Vec,
    face_hint: int,
    line: BodyView,
    line_origin: Vec,
    line_hint: int,
    pair: Workspace,
) -> None:
    """Sharpen the hint of an edge that dips into a face of the other body.

    The hint of ``face`` is a member u of its edge, the higher vertex w and the other
    member v.  Seen along the normal the edge of ``line`` leaves the face (u, v, w)
    through the side of w and that end which lies across it: those two edges are next,
    unless the edge of ``line`` ends before; then its end and the face are.
    """
    hint = pair.hint
    n = pair.result.normal
    tail = line.members[0]
    tip = line.members[1]
    p = place(line.points, line.pose, line_origin, tail)
    d = minus(place(line.points, line.pose, line_origin, tip), p)
    across = cross(d, n)
    u = hint[face_hint + 1]
    w = hint[face_hint + 2]
    v = hint[face_hint + 3]
    xw = minus(place(face.points, face.pose, face_origin, w), p)
    side = dot(xw, across)
    x = u
    xx = minus(place(face.points, face.pose, face_origin, u), p)
    other = dot(xx, across)
    if (other > 0.0) == (side > 0.0):
        x = v
        xx = minus(place(face.points, face.pose, face_origin, v), p)
        other = dot(xx, across)
    dd = dot(d, d)
    if (other > 0.0) == (side > 0.0) or other == side or not dd > 0.0:
        return
    t = other / (other - side)
    s = (dot(xx, d) + t * (dot(xw, d) - dot(xx, d))) / dd
    if 0.0 <= s <= 1.0:
        hint[face_hint] = 2
        hint[face_hint + 1] = w
        hint[face_hint + 2] = x
    else:
        hint[line_hint] = 1
        hint[line_hint + 1] = tail if s < 0.0 else tip


@kernel
def remember(a: BodyView, b: BodyView, ids: Ints) -> None:
    """Make the named parts the simplex that the next walk starts from."""
    of_a = min(a.mark[a.size], 3)
    of_b = min(b.mark[b.size], 3)
    count = max(of_a, of_b)
    for k in range(count):
        ids[1 + k] = a.members[min(k, of_a - 1)]
        ids[5 + k] = b.members[min(k, of_b - 1)]
    if of_a == 2 and of_b == 2:
        ids[3] = a.members[1]
        ids[7] = b.members[0]
        count = 3
    ids[0] = count
