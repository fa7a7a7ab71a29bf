"""Run ``wingedge info``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli.codes import FAILED, NO, YES
from viewer.cli.options import waiting

if TYPE_CHECKING:
    from wingedge import MeshError, WingedEdgeMesh

# The invariants that a surface breaks when it does not enclose one solid.
OPEN = (
    "two faces per edge",
    "consistent orientation",
    "one component",
    "one fan of faces per vertex",
)
KINDS = {3: "triangles", 4: "quadrilaterals", 5: "pentagons", 6: "hexagons"}


def info(*meshes: Path) -> int:
    """Describe mesh files, and say whether they can be tracked.

    Exit code 0 if all can be tracked, 1 if one can be read but not tracked, 2 if one
    cannot be read.

    Parameters
    ----------
    meshes : Path
        OBJ, OFF, STL, PLY or GLB files.
    """
    if not meshes:
        raise ValueError("name at least one mesh file")
    return max([_report(path) for path in meshes])


def _report(path: Path) -> int:
    from wingedge import MeshError, read

    try:
        with waiting(f"reading {path}"):
            mesh = read(path)
    except (OSError, ValueError) as error:
        if not isinstance(error, MeshError) or not error.invariant:
            print(f"wingedge info: {' '.join(str(error).split())}", file=sys.stderr)
            return FAILED
        facts, code = _trouble(path, error), NO
    else:
        facts, code = _facts(mesh), YES
    print(path)
    for name, value in facts:
        print(f"  {name:<8} {value}")
    return code


def _trouble(path: Path, error: "MeshError") -> list[tuple[str, str]]:
    sentence = str(error).removeprefix(f"{path}: ")
    if error.invariant in OPEN:
        return [
            ("closed", f"no: {sentence}"),
            ("tracked", f"no: a body must be one closed surface ({error.invariant})"),
        ]
    return [("tracked", f"no ({error.invariant}): {sentence}")]


def _by_rounding(mesh: "WingedEdgeMesh") -> str:
    """Say whether the rounding of the file is all that dents a body."""
    from wingedge import ConvexityError
    from wingedge.snapping import snapped

    try:
        with waiting("looking whether it is dented by rounding alone"):
            convex = snapped(mesh)
    except ConvexityError:
        return ""
    moved = float(abs(convex.points - mesh.points).max())
    said = "; by the rounding of the file alone: wingedge.read(path, convex=True) moves"
    return f"{said} coordinates by {moved:.3g} at most, and it is convex"


def _facts(mesh: "WingedEdgeMesh") -> list[tuple[str, str]]:
    import numpy as np

    from wingedge import convexity, geometry

    corners, number = np.unique(np.diff(mesh.corners.start), return_counts=True)
    faces = ", ".join(
        f"{n} {KINDS.get(k, f'{k}-gons')}"
        for k, n in zip(corners.tolist(), number.tolist(), strict=True)
    )
    extent = np.ptp(mesh.points, axis=0).tolist()
    diagonal = float(np.sqrt(sum(x * x for x in extent)))
    report = convexity(mesh)
    depth = report.worst_depth
    if report.is_convex():
        convex = f"yes: deepest dent {depth:.3g}, tolerance {report.tolerance:.3g}"
    elif len(report.reflex_edges):
        share, k = 100.0 * depth / diagonal, report.worst_edge
        tail, tip = mesh.edge_vertices[k].tolist()
        left, right = mesh.edge_faces[k].tolist()
        edge = f"e{k}({tail}-{tip}) between f{left} and f{right}"
        convex = (
            f"no: worst edge {edge}, dented by {depth:.6g} "
            f"({share:.3g} % of the diagonal); dented edges: {len(report.reflex_edges)}"
            + _by_rounding(mesh)
        )
    else:
        convex = f"no: no edge is dented, but it winds {report.winding} times round"
    handles = f"{report.genus or 'no'} handle{'' if report.genus == 1 else 's'}"
    volume = geometry.volume(mesh)
    return [
        ("counts", f"{mesh.n_vertices} vertices, {mesh.n_edges} edges, {faces}"),
        ("closed", f"yes: one piece, {handles}"),
        ("convex", convex),
        ("size", f"{' x '.join(f'{x:.6g}' for x in extent)}, diagonal {diagonal:.6g}"),
        ("volume", f"{volume:.6g}, surface {geometry.area(mesh):.6g}"),
        ("tracked", "yes"),
    ]
