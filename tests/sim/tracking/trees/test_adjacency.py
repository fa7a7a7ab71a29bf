"""Triangles that know their neighbours."""

import numpy as np
import pytest

from sim.tracking.trees.adjacency import lay_out
from wingedge import shapes

ZOO = dict(shapes.zoo(non_convex=True))


@pytest.mark.parametrize("name", ZOO)
def test_every_side_is_shared_by_the_triangle_beyond_it(name):
    mesh = ZOO[name]
    web = lay_out(mesh)
    corner, side = web.corner.reshape(-1, 3), web.side.reshape(-1, 3)
    beyond, ends = web.beyond.reshape(-1, 3), web.ends.reshape(-1, 2)
    assert np.array_equal(corner, mesh.fan.vertex)
    assert np.array_equal(web.face, mesh.fan.face)
    assert np.array_equal(ends[: mesh.n_edges], mesh.edge_vertices)
    assert len(ends) == len(corner) * 3 // 2
    for t in range(len(corner)):
        for k in range(3):
            a, b = corner[t, k], corner[t, (k + 1) % 3]
            assert {a, b} == set(ends[side[t, k]].tolist())
            other = beyond[t, k]
            assert other != t
            back = side[other].tolist().index(side[t, k])
            assert beyond[other, back] == t
            # the neighbour runs along the side the other way
            assert corner[other, back] == b


def test_the_diagonals_of_a_face_come_after_the_edges():
    mesh = shapes.prism(6)
    web = lay_out(mesh)
    inner = web.side >= mesh.n_edges
    assert inner.sum() == 2 * (3 + 3 + 6)  # twice three in each hexagon, one a side
    same = web.face[web.beyond] == np.repeat(web.face, 3)
    assert np.array_equal(inner, same)
