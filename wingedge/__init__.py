"""Represent a closed surface by five frozen index arrays and its positions."""

import typing

from wingedge.check import validate
from wingedge.convexity import ConvexityReport, convexity
from wingedge.errors import ConvexityError, MeshError
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh

if typing.TYPE_CHECKING:
    from wingedge import edits, geometry, graph, primitives, shapes, spatial
    from wingedge.graph import neighbours
    from wingedge.hull import convex_hull
    from wingedge.io import from_polydata, read, read_pieces, write
else:
    _HOMES = {"convex_hull": "hull", "neighbours": "graph"}

    def __getattr__(name):  # what a mesh does not need, when it is first asked for
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"module 'wingedge' has no attribute {name!r}")
        if name in ("edits", "geometry", "graph", "primitives", "shapes", "spatial"):
            return import_module(f"wingedge.{name}")
        return getattr(import_module(f"wingedge.{_HOMES.get(name, 'io')}"), name)

    def __dir__():
        return sorted({*globals(), *__all__})


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
