import numpy as np  # of viewer.drawing.scene, viewer.drawing.camera
import pytest

from sim import Body, Pose, World
from viewer import theme
from viewer.drawing.camera import project
from wingedge import shapes

pytestmark = pytest.mark.gui
SIZE = (1280, 720)


def is_colour(scene, points, colour, tolerance=70):
    """Tell where one of the pixels around has a colour, give or take its shading."""
    image, found = scene.image(), []
    for x, y in np.rint(project(np.atleast_2d(points), scene.view, SIZE)).astype(int):
        row = SIZE[1] - 1 - y
        around = image[row - 2 : row + 3, x - 2 : x + 3].astype(int)
        distance = np.abs(around - np.array(colour)).max(axis=-1)
        found.append(distance.min() < tolerance)
    return np.array(found)


def test_nothing_hides_a_contact_not_even_a_body_in_front(scene, face_on_face):
    scene.update(face_on_face)
    camera = scene.plotter.camera
    camera.position, camera.focal_point = (0.25, -0.05, 9.0), (0.25, 0.0, 0.5)
    scene.annotate()  # seen from above: the box stands between eye and contact
    corners, ink = scene.pairs[0].patch, theme.LIGHT.regime("contact")
    assert is_colour(scene, corners, ink, 50).all()


@pytest.mark.parametrize("renderer", ["llvmpipe", "a graphics card"])
@pytest.mark.parametrize("supersample", [1, 2])
def test_bodies_are_seen_on_every_kind_of_renderer(
    monkeypatch, vertex_above_face, renderer, supersample
):
    from viewer import Scene, gl

    found = gl.probe()._replace(renderer=renderer)
    monkeypatch.setattr("viewer.gl.require_gl", lambda: found)
    scene = Scene(size=SIZE, supersample=supersample)
    scene.update(vertex_above_face)
    image = scene.image()
    view, drawn = scene.view, scene.size
    scene.close()
    assert image.shape == (*SIZE[::-1], 3)
    free = image[:, -20:]  # noise over a gradient made files five times as large
    assert (free == free[:, :1]).all()
    assert (free[0] != free[-1]).any() == (supersample == 2 or renderer != "llvmpipe")
    middles = [body.world_points().mean(axis=0) for body in vertex_above_face.bodies]
    columns, rows = np.rint(project(np.array(middles), view, drawn).T / supersample)
    for index, (row, column) in enumerate(zip(rows, columns, strict=True)):
        shown = image[SIZE[1] - 1 - int(row), int(column)].astype(int)
        surface = theme.LIGHT.body(index).surface
        background = np.array(theme.LIGHT.background_low)
        assert np.abs(shown - surface).sum() < np.abs(shown - background).sum()


@pytest.mark.parametrize(("size", "where"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e6)])
def test_no_size_and_no_place_is_special(scene, size, where):
    low = Body(shapes.box(size), name="low", pose=Pose.rigid(None, [where] * 3))
    above = Pose.rigid([0.3, 0.2, 0.1, 1.0], (where, where, where + 1.4 * size))
    scene.update(World([low, Body(shapes.box(size), name="high", pose=above)]).step())
    (pair,) = scene.pairs
    assert is_colour(scene, pair.middle, theme.LIGHT.regime("separated")).all()
    assert is_colour(scene, pair.b.points, theme.LIGHT.body(1).feature, 50).all()
    assert len(scene.labels) == 3


def test_a_scene_follows_bodies_and_draws_as_if_nothing_had_been_shown_before(
    scene, heap, vertex_above_face
):
    scene.update(vertex_above_face)
    first = scene.image()
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((3.0, 3.0, 1.0)), name="table")
    fall = {"ball": lambda rest, t: rest * (1 - t) + (0.0, 0.0, 2.0 - t)}
    world = World([ball, table], deform=fall, dt=0.25)
    scene.update(world.step())
    before, view = scene.image(), scene.view
    scene.update(world.step(), keep_camera=True)
    assert all(np.array_equal(a, b) for a, b in zip(view, scene.view, strict=True))
    assert (before != scene.image()).any(axis=-1).mean() > 0.01
    middle = scene.pairs[0].middle
    assert is_colour(scene, middle, theme.LIGHT.regime("separated")).all()
    scene.update(heap)
    scene.update(vertex_above_face)
    assert np.mean(scene.image() != first) < 1e-3


def test_a_huge_body_is_not_cut_away_and_named_near_a_tiny_one_on_it(scene):
    """The near plane was a thousandth of the far one: the plain below was gone."""
    plain = Body(shapes.box((1000.0, 1000.0, 10.0)), name="plain")
    above = Pose.rigid(None, (100.0, 100.0, 5.2))
    grain = Body(shapes.icosphere(1, 0.05), name="grain", pose=above)
    scene.update(World([plain, grain]).step())
    width, height = scene.size
    low = scene.image()[int(0.8 * height), :: width // 20].astype(int)
    surface = np.array(theme.LIGHT.bodies[0].surface)
    away = low - np.array(theme.LIGHT.background)
    assert (np.abs(low - surface).sum(axis=1) < np.abs(away).sum(axis=1)).all()
    at = project(scene.pairs[0].witness, scene.view, scene.size).mean(axis=0)
    for box, *_ in scene.labels:
        assert np.abs((box[:2] + box[2:]) / 2 - at).max() < 400
