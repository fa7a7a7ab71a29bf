import numpy as np  # of sim.tracking.track, sim.kernels.trajectory
import pytest
from stories import story

from sim import Body, PairTracker, Pose
from sim.result.answer import KINDS
from wingedge import ConvexityError, shapes

ZOO = dict(shapes.zoo())


def told(state):
    return state.numbers, state.regime, state.frame, state.a, state.b


def remembered(tracker):
    """Everything that the next frame can see."""
    if tracker.a.convexity == "hull":
        return told(tracker.state), tracker.next_frame
    buffers = tracker._buffers
    return (
        told(tracker.state),
        tracker.next_frame,
        tracker.is_swapped,
        bytes(buffers.workspace.simplex),
        bytes(buffers.last),
        bytes(buffers.result),
        tracker.a.transform.tolist(),
        tracker.b.transform.tolist(),
        str(tracker.explain()),
    )


def loop(tracker, **trajectories):
    """Go through the frames of a track one by one, and say what was told."""
    found = []
    for row in zip(*trajectories.values(), strict=True):
        for name, value in zip(trajectories, row, strict=True):
            what, side = name.split("_")
            body = getattr(tracker, side)
            if what == "points":
                body.points = value
            elif isinstance(value, Pose):
                body.pose = value
            else:
                body.transform[...] = value
        found.append(told(tracker.update()))
    return found


def both(a, b, before=None, **trajectories):
    """Return two trackers of equal pairs, and what one looped the other tracked.

    ``a``, ``b``: meshes, or what makes a body of its own for each.
    """
    looped, other = (
        PairTracker(
            *(m() if callable(m) else Body(m, name=n) for m, n in ((a, "a"), (b, "b")))
        )
        for _ in range(2)
    )
    for tracker in (looped, other):
        if before is not None:
            before(tracker)
    said, states, track = [], [], ()
    for run in (loop, PairTracker.track):
        tracker = looped if run is loop else other
        try:
            found = run(tracker, **trajectories)
        except ValueError as error:
            said.append(str(error))
        else:
            states, track = (found, track) if run is loop else (states, found)
    assert len(set(said)) == len(said) // 2, said
    # The loop's bodies say the same of themselves as the other ones.
    assert list(map(told, track)) == [(*s[:3], other.a, other.b) for s in states]
    for one, two in ((looped.a, other.a), (looped.b, other.b)):
        assert one.positions.tobytes() == two.positions.tobytes()
        assert one.version == two.version
        assert one.proof() == two.proof()
    one, two = remembered(looped), remembered(other)
    assert (one[0][:3], one[1:]) == (two[0][:3], two[1:])
    return looped, other, said[0] if said else track


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("family", ["tumbling", "affine", "needles", "spinning"])
def test_a_track_is_the_loop(family, seed, engine):
    tale = story(family, seed)
    ways = ([getattr(step, f"pose_{side}") for step in tale.steps] for side in "ab")
    poses_a, poses_b = ways
    looped, other, _ = both(tale.a, tale.b, poses_a=poses_a, poses_b=poses_b)
    assert told(looped.update())[:3] == told(other.update())[:3]


@pytest.mark.parametrize("frames", [0, 1, 2, 3])
def test_short_tracks(frames, engine):

    def first(tracker):
        tracker.b.pose = Pose(translation=(0.0, 0.0, 2.0))
        tracker.update()

    poses = [Pose(translation=(0.1 * k, 0.0, 2.0)) for k in range(frames)]
    if frames == 0:
        tracker = PairTracker(Body(ZOO["box"]), Body(ZOO["prism"]))
        assert len(tracker.track(poses_a=[])) == 0
        assert tracker.track(poses_a=np.zeros((0, 3, 4))).kind.shape == (0,)
        assert tracker.state is None
        return
    _, other, _ = both(ZOO["box"], ZOO["prism"], first, poses_b=poses)
    assert other.next_frame == frames + 1


def test_pools_grow_with_large_patches(engine):
    grid, plate = shapes.grid_box((7, 7, 2)), shapes.prism(60, 0.5, 1.0)
    poses = [Pose(translation=(0.005 * k, 0.0, 1.2)) for k in range(90)]
    _, _, track = both(grid, plate, poses_b=poses)
    assert sum(len(s.parts_a) for s in track) > 1000
    assert sum(len(s.patch) for s in track) > 1000


def test_arrays_are_the_states():
    poses = [Pose.rigid((0.1, 0.2, 0.05 * k, 1.0), (0, 0.1, 2)) for k in range(30)]
    tracker = PairTracker(Body(ZOO["box"]), Body(ZOO["prism"]))
    track = tracker.track(poses_b=poses)
    states = list(track)
    assert len(track) == len(states) == 30
    for name in ["distance", "lower", "upper", "certified", "unique", "kind", "regime"]:
        array = getattr(track, name)
        assert array.shape == (30,)
        assert array.tolist() == [getattr(s, name) for s in states]
    for name in ("point_a", "point_b", "normal"):
        assert getattr(track, name).tolist() == [
            getattr(s, name).tolist() for s in states
        ]
    for name in ("feature_a", "feature_b"):
        features = [getattr(s, name) for s in states]
        expected = [[KINDS.index(f.kind), f.index] for f in features]
        assert getattr(track, name).tolist() == expected
    assert told(track[-1]) == told(tracker.state)
    track.distance[0] = 7.0  # a copy
    assert track.distance[0] == states[0].distance
    assert repr(track) == f"Track({tracker.a.name}/{tracker.b.name}, 30 frames)"


def test_frames_are_counted_from_the_first_of_the_track():
    tracker = PairTracker(Body(ZOO["box"]), Body(ZOO["prism"]))
    tracker.b.pose = Pose(translation=(0, 0, 3))
    for _ in range(4):
        tracker.update()
    track = tracker.track(poses_b=[tracker.b.pose] * 3)
    assert [s.frame for s in track] == [4, 5, 6]
    assert tracker.update().frame == 7
    with pytest.raises(IndexError, match="frame 3 of a track of 3 frames"):
        track[3]
    with pytest.raises(TypeError, match="one frame number"):
        track[0:2]


@pytest.fixture
def tracker():
    return PairTracker(Body(ZOO["box"], name="left"), Body(ZOO["prism"], name="right"))


GOOD = Pose(translation=(0, 0, 3))
MIRROR = np.diag([1.0, 1.0, -1.0, 0.0])[:3]


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({}, ValueError, "nothing moves"),
        ({"poses_b": GOOD}, TypeError, "poses_b must be one pose per frame"),
        ({"poses_b": [GOOD, 3]}, TypeError, r"poses_b\[1\] must be a sim.Pose"),
        ({"poses_a": np.zeros((4, 4))}, ValueError, r"poses_a has shape \(4, 4\)"),
        ({"poses_a": 3.0}, TypeError, "one row per frame"),
        ({"poses_a": [[1], [1, 2]]}, ValueError, "rows of different lengths"),
        ({"poses_a": np.zeros((2, 3, 4), bool)}, TypeError, "real numbers, got bool"),
        (
            {"poses_b": [GOOD.matrix, MIRROR]},
            ValueError,
            r"poses_b\[1\]: pose: the linear part has determinant -1",
        ),
        (
            {"poses_b": [GOOD.matrix, GOOD.matrix * np.nan]},
            ValueError,
            r"poses_b\[1\]: pose: the transform holds a number that is not finite",
        ),
        (
            {"points_a": np.zeros((2, 7, 3))},
            ValueError,
            r"points_a has shape \(2, 7, 3\); body 'left' needs \(T, 8, 3\)",
        ),
        (
            {"poses_a": [GOOD], "poses_b": [GOOD, GOOD]},
            ValueError,
            "different lengths: poses_a 1, poses_b 2 frames",
        ),
    ],
)
def test_a_trajectory_that_is_none_is_refused_before_anything_moves(
    given, error, said, tracker
):
    before = tracker.b.transform.tolist()
    with pytest.raises(error, match=said):
        tracker.track(**given)
    assert tracker.b.transform.tolist() == before
    assert tracker.state is None


def test_positions_that_are_not_finite_are_named(tracker):
    points = np.array([ZOO["box"].points] * 3)
    points[2, 5, 1] = np.inf
    with pytest.raises(ValueError, match=r"points_a\[2\]: vertex v5 is at"):
        tracker.track(points_a=points)


def test_what_fails_on_the_way_leaves_everything_as_the_loop_does(engine):
    """An open body that holds a number that is not finite: met when it is looked at."""
    mesh = shapes.random_hull(2, 50)
    poses = [
        Pose.rigid((0.0, 0.02 * k, 0.0, 1.0), (0.0, 0.0, -2.5)) for k in range(400)
    ]

    def poison(tracker):
        tracker.b.pose = poses[0]
        tracker.update()
        tracker.b.points[int(mesh.points[:, 2].argmin())] = np.nan

    made = lambda: Body(mesh, name="b", convexity="trust")  # noqa: E731
    assert "vertex v" in both(shapes.box(), made, poison, poses_b=poses)[2]


def test_positions_that_a_body_refuses_stop_the_track():
    mesh = shapes.icosphere(1)
    a, b = Body(mesh, name="a", convexity="raise"), Body(ZOO["box"], name="b")
    b.pose = GOOD
    dented = mesh.points.copy()
    dented[0] *= 0.5
    tracker = PairTracker(a, b)
    with pytest.raises(ConvexityError):
        tracker.track(points_a=[mesh.points, mesh.points, dented])
    assert tracker.next_frame == 2


def swelling(mesh, frames):
    """Positions that grow, are dented, inside-out, blunt and sharp in turn."""
    rows = np.array([mesh.points * (1.0 + 0.01 * k, 1.0, 1.0) for k in range(frames)])
    rows[20:24, 0] *= 0.6  # a dent: no ring proves
    rows[30, :, 2] *= -1.0  # inside-out
    rows[40:43, :, 2] *= 1e-3  # sharp: an edge proves nothing
    return rows


@pytest.mark.parametrize("convexity", ["surface", "flag", "trust", "hull"])
def test_positions_of_both_bodies_come_from_the_reel_as_from_the_loop(
    engine, convexity
):
    """The kernel takes them itself, and stops where rings no longer prove the same."""
    mesh, other = ZOO["icosphere"], ZOO["box"]
    poses = [
        Pose.rigid((0.1, 0.3, 0.2, 0.1 * k), (0.1, 0.02 * k, 1.9)) for k in range(60)
    ]
    _, reeled, _ = both(
        lambda: Body(mesh, name="a", convexity=convexity),
        other,
        poses_b=poses,
        points_a=swelling(mesh, 60),
        points_b=swelling(other, 60)[::-1].copy(),
    )
    assert reeled.next_frame == 60


@pytest.mark.parametrize("wrong", [1e55, 1e-55])
@pytest.mark.parametrize("side", ["a", "b"])
def test_positions_too_large_or_small_stop_the_reel_where_the_loop_stops(
    engine, side, wrong
):
    mesh = ZOO["icosphere"]
    rows = np.array([mesh.points * (1.0 + 0.01 * k) for k in range(9)])
    bad = rows.copy()
    bad[6] *= wrong
    given = {"points_a": rows, "points_b": rows, f"points_{side}": bad}
    apart = Pose(translation=(0.2, 0.1, 4.0))
    _, reeled, said = both(mesh, lambda: Body(mesh, name="b", pose=apart), **given)
    assert f"body '{side}': vertex" in said
    assert reeled.next_frame == 6


@pytest.mark.filterwarnings("ignore:overflow")  # of what is explained there
@pytest.mark.parametrize("opened", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("m", [1e61, 1e300, 1e-61])
def test_poses_too_large_or_small_stop_a_track_with_the_words_of_the_loop(
    engine, opened, m
):
    def made(mesh, name):
        body = Body(mesh, name=name)
        assert not opened or body.points.size  # handed out
        return body

    poses = [Pose(0.5 * np.eye(3), (2.0 + 0.1 * k, 0.0, 0.0)).matrix for k in range(9)]
    poses[6] = m * Pose().matrix if m < 1.0 else Pose(None, (m, 0, 0)).matrix
    hull = shapes.random_hull(3, 20)
    pair = (lambda: made(ZOO["box"], "a")), (lambda: made(hull, "b"))
    _, tracked, said = both(*pair, poses_b=poses)
    assert "body 'b', frame 6: vertex" in said
    assert tracked.next_frame == 6
    assert (tracked.b.transform == poses[6]).all()
