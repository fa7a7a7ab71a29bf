"""What an answer for a compound says: names on the surface, and the pieces."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.compound.body import Compound, Shot
from sim.compound.seats import Seat, level_part
from sim.kernels.vector import back
from sim.result.answer import KINDS, Numbers, Vec, Work
from sim.result.state import PairState
from wingedge import Feature
from wingedge.primitives import point_triangle

if TYPE_CHECKING:
    from sim.body.body import Body
    from sim.result.answer import Region

Float = np.float64


class Near(NamedTuple):
    """Two pieces that are near each other, and the answer for them alone."""

    piece_a: int  # 0 for a body without pieces
    piece_b: int
    state: PairState  # ``state.a``, ``state.b`` are the pieces, in their own numbers


class Party(NamedTuple):
    """One side of an answer, as it was in its frame."""

    body: "Body | Compound"
    shot: Shot | None  # None for a body without pieces

    @property
    def pieces(self) -> "tuple[Body, ...]":
        """The live pieces; a body without is its own only one."""
        body = self.body
        return body._pieces if isinstance(body, Compound) else (body,)

    def seat(self, piece: int, features: tuple[Feature, ...], point: Vec) -> Seat:
        """Find where a point on features of a piece lies, in the body's numbers."""
        body = self._compound()
        if body.surface is None:
            return Seat(body.in_all(piece, features[0]), 0.0)
        return body.seats.find(self._at_rest(body, piece, features, point))

    def parts(
        self,
        piece: int,
        features: tuple[Feature, ...],
        point: Vec,
        outward: Vec,
        drop: float,
    ) -> tuple[tuple[Feature, ...], float]:
        """Name the level part of the body around a point, and tell its offset."""
        body = self._compound()
        if body.surface is None or self.shot is None:
            return tuple(body.in_all(piece, f) for f in features), 0.0
        seat = self.seat(piece, features, point)
        if seat.offset > 0.0:
            return (seat.feature,), seat.offset
        m = self.shot.pose.linear
        x, y, z = (
            float(m[0, i] * outward[0] + m[1, i] * outward[1] + m[2, i] * outward[2])
            for i in range(3)
        )
        points = self.shot.points
        return level_part(body.mesh, points, seat.feature, (x, y, z), drop), 0.0

    def _compound(self) -> Compound:
        assert isinstance(self.body, Compound)
        return self.body

    def _at_rest(
        self, body: Compound, piece: int, features: tuple[Feature, ...], point: Vec
    ) -> NDArray[Float]:
        """Return where a point on features of a piece was at rest, (3,)."""
        assert self.shot is not None
        first = int(body.start.vertex[piece])
        triangles = body.fans(piece, features) + first
        ids = np.unique(triangles)
        now = self.shot.pose.apply(body.placed(self.shot.points, ids))
        corner = np.searchsorted(ids, triangles)
        a, b, c = (now[corner[:, k]] for k in range(3))
        hit = point_triangle.closest(np.array([point]), a, b, c)
        best = int(hit.distance_sq.argmin())
        p, q, r = body.rest_points[triangles[best]]
        u, v, w = hit.weights[best].tolist()
        out: NDArray[Float] = u * p + v * q + w * r
        return out


class PieceAnswer(NamedTuple):
    """The bounds of an answer and the pieces that carry it; names when asked for."""

    distance: float
    lower: float
    upper: float
    size: float
    carrier: Near
    unique: bool
    proof: str
    reason: str
    looked: tuple[PairState, ...]  # every pair of pieces that was answered for
    parties: tuple[Party, Party]
    tolerance: float

    @property
    def work(self) -> Work:
        """What all pairs of pieces cost."""
        each = [state.work for state in self.looked]
        return Work(*(sum(counts) for counts in zip(*each, strict=True)))

    def numbers(self) -> Numbers:
        """Decode: the carrier's numbers with their features renamed."""
        return self.named()[0]

    def swapped(self) -> "PieceAnswer":
        """Return the same answer with A and B exchanged."""
        a, b = self.parties
        return self._replace(carrier=turned(self.carrier), parties=(b, a))

    def named(self) -> tuple[Numbers, float, float]:
        """Return the numbers, and how far off their surfaces the points are."""
        i, j, state = self.carrier
        n = state.numbers
        drop = self.tolerance * n.size
        a, b = self.parties
        found = [(n.dimension_a, n.parts_a, 0.0), (n.dimension_b, n.parts_b, 0.0)]
        for side, (party, piece, parts, point, outward) in enumerate(
            (
                (a, i, state.parts_a, n.point_a, n.normal),
                (b, j, state.parts_b, n.point_b, back(n.normal)),
            )
        ):
            if party.shot is not None:
                names, off = party.parts(piece, parts, point, outward, drop)
                dimension = KINDS.index(names[0].kind)
                found[side] = dimension, tuple(f.index for f in names), off
        (dimension_a, parts_a, off_a), (dimension_b, parts_b, off_b) = found
        labels: list[int] = []
        for k in range(len(n.labels) // 4):
            for side, piece, party in ((0, i, a), (1, j, b)):
                kind, index = n.labels[4 * k + 2 * side : 4 * k + 2 * side + 2]
                if party.shot is None:
                    labels += [kind, index]
                    continue
                at = 6 * k + 3 * side
                x, y, z = n.corners[at : at + 3]
                seat = party.seat(piece, (Feature(KINDS[kind], index),), (x, y, z))
                labels += [KINDS.index(seat.feature.kind), seat.feature.index]
        numbers = n._replace(
            distance=self.distance,
            lower=self.lower,
            upper=self.upper,
            size=self.size,
            dimension_a=dimension_a,
            parts_a=parts_a,
            dimension_b=dimension_b,
            parts_b=parts_b,
            labels=tuple(labels),
            unique=self.unique,
            proof=self.proof,
            reason=self.reason,
            work=self.work,
        )
        return numbers, off_a, off_b


class CompoundState(PairState):
    """The closest features of two bodies, one or both of them compounds; a value.

    As ``PairState``, with the names of the surfaces where the pieces lie on them; and
    which pieces carry the answer, how far off the named features they are, and every
    other pair of pieces that is in contact.
    """

    __slots__ = ("_found", "_near", "_offsets")

    def __init__(
        self,
        found: PieceAnswer,
        near: tuple[Near, ...],
        regime: str,
        frame: int,
        bodies: "tuple[Body, Body]",
        regions: "tuple[Region, ...]" = (),
    ) -> None:
        hulls = found.carrier.state.hulls  # of a partner that is its hull
        super().__init__(found, regime, frame, *bodies, regions=regions, hulls=hulls)
        self._found = found
        self._near = near
        self._offsets: tuple[float, float] | None = None

    @property
    def numbers(self) -> Numbers:
        """The plain numbers that everything is decoded from."""
        if self._offsets is None:
            self._source, *off = self._found.named()
            self._offsets = (off[0], off[1])
        return super().numbers

    @property
    def nearest(self) -> Near:
        """The pieces that carry the answer, and their own state."""
        return self._found.carrier

    @property
    def near(self) -> tuple[Near, ...]:
        """All pairs of pieces at contact distance or nearer, in their order.

        Contacts at several places: each state has its ``contacts``, in the numbers of
        the pieces.  Empty while every pair is farther apart.
        """
        return self._near

    @property
    def piece_a(self) -> int:
        """The number of A's piece; 0 for a body without pieces."""
        return self._found.carrier.piece_a

    @property
    def piece_b(self) -> int:
        """The number of B's piece; 0 for a body without pieces."""
        return self._found.carrier.piece_b

    @property
    def offset_a(self) -> float:
        """How far off ``feature_a`` the closest point of A was at rest.

        Unit of the input.  0.0 where the piece lies on the surface (within 1e-6 of its
        size), and where there is no surface.
        """
        return self._both_offsets()[0]

    @property
    def offset_b(self) -> float:
        """How far off ``feature_b`` the closest point of B was at rest."""
        return self._both_offsets()[1]

    def swapped(self) -> "CompoundState":
        """Return the same answer with A and B exchanged."""
        near = tuple(sorted((turned(n) for n in self._near), key=lambda n: n[:2]))
        bodies = (self.b, self.a)
        found = self._found.swapped()
        regions = tuple(region.mirrored() for region in self._regions)
        return CompoundState(found, near, self._regime, self._frame, bodies, regions)

    def _both_offsets(self) -> tuple[float, float]:
        _ = self.numbers  # which finds them
        assert self._offsets is not None
        return self._offsets


def turned(near: Near) -> Near:
    """Return the same pair of pieces with A and B exchanged."""
    return Near(near.piece_b, near.piece_a, near.state.swapped())
