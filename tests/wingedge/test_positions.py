import numpy as np

from wingedge import WingedEdgeMesh, shapes
from wingedge.geometry import positions_of
from wingedge.positions import extent

BOX = shapes.box()
FACES = [BOX.face_vertices(f).tolist() for f in range(6)]


def test_any_sane_unit_will_do_and_given_positions_are_used():
    for scale in [1e-49, 1e-6, 1.0, 1e6, 1e49]:
        for _, mesh in shapes.zoo():
            built = WingedEdgeMesh.from_faces(mesh.points * scale, mesh.fan.vertex)
            assert built.n_vertices == mesh.n_vertices
    points = BOX.points + 1
    assert positions_of(BOX, points) is points
    assert positions_of(BOX, None) is BOX.points
    assert positions_of(BOX, points.tolist()).tolist() == points.tolist()


def test_extent_measures_from_the_centre_of_the_box_and_rounds_at_its_far_side():
    about = extent(np.array([[1.0, 2, 3], [3, 8, 5]]))
    assert about.centre.tolist() == [2, 5, 4]
    assert about.size == 3
    assert about.noise == 8 * 2.0**-52 * 8
    assert extent(np.array([[-9.0, 0, 0], [1, 0, 0]])).noise == 8 * 2.0**-52 * 9
