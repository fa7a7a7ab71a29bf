import numpy as np
import pytest

from sim import Body
from sim.kernels.walk.support import climb, height, looks_along, scan_each
from sim.kernels.workspace import Result
from sim.result.plain import work_of
from sim.tracking.views import make_view
from wingedge import shapes

ZOO = dict(shapes.zoo())
DIRECTIONS = np.random.default_rng(0).normal(size=(30, 3)).tolist()


@pytest.mark.parametrize("name", ["icosphere", "random_hull", "cylinder", "prism"])
def test_a_climb_ends_at_a_support_that_the_scan_confirms(name):
    side = make_view(Body(ZOO[name]))
    for d in DIRECTIONS:
        result = Result()
        v, best = climb(side, 0, d, result)
        assert best == scan_each(side.points, side.size, d, result)[1]
        assert best == height(side.points, v, d)
        assert result.nan_sum - result.nan_sum == 0.0


def test_a_climb_goes_by_the_steepest_neighbour_and_sees_what_is_not_finite():
    side = make_view(Body(shapes.box((1.0, 2.0, 4.0))))
    result = Result()
    v, best = climb(side, 0, (1.0, 1.0, 1.0), result)
    assert (v, best) == (7, 3.5)
    # Three edges up and one look round: the longest edge first.
    assert work_of(result) == (4, 12, 0, 0, 0)
    ring = [side.star[k] for k in range(side.start[0], side.start[1])]
    first = max(ring, key=lambda w: height(side.points, w, (1.0, 1.0, 1.0)))
    assert side.points[3 * first + 2] == 2.0
    body = Body(shapes.box())
    side = make_view(body)
    body._points[side.star[side.start[7]]] = np.nan
    result = Result()
    v, _ = climb(side, 7, (1.0, 1.0, 1.0), result)
    assert v == 7
    assert np.isnan(result.nan_sum)


@pytest.mark.parametrize("triangles", [False, True])
def test_inside_a_flat_part_that_faces_away_the_whole_ring_ties(triangles):
    mesh = shapes.grid_box(4, (1.0, 1.0, 1.0), triangles=triangles)
    side = make_view(Body(mesh))
    x, y, z = mesh.points.T
    inner = np.nonzero((z == -0.5) & (abs(x) < 0.5) & (abs(y) < 0.5))[0].tolist()
    assert len(inner) == 9
    up, down = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)
    for v in inner:
        result = Result()
        assert climb(side, v, up, result)[0] == v
        assert not looks_along(side, v, up)
        assert looks_along(side, v, down)


@pytest.mark.parametrize("name", [n for n in ZOO if "1e6" not in n])
def test_whether_a_face_looks_along_is_asked_of_every_face_around(name):
    mesh = ZOO[name]
    side = make_view(Body(mesh))
    points, start, star = mesh.points, mesh.star.start, mesh.star.vertex
    for v in range(0, mesh.n_vertices, 3):
        ring = points[star[start[v] : start[v + 1]]] - points[v]
        normals = np.cross(ring, np.roll(ring, -1, axis=0))
        # Steep directions: along one of the faces and against the rest.
        steep = 1.5 * normals - normals.sum(axis=0)
        for d in (*steep.tolist(), *DIRECTIONS[:5]):
            heights = normals @ d
            if abs(heights).min() > 1e-12 * abs(heights).max():
                told = looks_along(side, v, tuple(d))
                assert told == (heights > 0.0).any()
