import numpy as np  # of sim.tracking.pair, sim.hulls.tracker
import pytest

from sim import (
    Body,
    Event,
    PairTracker,
    Pose,
    Recording,
    World,
    closest,
    exhaustive,
    verify,
)
from sim.hulls.tracker import HullTracker
from wingedge import MeshError, convex_hull, shapes

BALL = shapes.icosphere(2)


def dented(points, t):
    x, y, z = points.T
    z = z - 0.9 * t * np.exp(-4.0 * (x * x + y * y)) * (z > 0)
    return np.stack([x, y, z], axis=1)


def plain(state):
    return state.numbers._replace(work=None)


def hull_body(body):
    return Body(convex_hull(body.positions), pose=body.pose)


def over(body, k, seed=0, reach=2.0):
    rng = np.random.default_rng(seed)
    turn, spin = rng.normal(size=4), 0.02 * rng.normal(size=4)
    body.pose = Pose.rigid(turn + k * spin, (0.3 - 0.02 * k, 0.1, reach - 0.03 * k))


PAIRS = {
    "hull, surface": (BALL, shapes.box(0.8), "surface"),
    "hull, hull": (BALL, shapes.u_block((0.8, 0.6, 0.5)), "hull"),
    "grid, hull": (shapes.grid_box(3), shapes.icosphere(1), "hull"),
    "cup, surface": (shapes.cup(7), shapes.tetrahedron(0.5), "surface"),
}


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("name", PAIRS)
def test_the_distance_is_that_of_the_hulls(name, opened):
    mesh, other, kind = PAIRS[name]
    a, b = Body(mesh, convexity="hull"), Body(other, convexity=kind)
    there, back = PairTracker(a, b), PairTracker(b, a)
    rest = mesh.points
    for k in range(0, 30, 3):
        points = dented(rest, 0.02 * k) if k < 24 else rest * (1.0 + 0.01 * k)
        if opened:
            a.points[...] = points
        else:
            a.points = points
        over(b, k, seed=2 * opened, reach=2.0 - 0.3 * opened)
        state = there.update()
        hulls = hull_body(a), hull_body(b)
        truths = [closest(*hulls)]
        if k % 12 == 0:
            truths += exhaustive(*hulls), exhaustive(a, b)
            assert verify(state, a, b)
        assert state.certified
        for truth in truths:
            assert state.distance == pytest.approx(truth.distance, rel=1e-9, abs=1e-13)
        cold = closest(a, b)
        if state.unique:
            assert plain(cold) == plain(state)
        assert plain(back.update().swapped()) == plain(state)


def test_the_checker_sees_a_distance_that_is_not_the_hull_s():
    a = Body(BALL, convexity="hull")
    a.points = dented(BALL.points, 0.8)
    b = Body(shapes.box(0.2), pose=Pose.rigid((0, 0, 0, 1.0), (0.0, 0.0, 1.2)))
    surface = Body(BALL)
    surface.points = a.positions
    assert closest(surface, b).distance > closest(a, b).distance + 0.1
    assert not verify(closest(surface, b), a, b)
    assert verify(closest(a, b), a, b)
    assert not verify(closest(a, b), surface, b)


def test_features_are_named_as_in_the_mesh_and_lids_by_their_vertices():
    a = Body(BALL, convexity="hull", name="jelly")
    a.points = dented(BALL.points, 0.5)
    b = Body(shapes.tetrahedron(0.2), name="pin")
    b.pose = Pose.rigid((0.3, 0.2, 0.0, 1.0), (0.02, 0.01, 1.3))
    state = PairTracker(a, b).update()
    lid = state.feature_a
    assert lid.kind == "lid"
    assert str(lid) == f"l({'-'.join(map(str, lid.vertices))})"
    cover = a.cover()
    assert list(lid.vertices) in cover.faces[cover.lids].tolist()
    assert state.kind[0] == "F"
    a.points = BALL.points  # the state keeps its names
    assert state.feature_a == lid
    assert PairTracker(a, b).update().feature_a.kind in ("vertex", "edge", "face")


def test_a_box_stays_a_box_when_divided_and_turned():
    a = Body(shapes.grid_box(3), convexity="hull")
    b = Body(shapes.box(0.5))
    b.pose = Pose.rigid((0, 0, 0, 1.0), (0.0, 0.0, 2.0))
    state = closest(a, b)
    assert state.kind == "FF"
    top = np.flatnonzero((a.mesh.points[a.mesh.fan.vertex][:, :, 2] == 0.5).all(axis=1))
    assert [f.index for f in state.parts_a] == sorted({*a.mesh.fan.face[top].tolist()})
    assert state.distance == 1.25
    own = closest(Body(a.mesh), b)
    assert state.parts_a == own.parts_a
    assert sorted(map(tuple, state.patch)) == sorted(map(tuple, own.patch))


def scripted(name="jelly"):
    """A pin that goes down on a dent, and along it."""
    jelly = Body(BALL, name=name, convexity="hull")
    pin = Body(shapes.box((1.5, 1.5, 0.5)), name="pin")

    def pin_at(t):
        turn = (0.4 + 0.05 * t, 0.3 - 0.04 * t, 0.1 * t, 1.0)
        return Pose.rigid(turn, (0.3 * t - 0.2, 0.05 * t, 1.6 - 0.25 * t))

    return World(
        [jelly, pin],
        motion={"pin": pin_at},
        deform={name: lambda rest, t: dented(rest, 0.5 + 0.1 * t)},
        contact_distance=0.3,
        dt=1 / 20,
    )


@pytest.mark.parametrize("before", [0, 12])
def test_a_run_is_recorded_and_replayed_to_the_bit(before, tmp_path):
    world = scripted()
    for _ in range(before):
        state = world.step().pairs[0]
    if before:
        assert state.feature_a.kind == "lid"  # carried into the recording
        assert state.regime != "separated"
    with world.record(tmp_path / "run.vtkhdf"):
        frames = [world.step() for _ in range(25)]
    recording = Recording.open(tmp_path / "run.vtkhdf")
    for frame, read in zip(frames, recording, strict=True):
        state, told = frame.pairs[0], read.pairs[0]
        assert told.numbers == state.numbers
        assert told.parts_a == state.parts_a
        assert [c.feature_a for c in told.contacts] == [
            c.feature_a for c in state.contacts
        ]
    lines = [str(event) for event in recording.events]
    assert any(" l(" in line for line in lines)
    assert [str(Event.parse(line)) for line in lines] == lines
    replay = recording.replay()
    assert replay.digest == recording.digest
    assert [str(event) for event in replay.events] == lines


def test_a_flat_body_is_refused_by_name_and_tracked_on_after():
    a, b = Body(BALL, convexity="hull", name="leaf"), Body(shapes.box(0.3))
    over(b, 0)
    tracker = PairTracker(a, b)
    before = tracker.update()
    a.points = BALL.points * [1.0, 1.0, 0.0]
    with pytest.raises(MeshError, match=r"body 'leaf': .* in one plane"):
        tracker.update()
    assert tracker.state is before
    a.points = BALL.points
    assert plain(tracker.update()) == plain(before)


def test_a_pair_with_a_hull_gets_its_own_tracker_and_refuses_regions():
    a, b = Body(BALL, convexity="hull"), Body(shapes.box())
    assert type(PairTracker(a, b)) is HullTracker
    assert type(PairTracker(b, a)) is HullTracker
    assert type(PairTracker(Body(BALL), b)) is PairTracker
    with pytest.raises(ValueError, match="regions are those of true surfaces"):
        PairTracker(a, b, regions=True)
    with pytest.raises(ValueError, match="cannot be tracked against itself"):
        PairTracker(a, a)
