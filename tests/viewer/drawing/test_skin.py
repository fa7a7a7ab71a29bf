import numpy as np  # of viewer.drawing.skin
import pytest

from sim import Pose
from viewer import theme
from viewer.drawing.skin import DrawnBody, MergedBodies
from wingedge import convex_hull, shapes

pytestmark = pytest.mark.gui
SIZE = (640, 480)


@pytest.fixture
def bodies(plotter):
    return MergedBodies(plotter.renderer, theme.LIGHT, 1.0, glassy=False)


def shown(mesh, place=0, at=(0.0, 0.0, 0.0), lit=(), opacity=theme.OPACITY):
    points = Pose.rigid(None, at).apply(np.array(mesh.points))
    return DrawnBody(mesh, points, theme.LIGHT.body(place), [*lit], opacity, False)


def drawn(bodies):
    """Corners of all faces, and their colours (F, 4), that VTK was given."""
    import pyvista

    corners, colours = [], [np.empty((0, 4))]
    for actor in (bodies.few, bodies.many):
        if actor.actor.GetVisibility():
            mesh = pyvista.wrap(actor.mapper.GetInput())
            corners += [mesh.points[face].tolist() for face in mesh.irregular_faces]
            colours.append(np.array(mesh.cell_data.active_scalars))
    return corners, np.concatenate(colours)


def many(count, seed=7):
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return convex_hull(points / np.linalg.norm(points, axis=1)[:, None])


ONE, TWO, THREE = (shown(many(400), k, (3 * k, 0, 0)) for k in range(3))
BOX, EDITED = shown(shapes.box(), 1, (30, -4, 2)), shown(many(350))


def test_bodies_that_move_come_go_or_are_edited_are_drawn_as_they_are(plotter, bodies):
    for present in (
        [ONE, BOX],
        [shown(ONE.mesh, 0, (1, 0, 0)), BOX],
        [ONE, TWO, THREE],
        [THREE, TWO],
        [EDITED, TWO],
        [],
        [TWO, THREE],
    ):
        bodies.show(present)
        corners, colours = drawn(bodies)
        present = sorted(present, key=lambda each: each is not BOX)  # few edges first
        wanted, tones = [], []
        for each in present:
            faces = map(each.mesh.face_vertices, range(each.mesh.n_faces))
            wanted += [each.points[face].tolist() for face in faces]
            tones += [each.colours.surface] * each.mesh.n_faces
        assert corners == wanted
        np.testing.assert_array_equal(colours[:, :3], np.reshape(tones, (-1, 3)))
        assert (colours[:, 3:] == round(255 * theme.OPACITY)).all()
    # what is near and far to the eye hangs on it
    found = plotter.renderer.ComputeVisiblePropBounds()
    points = np.concatenate([TWO.points, THREE.points])
    np.testing.assert_allclose(found[::2], points.min(axis=0))
    np.testing.assert_allclose(found[1::2], points.max(axis=0))


def test_faces_are_lit_while_they_are_closest_and_bystanders_fade(bodies):
    tones = theme.LIGHT.body(0)
    for rows in ([5, 6], [6], [], [0, 700]):
        lit, faint = np.array(rows, dtype=np.intp), theme.OPACITY_BYSTANDER
        bodies.show([shown(ONE.mesh, lit=[lit]), TWO._replace(opacity=faint)])
        _, colours = drawn(bodies)
        is_lit = (colours[:, :3] == tones.lit).all(axis=1)
        assert np.flatnonzero(is_lit).tolist() == rows
        assert (colours[is_lit, 3] == round(255 * theme.OPACITY_LIT)).all()
        assert (colours[len(ONE.mesh.fan.face) :, 3] == round(255 * faint)).all()


def test_a_nearer_body_is_never_drawn_behind_whatever_the_order(plotter, bodies):
    """One that is given too early hides the other; it must not be painted over."""
    near = shown(many(400), 0, (0.0, -4.0, 0.0))
    far = shown(many(400), 1, (0.0, 4.0, 0.0))
    plotter.camera_position = [(0.0, -12.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    seen = []
    for order in ([far, near], [near, far]):
        bodies.show(order)
        plotter.render()
        image = plotter.screenshot(return_img=True).astype(int)
        seen.append(image[235:245, 315:325].reshape(-1, 3).mean(axis=0))
        blue, orange = theme.LIGHT.bodies[0].surface, theme.LIGHT.bodies[1].surface
        assert np.abs(seen[-1] - blue).sum() < np.abs(seen[-1] - orange).sum()
    assert np.abs(seen[0] - seen[1]).max() > 5, "in order, the far one shines through"


def test_bodies_that_change_places_are_joined_by_their_own_corners(plotter, bodies):
    """The corners were written over, and VTK went on with the faces that it had."""
    other = shown(many(8), 2, (5, 0, 0))
    bodies.show([BOX, other])
    plotter.render()
    seen = bodies.few.mapper.GetInput().GetPolys().GetMTime()
    bodies.show([other, BOX])
    assert bodies.few.mapper.GetInput().GetPolys().GetMTime() > seen
