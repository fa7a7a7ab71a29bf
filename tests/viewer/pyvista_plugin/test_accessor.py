import numpy as np
import pytest

from viewer import to_polydata
from wingedge import MeshError, shapes

pyvista = pytest.importorskip("pyvista", reason="pyvista is in the extra 'viewer'")
zoo = pytest.mark.parametrize("mesh", [m for _, m in shapes.zoo(non_convex=True)])


@pytest.fixture(autouse=True)
def _registered():
    import viewer.pyvista_plugin.accessor  # noqa: F401


@zoo
def test_a_surface_is_seen_with_its_own_numbers(mesh):
    seen = to_polydata(mesh).wingedge
    np.testing.assert_array_equal(seen.mesh.edge_vertices, mesh.edge_vertices)
    np.testing.assert_array_equal(seen.mesh.points, mesh.points)
    seen.validate()


def test_it_makes_a_body_refuses_open_surfaces_and_sees_changes():
    data = to_polydata(shapes.box())
    before = data.wingedge.mesh
    data.points[:] *= 2.0
    np.testing.assert_array_equal(data.wingedge.mesh.points, 2.0 * before.points)
    plane = pyvista.Plane(i_resolution=1, j_resolution=1).wingedge
    with pytest.raises(MeshError) as caught:
        plane.validate()
    assert plane.info() == f"no winged-edge mesh: {caught.value}"
    from sim import closest

    low = to_polydata(shapes.box()).wingedge.body("low")
    high = pyvista.Cube(center=(0, 0, 3)).clean().wingedge.body("high")
    assert closest(low, high).distance == 2.0


def test_it_says_what_is_convex_and_what_is_not():
    zoo = dict(shapes.zoo(non_convex=True))
    convex = to_polydata(shapes.icosphere(1)).wingedge
    assert convex.convexity().is_convex()
    assert convex.info() == "42 vertices, 120 edges, 80 faces, convex, genus 0"
    dented = next(
        to_polydata(m).wingedge
        for m in zoo.values()
        if not to_polydata(m).wingedge.convexity().is_convex()
    )
    assert "not convex" in dented.info()
