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
    return MergedBodies(plotter.renderer, theme.LIGHT, ratio=1.0, glassy=False)


def shown(mesh, place=0, at=(0.0, 0.0, 0.0), lit=(), opacity=theme.OPACITY):
    points = Pose.rigid(None, at).apply(np.array(mesh.points))
    tones = theme.LIGHT.body(place)
    return DrawnBody(mesh, points, tones, list(lit), opacity, False, place)


def drawn(plotter):
    """Corners (T, 3, 3) and colours (T, 4) of all triangles that VTK was given."""
    import pyvista

    corners, colours = [np.empty((0, 3, 3))], [np.empty((0, 4))]
    for actor in plotter.renderer.GetActors():
        data = actor.GetMapper().GetInput()
        if actor.GetVisibility() and data.GetNumberOfPolys():
            mesh = pyvista.wrap(data)
            corners.append(mesh.points[mesh.regular_faces])
            colours.append(np.array(mesh.cell_data.active_scalars))
    return np.concatenate(corners), np.concatenate(colours)


def wanted(*all_shown):
    found = [each.points[each.mesh.fan.vertex] for each in all_shown]
    return np.concatenate([np.empty((0, 3, 3)), *found])


def many(count, seed=7):
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return convex_hull(points / np.linalg.norm(points, axis=1)[:, None])


def test_bodies_that_move_are_drawn_where_they_are_now(plotter, bodies):
    ball, box = many(400), shapes.box()
    for k in range(4):
        both = shown(box, 1, (3, k, k)), shown(ball, 0, (k, 0, 0))
        bodies.show(both)
        np.testing.assert_array_equal(drawn(plotter)[0], wanted(*both))


def test_a_body_that_comes_is_drawn_and_one_that_goes_is_not(plotter, bodies):
    one, two, three = (shown(many(400), k, (3 * k, 0, 0)) for k in range(3))
    for present in ([one], [one, two], [one, two, three], [three, one], [two], []):
        bodies.show(present)
        np.testing.assert_array_equal(drawn(plotter)[0], wanted(*present))


def test_a_body_whose_mesh_was_edited_is_drawn_with_its_new_one(plotter, bodies):
    other = shown(many(300), 1, (3, 0, 0))
    for count in (400, 500, 350):
        edited = shown(many(count))
        bodies.show([edited, other])
        np.testing.assert_array_equal(drawn(plotter)[0], wanted(edited, other))


def test_bodies_in_another_order_keep_their_own_places_and_colours(plotter, bodies):
    far, near = shown(many(400)), shown(many(300), 1, (3, 0, 0))
    for order in ([far, near], [near, far]):
        bodies.show(order)
        corners, colours = drawn(plotter)
        np.testing.assert_array_equal(corners, wanted(*order))
        count = len(order[0].mesh.fan.face)
        assert (colours[:count, :3] == order[0].colours.surface).all()
        assert (colours[count:, :3] == order[1].colours.surface).all()


def test_faces_are_lit_while_they_are_closest_and_no_longer(plotter, bodies):
    mesh = many(400)
    other = shown(many(300), 1, (3, 0, 0))
    tones = theme.LIGHT.body(0)
    for rows in ([5, 6], [6], [], [0, 700]):
        lit = np.array(rows, dtype=np.intp)
        bodies.show([shown(mesh, lit=[lit]), other])
        _, colours = drawn(plotter)
        is_lit = (colours[:, :3] == tones.lit).all(axis=1)
        assert np.flatnonzero(is_lit).tolist() == rows
        assert (colours[is_lit, 3] == round(255 * theme.OPACITY_LIT)).all()


def test_bystanders_fade_and_come_back(plotter, bodies):
    for opacity in (theme.OPACITY, theme.OPACITY_BYSTANDER, theme.OPACITY):
        bodies.show([shown(many(400), opacity=opacity)])
        assert (drawn(plotter)[1][:, 3] == round(255 * opacity)).all()


def test_edges_are_those_of_the_mesh_without_diagonals_of_polygons(plotter, bodies):
    import pyvista

    both = shown(shapes.grid_box((9, 7, 3)), 1), shown(many(100), 0, (3, 0, 0))
    bodies.show(both)
    (lines,) = (
        pyvista.wrap(actor.GetMapper().GetInput())
        for actor in plotter.renderer.GetActors()
        if actor.GetVisibility() and actor.GetMapper().GetInput().GetNumberOfLines()
    )
    ends = lines.points[lines.lines.reshape(-1, 3)[:, 1:]]
    edges = [each.points[each.mesh.edge_vertices] for each in both[::-1]]
    np.testing.assert_array_equal(ends, np.concatenate(edges))


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


def test_vtk_knows_how_far_bodies_reach(plotter, bodies):
    """What is near and far to the eye hangs on it; its own way looks at triangles."""
    for place in ((0, 0, 0), (30, -4, 2)):
        both = [shown(many(400)), shown(shapes.box(), 1, place)]
        bodies.show(both)
        points = np.concatenate([each.points for each in both])
        found = plotter.renderer.ComputeVisiblePropBounds()
        np.testing.assert_allclose(found[::2], points.min(axis=0))
        np.testing.assert_allclose(found[1::2], points.max(axis=0))
    bodies.show([])
    assert plotter.renderer.VisibleActorCount() == 0
