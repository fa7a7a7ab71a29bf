import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest
from sim.kernels import layout
from sim.kernels.closest.naming import cross_face, remember, step
from sim.kernels.vector import HERE
from sim.kernels.workspace import name_part
from sim.tracking.buffers import Buffers
from wingedge import WingedEdgeMesh, shapes

BOX = shapes.box((1.0, 1.0, 1.0))


def name(side, members):
    for k in range(side.size + 1):
        side.mark[k] = 0
    for k, v in enumerate(members):
        side.members[k] = v
        side.mark[v] = 1
    side.mark[side.size] = len(members)


@pytest.fixture
def pair():
    return Buffers(Body(BOX), Body(BOX), 1e-12)


def stepped(pair, *vertices):
    """Step with a hint for A; return (found, dimension, name) or what was there."""
    hint = pair.workspace.hint
    hint[layout.HINT_A] = len(vertices)
    for k, v in enumerate(vertices):
        hint[layout.HINT_A + 1 + k] = v
    name_part(pair.result.part_a, 9, 99, 0, 0, 0)
    yes = step(pair.first, hint, layout.HINT_A, pair.result.part_a)
    return yes, pair.result.part_a.dimension, pair.result.part_a.name


def edge_between(v, w):
    ends = np.sort(BOX.edge_vertices, axis=1)
    return int(np.nonzero((ends == sorted((v, w))).all(axis=1))[0][0])


def test_a_step_goes_where_the_hint_points_or_to_the_edge_between(pair):
    assert stepped(pair) == (True, 9, 99), "no hint: stay"
    assert stepped(pair, 7) == (True, 0, 7)
    assert stepped(pair, 7, 6) == (True, 1, edge_between(6, 7))
    face = next(f for f in range(6) if {7, 6, 5} <= set(BOX.face_vertices(f).tolist()))
    assert stepped(pair, 7, 5, 6) == (True, 2, face)
    # 7-3 runs down, 7-6 along x: no face holds 6, 7 and the far end of another edge.
    assert stepped(pair, 7, 6, 1) == (True, 1, edge_between(6, 7))
    assert stepped(pair, 7, 0, 1) == (False, 9, 99)
    assert stepped(pair, 7, 0) == (False, 9, 99)


@pytest.mark.parametrize(
    ("members_a", "members_b", "simplex"),
    [
        ([3], [5], [(3, 5)]),
        ([3], [4, 5], [(3, 4), (3, 5)]),
        ([2, 3], [5], [(2, 5), (3, 5)]),
        ([2, 3], [4, 5], [(2, 4), (3, 5), (3, 4)]),
        ([1], [4, 5, 6, 7], [(1, 4), (1, 5), (1, 6)]),
        ([0, 1, 2, 3], [4, 5], [(0, 4), (1, 5), (2, 5)]),
    ],
)
def test_the_named_parts_become_the_simplex_of_the_next_walk(
    pair, members_a, members_b, simplex
):
    name(pair.first, members_a)
    name(pair.second, members_b)
    remember(pair.first, pair.second, pair.simplex)
    assert pair.simplex[0] == len(simplex)
    told = [(pair.simplex[1 + k], pair.simplex[5 + k]) for k in range(len(simplex))]
    assert told == simplex


ROOF = WingedEdgeMesh.from_faces(
    [[-2, 0, 0], [2, 0, 0], [0, 3, 0], [0, 1, -1]],
    [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]],
)
"""The face (0, 1, 2) looks up; its edge 0-1 was the part, 2 the higher vertex."""


def crossed(tail, tip, u, v):
    """Let an edge of B cross the edge u-v of A from above; return both hints."""
    body = Body(shapes.tetrahedron())
    body._points[...] = [[*tail, 0.5], [*tip, 0.5], [0, 0, 9], [1, 5, 9]]
    pair = Buffers(Body(ROOF), body, 1e-12)
    hint = pair.workspace.hint
    for k, x in enumerate((3, u, 2, v)):
        hint[layout.HINT_A + k] = x
    name(pair.second, [0, 1])
    pair.result.normal = (0.0, 0.0, 1.0)
    args = (pair.first, HERE, layout.HINT_A, pair.second, HERE, layout.HINT_B)
    cross_face(*args, pair.workspace)
    return tuple(
        tuple(hint[at + 1 : at + 1 + hint[at]]) for at in (layout.HINT_A, layout.HINT_B)
    )


@pytest.mark.parametrize(("u", "v"), [(0, 1), (1, 0)])
def test_an_edge_that_dips_into_a_face_leaves_it_through_a_side_or_ends(u, v):
    away, back, end = (-1.0, -1.0), (1.0, -1.0), (0.5, 0.5)
    assert crossed(away, (3.0, 3.0), u, v) == ((2, 1), ()), "through the side 1-2"
    assert crossed((3.0, 3.0), away, u, v) == ((2, 1), ())
    assert crossed(back, (-3.0, 3.0), u, v) == ((2, 0), ()), "through the side 0-2"
    assert crossed((-3.0, 3.0), back, u, v) == ((2, 0), ())
    # It ends above the face before it reaches a side: that end and the face.
    assert crossed(away, end, u, v) == ((u, 2, v), (1,))
    assert crossed(end, away, u, v) == ((u, 2, v), (0,))


@pytest.fixture
def same_bits():
    def compare(one, other):
        return one.numbers._replace(work=None) == other.numbers._replace(work=None)

    return compare


def test_a_slow_change_of_features_takes_steps_and_no_walk(same_bits):
    """A ball rolls along an edge and off it: vertex, edge, face, neighbours."""
    a, b = Body(BOX), Body(shapes.icosphere(3, radius=0.5))
    tracker = PairTracker(a, b)
    walked = 0
    kinds = set()
    for k in range(200):
        at = (1.3 * np.cos(0.008 * k), 1.2 * np.sin(0.008 * k), 0.9)
        b.pose = Pose.rigid((0.1, 0.002 * k, 0.0, 1.0), at)
        state = tracker.update()
        walked += state.work.steps > 2
        kinds.add(state.kind)
        assert same_bits(state, closest(a, b))
    assert len(kinds) > 3
    assert walked < 20
