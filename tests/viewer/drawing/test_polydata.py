import numpy as np  # of viewer.drawing.skin
import pytest

from viewer import to_polydata
from wingedge import WingedEdgeMesh, shapes

ZOO = list(shapes.zoo(non_convex=True))
zoo = pytest.mark.parametrize(
    "mesh", [m for _, m in ZOO], ids=[name for name, _ in ZOO]
)


@zoo
def test_polydata_and_back_keeps_polygons_and_numbers(mesh):
    pytest.importorskip("pyvista")
    from wingedge import from_polydata

    data = to_polydata(mesh)
    for f in range(mesh.n_faces):
        assert data.get_cell(f).point_ids == mesh.face_vertices(f).tolist()
    again = from_polydata(data)
    assert isinstance(again, WingedEdgeMesh)
    np.testing.assert_array_equal(again.points, mesh.points)
    np.testing.assert_array_equal(again.edge_vertices, mesh.edge_vertices)
    np.testing.assert_array_equal(again.edge_faces, mesh.edge_faces)


def test_other_positions_can_be_shown():
    pytest.importorskip("pyvista")
    mesh = shapes.box()
    moved = mesh.points * 3.0
    data = to_polydata(mesh, moved)
    np.testing.assert_array_equal(data.points, moved)
    assert not np.shares_memory(data.points, moved)
    assert data.points.dtype == np.float64
