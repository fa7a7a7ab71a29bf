"""When hinges become reflex while vertices go straight."""

from fractions import Fraction

import numpy as np
import pytest

from sim import Body, World
from wingedge import convex_hull, shapes
from wingedge.primitives import moving_orientation


def hinges(mesh):
    """Return of every edge of triangles its ends and the two corners beside it."""
    rows = []
    for edge in range(mesh.n_edges):
        left, right = mesh.edge_faces[edge]
        tail, tip = mesh.edge_vertices[edge].tolist()
        beside = (set(mesh.face_vertices(f)) - {tail, tip} for f in (left, right))
        rows.append((tail, tip, *(int(corners.pop()) for corners in beside)))
    return rows


def is_reflex(start, end, corners, t):
    """Say whether a hinge is reflex at a time, in rationals."""
    t = Fraction(t)
    a, b, c, d = (
        [(1 - t) * Fraction(x) + t * Fraction(y) for x, y in zip(*rows, strict=True)]
        for rows in zip(start[list(corners)], end[list(corners)], strict=True)
    )
    u, v, w = ([x - y for x, y in zip(p, a, strict=True)] for p in (b, c, d))
    normal = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
    return sum(x * y for x, y in zip(normal, w, strict=True)) > 0


@pytest.mark.parametrize("seed", range(3))
def test_losses_are_what_rationals_see(seed):
    rng = np.random.default_rng(seed)
    healed = 0
    for _ in range(6):
        body = Body(convex_hull(rng.normal(size=(12, 3))))
        start = body.positions.copy()
        end = start + 1.0 * rng.normal(size=start.shape)
        found = body.losses(end)
        assert body.positions.tolist() == start.tolist()
        assert list(found.lower) == sorted(found.lower)
        assert (found.upper - found.lower <= 2.0**-40).all()
        assert (found.depth > 0).all()
        for edge, corners in enumerate(hinges(body.mesh)):
            mine = found.edge == edge
            for t in np.linspace(0, 1, 33):
                reflex = is_reflex(start, end, corners, t)
                assert not (reflex and not (found.lower[mine] < t).any())
            for lower, upper in zip(found.lower[mine], found.upper[mine], strict=True):
                assert not is_reflex(start, end, corners, lower)
                assert is_reflex(start, end, corners, upper + 1e-9)
            lost = mine.any() and not is_reflex(start, end, corners, 1.0)
            healed += int(lost)
    assert healed  # dents that nobody sees at the end


def test_a_polygon_that_leaves_its_plane_loses_convexity_at_once():
    box = Body(shapes.box())
    dented = box.positions.copy()
    dented[0] *= 0.5
    found = box.losses(dented)
    assert found.edge.tolist() == [-1] * len(found.edge)
    assert len(found.edge)
    assert found.upper.tolist() == [0.0] * len(found.edge)


def test_a_body_that_only_grows_loses_nothing():
    ball = Body(shapes.icosphere(1))
    assert not len(ball.losses(ball.positions * 2.0).edge)


def test_a_world_says_when_convexity_was_lost():
    def push(rest, t):
        points = rest.copy()
        points[0] *= 1.0 - 0.3 * round(t * 60)
        return points

    mesh = shapes.icosphere(1)
    world = World([Body(mesh, name="ball")], deform={"ball": push}, between=True)
    (event,) = [e for frame in world.run(2) for e in frame.events]
    assert event.kind == "convexity_lost"
    found = Body(mesh).losses(push(mesh.points, 1 / 60))
    assert event.when == (found.lower[0], found.upper[0])
    assert 0 < event.when[0] < 1


def test_sides_are_those_of_the_hinge():
    """What is taken for reflex: the corner across stands above the plane."""
    before = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, -1, -1.0]])
    after = before.copy()
    after[3, 2] = 1.0
    told = moving_orientation.roots(before, after)
    assert (told.at_start, told.at_end) == (-1, 1)
    assert told.lower[0] <= 0.5 <= told.upper[0]
