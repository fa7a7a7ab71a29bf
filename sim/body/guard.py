"""Which positions a body refuses, and what is known of those that it accepts."""

from weakref import ref

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body import audit
from sim.body.pose import check_matrix
from sim.kernels.audit.hinges import (
    COMMON,
    EDGES,
    NOTHING,
    REFUSED,
    RINGS,
    SHOWN,
    Hinges,
)
from sim.kernels.limits import FARTHEST, NEAREST
from wingedge.convex import ConvexityReport, convexity
from wingedge.errors import ConvexityError, MeshError
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.positions import LARGEST, check_magnitude, extent, refuse_masked
from wingedge.registry import find
from wingedge.tables import once_per_mesh

Float = np.float64
HARMLESS = 1e-25  # a body that reaches farther and is smaller than 1e-50 is a point
SPREAD = 3.0 * COMMON * COMMON  # of all bodies but very large ones
Points = NDArray[Float]


@once_per_mesh
def _seen_at_rest(mesh: WingedEdgeMesh) -> int:
    """Ask what the vertex rings of a mesh prove: once for all bodies made of it."""
    return audit.RingTest(mesh, np.array(mesh.points, Float, order="C")).look()


class ConvexityCache:
    """What is found out about one set of positions, each at most once, when asked.

    Whoever writes to the positions takes ``fresh`` findings.
    """

    __slots__ = (
        *("_at_rest", "_bench", "_proof", "_report", "_tests"),
        *("known_sag", "seen", "verdict"),
    )

    def __init__(
        self,
        bench: list[audit.ConvexityCheck] | None = None,
        tests: list[audit.RingTest] | None = None,
        *,
        at_rest: bool = False,
    ) -> None:
        self._at_rest = at_rest  # the positions are those of the mesh
        # hold no answer, only room for the work; shared by all findings of a body
        self._bench: list[audit.ConvexityCheck] = [] if bench is None else bench
        self._tests: list[audit.RingTest] = [] if tests is None else tests
        self._report: ConvexityReport | None = None
        # what the test saw that put the positions in place, and of which mesh
        self.seen: tuple[int, WingedEdgeMesh] | None = None
        self._proof: int | None = None
        self.verdict: audit.ConvexityResult | None = None
        self.known_sag: Points | None = None

    def fresh(self, points: Points | None = None) -> "ConvexityCache":
        """Return findings about new positions of the same body, put where they are."""
        if self._at_rest and self.seen is not None and points is not None:
            self._tests[:] = [audit.RingTest(self.seen[1], points)]
        return ConvexityCache(self._bench, self._tests)

    def take(self, new: Points, points: Points) -> bool:
        """Put new positions in place, unless something may be wrong with them.

        Where those before were asked for a proof, these are looked at in the same pass.
        """
        if not self._tests or self._tests[0].points is not points:
            self._tests[:] = [audit.RingTest(None, points)]
        test = self._tests[0]
        seen = test.take(new)
        if test.mesh is not None:
            self.seen = seen, test.mesh
        return seen != REFUSED

    def taking(
        self, mesh: WingedEdgeMesh, points: Points, *, trusted: bool
    ) -> tuple[Hinges, int] | None:
        """Return by what a kernel takes new positions, and what it must find."""
        if not self._tests or self._tests[0].points is not points:
            return None
        (hinges,) = self._tests[0].taken
        if trusted:
            return hinges, EDGES
        seen, asked = self.seen or (NOTHING, mesh)
        return (hinges, seen) if seen >= SHOWN and asked is mesh else None

    def after(self, before: "ConvexityCache", trusted: bool) -> "ConvexityCache":
        """Return findings of before where they hold of these positions too, or these.

        They do where as much was seen as then, all that anybody relies on.
        """
        enough = trusted or (self.seen is not None and self.seen[0] >= SHOWN)
        if not enough or self.seen != before.seen or not before.may_last():
            return self
        return before

    def may_last(self) -> bool:
        """Say whether nothing is known but what was seen; forget the report."""
        self._report = None
        return self.verdict is None and not self._at_rest

    def report(self, mesh: WingedEdgeMesh, points: Points) -> ConvexityReport:
        """Report how convex the positions are."""
        if self._report is None:
            self._report = convexity(mesh, points)
        return self._report

    def judge(self, mesh: WingedEdgeMesh, points: Points) -> audit.ConvexityResult:
        """Say whether they are convex, where they are not, and whether a solid."""
        if self.verdict is None:
            if not self._bench or self._bench[0].points is not points:
                self._bench[:] = [audit.ConvexityCheck(mesh, points)]
            self.verdict = self._bench[0].audit()
        return self.verdict

    def sign(self, mesh: WingedEdgeMesh, points: Points) -> int:
        """Return the sign of the volume: -1 inside-out, 0 collapsed."""
        if self.verdict is None and self._proof:
            return 1  # as the rings have shown
        return self.judge(mesh, points).sign

    def prove_by_rings(self, mesh: WingedEdgeMesh, points: Points) -> bool:
        """Say whether a vertex ring proves a support."""
        return self._proof_of(mesh, points) >= RINGS

    def prove_by_edges(self, mesh: WingedEdgeMesh, points: Points) -> bool:
        """Say whether the two vertices beside an edge prove that it is a support."""
        return self._proof_of(mesh, points) == EDGES

    def _proof_of(self, mesh: WingedEdgeMesh, points: Points) -> int:
        if self._proof is None:
            self._proof = self._proven(mesh, points)  # at once: other threads ask too
        return self._proof

    def _proven(self, mesh: WingedEdgeMesh, points: Points) -> int:
        if self.seen is None and self._at_rest:
            self.seen = _seen_at_rest(mesh), mesh
        elif self.seen is None:
            test = self._tests[0] if self._tests else None
            if test is None or test.points is not points or test.mesh is None:
                self._tests[:] = [test := audit.RingTest(mesh, points)]
            self.seen = test.look(), test.mesh or mesh
        seen, asked = self.seen
        if seen >= SHOWN and asked is mesh:
            return seen - SHOWN
        if not self.judge(mesh, points).convex:
            return NOTHING
        sized, _ = audit.of_common_size(points)
        outward = self.outward(mesh)
        if sized is not points or asked is not outward:
            test = audit.RingTest(outward, sized)
            if sized is points:
                self._tests[:] = [test]
            seen = test.look()
        return seen % SHOWN

    def sag(self, mesh: WingedEdgeMesh, points: Points) -> Points:
        """Return how far the hull reaches beyond the body, along the axes, (3,).

        Infinite where nothing is proven, as of a body that is not convex.
        """
        if self.known_sag is None:
            if self.prove_by_rings(mesh, points):
                self.known_sag = np.zeros(3)
            elif self.judge(mesh, points).convex:
                points, power = audit.of_common_size(points)
                self.known_sag = np.ldexp(
                    audit.sag_of(self.outward(mesh), points), power
                )
            else:
                self.known_sag = np.full(3, np.inf)
        return self.known_sag

    def outward(self, mesh: WingedEdgeMesh) -> WingedEdgeMesh:
        """Return the topology, mirrored if the positions are known to be inside-out."""
        known = self.verdict
        return mirrored(mesh) if known and known.sign < 0 else mesh


def check_choice(what: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise ``ValueError`` for an option that does not exist."""
    if value not in allowed:
        raise ValueError(f"{what}={value!r} is not one of {', '.join(allowed)}")


def checked(new: ArrayLike, shape: tuple[int, ...], name: str) -> Points:
    """Return new positions as floats, or say what is wrong with them.

    Raises TypeError if they are no real numbers; ValueError if the shape is not the
    mesh's, or a coordinate is not finite; MeshError if products of coordinates would
    overflow or vanish.
    """
    refuse_masked(new, f"body '{name}': points")
    try:
        given = np.asarray(new)
    except ValueError:
        raise ValueError(
            f"body '{name}': points have rows of different lengths; this mesh needs "
            f"{shape}"
        ) from None
    if given.dtype.kind not in "fiu":
        raise TypeError(
            f"body '{name}': points must be real numbers, got {given.dtype}"
        )
    if given.shape != shape:
        raise ValueError(
            f"body '{name}': points have shape {given.shape}; this mesh needs {shape}"
        )
    with np.errstate(over="ignore"):  # a wider type: infinite, so refused below
        array = given.astype(Float, copy=False)
    vertex = first_unfinite(array)
    if vertex is not None:
        raise ValueError(
            f"body '{name}': vertex {vertex} is at {given[vertex.index].tolist()}; "
            f"every coordinate must be finite"
        )
    refuse_magnitude(array, name, None)
    return array


def reach_of(points: Points) -> float:
    """Return the largest coordinate; not a number where one is none."""
    return max(float(points.max()), -float(points.min()))


def spread_of(points: Points) -> float:
    """Return a square that no vertex is farther out than; the same for most bodies."""
    reach = reach_of(points)
    return SPREAD if reach < COMMON else 3.0 * reach * reach


def first_unfinite(points: Points) -> Feature | None:
    """Find the first vertex with a coordinate that is not finite."""
    finite = np.isfinite(points)
    if finite.all():
        return None
    return Feature("vertex", int(finite.all(axis=1).argmin()))


def refuse_unfinite(points: Points, name: str, frame: int) -> None:
    """Raise ``ValueError`` naming the first vertex that is not finite."""
    if vertex := first_unfinite(points):
        raise ValueError(
            f"body '{name}', frame {frame}: vertex {vertex} is at "
            f"{points[vertex.index].tolist()}; every coordinate must be finite"
        )


def refuse_magnitude(points: Points, name: str, frame: int | None) -> None:
    """Raise ``MeshError`` for coordinates whose powers would overflow, or vanish.

    What is not finite is named elsewhere.  Cost: two comparisons per coordinate.
    """
    reach = reach_of(points)
    if HARMLESS < reach < LARGEST or reach - reach != 0.0:
        return
    try:
        check_magnitude(points, extent(points))
    except MeshError as error:
        raise named(error, name, frame) from None


class Withdrawn:
    """An array of positions that a body reads no longer, while others may write to it.

    numpy cannot take back that a slice is writable; a write is told afterwards.
    """

    __slots__ = ("_array", "_seen")

    def __init__(self, array: Points) -> None:
        array.setflags(write=False)
        self._array = ref(array)  # every slice keeps it alive, nothing here does
        self._seen = array.copy()

    def is_held(self) -> bool:
        """Say whether anybody still has the array, or a slice of it."""
        return self._array() is not None

    def refuse_writes(self, name: str, frame: int) -> None:
        """Raise ``ValueError``, once for each time that somebody wrote to it."""
        array = self._array()
        if array is None or array.tobytes() == self._seen.tobytes():
            return
        changed = array.view(np.int64) != self._seen.view(np.int64)
        vertex = int(changed.any(axis=1).argmax())
        self._seen = array.copy()
        raise ValueError(
            f"body '{name}', frame {frame}: vertex v{vertex} was written to an array "
            f"of before body.replace(), which moves nothing; ask for body.points again"
        )


def check_placed(points: Points, pose: Points, name: str, frame: int) -> None:
    """Raise ``ValueError`` for points that a (3, 4) map puts where none may be.

    Not finite, or beyond the limits in the world, or about the origin of the body: a
    pair is answered relative to the translation of one of its bodies.  All points at 0
    are not refused: 0 is exact.  Cost: O(V).
    """
    refuse_unfinite(points, name, frame)
    refuse_magnitude(points, name, frame)
    if np.isfinite(pose).all():
        _refuse_misplaced(points, pose, name, frame)
    check_matrix(pose, name)


def _refuse_misplaced(points: Points, pose: Points, name: str, frame: int) -> None:
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        x, y, z = points.T
        turned = np.stack([m[0] * x + m[1] * y + m[2] * z for m in pose], axis=1)
        placed = turned + pose[:, 3]
    for moved, where in ((placed, "is placed at"), (turned, "is scaled to")):
        out = np.abs(moved).max(axis=1)
        v = int(out.argmax())
        if NEAREST < out[v] < FARTHEST or out[v] == 0.0:
            continue
        wrong = f"not below the limit {FARTHEST:g}; move it nearer, or scale it down"
        if out[v] < 1.0:
            wrong = f"and no vertex is above the limit {NEAREST:g}; scale it up"
        at = ", ".join(f"{x:.6g}" for x in moved[v].tolist())
        what = f"vertex {v} {where} ({at}), {wrong}"
        error = MeshError(what, "sane magnitude", Feature("vertex", v))
        raise named(error, name, frame)


def named(error: MeshError, name: str, frame: int | None) -> MeshError:
    """Return the same error with the body and the frame in front."""
    when = "" if frame is None else f", frame {frame}"
    return MeshError(f"body '{name}'{when}: {error}", error.invariant, error.element)


def refuse(report: ConvexityReport, name: str, frame: int | None) -> None:
    """Raise ``ConvexityError`` for positions that are no convex solid, saying why."""
    why = ""
    if report.volume_sign == 0:
        why = "it has collapsed: it has no volume"
    elif report.volume_sign < 0:
        why = "it is inside-out"
    elif report.worst_depth > report.tolerance and report.worst.kind == "face":
        why = f"face {report.worst.index} is folded inwards by {report.worst_depth:.6g}"
    elif report.worst_depth <= report.tolerance:
        why = f"its surface winds {report.winding} times round its inside"
    raise ConvexityError.at(
        report.worst_edge, report.worst_depth, body=name, frame=frame, why=why
    )


def remark(verdict: audit.ConvexityResult | None, name: str) -> str:
    """Say what is odd about a solid; nothing where it is one, or nobody knows."""
    return "" if verdict is None else remark_on(verdict.sign, name)


def remark_on(sign: int, name: str) -> str:
    """Say what is odd about a body whose volume has this sign."""
    if sign > 0:
        return ""
    what = "is inside-out" if sign < 0 else "has collapsed: it has no volume"
    return f"body '{name}' {what}"


def flaw(verdict: audit.ConvexityResult, mesh: WingedEdgeMesh, name: str) -> str:
    """Say why a body is not convex, naming the place and the depth; or nothing."""
    if verdict.convex or verdict.sign == 0:
        return ""
    if verdict.depth <= verdict.tolerance:
        return f"body '{name}' is not convex: its surface winds round its inside again"
    place = str(verdict.worst)
    if verdict.worst.kind == "edge":
        tail, tip = mesh.edge_vertices[verdict.worst.index].tolist()
        place = f"edge {place} ({tail}-{tip})"
    else:
        place = f"the fold of face {place}"
    return f"body '{name}' is not convex: {place} is {verdict.depth:.3g} deep"


def refuse_warped(
    mesh: WingedEdgeMesh, points: Points, name: str, frame: int | None
) -> None:
    """Raise ``MeshError`` for the first polygon that left its plane."""
    try:
        find("check_flatness")(mesh, points)
    except MeshError as error:
        raise named(error, name, frame) from None
