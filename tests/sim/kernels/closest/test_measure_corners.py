from math import sqrt

import numpy as np
import pytest

from sim import Body
from sim.kernels.closest.measure import choose, kinship, lift, name_corners
from sim.kernels.closest.patch import CORNER, CROSSING
from sim.kernels.vector import put
from sim.kernels.workspace import name_part
from sim.tracking.buffers import Buffers
from wingedge import shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
UP = (0.0, 0.0, 1.0)


def at_vertex(x, y, z):
    return int(np.nonzero((UNIT.points == (x, y, z)).all(axis=1))[0][0])


def faced_pair():
    """Two unit squares a quarter apart, shifted: A's top below B's bottom."""
    buffers = Buffers(Body(UNIT), Body(UNIT), 1e-12)
    a, b = buffers.first, buffers.second
    for k, (x, y) in enumerate([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]):
        put(a.corners, 3 * k, (x, y, 0.5))
        a.rim_vertex[k] = at_vertex(x, y, 0.5)
        a.rim_edge[k] = 20 + k
        put(b.corners, 3 * k, (x + 0.25, y + 0.5, 0.75))
        b.rim_vertex[k] = at_vertex(x, y, -0.5)
        b.rim_edge[k] = 30 + k
    name_part(buffers.result.part_a, 2, 6, 4, 4, 1)
    name_part(buffers.result.part_b, 2, 7, 4, 4, 1)
    buffers.result.distance = 0.25
    return buffers


def corner(buffers, k, s, t, miss, kind, i, j):
    put(buffers.patch, 4 * k, (s, t, np.nan))
    buffers.patch[4 * k + 3] = miss
    for m, x in enumerate((kind, i, j, -9)):
        buffers.labels[4 * k + m] = x


def test_corners_are_lifted_to_world_points_on_a_with_their_own_upper_bounds():
    buffers = faced_pair()
    corner(buffers, 0, -0.25, 0.0, 0.0, CORNER, -1, 0)
    corner(buffers, 1, 0.5, 0.0, 0.0, CROSSING, 1, 0)
    corner(buffers, 2, 0.5, 0.5, 0.0, CORNER, 2, -1)
    corner(buffers, 3, -0.25, 0.5, 3.0, CORNER, 3, -1)
    a, b = buffers.first, buffers.second
    a.corners[3 * 1 + 2] = 0.5625  # one corner of A stands a little higher
    origin = (0.25, 0.5, 1.25)
    buffers.result.corners = 4
    buffers.result.normal = UP
    lift(a, 4, b, 4, origin, (0.5, 0.875), buffers.workspace)
    points = [[buffers.patch[4 * k + m] for m in range(3)] for k in range(4)]
    bounds = [buffers.patch[4 * k + 3] for k in range(4)]
    assert points[0] == [-0.25, 0.0, 0.5]
    assert points[1] == [0.5, 0.0, 0.53125]
    assert points[2] == [0.5, 0.5, 0.5]
    assert points[3] == [-0.5, 0.5, 0.5]
    # B's own height over A's lowest; both sides' at a crossing; B's highest over A's.
    assert bounds[:3] == [0.25, 0.75 - 0.53125, 0.375]
    assert bounds[3] == sqrt(0.375**2 + 9.0)


def labels_of(buffers, count):
    return [tuple(buffers.labels[4 * k + m] for m in range(4)) for k in range(count)]


def test_corners_are_named_by_vertex_edge_and_face():
    buffers = faced_pair()
    corner(buffers, 0, 0, 0, 0, CORNER, -1, 2)
    corner(buffers, 1, 0, 0, 0, CROSSING, 1, 3)
    corner(buffers, 2, 0, 0, 0, CORNER, 2, -1)
    name_corners(buffers.first, buffers.second, 3, buffers.workspace)
    assert labels_of(buffers, 3) == [
        (2, 6, 0, at_vertex(0.5, 0.5, -0.5)),
        (1, 21, 1, 33),
        (0, at_vertex(0.5, 0.5, 0.5), 2, 7),
    ]


def chosen(bounds, last=-1, slack=0.0):
    buffers = faced_pair()
    for k, bound in enumerate(bounds):
        corner(buffers, k, 0, 0, bound, 2, 10 + k, 2)
        buffers.labels[4 * k + 3] = 40
    for m, x in enumerate((2, 10 + last, 2, 40) if last >= 0 else (-1,) * 4):
        buffers.last[m] = x
    return choose(buffers.first, buffers.second, len(bounds), slack, buffers.workspace)


def test_the_nearest_corner_is_chosen_the_last_one_while_it_is_as_near():
    assert chosen([3.0, 1.0, 2.0]) == 1
    assert chosen([1.0, 1.0, 1.0]) == 0
    assert chosen([2.0, 1.0, 1.0]) == 1
    assert chosen([1.0, 0.75, 1.0], slack=0.25) == 0
    assert chosen([1.0, 0.75, 0.7], slack=0.25) == 2
    assert chosen([1.0, 1.0, 1.0], last=2) == 2
    assert chosen([1.0, 1.0, 1.25], last=2, slack=0.25) == 2
    assert chosen([1.0, 1.0, 1.5], last=2, slack=0.25) == 0
    assert chosen([1.0, 1.0, 1.0], last=5) == 0


@pytest.mark.parametrize(
    ("last", "new", "kin"),
    [
        ((0, 3, 2, 1), (0, 3, 2, 1), 2),
        ((0, 3, 2, 1), (0, 4, 2, 1), 0),  # another vertex over the same face
        ((0, 0, 2, 1), (1, 0, 1, 5), 1),  # the vertex passed a rim: its edge crosses it
        ((1, 0, 1, 5), (0, 0, 2, 1), 1),  # and back
        ((1, 0, 1, 5), (1, 0, 1, 6), 1),  # the same edge, the next side of the rim
        ((1, 0, 1, 5), (1, 2, 1, 5), 1),
        ((-1, 0, 0, 0), (0, 0, 2, 1), 0),  # nothing carried them yet
        ((0, 0, -1, 99), (0, 0, 1, 1), 0),  # nor before the bodies changed places
    ],
)
def test_a_corner_is_akin_to_what_it_grew_out_of(last, new, kin):
    buffers = Buffers(Body(UNIT), Body(UNIT), 1e-12)
    assert 0 in UNIT.edge_vertices[0]
    for k in range(4):
        buffers.workspace.last[k] = last[k]
        buffers.workspace.labels[k] = new[k]
    assert kinship(buffers.first, buffers.second, 0, buffers.workspace) == kin


def test_corners_of_edges_keep_the_edge_on_an_edge_and_on_a_face():
    buffers = faced_pair()
    name_part(buffers.result.part_a, 1, 6, 2, 1, 0)
    name_part(buffers.result.part_b, 1, 7, 2, 1, 0)
    corner(buffers, 0, 0, 0, 0, CORNER, -1, 1)
    corner(buffers, 1, 0, 0, 0, CORNER, 0, -1)
    name_corners(buffers.first, buffers.second, 2, buffers.workspace)
    assert labels_of(buffers, 2) == [(1, 6, 1, 7), (1, 6, 1, 7)]
    buffers = faced_pair()
    name_part(buffers.result.part_a, 1, 6, 2, 1, 0)
    corner(buffers, 0, 0, 0, 0, CORNER, -1, 0)
    corner(buffers, 1, 0, 0, 0, CORNER, 0, -1)
    name_corners(buffers.first, buffers.second, 2, buffers.workspace)
    assert [label[::2] for label in labels_of(buffers, 2)] == [(1, 1), (0, 2)]
