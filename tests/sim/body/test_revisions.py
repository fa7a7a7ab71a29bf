import numpy as np  # of sim.body.revisions, sim.body.body
import pytest

from sim import Body, PairTracker, Pose, World, closest, set_engine, verify
from sim.body.revisions import maps_between
from sim.events.changes import events_between
from sim.result.renaming import renamed
from wingedge import Feature, WingedEdgeMesh, edits, shapes
from wingedge.maps import Maps

DOWN = Pose(translation=(0.05, 0.02, 1.0005))


def resting():
    """A small box on a large one, in contact."""
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    box = Body(shapes.box(), name="box", pose=DOWN)
    return PairTracker(box, table, contact_distance=1e-2)


def test_maps_lead_over_every_edition_in_between():
    body = Body(shapes.box())
    first = body.edition
    assert maps_between(first, body.edition) is None
    total = None
    for f in range(4):
        mesh, maps = edits.poke_face(body.mesh, f)
        total = maps if total is None else total.then(maps)
        body.replace(mesh, maps)
    found = maps_between(first, body.edition)
    np.testing.assert_array_equal(found.parents.face, total.parents.face)
    assert maps_between(body.edition, first) is None
    assert maps_between(Body(shapes.box()).edition, body.edition) is None


def test_a_state_keeps_its_own_names():
    tracker = resting()
    state = tracker.update()
    old = tracker.a.mesh
    said = str(state), state.parts_a, state.contacts
    assert state.mesh_a is old
    tracker.a.replace(*edits.poke_face(old, state.feature_a.index))
    assert state.mesh_a is old
    assert (str(state), state.parts_a, str(state.contacts)) == (*said[:2], str(said[2]))
    assert state.swapped().mesh_b is old
    assert tracker.update().mesh_a is tracker.a.mesh


@pytest.mark.parametrize("what", ["split", "poke", "cut"])
def test_a_piece_of_the_same_feature_is_no_change(what):
    tracker = resting()
    before = tracker.update()
    assert before.regime == "contact"
    for body, feature in ((tracker.a, before.feature_a), (tracker.b, before.feature_b)):
        f = feature.index
        if what == "poke":
            step = edits.poke_face(body.mesh, f)
        elif what == "cut":
            u, _, v, _ = body.mesh.face_vertices(f).tolist()
            step = edits.split_face(body.mesh, f, u, v)
        else:
            step = edits.split_edge(body.mesh, int(body.mesh.face_edges(f)[0]))
        body.replace(*step)
    after = tracker.update()
    assert after.distance == before.distance
    assert events_between(before, after, 0) == ()


@pytest.mark.parametrize(("x", "y"), [(0, -1), (1, 0), (0, 1), (-1, 0)])
def test_a_piece_that_has_another_name_is_a_change(x, y):
    """Or else the story would go on about a face that it never named."""
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    ball = Body(shapes.icosphere(1), name="ball")
    low = float(ball.mesh.points[:, 2].min())
    ball.pose = Pose.rigid((0.01, 0.02, 0, 1), (x, y, 0.6 - low))
    tracker = PairTracker(ball, table, contact_distance=0.3)
    before = tracker.update()
    top = before.feature_b
    table.replace(*edits.poke_face(table.mesh, top.index))
    with table.edit() as points:
        points[8, 2] += 0.01  # a flat pyramid now
    after = tracker.update()
    assert (before.kind, after.kind) == ("VF", "VF")
    assert table.mesh.n_faces - 3 <= after.feature_b.index or after.feature_b == top
    events = events_between(before, after, 0)
    assert [e.kind for e in events] == ["change"] * (after.feature_b != top)


def test_triangles_that_are_turned_within_a_level_part_are_no_change():
    box = shapes.box()
    mesh = WingedEdgeMesh.from_faces(box.points, box.fan.vertex)
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    tracker = PairTracker(Body(mesh, name="box", pose=DOWN), table)
    before = tracker.update()
    assert len(before.parts_a) == 2
    first, second = (part.index for part in before.parts_a)
    diagonal = next(
        e
        for e, faces in enumerate(mesh.edge_faces.tolist())
        if set(faces) == {first, second}
    )
    tracker.a.replace(*edits.flip_edge(mesh, diagonal))
    assert renamed(before) is None  # both triangles are others
    after = tracker.update()
    assert after.parts_a == before.parts_a
    assert renamed(after) is after
    assert events_between(before, after, 0) == ()


def test_a_contact_on_what_is_gone_changes_and_stays_the_same_contact():
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    edge = 8
    middle = ball.mesh.points[ball.mesh.edge_vertices[edge]].mean(axis=0)
    turn = _turning(middle, (0.0, 0.0, -1.0))
    ball.pose = Pose(turn, (0.0, 0.0, 0.51 + np.linalg.norm(middle)))
    world = World([ball, table], contact_distance=0.3)
    (begin,) = world.step().events
    assert begin.after.feature_a == Feature("edge", edge)
    ball.replace(*edits.flip_edge(ball.mesh, edge))
    lost, change = world.step().events
    assert (lost.kind, change.kind) == ("convexity_lost", "change")
    assert change.contact == begin.contact
    assert change.before == begin.after  # by its old name
    assert change.path == ()


def test_two_bodies_that_lose_the_features_of_their_contact_are_answered_anew(request):
    """What the frame before remembers is of vertices that neither has any more."""
    request.addfinalizer(lambda: set_engine("auto"))
    set_engine("python")  # where what lies out of bounds is refused
    fine, coarse = shapes.icosphere(2), shapes.icosphere(1)
    vertex, edge, face, _ = Maps.identity(fine)
    left = np.where(vertex < coarse.n_vertices, vertex, -1)
    parents = Maps.identity(coarse).parents
    maps = Maps(left, np.full_like(edge, -1), np.full_like(face, -1), parents)
    one, two = Body(fine, name="one"), Body(fine, name="two")
    two.pose = Pose(translation=2.1 * fine.points[100])
    world = World([one, two])
    assert world.step().pairs[0].kind == "VV"
    for body in (one, two):
        body.replace(coarse, maps)
    assert world.step().pairs.distance[0] == closest(one, two).distance


def test_an_answer_for_another_mesh_proves_nothing():
    tracker = resting()
    state = tracker.update()
    assert verify(state, tracker.a, tracker.b)
    tracker.a.replace(*edits.split_edge(tracker.a.mesh, 0))
    verdict = verify(state, tracker.a, tracker.b)
    assert not verdict
    assert "another mesh" in verdict.reason


def _turning(direction, onto):
    u = np.asarray(direction) / np.linalg.norm(direction)
    v = np.asarray(onto)
    c, w = float(u @ v), np.cross(u, v)
    skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return np.eye(3) + skew + skew @ skew / (1.0 + c)


def with_regions():
    """A notched block on a table: it stands on two feet."""
    notched = dict(shapes.zoo(non_convex=True))["l_block"]
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    block = Body(notched, name="block")
    down = _turning((1.0, 1.0, 0.0), (0.0, 0.0, -1.0))
    block.pose = Pose(down)
    low = float(block.world_points()[:, 2].min())
    block.pose = Pose(down, (0.0, 0.0, 0.505 - low))
    return World([block, table], contact_distance=0.05, regions=True)


@pytest.mark.parametrize("what", ["poke", "split", "cut"])
def test_regions_of_edited_faces_are_found_again_and_begin_anew(what):
    world = with_regions()
    block, table = world.bodies
    births = [e for e in world.step().events if e.kind == "birth"]
    before = world.step().pairs[0].regions
    assert len(before) == len(births) > 0
    for body, column in ((block, 0), (table, 1)):
        faces = sorted({int(f) for r in before for f in r.faces[:, column]})
        for f in faces:
            ring = body.mesh.face_vertices(f).tolist()
            if what == "poke":
                step = edits.poke_face(body.mesh, f)
            elif what == "split":
                step = edits.split_edge(body.mesh, int(body.mesh.face_edges(f)[0]))
            elif len(ring) > 3:
                step = edits.split_face(body.mesh, f, ring[0], ring[2])
            body.replace(*step)
    frame = world.step()
    after = frame.pairs[0].regions
    assert [r.distance for r in after] == pytest.approx([r.distance for r in before])
    told = [(e.kind, e.contact) for e in frame.events]
    assert told == [
        *(("birth", r.identity) for r in after),
        *(("death", r.identity) for r in before),
    ]


def test_the_death_of_a_region_is_told_in_the_names_that_it_had():
    world = with_regions()
    world.step()
    block, table = world.bodies
    state = world.step().pairs[0]
    first = state.regions[0]
    said = str(first.feature_b)
    for f in range(6):
        table.replace(*edits.poke_face(table.mesh, f))
    block.pose = Pose(block.pose.linear, (0.0, 0.0, 9.0))
    deaths = [e for e in world.step().events if e.kind == "death"]
    assert [e.contact for e in deaths] == [r.identity for r in state.regions]
    assert str(deaths[0].before.feature_b) == said


def test_an_edited_body_that_loses_its_convexity_says_so():
    block, table = Body(shapes.box(), name="block"), Body(shapes.box(), name="table")
    table.pose = Pose(translation=(0, 0, -3.0))
    world = World([block, table])
    world.step()
    block.replace(*edits.poke_face(block.mesh, 2))
    assert world.step().events == ()
    with block.edit() as points:
        points[8] *= 0.5  # the new vertex, pushed in
    (lost,) = world.step().events
    assert (lost.kind, lost.a) == ("convexity_lost", "block")
