import numpy as np
import pytest
from scipy.spatial import ConvexHull

from sim import Body, Pose
from sim.kernels.vector import HERE
from sim.tracking.brute.axes import best_axis
from sim.tracking.brute.surface import hull_of, surface_of
from wingedge import shapes

CONVEX = dict(shapes.zoo())
BENT = {n: m for n, m in shapes.zoo(non_convex=True) if n not in CONVEX}


def surface(mesh, pose=None):
    return surface_of(Body(mesh, pose=pose or Pose.identity()), HERE)


@pytest.mark.parametrize("name", BENT)
def test_a_hull_is_closed_outward_and_holds_every_vertex(name):
    hull = hull_of(surface(BENT[name]))
    assert len(hull.segments) == 3 * len(hull.triangles) // 2
    for k in range(2):  # the hinge: triangles left and right, each once in its way
        beside = hull.triangles[hull.hinge[:, k]]
        ends = hull.segments if k == 0 else hull.segments[:, ::-1]
        steps = np.stack([beside, np.roll(beside, -1, axis=1)], axis=2)
        assert (steps == ends[:, None]).all(axis=2).any(axis=1).all()
    corners = hull.points[hull.triangles]
    height = np.einsum("tk,vk->tv", hull.normals, BENT[name].points)
    base = np.einsum("tk,tk->t", hull.normals, corners[:, 0])
    assert (height - base[:, None]).max() < 1e-15
    volume = np.einsum("tk,tk->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    assert volume / 6 == pytest.approx(ConvexHull(BENT[name].points).volume)


def test_the_best_axis_of_hulls_is_as_deep_as_the_hull_of_the_difference():
    rng = np.random.default_rng(4)
    for name in BENT:
        pose = Pose.rigid(rng.normal(size=4), 0.2 * rng.normal(size=3))
        a, b = surface(BENT[name]), surface(BENT["star"], pose)
        apart = (b.points[:, None] - a.points[None]).reshape(-1, 3)
        depth = (-ConvexHull(apart).equations[:, 3]).min()
        assert best_axis(hull_of(a), hull_of(b)).gap == pytest.approx(-depth, rel=1e-12)


def test_triangles_that_do_not_close_are_left_to_the_mesh(monkeypatch):
    mesh = BENT["hammer"]
    whole = hull_of(surface(mesh))
    for broken in (lambda x: whole.triangles[:-1], lambda x: whole.triangles[::2]):
        monkeypatch.setattr("sim.tracking.brute.surface.hull_triangles", broken)
        again = hull_of(surface(mesh))
        assert len(again.triangles) == len(whole.triangles)
        assert len(again.segments) == len(whole.segments)
