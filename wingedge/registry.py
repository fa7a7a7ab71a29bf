"""Find by name what the core needs and must not import, and say what is gone.

Packages say where names are; of public names of 0.2.0 that are gone there is one table.
"""

import sys
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any, Protocol, cast

HOMES: dict[str, str] = {}  # the module of every name, filled by the packages

# Goes in 0.4. docs/architecture.md says why.
PIECES = "one Body of any shape, or several that ignore each other: examples/pieces.py"
ONE = "put all into one manager, or ask for one object after the other"
INSTEAD: dict[str, str] = {
    "sim.between.passage.Passage.changes": "passage.events has those of a contact",
    "sim.between.passage.Passage.chord": "cut a curve into chords, each advanced along",
    "sim.between.passage.Passage.complete": "no change within a frame is proven",
    "sim.between.passage.Passage.path": "cut a curve into chords, each advanced along",
    "sim.bridges.collisions.CollisionManager.in_collision_other": ONE,
    "sim.bridges.collisions.CollisionManager.min_distance_other": ONE,
    "sim.bridges.collisions.scene_to_collision": "add_object for each of its nodes",
    "sim.Compound": PIECES,
    "sim.compound": PIECES,
    "sim.crosscheck": "a checkout has it as benchmarks/crosscheck.py",
    "sim.deform.modal": "deform.blend, of shapes that another solver of modes gave",
    "sim.deform.noise": "deform.lattice, of offsets drawn at random",
    "sim.planar": "examples/disk_triangle.py and two_segments.py",
    "sim.regions": "PairTracker(a, b, contact_distance=, regions=True)",
    "sim.story.comparing.difference.Comparison.junit": "write str()",
    "sim.story.comparing.difference.Comparison.markdown": "write str()",
    "viewer.NullScreen": "watch(world, 120, screen=...) with a class of your own",
    "viewer.OffScreen": "viewer.Scene: update(frame), then image()",
    "viewer.Recorder": "with world.record(path) around what steps the world",
    "viewer.demos": "examples/disk_triangle.py and two_segments.py",
    "viewer.process.ProcessScreen.image": "viewer.Scene has it",
    "viewer.process.ProcessScreen.lost_events": "the last 256 are told",
    "viewer.process.ProcessScreen.press": "layers=, and keys in its window",
    "viewer.window.window.WindowScreen.window": "the screen itself is the window",
    "wingedge.cover.Cover.repaired_by": "every cover is a new hull, by Qhull",
    "wingedge.edits.collapse_edge": "build the coarser mesh with from_faces",
    "wingedge.edits.join_faces": "build the mesh with larger faces with from_faces",
    "wingedge.primitives.disk_rectangle": "two triangles by disk_triangle",
    "wingedge.primitives.rectangle_rectangle": "segment_segment_2d of their edges",
    "wingedge.primitives.segment_body": "wingedge.spatial.Octree, its first_hit",
    "wingedge.primitives.triangle_triangle": "segment_triangle of the edges of both",
    "wingedge.primitives.triangle_triangle_2d": "segment_segment_2d of their edges",
    "wingedge.spatial.BruteForce": "wingedge.primitives, asked with all triangles",
    "wingedge.spatial.KDTree": "Octree; for points scipy.spatial.cKDTree",
}


def sentence(name: str) -> str | None:
    """Return what to use instead of a name, or None if it was never there."""
    return f"{name} is gone since 0.3: {INSTEAD[name]}" if name in INSTEAD else None


def attributes(owner: str) -> Callable[[object, str], Any]:
    """Make the ``__getattr__`` of a class of which some attributes are gone."""

    def get(self: object, name: str) -> Any:
        gone = sentence(f"{owner}.{name}")
        what = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(gone or what, name=name, obj=self)

    return get


class Finder:
    """An import hook that is asked last: for a module, or a name of a package."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Say what to use instead of a module that is gone; find none.

        Without the name of the module in the error, ``from sim import`` passes it on.
        """
        if gone := sentence(name):
            raise ModuleNotFoundError(gone)


sys.meta_path.append(Finder)


class _Wings(Protocol):
    """All that the core asks of modules that it must not import."""

    def check_flatness(self, mesh: Any, positions: Any) -> None: ...
    def check_positions(self, mesh: Any, positions: Any) -> None: ...
    def cut(self, mesh: Any, *, everything: bool) -> Any: ...
    def mesh_of(self, surface: object) -> Any: ...

    def cover_of(self, mesh: Any, points: Any, name: str) -> Any: ...
    def losses(self, body: Any, points: Any) -> Any: ...

    def make_tree(self, mesh: Any, room: dict[str, Any] | None = None) -> Any: ...
    def room_for(self, v: int, leaves: int) -> dict[str, Any]: ...
    def leaves_for(self, triangles: int) -> int: ...
    def make_search(self, a: Any, b: Any) -> Any: ...
    def keep_to(self, search: Any, n: Any, bodies: Any) -> None: ...

    HullTracker: type
    PaperTracker: type
    Recording: Any

    def RegionTracker(self, a: Any, b: Any, reach: float, tolerance: float) -> Any: ...
    def interval(self, buffers: Any, before: Any) -> Any: ...
    def searched(self, buffers: Any, *, enumerated: bool = False) -> Any: ...
    def explained(self, own: Any, start: Any, before: Any, state: Any) -> Any: ...

    def advance(self, tracker: Any, ends: Any, distance: float | None) -> Any: ...
    def EventTimes(self, stage: Any, dt: float) -> Any: ...
    def Move(self, start: Any, end: Any, start_map: Any, end_map: Any) -> Any: ...
    def PairPaths(self, a: Any, b: Any, ends: Any) -> Any: ...

    def LawRunner(self, law: Any, manager: Any, poses: Any, dt: float) -> Any: ...
    def unpack(self, data: bytes) -> dict[str, Any]: ...
    def recorded(
        self, file: Any, stage: Any, dt: float, *, notes: Any, resume: bool
    ) -> Any: ...


class _Lookup:
    """What goes by a name; its module is imported when it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(HOMES.get(name, __name__)), name)
        setattr(self, name, found)
        return found


wings = cast("_Wings", _Lookup())


def export(
    package: str, public: Collection[str], names: dict[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package that imports when asked.

    ``names`` says in which modules names live, several of a module parted by blanks;
    what is public and has no home is a module of the package itself (PEP 562).
    """
    HOMES.update((name, home) for home in names for name in names[home].split())

    def get(name: str) -> Any:
        if name not in public:
            gone = sentence(f"{package}.{name}")
            what = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(gone or what, name=name)
        own = name not in HOMES
        value = import_module(f"{package}.{name}") if own else getattr(wings, name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted({*vars(sys.modules[package]), *public})
