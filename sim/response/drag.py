"""What became of a body that a hand moves: where it is, and what it rests on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import Vec
from sim.body.body import Body
from sim.body.pose import Pose
from sim.response.guard import Cut
from sim.response.parting import Parting, nearest_of
from wingedge import Feature, WingedEdgeMesh

Float = np.float64

# The words for what became of a motion.
FREE = "free"  # the body is where the hand wants it
SLIDE = "slide"  # it went along what is in the way, as near to the hand as it can be
REST = "rest"  # it is as near to the hand as it can be, and did not move
PUSH = "push"  # an obstacle had come into the body: it was pushed out first
STOP = "stop"  # there is no room: the body stays, overlapping if ``reason`` says so
ESCAPE = "escape"  # too many iterations: the body stays where it had come to


class Held(NamedTuple):
    """One contact that constrains the body; world frame."""

    obstacle: Body
    kind: str  # "VF" "FV" "EE" ..., the body's letter first
    feature: Feature  # of the body
    on: Feature  # of the obstacle
    point: NDArray[Float]  # (3,) on the obstacle
    normal: NDArray[Float]  # (3,) unit, from the body to the obstacle
    distance: float


class Drag(NamedTuple):
    """What became of one motion of a hand; a value, world frame.

    ``pushed`` and ``moved`` are shifts of the pivot: first the body was pushed out of
    what had come into it, then it moved.  ``left`` and ``left_turn`` say what the hand
    still wants: a shift of the pivot, and a vector about which to turn, 2 tan(t/2)
    long (of small turns, radians).
    """

    response: str  # "free" "slide" "rest" "push" "stop" "escape"
    pose: Pose  # where the body is now
    iterations: int  # looks at the obstacles
    pushed: NDArray[Float]  # (3,)
    moved: NDArray[Float]  # (3,)
    left: NDArray[Float]  # (3,)
    left_turn: NDArray[Float]  # (3,)
    contacts: tuple[Held, ...]  # nearest first, each pair of features once
    reason: str = ""  # why it stopped


def contacts(
    views: list[Parting], cuts: tuple[Cut, ...], gap: float, origin: Vec
) -> tuple[Held, ...]:
    """List what the body rests on: the closest pair of each obstacle within the gap.

    Of an obstacle that is not convex also the other pairs of triangles that hold it.
    """
    found: dict[tuple[str, Feature, Feature], Held] = {}
    for view in views:
        s = view.state
        if s.distance <= gap:
            held = Held(
                s.b, s.kind, s.feature_a, s.feature_b, s.point_b, s.normal, s.distance
            )
            found[s.b.name, held.feature, held.on] = held
    for cut in cuts:
        view = views[cut.view]
        if view.whole or not len(view.plane(cut.normal).gap) > cut.pair:
            continue
        held = _of_pair(view, cut, origin)
        if held.distance <= gap:
            found.setdefault((held.obstacle.name, held.feature, held.on), held)
    return tuple(sorted(found.values(), key=lambda held: held.distance))


def _of_pair(view: Parting, cut: Cut, origin: Vec) -> Held:
    """Name the nearest features of a pair of triangles, as FV or EE contacts."""
    assert view.pieces_a is not None
    assert view.pieces_b is not None
    a, b = view.pieces_a[cut.pair], view.pieces_b[cut.pair]
    near = nearest_of(*view.triangles(cut.pair))
    s = view.state
    one = named(s.mesh_a, a[list(near.corners_a)].tolist())
    two = named(s.mesh_b, b[list(near.corners_b)].tolist())
    letters = (f.letter for f in (one, two))
    normal = np.array(near.normal or cut.normal)
    point = np.array([p + o for p, o in zip(near.stop, origin, strict=True)])
    return Held(s.b, "".join(letters), one, two, point, normal, near.distance)


def named(mesh: WingedEdgeMesh, corners: list[int]) -> Feature:
    """Name a vertex, a side or the whole of a triangle of a face.

    A side that is no edge of the mesh, but a diagonal of a polygon, is its face.
    """
    if len(corners) == 1:
        return Feature("vertex", corners[0])
    if len(corners) == 2:
        for e in mesh.vertex_edges(corners[0]).tolist():
            if corners[1] in mesh.edge_vertices[e]:
                return Feature("edge", e)
    faces = [set(mesh.vertex_faces(v).tolist()) for v in corners]
    return Feature("face", min(set.intersection(*faces)))
