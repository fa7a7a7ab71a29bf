"""Run ``wingedge info``: say what a mesh file holds and whether it can be tracked."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli.codes import FAILED, NO, YES
from viewer.cli.progress import waiting

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
    """Say what mesh files hold, and whether they can be tracked.

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
    except MeshError as error:
        if error.invariant:
            return _show(path, _trouble(path, error), NO)
        return _unreadable(error)
    except (OSError, ValueError) as error:
        return _unreadable(error)
    return _show(path, _facts(mesh), YES)


def _show(path: Path, lines: list[tuple[str, str]], code: int) -> int:
    print(path)
    for name, value in lines:
        print(f"  {name:<8} {value}")
    return code


def _unreadable(error: Exception) -> int:
    print(f"wingedge info: {' '.join(str(error).split())}", file=sys.stderr)
    return FAILED


def _trouble(path: Path, error: "MeshError") -> list[tuple[str, str]]:
    sentence = str(error).removeprefix(f"{path}: ")
    if error.invariant in OPEN:
        return [
            ("closed", f"no: {sentence}"),
            ("tracked", f"no: a body must be one closed surface ({error.invariant})"),
        ]
    return [("tracked", f"no ({error.invariant}): {sentence}")]


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
        share = 100.0 * depth / diagonal
        convex = (
            f"no: worst edge {_edge(mesh, report.worst_edge)}, dented by {depth:.6g} "
            f"({share:.3g} % of the diagonal); dented edges: {len(report.reflex_edges)}"
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


def _edge(mesh: "WingedEdgeMesh", edge: int) -> str:
    tail, tip = mesh.edge_vertices[edge].tolist()
    left, right = mesh.edge_faces[edge].tolist()
    return f"e{edge}({tail}-{tip}) between f{left} and f{right}"
