"""Write what a window draws of a frame as glTF, for Blender and others."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from sim import Frame, Recording
from viewer.drawing.glyphs import drawn_pairs, names_of, pair_glyphs
from viewer.drawing.markers import Pen, add_markers, add_rims
from viewer.drawing.solids import SolidBuilder
from viewer.files import check_place, replacing
from viewer.theme import LIGHT

_PIXEL = 1 / 180  # of the smaller body: markers are as large as in a picture


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


def _glb(frame: Frame) -> bytes:
    """Return a frame as binary glTF."""
    import trimesh

    scene, pieces = trimesh.Scene(), SolidBuilder()
    for pair in (pair_glyphs(frame, state) for state in drawn_pairs(frame)):
        sizes = (
            np.ptp(frame.body(n).world_points(), axis=0).max() for n in pair.bodies
        )
        pen = Pen.fixed(names_of(frame), LIGHT, _PIXEL * float(min(sizes)) or _PIXEL)
        add_markers(pieces, [pair], pen)
        add_rims(pieces, [pair], pen)
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
