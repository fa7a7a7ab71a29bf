"""Index many triangles for queries: an octree, a BSP tree, a k-d tree.

All give the same answers, those of `BruteForce`; which is fastest when is measured in
docs/many_triangles.md.
"""

from wingedge.spatial.bsp import BSPTree
from wingedge.spatial.index import BruteForce, FirstHit, NearestTriangle, TriangleIndex
from wingedge.spatial.tree import KDTree, Octree

__all__ = [
    "BSPTree",
    "BruteForce",
    "FirstHit",
    "KDTree",
    "NearestTriangle",
    "Octree",
    "TriangleIndex",
]
