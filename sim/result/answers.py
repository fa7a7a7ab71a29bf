"""Many answers, a row each: their numbers as arrays, a state when one is asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.kernels import trajectory as row
from sim.kernels.layout import ABSOLUTE, RELATIVE
from sim.result.answer import LETTERS, PROOFS, AnswerArrays, decoded, patch_areas
from sim.result.state import PairState
from wingedge.tables import ranges

if TYPE_CHECKING:
    from sim.body.body import Body
    from sim.body.revisions import MeshRevision

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)
NAMED = ("feature_a", "feature_b")
TOLD = ("area", "lower", "upper", "certified", "regime", "kind", *NAMED)
PLACES = ("point_a", "point_b", "normal")
REGIMES = ("separated", "contact", "penetrating")  # as the kernels number them
POOL = 64  # places that a pool begins with
POOL_LIMIT = 2**31 - 1  # places are counted by int32
Whose = tuple[int, "Body", "Body", tuple["MeshRevision", "MeshRevision"]]


def column(at: int, doc: str, width: int = 1) -> Any:
    """Return a property: numbers of all rows, a copy, (R,) or of a vector (R, 3)."""
    of = at if width == 1 else slice(at, at + width)
    return property(lambda self: self.numbers[: len(self), of].copy(), doc=doc)


class Answers(AnswerArrays, Sequence[PairState]):
    """Rows of answers, R of them, in memory that the kernels write.

    A state is decoded when it is asked for.  One that says more than a row can, a
    reason, regions, is kept as it is.
    """

    editions: Sequence[MeshRevision]  # of all bodies that rows are of

    def __init__(self, rows: int) -> None:
        super().__init__(rows, POOL + 2 * rows, POOL)
        self.kept: dict[int, PairState] = {}

    @abstractmethod
    def whose(self, k: int) -> Whose:
        """Return the frame of a row, its bodies, and which meshes they had."""

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[PairState]:
        """Go through the states in order."""
        return map(self.state, range(len(self)))

    # --- arrays ----------------------------------------------------------------------

    distance: Vector = column(row.DISTANCE, "Signed distance of the surfaces, (R,).")
    lower: Vector = column(row.LOWER, "Proven: the distance is at least this, (R,).")
    upper: Vector = column(row.UPPER, "Proven: the distance is at most this, (R,).")
    size: Vector = column(row.SIZE, "The scale of rounding, (R,).")
    point_a: Vector = column(row.POINT_A, "The closest points on A, (R, 3).", 3)
    point_b: Vector = column(row.POINT_B, "The closest points on B, (R, 3).", 3)
    normal: Vector = column(row.NORMAL, "The unit normals from A to B, (R, 3).", 3)

    @property
    def certified(self) -> NDArray[np.bool_]:
        """Whether the bounds certify the distance, (R,); see ``PairState``."""
        limit = RELATIVE * np.abs(self.distance) + ABSOLUTE * self.size
        return np.asarray(self.upper - self.lower <= limit)

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Whether there is only one pair of closest points, (R,)."""
        return np.asarray(self._fact(row.UNIQUE) == 1)

    @property
    def kind(self) -> NDArray[np.str_]:
        """The kinds, A's letter first, (R,): VV VE EV EE VF FV EF FE FF."""
        a, b = row.DIMENSION_A, row.DIMENSION_B
        kinds = np.array([[a + b for b in LETTERS] for a in LETTERS])
        return np.asarray(kinds[self._fact(a), self._fact(b)])

    @property
    def regime(self) -> NDArray[np.str_]:
        """The regimes, (R,): "separated", "contact" or "penetrating"."""
        return np.array(REGIMES)[self._fact(row.REGIME_NOW)]

    @property
    def feature_a(self) -> NDArray[np.int32]:
        """The closest features of A, (R, 2): dimension (0 vertex ...) and number."""
        return self._feature(row.DIMENSION_A, self._fact(row.PARTS_AT))

    @property
    def feature_b(self) -> NDArray[np.int32]:
        """The closest features of B, (R, 2): dimension (0 vertex ...) and number."""
        at = self._fact(row.PARTS_AT) + self._fact(row.PARTS_A)
        return self._feature(row.DIMENSION_B, at)

    @property
    def area(self) -> Vector:
        """The areas of the patches along the normals, (R,); of points and lines 0."""
        counts, areas = self._fact(row.CORNERS), np.zeros(len(self))
        rows = np.flatnonzero((counts > 0) & ~self.unique)
        counts, at = counts[rows], self._fact(row.CORNERS_AT)[rows]
        corners = self.corners.reshape(-1, 6)[ranges(at, counts)]
        said = self.distance[rows], self.normal[rows], corners, self.size[rows]
        areas[rows] = patch_areas(*said, starts=np.cumsum(counts) - counts)
        return areas

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return what tables tell of every row, features by name."""
        distance = self.distance
        columns = {"distance": distance, "depth": np.maximum(0.0, -distance)}
        columns |= {name: getattr(self, name) for name in (*TOLD, *PLACES)}
        columns |= {name: self._names(columns[name], name) for name in NAMED}
        if any(edition.mesh.part_names for edition in self.editions):
            columns |= {f"part_{side}": self._parts(side) for side in "ab"}
        return columns

    def _parts(self, side: str) -> NDArray[np.str_]:
        """Name the parts that the features of A or of B are of."""
        of = ((getattr(s, f"mesh_{side}"), getattr(s, f"feature_{side}")) for s in self)
        return np.array([mesh.part_of(feature) for mesh, feature in of], np.str_)

    def _names(self, features: NDArray[np.int32], name: str) -> NDArray[np.str_]:
        """Write features down, ``v12``, of states that are kept as they say."""
        texts = [f"{'vef'[dimension]}{index}" for dimension, index in features.tolist()]
        for k, state in self.kept.items():
            texts[k] = str(getattr(state, name))
        return np.array(texts, np.str_)

    def _fact(self, k: int) -> NDArray[np.int32]:
        return self.facts[: len(self), k]

    def _feature(self, dimension: int, at: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.stack([self._fact(dimension), self.parts[at]], axis=1)

    # --- rows ------------------------------------------------------------------------

    def state(self, k: int) -> PairState:
        """Return the state of a row; it outlives the rows."""
        if k in self.kept:
            return self.kept[k]
        frame, a, b, editions = self.whose(k)
        numbers = decoded(self, k)
        regime = REGIMES[self.facts[k, row.REGIME_NOW]]
        return PairState.of(numbers, regime, frame, a, b, editions)

    def make_room(self, parts: int, corners: int) -> None:
        """Have room for so many parts and corners in all."""
        self.parts = grown(self.parts, parts)
        self.labels = grown(self.labels, 4 * corners)
        self.corners = grown(self.corners, 6 * len(self.labels) // 4)

    def put(self, k: int, state: PairState) -> None:
        """Write the row of a state; the pools grow where it does not fit."""
        n = state.numbers
        hulls = any(faces is not None for faces in state.hulls)
        said = n.reason or state.regions or hulls
        if said or type(state) is not PairState:
            self.kept[k] = state
        parts = n.parts_a + n.parts_b
        corners = len(n.labels) // 4
        end = self.corners_used + corners
        self.make_room(self.parts_used + len(parts), end)
        vectors = *n.normal, *n.point_a, *n.point_b
        self.numbers[k] = (n.distance, n.lower, n.upper, n.size, *vectors)
        self.facts[k] = (
            n.dimension_a,
            n.dimension_b,
            self.parts_used,
            len(n.parts_a),
            len(n.parts_b),
            self.corners_used,
            corners,
            int(n.unique),
            PROOFS.index(n.proof),
            REGIMES.index(state.regime),
            *n.work,
        )
        self.parts[self.parts_used : self.parts_used + len(parts)] = parts
        self.corners[6 * self.corners_used : 6 * end] = n.corners
        self.labels[4 * self.corners_used : 4 * end] = n.labels
        self.parts_used += len(parts)
        self.corners_used = end


class PairAnswers(Answers):
    """The pairs of one frame: a sequence of states, and columns of their numbers.

    ``frame.pairs[k]`` is a ``PairState``, decoded when asked; ``frame.pairs.distance``
    and the other attributes are arrays, one row a pair, in the same order.

    Attributes: ``ends`` (P, 2): the places of A and B among the bodies of the frame.
    """

    def __init__(
        self,
        frame: int,
        bodies: Sequence[Body],
        editions: Sequence[MeshRevision],
        ends: NDArray[np.int32],
    ) -> None:
        super().__init__(len(ends))
        self._length = len(ends)
        self.frame = frame
        self.bodies = bodies
        self.editions = editions
        self.ends = ends

    @classmethod
    def of(cls, states: Iterable[PairState], ends: ArrayLike) -> Self:
        """Return states that are there as pairs; ``ends`` (P, 2): places of A and B."""
        kept = tuple(states)
        places = np.array(ends, np.int32).reshape(-1, 2)
        made = cls(kept[0].frame if kept else -1, (), (), places)
        for k, state in enumerate(kept):
            made.put(k, state)
        made.kept = dict(enumerate(kept))
        return made

    @property
    def a(self) -> NDArray[np.int32]:
        """The place of each A among the bodies of the frame, (P,)."""
        return self.ends[:, 0]

    @property
    def b(self) -> NDArray[np.int32]:
        """The place of each B among the bodies of the frame, (P,)."""
        return self.ends[:, 1]

    @property
    def regimes(self) -> NDArray[np.int32]:
        """The regimes as the kernels number them, (P,)."""
        return self._fact(row.REGIME_NOW)

    @property
    def says_more(self) -> Mask:
        """Which pairs have a patch, or are kept as states, (P,)."""
        more: Mask = self._fact(row.CORNERS) > 0
        more[list(self.kept)] = True
        return more

    @property
    def meets(self) -> Mask:
        """Which pairs are not separated, (P,)."""
        return np.asarray(self.regimes != row.SEPARATED)

    def where(self, rows: Mask | NDArray[np.integer]) -> PairAnswers:
        """Return some of the pairs, by a mask or their rows, as rows of their own."""
        if rows.dtype == bool:
            rows = rows.nonzero()[0]
        ends = self.ends.take(rows, axis=0)
        some = object.__new__(type(self))
        some.__dict__.update(self.__dict__)
        some.ends, some._length, some.kept = ends, len(ends), {}
        some.numbers = self.numbers.take(rows, axis=0)
        some.facts = self.facts.take(rows, axis=0)
        if self.kept:
            at = {k: m for m, k in enumerate(rows.tolist())}
            some.kept = {at[k]: s for k, s in self.kept.items() if k in at}
        return some

    def pairs(self) -> list[tuple[int, int]]:
        """Return the places of the bodies of every row."""
        return list(map(tuple, self.ends.tolist()))

    def row_of(self, i: int, j: int) -> int:
        """Return the row of two bodies by their places, or -1."""
        rows = np.flatnonzero((self.ends[:, 0] == i) & (self.ends[:, 1] == j))
        return int(rows[0]) if len(rows) else -1

    def edited_since(self, before: PairAnswers) -> Mask:
        """Say of which pairs a body had another mesh in the frame before, (P,)."""
        both = zip(self.editions, before.editions or self.editions, strict=True)
        edited = np.array([now is not then for now, then in both], bool)
        return np.asarray(edited[self.ends].any(axis=1))

    def whose(self, k: int) -> Whose:
        """Return the frame, the bodies of a row, and which meshes they had."""
        i, j = self.ends[k].tolist()
        pair = self.bodies[i], self.bodies[j]
        return self.frame, *pair, (self.editions[i], self.editions[j])

    def __getitem__(self, k: Any) -> Any:
        """Return the state of a pair by its place, or those of a slice."""
        if isinstance(k, slice):
            return tuple(map(self.state, range(*k.indices(len(self)))))
        return self.state(range(len(self))[k])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PairAnswers(frame {self.frame}, {len(self)} pairs)"


def grown(array: NDArray[T], needed: int) -> NDArray[T]:
    """Return an array with at least so many places."""
    if needed <= len(array):
        return array
    if needed > POOL_LIMIT:
        raise MemoryError(f"rows cannot hold {needed} parts; take fewer frames, pairs")
    more = np.zeros(min(max(needed, 2 * len(array)), POOL_LIMIT), array.dtype)
    more[: len(array)] = array
    return more
