"""Run ``wingedge info``, ``table`` and ``plot``: what files hold."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sim.progress import counting
from viewer.cli import FAILED, NO, YES
from viewer.cli.options import Recorded

if TYPE_CHECKING:
    from wingedge import WingedEdgeMesh

# The invariants that a surface breaks when it does not enclose one solid.
OPEN = (
    "two faces per edge",
    "consistent orientation",
    "one component",
    "one fan of faces per vertex",
)
KINDS = {3: "triangles", 4: "quadrilaterals", 5: "pentagons", 6: "hexagons"}


def table(
    recording: Recorded,
    /,
    *,
    contacts: bool = False,
    when: bool = False,
    pattern: str | None = None,
    csv: bool = False,
    output: Path | None = None,
) -> int:
    """Print a recording as a table, a row for every pair in every frame.

    Args:
        contacts: Print one row per contact instead: when, how long, how deep, which
            features.
        when: With --contacts: also when between two frames each began and ended.
        pattern: With --contacts: of which bodies or parts, for example foot.heel/*.
        csv: CSV, with all digits: printed, or written to --output. Without --csv and
            --output the first rows are printed for reading.
        output: A file to write (.csv); with --csv any ending will do.
    """
    from sim import Recording

    if (when or pattern) and not contacts:
        option = "--when" if when else "--pattern"
        raise ValueError(f"{option} goes with --contacts")
    if output is not None and not csv and output.suffix.lower() != ".csv":
        raise ValueError(
            f"--output {output}: give a name that ends in .csv, or say the form, --csv"
        )
    with counting(f"reading {recording}"), Recording.open(recording) as opened:
        rows = opened.contacts(pattern, when=when) if contacts else opened.table()
    if output is not None:
        rows.to_csv(output)
        print(f"{output}: {len(rows)} rows")
    elif csv:
        sys.stdout.write(rows.to_csv())
    else:
        print(rows)
    return YES


def plot(
    recording: Recorded,
    /,
    *,
    output: Path | None = None,
    pair: str | None = None,
    margins: bool = False,
) -> int:
    """Plot distance, depth and contacts over time, with all events.

    Args:
        output: The picture (.png, .svg, .pdf); by default NAME-plot.png beside
            NAME.vtkhdf.
        pair: Plot only this pair, for example jelly/table.
        margins: Plot how far positions may be off before each event is in doubt, too,
            and their resolution, a dotted line.
    """
    from sim import Recording
    from viewer.plot import plot as draw

    target = output or recording.with_name(f"{recording.stem}-plot.png")
    with counting(f"plotting {recording}"), Recording.open(recording) as opened:
        draw(opened, target, pair=pair, margins=margins)
        print(f"{target}: {len(opened)} frames")
    return YES


def info(*meshes: Path) -> int:
    """Describe mesh files, and say whether they can be tracked.

    Args:
        meshes: Files of any format that `wingedge track` reads; of several frames the
            first.
    """
    import viewer.series  # noqa: F401  (registers what VTK reads)

    if not meshes:
        raise ValueError("name at least one mesh file")
    return max([_report(path) for path in meshes])


def _report(path: Path) -> int:
    from sim.sequence.sample import mesh_of, read_samples
    from sim.story.file.inspection import Apart
    from wingedge import MeshError

    try:
        with counting(f"reading {path}"), Apart() as apart:
            bodies = read_samples(path, apart)
    except (OSError, ValueError, ImportError) as error:
        print(f"wingedge info: {' '.join(str(error).split())}", file=sys.stderr)
        return FAILED
    code = YES
    for name, samples in bodies.items():
        facts = {"frames": str(len(samples))} if len(samples) > 1 else {}
        try:
            facts |= _facts(mesh_of(samples[0])[0])
        except MeshError as error:
            code, why = NO, str(error).removeprefix(f"{samples[0].where}: ")
            words = f"no ({error.invariant}): {why}"
            if error.invariant in OPEN:
                facts["closed"] = f"no: {why}"
                words = f"no: a body must be one closed surface ({error.invariant})"
            facts["tracked"] = words
        print(f"{path}, {name}" if name else path)
        for fact, value in facts.items():
            print(f"  {fact:<8} {value}")
    return code


def _by_rounding(mesh: "WingedEdgeMesh") -> str:
    """Say whether the rounding of the file is all that dents a body."""
    from wingedge import ConvexityError
    from wingedge.snapping import snapped

    try:
        with counting("looking whether it is dented by rounding alone"):
            convex = snapped(mesh)
    except ConvexityError:
        return ""
    moved = float(abs(convex.points - mesh.points).max())
    said = "; by the rounding of the file alone: wingedge.read(path, convex=True) moves"
    return f"{said} coordinates by {moved:.3g} at most, and it is convex"


def _facts(mesh: "WingedEdgeMesh") -> dict[str, str]:
    import numpy as np

    from sim.sequence.source import precision_of
    from wingedge import convexity, geometry

    corners, number = np.unique(np.diff(mesh.corners.start), return_counts=True)
    faces = ", ".join(
        f"{n} {KINDS.get(k, f'{k}-gons')}"
        for k, n in zip(corners.tolist(), number.tolist(), strict=True)
    )
    if several := np.count_nonzero(np.bincount(mesh.source_faces) > 1):
        faces += f" (polygons of the file that were cut: {several})"
    extent = np.ptp(mesh.points, axis=0).tolist()
    diagonal = float(np.sqrt(sum(x * x for x in extent)))
    report = convexity(mesh)
    depth, genus = report.worst_depth, report.genus
    convex = f"no: no edge is dented, but it winds {report.winding} times round"
    if report.is_convex():
        convex = f"yes: deepest dent {depth:.3g}, tolerance {report.tolerance:.3g}"
    elif len(report.reflex_edges):
        k, share = report.worst_edge, 100.0 * depth / diagonal
        tail, tip = mesh.edge_vertices[k].tolist()
        left, right = mesh.edge_faces[k].tolist()
        where = f"e{k}({tail}-{tip}) between f{left} and f{right}"
        convex = (
            f"no: worst edge {where}, dented by {depth:.6g} ({share:.3g} % of the "
            f"diagonal); dented edges: {len(report.reflex_edges)}{_by_rounding(mesh)}"
        )
    known = precision_of([mesh.resolution])
    size = f"{' x '.join(f'{x:.6g}' for x in extent)}, diagonal {diagonal:.6g}"
    named = ", ".join(f"{name} {len(own)} faces" for name, own in mesh.parts.items())
    parts = {"parts": named} if named else {}
    return {
        "counts": f"{mesh.n_vertices} vertices, {mesh.n_edges} edges, {faces}",
        "closed": f"yes: one piece, {genus or 'no'} handle{'s' * (genus != 1)}",
        "convex": convex,
        "size": size,
        "volume": f"{geometry.volume(mesh):.6g}, surface {geometry.area(mesh):.6g}",
        **parts,
        "tracked": f"yes; {known}" if known else "yes",
    }
