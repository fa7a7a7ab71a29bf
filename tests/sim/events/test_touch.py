import numpy as np
import pytest

from sim import Body, PairTracker, Pose, Recording, scenes
from sim.events.event import events_between
from sim.events.touch import chain
from wingedge import Feature, WingedEdgeMesh, shapes


def test_a_chain_has_one_feature_between_at_most():
    for old, new, expected in [
        ("f0", "f0", "f0"),
        ("f0", "f2", "f0 f2"),
        ("f0", "e0", "f0 e0"),
        ("e0", "f0", "e0 f0"),
        ("v0", "e0", "v0 e0"),
        ("e0", "v0", "e0 v0"),
        ("v0", "v2", "v0 e0 v2"),
        ("v0", "v3", "v0 f0 v3"),
        ("v0", "v7", ""),
        ("f0", "f1", "f0 f4 f1"),
    ]:
        found = chain(shapes.box(), Feature.parse(old), Feature.parse(new))
        assert " ".join(map(str, found)) == expected


@pytest.fixture
def board():
    """A board on two pointed feet of the same height, at x = -1 and x = 1."""
    mesh = shapes.grid_box((4, 1, 1), (4.0, 1.0, 1.0))
    points = mesh.points.copy()
    x, y, z = points.T
    foot = (z < 0.0) & (np.abs(np.abs(x) - 1.0) < 1e-9)
    points[foot, 2] = np.where(y[foot] < 0.0, -1.25, -1.0)
    faces = [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]
    solid = WingedEdgeMesh.from_faces(points, faces, triangulate=True)
    return Body(solid, name="board")


def tilted(angle, z):
    return Pose.rigid((0.0, angle, 0.0, 1.0), (0.0, 0.0, z))


@pytest.mark.parametrize(
    ("start", "angle", "jump"), [(-0.01, 0.0, "tie"), (0.01, 0.01, "not neighbours")]
)
def test_a_jump_to_the_other_side_says_whether_it_had_a_choice(
    board, start, angle, jump
):
    floor = Body(shapes.box((9.0, 9.0, 1.0)), name="floor")
    tracker = PairTracker(board, floor, contact_distance=0.2)
    floor.pose = tilted(start, 1.15)
    before = tracker.update()
    floor.pose = tilted(angle, -1.8)
    (event,) = events_between(before, tracker.update(), 0)
    assert (event.kind, event.path, event.jump) == ("change", (), jump)


def test_a_bar_that_is_bent_over_a_log_jumps_and_its_recording_says_so(tmp_path):
    """The bar's end face lies on the log, then an edge far from it."""
    world = scenes.load("bend")
    with world.record(tmp_path / "bend.vtkhdf") as path:
        told = [e for frame in world.run(30) for e in frame.events]
    changes = [e for e in told if e.kind == "change"]
    assert [(str(e), e.path, e.jump) for e in changes] == [
        (
            "19 change bar/log FE f0 e27(3-15) -> EE e18(6-5) e27(3-15)",
            (),
            "not neighbours",
        )
    ]
    with Recording.open(path) as recording, recording.replay() as again:
        for other in (recording, again):
            assert [e.jump for e in other.events] == [e.jump for e in told]
