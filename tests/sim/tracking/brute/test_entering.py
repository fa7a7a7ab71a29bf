"""Edges that run inside another surface, however they came in."""

import numpy as np
import pytest

from sim import Body, Pose
from sim.tracking.brute.solid import depth_of_edges, surfaces_cross
from sim.tracking.brute.surface import surface_of
from wingedge import shapes

BOX = shapes.box((1.0, 1.0, 1.0))
HALF = shapes.box((0.5, 0.5, 0.5))


def at(mesh, where, linear=None):
    return surface_of(Body(mesh, pose=Pose(linear)), where)


@pytest.mark.parametrize(
    ("where", "enters"),
    [
        ((0.25, 0.25, 0.25), True),  # in a corner, three faces on its
        ((0.75, 0.0, 0.0), False),  # beside it, on a face
        ((0.5, 0.0, 0.0), True),  # half through a face
        ((0.75, 0.75, 0.0), False),  # edge on edge
        ((0.5, 0.5, 0.5), True),  # a corner in a corner
    ],
)
def test_an_edge_enters_only_where_it_lies_deeper_than_rounding(where, enters):
    origin = (0.0, 0.0, 0.0)
    found = depth_of_edges(at(HALF, where), at(BOX, origin), 4e-15, 1.0)
    assert (found > 4e-15) == enters


def test_a_needle_that_enters_at_a_corner_is_seen_though_no_edge_pierces_for_sure():
    """It stands on a corner of the box and is turned along the diagonal."""
    needle = shapes.needle(1.0, 1e9)
    tip = needle.points[np.abs(needle.points[:, 2]).argmax()]
    out = np.ones(3) / np.sqrt(3.0)
    s = np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)
    way = np.stack([s, np.cross(out, s), out * -np.sign(tip[2])], axis=1)
    if np.linalg.det(way) < 0.0:
        way[:, 1] *= -1.0
    inside = np.full(3, 0.5) - 1e-9 * out
    spike = at(needle, tuple((inside - way @ tip).tolist()), way)
    box = at(BOX, (0.0, 0.0, 0.0))
    assert not surfaces_cross(box, spike)
    assert 4e-15 < depth_of_edges(spike, box, 4e-15, 1.0) < 1e-8
