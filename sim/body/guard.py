"""Which positions a body refuses, and what is known of those that it accepts."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body import audit
from sim.body.pose import check_matrix
from sim.kernels.audit.hinges import CONVEX, NOTHING, RINGS, UNSURE
from sim.kernels.intake import COMMON, HARMLESS
from sim.kernels.limits import FARTHEST, NEAREST
from wingedge.convex import ConvexityReport, convexity
from wingedge.errors import ConvexityError, MeshError
from wingedge.features import Feature
from wingedge.geometry import shaped
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.positions import LARGEST, check_magnitude, extent
from wingedge.registry import find
from wingedge.tables import once_per_mesh

Float = np.float64
SPREAD = 3.0 * COMMON * COMMON  # of all bodies but very large ones
Points = NDArray[Float]


@once_per_mesh
def at_rest(mesh: WingedEdgeMesh) -> "Findings":
    """Return what is found out about a mesh: once for all bodies made of it."""
    return Findings(audit.HingeTest(mesh, np.array(mesh.points, Float, order="C")))


class Findings:
    """What is found out about one set of positions, each at most once, when asked."""

    __slots__ = ("_proof", "_report", "known_sag", "standing", "test")

    def __init__(self, test: audit.HingeTest) -> None:
        self.test = test  # what asks the kernels
        self._report: ConvexityReport | None = None
        self._proof: int | None = None
        self.standing: int | None = None  # CONVEX, DENTED, UNSURE; None: nobody asked
        self.known_sag: Points | None = None

    def report(self) -> ConvexityReport:
        """Report how convex the positions are."""
        if self._report is None:
            sized, power = audit.of_common_size(self.test.points)
            found = convexity(self.test.mesh, sized)
            if power:
                lengths = np.ldexp([found.worst_depth, found.tolerance], power)
                depth, tolerance = lengths.tolist()
                found = replace(found, worst_depth=depth, tolerance=tolerance)
            self._report = found
        return self._report

    def judge(self) -> int:
        """Say CONVEX, DENTED or UNSURE, where only the report can tell."""
        if self.standing is None:
            self.standing, _ = self.test.look(0)
        return self.standing

    def is_convex(self) -> bool:
        """Say whether they are convex within the default tolerance."""
        known = self.judge()
        return known == CONVEX or (known == UNSURE and self.report().is_convex())

    def volume_sign(self) -> int:
        """Return the sign of the volume: -1 inside-out, 0 collapsed."""
        return self.report().volume_sign if self.judge() == UNSURE else 1

    @property
    def known_sign(self) -> int | None:
        """The sign of the volume if nobody need look for it."""
        if self._report is not None:
            return self._report.volume_sign
        return 1 if self.standing else None

    def proof(self) -> int:
        """Say what rings prove of a support; see ``judged``."""
        if self._proof is None:
            self._proof = self._proven()  # at once: other threads ask too
        return self._proof

    def _proven(self) -> int:
        self.standing, seen = self.test.look()
        if not self.is_convex():
            return NOTHING
        sized, _ = audit.of_common_size(self.test.points)
        outward = self.outward()
        if sized is not self.test.points or outward is not self.test.mesh:
            _, seen = audit.HingeTest(outward, sized).look()
        return seen

    def sag(self) -> Points:
        """Return how far the hull reaches beyond the body, along the axes, (3,).

        Infinite where nothing is proven, as of a body that is not convex.
        """
        if self.known_sag is None:
            if self.proof() >= RINGS:
                self.known_sag = np.zeros(3)
            elif self.is_convex():
                points, power = audit.of_common_size(self.test.points)
                self.known_sag = np.ldexp(audit.sag_of(self.outward(), points), power)
            else:
                self.known_sag = np.full(3, np.inf)
        return self.known_sag

    def outward(self) -> WingedEdgeMesh:
        """Return the topology, mirrored if the positions are known to be inside-out."""
        return mirrored(self.test.mesh) if self.known_sign == -1 else self.test.mesh


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
    try:
        with np.errstate(over="ignore"):  # a wider type: infinite, which is refused
            array = shaped(new, shape)
    except (TypeError, ValueError) as error:
        raise type(error)(f"body '{name}': {error}") from None
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


def flaw(report: ConvexityReport, mesh: WingedEdgeMesh, name: str) -> str:
    """Say why a body is not convex, naming the place and the depth; or nothing."""
    if report.is_convex() or report.volume_sign == 0:
        return ""
    if report.worst_depth <= report.tolerance:
        return f"body '{name}' is not convex: its surface winds round its inside again"
    place = str(report.worst)
    if report.worst.kind == "edge":
        tail, tip = mesh.edge_vertices[report.worst.index].tolist()
        place = f"edge {place} ({tail}-{tip})"
    else:
        place = f"the fold of face {place}"
    return f"body '{name}' is not convex: {place} is {report.worst_depth:.3g} deep"


def refuse_warped(
    mesh: WingedEdgeMesh, points: Points, name: str, frame: int | None
) -> None:
    """Raise ``MeshError`` for the first polygon that left its plane."""
    try:
        find("check_flatness")(mesh, points)
    except MeshError as error:
        raise named(error, name, frame) from None
