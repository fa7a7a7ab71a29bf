"""sim.body.body: positions out of other people's arrays."""

import numpy as np
import pytest

from sim import Body
from wingedge import shapes


def test_what_speaks_dlpack_alone_goes_through_numpy():
    class Packed:
        def __init__(self, numbers):
            self.__dlpack__ = numbers.__dlpack__
            self.__dlpack_device__ = numbers.__dlpack_device__

    body = Body(shapes.box())
    new = 2.0 * body.mesh.points
    body.points = np.from_dlpack(Packed(new))
    assert np.array_equal(body.positions, new)


def test_a_pyvista_dataset_is_a_body_with_its_numbers():
    pyvista = pytest.importorskip("pyvista", reason="it is in the extra 'viewer'")
    ball = pyvista.Icosphere(radius=1.0, nsub=1)
    body = Body(ball)
    assert np.array_equal(body.mesh.points, ball.points.astype(float))
    faces = [list(body.mesh.face_vertices(f)) for f in range(body.mesh.n_faces)]
    assert np.array_equal(faces, ball.regular_faces)
    body.points = 2.0 * ball.points
    assert np.ptp(body.positions) == pytest.approx(4.0)
