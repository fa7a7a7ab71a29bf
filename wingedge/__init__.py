"""What a body is: a closed surface as five frozen index arrays and its positions."""

from wingedge import shapes
from wingedge.convexity import convexity
from wingedge.errors import ConvexityError, MeshError
from wingedge.features import Feature, neighbours
from wingedge.hull import convex_hull
from wingedge.mesh import WingedEdgeMesh

__all__ = [
    "ConvexityError",
    "Feature",
    "MeshError",
    "WingedEdgeMesh",
    "convex_hull",
    "convexity",
    "neighbours",
    "shapes",
]

__version__ = "0.1.0"
