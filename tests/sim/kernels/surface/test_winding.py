"""Inside by rays, against solid angles: the formula shares no code."""

import numpy as np
import pytest

from sim import Body
from sim.engine.bound import floats
from sim.kernels.surface.boxes import place_all
from sim.kernels.surface.piercing import orientation
from sim.kernels.surface.winding import is_within, side_of
from sim.kernels.vector import HERE
from sim.tracking.brute.solid import winding
from sim.tracking.brute.surface import surface_of
from sim.tracking.tree import make_tree
from wingedge import shapes
from wingedge.primitives import point_triangle

NAMES = ["l_block", "ring", "cup", "star", "icosphere"]


def placed(body):
    tree = make_tree(body.mesh)
    place_all(floats(body._points), floats(body.transform), HERE, tree)
    return tree


def turns_by_angles(x, corners):
    """Van Oosterom, Strackee 1983."""
    u, v, w = (corners[:, k] - x for k in range(3))
    lu, lv, lw = (np.linalg.norm(c, axis=1) for c in (u, v, w))
    top = (u * np.cross(v, w)).sum(axis=1)
    low = lu * lv * lw + (u * v).sum(axis=1) * lw
    low += (v * w).sum(axis=1) * lu + (w * u).sum(axis=1) * lv
    return round(float(np.arctan2(top, low).sum() / (2.0 * np.pi)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turned", [1.0, -1.0])
def test_rays_and_solid_angles_say_the_same(name, turned):
    mesh = dict(shapes.zoo(non_convex=True))[name]
    body = Body(mesh)
    body.points = mesh.points * np.array([1.0, 1.0, turned])
    tree = placed(body)
    surface = surface_of(body, HERE)
    low, high = surface.points.min(axis=0), surface.points.max(axis=0)
    # On a lattice rays meet edges and vertices, and run within faces.
    lattice = low + (high - low) * np.mgrid[0:5, 0:5, 0:5].reshape(3, -1).T / 4.0
    drawn = np.random.default_rng(4).uniform(low - 0.1, high + 0.1, (40, 3))
    corners = surface.points[surface.triangles]
    sense = orientation(tree)
    told = {1: 0, -1: 0, 0: 0}
    for x in [*drawn, *lattice]:
        hit = point_triangle.closest(x, corners[:, 0], corners[:, 1], corners[:, 2])
        if hit.distance_sq.min() < 1e-18:
            continue  # on it
        side = is_within(tree, tuple(x.tolist()), sense)
        turns = winding(x, surface)
        assert (side == 0) == (turns is None)
        told[side] += 1
        if turns is not None:
            assert turns == turns_by_angles(x, corners)
            assert side == (1 if turns > 0 else -1)
    assert told[1] > 3
    assert told[-1] > 3


def test_two_features_as_near_are_left_to_rays():
    tree = placed(Body(shapes.box((1.0, 1.0, 1.0))))
    up = (0.0, 0.0, 1.0)
    top = (4, 5, 7)
    assert side_of(tree, 1, top, up, (0.0, 0.0, 0.4), False) == -1
    # A wrong feature is believed, unless it is not the only one.
    assert side_of(tree, 1, top, up, (0.0, 0.0, 3.0), False) == -1
    assert side_of(tree, 1, top, up, (0.0, 0.0, 3.0), True) == 1
    assert side_of(tree, 0, top, up, (0.0, 0.0, 0.4), True) == 0
