"""What kernels are asked about the positions of a body, and how they take new ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import Bound, floats, ints
from sim.engine.library import ENGINE
from sim.kernels.audit import hinges as kernel
from sim.kernels.audit.hinges import Hinges, Shells
from sim.kernels.audit.sag import LEVEL, SAG, Drape, measure_sag
from sim.kernels.exact import Expansion
from sim.kernels.intake import Intake, offer_positions
from sim.kernels.language import Ints
from wingedge.columns import at, cross, dot, gather, rows, subtract
from wingedge.convex import ConvexityReport, convexity, sides_of
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.positions import extent
from wingedge.tables import connected, once_per_mesh, starts

Float = np.float64
COMMON = 100  # powers of two: sizes of 1e-30 to 1e30
UTMOST = 500  # and of these not even squares are numbers


def of_common_size(points: NDArray[Float]) -> tuple[NDArray[Float], int]:
    """Return positions that are ``2**power`` times smaller, and the power.

    Themselves, and 0, unless sixth powers of their size overflow or lose digits; and
    where it is of no use to anybody, which is refused by name.
    """
    with np.errstate(invalid="ignore"):  # infinite: no size, refused by name later
        _, power = np.frexp(extent(points).size)
    if not COMMON <= abs(power) < UTMOST:
        return points, 0
    return np.ldexp(points, -power), int(power)


@once_per_mesh
def _tables_of(mesh: WingedEdgeMesh) -> tuple[Ints, Ints, Ints, int]:
    """Return corners, what lies across, which sides are diagonals; 1 if any is."""
    corner, sides = np.ascontiguousarray(mesh.fan.vertex), sides_of(mesh)
    inner = (sides.edge < 0).astype(np.int32)
    return ints(corner), ints(sides.across), ints(inner), int(inner.any())


def hinges_of(
    mesh: WingedEdgeMesh, points: NDArray[Float], room: Expansion | None = None
) -> Hinges:
    """Lay out positions for the kernels that ask what their hinges prove.

    Parameters: ``mesh``: its faces run counter-clockwise seen from outside; ``points``
    (V, 3): positions, body frame, C-contiguous.
    """
    count, room = len(mesh.fan.face), room or expansion()
    return Hinges(floats(points), len(points), count, *_tables_of(mesh), room)


def expansion() -> Expansion:
    """Make room for numbers that are kept exactly."""
    return Expansion(floats(np.zeros(18)), floats(np.zeros(256)))


def judging(hinges: Sequence[Hinges], ask: int = kernel.KIND) -> Shells:
    """Lay out bodies that are all asked what they are, or what rings prove, too."""
    verdicts, proof = np.zeros((2, max(1, len(hinges))), np.int32)
    given, far = (tuple(hinges), len(hinges), ask), np.zeros(len(verdicts))
    return Shells(*given, ints(verdicts), ints(proof), floats(far))


@once_per_mesh
def sides_at_hinges(mesh: WingedEdgeMesh) -> NDArray[np.int32]:
    """List the two sides at each edge, then at each inner diagonal of a fan.

    By number: 3 t + k for that of triangle t from its corner k to k + 1.
    """
    face = mesh.fan.face
    inner = 3 * np.flatnonzero(face[1:] == face[:-1])[:, None]
    diagonals = inner + np.array([2, 3])  # from a triangle to the next one
    return np.concatenate([sides_of(mesh).pair, diagonals]).astype(np.int32)


def sag_of(mesh: WingedEdgeMesh, points: NDArray[Float]) -> NDArray[Float]:
    """Measure how far a nearly convex body stands off its hull, along the axes, (3,).

    Proven, and infinite where nothing is; see ``kernels.audit.sag``.  The faces of the
    mesh run counter-clockwise seen from outside.
    """
    ids, lengths = mesh.fan.vertex, np.zeros(SAG)
    a, b, c = (gather(points, column) for column in ids.T)
    normals = cross(subtract(b, a), subtract(c, a))
    left, right = sides_at_hinges(mesh).T // 3
    n, m = at(normals, left), at(normals, right)
    bend = cross(n, m)
    level = dot(bend, bend) <= LEVEL * LEVEL * (dot(n, n) * dot(m, m))
    level &= dot(n, m) >= 0.0
    part = connected(len(ids), left[level], right[level])
    many = np.bincount(part)
    total = np.zeros((len(many), 3))
    np.add.at(total, part, rows(normals))
    drape = Drape(
        points=floats(np.ascontiguousarray(points, Float)),
        vertices=len(points),
        parts=len(many),
        start=ints(3 * starts(many).astype(np.int32)),
        ids=ints(ids[np.argsort(part, kind="stable")]),
        normal=floats(total),
        told=floats(lengths),
    )
    Bound(measure_sag)(drape)
    return lengths


@once_per_mesh
def at_rest(mesh: WingedEdgeMesh) -> Findings:
    """Return the findings of a mesh at rest, shared by all bodies made of it."""
    return Findings(mesh, np.array(mesh.points, Float, order="C"))


class Findings:
    """What is found out about one set of positions, each at most once, when asked.

    Parameters: as ``hinges_of``; ``look`` reads positions anew every time.
    """

    def __init__(self, mesh: WingedEdgeMesh, points: NDArray[Float]) -> None:
        self.mesh, self.points = mesh, points
        self.cover: Any = None  # see ``Body.cover``
        self._busy = RLock()  # one room for all threads, an interrupted one may go on

    def anew(self) -> Findings:
        """Return findings, all unknown, of other positions in the same array."""
        made = Findings(self.mesh, self.points)
        made.__dict__.update(hinges=self.hinges, _ways=self._ways, _busy=self._busy)
        return made

    def known(self, what: str) -> Any:
        """Return ``report``, ``standing`` or ``sag`` if it was asked for, else None."""
        return self.__dict__.get(what)

    @cached_property
    def hinges(self) -> Hinges:
        """The positions, laid out when they are first asked about."""
        return hinges_of(self.mesh, self.points)

    @cached_property
    def _ways(self) -> list[tuple[Bound, Shells]]:
        return [(Bound(kernel.judge_each), judging([self.hinges], r)) for r in (0, 1)]

    def look(self, rings: int = 1) -> tuple[int, int]:
        """Say CONVEX, DENTED or UNSURE, and what rings prove if asked; see judged."""
        with self._busy:
            judge, shells = self._ways[rings]
            judge(shells)
            return shells.told[0], shells.proof[0]

    @cached_property
    def report(self) -> ConvexityReport:
        """How convex the positions are."""
        sized, power = of_common_size(self.points)
        report = convexity(self.mesh, sized)
        if power == 0:
            return report
        lengths = np.ldexp([report.worst_depth, report.tolerance], power).tolist()
        return replace(report, worst_depth=lengths[0], tolerance=lengths[1])

    @cached_property
    def standing(self) -> int:
        """CONVEX, DENTED or UNSURE, where only the report can tell."""
        return self.look(0)[0]

    def is_convex(self) -> bool:
        """Say whether they are convex within the default tolerance."""
        if self.standing == kernel.UNSURE:
            return self.report.is_convex()
        return self.standing == kernel.CONVEX

    def volume_sign(self) -> int:
        """Return the sign of the volume: -1 inside-out, 0 collapsed."""
        return self.report.volume_sign if self.standing == kernel.UNSURE else 1

    @property
    def known_sign(self) -> int:
        """The sign of the volume as far as somebody looked; else 1, as most have."""
        report: ConvexityReport | None = self.known("report")
        return 1 if report is None else report.volume_sign

    @cached_property
    def proof(self) -> int:
        """What rings prove of a support; see ``judged``."""
        self.standing, seen = self.look()
        if not self.is_convex():
            return kernel.NOTHING
        sized, _ = of_common_size(self.points)
        outward = self.outward()
        if sized is not self.points or outward is not self.mesh:
            _, seen = Findings(outward, sized).look()
        return seen

    @cached_property
    def sag(self) -> NDArray[Float]:
        """How far the hull reaches beyond the body, along the axes, (3,).

        Infinite where nothing is proven, as of a body that is not convex.
        """
        if self.proof >= kernel.RINGS:
            return np.zeros(3)
        if not self.is_convex():
            return np.full(3, np.inf)
        points, power = of_common_size(self.points)
        return np.ldexp(sag_of(self.outward(), points), power)

    def outward(self) -> WingedEdgeMesh:
        """Return the topology, mirrored if the positions are known to be inside-out."""
        return mirrored(self.mesh) if self.known_sign == -1 else self.mesh


class ProposedPositions:
    """Look at new positions of a body, (V, 3), C-contiguous, before they are taken.

    Attributes: ``given``: where they must be written before; ``offer()`` returns what
    they come to, by the engine ``by``; ``offered``: to find out about them.
    """

    def __init__(self, mesh: WingedEdgeMesh, points: NDArray[Float]) -> None:
        self.points, self.given = points, np.empty_like(points)
        self.offered, self.shape = Findings(mesh, self.given), points.shape
        tables = (Intake(floats(points), len(points), floats(self.given)),)
        self._call = partial(Bound(offer_positions, brief=True).call, tables)
        self.by: object = ENGINE  # none that runs

    def lay_out(self) -> Callable[[], int]:
        """Return ``offer`` by the engine of this moment, and keep it."""
        self.offer = self._call()
        self.by = ENGINE.compiled or ENGINE
        return self.offer
