"""trimesh: our meshes as its; ``Body(mesh)`` takes its own.

The look-alike of its manager of collisions stands in ``sim.bridges.collisions``.
"""

from typing import Any

import numpy as np

from sim.body.body import Body
from wingedge import WingedEdgeMesh


def to_trimesh(body: Body | WingedEdgeMesh) -> Any:
    """Build a ``trimesh.Trimesh`` of a mesh, or of a body where it is in the world.

    Vertices keep their numbers; ``metadata["faces"]`` has the face of each triangle.
    """
    import trimesh

    mesh = body.mesh if isinstance(body, Body) else body
    points = body.world_points() if isinstance(body, Body) else body.points
    made = trimesh.Trimesh(points, mesh.fan.vertex.copy(), process=False)
    made.metadata["faces"] = np.array(mesh.fan.face)
    return made
