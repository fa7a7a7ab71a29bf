"""Represent a closed surface by five frozen index arrays and its positions.

A name is imported when it is first asked for (PEP 562).
"""

import typing

from wingedge import registry as _registry

# Where lives what this package promises, and what the mesh asks the registry for.
_NAMES = {
    "wingedge.check": "check_fans check_flatness check_positions validate",
    "wingedge.convex": "ConvexityReport convexity",
    "wingedge.errors": "ConvexityError MeshError",
    "wingedge.features": "Feature",
    "wingedge.graph": "neighbours",
    "wingedge.hull": "convex_hull",
    "wingedge.io": "from_polydata read read_pieces write",
    "wingedge.mesh": "WingedEdgeMesh",
}
_registry.register(_NAMES)

if typing.TYPE_CHECKING:
    from wingedge import edits, geometry, graph, primitives, shapes, spatial
    from wingedge.check import validate
    from wingedge.convex import ConvexityReport, convexity
    from wingedge.errors import ConvexityError, MeshError
    from wingedge.features import Feature
    from wingedge.graph import neighbours
    from wingedge.hull import convex_hull
    from wingedge.io import from_polydata, read, read_pieces, write
    from wingedge.mesh import WingedEdgeMesh
else:

    def __getattr__(name):
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"module 'wingedge' has no attribute {name!r}")
        if name not in _registry.HOMES:
            return import_module(f"wingedge.{name}")
        value = globals()[name] = _registry.find(name)
        return value

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
