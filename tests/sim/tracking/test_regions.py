import itertools  # of sim.kernels.regions.gather

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sim import Body, PairTracker, Pose, closest, scenes
from wingedge import WingedEdgeMesh, shapes
from wingedge.primitives import point_triangle, segment_segment, segment_triangle

ZOO = dict(shapes.zoo(non_convex=True))


def regions(a, b, reach):
    return PairTracker(a, b, contact_distance=reach, regions=True).update().regions


def dense(a, b, reach):
    """All regions by comparing every pair of triangles; shares no code with the kernel.

    Returns the set of their pairs of faces, and the distance of each.
    """
    p, q = a.pose.apply(a.positions), b.pose.apply(b.positions)
    f, g = a.mesh.fan.vertex, b.mesh.fan.vertex
    of_a = sides_from(p, f, q, g)  # (T_a, T_b, 3): each side of A's triangle
    of_b = sides_from(q, g, p, f).swapaxes(0, 1)
    near = np.minimum(of_a.min(axis=2), of_b.min(axis=2))
    i, j = np.nonzero(near <= reach)
    number = {
        pair: k for k, pair in enumerate(zip(i.tolist(), j.tolist(), strict=True))
    }
    beyond_a, beyond_b = neighbours_of(f), neighbours_of(g)
    joined = []
    for (s, t), k in number.items():
        for side in range(3):
            if of_a[s, t, side] <= reach:
                joined.append((k, number[beyond_a[s][side], t]))
            if of_b[s, t, side] <= reach:
                joined.append((k, number[s, beyond_b[t][side]]))
    table = np.array(joined, int).reshape(-1, 2).T
    graph = coo_array((np.ones(table.shape[1]), table), shape=(len(i), len(i)))
    count, label = connected_components(graph, directed=False)
    found = {}
    for k in range(count):
        own = label == k
        faces = zip(a.mesh.fan.face[i[own]], b.mesh.fan.face[j[own]], strict=True)
        found[frozenset((int(x), int(y)) for x, y in faces)] = near[i, j][own].min()
    return found


def sides_from(p, f, q, g):
    """Distances of the sides of some triangles from others, (F, G, 3)."""
    out = []
    c = [q[g[:, k]][None] for k in range(3)]
    for k in range(3):
        x, y = p[f[:, k]][:, None], p[f[:, (k + 1) % 3]][:, None]
        squares = [point_triangle.closest(end, *c).distance_sq for end in (x, y)]
        for i in range(3):
            hit = segment_segment.closest(x, y, c[i], c[(i + 1) % 3])
            squares.append(hit.distance_sq)
        least = np.sqrt(np.minimum.reduce(np.broadcast_arrays(*squares)))
        out.append(np.where(segment_triangle.pierces(x, y, *c), 0.0, least))
    return np.stack(out, axis=2)


def neighbours_of(triangles):
    """The triangle beyond each side of each triangle."""
    owner = {}
    for t, corners in enumerate(triangles.tolist()):
        for k in range(3):
            owner[corners[k], corners[(k + 1) % 3]] = t
    return [[owner[c[(k + 1) % 3], c[k]] for k in range(3)] for c in triangles.tolist()]


def as_sets(found):
    return {frozenset(map(tuple, r.faces.tolist())): r.distance for r in found}


def compare(a, b, reach):
    """Hold the regions of two bodies against all pairs of triangles."""
    found = regions(a, b, reach)
    expected = dense(a, b, reach)
    assert as_sets(found).keys() == expected.keys()
    size = max(np.abs(x.pose.apply(x.positions)).max() for x in (a, b))
    for r in found:
        truth = expected[frozenset(map(tuple, r.faces.tolist()))]
        assert abs(r.distance - truth) <= 1e-9 * truth + 1e-13 * size
        assert np.allclose(r.point_a + r.distance * r.normal, r.point_b, atol=4e-15)
        assert abs(r.normal @ r.normal - 1.0) < 1e-14
    return found


def floor(width=6.0):
    top = Pose(None, (0.0, 0.0, -0.5))
    return Body(shapes.box((width, width, 1.0)), name="floor", pose=top)


def comb(teeth, depth=0.3):
    """A block that stands on so many ridges, side by side along x."""
    grid = shapes.grid_box((2 * teeth, 1, 1), (2.0 * teeth, 1.0, 1.0))
    points = grid.points.copy()
    column = np.rint(points[:, 0] + teeth).astype(int)
    points[(column % 2 == 0) & (points[:, 2] < 0.0), 2] += depth
    faces = [grid.face_vertices(f).tolist() for f in range(grid.n_faces)]
    return Body(WingedEdgeMesh.from_faces(points, faces), name="comb")


@pytest.mark.parametrize("teeth", [1, 2, 5, 9])
def test_a_comb_has_as_many_contacts_as_teeth(teeth):
    body = comb(teeth)
    body.pose = Pose(None, (0.0, 0.0, 0.51))
    found = compare(body, floor(40.0), 0.05)
    assert len(found) == teeth
    assert {r.kind for r in found} == {"EF"}
    assert [r.identity for r in found] == list(range(teeth))


def test_near_or_not_duplicates_and_combs_have_the_contacts_that_they_have():
    body = comb(5)
    body.pose = Pose(None, (0.0, 0.0, 0.51))
    assert len(compare(body, floor(40.0), 0.35)) == 1
    ball = Body(shapes.icosphere(1), pose=Pose(None, (0.0, 0.0, 1.5)))
    assert regions(ball, floor(), 0.4) == ()
    assert len(regions(ball, floor(), 0.6)) == 1
    a, b = (Body(shapes.icosphere(1), name=name) for name in "ab")
    (region,) = compare(a, b, 1e-3)
    assert region.distance == 0.0
    assert {(f, f) for f in range(80)} <= set(map(tuple, region.faces.tolist()))


@pytest.mark.parametrize("cells", [1, 4])
@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("gap", [0.0, 0.01])
def test_parallel_grids_are_one_contact_however_they_are_cut(cells, triangles, gap):
    cut = shapes.grid_box((cells, cells, 1), (1.0, 1.0, 0.4), triangles=triangles)
    a = Body(cut, name="a")
    b = Body(shapes.grid_box((3, 2, 1), (1.0, 1.0, 0.4)), name="b")
    b.pose = Pose(None, (0.25, 0.375, 0.4 + gap))
    (region,) = compare(a, b, 0.02)
    state = closest(a, b)
    assert (region.kind, region.feature_a) == (state.kind, state.feature_a)
    assert region.feature_b == state.feature_b
    assert region.kind == "FF"
    assert region.distance == pytest.approx(gap, abs=1e-15)
    assert np.array_equal(region.patch, state.patch)
    if gap:
        assert len(region.patch) == 4


def test_a_contact_through_one_shared_vertex_hangs_together():
    # An octahedron on its tip: pairs around the tip share it, and no edge is level.
    tip = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [0, 0, 1]], float)
    points = np.concatenate([tip, [(0.0, 0.0, -1.0)]])
    faces = [[k, (k + 1) % 4, 4] for k in range(4)]
    faces += [[(k + 1) % 4, k, 5] for k in range(4)]
    body = Body(WingedEdgeMesh.from_faces(points, faces), name="tip")
    body.pose = Pose(None, (0.0, 0.0, 1.001))
    (region,) = compare(body, floor(), 0.002)
    assert (region.kind, region.feature_a.index) == ("VF", 5)
    assert len(region.faces) == 4


@pytest.mark.parametrize(("reach", "count"), [(0.09, 0), (0.12, 4), (0.15, 1)])
def test_a_peg_in_a_ring_touches_its_walls_and_then_all_around(reach, count):
    ring = Body(shapes.ring((3.0, 3.0, 1.0)), name="ring")
    peg = Body(shapes.box((0.8, 0.8, 3.0)), name="peg")  # 0.1 from walls, 0.14 corners
    assert len(compare(ring, peg, reach)) == count


def test_a_level_part_with_a_hole_has_the_patch_of_its_outer_rim():
    """That of one of its faces hung on the cut, and a ring stood on one side only."""
    ring = Body(shapes.ring((3.0, 3.0, 1.0)), name="ring")
    ring.pose = Pose(None, (0.0, 0.0, 0.51))
    (region,) = compare(ring, floor(), 0.02)
    assert region.kind == "FF"
    bottom = [
        f
        for f in range(ring.mesh.n_faces)
        if (ring.mesh.points[ring.mesh.face_vertices(f), 2] < 0.0).all()
    ]
    assert region.feature_a.index == min(bottom)
    corners = region.patch
    assert len(corners) == 4
    assert np.allclose(corners[:, 2], 0.01)
    assert (np.abs(corners[:, :2]) == 1.5).all()


def test_what_crosses_is_not_finite_or_reset_is_told_apart():
    ball = Body(shapes.icosphere(2, 0.5), name="ball", pose=Pose(None, (0, 0, 0.3)))
    (region,) = compare(ball, floor(), 1e-3)
    assert region.distance == 0.0
    assert region.kind in ("EF", "FE")
    ball = Body(shapes.icosphere(1), name="ball", pose=Pose(None, (0, 0, 1.0)))
    ball.points[7, 1] = np.nan
    with pytest.raises(ValueError, match=r"body 'ball'.* v7"):
        regions(ball, floor(), 0.1)
    ball = Body(shapes.icosphere(1, 0.5), name="ball", pose=Pose(None, (0, 0, 0.51)))
    tracker = PairTracker(ball, floor(), contact_distance=0.1, regions=True)
    assert marks(tracker.update()) == [0]
    tracker.reset()
    assert marks(tracker.update()) == [1]


STORIES = ["arch", "knead"]  # what has several contacts at once
OTHERS = [name for name in scenes.names() if name not in STORIES]


@pytest.mark.parametrize("name", STORIES + OTHERS)
def test_no_contact_of_a_scene_is_missed(name):
    """Laws keep bodies a little apart, and ``dzhanibekov`` is one in free flight."""
    world = scenes.load(name)
    asked = 0
    for frame in world.run(scenes.length(name)):
        for pair in frame.pairs if frame.index % 9 == 0 else ():
            width = min(np.ptp(body.mesh.points) for body in (pair.a, pair.b))
            if pair.distance < 0.1 * width:
                near = max(0.02 * width, 1.01 * pair.distance)
                assert len(compare(pair.a, pair.b, near)) >= 1
                asked += 1
    assert asked >= 1 or name == "dzhanibekov"


def shaken(mesh, rng, noise):
    size = noise * np.ptp(mesh.points, axis=0).min()
    return mesh.points + size * rng.normal(size=mesh.points.shape)


@pytest.mark.parametrize(
    "pair", [*itertools.product(["ring", "l_block", "icosphere", "grid_box"], repeat=2)]
)
def test_no_contact_of_crumpled_bodies_is_missed(pair):
    rng = np.random.default_rng([ord(c) for name in pair for c in name])
    for noise in (0.0, 0.1):
        a, b = (Body(ZOO[n], name=x) for n, x in zip(pair, "ab", strict=True))
        for body in (a, b):
            body.points = shaken(body.mesh, rng, noise)
        apart = Pose.rigid(rng.normal(size=4), (0.0, 0.0, 4.0))
        b.pose = apart
        state = closest(a, b)
        for sunk in (0.0, 0.3):
            way = -(state.distance + sunk - 0.01) * state.normal
            b.pose = Pose(apart.linear, apart.translation + way)
            assert len(compare(a, b, 0.05)) >= 1


def marks(state):
    return [r.identity for r in state.regions]


def test_a_contact_keeps_its_identity_while_its_features_change():
    ball = Body(shapes.icosphere(2, 0.5), name="ball")
    tracker = PairTracker(ball, floor(), contact_distance=0.02, regions=True)
    features = set()
    for k in range(60):
        turn = Pose.rigid((np.sin(0.01 * k), 0.0, 0.0, np.cos(0.01 * k)))
        low = turn.apply(ball.mesh.points)[:, 2].min()
        ball.pose = Pose(turn.linear, (0.0, 0.005 * k, 0.005 - low))
        state = tracker.update()
        assert marks(state) == [0]
        features.add(state.regions[0].feature_a)
    assert len(features) > 3


def test_exchanging_the_bodies_changes_no_identity():
    one, other = scenes.load("arch"), scenes.load("arch")
    trackers = (
        PairTracker(*one.bodies, contact_distance=0.01, regions=True),
        PairTracker(*other.bodies[::-1], contact_distance=0.01, regions=True),
    )
    for _ in range(scenes.length("arch")):
        one.step(), other.step()
        here, there = (tracker.update() for tracker in trackers)
        assert marks(here) == marks(there)
        for a, b in zip(here.regions, there.swapped().regions, strict=True):
            assert_same(a, b)


def assert_same(a, b):
    assert a.identity == b.identity
    assert a.numbers == b.numbers
    assert np.array_equal(a.faces, b.faces)


def test_a_track_has_the_regions_of_the_loop():
    poses = [Pose(None, (0.01 * k, 0.0, 0.52 - 0.002 * k)) for k in range(20)]
    bodies = [(Body(comb(2).mesh, name="comb"), floor()) for _ in range(2)]
    loop, whole = (
        PairTracker(*pair, contact_distance=0.015, regions=True) for pair in bodies
    )
    track = whole.track(poses_a=poses)
    for pose, state in zip(poses, track, strict=True):
        bodies[0][0].pose = pose
        for a, b in zip(loop.update().regions, state.regions, strict=True):
            assert_same(a, b)
    assert any(state.regions for state in track)


def test_where_surfaces_cannot_be_near_there_are_no_regions():
    ball = Body(shapes.icosphere(1, 0.5), name="ball", pose=Pose(None, (0, 0, 0.5)))
    assert PairTracker(ball, floor(), contact_distance=1.0).update().regions == ()
