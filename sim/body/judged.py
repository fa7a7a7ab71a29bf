"""What is known of a body's positions: how convex, how proved, what hull, how new."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body import guard
from sim.body.audit import Findings
from sim.body.revisions import MeshRevision
from sim.kernels.audit.hinges import CONVEX, NOTHING, RINGS, Hinges
from wingedge.convex import ConvexityReport
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.registry import wings

Float = np.float64
Known = tuple[int, Findings | None, object]  # see ``Judged.forget``
NO_FINDINGS: tuple[bytes, Findings | None] = (b"", None)
LAST_CHANGE = [object()]
"""A token, replaced when any body changes, but for its pose and live array."""

_VERSION, _OPEN, _EDITION = map(attrgetter, ("_version", "_open", "_edition"))


@dataclass(init=False, repr=False, eq=False, match_args=False, slots=True)
class Judged:
    """Answer what trackers ask about positions, once each while a body is closed.

    The part of a ``Body`` that reads its positions and never writes them.
    """

    _convexity: str
    _findings: Findings | None  # of a closed body; None of an open one
    _last: tuple[bytes, Findings | None]  # of an open body by its positions; the last
    _flatness: str
    _mesh: WingedEdgeMesh
    _name: str
    _resolution: float
    _open: bool
    _points: NDArray[Float]
    _quiet: object  # a token, replaced when what an update asks may have changed
    _refuses: bool  # whether there are positions that it refuses
    _still: object  # the same, but kept while only positions get other numbers
    _spread: float  # a square no vertex is farther out than; -1: ask the open array
    _version: int
    standing: int | None  # CONVEX, DENTED or UNSURE of a closed body, if it is known

    def audit(self) -> ConvexityReport:
        """Report how convex the present positions are.

        Cost: O(E), once per positions; an open body's are compared each time.
        """
        return self._found().report

    def _found(self) -> Findings:
        if self._findings is not None:
            return self._findings
        now = self._points.tobytes() if self._open else b""
        seen, findings = self._last
        if findings is None:
            findings = Findings(self._mesh, self._points)
        elif now != seen or not self._open:
            findings = findings.anew()
        if self.standing is not None and not self._open:
            findings.standing = self.standing
        self._last, self._findings = (now, findings), None if self._open else findings
        return findings

    @property
    def hinges(self) -> Hinges:
        """The present positions, laid out for the kernels that ask about hinges."""
        return (self._last[1] or self._found()).hinges  # of one array, whatever it has

    def cover(self) -> Any:
        """Return the convex hull of the present positions, linked with the mesh.

        A ``wingedge.cover.Cover``, made once for the same positions, whoever asks.
        Cost: a hull by Qhull, some 4 us a vertex.

        Raises MeshError if the positions are flat, so that their hull has no inside;
        ValueError if a coordinate is not finite.
        """
        findings = self._found()
        if findings.cover is None:
            findings.cover = wings.cover_of(self._mesh, self._points, self._name)
        return findings.cover

    def is_convex(self) -> bool:
        """Say whether they are convex within the default tolerance, or trusted."""
        return self._convexity == "trust" or self._found().is_convex()

    def is_new(self, saw: int | None) -> bool:
        """Say whether a scan proves supports at once: the positions did not last.

        ``saw``: the version that was answered for in the frame before, if any was.
        Rest positions are never new, nor those that are convex on the caller's word.
        """
        if self._convexity == "trust":
            return False
        return self._open or self._version not in (0, saw)

    def quiet(self, *, new: bool) -> object:
        """Return the token by which an update need not ask again; another: it must."""
        # What refuses looks at an open body's every time, what has flaws at new ones.
        if (self._open and self._refuses) or (new and self._convexity == "flag"):
            return object()
        lasts = new or (self._convexity == "trust" and self._findings is None)
        return self._still if lasts and not self._open else self._quiet

    def odd(self, *, new: bool) -> int:
        """Say if answers need a remark: 0 no, 1 unless ``outward_seen``, 2 always."""
        if new:
            return 1
        return 2 if self._findings and self._findings.known_sign <= 0 else 0

    def moved_on(self, seen: object, saw: int | None) -> bool:
        """Say whether the change is one of positions that were new before, too."""
        return self._still is seen and (self._convexity == "trust" or self.is_new(saw))

    def proof(self) -> int:
        """Say what the rings of the present positions prove; see ``judged``."""
        if self._convexity == "trust":
            return RINGS
        return NOTHING if self._open else self._found().proof

    def sag(self) -> NDArray[Float]:
        """Return how far the hull reaches beyond the body, along the axes, (3,).

        Proven for positions that are convex within tolerance; 0 where by rounding or on
        the caller's word.
        """
        if self._convexity == "trust":
            return np.zeros(3)
        return self._found().sag

    def known(self, what: str) -> Any:
        """Return what is known of positions that only the body changes, or None."""
        return self._findings.known(what) if self._findings else None

    def outward_mesh(self, *, ask: bool = False) -> WingedEdgeMesh:
        """Return the mesh, or its mirror while the body is known to be inside-out.

        ``ask``: or found to be.  Cost: O(E).
        """
        if ask:
            return mirrored(self._mesh) if self.volume_sign() < 0 else self._mesh
        return self._findings.outward() if self._findings else self._mesh

    def volume_sign(self) -> int:
        """Return 1, or -1 while the body is inside-out, or 0 while it has collapsed."""
        return self._found().volume_sign()

    @property
    def may_have_flaw(self) -> bool:
        """Whether answers must say where the body is not convex, if it is not."""
        return self._convexity == "flag" and self.known("standing") != CONVEX

    def flaw(self) -> str:
        """Say where the body is not convex, if it was made with ``"flag"``; or nothing.

        Cost: an audit, unless the kernels see a convex solid.
        """
        if self._convexity != "flag" or self._found().standing == CONVEX:
            return ""
        return guard.flaw(self.audit(), self._mesh, self._name)

    def remarks(self) -> list[str]:
        """List what an answer must say of the body; nothing of most.

        Its flaw; and of any but one made with ``"trust"``, that it is inside-out or has
        collapsed.
        """
        sign = 1 if self._convexity == "trust" else self.volume_sign()
        odd = {-1: "is inside-out", 0: "has collapsed: it has no volume"}
        said = [f"body '{self._name}' {odd[sign]}"] if sign in odd else []
        return [*said, flaw] if (flaw := self.flaw()) else said

    def forget(self) -> Known:
        """Forget what is known of the positions, and return it.

        Before new ones are written: no interrupt must leave old findings about them.
        """
        known = self._version, self._findings, self._quiet
        self._version += 1
        self._findings, self._quiet, self.standing = None, object(), None
        LAST_CHANGE[0] = self._quiet
        return known

    def recall(self, known: Known) -> None:
        """Take back what `forget` returned: the positions are what they were."""
        self._version, self._findings, self._quiet = known
        self.standing = None

    def took(self, count: int) -> None:
        """Note that a kernel put so many new positions in place, after ``forget``."""
        self._version += count - 1


class BodyScan:
    """Know which bodies may have changed, without asking them while none did.

    Attributes: ``changed``: places of those that are not as they were made; ``open``:
    of those whose live arrays were handed out, ``is_open``; ``versions``, ``editions``.
    """

    def __init__(self, bodies: Sequence[Judged]) -> None:
        self._bodies = bodies
        self._after: object = None  # which change
        self.editions: tuple[MeshRevision, ...] = ()
        self._saw: object = None  # for which versions of before ``_new`` was found

    def look(self) -> None:
        """Look at the bodies, if anything may have changed since."""
        last = LAST_CHANGE[0]
        if last is not self._after:
            self.versions = versions = tuple(map(_VERSION, self._bodies))
            self.is_open = opened = list(map(_OPEN, self._bodies))
            self.changed = [k for k, v in enumerate(versions) if v or opened[k]]
            self.open = [k for k in self.changed if opened[k]]
            if (editions := tuple(map(_EDITION, self._bodies))) != self.editions:
                self.editions = editions
            self._after, self._saw = last, None

    def new(self, saw: Sequence[int | None]) -> list[int]:
        """Return places of positions that did not last; the same list while it is."""
        if self._saw is not saw:
            self._new = [k for k in self.changed if self._bodies[k].is_new(saw[k])]
            self._saw = saw
        return self._new
