"""trimesh: its meshes as ours, and ours as its.

The look-alike of its manager of collisions stands in ``sim.bridges.collisions``.
"""

from typing import Any

import numpy as np

from sim.body.body import Body
from wingedge import WingedEdgeMesh
from wingedge.io.reading import mesh_of


def from_trimesh(mesh: Any) -> WingedEdgeMesh:
    """Build a mesh from a ``trimesh.Trimesh``; ``Body(mesh)`` does the same by itself.

    Faces keep their numbers, vertices at exactly the same place are welded.  Raises
    MeshError if the surface is not closed, with the element.
    """
    return mesh_of(mesh)


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
