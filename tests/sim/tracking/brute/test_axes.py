import numpy as np  # of sim.tracking.brute.axes, sim.tracking.brute.overlap
import pytest

from sim import Body, Pose
from sim.tracking.brute.axes import best_axis, gap_along, tied_axes
from sim.tracking.brute.surface import surface_of
from wingedge import shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
HERE = (0.0, 0.0, 0.0)


def surfaces(mesh_a, mesh_b, rng, far):
    at = far * rng.normal(size=3)
    b = Body(mesh_b, pose=Pose.rigid(rng.normal(size=4)))
    return surface_of(Body(mesh_a), HERE), surface_of(b, at)


def test_axes_near_the_best_are_listed():
    rng = np.random.default_rng(8)
    for mesh in (UNIT, shapes.random_hull(3, 10)):
        a, b = surfaces(mesh, shapes.prism(4), rng, 0.2)
        best = best_axis(a, b)
        few, many = (tied_axes(a, b, band).tolist() for band in (1e-9, 0.1))
        assert 0 < len(few) < len(many)
        gaps = [gap_along(a.points, b.points, tuple(n)).gap for n in few]
        assert max(gaps) == best.gap
        assert min(gaps) >= best.gap - 1e-9


def test_lines_and_points_have_axes_though_no_face():
    """Bodies collapsed to the axes that are kept: their exact touch has depth 0."""
    turn = Pose.rigid((0.1, 0.2, 0.3, 1.0))
    for keep_a, keep_b, at, gap in [
        ((), (), (0.0, 0.0, 0.0), 0.0),
        ((0,), (), (0.25, 0.0, 0.0), 0.0),
        ((0,), (1,), (0.25, 0.25, 0.0), 0.0),
        ((0,), (1,), (0.25, 0.25, 3.0), 3.0),
        ((0,), (0,), (0.25, 0.0, 0.0), 0.0),
        ((0,), (2,), (0.25, -1.5, 0.0), 1.5),
    ]:
        flat = []
        for keep in (keep_a, keep_b):
            body = Body(UNIT, pose=turn)
            body._points[...] *= np.isin(range(3), keep)
            flat.append(surface_of(body, turn.apply(at) if flat else HERE))
        axis = best_axis(*flat)
        assert axis.gap == pytest.approx(gap, abs=1e-14)
        assert abs(np.linalg.norm(axis.normal) - 1.0) < 1e-15
