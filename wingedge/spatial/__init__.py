"""Index many triangles for queries: an octree and a BSP tree.

Both give the same answers; which is faster when is measured in docs/articles.md.
"""

from wingedge import registry as _registry
from wingedge.spatial.rules import BSPTree, Octree
from wingedge.spatial.tree import FirstHit, NearestTriangle, TriangleIndex

__all__ = ["BSPTree", "FirstHit", "NearestTriangle", "Octree", "TriangleIndex"]
__getattr__, __dir__ = _registry.export(__name__, __all__, {})
