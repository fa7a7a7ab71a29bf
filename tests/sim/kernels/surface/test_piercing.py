"""Piercing and sides of surfaces, against formulas that share no code."""

import numpy as np
import pytest

from sim import Body
from sim.engine.bound import floats
from sim.kernels.surface.boxes import place_all
from sim.kernels.surface.piercing import is_outside, orientation, pierces
from sim.kernels.vector import HERE
from sim.tracking.brute.solid import lies_inside
from sim.tracking.brute.surface import surface_of
from sim.tracking.tree import make_tree
from wingedge import shapes
from wingedge.primitives import point_triangle, segment_triangle

CONVEX = dict(shapes.zoo())
NON_CONVEX = {n: m for n, m in shapes.zoo(non_convex=True) if n not in CONVEX}


def vec(x):
    return tuple(np.asarray(x, float).tolist())


def test_piercing_agrees_with_the_primitive():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(400, 5, 3))
    expected = segment_triangle.pierces(*rows.swapaxes(0, 1))
    assert [pierces(*map(vec, row)) for row in rows] == expected.tolist()
    assert 20 < expected.sum() < 380


def test_nearly_parallel_edges_agree_with_the_primitive_too():
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(200):
        sine, off = 10.0 ** rng.uniform(-12, -3), 10.0 ** rng.uniform(-16, -6)
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        flat = [(-0.9, off, -sine), (0.9, off, sine), (-1, 0, 0), (1, 0, 0), (0, 1, 0)]
        rows.append(np.array(flat) @ turn)
    expected = segment_triangle.pierces(*np.array(rows).swapaxes(0, 1))
    assert [pierces(*map(vec, row)) for row in rows] == expected.tolist()
    assert 20 < expected.sum() < 180


@pytest.mark.parametrize("at", [0.0, 1e-17, -1e-17])
def test_what_only_touches_does_not_pierce(at):
    triangle = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, -1.0, 0.0)
    assert not pierces((0.0, 0.0, at), (0.0, 0.0, 1.0), *triangle)
    assert pierces((0.0, 0.0, -1e-3), (0.0, 0.0, 1.0), *triangle)


@pytest.mark.parametrize("name", NON_CONVEX)
@pytest.mark.parametrize("turned", [1.0, -1.0])
def test_the_side_of_a_point_is_that_of_the_pseudonormal(name, turned):
    mesh = NON_CONVEX[name]
    body = Body(mesh)
    body.points = mesh.points * np.array([1.0, 1.0, turned])
    surface = surface_of(body, HERE)
    tree = make_tree(mesh)
    place_all(floats(body._points), floats(body.transform), HERE, tree)
    assert orientation(tree) == turned
    corners = surface.points[surface.triangles]
    rng = np.random.default_rng(2)
    low, high = surface.points.min(axis=0), surface.points.max(axis=0)
    told = {1: 0, -1: 0}
    for x in rng.uniform(low - 0.2, high + 0.2, (60, 3)):
        hit = point_triangle.closest(x, corners[:, 0], corners[:, 1], corners[:, 2])
        k = int(hit.distance_sq.argmin())
        ids = surface.triangles[k][hit.weights[k] > 0.0].tolist()
        n = (hit.point[k] - x) / np.sqrt(hit.distance_sq[k])
        key = tuple([*ids, -1, -1][:3])
        side = is_outside(tree, key, vec(n)) * orientation(tree)
        assert side == (-1 if lies_inside(vec(x), surface) else 1)
        told[side] += 1
    assert min(told.values()) > 2


def test_a_flat_body_has_no_orientation():
    mesh = shapes.box()
    tree = make_tree(mesh)
    flat = mesh.points * np.array([1.0, 1.0, 0.0])
    place_all(floats(flat), floats(Body(mesh).transform), HERE, tree)
    assert orientation(tree) == 0
