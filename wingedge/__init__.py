"""What a body is: a closed surface as five frozen index arrays and its positions."""

from wingedge.errors import ConvexityError, MeshError
from wingedge.features import Feature, neighbours
from wingedge.mesh import WingedEdgeMesh

__all__ = [
    "ConvexityError",
    "Feature",
    "MeshError",
    "WingedEdgeMesh",
    "neighbours",
]

__version__ = "0.1.0"
