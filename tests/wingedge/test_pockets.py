import numpy as np  # of wingedge.cover
import pytest

from sim import Body
from wingedge import shapes

C, S = np.cos(0.7), np.sin(0.7)
TURN = np.array([[C, -S, 0.0], [S, C, 0.0], [0.0, 0.0, 1.0]]) @ np.array(
    [[1.0, 0.0, 0.0], [0.0, 0.8, -0.6], [0.0, 0.6, 0.8]]
)
SOLIDS = dict(shapes.zoo(non_convex=True))
DENTED = ("l_block", "ring", "u_block", "cup", "gear", "star", "hammer")


def placed(mesh, way):
    body = Body(mesh)
    if way == "turned":
        body.points = mesh.points @ TURN * 3.0 + 7.0
    elif way == "shaken":
        rng = np.random.default_rng(8)
        size = np.ptp(mesh.points, axis=0)
        body.points = mesh.points + 0.03 * size * rng.normal(size=mesh.points.shape)
    return body


@pytest.mark.parametrize("way", ["rest", "turned", "shaken"])
@pytest.mark.parametrize("name", SOLIDS)
def test_every_face_below_the_cover_is_in_one_pocket(name, way):
    cover = placed(SOLIDS[name], way).cover()
    inside = [f for pocket in cover.pockets for f in pocket.faces]
    assert sorted(inside) == np.flatnonzero(~cover.on_cover).tolist()
    assert cover.lids.tolist() == np.flatnonzero(cover.true_face < 0).tolist()
    closing = {k for pocket in cover.pockets for k in pocket.lids}
    assert closing <= set(cover.lids.tolist())
    assert cover.on_cover[cover.true_face[cover.true_face >= 0]].all()
    is_closed = len(cover.lids) == len(cover.pockets) == 0 and cover.on_cover.all()
    if way != "shaken":
        assert is_closed == (name not in DENTED), "however its sides are divided"


def test_a_dent_has_the_depth_of_its_vertex():
    mesh = shapes.grid_box((2, 2, 2))
    top = int(np.flatnonzero((mesh.points == [0.0, 0.0, 0.5]).all(axis=1))[0])
    points = mesh.points.copy()
    points[top, 2] -= 0.25
    body = Body(mesh)
    body.points = points
    (pocket,) = body.cover().pockets
    assert pocket.depth == pytest.approx(0.25, rel=1e-12)
    assert sorted(pocket.faces) == sorted(mesh.vertex_faces(top).tolist())
    assert len(pocket.lids) == 2  # the flat side, as the fan of two triangles
    body = Body(ball := shapes.icosphere(1))
    for v in range(ball.n_vertices):
        body.points = ball.points * np.where(np.arange(42) == v, 0.5, 1.0)[:, None]
        (pocket,) = body.cover().pockets
        assert sorted(pocket.faces) == sorted(ball.vertex_faces(v).tolist())


@pytest.mark.parametrize("way", ["rest", "turned"])
def test_a_bore_is_deepest_half_way_through(way):
    """All its vertices lie in the planes of its lids: by them it has no depth."""
    body = placed(shapes.ring((3.0, 3.0, 1.0)), way)
    scale = 3.0 if way == "turned" else 1.0
    (pocket,) = body.cover().pockets
    assert pocket.depth == pytest.approx(0.5 * scale, rel=1e-12)


def test_a_groove_open_at_both_ends_is_as_deep_as_the_nearest_of_its_lids():
    """An L: two ends, and the slope over the inner edge."""
    for long in (0.1, 4.0):
        body = Body(shapes.l_block((1.0, 1.0, long)))
        (pocket,) = body.cover().pockets
        # the inner edge lies under the slope as far as the notch is deep there
        assert pocket.depth == pytest.approx(min(0.5 * long, np.sqrt(0.125)), rel=1e-12)


def test_a_body_that_reaches_its_hull_at_single_vertices_has_one_pocket():
    mesh = shapes.icosphere(1)
    points = mesh.points.copy()
    points[12:] *= 0.3  # the first twelve have no two neighbours among them
    body = Body(mesh)
    body.points = points
    cover = body.cover()
    (pocket,) = cover.pockets
    assert len(pocket.lids) == len(cover.faces)
    assert len(pocket.faces) == mesh.n_faces
