from types import SimpleNamespace

import numpy as np
import pytest

from sim import Body
from sim.engine.bound import floats, ints
from sim.kernels.closest.outline import across, ends, lay, mark_rim, merge, walk_loop
from sim.kernels.vector import cross, dot
from sim.tracking.views import make_view
from wingedge import shapes

HERE = (0.0, 0.0, 0.0)
UP, DOWN = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)


def named(mesh, members, faces=()):
    side = make_view(Body(mesh))
    for k, v in enumerate(members):
        side.members[k] = v
        side.mark[v] = 1
    side.mark[side.size] = len(members)
    for k, f in enumerate(faces):
        side.faces[k] = f
    return side


def on_top(mesh):
    z = mesh.points[:, 2]
    return np.nonzero(z == z.max())[0].tolist()


def outline(points):
    """Lay corners out for ``merge``: room for twice as many."""
    n = len(points)
    corners = np.full((2 * n, 3), np.nan)
    corners[:n, :2] = points
    corners[:n, 2] = np.arange(n)
    numbers = np.concatenate([np.arange(n), np.full(n, -1)]).astype(np.int32)
    lists = floats(corners), ints(numbers), ints(100 + numbers)
    return SimpleNamespace(corners=lists[0], rim_vertex=lists[1], rim_edge=lists[2])


def merged(points, slack=0.0):
    side = outline(points)
    count, convex = merge(side, 0, len(points), slack)
    told = [(side.corners[3 * k], side.corners[3 * k + 1]) for k in range(count)]
    kept = list(side.rim_vertex[:count])
    assert [side.corners[3 * k + 2] for k in range(count)] == kept
    return told if convex else []


def turned(points, k):
    return points[k:] + points[:k]


def test_two_axes_across_a_normal_are_orthonormal_and_right_handed():
    for n in [
        UP,
        DOWN,
        (1.0, 0.0, 0.0),
        (0.0, -1.0, 0.0),
        (0.6, 0.0, -0.8),
        (0.6, 0.0, 0.8),
        (1e-9, 0.0, -1.0),
        (0.0, 1.0, -0.0),
        (2 / 3, -1 / 3, 2 / 3),
        (-2 / 3, 1 / 3, -2 / 3),
    ]:
        u, v = across(n)
        frame = np.array([u, v, n])
        assert np.allclose(frame @ frame.T, np.eye(3), atol=1e-15)
        assert cross(u, v) == pytest.approx(n, abs=1e-15)


@pytest.mark.parametrize("triangles", [False, True])
def test_the_rim_of_a_gridded_side_runs_once_around_it(triangles):
    mesh = shapes.grid_box((3, 2, 4), (1.0, 1.0, 1.0), triangles=triangles)
    side = named(mesh, on_top(mesh))
    assert mark_rim(side, UP) == 10
    head = next(v for v in side.members if side.successor[v] >= 0)
    count = walk_loop(side, head, 0, UP)
    assert count == 10
    ring = [side.rim_vertex[k] for k in range(count)]
    x, y, _ = mesh.points[ring].T
    assert (np.maximum(abs(x), abs(y)) == 0.5).all()
    # Counter-clockwise seen from outside: the signed area is the true one.
    assert 0.5 * (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() == pytest.approx(1.0)
    for k in range(count):
        e = side.rim_edge[k]
        assert set(mesh.edge_vertices[e]) == {ring[k], ring[(k + 1) % count]}


def test_a_rim_that_is_no_single_simple_loop_is_not_convex():
    grid = shapes.grid_box(4, (1.0, 1.0, 1.0))
    x, y, z = grid.points.T
    top = z == 0.5
    pinched = top & (((x <= 0.0) & (y <= 0.0)) | ((x >= 0.0) & (y >= 0.0)))
    apart = top & (abs(x) >= 0.25)
    frame = top & (np.maximum(abs(x), abs(y)) >= 0.25)
    for keep in (pinched, apart, frame):
        side = named(grid, np.nonzero(keep)[0].tolist())
        _, convex = lay(side, HERE, 2, 0, UP, 0, 1e-12)
        assert not convex


def test_lines_are_laid_by_their_ends_the_members_farthest_apart():
    mesh = shapes.grid_box((5, 2, 2), (3.0, 1.0, 1.0))
    x, y, z = mesh.points.T
    line = np.nonzero((y == 0.5) & (z == 0.5))[0].tolist()
    assert len(line) == 6
    truth = sorted([int(line[i]) for i in (x[line].argmin(), x[line].argmax())])
    for members in (line, line[::-1], turned(line, 2)):
        assert ends(named(mesh, members), HERE) == tuple(truth)
    mesh = shapes.box((1.0, 2.0, 4.0))
    e = 5
    tail, tip = sorted(mesh.edge_vertices[e].tolist())
    side = named(mesh, [tail, tip])
    assert len(laid(side, 1, e, UP, 0)) == 2
    assert list(side.rim_vertex[:2]) == [tail, tip]
    assert list(side.rim_edge[:2]) == [e, -1]
    side = named(mesh, [3])
    assert len(laid(side, 0, 3, UP, 1)) == 1
    assert side.rim_vertex[0] == 3


def test_corners_within_the_slack_or_coincident_are_none():
    square = [(0.0, 0.0), (1.0, -0.01), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert len(merged(square, 0.009)) == 5
    assert len(merged(square, 0.011)) == 4
    dented = [(0.0, 0.0), (1.0, 0.01), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert len(merged(dented, 0.011)) == 4
    assert merged(dented, 0.009) == []
    told = merged([(0, 0), (0, 0), (2, 0), (2, 2), (2, 2), (0, 2)])
    assert sorted(told) == [(0, 0), (0, 2), (2, 0), (2, 2)]


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)],
        [(0, 0), (0, 4), (4, 4), (4, 0)],
        [(0, 0), (1, 0), (2, 0)],
        [(1, 1), (1, 1), (1, 1)],
    ],
    ids=["dented", "clockwise", "on a line", "one point"],
)
def test_an_outline_that_is_not_convex_is_refused(points):
    for k in range(len(points)):
        assert merged(turned(points, k)) == []


def laid(side, dimension, name, n, flip):
    count, convex = lay(side, HERE, dimension, name, n, flip, 1e-12)
    assert convex
    if dimension == 2:
        count -= 1
        assert side.rim_vertex[count] == side.rim_edge[count] == -1
    u, v = across(n)
    told = []
    for k in range(count):
        p = side.points[3 * side.rim_vertex[k] : 3 * side.rim_vertex[k] + 3].tolist()
        s, t, h = (side.corners[3 * k + i] for i in range(3))
        assert (s, t, h) == (dot(p, u), dot(p, v), dot(p, n))
        told.append((s, t))
    return told


@pytest.mark.parametrize("flip", [0, 1])
@pytest.mark.parametrize("sides", [3, 4, 5, 6])
def test_an_area_is_laid_counter_clockwise_about_the_normal(flip, sides):
    mesh = shapes.prism(sides)
    z = mesh.points[:, 2]
    members = np.nonzero(z == (z.min() if flip else z.max()))[0].tolist()
    side = named(mesh, members)
    told = np.array(laid(side, 2, 0, UP, flip))
    assert len(told) == sides
    x, y = told.T
    area = 0.5 * (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()
    assert area == pytest.approx(0.5 * sides * np.sin(2 * np.pi / sides))
    for k in range(sides):
        pair = {side.rim_vertex[k], side.rim_vertex[(k + 1) % sides]}
        assert set(mesh.edge_vertices[side.rim_edge[k]]) == pair


def test_an_area_without_a_convex_outline_is_laid_as_loops():
    grid = shapes.grid_box(4, (1.0, 1.0, 1.0))
    x, y, z = grid.points.T
    angle = np.nonzero((z == 0.5) & ((x <= 0.0) | (y <= 0.0)))[0].tolist()
    assert lay(named(grid, angle), HERE, 2, 0, UP, 0, 1e-12) == (7, False)
    frame = (z == 0.5) & (np.maximum(abs(x), abs(y)) >= 0.25)
    side = named(grid, np.nonzero(frame)[0].tolist())
    assert lay(side, HERE, 2, 0, UP, 0, 1e-12) == (10, False)
