"""What an answer says: one contact, the work that was done, the state of a pair."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.body.hull_facets import KINDS as KINDS
from sim.body.hull_facets import Hulls, named
from sim.corners import level_corners
from wingedge import Feature, WingedEdgeMesh

if TYPE_CHECKING:
    from sim.body.body import Body
    from sim.body.revisions import MeshRevision
    from sim.region import Region

Float = np.float64
LETTERS = "VEF"
Vec = tuple[float, float, float]


class Work(NamedTuple):
    """Count what an answer cost."""

    steps: int = 0  # vertices stood on while climbing
    vertices: int = 0  # ring neighbours looked at
    faces: int = 0  # faces of the level parts; pairs of leaves that a search tested
    scans: int = 0  # scans over all vertices
    fallbacks: int = 0  # exhaustive searches


class Contact(NamedTuple):
    """One contact of a pair: a corner of its patch, or its own closest points."""

    kind: str  # "VF" "FV" "EE" ..., A's letter first
    feature_a: Feature
    feature_b: Feature
    point_a: NDArray[Float]  # (3,) world
    point_b: NDArray[Float]  # (3,) world
    normal: NDArray[Float]  # (3,) unit, from A to B
    distance: float  # signed


class Numbers(NamedTuple):
    """The plain numbers of one answer; everything else is decoded from them."""

    distance: float
    lower: float
    upper: float
    size: float
    normal: Vec
    point_a: Vec
    point_b: Vec
    dimension_a: int
    parts_a: tuple[int, ...]  # numbers of that dimension, ascending
    dimension_b: int
    parts_b: tuple[int, ...]
    corners: tuple[float, ...]  # 6 per corner: point on A, point on B
    labels: tuple[int, ...]  # 4 per corner: dimension and number on A, on B
    unique: bool
    proof: str  # "ring" "scan" "search" "epa" "none"
    reason: str  # why it is not certified, or a remark
    work: Work

    def mirrored(self) -> "Numbers":
        """Return the same answer with A and B exchanged.

        The corners run the other way: counter-clockwise about the turned normal.
        """
        x, y, z = self.normal
        n = (-x, -y, -z)
        corners: list[float] = []
        labels: list[int] = []
        for k in reversed(range(len(self.labels) // 4)):
            corners += self.corners[6 * k + 3 : 6 * k + 6]
            corners += self.corners[6 * k : 6 * k + 3]
            labels += self.labels[4 * k + 2 : 4 * k + 4]
            labels += self.labels[4 * k : 4 * k + 2]
        return self._replace(
            normal=n,
            point_a=self.point_b,
            point_b=self.point_a,
            dimension_a=self.dimension_b,
            parts_a=self.parts_b,
            dimension_b=self.dimension_a,
            parts_b=self.parts_a,
            corners=tuple(corners),
            labels=tuple(labels),
        )


class Source(Protocol):
    """An answer, decoded when somebody asks for more than its distance and work."""

    @property
    def distance(self) -> float:
        """Signed distance."""

    @property
    def lower(self) -> float:
        """Lower bound."""

    @property
    def upper(self) -> float:
        """Upper bound."""

    @property
    def size(self) -> float:
        """The scale of rounding."""

    @property
    def work(self) -> Sequence[int]:
        """The five counts of ``Work``."""

    def numbers(self) -> Numbers:
        """Decode."""


class Answer:
    """What is said of one closest pair, decoded when somebody asks; world frame."""

    __slots__ = ("_source",)

    _source: Numbers | Source

    @property
    def numbers(self) -> Numbers:
        """The plain numbers that everything is decoded from."""
        source = self._source
        if not isinstance(source, Numbers):
            self._source = source = source.numbers()
        return source

    @property
    def distance(self) -> float:
        """Signed distance of the two surfaces."""
        return self._source.distance

    @property
    def kind(self) -> str:
        """One of the nine kinds, A's letter first: VV VE EV EE VF FV EF FE FF."""
        n = self.numbers
        return LETTERS[n.dimension_a] + LETTERS[n.dimension_b]

    @property
    def point_a(self) -> NDArray[Float]:
        """The closest point on A, (3,)."""
        return np.array(self.numbers.point_a)

    @property
    def point_b(self) -> NDArray[Float]:
        """The closest point on B, (3,)."""
        return np.array(self.numbers.point_b)

    @property
    def normal(self) -> NDArray[Float]:
        """The unit normal from A to B, (3,)."""
        return np.array(self.numbers.normal)

    @property
    def patch(self) -> NDArray[Float]:
        """Where the closest points are not unique: the corners on A's side, (k, 3).

        Counter-clockwise about the normal; (0, 3) where they are unique.
        """
        n = self.numbers
        if n.unique:
            return np.zeros((0, 3))
        corners = np.array(n.corners, Float).reshape(-1, 2, 3)
        level = level_corners(n.distance, n.normal, n.corners, n.size)
        found: NDArray[Float] = corners[level, 0]
        return found


class PairState(Answer):
    """The closest features of two bodies in one frame; a value that never changes.

    World frame, length unit of the input.  ``distance`` is positive apart, exactly
    0.0 touching, negative overlapping (minus the least translation that separates);
    ``point_b == point_a + distance * normal`` and the unit ``normal`` points from A
    to B, also at 0.
    """

    __slots__ = (
        "_a",
        "_b",
        "_editions",
        "_frame",
        "_hulls",
        "_regime",
        "_regions",
    )

    def __init__(
        self,
        source: Numbers | Source,
        regime: str,
        frame: int,
        a: "Body",
        b: "Body",
        editions: "tuple[MeshRevision, MeshRevision] | None" = None,
        regions: "tuple[Region, ...]" = (),
        hulls: Hulls = (None, None),
    ) -> None:
        self._source = source
        self._regions = regions
        self._regime = regime
        self._frame = frame
        self._a = a
        self._b = b
        self._editions = (a.edition, b.edition) if editions is None else editions
        self._hulls = hulls

    @property
    def depth(self) -> float:
        """How deep the bodies overlap: ``max(0, -distance)``."""
        return max(0.0, -self._source.distance)

    @property
    def lower(self) -> float:
        """Proven: the true signed distance is at least this."""
        return self._source.lower

    @property
    def upper(self) -> float:
        """Proven: the true signed distance is at most this."""
        return self._source.upper

    @property
    def size(self) -> float:
        """The scale of rounding: the largest coordinate of what counts, and origins."""
        return self._source.size

    @property
    def certified(self) -> bool:
        """Whether ``upper - lower <= 1e-9 |distance| + 1e-14 size``."""
        n = self._source
        return n.upper - n.lower <= 1e-9 * abs(n.distance) + 1e-14 * n.size

    @property
    def proof(self) -> str:
        """What proves the bounds: "ring", "scan", "search", "epa" or "none"."""
        return self.numbers.proof

    @property
    def reason(self) -> str:
        """Why the answer is not certified, and what is odd about a body; else empty."""
        return self.numbers.reason

    @property
    def unique(self) -> bool:
        """Whether there is only one pair of closest points."""
        return self.numbers.unique

    @property
    def regime(self) -> str:
        """One of "separated", "contact" and "penetrating", with hysteresis."""
        return self._regime

    @property
    def frame(self) -> int:
        """The frame that this state answers for."""
        return self._frame

    @property
    def a(self) -> "Body":
        """The first body."""
        return self._a

    @property
    def b(self) -> "Body":
        """The second body."""
        return self._b

    @property
    def mesh_a(self) -> WingedEdgeMesh:
        """The mesh that the features of A are numbered by, whatever A has now."""
        return self._editions[0].mesh

    @property
    def mesh_b(self) -> WingedEdgeMesh:
        """The mesh that the features of B are numbered by, whatever B has now."""
        return self._editions[1].mesh

    @property
    def editions(self) -> "tuple[MeshRevision, MeshRevision]":
        """Which of their meshes the bodies had; see ``Body.replace``."""
        return self._editions

    @property
    def feature_a(self) -> Feature:
        """The level part of A around ``point_a``, by its lowest number."""
        n = self.numbers
        return named(self, 0, n.dimension_a, n.parts_a[0])

    @property
    def feature_b(self) -> Feature:
        """The level part of B around ``point_b``, by its lowest number."""
        n = self.numbers
        return named(self, 1, n.dimension_b, n.parts_b[0])

    @property
    def parts_a(self) -> tuple[Feature, ...]:
        """All faces (edges, the vertex) of A's level part, ascending."""
        n = self.numbers
        return tuple(named(self, 0, n.dimension_a, i) for i in n.parts_a)

    @property
    def parts_b(self) -> tuple[Feature, ...]:
        """All faces (edges, the vertex) of B's level part, ascending."""
        n = self.numbers
        return tuple(named(self, 1, n.dimension_b, i) for i in n.parts_b)

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """The contacts of the pair; empty while separated.

        The corners of the patch, each a vertex-face or edge-edge contact (the
        paper's reduction, section 4.1), or the closest pair itself; in an overlap of
        bodies that are not convex their deepest vertex, where it lies elsewhere.
        """
        if self._regime == "separated":
            return ()
        n = self.numbers
        normal = np.array(n.normal)
        if not n.labels:
            features = self.feature_a, self.feature_b
            points = self.point_a, self.point_b
            return (Contact(self.kind, *features, *points, normal, n.distance),)
        level = level_corners(n.distance, n.normal, n.corners, n.size)
        found = []
        for k in np.flatnonzero(level if level.all() else ~level).tolist():
            i, j, p, q = n.labels[4 * k : 4 * k + 4]
            found.append(
                Contact(
                    LETTERS[i] + LETTERS[p],
                    named(self, 0, i, j),
                    named(self, 1, p, q),
                    np.array(n.corners[6 * k : 6 * k + 3]),
                    np.array(n.corners[6 * k + 3 : 6 * k + 6]),
                    normal.copy(),
                    n.distance,
                )
            )
        return tuple(found)

    @property
    def regions(self) -> "tuple[Region, ...]":
        """All contacts at once, oldest first; empty unless regions are asked for."""
        return self._regions

    @property
    def work(self) -> Work:
        """What the answer cost."""
        return Work._make(self._source.work)

    def swapped(self) -> "PairState":
        """Return the same answer with A and B exchanged."""
        return PairState(
            self.numbers.mirrored(),
            self._regime,
            self._frame,
            self._b,
            self._a,
            (self._editions[1], self._editions[0]),
            tuple(region.mirrored() for region in self._regions),
            self._hulls[::-1],
        )

    def replace(self, **fields: Any) -> "PairState":
        """Return a copy with other fields, to test a checker; no value is checked.

        What follows from a field still does (``depth``), unless it is given, too.

        Raises
        ------
        TypeError
            If a state has no such field, naming those it has.
        """
        from sim.replaced import replaced

        return replaced(self, fields)

    @property
    def hulls(self) -> Hulls:
        """The triangles of the hulls that stand for bodies; None: it is itself."""
        return self._hulls

    def __repr__(self) -> str:
        """Tell the story of the frame in one line."""
        trust = "certified" if self.certified else "not certified"
        return (
            f"PairState({self._a.name}/{self._b.name}, frame {self._frame}, "
            f"{self._regime}, {self.kind} {self.feature_a} {self.feature_b}, "
            f"distance {self.distance:.9g}, {trust} by {self.proof})"
        )
