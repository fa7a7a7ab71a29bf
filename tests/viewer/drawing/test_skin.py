import numpy as np
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


def drawn(*actors):
    """Corners (T, 3, 3) and colours (T, 4) of all triangles that VTK was given."""
    import pyvista

    corners, colours = [np.empty((0, 3, 3))], [np.empty((0, 4))]
    for actor in actors:
        if actor.actor.GetVisibility():
            mesh = pyvista.wrap(actor.mapper.GetInput())
            corners.append(mesh.points[mesh.regular_faces])
            colours.append(np.array(mesh.cell_data.active_scalars))
    return np.concatenate(corners), np.concatenate(colours)


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
        corners, colours = drawn(bodies.few, bodies.many)
        present = sorted(present, key=lambda each: each is not BOX)  # few edges first
        wanted = [each.points[each.mesh.fan.vertex] for each in present]
        wanted = np.concatenate([np.empty((0, 3, 3)), *wanted])
        np.testing.assert_array_equal(corners, wanted)
        tones = [each.colours.surface for each in present for _ in each.mesh.fan.face]
        np.testing.assert_array_equal(colours[:, :3], np.reshape(tones, (-1, 3)))
        assert (colours[:, 3:] == round(255 * theme.OPACITY)).all()
    # what is near and far to the eye hangs on it
    found = plotter.renderer.ComputeVisiblePropBounds()
    np.testing.assert_allclose(found[::2], wanted.min(axis=(0, 1)))
    np.testing.assert_allclose(found[1::2], wanted.max(axis=(0, 1)))


def test_faces_are_lit_while_they_are_closest_and_bystanders_fade(bodies):
    tones = theme.LIGHT.body(0)
    for rows in ([5, 6], [6], [], [0, 700]):
        lit, faint = np.array(rows, dtype=np.intp), theme.OPACITY_BYSTANDER
        bodies.show([shown(ONE.mesh, lit=[lit]), TWO._replace(opacity=faint)])
        _, colours = drawn(bodies.few, bodies.many)
        is_lit = (colours[:, :3] == tones.lit).all(axis=1)
        assert np.flatnonzero(is_lit).tolist() == rows
        assert (colours[is_lit, 3] == round(255 * theme.OPACITY_LIT)).all()
        assert (colours[len(ONE.mesh.fan.face) :, 3] == round(255 * faint)).all()


def test_edges_are_those_of_the_mesh_without_diagonals_of_polygons(bodies):
    import pyvista

    few, many_edges = shown(shapes.grid_box((9, 7, 3)), 1), shown(shapes.prism(400))
    bodies.show([few, many_edges])
    lines = pyvista.wrap(bodies._wires.mapper.GetInput())
    ends = lines.points[lines.lines.reshape(-1, 3)[:, 1:]]
    np.testing.assert_array_equal(ends, few.points[few.mesh.edge_vertices])
    kind = pyvista._vtk.vtkDataSetAttributes.EDGEFLAG
    mesh = pyvista.wrap(bodies.many.mapper.GetInput())
    flags = pyvista.convert_array(mesh.GetPointData().GetAttribute(kind)).astype(bool)
    corners, _ = drawn(bodies.many)
    middles = (corners + np.roll(corners, -1, axis=1)).reshape(-1, 3)[flags]
    edges = many_edges.points[many_edges.mesh.edge_vertices].sum(axis=1)
    found, wanted = (np.unique(some, axis=0) for some in (middles, edges))
    np.testing.assert_array_equal(found, wanted)


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
    assert len(other.mesh.fan.face) == len(BOX.mesh.fan.face)
    bodies.show([BOX, other])
    cells = bodies.few.mapper.GetInput().GetPolys()
    plotter.render()
    seen = cells.GetMTime()
    bodies.show([other, BOX])
    assert cells is bodies.few.mapper.GetInput().GetPolys()
    assert cells.GetMTime() > seen
