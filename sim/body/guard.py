"""Which positions a body refuses, and why."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.kernels.intake import COMMON, HARMLESS
from sim.kernels.limits import FARTHEST, NEAREST
from wingedge.convex import ConvexityReport
from wingedge.errors import ConvexityError, MeshError
from wingedge.features import Feature
from wingedge.geometry import shaped
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import LARGEST, check_magnitude, extent

Float = np.float64
SPREAD = 3.0 * COMMON * COMMON  # of all bodies but very large ones
Points = NDArray[Float]


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


def same_bits(a: Points, b: Points) -> bool:
    """Compare two float64 arrays bit by bit: 0.0 is not -0.0, and NaN equals itself."""
    return np.array_equal(a.view(np.int64), b.view(np.int64))


def reach_of(points: Points) -> float:
    """Return the largest coordinate; not a number where one is none."""
    return max(float(points.max()), -float(points.min()))


def spread_of(points: Points) -> float:
    """Return a square that no vertex is farther out than; the same for most bodies."""
    reach = reach_of(points)
    return SPREAD if reach < COMMON else 3.0 * reach * reach


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


def refuse_misplaced(points: Points, pose: Points, name: str, frame: int) -> None:
    """Raise ``MeshError`` for points that a map puts beyond the limits.

    In the world, or about the origin of the body: a pair is answered relative to the
    translation of one of its bodies.  All points at 0 are not refused: 0 is exact.
    """
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
    return error.reworded(f"body '{name}'{when}: {error}")


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
