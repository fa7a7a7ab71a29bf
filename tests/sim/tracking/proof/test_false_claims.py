"""False claims that the checker once proved."""

import math

import numpy as np
import pytest

from sim import Body, PairState, Pose, closest, verify
from wingedge import shapes


def claimed(state: PairState, d: float, at, kinds, normal) -> PairState:
    """A claim of d along a normal, of a point and features by kind and number."""
    (da, fa), (db, fb) = kinds
    numbers = state.numbers._replace(
        distance=d,
        lower=d,
        upper=d,
        normal=normal,
        point_a=at,
        point_b=tuple(p + d * n for p, n in zip(at, normal, strict=True)),
        dimension_a=da,
        parts_a=(fa,),
        dimension_b=db,
        parts_b=(fb,),
        corners=(),
        labels=(),
        unique=True,
        proof="search",
    )
    regime = "separated" if d > 0.0 else "contact"
    return PairState(numbers, regime, state.frame, state.a, state.b)


def face_at(body: Body, axis: int, height: float) -> int:
    points, mesh = body.world_points(), body.mesh
    return next(
        f
        for f in range(mesh.n_faces)
        if (points[mesh.face_vertices(f), axis] == height).all()
    )


def edge_at(body: Body, u: tuple[int, float], v: tuple[int, float]) -> int:
    points, mesh = body.world_points(), body.mesh
    return next(
        e
        for e in range(mesh.n_edges)
        if all((points[mesh.edge_vertices[e], k] == x).all() for k, x in (u, v))
    )


def test_a_touch_of_boxes_that_overlap_by_a_quarter_is_refused():
    """Their surfaces do meet, so no pair of triangles was nearer than said."""
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    b = Body(a.mesh, pose=Pose(translation=(0.75, 0.25, 0.25)))
    faces = (2, face_at(a, 0, 0.5)), (2, face_at(b, 1, -0.25))
    for normal in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        false = claimed(closest(a, b), 0.0, (0.5, -0.25, 0.0), faces, normal=normal)
        verdict = verify(false, a, b)
        assert verdict.answer == "no"
        assert "surfaces cross" in verdict.reason


def test_crossing_bars_are_not_a_quarter_apart():
    """No corner lies inside, and edges that pass through faces are near no edge."""
    a = Body(shapes.box((4.0, 0.25, 1.5)))
    b = Body(shapes.box((0.75, 5.5, 2.0)), pose=Pose(None, (-1.25, -0.625, 0.0)))
    one, other = edge_at(a, (1, 0.125), (2, 0.75)), edge_at(b, (0, -0.875), (2, 1.0))
    state = closest(a, b)
    assert state.regime == "penetrating"
    edges, at = ((1, one), (1, other)), (-0.875, 0.125, 0.75)
    verdict = verify(claimed(state, 0.25, at, edges, normal=(0.0, 0.0, 1.0)), a, b)
    assert verdict.answer == "no"
    assert "surfaces cross" in verdict.reason


@pytest.mark.parametrize("at", [(2.0, 0.3, 0.2), (0.75, 0.3, 0.2)])
def test_a_great_size_hides_no_error(at):
    """The tolerance grew with the size that the answer itself gave."""
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    b = Body(a.mesh, pose=Pose(translation=at))
    state = closest(a, b)
    assert verify(state, a, b)
    for off in (1e-6, -1e-6, 0.1, -0.1):
        d = state.distance + off
        step = tuple(
            p + d * n for p, n in zip(state.point_a, state.normal, strict=True)
        )
        false = state.replace(
            distance=d, lower=d, upper=d, point_b=step, size=1e15 * state.size
        )
        assert verify(false, a, b).answer == "no"
    assert not verify(state.replace(size=1e15 * state.size), a, b)


def test_no_normal_is_proven_where_no_plane_parts_what_touches():
    """A corner in the edge of a notch: the walls rise on both sides of it."""
    a = Body(shapes.l_block())
    mesh = shapes.box(0.25)
    b = Body(mesh, pose=Pose(None, 0.1 * np.eye(3)[2] - mesh.points[0]))
    edges = (1, edge_at(a, (0, 0.0), (1, 0.0))), (0, 0)
    slanted = (math.sqrt(0.5), math.sqrt(0.5), 0.0)
    false = claimed(closest(a, b), 0.0, (0.0, 0.0, 0.1), edges, normal=slanted)
    verdict = verify(false, a, b)
    assert verdict.answer == "cannot say"
    assert "no plane parts the bodies around" in verdict.reason


def test_a_normal_from_one_edge_to_the_other_is_known_at_any_distance():
    """Turned by 1e-4 it moved the points by 1e-14 only, which rounding may."""
    a = Body(shapes.box())
    b = Body(a.mesh, pose=Pose(None, (1.0 + 2.0**-33, 1.0 + 2.0**-33, 0.125)))
    state = closest(a, b)
    assert (state.kind, state.proof) == ("EE", "ring")
    assert verify(state, a, b)
    turned = state.normal + 1e-4 * np.cross(state.normal, (0.0, 0.0, 1.0))
    verdict = verify(state.replace(normal=turned / np.linalg.norm(turned)), a, b)
    assert verdict.answer == "no"
