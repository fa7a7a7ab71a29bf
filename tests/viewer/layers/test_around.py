import numpy as np

from sim import Body, Pose, World
from viewer.layers.overlays import around, charts, trail
from wingedge import Feature, neighbours, shapes
from wingedge.graph import corners_of


def test_neighbours_are_those_of_the_paper_in_its_order(rolling):
    frame = rolling[40]
    state = frame.pairs[0]
    found = around(frame, state)
    for name, feature in (("upper", state.feature_a), ("ground", state.feature_b)):
        own = [element for element in found if element.body == name]
        wanted = neighbours(frame.body(name).mesh, feature)
        assert [element.name for element in own] == [str(f) for f in wanted]
        assert [element.order for element in own] == list(range(1, len(own) + 1))
        assert {element.total for element in own} == {len(wanted)}
    assert [element.body for element in found[:6]] == ["upper"] * 6


def test_elements_lie_where_the_frame_has_them(rolling, assert_near):
    frame = rolling[40]
    for element in around(frame, frame.pairs[0]):
        body = frame.body(element.body)
        wanted = body.world_points()[corners_of(body.mesh, Feature.parse(element.name))]
        assert_near(element.corners, wanted, 0.0)
        count = {"vertex": 0, "edge": 0, "face": 1}[element.kind]
        assert len(element.triangles) == count


def test_positions_are_those_of_the_frame_not_of_the_body_that_moved_on(rolling):
    world = World(
        [
            Body(shapes.box(1.0), name="a"),
            Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (0.2, 0.1, 2.0))),
        ]
    )
    frame = world.step()
    before = [element.corners.copy() for element in around(frame, frame.pairs[0])]
    world.bodies[0].points[...] += 5.0
    after = [element.corners for element in around(frame, frame.pairs[0])]
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_polygon_is_its_fan():
    top = Body(shapes.box(1.0), name="top", pose=Pose.rigid(None, (0.1, 0.2, 3.0)))
    frame = World([top, Body(shapes.box(2.0), name="low")]).step()
    faces = [e for e in around(frame, frame.pairs[0]) if e.kind == "face"]
    assert {len(e.triangles) for e in faces} == {2}


def test_the_path_has_a_place_and_words_for_every_step(rolling):
    walk = trail(rolling[63], rolling[64], rolling[64].pairs[0])
    assert walk.warm
    assert walk.bodies == ("upper", "ground")
    assert [places.shape for places in walk.places] == [(6, 3)] * 2
    assert walk.said[0].startswith("VF v36 f62: lost by")
    assert walk.said[-1].endswith("certified by ring")
    for places, faces in zip(walk.places, walk.faces, strict=True):
        corners = np.concatenate(faces)
        for place in places:
            assert (place >= corners.min(axis=0) - 1e-12).all()
            assert (place <= corners.max(axis=0) + 1e-12).all()
    assert not trail(None, rolling[64], rolling[64].pairs[0]).warm


def test_charts_look_at_both_features_from_outside(rolling, assert_near):
    frame = rolling[64]
    state = frame.pairs[0]
    near = around(frame, state)
    a, b = charts(frame, state, near, None)
    assert_near(a.outward, state.normal)
    assert_near(b.outward, -state.normal)
    assert_near(a.origin, state.point_a)
    assert_near(b.origin, state.point_b)
    assert (a.name, b.name) == (str(state.feature_a), str(state.feature_b))
    assert a.elements + b.elements == near
    assert len(a.places) == len(a.faces) == 0


def test_neighbours_of_a_lid_are_its_vertices():
    u = Body(shapes.u_block(), name="u", convexity="hull")
    ball = Body(
        shapes.icosphere(1, 0.1), name="ball", pose=Pose.rigid(None, (0.0, 0.0, 2.0))
    )
    frame = World([u, ball]).step()
    state = frame.pairs[0]
    assert state.feature_a.kind == "lid"
    own = [e for e in around(frame, state) if e.body == "u"]
    assert [e.name for e in own] == [f"v{v}" for v in state.feature_a.vertices]
    assert {e.kind for e in own} == {"vertex"}
