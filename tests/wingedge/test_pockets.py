"""Lids and pockets: what a body does not fill of its cover, to the last digits."""

import numpy as np
import pytest

from sim import Body
from wingedge import shapes
from wingedge.cover import volumes

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


def volume_of(body):
    """The volume of the fans, as the answers see a body."""
    about = body.positions.mean(axis=0)
    return float(volumes(body.positions, body.mesh.fan.vertex, about).sum())


@pytest.mark.parametrize("way", ["rest", "turned", "shaken"])
@pytest.mark.parametrize("name", SOLIDS)
def test_pockets_fill_what_the_cover_has_more(name, way):
    body = placed(SOLIDS[name], way)
    cover = body.cover()
    missing = cover.volume - volume_of(body)
    found = sum(pocket.volume for pocket in cover.pockets)
    assert found == pytest.approx(missing, abs=1e-12 * cover.volume)


@pytest.mark.parametrize("way", ["rest", "turned", "shaken"])
@pytest.mark.parametrize("name", SOLIDS)
def test_every_face_is_on_the_cover_or_in_one_pocket(name, way):
    cover = placed(SOLIDS[name], way).cover()
    inside = [f for pocket in cover.pockets for f in pocket.faces]
    assert sorted(inside) == np.flatnonzero(~cover.on_cover).tolist()
    assert cover.lids.tolist() == np.flatnonzero(cover.true_face < 0).tolist()
    closing = {k for pocket in cover.pockets for k in pocket.lids}
    assert closing == set(cover.lids.tolist())
    assert cover.on_cover[cover.true_face[cover.true_face >= 0]].all()


@pytest.mark.parametrize("way", ["rest", "turned"])
@pytest.mark.parametrize("name", [n for n in SOLIDS if n not in DENTED])
def test_a_convex_body_has_no_pockets_however_its_sides_are_divided(name, way):
    cover = placed(SOLIDS[name], way).cover()
    assert cover.pockets == ()
    assert cover.on_cover.all()
    assert len(cover.lids) == 0


@pytest.mark.parametrize("way", ["rest", "turned"])
def test_a_gear_has_a_pocket_between_every_two_teeth(way):
    cover = placed(shapes.gear(5), way).cover()
    assert len(cover.pockets) == 5
    assert len({round(p.volume, 9) for p in cover.pockets}) == 1
    assert len({round(p.depth, 9) for p in cover.pockets}) == 1


def test_a_dent_has_the_depth_of_its_vertex():
    mesh = shapes.grid_box((2, 2, 2))
    top = int(np.flatnonzero((mesh.points == [0.0, 0.0, 0.5]).all(axis=1))[0])
    points = mesh.points.copy()
    points[top, 2] -= 0.25
    body = Body(mesh)
    body.points = points
    (pocket,) = body.cover().pockets
    assert pocket.deepest == top
    assert pocket.depth == pytest.approx(0.25, rel=1e-12)
    assert sorted(pocket.faces) == sorted(mesh.vertex_faces(top).tolist())
    assert len(pocket.lids) == 2  # the flat side, as the fan of two triangles


def test_vertices_at_one_point_close_the_same_pocket():
    mesh = shapes.hammer()
    rng = np.random.default_rng(2)
    for _ in range(10):
        points = mesh.points.copy()
        i, j = rng.choice(len(points), 2, replace=False)
        points[i] = points[j]
        body = Body(mesh)
        body.points = points
        cover = body.cover()
        missing = cover.volume - volume_of(body)
        found = sum(pocket.volume for pocket in cover.pockets)
        assert found == pytest.approx(missing, abs=1e-12 * cover.volume)


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
    missing = cover.volume - volume_of(body)
    assert pocket.volume == pytest.approx(missing, abs=1e-12 * cover.volume)


def test_two_dents_in_one_side_are_two_pockets():
    mesh = shapes.grid_box((6, 3, 1), (6.0, 3.0, 1.0), triangles=True)
    points = mesh.points.copy()
    high = points[:, 2] > 0.0
    for x in (-2.0, 2.0):
        at = high & (np.abs(points[:, 0] - x) < 0.1) & (np.abs(points[:, 1]) < 0.6)
        assert at.any()
        points[at, 2] -= 0.3
    body = Body(mesh)
    body.points = points
    one, two = body.cover().pockets
    assert one.volume == pytest.approx(two.volume)
    assert not set(one.faces) & set(two.faces)
