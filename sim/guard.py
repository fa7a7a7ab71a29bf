"""Which positions a body refuses, and what is known of those that it accepts."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge import ConvexityError, Feature, MeshError, WingedEdgeMesh
from wingedge.convexity import ConvexityReport
from wingedge.positions import check_magnitude, extent

Float = np.float64
Points = NDArray[Float]


class Findings:
    """What was found out about one set of positions; None where nobody asked yet."""

    __slots__ = ("blunt", "report", "rings")

    def __init__(self) -> None:
        self.report: ConvexityReport | None = None
        self.rings: bool | None = None  # its vertex rings prove a support
        self.blunt: bool | None = None  # the two vertices beside an edge prove it


def check_choice(what: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise ``ValueError`` for an option that does not exist."""
    if value not in allowed:
        raise ValueError(f"{what}={value!r} is not one of {', '.join(allowed)}")


def checked(new: ArrayLike, shape: tuple[int, ...], name: str) -> Points:
    """Return new positions as floats, or say by name what is wrong with them.

    Raises
    ------
    TypeError
        If they are no real numbers.
    ValueError
        If the shape is not the mesh's, or a coordinate is not finite.
    MeshError
        If products of coordinates would overflow or vanish.
    """
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
    try:
        check_magnitude(array, extent(array))
    except MeshError as error:
        raise MeshError(
            f"body '{name}': {error}", error.invariant, error.element
        ) from None
    return array


def first_unfinite(points: Points) -> Feature | None:
    """Find the first vertex with a coordinate that is not finite."""
    bad = ~np.isfinite(points).all(axis=1)
    return Feature("vertex", int(bad.argmax())) if bad.any() else None


def refuse_unfinite(points: Points, name: str, frame: int) -> None:
    """Raise ``ValueError`` naming the first vertex that is not finite."""
    vertex = first_unfinite(points)
    if vertex is not None:
        at = points[vertex.index].tolist()
        raise ValueError(
            f"body '{name}', frame {frame}: vertex {vertex} is at {at}; "
            f"every coordinate must be finite"
        )


def refuse_dented(report: ConvexityReport, name: str, frame: int | None) -> None:
    """Raise ``ConvexityError`` for a dent deeper than the report's tolerance."""
    if not report.is_convex():
        raise ConvexityError.at(
            report.worst_edge, report.worst_depth, body=name, frame=frame
        )


def refuse_warped(
    mesh: WingedEdgeMesh, points: Points, name: str, frame: int | None
) -> None:
    """Raise ``MeshError`` for the first polygon that left its plane."""
    from wingedge.check import check_flatness

    try:
        check_flatness(mesh, points)
    except MeshError as error:
        when = "" if frame is None else f", frame {frame}"
        raise MeshError(
            f"body '{name}'{when}: {error}", error.invariant, error.element
        ) from None
