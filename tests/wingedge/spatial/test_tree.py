"""wingedge.spatial.tree, wingedge.spatial.rules: sets of triangles of every kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wingedge import convex_hull, read
from wingedge.primitives import point_triangle, segment_triangle
from wingedge.spatial import BSPTree, FirstHit, NearestTriangle, Octree

TREES = pytest.mark.parametrize("kind", [Octree, BSPTree])


def soup(n, size=0.1, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (n, 1, 3)) + rng.normal(size=(n, 3, 3)) * size


def ball(n):
    x = np.random.default_rng(n).normal(size=(n, 3))
    mesh = convex_hull(x / np.linalg.norm(x, axis=1)[:, None])
    return mesh.points[mesh.fan.vertex]


def grid(n):
    i, j = (k.ravel() for k in np.meshgrid(np.arange(n), np.arange(n)))
    p = [np.stack([i + a, j + b, 0 * i], axis=1) for a, b in np.ndindex(2, 2)]
    return np.concatenate([np.stack(p[:3], 1), np.stack(p[1:], 1)]).astype(float)


def clusters():
    rng = np.random.default_rng(3)
    at = rng.normal(size=(400, 1, 3)) * 10.0 ** rng.integers(-6, 1, (400, 1, 1))
    return at + rng.normal(size=(400, 3, 3)) * np.abs(at) * 0.1


def collapsed():
    """Triangles without area: points, segments, and corners on a line."""
    x = soup(90, 0.3, 4)
    x[:30] = x[:30, :1]
    x[30:60, 2] = x[30:60, 1]
    x[60:, 2] = 2.0 * x[60:, 1] - x[60:, 0]
    return x


def needles():
    x = soup(300, 0.5, 5)
    thin = 10.0 ** np.random.default_rng(6).uniform(-17, -3, (300, 1))
    x[:, 2] = 0.5 * (x[:, 0] + x[:, 1]) + thin * (x[:, 2] - x[:, 0])
    return x


def mixed():
    """A few triangles as large as everything among many small ones."""
    return np.concatenate([soup(5, 2.0, 7), soup(300, 0.02, 8)])


SETS = {
    "none": lambda: np.zeros((0, 3, 3)),
    "one": lambda: soup(1),
    "identical": lambda: np.tile(soup(1, 0.7), (100, 1, 1)),
    "around one corner": lambda: soup(200) * [[0.0], [1.0], [1.0]],
    "soup": lambda: soup(500),
    "large": lambda: soup(200, 1.0, 2),
    "clusters": clusters,
    "collapsed": collapsed,
    "all one point": lambda: np.full((50, 3, 3), 0.25),
    "needles": needles,
    "mixed": mixed,
    "grid": lambda: grid(12),
    "ball": lambda: ball(200),
    "lattice": lambda: (
        np.random.default_rng(9).integers(-2, 3, (300, 3, 3)).astype(float)
    ),
    "far": lambda: soup(200) + np.array([1e9, -1e9, 1e9]),
}


def chosen(triangles, n=60, seed=1):
    """Choose points: around a set, on it, far from it."""
    rng = np.random.default_rng(seed)
    if not len(triangles):
        return rng.normal(size=(n, 3))
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    size = float((high - low).max()) or float(np.abs(high).max()) or 1.0
    some = triangles[rng.integers(len(triangles), size=n)]
    points = [
        0.5 * low + 0.5 * high + size * rng.uniform(-0.7, 0.7, (n, 3)),
        some[:, 0],
        0.5 * some[:, 0] + 0.5 * some[:, 1],
        some[:, 0] / 4 + some[:, 1] / 4 + some[:, 2] / 2,
        0.5 * low + 0.5 * high + 1e3 * size * rng.normal(size=(5, 3)),
    ]
    return np.concatenate(points)


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


@TREES
@pytest.mark.parametrize("name", SETS)
def test_every_answer_is_that_of_brute_force(kind, name):
    triangles = SETS[name]()
    index, size = kind(triangles), extent(triangles)
    start, end = chosen(triangles, 2, 1), chosen(triangles, 2, 2)
    end[::7] = start[::7]
    listed = assert_all_same(Brute(triangles), index, start, end, (0.0, 0.05 * size))
    assert listed > 0 or not len(triangles)
    if len(triangles):
        everything = index.near(triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1)))
        assert everything.tolist() == list(range(len(triangles)))


@TREES
@pytest.mark.real_data
def test_real_meshes_are_answered_as_by_brute_force(kind, real_data):
    for name in ("bullet3__palm.stl", "mujoco__foot.stl", "mujoco__highres_sphere.obj"):
        mesh = read(real_data / "convex" / name)
        x = mesh.points[mesh.fan.vertex][:6000]
        assert_all_same(Brute(x), kind(x), chosen(x, 8, 1), chosen(x, 8, 2))


@given(
    triangles=arrays(
        float, st.tuples(st.integers(1, 40), *[st.just(3)] * 2), elements=small
    ),
    ends=arrays(float, (4, 2, 3), elements=small),
    kind=st.sampled_from([Octree, BSPTree]),
)
@settings(max_examples=60, deadline=None)
def test_ties_and_touches_on_a_lattice_are_those_of_brute_force(triangles, ends, kind):
    start, end = ends[:, 0], ends[:, 1]
    assert_all_same(Brute(triangles), kind(triangles), start, end, (0, 1))


@TREES
def test_equal_triangles_shared_edges_and_doubts_of_floats_go_to_the_lower_number(kind):
    x = np.concatenate([SETS["one"]() + 9, *[SETS["identical"]()] * 2])
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


@TREES
def test_no_set_and_no_query_are_answered_by_nothing(kind):
    index = kind([])
    assert len(index) == 0
    near, hit = index.nearest((0, 0, 0)), index.first_hit((0, 0, 0), (1, 0, 0))
    assert (int(near.triangle), float(near.distance)) == (-1, np.inf)
    assert (int(hit.triangle), float(hit.t)) == (-1, np.inf)
    assert np.isnan(near.point).all()
    assert index.near((0, 0, 0), (1, 1, 1)).tolist() == []
    index = kind(SETS["soup"]())
    assert index.nearest(np.zeros((0, 3))).triangle.shape == (0,)
    assert index.first_hit(np.zeros((0, 3)), (1, 1, 1)).point.shape == (0, 3)


@TREES
def test_the_triangles_are_a_copy_that_nobody_can_write(kind):
    x = SETS["soup"]()
    index = kind(x)
    x[...] = 0
    assert (index.triangles == SETS["soup"]()).all()
    with pytest.raises(ValueError, match="read-only"):
        index.triangles[0, 0, 0] = 1
    near = index.nearest((0, 0, 0))
    near.point[...] = 7
    assert (index.triangles == SETS["soup"]()).all()


def test_one_long_list_is_asked_by_few_queries_at_a_time():
    # 256 queries on 50 000 identical triangles would be 13 million pairs
    x = np.tile(np.eye(3)[None], (50_000, 1, 1))
    near = Octree(x).nearest(np.random.default_rng(0).normal(size=(30, 3)))
    assert (near.triangle == 0).all()


@TREES
def test_trees_neither_become_lists_nor_divide_what_is_one(kind):
    tree = kind(SETS["ball"]())
    assert len(tree) > 300
    assert tree.nearest(tree.triangles[0, 0] * 1.1).tested < 60
    tree = kind(SETS["grid"]())
    assert tree.nearest((3.2, 4.1, 0.5)).tested < 40
    line = np.zeros((100, 3, 3))
    line[:, 1, 0], line[:, 2, 0] = 1.0, 0.5
    for same in (SETS["identical"](), SETS["all one point"](), line):
        assert kind(same).nearest((9, 9, 9)).tested == 100 - 50 * (len(same) == 50)
    x = SETS["collapsed"]()
    tree = kind(x)
    assert tree.nearest(x[:, 0]).distance.max() == 0.0
    rng = np.random.default_rng(0)
    small = rng.normal(size=(300, 1, 3)) * 1e-3 + rng.normal(size=(300, 3, 3)) * 1e-5
    tree = kind(np.concatenate([small, rng.normal(size=(5, 3, 3))]))
    assert tree.nearest(small[7, 0]).tested < 30


def test_oblique_walls_are_divided_by_their_own_planes_where_an_octree_fails():
    # long parallel needles at an angle to all axes: their boxes are all alike
    rng = np.random.default_rng(1)
    at = rng.normal(size=(400, 3))
    thin = 0.01 * rng.normal(size=(400, 3))
    x = np.stack([at - 3, at + thin, at + 3], axis=1)
    p = rng.normal(size=(50, 3))
    planes, cubes = BSPTree(x).nearest(p), Octree(x).nearest(p)
    assert (planes.triangle == cubes.triangle).all()
    assert planes.tested.mean() < 0.25 * cubes.tested.mean()
