import numpy as np  # of sim.kernels.closest.support_feature
import pytest

from sim import Body, PairTracker, Pose, closest, exhaustive, verify
from wingedge import WingedEdgeMesh, shapes


def annulus(count=8, triangulate=False, inner=0.5, outer=1.0):
    """A flat ring of so many quadrilaterals a side, its top at height 0."""
    angle, n, faces = np.arange(count) * 2.0 * np.pi / count, count, []
    circle = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    top = np.concatenate([outer * circle, inner * circle])
    points = np.concatenate([top, top - (0.0, 0.0, 0.25)])
    for i in range(n):
        j = (i + 1) % n
        faces += [[i, j, n + j, n + i], [2 * n + j, 2 * n + i, 3 * n + i, 3 * n + j]]
        faces += [[j, i, 2 * n + i, 2 * n + j], [n + i, n + j, 3 * n + j, 3 * n + i]]
    return WingedEdgeMesh.from_faces(points, faces, triangulate=triangulate)


def top_faces(mesh):
    high = mesh.points[:, 2] == mesh.points[:, 2].max()
    return [f for f in range(mesh.n_faces) if high[mesh.face_vertices(f)].all()]


def around(count=24, radius=0.75, height=0.0):
    for angle in np.linspace(0.0, 2.0 * np.pi, count, endpoint=False) + 0.1:
        yield radius * np.cos(angle), radius * np.sin(angle), height


TIPS = {  # by what of them faces down
    "V": (shapes.needle(0.2, 5.0), Pose.rigid((0, 1, 0, 1))),
    "E": (shapes.tetrahedron(0.2), Pose.identity()),
    "F": (shapes.box(0.3), Pose.identity()),
}


@pytest.mark.parametrize("triangulate", [False, True])
@pytest.mark.parametrize("letter", "VEF")
def test_a_slide_over_an_annulus_changes_nothing_however_it_is_cut(letter, triangulate):
    """It was f0, f4, f8, f12, ... of one level part, and each a false change."""
    mesh, up = TIPS[letter]
    ring = Body(annulus(triangulate=triangulate), name="ring")
    tip = Body(mesh, name="tip")
    tracker = PairTracker(tip, ring)
    low = (mesh.points @ np.asarray(up.linear).T)[:, 2].min()
    names = set()
    for x, y, z in around(height=0.01 - low):
        tip.pose = Pose(up.linear, (x, y, z))
        state = tracker.update()
        assert state.certified
        assert state.distance == pytest.approx(0.01)
        assert [part.index for part in state.parts_b] == top_faces(ring.mesh)
        assert verify(state, tip, ring)
        cold = closest(tip, ring)
        assert (cold.distance, cold.parts_b) == (state.distance, state.parts_b)
        assert state.unique == (letter == "V")
        names.add((state.kind, state.feature_a, state.feature_b))
    assert [kind for kind, *_ in names] == [letter + "F"]


def test_two_level_faces_that_meet_in_a_corner_are_one_part_with_one_patch():
    grid = shapes.grid_box((2, 2, 1), (2.0, 2.0, 1.0))
    faces = [f.tolist() for f in map(grid.face_vertices, range(grid.n_faces))]
    faces[5:7] = [13, 10, 11], [13, 11, 14], [13, 16, 15], [13, 15, 12]
    points = grid.points - 0.2 * np.isin(np.arange(18), (11, 15))[:, None] * (0, 0, 1)
    body = Body(WingedEdgeMesh.from_faces(points, faces), convexity="surface")
    plate = Body(shapes.box((3.0, 3.0, 1.0)), pose=Pose(None, (0.0, 0.0, 1.1)))
    state = PairTracker(body, plate).update()
    told = state.numbers.parts_a, state.unique, state.certified
    assert told == ((4, 9), False, True)
    corners = {tuple(c) for c in state.patch[:, :2].tolist()}
    assert corners == {(-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0)}


def flattened(mesh, way):
    body = Body(mesh, name="flat")
    body.points = mesh.points - np.outer(mesh.points @ np.asarray(way), way)
    return body


@pytest.mark.parametrize("mesh", [shapes.box(), shapes.icosphere(1), shapes.l_block()])
@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0, 1.0), (0.3, -0.2, 0.5, 0.7)])
def test_a_collapsed_body_under_a_parallel_face_is_a_face_on_a_face(mesh, turn):
    """The normals of its two sides cancel: it was a vertex or an edge on a face."""
    flat = flattened(mesh, (0.0, 0.0, 1.0))
    flat.pose = world = Pose.rigid(turn)
    plate = Body(shapes.box((3.0, 3.0, 1.0)), name="plate")
    for side in (1.0, -1.0):
        plate.pose = Pose(world.linear, world.linear @ (0.1, 0.05, 0.7 * side))
        state = closest(flat, plate)
        assert (state.kind, state.certified, state.unique) == ("FF", True, False)
        assert state.distance == pytest.approx(0.2)
        assert len(state.parts_a) == mesh.n_faces
        assert len(state.patch) > 3
        assert closest(plate, flat).parts_b == state.parts_a
        assert verify(state, flat, plate)


@pytest.mark.parametrize("mesh", [shapes.box(), shapes.grid_box(3, 1.0)])
@pytest.mark.parametrize("x", [0.75, 1.25, 1.75])
def test_a_side_of_a_collapsed_body_is_a_line_of_edges(mesh, x):
    """Its faces have no normal: in overlap one vertex was named, and called unique."""
    block = Body(shapes.grid_box(2, 2.0), pose=Pose(None, (x, 0.125, 0.0625)))
    flat = flattened(mesh, (0.0, 0.0, 1.0))
    for state in (closest(flat, block), exhaustive(flat, block)):
        assert (state.kind, state.unique) == ("EF", False)
        assert state.distance == pytest.approx(x - 1.5)
        assert (len(state.parts_b), len(state.patch)) == (4, 2)
        ends = mesh.points[mesh.edge_vertices[[p.index for p in state.parts_a]]]
        assert (ends[..., 0] == 0.5).all()
        assert np.ptp(ends[..., 1]) == 1.0
        assert verify(state, flat, block)


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_an_overlap_of_level_faces_keeps_its_patch_beside_the_deepest_vertex(far):
    """The deepest vertex of a body that is not convex took the patch's place."""
    a, b = Body(shapes.u_block()), Body(shapes.box(0.5))
    top = float(a.positions[:, 2].max())
    a.pose = Pose(translation=(far, far, 0.0))
    b.pose = Pose(translation=(far + 0.0625, far + 0.03125, top + 0.0625))
    for ask in (closest(a, b), closest(a, b).swapped().swapped(), exhaustive(a, b)):
        assert (ask.kind, ask.unique) == ("FF", False)
        assert len(ask.patch) == 4
        assert np.ptp(ask.patch[:, 2]) == 0.0
        (deepest,) = ask.contacts
        assert deepest.kind in ("VF", "FV")
        assert 0.0 < np.linalg.norm(deepest.point_b - deepest.point_a) < ask.depth
        assert verify(ask, a, b)
    # Where it is a corner of the patch the contacts are those of the patch.
    b.pose = Pose(translation=(far + 0.0625, far + 0.03125, top + 0.24))
    state = closest(a, b)
    assert len(state.patch) == len(state.contacts) == 4
    assert np.array_equal(state.patch, [c.point_a for c in state.contacts])
    assert verify(state, a, b)
