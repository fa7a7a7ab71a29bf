import numpy as np  # of sim.story.recording, sim.result.renaming
import pytest
from scipy.spatial.transform import Rotation

from sim import Body, Pose, Recording, RecordingError, World
from wingedge import WingedEdgeMesh, edits, shapes

ARRAYS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")


def falling(t):
    return Pose.rigid((0.2 - 0.5 * t, 0.0, 0.0, 1.0), (0.02, 0.03, 1.3 - 0.6 * t))


def scene():
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    box = Body(shapes.box(), name="box")
    return World([box, table], motion={"box": falling}, dt=0.02, contact_distance=0.1)


def test_an_edited_mesh_comes_back_with_its_own_edge_numbers(tmp_path):
    world = scene()
    box = world.body("box")
    for e in (5, 2):
        box.replace(*edits.split_edge(box.mesh, e, 0.3))
    faces = [box.mesh.face_vertices(f).tolist() for f in range(box.mesh.n_faces)]
    built = WingedEdgeMesh.from_faces(box.mesh.points, faces)
    assert not np.array_equal(built.edge_vertices, box.mesh.edge_vertices)
    with world.record(tmp_path / "run.vtkhdf"):
        frames = list(world.run(20))
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        mesh = recording[0].body("box").mesh
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(mesh, name), getattr(box.mesh, name))
        for k, frame in enumerate(frames):
            assert recording[k].pairs[0].numbers == frame.pairs[0].numbers
        assert recording.events == tuple(e for frame in frames for e in frame.events)
        assert any("E" in event.after.kind for event in recording.events if event.after)
        assert recording.replay().digest == recording.digest


def test_a_mesh_that_is_replaced_ends_the_recording_and_leaves_the_frames(tmp_path):
    world = scene()
    box = world.body("box")
    with world.record(tmp_path / "run.vtkhdf"):
        list(world.run(3))
        box.replace(*edits.split_edge(box.mesh, 0))
        with pytest.raises(RecordingError, match=r"frame 3 .* 'box' has another mesh"):
            world.step()
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        assert len(recording) == 3
    with world.record(tmp_path / "more.vtkhdf"):
        list(world.run(3))
    with Recording.open(tmp_path / "more.vtkhdf") as recording:
        assert [frame.index for frame in recording] == [3, 4, 5], "not taken"


def check_answered_for_before_recorded(world, folder, names):
    path, said = folder / "run.vtkhdf", f"{names} touched by features"
    with pytest.raises(ValueError, match=said), world.record(path):
        pass
    assert not list(folder.iterdir())
    world.step()
    with world.record(path):
        world.step()
    with Recording.open(path) as recording:
        assert len(recording) == 1


def test_regions_on_a_mesh_that_is_gone_are_answered_for_before_they_are_recorded(
    tmp_path,
):
    """The closest features got other names; the regions have none any more."""
    bodies = [Body(shapes.box(), name="box"), Body(shapes.box(4.0), name="table")]
    bodies[0].pose = Pose(translation=(0.0, 0.0, 2.55))
    world = World(bodies, contact_distance=0.1, regions=True)
    (state,) = world.step().pairs
    assert len(state.regions) == 1
    bodies[0].replace(*edits.split_edge(bodies[0].mesh, 0))
    check_answered_for_before_recorded(world, tmp_path, "'box' and 'table'")


def test_a_contact_on_what_is_gone_is_answered_for_before_it_is_recorded(tmp_path):
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    edge = 8  # which turns down, and is then flipped
    middle = ball.mesh.points[ball.mesh.edge_vertices[edge]].mean(axis=0)
    turn, _ = Rotation.align_vectors([[0.0, 0.0, -1.0]], [middle])
    height = 0.51 + float(np.linalg.norm(middle))
    ball.pose = Pose.rigid(turn, (0.0, 0.0, height))
    world = World([ball, table], contact_distance=0.5)
    (state,) = world.step().pairs
    assert state.feature_a.index == edge
    ball.replace(*edits.flip_edge(ball.mesh, edge))
    check_answered_for_before_recorded(world, tmp_path, "'ball' and 'table'")


def test_a_recording_may_begin_between_a_replacement_and_the_next_frame(tmp_path):
    world = scene()
    box = world.body("box")
    states = [frame.pairs[0] for frame in world.run(15)]
    assert states[-1].regime != "separated"
    box.replace(*edits.split_edge(box.mesh, 0))
    with world.record(tmp_path / "run.vtkhdf"):
        frames = list(world.run(10))
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        replay = recording.replay()
        assert replay.digest == recording.digest
        assert replay.events == tuple(e for frame in frames for e in frame.events)
        assert all(event.kind != "begin" for event in replay.events)
