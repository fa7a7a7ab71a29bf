import numpy as np
import pytest

from wingedge.primitives.line_sphere import hit

ORIGIN = (0.0, 0, 0)
LINES = {
    "through": ((-5, 0, 0), (1, 0, 0), [4, 6], [(-1, 0, 0), (1, 0, 0)]),
    "backwards": ((-5, 0, 0), (-1, 0, 0), [-6, -4], [(1, 0, 0), (-1, 0, 0)]),
    "from inside": ((0, 0, 0), (0, 0, 2), [-0.5, 0.5], [(0, 0, -1), (0, 0, 1)]),
    "from the surface": ((0, 1, 0), (0, -1, 0), [0, 2], [(0, 1, 0), (0, -1, 0)]),
    "tangent": ((-5, 1, 0), (1, 0, 0), [5], [(0, 1, 0)]),
    "tangent at its origin": ((0, 0, -1), (3, 4, 0), [0], [(0, 0, -1)]),
    "beside": ((-5, 1.5, 0), (1, 0, 0), [], []),
    "no direction, outside": ((5, 0, 0), (0, 0, 0), [], []),
    "no direction, on it": ((0, -1, 0), (0, 0, 0), [0], [(0, -1, 0)]),
}


@pytest.mark.parametrize("name", LINES)
def test_where_a_line_passes_the_surface(name):
    origin, direction, t, normals = LINES[name]
    answer = hit(origin, direction, ORIGIN, 1)
    assert answer.n_points == len(t)
    assert answer.hit == bool(t)
    assert answer.t[: len(t)] == pytest.approx(t, abs=1e-15)
    assert answer.normal[: len(t)] == pytest.approx(np.reshape(normals, (-1, 3)))
    assert answer.point[: len(t)] == pytest.approx(answer.normal[: len(t)])
    assert np.isnan(answer.t[len(t) :]).all()
    assert np.isnan(answer.point[len(t) :]).all()
    assert np.isnan(answer.normal[len(t) :]).all()


def test_a_line_of_no_direction_inside_is_a_hit_without_a_point_on_the_surface():
    answer = hit((0.5, 0, 0), ORIGIN, ORIGIN, 1)
    assert (answer.hit, answer.n_points) == (True, 0)


def test_a_sphere_of_no_radius_is_its_centre():
    answer = hit((-3, 0, 0), (2, 0, 0), ORIGIN, 0)
    assert (answer.hit, answer.n_points, answer.t[0]) == (True, 1, 1.5)
    assert answer.point[0].tolist() == [0, 0, 0]
    assert answer.normal[0].tolist() == [-1, 0, 0]
    assert not hit((-3, 5e-324, 0), (2, 0, 0), ORIGIN, 0).hit
    assert hit(ORIGIN, ORIGIN, ORIGIN, 0).normal[0].tolist() == [1, 0, 0]


@pytest.mark.parametrize("away", [0.0, 2.0**26, 2.0**40])
def test_one_ulp_of_the_radius_tells_a_secant_from_a_tangent_from_a_miss(away):
    """Far away b^2 - 4ac is 0 or noise for all three of them."""
    for radius, n_points in (
        (np.nextafter(5, 0), 0),
        (5.0, 1),
        (np.nextafter(5, 9), 2),
    ):
        answer = hit((-away, 3, 4), (1, 0, 0), ORIGIN, radius)
        assert (answer.n_points, answer.hit) == (n_points, n_points > 0)
    assert hit((-away, 3, 4), (1, 0, 0), ORIGIN, 5).t[0] == away


def test_the_nearer_root_keeps_its_digits():
    """From 1e-12 outside, -b - sqrt(d) keeps four of them."""
    answer = hit((-1 - 2.0**-40, 0, 0), (1, 0, 0), ORIGIN, 1)
    assert answer.t[0] == pytest.approx(2.0**-40, rel=1e-15)
    assert answer.t[1] == 2 + 2.0**-40


def test_a_far_start_finds_the_points_to_rounding_of_its_distance():
    answer = hit((2.0**30, 0.6, 0), (-1, 0, 0), ORIGIN, 1)
    assert answer.point == pytest.approx(np.array([(0.8, 0.6, 0), (-0.8, 0.6, 0)]))
    assert answer.t == pytest.approx(
        np.array([2.0**30 - 0.8, 2.0**30 + 0.8]), rel=1e-15
    )


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-160, 1e150, 1e300])
def test_spheres_of_every_size_are_met_alike(size):
    answer = hit((-5 * size, 0, 0), (size, 0, 0), ORIGIN, size)
    assert answer.t == pytest.approx([4, 6], rel=1e-15)
    assert answer.point[:, 0].tolist() == [-size, size]
    assert hit((-5 * size, size, 0), (size, 0, 0), ORIGIN, size).n_points == 1


def test_a_parameter_beyond_the_floats_is_infinite_and_its_point_is_not():
    answer = hit((-5, 0, 0), (5e-324, 0, 0), ORIGIN, 1)
    assert answer.t.tolist() == [np.inf, np.inf]
    assert answer.point[:, 0].tolist() == [-1, 1]


def test_a_sphere_too_small_for_its_distance_has_true_normals():
    answer = hit((-1, 0, 0), (1, 1e-20, 0), ORIGIN, 2e-20)
    slope = np.sqrt(0.75)
    assert answer.normal[0] == pytest.approx([-slope, 0.5, 0])
    assert answer.normal[1] == pytest.approx([slope, 0.5, 0])


def test_points_lie_on_the_line_and_on_the_sphere():
    rng = np.random.default_rng(1)
    o, v, c = rng.normal(size=(3, 2000, 3))
    r = np.abs(rng.normal(size=2000))
    answer = hit(o, v, c, r)
    met = answer.n_points == 2
    assert 0.1 < met.mean() < 0.9
    assert (answer.t[met, 0] < answer.t[met, 1]).all()
    walked = o[:, None] + answer.t[:, :, None] * v[:, None]
    assert np.abs(walked - answer.point)[met].max() < 1e-12
    off = np.linalg.norm(answer.point - c[:, None], axis=2) - r[:, None]
    assert np.abs(off)[met].max() < 1e-14


def test_one_query_and_many_have_the_same_bits():
    rng = np.random.default_rng(2)
    o, v, c = rng.normal(size=(3, 40, 3))
    many = hit(o, v, c, 1)
    for k in range(40):
        for one, all_ in zip(hit(o[k], v[k], c[k], 1), many, strict=True):
            assert one.shape == all_.shape[1:]
            np.testing.assert_array_equal(one, all_[k])


def test_shapes_broadcast_and_nothing_is_aliased():
    o = np.array([[-5.0, 0, 0], [-5, 9, 0]])
    answer = hit(o[:, None], (1, 0, 0), ORIGIN, [1, 2, 9.5])
    assert answer.hit.tolist() == [[True] * 3, [False, False, True]]
    assert answer.t.shape == (2, 3, 2)
    assert answer.point.shape == answer.normal.shape == (2, 3, 2, 3)
    assert hit(np.zeros((0, 3)), ORIGIN, ORIGIN, 1).point.shape == (0, 2, 3)
    assert not np.shares_memory(hit(o, ORIGIN, o, 0).point, o)


def test_arguments_are_checked_by_name():
    with pytest.raises(ValueError, match=r"direction\[0\] is inf"):
        hit(ORIGIN, (np.inf, 0, 0), ORIGIN, 1)
    with pytest.raises(ValueError, match=r"radius\[1\] is -1.0"):
        hit(ORIGIN, ORIGIN, ORIGIN, [1, -1])
