"""The judge's truth in integers, against formulas, floats and what is known."""

from fractions import Fraction

import numpy as np
import pytest
from stories import brute, lattice, unrounded
from stories.brute import solid
from stories.centred import centred, loses_digits
from stories.hulls import counts_as_convex, sag
from stories.shallow import resting

from sim import Body, PairTracker, Pose, exhaustive, verify
from sim.engine.bound import Bound
from sim.kernels.surface.search import nearest_frame, true_frame
from sim.tracking.buffers import Buffers
from wingedge import WingedEdgeMesh, shapes

CUP = dict(shapes.zoo(non_convex=True))["cup"]
BOX = shapes.box(62.0).points
SHIFT = np.array([1e6, -1e6, 1e6])


def strip(width: float) -> WingedEdgeMesh:
    """A wedge with a top of this width: all but an edge, and yet two triangles."""
    points = [(x, y, 0.0) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
    points += [(x, y * width, 1.0) for x in (-1.0, 1.0) for y in (-0.5, 0.5)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 2, 6, 4), (1, 5, 7, 3), (0, 4, 5, 1)]
    return WingedEdgeMesh.from_faces(points, [*quads, (2, 3, 7, 6)])


def test_integers_agree_with_floats_about_boxes():
    for shift, scale in [
        ((2.25, 0.0, 0.0), 1.0),
        ((2.0, 0.0, 0.0), 1.0),
        ((0.0, 0.0, 0.0), 0.5),
        ((1.5, 1.25, 1.0), 1.0),
        ((0.0, 0.0, 0.0), 1.0),
        ((0.25, 0.5, 2.5), 1.0),
    ]:
        one, other = solid(shapes.box(2.0)), solid(shapes.box(2.0), shift, scale)
        found, expected = unrounded.truth(one, other), brute.truth(one, other)
        assert found[:5] == pytest.approx(expected[:5], abs=1e-15)
        shared = unrounded.share_interior(one, other, found.size)
        assert shared == brute.share_interior(one, other, found.size)


@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (0.44, 0.0, 0.0), (0.5, 0.1, 0.2)])
def test_integers_agree_with_floats_about_a_ball_in_a_cup(shift):
    one, other = solid(CUP), solid(shapes.icosphere(1), shift, 0.1)
    found, expected = unrounded.truth(one, other), brute.truth(one, other)
    assert found[:5] == pytest.approx(expected[:5], abs=1e-14)


@pytest.mark.parametrize("gap", [1e-3, 1e-12, -1e-12])
def test_a_corner_over_a_strip_is_as_far_as_it_is(gap):
    """small/dent:1786: the foot on a strip 1e-8 wide fell beside it in floats."""
    box = shapes.box(0.5)
    tip = Body(box, pose=Pose.rigid((1.0, 2.0, 3.0, 4.0)))
    low = tip.world_points()[:, 2].argmin()
    at = np.array([0.3, 0.0, 1.0 + gap]) - tip.world_points()[low]
    tip.pose = Pose(tip.pose.linear, at)
    body = Body(strip(1e-8))
    found = unrounded.truth(*brute.solids(body, tip, {}))
    where = lattice.in_common(unrounded._stored(brute.solids(body, tip, {})[1]))
    height = float(where[0][0][low][2] * where[1] - 1)
    assert height == pytest.approx(gap, rel=1e-3, abs=0.0)
    assert found.gap == pytest.approx(abs(height), rel=1e-15, abs=0.0)
    assert found.inside == pytest.approx(max(0.0, -height), rel=1e-15, abs=0.0)
    assert (found.pierced > 0.0) == (gap < 0.0)


def test_a_ray_that_meets_edges_and_corners_is_cast_again():
    (at,), _ = lattice.in_common([[Fraction(c) for c in p] for p in BOX.tolist()])
    triangles = [
        (at[i], at[j], at[k]) for i, j, k in brute.parts(shapes.box(62.0))[0].tolist()
    ]
    assert lattice.winds((0, 0, 0), triangles) == 1
    assert lattice.winds((20, 24, 36), triangles) == 0  # (31, 31, 31) lies on its way
    for ray in lattice.RAYS:  # a corner right ahead
        p = tuple((31 if r > 0 else -31) - r for r in ray)
        assert lattice.winds(p, triangles) == 1


def test_the_sag_of_a_body_says_whether_it_is_one_of_its_hull():
    box = shapes.grid_box((2, 2, 2))
    assert sag(solid(box)) <= 1e-15
    points = box.points.copy()
    k = int(np.flatnonzero((np.abs(points) < 1e-9).sum(axis=1) == 2)[0])
    for depth, expected in ((1e-13, True), (1e-9, None), (1e-3, False)):
        moved = points.copy()
        moved[k] *= 1.0 - depth / np.abs(points[k]).max()
        dented = brute.Solid(moved, *brute.parts(box))
        assert sag(dented) == pytest.approx(depth, rel=1e-2)
        assert counts_as_convex(dented) is expected
    assert counts_as_convex(solid(CUP)) is False


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("vertices", [50, 120, 300])
def test_of_tilted_faces_the_bounds_are_no_wider_than_they_lean(vertices, seed):
    """One frame in 96 fell to the search over everything, in up to 500 ms.

    Faces tipped by about the parallel tolerance overlap as level parts where the bodies
    are apart.
    """
    told = resting("tilted", vertices, seed)
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    searched = 0
    for frame in told.play(a, b):
        state = tracker.update()
        wide = 1e-9 * abs(state.distance) + 1e-13 * state.size
        searched += state.work.fallbacks
        assert state.upper - state.lower <= wide
        if vertices == 50 and frame % 3 == 1:
            truth = exhaustive(a, b)
            assert truth.lower <= state.upper
            assert state.lower <= truth.upper
    assert searched <= 2


def test_an_arc_of_a_fine_rim_is_named_by_its_support():
    """Named by a part of the part.

    Of a disc of 320 sides, tipped by 1e-9, some corners of the rim are level with the
    lowest: neither an edge nor a face.
    """
    told = resting("tilted", 640, 3)
    tracker = PairTracker(*(bodies := told.bodies()))
    for frame in told.play(*bodies):
        state = tracker.update()
        assert state.certified
        if frame in (0, 3):
            assert state.kind == "VF"
            assert verify(state, *bodies)
        if frame == 3:
            break


@pytest.mark.parametrize("family", ["bent", "touch", "flush"])
def test_touches_where_no_plane_parts_are_answered_by_the_trees(family):
    told = resting(family, 120, 1)
    tracker = PairTracker(*(bodies := told.bodies()))
    assert all(tracker.update().work.fallbacks == 0 for _ in told.play(*bodies))


def test_bodies_barely_deeper_than_a_touch_are_answered_by_their_deepest_vertex():
    """Of 2880 frames 11 fell to the search over everything, in up to 4 s.

    At 4.6e-15 of the size no plane parts them and no crossing is sure, but a vertex
    lies inside, as deep as the hulls overlap.
    """
    told = resting("bent", 50, 23)
    tracker = PairTracker(*(bodies := told.bodies()))
    for frame in told.play(*bodies):
        state = tracker.update()
        assert state.work.fallbacks == 0
        if frame in (0, 28, 46):
            assert (state.kind, state.certified) == ("FF", True)
            assert -5e-15 * state.size < state.distance < -4e-15 * state.size
            assert verify(state, *bodies)


@pytest.mark.parametrize("family", ["tilted", "bent", "flush", "touch"])
def test_a_search_for_the_nearest_pair_alone_ends_at_the_same_pair(family):
    """Whether the surfaces part took 6 of its 8 ms, to be thrown away."""
    told = resting(family, 50, 0)
    bodies = told.bodies()
    both = Buffers(*bodies, 1e-12), Buffers(*bodies, 1e-12)
    for _ in told.play(*bodies):
        found = []
        for buffers, entry in zip(both, (true_frame, nearest_frame), strict=True):
            buffers.choose_proofs()
            buffers.run()
            tables = buffers.trees.tables
            views = buffers.first, buffers.second, buffers.workspace
            Bound(entry)(*views, *tables)
            found.append((*tables[2].best, *tables[2].counts[:3]))
        assert found[0] == found[1]


def far_from_its_origin(gap: float) -> tuple[Body, Body]:
    """A body beside one whose points lie 1e6 from its own origin."""
    a, b = Body(shapes.tetrahedron()), Body(shapes.random_hull(3, 12))
    turn = Pose.rigid((0.1, 0.2, 0.3, 1.0)).linear
    b.points = b.mesh.points + SHIFT
    b.pose = Pose(turn, np.array([2.0, 0.1, 0.2]) - turn @ SHIFT)
    d = exhaustive(a, b)
    b.pose = Pose(turn, b.pose.translation - (d.distance - gap) * d.normal)
    return a, b


def test_bodies_placed_exactly_are_as_far_apart_as_rationals_say():
    for gap in [0.3, 1e-6, -1e-3]:
        a, b = far_from_its_origin(gap)
        truth = exhaustive(a, b, rational=True).distance
        assert loses_digits(a, b)
        assert exhaustive(*centred(a, b)).distance == pytest.approx(truth, abs=4e-15)
        assert abs(exhaustive(a, b).distance - truth) > 1e-13
    a, b = Body(shapes.box()), Body(shapes.prism(5))
    for at in ((1.5, 0.0, 0.0), (0.0, 0.0, 0.0)):
        b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), at)
        assert not loses_digits(a, b)
    a.pose = Pose(None, SHIFT)
    b.pose = Pose(None, SHIFT + 2.0)
    assert not loses_digits(a, b), "a translation that both have is taken off first"
