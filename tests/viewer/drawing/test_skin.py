import numpy as np
import pytest

from sim import Body, Pose
from sim.frame import SnapshotRecorder
from viewer import theme
from viewer.drawing.skin import DrawnBody, MergedBodies, block
from wingedge import convex_hull, shapes

pytestmark = pytest.mark.gui
SIZE = (640, 480)


@pytest.fixture
def bodies(plotter):
    return MergedBodies(plotter.renderer, theme.LIGHT)


def shown(mesh, name="a", at=(0.0, 0.0, 0.0), lit=(), involved=True, colour=0):
    snapshot = SnapshotRecorder(
        [Body(mesh, name=name, pose=Pose.rigid(None, at))]
    ).take()[0]
    tones = theme.LIGHT.body(colour)
    return DrawnBody(snapshot, snapshot.world_points(), tones, list(lit), involved)


def drawn(plotter):
    """Corners (T, 3, 3) and colours (T, 4) of all triangles that VTK was given."""
    corners, colours = [np.empty((0, 3, 3))], [np.empty((0, 4))]
    for actor in plotter.renderer.GetActors():
        data = actor.GetMapper().GetInput()
        # what counts for bounds is a triangle without area
        drawn = actor.GetVisibility() and not actor.GetUseBounds()
        if drawn and data.GetNumberOfPolys():
            import pyvista

            mesh = pyvista.wrap(data)
            corners.append(mesh.points[mesh.regular_faces])
            colours.append(np.array(mesh.cell_data["colour"]))
    return np.concatenate(corners), np.concatenate(colours)


def wanted(*all_shown):
    return np.concatenate([s.points[s.body.mesh.fan.vertex] for s in all_shown])


def many(count, seed=7):
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return convex_hull(points / np.linalg.norm(points, axis=1)[:, None])


def test_bodies_that_move_are_drawn_where_they_are_now(plotter, bodies):
    ball, box = many(400), shapes.box()
    for k in range(4):  # rigid motion: the positions in the body's own frame stay
        fine, coarse = shown(ball, "a", (k, 0, 0)), shown(box, "b", (3, k, k))
        both = coarse, fine
        bodies.show([fine, coarse])
        np.testing.assert_array_equal(drawn(plotter)[0], wanted(*both))


def test_bodies_that_deform_under_one_pose_are_drawn_as_they_are_now(plotter, bodies):
    body = Body(many(400), name="a")
    camera = SnapshotRecorder([body])
    for k in range(3):
        body.points = body.mesh.points * (1.0 + 0.2 * k)
        snapshot = camera.take()[0]
        points = snapshot.world_points()
        bodies.show([DrawnBody(snapshot, points, theme.LIGHT.body(0), [], True)])
        np.testing.assert_array_equal(
            drawn(plotter)[0], points[body.mesh.fan.vertex], err_msg=str(k)
        )


def test_a_body_that_comes_is_drawn_and_one_that_goes_is_not(plotter, bodies):
    one, two, three = (shown(many(400), n, (3 * k, 0, 0)) for k, n in enumerate("abc"))
    for present in ([one], [one, two], [one, two, three], [three, one], [two], []):
        bodies.show(present)
        corners, _ = drawn(plotter)
        np.testing.assert_array_equal(
            corners, wanted(*present) if present else np.empty((0, 3, 3))
        )


def test_a_body_whose_mesh_was_edited_is_drawn_with_its_new_one(plotter, bodies):
    other = shown(many(300), "b", (3, 0, 0))
    for count in (400, 500, 350):
        edited = shown(many(count), "a")
        bodies.show([edited, other])
        np.testing.assert_array_equal(drawn(plotter)[0], wanted(edited, other))


def test_bodies_in_another_order_keep_their_own_places_and_colours(plotter, bodies):
    far, near = shown(many(400), "a"), shown(many(300), "b", (3, 0, 0), colour=1)
    for order in ([far, near], [near, far]):
        bodies.show(order)
        corners, colours = drawn(plotter)
        np.testing.assert_array_equal(corners, wanted(*order))
        count = len(order[0].body.mesh.fan.face)
        assert (colours[:count, :3] == order[0].colours.surface).all()
        assert (colours[count:, :3] == order[1].colours.surface).all()


def test_faces_are_lit_while_they_are_closest_and_no_longer(plotter, bodies):
    mesh = many(400)
    other = shown(many(300), "b", (3, 0, 0), colour=1)
    tones = theme.LIGHT.body(0)
    for rows in ([5, 6], [6], [], [0, 700]):
        lit = np.array(rows, dtype=np.intp)
        bodies.show([shown(mesh, lit=[lit]), other])
        _, colours = drawn(plotter)
        is_lit = (colours[:, :3] == tones.lit).all(axis=1)
        assert np.flatnonzero(is_lit).tolist() == rows
        assert (colours[is_lit, 3] == round(255 * theme.OPACITY_LIT)).all()


def test_bystanders_fade_and_come_back(plotter, bodies):
    for involved, opacity in (
        (True, theme.OPACITY),
        (False, theme.OPACITY_BYSTANDER),
        (True, theme.OPACITY),
    ):
        bodies.show([shown(many(400), involved=involved)])
        assert (drawn(plotter)[1][:, 3] == round(255 * opacity)).all()


@pytest.mark.parametrize(
    "mesh",
    [shapes.box(), shapes.prism(7), shapes.grid_box((9, 7, 3)), shapes.icosphere(2)],
    ids=["box", "prism", "grid", "icosphere"],
)
def test_only_sides_that_are_edges_of_the_mesh_are_drawn_as_edges(mesh):
    corner, triangles, real = block(mesh)
    vertex = triangles if corner is None else corner[triangles]
    np.testing.assert_array_equal(vertex, mesh.fan.vertex)
    sides = np.stack([vertex, np.roll(vertex, -1, axis=1)], axis=-1).reshape(-1, 2)
    drawn_as_edges = sides[real[triangles].ravel() == 1]
    found = {tuple(sorted(side)) for side in drawn_as_edges.tolist()}
    assert found == {tuple(sorted(edge)) for edge in mesh.edge_vertices.tolist()}
    assert len(drawn_as_edges) == 2 * mesh.n_edges  # from both of its faces


def test_a_nearer_body_is_never_drawn_behind_whatever_the_order(plotter, bodies):
    """One that is given too early hides the other; it must not be painted over."""
    near = shown(many(400), "near", (0.0, -4.0, 0.0))
    far = shown(many(400), "far", (0.0, 4.0, 0.0), colour=1)
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
        both = [shown(many(400), "a"), shown(shapes.box(), "b", place, colour=1)]
        bodies.show(both)
        points = np.concatenate([each.points for each in both])
        found = plotter.renderer.ComputeVisiblePropBounds()
        np.testing.assert_allclose(found[::2], points.min(axis=0))
        np.testing.assert_allclose(found[1::2], points.max(axis=0))
    bodies.show([])
    assert plotter.renderer.VisibleActorCount() == 0
