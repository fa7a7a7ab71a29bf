"""Represent a closed surface by five frozen index arrays and its positions.

A name is imported when it is first asked for (PEP 562).
"""

import typing

from wingedge import registry as _registry

__all__ = [
    "ConvexityError",
    "ConvexityReport",
    "Feature",
    "MeshError",
    "WingedEdgeMesh",
    "convex_hull",
    "convexity",
    "edits",
    "from_polydata",
    "geometry",
    "neighbours",
    "primitives",
    "read",
    "read_pieces",
    "shapes",
    "spatial",
    "validate",
    "write",
]

__version__ = "0.2.0"

# Where lives what this package promises, and what the mesh asks the registry for.
_NAMES = {
    "wingedge.check": "check_flatness check_positions cut validate",
    "wingedge.convex": "ConvexityReport convexity",
    "wingedge.errors": "ConvexityError MeshError",
    "wingedge.features": "Feature",
    "wingedge.hull": "convex_hull",
    "wingedge.io": "write",
    "wingedge.io.reading": "from_polydata mesh_of read read_pieces",
    "wingedge.mesh": "WingedEdgeMesh neighbours",
}
if typing.TYPE_CHECKING:
    from wingedge import edits, geometry, primitives, shapes, spatial
    from wingedge.check import validate
    from wingedge.convex import ConvexityReport, convexity
    from wingedge.errors import ConvexityError, MeshError
    from wingedge.features import Feature
    from wingedge.hull import convex_hull
    from wingedge.io import write
    from wingedge.io.reading import from_polydata, read, read_pieces
    from wingedge.mesh import WingedEdgeMesh, neighbours
else:
    __getattr__, __dir__ = _registry.export(__name__, __all__, _NAMES)
