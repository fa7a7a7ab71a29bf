"""Bodies that more than one test of bodies is about."""

import numpy as np
import pytest

from wingedge import WingedEdgeMesh


@pytest.fixture
def groove():
    """A mesh, and positions where a triangle of no width is the bottom of a groove."""
    rest = np.array(
        [
            [-1, 0, 0],
            [1, 0, 0],
            [0, -0.01, 0.01],
            [0, 1, -0.5],
            [0, -1, -0.5],
            [0, 0, -3],
        ]
    )
    faces = [[0, 1, 3], [0, 2, 1], [1, 2, 4], [2, 0, 4]]
    faces += [[1, 5, 3], [3, 5, 0], [0, 5, 4], [4, 5, 1]]
    mesh = WingedEdgeMesh.from_faces(rest, faces)
    grooved = mesh.points.copy()
    grooved[2:5] = [[0, 0, 0], [0, 1, 0.4], [0, -1, 0.4]]
    return mesh, grooved
