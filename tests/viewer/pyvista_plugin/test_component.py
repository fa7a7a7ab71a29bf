import numpy as np
import pytest

from viewer import to_polydata

pyvista = pytest.importorskip("pyvista", reason="pyvista is in the extra 'viewer'")
pytestmark = pytest.mark.gui


@pytest.fixture(autouse=True)
def _component():
    import viewer.pyvista_plugin.component  # noqa: F401
    from viewer.gl import require_gl

    require_gl()


def picture(plotter):
    plotter.render()
    return np.array(plotter.screenshot(return_img=True)).astype(int)


def test_the_contacts_of_any_frame_are_added(plotter, any_frame):
    for body in any_frame.bodies:
        data = to_polydata(body.mesh, body.world_points())
        plotter.add_mesh(data, opacity=0.3)
    plotter.show(auto_close=False, interactive=False)
    before = picture(plotter)
    added = plotter.contacts.add(any_frame)
    assert len(added) >= 2
    assert (np.abs(picture(plotter) - before).max(axis=2) > 40).sum() > 20


def test_clearing_leaves_what_the_user_drew(plotter, vertex_above_face):
    plotter.add_mesh(pyvista.Cube(), color="red")
    plotter.show(auto_close=False, interactive=False)
    before = picture(plotter)
    plotter.contacts.add(vertex_above_face)
    assert (picture(plotter) != before).any()
    plotter.contacts.clear()
    np.testing.assert_array_equal(picture(plotter), before)


def test_names_and_arrows_can_be_left_out(plotter, vertex_above_face):
    bare = plotter.contacts.add(vertex_above_face, names=False, normals=False)
    full = plotter.contacts.add(vertex_above_face, names=False)
    assert len(bare) == len(full) == 1
    sizes = [actor.mapper.dataset.n_points for actor in (*bare, *full)]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf")])
def test_a_scale_that_is_no_size_is_refused(plotter, vertex_above_face, scale):
    with pytest.raises(ValueError, match="scale="):
        plotter.contacts.add(vertex_above_face, scale=scale)
