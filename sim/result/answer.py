"""What an answer says: its plain numbers, rows of them in one memory, one lazy view."""

from collections.abc import Sequence
from itertools import chain
from struct import Struct
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.engine.bound import floats, ints
from sim.kernels import trajectory as row
from sim.kernels.trajectory import FACTS, NUMBERS, AnswerRows
from sim.kernels.workspace import Result
from wingedge.features import Feature

KINDS = ("vertex", "edge", "face")
LEVEL = 1e-9  # of the size: a corner farther off the normal is none of the patch
Hulls = tuple[NDArray[np.int32] | None, NDArray[np.int32] | None]
"""The triangles of the hulls of A and B, in the vertices of the body; None: no hull."""
Float = np.float64
LETTERS = "VEF"
Vec = tuple[float, float, float]
Vector = NDArray[Float]
Ids = NDArray[np.int32]
PROOFS = ("ring", "scan", "search", "epa", "none")
ROWS = 16
SIZES = ROWS, 80, 16  # of one memory: half of a pool is a patch of boxes
_facts, _numbers = Struct(f"{FACTS}i").unpack_from, Struct(f"{NUMBERS}d").unpack_from
_new = tuple.__new__  # of a NamedTuple: in half the time


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
        c, labels = self.corners, self.labels
        points = zip(c[-3::-3], c[-2::-3], c[-1::-3], strict=True)
        named = zip(labels[-2::-2], labels[-1::-2], strict=True)
        return self._replace(
            normal=n,
            point_a=self.point_b,
            point_b=self.point_a,
            dimension_a=self.dimension_b,
            parts_a=self.parts_b,
            dimension_b=self.dimension_a,
            parts_b=self.parts_a,
            corners=tuple(chain.from_iterable(points)),
            labels=tuple(chain.from_iterable(named)),
        )


def level_corners(
    distance: ArrayLike,
    normal: ArrayLike,
    corners: ArrayLike,
    size: ArrayLike,
    starts: Sequence[int] | Ids = (0,),
) -> NDArray[np.bool_]:
    """Say which corners are ``distance * normal`` apart, (k,): those of the patch.

    One may not be: the deepest vertex in an overlap of bodies that are not convex.

    Parameters: ``starts``: where the corners of each of several patches begin.
    """
    pairs = np.reshape(corners, (-1, 6)).T.copy()
    count, d = pairs.shape[1], np.reshape(distance, -1)
    if not (count and (d < 0.0).any()):
        return np.ones(count, bool)
    whose = np.repeat(np.arange(len(starts)), np.diff(starts, append=count))
    off = pairs[3:] - pairs[:3] - (d * np.reshape(normal, (-1, 3)).T)[:, whose]
    largest = np.maximum.reduceat(np.abs(pairs).max(axis=0), starts)
    limit = LEVEL * np.reshape(size, -1) + 8.0 * np.finfo(float).eps * largest
    far = np.abs(off).max(axis=0) > np.where(d < 0.0, limit, np.inf)[whose]
    alone = np.add.reduceat(far, starts, dtype=int) == 1
    level: NDArray[np.bool_] = ~(far & alone[whose])
    return level


def patch_areas(*said: ArrayLike, starts: Sequence[int] | Ids = (0,)) -> Vector:
    """Return the areas of patches along their normals, the sums of their triangles.

    Parameters: those of ``level_corners``.
    """
    distance, normal, corners, size = said
    level = level_corners(distance, normal, corners, size, starts)
    points = np.reshape(corners, (-1, 6)).T[:3, level]
    whose = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(level)))[level]
    begins = np.diff(whose, prepend=-1) > 0
    # arms of fans, 0 where a patch begins, so that the last of a patch goes nowhere
    x, y, z = points - points[:, begins][:, np.cumsum(begins) - 1]
    u, v, w = (np.append(c[1:], 0.0) for c in (x, y, z))
    turns = y * w - z * v, z * u - x * w, x * v - y * u
    sums = (np.bincount(whose, turn, len(starts)) for turn in turns)
    twice = sum(map(np.multiply, sums, np.reshape(normal, (-1, 3)).T))
    areas: Vector = 0.5 * np.abs(twice)
    return areas


def work_of(result: Result) -> Work:
    """Return what a frame cost: the last five numbers."""
    return Work._make(Result.numbers.unpack_from(result)[-5:])


class AnswerArrays:
    """What ``AnswerRows`` are, as arrays: (R, NUMBERS), (R, FACTS), and three pools.

    Parameters: room for so many rows, parts and corners; ``memory``: where that is.
    """

    def __init__(
        self, rows: int, parts: int, corners: int, memory: Vector | None = None
    ) -> None:
        self._length = 0  # how many rows are written, and how much of the pools
        self.parts_used = self.corners_used = 0
        facts, named, at = rows * FACTS, rows * FACTS + parts, rows * NUMBERS
        end, ids_end = at + 6 * corners, named + 4 * corners
        if memory is None:  # after the floats ids, two in the room of one
            memory = np.zeros(end + (ids_end + 1) // 2)
        self.numbers, self.corners = memory[:at].reshape(-1, NUMBERS), memory[at:end]
        ids = memory[end:].view(np.int32)
        self.facts, self.parts = ids[:facts].reshape(-1, FACTS), ids[facts:named]
        self.labels = ids[named:ids_end]

    def laid_out(self) -> AnswerRows:
        """Lay the rows out for the kernels; good until a pool grows."""
        cursor = ints(np.zeros(row.CURSOR, np.int32))
        cursor[row.FRAME], cursor[row.END] = self._length, len(self.facts)
        cursor[row.PARTS_USED], cursor[row.CORNERS_USED] = (
            self.parts_used,
            self.corners_used,
        )
        parts, labels = ints(self.parts), ints(self.labels)
        pool = parts, len(parts), floats(self.corners), labels, len(labels) // 4
        return AnswerRows(cursor, floats(self.numbers), ints(self.facts), *pool)


def decoded(rows: Any, k: int) -> Numbers:
    """Return the answer of a row of ``AnswerArrays``, or of ``AnswerRows``."""
    d, lower, upper, size, nx, ny, nz, ax, ay, az, bx, by, bz = _numbers(
        rows.numbers, 8 * NUMBERS * k
    )
    kind_a, kind_b, at, count, more, begin, corners, unique, proof, _, *work = _facts(
        rows.facts, 4 * FACTS * k
    )
    parts = tuple(rows.parts[at : at + count + more].tolist())
    patch = labels = ()
    if corners > 0:
        patch = tuple(rows.corners[6 * begin : 6 * (begin + corners)].tolist())
        labels = tuple(rows.labels[4 * begin : 4 * (begin + corners)].tolist())
    points = (nx, ny, nz), (ax, ay, az), (bx, by, bz)
    named = kind_a, parts[:count], kind_b, parts[count:], patch, labels
    said = unique == 1, PROOFS[proof], "", _new(Work, work)
    return _new(Numbers, (d, lower, upper, size, *points, *named, *said))


class RowBlock:
    """Rows in one memory, that of the kernels until they begin it anew; then a copy.

    ``flat`` iterates over it: a slice of that is a copy, sooner made than a view;
    ``rows``: the same laid out, of a copy made when asked; ``at``: where the next one
    begins; ``known``: what was decoded, by where its row begins.
    """

    __slots__ = ("at", "cursor", "flat", "floats", "known", "rows")

    def __init__(self, memory: Vector, rows: AnswerRows | None) -> None:
        self.flat, self.at = memory.flat, 0
        self.known: dict[int, Numbers] = {}
        self.rows: Any = rows
        if rows is not None:  # kernels write it
            self.cursor, self.floats = rows.cursor, rows.numbers

    @classmethod
    def empty(cls) -> Self:
        """Return a block that kernels write to."""
        arrays = AnswerArrays(*SIZES)
        return cls(arrays.numbers.base, arrays.laid_out())  # type: ignore[arg-type]

    def begun_anew(self) -> "RowBlock":
        """Leave a copy to the states that read it; return the rows to write next."""
        memory, cursor = self.flat.base, self.cursor
        made = RowBlock(memory, self.rows)
        self.flat, self.rows = memory.copy().flat, None
        cursor[row.FRAME] = cursor[row.PARTS_USED] = cursor[row.CORNERS_USED] = 0
        return made

    @classmethod
    def of(cls, n: Numbers) -> Self:
        """Return the one row of an answer that is known."""
        bounds = n.distance, n.lower, n.upper, n.size
        made = cls(np.array((*bounds, *n.normal, *n.point_a, *n.point_b)), None)
        made.known[0] = n
        return made

    def numbers(self, at: int) -> Numbers:
        """Return the answer of the row that begins at a number."""
        numbers = self.known.get(at)
        if numbers is None:
            if self.rows is None:
                self.rows = AnswerArrays(*SIZES, self.flat.base)
            self.known[at] = numbers = decoded(self.rows, at // NUMBERS)
        return numbers


def number_at(k: int, doc: str) -> Any:
    """Return a property: a number of the row, by its place."""
    return property(lambda self: self._block.flat.base.item(self._at + k), doc=doc)


def vector_at(k: int, doc: str) -> Any:
    """Return a property: a vector of the row, (3,), a copy each time."""
    at = [slice(begin + k, begin + k + 3) for begin in range(ROWS * NUMBERS)]
    return property(lambda self: self._block.flat[at[self._at]], doc=doc)


class Answer:
    """What is said of one closest pair: a row of numbers, read when asked; world frame.

    ``_at`` is where the row begins in its block.
    """

    __slots__ = ("_at", "_block")
    _at: int
    _block: RowBlock

    @property
    def numbers(self) -> Numbers:
        """The plain numbers, all that the row says."""
        return self._block.numbers(self._at)

    distance: float = number_at(row.DISTANCE, "Signed distance of the two surfaces.")
    lower: float = number_at(row.LOWER, "Proven: the true distance is at least this.")
    upper: float = number_at(row.UPPER, "Proven: the true distance is at most this.")
    size: float = number_at(
        row.SIZE,
        "The scale of rounding: the largest coordinate of what counts, and origins.",
    )
    normal: Vector = vector_at(row.NORMAL, "The unit normal from A to B, (3,).")
    point_a: Vector = vector_at(row.POINT_A, "The closest point on A, (3,).")
    point_b: Vector = vector_at(row.POINT_B, "The closest point on B, (3,).")

    def named(self, side: int, dimension: int, number: int) -> Feature:
        """Name a feature of A (side 0) or B."""
        return Feature(KINDS[dimension], number)

    @property
    def feature_a(self) -> Feature:
        """The level part of A around ``point_a``, by its lowest number."""
        n = self.numbers
        return self.named(0, n.dimension_a, n.parts_a[0])

    @property
    def feature_b(self) -> Feature:
        """The level part of B around ``point_b``, by its lowest number."""
        n = self.numbers
        return self.named(1, n.dimension_b, n.parts_b[0])

    @property
    def kind(self) -> str:
        """One of the nine kinds, A's letter first: VV VE EV EE VF FV EF FE FF."""
        n = self.numbers
        return LETTERS[n.dimension_a] + LETTERS[n.dimension_b]

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
        patch: NDArray[Float] = corners[level, 0]
        return patch

    @property
    def area(self) -> float:
        """The area of ``patch`` along the normal; 0 where it is a point or a line."""
        n = self.numbers
        if n.unique or not n.corners:
            return 0.0
        return float(patch_areas(n.distance, n.normal, n.corners, n.size)[0])
