import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wingedge import read
from wingedge.primitives import point_triangle, segment_triangle
from wingedge.spatial import BSPTree, FirstHit, NearestTriangle, Octree

TREES = [Octree, BSPTree]
small = st.integers(-2, 2).map(float)


class Brute:
    """Every triangle, each time: the oracle of the trees."""

    def __init__(self, triangles):
        self.x = np.asarray(triangles, float).reshape(-1, 3, 3)
        self.corners = self.x.transpose(1, 0, 2)

    def nearest(self, p):
        if not len(self.x):
            return Octree([]).nearest(p)
        found = point_triangle.closest(p[..., None, :], *self.corners)
        k = found.distance_sq.argmin(axis=-1)[..., None]
        distance = np.sqrt(np.take_along_axis(found.distance_sq, k, -1)[..., 0])
        point = np.take_along_axis(found.point, k[..., None], -2)[..., 0, :]
        return NearestTriangle(k[..., 0], distance, point, 0)

    def first_hit(self, start, end):
        if not len(self.x):
            return Octree([]).first_hit(start, end)
        found = segment_triangle.hit(start[:, None], end[:, None], *self.corners)
        time = np.where(found.hit, found.t, np.inf)
        rows = np.arange(len(start))
        k = (time <= time.min(axis=1)[:, None] + 1.3e-13).argmax(axis=1)
        none = np.isinf(time[rows, k])
        point = np.where(none[:, None], np.nan, found.point[rows, k])
        return FirstHit(np.where(none, -1, k), time[rows, k], point, 0)

    def near(self, low, high):
        meets = (self.x.min(axis=1) <= high) & (self.x.max(axis=1) >= low)
        return np.flatnonzero(meets.all(axis=1))


def assert_same(expected, got):
    for name in expected._fields[:-1]:
        one, other = getattr(expected, name), getattr(got, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other, equal_nan=True), name


def extent(triangles):
    if not len(triangles):
        return 1.0
    return float(np.ptp(triangles.reshape(-1, 3), axis=0).max()) or 1.0


def assert_all_same(one, other, start, end, sizes=(0.0, 0.1)):
    """Hold three kinds of questions against brute force; say how much was listed."""
    listed = 0
    assert_same(one.nearest(start), other.nearest(start))
    assert_same(one.first_hit(start, end), other.first_hit(start, end))
    for k, p in enumerate(start[:6:2]):
        radius = min(float(one.nearest(p).distance), 1e300)
        for size in (*sizes, sizes[-1] * k, radius):
            both = one.near(p - size, p + size), other.near(p - size, p + size)
            assert np.array_equal(*both)
            listed += len(both[0])
    return listed


def test_every_answer_is_that_of_brute_force(tree, triangles, places):
    index, size = tree(triangles), extent(triangles)
    start, end = places(triangles, 2, 1), places(triangles, 2, 2)
    end[::7] = start[::7]
    listed = assert_all_same(Brute(triangles), index, start, end, (0.0, 0.05 * size))
    assert listed > 0 or not len(triangles)
    if len(triangles):
        everything = index.near(triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1)))
        assert everything.tolist() == list(range(len(triangles)))


@given(
    triangles=arrays(
        float, st.tuples(st.integers(1, 40), *[st.just(3)] * 2), elements=small
    ),
    ends=arrays(float, (4, 2, 3), elements=small),
    kind=st.sampled_from(TREES),
)
@settings(max_examples=60, deadline=None)
def test_ties_and_touches_on_a_lattice_are_those_of_brute_force(triangles, ends, kind):
    start, end = ends[:, 0], ends[:, 1]
    assert_all_same(Brute(triangles), kind(triangles), start, end, (0, 1))


@pytest.mark.parametrize("kind", TREES)
def test_numbers_that_have_no_powers_are_refused(kind, sets):
    x = sets["soup"]()
    for query in ((1e60, 0, 0), (0, -1e60, 0)):
        with pytest.raises(ValueError, match=r"p: a coordinate is beyond 1e\+50"):
            kind(x).nearest(query)
    with pytest.raises(ValueError, match=r"triangles: a coordinate is beyond"):
        kind(x * 1e60)
    with pytest.raises(ValueError, match="triangles: all are below 1e-50; scale"):
        kind(x * 1e-60)


@pytest.mark.parametrize("kind", TREES)
def test_equal_triangles_shared_edges_and_doubts_of_floats_go_to_the_lower_number(
    kind, sets
):
    x = np.concatenate([sets["one"]() + 9, *[sets["identical"]()] * 2])
    index = kind(x)
    middle = x[1].mean(axis=0)
    assert index.nearest(middle + 0.01).triangle == 1
    normal = np.cross(x[1, 1] - x[1, 0], x[1, 2] - x[1, 0])
    assert index.first_hit(middle - normal, middle + normal).triangle == 1
    # 1/3 and 0.1 are no floats: the times of the two triangles round differently
    a, b = [0.1, 0.0, 1 / 3], [0.1, 1.0, 1 / 3]
    left, right = [-0.9, 0.3, 0.7], [1.3, 0.6, -0.2]
    segment = np.array([0.1, 0.25, -0.6]), np.array([0.1, 0.25, 1.7])
    for x in ([[a, b, left], [b, a, right]], [[b, a, right], [a, b, left]]):
        found = kind(x).first_hit(*segment)
        assert found.triangle == 0
        assert found.t == pytest.approx((1 / 3 + 0.6) / 2.3, abs=1e-13)
    # two planes one last bit apart are met at one time
    low = np.array([[0.0, 0, 1], [3, 0, 1], [0, 3, 1]])
    high = low.copy()
    high[:, 2] = np.nextafter(1.0, 2.0)
    assert kind([high, low]).first_hit((1, 1, -1e3), (1, 1, 1e3)).triangle == 0
    assert kind([high, low]).first_hit((1, 1, 1e3), (1, 1, -1e3)).triangle == 0


@pytest.mark.parametrize("kind", TREES)
def test_no_set_and_no_query_are_answered_by_nothing(kind, sets):
    index = kind([])
    assert len(index) == 0
    near, hit = index.nearest((0, 0, 0)), index.first_hit((0, 0, 0), (1, 0, 0))
    assert (int(near.triangle), float(near.distance)) == (-1, np.inf)
    assert (int(hit.triangle), float(hit.t)) == (-1, np.inf)
    assert np.isnan(near.point).all()
    assert index.near((0, 0, 0), (1, 1, 1)).tolist() == []
    index = kind(sets["soup"]())
    assert index.nearest(np.zeros((0, 3))).triangle.shape == (0,)
    assert index.first_hit(np.zeros((0, 3)), (1, 1, 1)).point.shape == (0, 3)


@pytest.mark.parametrize("kind", TREES)
def test_many_queries_are_answered_as_each_alone(kind, sets, places):
    index = kind(sets["mixed"]())
    p = np.resize(places(sets["mixed"](), 12)[:48], (6, 120, 3))
    near, hit = index.nearest(p), index.first_hit(p, p[::-1])
    assert near.point.shape == hit.point.shape == (6, 120, 3)
    for at in [(0, 0), (1, 7), (2, 23), (5, 100), (5, 119)]:
        for many, one in (
            (near, index.nearest(p[at])),
            (hit, index.first_hit(p[at], p[::-1][at])),
        ):
            assert one[0].shape == ()
            for whole, single in zip(many, one, strict=True):
                assert np.array_equal(whole[at], single, equal_nan=True)


@pytest.mark.parametrize("kind", TREES)
def test_the_triangles_are_a_copy_that_nobody_can_write(kind, sets):
    x = sets["soup"]()
    index = kind(x)
    x[...] = 0
    assert (index.triangles == sets["soup"]()).all()
    with pytest.raises(ValueError, match="read-only"):
        index.triangles[0, 0, 0] = 1
    near = index.nearest((0, 0, 0))
    near.point[...] = 7
    assert (index.triangles == sets["soup"]()).all()


@pytest.mark.real_data
@pytest.mark.parametrize(
    "name", ["bullet3__palm.stl", "mujoco__foot.stl", "mujoco__highres_sphere.obj"]
)
def test_real_meshes_are_answered_as_by_brute_force(tree, real_data, places, name):
    mesh = read(real_data / "convex" / name)
    x = mesh.points[mesh.fan.vertex][:6000]
    ends = places(x, 8, 1), places(x, 8, 2)
    index = tree(x)
    assert_all_same(Brute(x), index, *ends, (0.0, 0.1 * extent(x)))
