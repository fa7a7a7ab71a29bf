import numpy as np  # of sim.kernels.audit.sag, sim.kernels.solve
import pytest
from stories.nearly import block

from sim import Body, PairTracker, Pose, closest, deform, exhaustive, verify
from wingedge import shapes


def tipped(slope, height):
    """Tip a plate about y by a slope, its middle at a height."""
    linear = [[1.0, 0.0, -slope], [0.0, 1.0, 0.0], [slope, 0.0, 1.0]]
    return Pose(linear, (0.0, 0.0, height))


def hollow(profile, extent):
    """Build a box whose top follows a profile [(x, z), ...], the same all along y."""
    x, z = np.array(profile).T
    return block(x, z, 1.0, -extent, triangles=False)


def assert_nearer_end_is_found(body, plate, poses):
    """Assert that last frame's end is left for the one that is nearer now."""
    tracker = PairTracker(body, plate)
    for pose in poses:
        plate.pose = pose
        warm, cold = tracker.update(), closest(body, plate)
        assert warm.certified
        assert (warm.distance, warm.feature_a) == (cold.distance, cold.feature_a)
        assert verify(warm, body, plate)
    assert not body.proof()


def test_many_hinges_bent_by_rounding_add_up():
    """A strip of 4000 cells bends by 1e-8: each hinge by less than 16 eps.

    Its ends stand 2e-8 above the middle. Where a plate tips, the end of last frame was
    still the highest of its ring: certified, and wrong by up to 46 000 bars.
    """
    mesh = shapes.grid_box((4000, 1, 1), (4.0, 0.1, 0.1))
    strip = Body(mesh)
    strip.points = deform.bend(1e-8, axis=0, towards=2)(mesh.points, 0.0)
    assert strip.audit().is_convex()
    plate = Body(shapes.box((5.0, 0.5, 0.1)))
    assert_nearer_end_is_found(
        strip, plate, [tipped(t, 0.1 + 1e-6) for t in (3e-8, 4e-9, 8e-9, 1e-9)]
    )


def test_a_narrow_strip_does_not_hide_that_its_neighbours_fold_inwards():
    """A dent was measured where the strip ends, over the plane of the larger face."""
    fold, half = 0.9e-9, 1.5e-6
    mesh = hollow([(-1.0, fold), (-half, 0.0), (half, 0.0), (1.0, fold)], 1.0)
    body, plate = Body(mesh), Body(shapes.box((4.0, 4.0, 1.0)))
    assert body.audit().is_convex()
    assert_nearer_end_is_found(
        body, plate, [tipped(t, 0.5 + 1e-6) for t in (2e-9, -3e-10, 3e-10, -2e-9)]
    )


@pytest.mark.parametrize("power", [14, 20, 26])
def test_a_pose_does_not_magnify_a_groove_that_rounding_hides(power):
    """The allowance was one of the body's length, which a pose may scale down."""
    wide = 2.0**-power
    deep = 3e-15
    profile = [(-wide, deep), (-0.1 * wide, 0.0), (0.1 * wide, 0.0), (wide, deep)]
    bar, plate = Body(hollow(profile, wide)), Body(shapes.box((4.0, 4.0, 1.0)))
    bar.pose = Pose(np.diag((1.0, wide, 1.0)))
    plate_size = np.diag((wide, wide, wide))
    slope = deep / wide
    poses = [tipped(t * slope, 0.0) for t in (3.0, -0.3, 0.3, -3.0)]
    height = 0.51 * wide
    assert_nearer_end_is_found(
        bar, plate, [Pose(p.linear @ plate_size, (0.0, 0.0, height)) for p in poses]
    )


def dish(hinges, dent):
    """Build a block with a hollow of so many reflex hinges; return it and its depth."""
    x = np.linspace(-1.0, 1.0, hinges + 2)
    z = 0.5 * dent * (x / (x[1] - x[0])) ** 2
    z -= z.min()
    return hollow(list(zip(x.tolist(), z.tolist(), strict=True)), 0.5), float(z[0])


@pytest.mark.parametrize(("hinges", "dent"), [(40, 0.9e-9), (100, 4e-10), (400, 3e-15)])
def test_what_stands_in_a_hollow_is_apart_or_touches_it(hinges, dent):
    """The hull stands off by N^2 / 8 dents; an overlap with it is none with the body.

    At touch the answer was -1.8e-7, certified where the dents were below 16 eps; the
    oracle said the same.
    """
    mesh, deep = dish(hinges, dent)
    low = float(mesh.points[mesh.points[:, 2] > -0.4][:, 2].min())
    body, peg = Body(mesh), Body(shapes.box((1.0 / (hinges + 1), 0.2, 0.1)))
    assert body.audit().is_convex()
    for gap in (0.0, 0.25 * deep, 0.5 * deep):
        peg.pose = Pose(translation=(0.0, 0.0, low + 0.05 + gap))
        answers = [closest(body, peg), closest(peg, body).swapped()]
        if hinges < 200:
            answers.append(exhaustive(body, peg))
        for state in answers:
            assert state.certified
            assert state.lower <= gap <= state.upper or state.distance == 0.0
            assert state.distance == pytest.approx(gap, abs=2e-15)
            # Also where they touch, and the way between their points is rounding.
            assert abs(state.normal[2]) == pytest.approx(1.0, abs=1e-9)
        # Of finer strips all that are level with each other are named.
        for state in answers[:2]:
            assert verify(state, body, peg)
            assert hinges < 200 or len(state.parts_a) == 25


@pytest.mark.parametrize("scale", [2.0**-30, 1.0])
def test_an_overlap_in_a_hollow_is_bounded_by_the_depth_of_the_hollow(scale):
    """Whatever crosses for sure is no farther than 0 apart."""
    mesh, deep = dish(40, 0.9e-9)
    low = float(mesh.points[mesh.points[:, 2] > -0.4][:, 2].min())
    peg = Body(shapes.box((1.0 / 41.0, 0.2, 0.1)))
    at = Pose(scale * np.eye(3), (0.0, 0.0, scale * (low + 0.05 - 0.5 * deep)))
    peg.pose, deep = at, scale * deep
    for ask in (closest, exhaustive):
        state = ask(Body(mesh, pose=Pose(scale * np.eye(3))), peg)
        assert state.distance == pytest.approx(-1.5 * deep, rel=1e-6)
        assert state.lower <= -0.5 * deep <= state.upper <= 1e-14 * scale
        assert not state.certified
