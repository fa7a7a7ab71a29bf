"""Run ``wingedge info``, ``table``, ``plot`` and ``export``: what files hold."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from sim.progress import counting
from viewer.cli.codes import FAILED, NO, YES
from viewer.cli.options import waiting, whole


def table(
    recording: Path,
    /,
    *,
    contacts: bool = False,
    when: bool = False,
    csv: bool = False,
    parquet: bool = False,
    output: Path | None = None,
) -> int:
    """Print a recording as a table, a row for every pair in every frame.

    Parameters
    ----------
    recording : Path
        A file written by `wingedge run --record` or `World.record`.
    contacts : bool
        Print one row per contact instead: when, how long, how deep, which features.
    when : bool
        With --contacts: also when between two frames each began and ended.
    csv : bool
        CSV, with all digits: printed, or written to --output. Without --csv, --parquet
        and --output the first rows are printed for reading.
    parquet : bool
        Write Parquet, to --output or beside the recording; needs pyarrow.
    output : Path
        A file to write (.csv or .parquet); with --csv or --parquet any ending will do.
    """
    from sim import Recording

    if csv and parquet:
        raise ValueError("--csv and --parquet are two forms; ask for one")
    if when and not contacts:
        raise ValueError("--when goes with --contacts")
    if output is not None and not (csv or parquet):
        csv, parquet = (output.suffix.lower() == end for end in (".csv", ".parquet"))
        if not (csv or parquet):
            raise ValueError(
                f"--output {output}: give a name that ends in .csv or .parquet, or say "
                f"the form, --csv or --parquet"
            )
    with waiting(f"reading {recording}"), Recording.open(recording) as opened:
        found = opened.contacts(when=when) if contacts else opened.table()
    if parquet:
        target = output or recording.with_suffix(".parquet")
        found.to_parquet(target)
        print(f"{target}: {len(found)} rows")
    elif output is not None:
        found.to_csv(output)
        print(f"{output}: {len(found)} rows")
    elif csv:
        sys.stdout.write(found.to_csv())
    else:
        print(found)
    return YES


def plot(
    recording: Path, /, *, output: Path | None = None, pair: str | None = None
) -> int:
    """Plot distance, depth and contacts over time, with all events.

    With them go energies and momentum where a law moved the bodies and tells them.

    Parameters
    ----------
    recording : Path
        A file written by `wingedge run --record` or `World.record`.
    output : Path
        The picture (.png, .svg, .pdf); by default NAME-plot.png beside NAME.vtkhdf.
    pair : str
        Plot only this pair, for example jelly/table.
    """
    from sim import Recording
    from viewer.plot import plot as draw

    target = output or recording.with_name(f"{recording.stem}-plot.png")
    with waiting(f"plotting {recording}"), Recording.open(recording) as opened:
        draw(opened, target, pair=pair)
        print(f"{target}: {len(opened)} frames")
    return YES


def export(
    recording: Path,
    /,
    *,
    vtm: bool = False,
    vtp: bool = False,
    gltf: bool = False,
    usd: bool = False,
    output: Path | None = None,
    frame: Annotated[
        int | None, Parameter(allow_leading_hyphen=True, converter=whole)
    ] = None,
) -> int:
    """Write a recording as files that older and other programs read.

    Parameters
    ----------
    recording : Path
        A file written by `wingedge run --record` or `World.record`.
    vtm : bool
        One multiblock file a frame: a block a body, contacts, markers; open the .pvd.
    vtp : bool
        One surface of all bodies per frame; open the .pvd.
    gltf : bool
        One frame as .glb: that of --frame, by default the last.
    usd : bool
        The moving and deforming bodies as .usda; needs usd-core.
    output : Path
        The file to write; by default the recording's name with another ending.
    frame : int
        Export only this frame, from 0; -1 is the last.
    """
    from sim import Recording
    from viewer.export import FORMATS
    from viewer.export import export as write

    asked = {"vtm": vtm, "vtp": vtp, "gltf": gltf, "usd": usd}
    forms = [form for form, wanted in asked.items() if wanted]
    if len(forms) != 1:
        raise ValueError("ask for one form: --vtm, --vtp, --gltf or --usd")
    path = output or recording.with_suffix(FORMATS[forms[0]])
    with Recording.open(recording) as opened, counting(f"writing {path}") as told:
        try:
            write(opened, path, form=forms[0], frame=frame, progress=told)
        except ImportError as error:
            raise ImportError(f"--{forms[0]}: {error}") from None
        count = 1 if gltf or frame is not None else len(opened)
    print(f"{path}: {count} of {len(opened)} frames")
    return YES


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
        Files of any format that `wingedge track` reads; of several frames the first.
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
        with waiting(f"reading {path}"), Apart() as apart:
            bodies = read_samples(path, apart)
    except (OSError, ValueError, ImportError) as error:
        print(f"wingedge info: {' '.join(str(error).split())}", file=sys.stderr)
        return FAILED
    code = YES
    for name, samples in bodies.items():
        try:
            facts = _facts(mesh_of(samples[0])[0])
        except MeshError as error:
            facts, code = _trouble(samples[0].where, error), NO
        frames = [("frames", str(len(samples)))] if len(samples) > 1 else []
        print(f"{path}, {name}" if name else path)
        for fact, value in frames + facts:
            print(f"  {fact:<8} {value}")
    return code


def _trouble(where: str, error: "MeshError") -> list[tuple[str, str]]:
    sentence = str(error).removeprefix(f"{where}: ")
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
    if several := np.count_nonzero(np.bincount(mesh.source_faces) > 1):
        faces += f" (polygons of the file that were cut: {several})"
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
