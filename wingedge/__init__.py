"""Represent a closed surface by five frozen index arrays and its positions."""

from wingedge import edits, geometry, graph, primitives, shapes, spatial
from wingedge.check import validate
from wingedge.convexity import ConvexityReport, convexity
from wingedge.errors import ConvexityError, MeshError
from wingedge.features import Feature
from wingedge.graph import neighbours
from wingedge.hull import convex_hull
from wingedge.io import from_polydata, read, read_pieces, write
from wingedge.mesh import WingedEdgeMesh

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
    "graph",
    "neighbours",
    "primitives",
    "read",
    "read_pieces",
    "shapes",
    "spatial",
    "validate",
    "write",
]

__version__ = "0.1.0"
