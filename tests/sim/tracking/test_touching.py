import numpy as np  # of sim.kernels.surface.touching, sim.kernels.surface.shared_inside
import pytest
from stories.shallow import cubes, noisy

from sim import Body, PairTracker, Pose, closest, exhaustive, set_engine, verify
from sim.kernels.solve import wings
from wingedge import WingedEdgeMesh, shapes

CONVEX = dict(shapes.zoo())
NOTCHED = {k: m for k, m in shapes.zoo(non_convex=True) if k not in CONVEX}
TURN = Pose.rigid((0.3, 0.7, -0.2, 0.4))
DEEP = 1.75  # from the middle of the board to the floor below its feet


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", NOTCHED)
def test_a_body_that_lies_on_its_own_copy_rim_on_rim_is_told_by_the_faces_between(
    name, axis
):
    """All that touches there is edges, and those in the plane are parallel.

    Two frames (``small/rigid:501:15`` of the deforming fuzz) were answered with the
    face beside a rim and a normal along the plane: the first two edges that crossed.
    """
    a, b = Body(NOTCHED[name]), Body(NOTCHED[name])
    way = np.eye(3)[axis]
    tracker = PairTracker(a, b)
    for height in (2.0, 1.0):
        b.pose = Pose(np.eye(3), height * float(np.ptp(a.points[:, axis])) * way)
        state = tracker.update()
    truth = exhaustive(a, b)
    if truth.kind == "FF":
        assert abs(state.normal[axis]) == 1.0
        assert (state.parts_a, state.parts_b) == (truth.parts_a, truth.parts_b)
    assert state.certified
    assert verify(state, a, b)


GRID, U = shapes.grid_box((7, 7, 2), (1.3, 0.8, 0.6)), cubes(None, 100)
DISCS = shapes.cylinder(60, height=0.4), shapes.cylinder(50)
LEVEL = [(GRID, GRID, 0.0), (U, U, 0.0), (U, shapes.star(7, inner=0.7), 0.0)]
LEVEL += [(*DISCS, tilt) for tilt in (1e-9, 1e-12, 1e-14)]


@pytest.mark.parametrize("depth", [0.0, 1e-14, 1e-11, 1e-9, 1e-7])
@pytest.mark.parametrize("case", range(len(LEVEL)))
def test_a_shallow_overlap_of_level_faces_is_theirs_and_needs_no_search(case, depth):
    """The bounds missed their bar by 7e-16, and all axes were compared, in seconds.

    A prong was named by the vertex or the edge of it that stood highest: along its own
    normal, which leans by its last bits, it overlapped by some units more than the
    bodies, and was dropped, after 64 others as near.  Of a tipped disc an arc stands as
    high as its lowest corner: no part defined a normal that named it again.
    """
    one, other, tilt = LEVEL[case]
    a, b, rng = Body(one), Body(other), np.random.default_rng(8)
    tip = np.array([[1.0, 0.0, tilt], [0.0, 1.0, 0.0], [-tilt, 0.0, 1.0]])
    tracker = PairTracker(a, b)
    top = float(one.points[:, 2].max() - other.points[:, 2].min())
    for _ in range(8):
        spin = Pose.rigid((0.0, 0.0, rng.uniform(), 1.0)).linear
        at = Pose(tip @ spin, (*rng.uniform(-0.3, 0.3, 2), top - depth))
        a.points = noisy(rng, TURN.apply(one.points))
        b.points = noisy(rng, TURN.apply(at.apply(other.points)))
        state = tracker.update()
        assert state.work.fallbacks == 0
        assert state.upper - state.lower <= max(1e-9 * depth, 1e-13)
        assert -depth - tilt - 2e-14 <= state.distance <= tilt - depth + 2e-14
        assert tilt or (state.kind, state.certified) == ("FF", True)


def test_a_place_that_is_kept_among_equals_is_searched_for_once(
    monkeypatch, engine_kept
):
    """Both surfaces were searched twice in every frame of two level ends in touch."""
    rng = np.random.default_rng(9)
    mesh = cubes(rng, 40)
    a, b = Body(mesh), Body(mesh)
    tracker = PairTracker(a, b)
    asked, search = [], wings.true_frame
    monkeypatch.setattr(wings, "true_frame", lambda *t: asked.append(0) or search(*t))
    set_engine("python")
    for k in range(4):
        b.pose = Pose(np.eye(3), (0.0, 1e-3 * k, float(np.ptp(mesh.points[:, 2]))))
        a.points = noisy(rng, mesh.points)
        state = tracker.update()
        assert not state.unique
        assert len(asked) == k + 1


@pytest.fixture
def floor():
    return Body(shapes.box((9.0, 9.0, 1.0)))


def tipped(angle, gap=0.05):
    return Pose.rigid((0.0, angle, 0.0, 1.0), (0.0, 0.0, -DEEP - gap))


@pytest.mark.parametrize("start", [-0.01, 0.01])
def test_two_feet_as_near_are_not_unique_and_the_last_one_is_kept(board, floor, start):
    """A scan certified one of them as unique: which one hung on where it had begun."""
    tracker = PairTracker(board, floor)
    floor.pose = tipped(start)
    before = tracker.update()
    assert before.unique
    floor.pose = tipped(0.0)
    state = tracker.update()
    assert not state.unique
    assert state.feature_a == before.feature_a
    assert state.certified
    assert verify(state, board, floor)
    assert not closest(board, floor).unique
    assert closest(board, floor).distance == state.distance


@pytest.mark.parametrize("seed", [32, 40])
def test_the_side_of_a_body_that_crosses_itself_hangs_on_no_history(seed):
    """Ties that a nearer pair had made stale sent the question of the side to rays.

    So one history said +0.126, another -0.335, of the same positions.
    """
    rng = np.random.default_rng(seed)
    ball = shapes.icosphere(2)
    crumpled = Body(ball)
    by = rng.choice([0.6, 1.0]) * rng.uniform(-0.5, 0.5, ball.points.shape)
    crumpled.points = ball.points + by
    small = Body(shapes.icosphere(0))
    tracker = PairTracker(crumpled, small)
    for place in rng.uniform(-0.9, 0.9, (10, 3)):
        small.pose = Pose(0.02 * np.eye(3), place)
        state = tracker.update()
        cold = closest(crumpled, small)
        assert (state.distance, state.unique) == (cold.distance, cold.unique)
        assert state.distance == pytest.approx(exhaustive(crumpled, small).distance)


def test_a_place_beyond_the_room_of_the_list_still_makes_the_points_not_unique():
    """61 or 101 vertices meet in one tip, a single one in another, as near to the box.

    The list has room for 64 pairs, those that come first: all of one tip.  No test
    noticed when nobody asked whether it was too short.
    """
    for above, places, unique in [(0.8, 1, True), (0.8, 2, False), (0.7, 2, False)]:
        mesh = shapes.icosphere(3)
        points = mesh.points.copy()
        points[mesh.points[:, 2] > above] = (-0.5, 0.0, 2.0)
        if places == 2:
            last = np.flatnonzero(mesh.points[:, 0] > 0.95).max()
            points[last] = (0.75, 0.0, 2.0)
        body = Body(mesh, name="a")
        body.points = points
        box = Body(shapes.box((4.0, 4.0, 1.0)), pose=Pose(None, (0.1, 0.2, 2.75)))
        state = closest(body, box)
        assert (state.distance, str(state.feature_a)) == (0.25, "v4")
        assert state.unique is unique


@pytest.mark.parametrize(
    ("mesh", "turn", "edge", "vertex", "proven"),
    [
        (shapes.l_block(), (-3.0, 0.0, -1.0, -1.5), 9, 11, True),
        (shapes.star(5), (-1.0, 2.0, 2.0, -0.5), 1, 4, True),
        (shapes.star(5), (1.0, -3.0, 0.0, -0.5), 17, 0, False),  # in the groove
    ],
)
def test_a_vertex_on_an_edge_has_a_normal_across_it_that_leads_out(
    mesh, turn, edge, vertex, proven
):
    """It was that of two edges, or of hulls, where no plane parts the bodies."""
    a, b = Body(shapes.l_block()), Body(mesh, pose=Pose.rigid(turn))
    ends = a.positions[a.mesh.edge_vertices[edge]]
    b.pose = Pose(b.pose.linear, ends.mean(axis=0) - b.world_points()[vertex])
    state = closest(a, b)
    assert state.distance == 0.0
    assert abs(state.normal @ (ends[1] - ends[0])) < 1e-15
    assert verify(state, a, b).answer == ("yes" if proven else "cannot say")


BARELY = [(shapes.prism(5), 254, "FF", 0.0), (NOTCHED["l_block"], 179, "FF", 0.0)]
BARELY += [(shapes.tetrahedron(), 699, "EF", 1.84e-13)]  # it was 2.8e-14 apart


@pytest.mark.parametrize(("shape", "seed", "kind", "depth"), BARELY)
def test_a_vertex_barely_deeper_than_a_touch_is_not_in_front(shape, seed, kind, depth):
    """Deeper than a touch, less than twice: a way that led in was taken for one out."""
    rng = np.random.default_rng(seed)
    turn, at = Pose.rigid(rng.normal(size=4)).linear, rng.normal(scale=10.0, size=3)
    pair = Body(shape), Body(shapes.box((6.0, 5.0, 1.0)))
    for body, low in zip(pair, (0.0, -1.0), strict=True):
        rest = body.mesh.points - [0.0, 0.0, body.mesh.points[:, 2].min() - low]
        body.points = rest @ turn.T + at + rng.uniform(-1e-12, 1e-12, rest.shape)
    told = closest(*pair, resolution=2e-12)
    assert (told.kind, verify(told, *pair, resolution=2e-12).answer) == (kind, "yes")
    assert told.lower <= -depth


def test_an_edge_barely_behind_a_ridge_is_not_apart_from_it():
    """They cross by 4.5e-15 of the size, and were apart by that, certified."""
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 4), (3, 2, 4), (2, 0, 4)]
    high = np.array([(-1, 0, 0), (1, 0, 0), (0, 0.5, 1), (0, -0.5, 1), (0, 0, 0.5)])
    low, deep = high[:, [1, 0, 2]] * (1, 1, -1), (0, 0, 4.5e-15)
    meshes = [WingedEdgeMesh.from_faces(x, faces) for x in (high - deep, low)]
    told = closest(*(pair := [Body(mesh) for mesh in meshes]))
    assert told.lower <= -4.5e-15 < 0.0 <= told.upper
    assert not told.certified
    assert verify(told, *pair)
