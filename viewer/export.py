"""Turn what a window draws of a frame into plain geometry; write it as glTF."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from sim import Frame, Recording
from viewer.drawing.glyphs import PairGlyphs, drawn_pairs, pair_glyphs
from viewer.drawing.markers import Pen, add_markers, add_rims
from viewer.drawing.solids import Solid, SolidBuilder
from viewer.files import check_place, replacing
from viewer.gl import require_pyvista
from viewer.theme import LIGHT, Theme

_PIXELS = 360.0  # of the picture in which twice the smaller body fills the height


def export(
    frames: Recording | Sequence[Frame],
    path: str | PathLike[str],
    *,
    frame: int | None = None,
) -> Path:
    """Write one frame, its bodies and markers with their colours, as binary glTF.

    Returns the file. Raises ValueError, IndexError if the ending is not ``.glb``, or
    there is no such frame; OSError if nothing can be written there.

    Parameters
    ----------
    frames : Recording or sequence of Frame
    path : str or path
        Ends with ``.glb``. Blender reads it.
    frame : int, optional
        Which one, by its place; the last one if left out.
    """
    where = Path(path)
    if where.suffix.lower() != ".glb":
        raise ValueError(f"{where}: a frame is exported as .glb")
    check_place(where)
    if not (count := len(frames)):
        raise IndexError("there is no frame to export; step the world while it records")
    if frame is not None and not -count <= frame < count:
        raise IndexError(f"there is no frame {frame}; there are {count} frames")
    with replacing(where) as temporary:
        temporary.write_bytes(_glb(frames[-1 if frame is None else frame]))
    return where


def mark(
    pieces: SolidBuilder,
    frame: Frame,
    pair: PairGlyphs,
    look: Theme = LIGHT,
    share: float = 2.0 / _PIXELS,
    *,
    normals: bool = True,
) -> None:
    """Add what a window draws of a contact; a pixel is a share of the smaller body."""
    sizes = (np.ptp(frame.body(n).world_points(), axis=0).max() for n in pair.bodies)
    names = [body.name for body in frame.bodies]
    pen = Pen.fixed(names, look, float(min(sizes)) * share or share)
    add_markers(pieces, [pair], pen, normals=normals)
    add_rims(pieces, [pair], pen)


def polydata_of(solid: Solid) -> Any:
    """Return triangles as a ``pyvista.PolyData`` with the colours of their corners."""
    faces = np.insert(solid.triangles, 0, 3, axis=1).ravel()
    data = require_pyvista().PolyData(solid.points, faces=faces)
    if data.n_points:  # pyvista takes no empty vectors
        data.point_data["colour"] = solid.colours
    return data


def _glb(frame: Frame) -> bytes:
    """Return a frame as binary glTF."""
    import trimesh

    scene, pieces = trimesh.Scene(), SolidBuilder()
    for state in drawn_pairs(frame):
        mark(pieces, frame, pair_glyphs(frame, state))
    solid = pieces.solid()
    parts: list[tuple[str, Any, Any, dict[str, Any]]] = []
    for k, body in enumerate(frame.bodies):
        tone = {"face_colors": (*LIGHT.body(k).surface, 255)}
        parts.append((body.name, body.world_points(), body.mesh.fan.vertex, tone))
    if len(solid.points):
        inks = {"vertex_colors": solid.colours}
        parts.append(("markers", solid.points, solid.triangles, inks))
    for name, points, triangles, colours in parts:
        mesh = trimesh.Trimesh(points, triangles, process=False)
        mesh.visual = trimesh.visual.ColorVisuals(mesh, **colours)
        scene.add_geometry(mesh, node_name=name, geom_name=name)
    write: Any = scene.export  # untyped
    found: bytes = write(file_type="glb")
    return found
