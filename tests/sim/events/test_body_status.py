import numpy as np  # of sim.events.body_status, sim.events.touch
import pytest
from queries._exact import height, rational
from scipy.spatial import ConvexHull

from sim import Body, Event, Pose, Recording, World
from sim.events.touch import Dent
from wingedge import convexity, shapes
from wingedge.geometry import volume

SPHERE = shapes.icosphere(1)
TABLE = shapes.box((9.0, 9.0, 1.0))
BELOW = Pose(translation=(0.0, 0.0, -4.0))
KINDS = ("convexity_lost", "convexity_restored")
SCRIPT = [
    "2 convexity_lost my jelly e2(13-0) 0.373903",
    "5 convexity_restored my jelly",
    "6 collapsed my jelly",
    "7 expanded my jelly",
    "7 inverted my jelly",
    "8 convexity_lost my jelly e72(26-3) 0.196247",
    "9 upright my jelly",
    "9 convexity_restored my jelly",
]


def world_of(mesh, shape_of, **how):
    """A body that has the shape of every frame in turn, above a table."""
    body = Body(mesh, name="my jelly", **how)
    deform = {"my jelly": lambda rest, t: shape_of(rest, round(t))}
    return World([body, Body(TABLE, name="table", pose=BELOW)], deform=deform, dt=1.0)


def story(world, frames):
    return [str(event) for frame in world.run(frames) for event in frame.events]


def scripted(rest, k):
    """Dented in 2 to 4, flat in 6, inside-out in 7 and 8, dented as well in 8."""
    points = rest.copy()
    if 2 <= k < 5:
        points[0] *= 0.5
    if k == 6:
        points[:, 2] = 0.0
    if 7 <= k < 9:
        points[:, 2] *= -1.0
    if k == 8:
        points[3] *= 0.7
    return points


def test_everything_is_told_once_and_read_back_of_an_open_body_too():
    world = world_of(SPHERE, scripted)
    events = [event for frame in world.run(12) for event in frame.events]
    assert [str(event) for event in events] == SCRIPT
    assert [Event.parse(str(event)) for event in events] == events
    assert {(event.a, event.b, event.state) for event in events} == {
        ("my jelly", "", None)
    }
    body = Body(SPHERE, name="my jelly")
    world = World([body, Body(TABLE, pose=BELOW)])
    told = []
    for k in range(12):
        body.points[...] = scripted(SPHERE.points, k)
        told += [str(event) for event in world.step().events]
    assert told == SCRIPT


@pytest.mark.parametrize("is_open", [False, True])
def test_answers_say_what_is_no_solid(is_open):
    body = Body(SPHERE, name="my jelly")
    world = World([body, Body(TABLE, pose=BELOW)])
    said = {}
    for k in range(12):
        if is_open:
            body.points[...] = scripted(SPHERE.points, k)
        else:
            body.points = scripted(SPHERE.points, k)
        state = world.step().pairs[0]
        assert state.certified
        if state.reason:
            said[k] = state.reason
    assert said == {
        6: "body 'my jelly' has collapsed: it has no volume",
        7: "body 'my jelly' is inside-out",
        8: "body 'my jelly' is inside-out",
    }


@pytest.mark.parametrize("is_open", [False, True])
def test_a_world_that_tells_no_statuses_tells_all_else_alike(is_open, tmp_path):
    """The same answers and contacts, of which a recording is replayed to the digest."""
    told = {}
    for status in (True, False):
        body = Body(SPHERE, name="my jelly")
        table = Body(TABLE, name="table", pose=Pose(translation=(0.0, 0.0, -1.49)))
        world = World([body, table], status=status)
        frames = []
        with world.record(tmp_path / f"{status}.vtkhdf") as path:
            for k in range(12):
                if is_open:
                    body.points[...] = scripted(SPHERE.points, k)
                else:
                    body.points = scripted(SPHERE.points, k)
                frames.append(world.step())
        with Recording.open(path) as recording, recording.replay() as replayed:
            assert replayed.digest == recording.digest
            assert replayed.story_digest == recording.story_digest
        events = [event for frame in frames for event in frame.events]
        answers = [frame.pairs[0].numbers for frame in frames]
        told[status] = [str(event) for event in events if event.b], answers
        assert [str(e) for e in events if not e.b] == (SCRIPT if status else [])
    assert told[True] == told[False]
    assert len(told[True][0]) > 3


def deepest(mesh, points):
    ring = mesh.fan.vertex[mesh.edge_faces]  # (E, 2, 3)
    third = ring.sum(axis=2) - mesh.edge_vertices.sum(axis=1, keepdims=True)
    corners = points[np.concatenate([mesh.edge_vertices, third], axis=1)]  # (E, 4, 3)
    u, a, b = (corners[:, k] - corners[:, 0] for k in (1, 2, 3))
    left, right = np.cross(u, a), np.cross(u, b)
    six = (left * b).sum(axis=1)
    for e in np.flatnonzero(np.abs(six) < 1e-10):
        six[e] = float(height(*rational(*corners[e])))
    areas = np.minimum(*(np.linalg.norm(n, axis=1) for n in (left, right)))
    return max(float((six / areas).max()), 0.0)


def test_every_loss_of_convexity_is_told_in_its_frame():
    """Held against exact hinges and Qhull, over 200 frames of deformations."""
    rng, lost = np.random.default_rng(4), 0
    for mesh in (shapes.grid_box(2, 2.0, triangles=True), shapes.random_hull(3, 40)):
        rest, frames = mesh.points, [mesh.points]
        for k in range(100):
            noise = 10.0 ** rng.uniform(-11.0, -0.5) * rng.normal(size=rest.shape)
            linear = np.eye(3) + 0.2 * rng.normal(size=(3, 3))
            some = (rng.random((len(rest), 1)) < 0.2) * (k % 2)
            frames.append((rest + noise * some) @ linear)
        shapes_of = {"jelly": lambda _, t, frames=frames: frames[round(t)]}
        world, now = World([Body(mesh, name="jelly")], deform=shapes_of, dt=1.0), True
        for k, points in enumerate(frames):
            told = [e for e in world.step().events if e.kind in KINDS]
            depth = deepest(mesh, points)
            tolerance = 1e-9 * float(np.ptp(points, axis=0).max()) / 2.0
            if abs(depth - tolerance) <= 1e-3 * tolerance:
                continue  # nobody can say
            convex = bool(depth <= tolerance)
            hull, own = ConvexHull(points).volume, abs(volume(mesh, points))
            assert not convex or own == pytest.approx(hull, rel=1e-6)
            assert depth < 1e-2 or own < (1.0 - 1e-6) * hull
            assert [e.kind for e in told] == [KINDS[convex]] * (convex != now), k
            if told and not convex:
                assert told[0].dent.depth == pytest.approx(depth, rel=1e-5, abs=1e-15)
                lost += 1
            now = convex
    assert lost > 25


def test_a_fold_is_told_by_its_face_and_an_outward_one_is_none():
    box = shapes.box(2.0)
    corner = int(box.face_vertices(1)[0])

    def folded(rest, k):
        points = rest.copy()
        points[corner, 2] += (0.0, 0.25, 0.0, -0.25, 0.0)[k]
        return points

    assert 0.25 / np.sqrt(1.0 + 0.125**2) == pytest.approx(0.248069, rel=1e-5)
    assert story(world_of(box, folded), 5) == [
        "3 convexity_lost my jelly f1 0.248069",
        "4 convexity_restored my jelly",
    ]


def test_a_dent_from_before_the_world_is_told_and_no_rest_shape_is_one(dented):
    body = Body(SPHERE, name="jelly")
    body.points = dented(SPHERE)
    assert story(World([body]), 2) == ["0 convexity_lost jelly e2(13-0) 0.373903"]
    block = shapes.l_block()
    assert story(world_of(block, lambda rest, k: (1.0 + k) * rest), 3) == []


def test_stiff_and_trusted_bodies_are_never_audited(audits, dented):
    stiff, ball = Body(shapes.l_block(), name="stiff"), Body(SPHERE, convexity="trust")
    world = World([stiff, ball])
    ball.points = dented(SPHERE)
    # what answers need is their own
    none = np.empty((0, 2), np.int32), np.empty(0, np.int32)
    world._manager._looked_at = lambda: none
    assert story(world, 3) == []
    assert audits == []
    assert world._manager._monitor.shells.hinges == ()


def test_a_frame_that_fails_tells_nothing_and_can_be_asked_for_again():
    bad = np.array([np.nan])

    def shaped(rest, k):
        points = scripted(rest, 2)
        return points * bad if len(bad) and bad[0] != 1.0 else points

    world = world_of(SPHERE, shaped)
    with pytest.raises(ValueError, match="frame 0"):
        world.step()
    bad[0] = 1.0
    assert story(world, 1) == ["0 convexity_lost my jelly e2(13-0) 0.373903"]


def test_a_dent_is_read_off_a_verdict_with_six_digits_or_is_none():
    mesh = shapes.l_block((2, 2, 1))
    dent = Dent.of(convexity(mesh, mesh.points / 3.0), mesh)
    assert (dent.place.kind, sorted(dent.ends)) == ("edge", [3, 9])
    assert dent.depth == 0.333333
    assert Dent.parse(str(dent)) == dent
    assert str(Dent.of(convexity(shapes.box()), shapes.box())) == "winding 0"
