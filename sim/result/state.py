"""The state of a pair in one frame: one row of numbers, read when asked."""

from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body, attribute
from sim.body.revisions import MeshRevision
from sim.kernels.layout import ABSOLUTE, RELATIVE
from sim.result.answer import (
    LETTERS,
    Answer,
    Contact,
    Hulls,
    Numbers,
    RowBlock,
    Work,
    level_corners,
)
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh


class Region(Answer):
    """One of all contacts of a pair: a connected part where the surfaces are near.

    World frame; a value that never changes.  What is said of features, distance and
    points is said of its closest pair; where that is flat, of the first of equals.
    Surfaces that cross are 0 apart, never less: there the closest pair is an edge and
    the face that it passes through.

    Attributes: ``identity``: kept from frame to frame, never given again; ``faces`` (n,
    2) int32: all pairs of faces, of A and of B, that are near; ascending, read-only.
    """

    __slots__ = ("faces", "identity")

    def __init__(
        self, identity: int, numbers: Numbers, faces: NDArray[np.int32]
    ) -> None:
        self.identity, self.faces = identity, faces
        self._block, self._at = RowBlock.of(numbers), 0

    def mirrored(self) -> "Region":
        """Return the same region with A and B exchanged."""
        a, b = self.faces.T
        faces = np.stack([b, a], axis=1)[np.lexsort((a, b))]
        faces.setflags(write=False)
        return Region(self.identity, self.numbers.mirrored(), faces)

    def __reduce__(self) -> tuple[Any, ...]:
        return Region, (self.identity, self.numbers, self.faces)

    def __repr__(self) -> str:
        return (
            f"Region(#{self.identity}, {self.kind} {self.feature_a} {self.feature_b}, "
            f"distance {self.distance:.9g}, {len(self.faces)} pairs of faces)"
        )


class BodyPair(NamedTuple):
    """Two bodies of an answer, and what it says beside its row."""

    a: Body
    b: Body
    editions: tuple[MeshRevision, MeshRevision]  # which of their meshes they had
    regions: tuple[Region, ...] = ()
    hulls: Hulls = (None, None)


class PairState(Answer):
    """The closest features of two bodies in one frame; a value that never changes.

    World frame, length unit of the input.  ``distance`` is positive apart, exactly
    0.0 touching, negative overlapping (minus the least translation that separates);
    ``point_b == point_a + distance * normal`` and the unit ``normal`` points from A
    to B, also at 0.
    """

    __slots__ = ("_distance", "_frame", "_pair", "_regime")
    _distance: float
    _frame: int
    _pair: BodyPair
    _regime: str

    @classmethod
    def of(
        cls,
        numbers: Numbers,
        regime: str,
        frame: int,
        a: Body,
        b: Body,
        editions: tuple[MeshRevision, MeshRevision] | None = None,
        regions: tuple[Region, ...] = (),
        hulls: Hulls = (None, None),
    ) -> Self:
        """Return the state that says these numbers of two bodies."""
        self = cls()
        self._block, self._at = RowBlock.of(numbers), 0
        self._distance, self._regime, self._frame = numbers.distance, regime, frame
        revisions = editions or (a.edition, b.edition)
        self._pair = BodyPair(a, b, revisions, regions, hulls)
        return self

    distance: float = attribute("_distance", "Signed distance of the two surfaces.")
    proof: str = attribute(
        "numbers.proof", 'What proves it: "ring", "scan", "search", "epa" or "none".'
    )
    reason: str = attribute(
        "numbers.reason", "Why not certified, and what is odd about a body; or empty."
    )
    unique: bool = attribute(
        "numbers.unique", "Whether there is only one pair of closest points."
    )
    work: Work = attribute("numbers.work", "What the answer cost.")
    regime: str = attribute(
        "_regime", 'One of "separated", "contact" and "penetrating", with hysteresis.'
    )
    frame: int = attribute("_frame", "The frame that this state answers for.")
    a: Body = attribute("_pair.a", "The first body.")
    b: Body = attribute("_pair.b", "The second body.")
    editions: tuple[MeshRevision, MeshRevision] = attribute(
        "_pair.editions", "Which of their meshes the bodies had; see ``Body.replace``."
    )
    regions: tuple[Region, ...] = attribute(
        "_pair.regions", "All contacts, oldest first; empty unless they are asked for."
    )
    hulls: Hulls = attribute(
        "_pair.hulls", "Triangles of the hulls that stand for bodies; None: no hull."
    )

    @property
    def depth(self) -> float:
        """How deep the bodies overlap: ``max(0, -distance)``."""
        distance: float = self.distance
        return max(0.0, -distance)

    @property
    def certified(self) -> bool:
        """Whether ``upper - lower <= 1e-9 |distance| + 1e-14 size``."""
        limit: float = RELATIVE * abs(self.distance) + ABSOLUTE * self.size
        return self.upper - self.lower <= limit

    @property
    def mesh_a(self) -> WingedEdgeMesh:
        """The mesh that the features of A are numbered by, whatever A has now."""
        return self._pair[2][0].mesh

    @property
    def mesh_b(self) -> WingedEdgeMesh:
        """The mesh that the features of B are numbered by, whatever B has now."""
        return self._pair[2][1].mesh

    @property
    def parts_a(self) -> tuple[Feature, ...]:
        """All faces (edges, the vertex) of A's level part, ascending."""
        n = self.numbers
        return tuple(self.named(0, n.dimension_a, i) for i in n.parts_a)

    @property
    def parts_b(self) -> tuple[Feature, ...]:
        """All faces (edges, the vertex) of B's level part, ascending."""
        n = self.numbers
        return tuple(self.named(1, n.dimension_b, i) for i in n.parts_b)

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """The contacts of the pair; empty while separated.

        The corners of the patch, each a vertex-face or edge-edge contact (the
        paper's reduction, section 4.1), or the closest pair itself; in an overlap of
        bodies that are not convex their deepest vertex, where it lies elsewhere.
        """
        if self.regime == "separated":
            return ()
        n = self.numbers
        normal = np.array(n.normal)
        if not n.labels:
            features = self.feature_a, self.feature_b
            points = self.point_a, self.point_b
            return (Contact(self.kind, *features, *points, normal, n.distance),)
        level = level_corners(n.distance, n.normal, n.corners, n.size)
        contacts = []
        for k in np.flatnonzero(level if level.all() else ~level).tolist():
            i, j, p, q = n.labels[4 * k : 4 * k + 4]
            features = self.named(0, i, j), self.named(1, p, q)
            kind, m = LETTERS[i] + LETTERS[p], 6 * k
            points = np.array(n.corners[m : m + 3]), np.array(n.corners[m + 3 : m + 6])
            contact = Contact(kind, *features, *points, normal.copy(), n.distance)
            contacts.append(contact)
        return tuple(contacts)

    def swapped(self) -> "PairState":
        """Return the same answer with A and B exchanged."""
        said = self.numbers.mirrored(), self._regime, self._frame
        pair = self.b, self.a, self.editions[::-1]
        regions = tuple(region.mirrored() for region in self.regions)
        return PairState.of(*said, *pair, regions, self.hulls[::-1])

    def replace(self, **fields: Any) -> "PairState":
        """Return a copy with other fields, to test a checker; no value is checked.

        What follows from a field still does (``depth``), unless it is given, too.

        Raises TypeError if a state has no such field, naming those it has.
        """
        every = ((name, getattr(PairState, name)) for name in dir(PairState))
        known = [k for k, of in every if isinstance(of, property) and k != "numbers"]
        if unknown := sorted(fields.keys() - set(known)):
            raise TypeError(
                f"a state has no field {unknown[0]!r}; it has {', '.join(known)}"
            )
        plain = fields.keys() & set(Numbers._fields) - {"parts_a", "parts_b"}
        numbers = self.numbers._replace(**{name: fields[name] for name in plain})
        # A class of its own, whose attributes are what was given.
        own = {"__slots__": (), "numbers": numbers, **fields}
        own["__reduce__"] = lambda _: (partial(PairState.replace, self, **fields), ())
        made: PairState = type("PairState", (type(self),), own)()
        for name in (*Answer.__slots__, *PairState.__slots__):
            setattr(made, name, getattr(self, name))
        return made

    def named(self, side: int, dimension: int, number: int) -> Feature:
        """Name a feature of A (side 0) or B; one beyond those of the mesh is a lid.

        After the edges come the half-edges of the hull's triangles, after the faces the
        triangles.
        """
        if dimension > 0:
            mesh = self._pair[2][side].mesh
            beyond = number - (mesh.n_edges if dimension == 1 else mesh.n_faces)
            faces = self.hulls[side]
            if beyond >= 0 and faces is not None:
                k, s = divmod(beyond, 3) if dimension == 1 else (beyond, 0)
                corners = faces[k].tolist()
                ends = sorted((corners[s], corners[(s + 1) % 3]))
                return Feature.lid(ends if dimension == 1 else corners)
        return super().named(side, dimension, number)

    def __reduce__(self) -> tuple[Any, ...]:
        return PairState.of, (self.numbers, self._regime, self._frame, *self._pair)

    def __repr__(self) -> str:
        trust = "certified" if self.certified else "not certified"
        return (
            f"PairState({self.a.name}/{self.b.name}, frame {self._frame}, "
            f"{self._regime}, {self.kind} {self.feature_a} {self.feature_b}, "
            f"distance {self.distance:.9g}, {trust} by {self.proof})"
        )
