"""What is known of a body's positions: how convex, how proved, what hull."""

from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from sim.body import guard
from sim.body.audit import ConvexityResult
from sim.body.guard import ConvexityCache, Withdrawn
from sim.kernels.audit.hinges import SHOWN
from wingedge.convex import ConvexityReport
from wingedge.mesh import WingedEdgeMesh
from wingedge.registry import find

Float = np.float64
Ids = NDArray[np.int32]
LAST_CHANGE = [object()]
"""Another object after every change of any body but of its pose or live array."""


class ConvexCover(Protocol):
    """A convex hull, linked with the mesh below it: ``wingedge.cover`` makes them."""

    source: WingedEdgeMesh
    points: NDArray[Float]
    faces: Ids  # (F, 3) corners, counter-clockwise, numbers of the mesh
    vertices: Ids
    volume: float
    centre: NDArray[Float]
    true_face: Ids
    lids: Ids
    on_cover: NDArray[np.bool_]
    pockets: tuple[Any, ...]

    def mesh(self) -> WingedEdgeMesh:
        """Return the hull as a mesh of its own."""


class Judged:
    """Find out about positions what a tracker asks, each at most once for closed ones.

    The part of a ``Body`` that reads its positions and never writes them.
    """

    __slots__ = (
        "_convexity",
        "_cover",
        "_findings",
        "_flatness",
        "_mesh",
        "_name",
        "_odd",
        "_open",
        "_points",
        "_quiet",
        "_signed",
        "_withdrawn",
    )
    _convexity: str
    _cover: ConvexCover | None  # of the positions when it was asked for last
    _findings: ConvexityCache
    _flatness: str
    _mesh: WingedEdgeMesh
    _name: str
    _odd: int  # an answer says something of it: 1 unless seen ``upright``, 2 whatever
    _open: bool
    _points: NDArray[Float]
    # what is known of a body that nothing can change unseen: an update that has seen
    # these very findings need not ask again; None where every update must ask
    _quiet: ConvexityCache | None
    _signed: tuple[bytes, int]  # positions of an open body, and the sign of its volume
    _withdrawn: tuple[Withdrawn, ...]  # live arrays of before, while somebody has them

    @property
    def flatness(self) -> str:
        """What happens to a polygon that leaves its plane: "fan" or "raise"."""
        return self._flatness

    def audit(self) -> ConvexityReport:
        """Report how convex the present positions are.

        Cost: O(E), once per positions of a closed body; every time for an open one.
        """
        return self._found().report(self._mesh, self._points)

    def verdict(self) -> ConvexityResult:
        """Say the short of ``audit()``, in one pass of a kernel, as often."""
        return self._found().judge(self._mesh, self._points)

    def known_verdict(self) -> ConvexityResult | None:
        """Return the verdict on the present positions if nobody need look for it."""
        return None if self._open else self._findings.verdict

    def _found(self) -> ConvexityCache:
        return self._findings.fresh() if self._open else self._findings

    def cover(self) -> ConvexCover:
        """Return the convex hull of the present positions, linked with the mesh.

        Made once for the same positions, whoever asks.  Cost: a hull by Qhull, some 4
        us a vertex.

        Raises MeshError if the positions are flat, so that their hull has no inside;
        ValueError if a coordinate is not finite.
        """
        cover, mesh, points = self._cover, self._mesh, self._points
        if (
            cover is None
            or cover.source is not mesh
            or not np.array_equal(cover.points, points)
        ):
            cover = cast("ConvexCover", find("cover_of")(mesh, points, self._name))
            self._cover = cover
        return cover

    def is_shown_convex(self) -> bool:
        """Say whether what put the positions in place saw a convex solid."""
        seen = None if self._open else self._findings.seen
        return seen is not None and seen[0] >= SHOWN and seen[1] is self._mesh

    def proves_by_rings(self) -> bool:
        """Say whether a vertex ring proves a support at the present positions."""
        trusted = self._convexity == "trust"
        found = self._findings
        proves = trusted
        if not (trusted or self._open):
            proves = found.prove_by_rings(self._mesh, self._points)
        # What refuses positions must look at an open body's every time.
        asked = self._withdrawn or (self._open and self._refuses)
        self._quiet = None if asked else found
        known = self.known_verdict()
        odd = known is not None and known.sign <= 0
        self._odd = 2 if odd else int(self._open and not trusted)
        return proves

    def proves_by_edges(self) -> bool:
        """Say whether the two vertices beside an edge prove that it is a support."""
        if self._open or self._convexity == "trust":
            return False
        return self._findings.prove_by_edges(self._mesh, self._points)

    def sag(self) -> NDArray[Float]:
        """Return how far the hull reaches beyond the body, along the axes, (3,).

        Proven for positions that are convex within tolerance; 0 where by rounding or on
        the caller's word.
        """
        if self._convexity == "trust":
            return np.zeros(3)
        return self._found().sag(self._mesh, self._points)

    def known_sag(self) -> NDArray[Float] | None:
        """Return ``sag()`` if it is known of positions that only the body changes."""
        return None if self._open else self._findings.known_sag

    def outward_mesh(self) -> WingedEdgeMesh:
        """Return the mesh, or its mirror while the body is known to be inside-out."""
        return self._mesh if self._open else self._findings.outward(self._mesh)

    def volume_sign(self) -> int:
        """Return 1, or -1 while the body is inside-out, or 0 while it has collapsed.

        Asked of an open body by every update: where only its pose moved, not again.
        """
        if not self._open:
            return self._findings.sign(self._mesh, self._points)
        now = self._points.tobytes()
        if now != self._signed[0]:
            self._signed = now, self._found().sign(self._mesh, self._points)
        return self._signed[1]

    @property
    def may_have_flaw(self) -> bool:
        """Whether answers say where the body is not convex, as it now may be."""
        return self._convexity == "flag" and not self.is_shown_convex()

    def flaw(self) -> str:
        """Say where the body is not convex, if it was made with ``"flag"``; or nothing.

        Cost: an audit, as ``verdict``, unless rings show a convex solid.
        """
        if not self.may_have_flaw:
            return ""
        return guard.flaw(self.verdict(), self._mesh, self._name)

    @property
    def _refuses(self) -> bool:
        return self._convexity == "raise" or self._flatness == "raise"
