import numpy as np
import pytest
from stories.brute import Solid, least_distance, winding

from sim import Body, PairTracker, Pose
from sim.engine.bound import floats
from sim.kernels.surface.active_leaves import fit
from sim.kernels.surface.boxes import LIMIT, PAD, place_all
from sim.kernels.surface.nearest import ROUNDING, SMALL, are_far, leaves_below
from sim.kernels.surface.piercing import is_outside, orientation, pierces
from sim.kernels.surface.winding import is_within, side_of
from sim.kernels.vector import HERE
from sim.tracking.brute.surface import surface_of
from sim.tracking.tree import make_search, make_tree
from sim.tracking.views import make_view
from wingedge import shapes
from wingedge.primitives import point_triangle, segment_triangle

CONVEX = dict(shapes.zoo())
NON_CONVEX = {n: m for n, m in shapes.zoo(non_convex=True) if n not in CONVEX}


def vec(x):
    return tuple(np.asarray(x, float).tolist())


def test_piercing_agrees_with_the_primitive_of_nearly_parallel_edges_too():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(400, 5, 3))
    expected = segment_triangle.pierces(*rows.swapaxes(0, 1))
    assert [pierces(*map(vec, row)) for row in rows] == expected.tolist()
    assert 20 < expected.sum() < 380
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


def test_what_only_touches_does_not_pierce_and_a_flat_body_has_no_orientation():
    for at in [0.0, 1e-17, -1e-17]:
        triangle = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, -1.0, 0.0)
        assert not pierces((0.0, 0.0, at), (0.0, 0.0, 1.0), *triangle)
        assert pierces((0.0, 0.0, -1e-3), (0.0, 0.0, 1.0), *triangle)
    mesh = shapes.box()
    tree = make_tree(mesh)
    flat = mesh.points * np.array([1.0, 1.0, 0.0])
    place_all(floats(flat), floats(Body(mesh).transform), HERE, tree)
    assert orientation(tree) == 0


@pytest.mark.parametrize("name", NON_CONVEX)
@pytest.mark.parametrize("turned", [1.0, -1.0])
def test_the_side_of_a_point_is_that_of_solid_angles(name, turned):
    mesh = NON_CONVEX[name]
    body = Body(mesh)
    body.points = mesh.points * np.array([1.0, 1.0, turned])
    surface = surface_of(body, HERE)
    tree = make_tree(mesh)
    place_all(floats(body._points), floats(body.transform), HERE, tree)
    assert orientation(tree) == turned
    solid = Solid(surface.points, surface.triangles, None)
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
        assert side == (-1 if winding(x[None], solid)[0] > 0.5 else 1)
        told[side] += 1
    assert min(told.values()) > 2


N = (0.36, 0.48, 0.8)
ALL = -1e300


def fitted(mesh, origin=HERE, floor=ALL):
    tree = make_tree(mesh)
    tree.heights[:] = floats(mesh.points @ np.array(N))
    fit(make_view(Body(mesh)), origin, floor, N, tree)
    return tree


def triangles(tree, node):
    """The placed triangles below a node."""
    begin, end = leaves_below(tree, node)
    ids = np.array(tree.triangle).reshape(-1, 3)
    ids = ids[tree.triangle_start[begin] : tree.triangle_start[end]]
    return np.array(tree.placed).reshape(-1, 3)[ids]


def gap(one, other):
    made = []
    for corners in (one, other):
        ids = np.arange(3 * len(corners)).reshape(-1, 3)
        sides = np.concatenate([ids[:, :2], ids[:, 1:], ids[:, ::2]])
        made.append(Solid(corners.reshape(-1, 3), ids, sides))
    return least_distance(*made)[0]


def test_nodes_that_are_parted_are_farther_than_the_limit():
    a, b = fitted(shapes.cup(5)), fitted(shapes.icosphere(1), (0.4, 0.9, 1.3))
    search = make_search(a, b)
    search.state[PAD] = ROUNDING * 3.0
    rng = np.random.default_rng(1)
    parted = near = 0
    for _ in range(60):
        i = int(rng.integers(a.leaves // SMALL - 1, 2 * a.leaves - 1))
        j = int(rng.integers(b.leaves // SMALL - 1, 2 * b.leaves - 1))
        d = gap(triangles(a, i), triangles(b, j))
        for more in (-1e-9, 1e-13, 1e-3):
            search.state[LIMIT] = (d * (1.0 + more)) ** 2
            assert more < 0.0 or not are_far(a, i, b, j, search)
        search.state[LIMIT] = (0.8 * d) ** 2
        parted += are_far(a, i, b, j, search)
        near += d > 0.0
    assert parted > 0.5 * near > 20


def test_leaves_of_fans_are_parted_across_their_length():
    """They are needles: the way between their middles parts 65 of these, not 72."""
    disc = shapes.cylinder(120, height=0.1)
    a, b = fitted(disc), fitted(disc, (0.3, 0.2, 0.1))
    search = make_search(a, b)
    search.state[PAD] = ROUNDING * 3.0
    rng = np.random.default_rng(2)
    parted = apart = 0
    for _ in range(80):
        i, j = rng.integers(a.leaves - 1, 2 * a.leaves - 1, 2).tolist()
        d = gap(triangles(a, i), triangles(b, j))
        search.state[LIMIT] = (d * (1.0 + 1e-13)) ** 2
        assert not are_far(a, i, b, j, search)
        search.state[LIMIT] = (0.3 * d) ** 2
        parted += are_far(a, i, b, j, search)
        apart += d > 1e-6
    assert parted > 0.9 * apart > 30


def test_few_leaves_are_tested_where_a_mirrored_cap_faces_a_ball():
    mesh = shapes.icosphere(3)
    a, b = Body(mesh), Body(mesh, pose=Pose.rigid((0, 0, 0, 1), (0.2, 0.1, 2.3)))
    points = a.points
    top = points[:, 2] > 0.8
    points[top, 2] = 1.6 - points[top, 2]
    state = PairTracker(a, b).update()
    assert state.proof == "search"
    # 1278 leaves of the two come within the distance with their boxes.
    assert 0 < state.work.faces < 300


NAMES = ["l_block", "ring", "cup", "star", "icosphere"]


def placed(body):
    tree = make_tree(body.mesh)
    place_all(floats(body._points), floats(body.transform), HERE, tree)
    return tree


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
    solid = Solid(surface.points, surface.triangles, None)
    corners = surface.points[surface.triangles]
    sense = orientation(tree)
    told = {1: 0, -1: 0, 0: 0}
    for x in [*drawn, *lattice]:
        hit = point_triangle.closest(x, corners[:, 0], corners[:, 1], corners[:, 2])
        if hit.distance_sq.min() < 1e-18:
            continue  # on it
        side = is_within(tree, tuple(x.tolist()), sense)
        told[side] += 1
        if side != 0:
            assert side == (1 if winding(x[None], solid)[0] > 0.5 else -1)
    assert told[0] < 10
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
