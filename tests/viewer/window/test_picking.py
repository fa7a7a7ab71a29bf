import numpy as np  # of viewer.window.handling
import pytest

from sim import Body, Pose, World
from viewer.drawing.camera import View, project
from viewer.window.handling import REACH, pick
from wingedge import Feature, shapes

SIZE = (800, 600)
ABOVE = View(np.array([0.3, -0.4, 12.0]), np.zeros(3), np.array([0.0, 1.0, 0.0]))


@pytest.fixture
def frame():
    box = Body(shapes.grid_box((2, 2, 1), (2.0, 2.0, 1.0)), name="box")
    behind = Body(shapes.box((3.0, 3.0, 0.5)), name="behind")
    return World([behind, box], motion={"behind": below}).step()


def below(t):
    return Pose(None, (1.0, 0.0, -3.0))


def place(frame, name, points):
    return tuple(project(np.atleast_2d(points), ABOVE, SIZE)[0])


def top_faces(body):
    points = body.world_points()
    return [
        f
        for f in range(body.mesh.n_faces)
        if (points[body.mesh.face_vertices(f), 2] == 0.5).all()
    ]


def test_the_middle_of_a_face_is_that_face_and_no_diagonal_an_edge(frame):
    body = frame.body("box")
    faces = top_faces(body)
    assert len(faces) == 4
    for f in faces:
        middle = body.world_points()[body.mesh.face_vertices(f)].mean(axis=0)
        found = pick(frame, ABOVE, SIZE, place(frame, "box", middle))
        assert found == ("box", Feature("face", f))
    f = top_faces(body)[0]
    corners = body.world_points()[body.mesh.face_vertices(f)]
    assert len(corners) == 4
    on_diagonal = 0.7 * corners[0] + 0.3 * corners[2]
    found = pick(frame, ABOVE, SIZE, place(frame, "box", on_diagonal))
    assert found[1] == Feature("face", f)


def test_a_corner_and_an_edge_are_meant_within_reach_only(frame):
    body = frame.body("box")
    points, mesh = body.world_points(), body.mesh
    v = int(np.argmin(np.abs(points - (0.0, 0.0, 0.5)).sum(axis=1)))
    x, y = place(frame, "box", points[v])
    assert pick(frame, ABOVE, SIZE, (x + 5.0, y + 5.0))[1] == Feature("vertex", v)
    e = next(
        e
        for e in mesh.vertex_edges(v).tolist()
        if points[mesh.edge_vertices[e], 0].max() == 1.0
    )
    middle = place(frame, "box", points[mesh.edge_vertices[e]].mean(axis=0))
    near = middle[0], middle[1] + REACH - 1.0
    assert pick(frame, ABOVE, SIZE, near)[1] == Feature("edge", e)
    far = middle[0], middle[1] + REACH + 1.0
    assert pick(frame, ABOVE, SIZE, far)[1].kind == "face"
    assert pick(frame, ABOVE, SIZE, far, reach=REACH + 2.0)[1].kind == "edge"


def test_what_is_hidden_is_not_picked_and_the_outline_is_within_reach(frame):
    low = frame.body("behind").world_points()
    hidden = low[np.argmin(((low - (0, 0, -2.75)) ** 2)[:, :2].sum(axis=1))]
    x, y = place(frame, "behind", (0.2, 0.2, -2.75))
    assert hidden[2] < 0
    assert pick(frame, ABOVE, SIZE, (x, y))[0] == "box"
    beside = place(frame, "behind", (2.2, 0.0, -2.75))
    assert pick(frame, ABOVE, SIZE, beside)[0] == "behind"
    body = frame.body("box")
    # half of all clicks on a corner land a pixel beside it, on the body behind
    for x, y, *beside in ((-1, 1, -5, 5), (1, -1, 1, -1), (1, -1, 4, -3)):
        corner = np.array(place(frame, "box", (x, y, 0.5)))
        found = pick(frame, ABOVE, SIZE, tuple(corner + beside))
        assert (found[0], found[1].kind) == ("box", "vertex")
        assert body.world_points()[found[1].index].tolist() == [x, y, 0.5]
    corner = place(frame, "box", (-1.0, 1.0, 0.5))
    assert pick(frame, ABOVE, SIZE, (corner[0] - 25.0, corner[1] + 25.0)) is None


def test_a_body_behind_the_eye_or_collapsed_is_no_trouble():
    box = Body(shapes.box(), name="box", pose=Pose(None, (0.0, 0.0, 20.0)))
    frame = World([box]).step()
    for x in range(0, 800, 50):
        assert pick(frame, ABOVE, SIZE, (float(x), 300.0)) is None
    flat = Body(shapes.box(), name="flat")
    flat.points = np.zeros((8, 3))
    with np.errstate(all="raise"):
        frame = World([flat]).step()
    x, y = place(frame, "flat", (0.0, 0.0, 0.0))
    assert pick(frame, ABOVE, SIZE, (x, y))[1].kind == "vertex"
    assert pick(World([]).step(), ABOVE, SIZE, (400.0, 300.0)) is None
