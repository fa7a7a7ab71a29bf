import pytest  # of sim.story.comparing.ties, sim.story.comparing.histories

from sim import Body, Pose, World
from sim.events.touch import Touch
from sim.story.comparing.ties import is_tie
from wingedge import Feature, shapes

NAMES = "a", "b"


def frame_of(at):
    """A unit box at a place, and another one at the origin."""
    box = shapes.box((1.0, 1.0, 1.0))
    bodies = [Body(box, name="a", pose=Pose(None, at)), Body(box, name="b")]
    return World(bodies, contact_distance=10.0).step()


def vertex_at(frame, point):
    points = frame.body("a").world_points()
    return Feature("vertex", int(abs(points - point).sum(axis=1).argmin()))


@pytest.mark.parametrize("at", [(0.75, 0.0, 1.01), (0.75, 0.0, 0.99)])
def test_a_vertex_beyond_the_end_of_a_face_is_level_and_yet_no_tie(at):
    frame = frame_of(at)
    touch = Touch.of(frame.pairs[0])
    assert touch.kind == "FF"
    for x, tie in ((-0.5, True), (0.5, False)):
        corner = vertex_at(frame, (at[0] + x, 0.5, at[2] - 0.5))
        other = touch._replace(kind="VF", feature_a=corner)
        assert is_tie(frame, NAMES, other, 1e-9) == tie


def test_a_face_is_no_tie_where_its_side_is_closest_from_beyond():
    frame = frame_of((1.3, 0.2, 1.4))
    state = frame.pairs[0]
    touch = Touch.of(state)
    assert touch.kind == "EE"
    mesh = state.mesh_b
    for face in mesh.edge_faces[touch.feature_b.index].tolist():
        other = touch._replace(feature_b=Feature("face", face), ends_b=None)
        assert is_tie(frame, NAMES, other, 1e-9) is False, "as near, but not level"
    assert is_tie(frame, NAMES, touch, 1e-9)
