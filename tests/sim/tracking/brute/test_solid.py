"""Do surfaces of any shape overlap, and how deep do their vertices lie?"""

import numpy as np
import pytest

from sim import Body, Pose
from sim.tracking.brute import solid
from sim.tracking.brute.solid import interiors_share, lies_inside, surfaces_cross
from sim.tracking.brute.surface import surface_of
from wingedge import shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
BLOCK = shapes.l_block()
HERE = (0.0, 0.0, 0.0)


def at(mesh, where=HERE, linear=None):
    return surface_of(Body(mesh, pose=Pose(linear)), where)


@pytest.mark.parametrize("name", ["box", "icosphere", "random_hull", "l_block", "ring"])
def test_points_are_inside_as_the_rays_say(name):
    mesh = dict(shapes.zoo(non_convex=True))[name]
    surface = at(mesh)
    corners = surface.points[surface.triangles]
    rng = np.random.default_rng(7)
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    way = np.array([0.3, 0.5, 0.81])
    for p in rng.uniform(low - 0.2, high + 0.2, (60, 3)):
        hits = 0
        for a, b, c in corners:
            m = np.stack([b - a, c - a, -way], axis=1)
            if abs(np.linalg.det(m)) > 1e-14:
                u, v, t = np.linalg.solve(m, p - a)
                hits += u > 0 and v > 0 and u + v < 1 and t > 0
        assert lies_inside(tuple(p.tolist()), surface) == (hits % 2 == 1)


@pytest.mark.parametrize("block", [1, 1 << 19])
@pytest.mark.parametrize(
    ("where", "cross"),
    [
        ((0.3, 0.2, 0.1), True),
        ((0.9, 0.8, 0.7), True),
        ((1.0, 0.2, 0.1), False),
        ((1.0, 1.0, 1.0), False),
        ((0.0, 0.0, 0.0), False),
        ((0.5, 0.0, 0.0), False),
        ((3.0, 0.0, 0.0), False),
    ],
)
def test_only_a_strict_crossing_is_one(where, cross, block, monkeypatch):
    """Exact touch is none: two boxes in one place, or shifted along their faces."""
    monkeypatch.setattr(solid, "BLOCK", block)
    assert surfaces_cross(at(UNIT), at(UNIT, where)) == cross
    assert surfaces_cross(at(UNIT, where), at(UNIT)) == cross


@pytest.mark.parametrize(
    ("where", "share"),
    [
        ((0.0, 0.0, 0.0), True),
        ((0.5, 0.0, 0.0), True),
        ((1.0, 0.0, 0.0), False),
        ((1.0, 0.5, 0.0), False),
        ((0.0, 1.0, 1.0), False),
    ],
)
def test_what_the_strict_test_cannot_see(where, share):
    assert interiors_share(at(UNIT), at(UNIT, where), 1.0) == share
    assert interiors_share(at(UNIT, where), at(UNIT), 1.0) == share
