"""sim.between.losses: when hinges become reflex while vertices go straight."""

from fractions import Fraction

import numpy as np
import pytest
from queries._exact import height, on_way

from sim import Body, World
from sim.between.losses import losses_between, open_hinges
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
    return height(*(on_way(start[k], end[k], Fraction(t)) for k in corners)) > 0


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


def nearly_flat(rng, n):
    """Return hinges whose fourth corner is hardly below the plane at both ends."""
    start = rng.normal(size=(n, 4, 3)) + 100.0 * rng.integers(0, 2)
    end = start + 10.0 ** rng.uniform(-4, 0) * rng.normal(size=start.shape)
    for p in (start, end):
        normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        normal /= np.sqrt((normal * normal).sum(axis=1))[:, None]
        over = ((p[:, 3] - p[:, 0]) * normal).sum(axis=1)
        over += 10.0 ** rng.uniform(-17, -2, size=n)
        p[:, 3] -= over[:, None] * normal
    return start, end


def test_no_hinge_that_floats_settle_changes_its_sign():
    """Their bound: by exact roots of hinges that are flat but for rounding."""
    rng = np.random.default_rng(18)
    healed = settled = 0
    for _ in range(4):
        start, end = nearly_flat(rng, 300)
        told = moving_orientation.roots(start, end)
        kept = np.ones(300, bool)
        kept[open_hinges(start, end)] = False
        assert not (kept & ((told.found > 0) | (told.at_start == 0))).any()
        inside = (told.sign == 1).any(axis=1) & (told.at_end < 0)
        healed, settled = healed + inside.sum(), settled + kept.sum()
    assert healed > 100
    assert settled > 100


def test_losses_of_positions_too_small_for_floats_are_the_same():
    rng = np.random.default_rng(3)
    mesh = convex_hull(rng.normal(size=(60, 3)))
    end = mesh.points + 0.3 * rng.normal(size=mesh.points.shape)
    one, two = (
        losses_between(mesh, s * mesh.points, s * end) for s in (1.0, 2.0**-300)
    )
    assert all(map(np.array_equal, one[:3], two[:3]))
    assert len(one.edge)
