import numpy as np  # of wingedge.cover, sim.body.body
import pytest
from scipy.spatial import ConvexHull

from sim import Body
from wingedge import MeshError, shapes
from wingedge.hull import twins_of

BALL = shapes.icosphere(2)
KINDS = {
    "ball": BALL,
    "grid": shapes.grid_box((3, 4, 2)),
    "u_block": shapes.u_block(),
    "ring": shapes.ring(),
}


def dented(points, t):
    x, y, z = points.T
    z = z - 0.8 * t * np.exp(-4.0 * (x * x + y * y)) * (z > 0)
    c, s = np.cos(t * z), np.sin(t * z)
    return np.stack([c * x - s * y, s * x + c * y, z], axis=1)


def assert_hull(cover):
    """It must close, with the volume of Qhull's, and leave no point outside."""
    points, size = cover.points, np.ptp(cover.points, axis=0).max()
    assert twins_of(cover.faces, len(points)) is not None
    assert cover.volume == pytest.approx(ConvexHull(points).volume, rel=1e-11)
    a, b, c = (points[cover.faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1)
    wide = area > 1e-9 * size**2
    normal = normal[wide] / area[wide, None]
    over = points @ normal.T - (normal * a[wide]).sum(axis=1)
    assert over.max() <= 1e-12 * size


def fresh(body):
    other = Body(body.mesh)
    other.points = body.positions
    return other.cover()


@pytest.mark.parametrize("kind", KINDS)
def test_no_point_is_beyond_a_cover_and_the_past_leaves_no_trace(kind):
    rng = np.random.default_rng(4)
    mesh = KINDS[kind]
    body = Body(mesh)
    rest = mesh.points
    for k in range(12):
        if k % 4 == 3:  # everything overwritten at once
            body.points = rng.permutation(rest) * rng.uniform(0.2, 3.0, 3)
        elif k % 4 == 2:
            body.points = rest
        else:
            body.points = dented(rest, 0.1 * k)
        warm, cold = body.cover(), fresh(body)
        assert warm.faces.tolist() == cold.faces.tolist()
        assert warm.volume == cold.volume
        assert_hull(warm)
        assert warm.true_face.tolist() == cold.true_face.tolist()
        assert warm.pockets == cold.pockets


def test_a_cover_is_a_value_and_a_nan_in_what_is_remembered_does_no_harm():
    body = Body(BALL)
    live = body.points
    cover = body.cover()
    live *= 2.0
    assert cover.volume == pytest.approx(body.cover().volume / 8.0, rel=1e-14)
    assert not np.shares_memory(cover.points, live)
    with pytest.raises(ValueError, match="read-only"):
        cover.faces[0] = 0
    body = Body(BALL)
    points = body.points
    first = body.cover()
    points[3, 1] = np.nan
    with pytest.raises(ValueError, match=f"body '{body.name}': vertex v3 is at"):
        body.cover()
    points[...] = BALL.points
    assert body.cover().faces.tolist() == first.faces.tolist()


@pytest.mark.parametrize("squash", [0.0, 1e-16])
@pytest.mark.parametrize("turned", [False, True])
def test_a_flat_body_has_no_cover_and_recovers(squash, turned):
    mesh = shapes.grid_box(2)
    body = Body(mesh, name="leaf")
    flat = mesh.points * [1.0, 1.0, squash]
    if turned:
        c, s = np.cos(0.3), np.sin(0.3)
        flat = flat @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]) + 7.0
    body.points = flat
    with pytest.raises(MeshError, match=r"body 'leaf': the 26 points lie in one plane"):
        body.cover()
    body.points = mesh.points
    assert body.cover().volume == pytest.approx(1.0, rel=1e-14)


def test_points_inside_flat_parts_and_edges_are_no_vertices():
    mesh = shapes.grid_box(4)
    body = Body(mesh)
    assert len(body.cover().faces) == 12
    faces = body.cover().faces.tolist()
    body.points = mesh.points * (0.9 - 0.1 * (mesh.points**2).sum(axis=1)[:, None])
    assert len(body.cover().faces) == 2 * len(mesh.points) - 4
    body.points = mesh.points
    assert body.cover().faces.tolist() == faces
    # the fan from its lowest vertex
    z = mesh.points[body.cover().faces][:, :, 2]
    top = body.cover().faces[(z == 0.5).all(axis=1)]
    assert top[:, 0].tolist() == [top.min()] * 2


def test_a_hull_that_does_not_close_is_asked_for_again(monkeypatch):
    """Narrow triangles may be turned the wrong way round; more is merged then."""
    asked = []

    def counted(points, qhull_options):
        asked.append(qhull_options)
        return ConvexHull(points, qhull_options=qhull_options)

    monkeypatch.setattr("scipy.spatial.ConvexHull", counted)
    mesh, again = shapes.grid_box(5), 0
    for seed in (*range(20), 132, 356):
        rng = np.random.default_rng(seed)
        noise = 10.0 ** -rng.uniform(14.0, 16.5) * rng.normal(size=mesh.points.shape)
        body = Body(mesh)
        body.points = mesh.points + noise
        del asked[:]
        assert_hull(body.cover())
        again += len(asked) - 1
    assert again > 0


def test_a_face_of_the_hull_is_named_by_all_true_faces_that_it_spans():
    """By one of them: the others' points lay on nothing that was named."""
    cover = Body(shapes.gear(3, depth=0.3)).cover()
    assert [cover.lies_on(2, k) for k in (2, 17)] == [(0, 1, 2), (4, 5, 6)]
