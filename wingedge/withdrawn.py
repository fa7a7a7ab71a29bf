"""Say of each public name of 0.2.0 that is gone what to use instead.

The one table of them all. Modules and names of packages are met by a last finder of
imports and by ``registry.export``; a class asks with ``attributes``.
"""

import sys
from collections.abc import Callable
from typing import Any

# Goes in 0.4. docs/decisions/0007-what-was-withdrawn.md says why.
PIECES = "one Body of any shape, or several that ignore each other: examples/pieces.py"
INSTEAD: dict[str, str] = {
    "sim.between.passage.Passage.changes": "passage.events has those of a contact",
    "sim.between.passage.Passage.chord": "cut a curve into chords, each advanced along",
    "sim.between.passage.Passage.complete": "no change within a frame is proven",
    "sim.between.passage.Passage.path": "cut a curve into chords, each advanced along",
    "sim.Compound": PIECES,
    "sim.compound": PIECES,
    "sim.crosscheck": "a checkout has it as benchmarks/crosscheck.py",
    "sim.planar": "examples/disk_triangle.py and two_segments.py",
    "sim.story.comparing.difference.Comparison.junit": "write markdown(), or str()",
    "viewer.demos": "examples/disk_triangle.py and two_segments.py",
    "wingedge.cover.Cover.repaired_by": "every cover is a new hull, by Qhull",
    "wingedge.primitives.disk_rectangle": "two triangles by disk_triangle",
    "wingedge.primitives.rectangle_rectangle": "triangle_triangle at z = 0, two each",
    "wingedge.primitives.segment_body": "wingedge.spatial.Octree, its first_hit",
    "wingedge.primitives.triangle_triangle_2d": "triangle_triangle at z = 0",
    "wingedge.spatial.BruteForce": "wingedge.primitives, asked with all triangles",
    "wingedge.spatial.KDTree": "Octree; for points scipy.spatial.cKDTree",
}


def sentence(name: str) -> str | None:
    """Return what to use instead of a name, or None if it was never there."""
    instead = INSTEAD.get(name)
    return None if instead is None else f"{name} is gone since 0.3: {instead}"


def attributes(owner: str) -> Callable[[object, str], Any]:
    """Make the ``__getattr__`` of a class of which some attributes are gone."""

    def get(self: object, name: str) -> Any:
        gone = sentence(f"{owner}.{name}")
        what = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(gone or what, name=name, obj=self)

    return get


class Finder:
    """The last that is asked for a module, and for a name that a package has not."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Say what to use instead; nothing of modules that never were.

        Without the name of the module in the error, ``from sim import`` passes it on.
        """
        if gone := sentence(name):
            raise ModuleNotFoundError(gone)


sys.meta_path.append(Finder)
