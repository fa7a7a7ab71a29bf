"""A white sheet: bodies with their edges, drawn larger and shrunk for smooth edges."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer import theme, to_polydata
from viewer.gl import require_pyvista
from wingedge import WingedEdgeMesh

LARGER = 2  # drawn so many times as large as it is saved
COLOURS = 160  # of a palette: half of the bytes


def new_sheet(size: tuple[int, int]) -> Any:
    """Open a white sheet."""
    large = (size[0] * LARGER, size[1] * LARGER)
    sheet = require_pyvista().Plotter(off_screen=True, window_size=large)
    sheet.set_background("white")
    return sheet


def show_body(
    sheet: Any,
    mesh: WingedEdgeMesh,
    points: ArrayLike,
    tones: theme.BodyColours = theme.LIGHT.bodies[0],
    opacity: float = 1.0,
) -> None:
    """Draw a body and its edges."""
    skin = sheet.add_mesh(
        to_polydata(mesh, points),
        color=tones.surface,
        opacity=opacity,
        ambient=0.45,
        diffuse=0.6,
        specular=0.0,
    )
    push_back(skin, 2.0)
    show_edges(sheet, points, mesh.edge_vertices, tones.wire, 1.0)


def show_edges(
    sheet: Any, points: ArrayLike, ends: NDArray[Any], colour: theme.Rgb, width: float
) -> None:
    """Draw edges by the numbers of their ends, (E, 2)."""
    lines = np.insert(ends.astype(np.int64), 0, 2, axis=1)
    if len(lines):
        wire = require_pyvista().PolyData(np.asarray(points), lines=lines)
        sheet.add_mesh(wire, color=colour, line_width=width * LARGER, lighting=False)


def push_back(actor: Any, behind: float) -> None:
    """Put what is drawn behind what lies in the same place: nothing flickers."""
    actor.mapper.SetResolveCoincidentTopologyToPolygonOffset()
    actor.mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(behind, behind)


def fit(sheet: Any, azimuth: float) -> None:
    """Look at all from the front, a little from above, as large as it fits."""
    sheet.enable_parallel_projection()
    sheet.camera_position, camera = "xz", sheet.camera
    camera.azimuth, camera.elevation = azimuth, 22.0
    points = np.concatenate([a.mapper.dataset.points for a in sheet.actors.values()])
    ahead = np.array(camera.direction)
    right = np.cross(ahead, (0.0, 0.0, 1.0)) / np.linalg.norm(ahead[:2])
    seen = np.stack([right, np.cross(right, ahead)])
    low, high = (points @ seen.T).min(axis=0), (points @ seen.T).max(axis=0)
    middle = 0.5 * (low + high) @ seen
    camera.focal_point, camera.position = middle, middle - 20.0 * ahead
    wide, tall = high - low
    camera.parallel_scale = 0.53 * max(
        tall, wide * sheet.window_size[1] / sheet.window_size[0]
    )
    sheet.reset_camera_clipping_range()


def save(sheet: Any, path: Path, ghosts: Sequence[Any] = ()) -> None:
    """Shrink what is drawn, write it, and close the sheet; ghosts are behind all."""
    from PIL import Image  # comes with pyvista

    for ghost in ghosts:
        ghost.visibility = False
    drawn = sheet.screenshot(return_img=True)
    for actor in sheet.actors.values():
        actor.visibility = actor in ghosts
    if ghosts:
        sheet.render()
        empty = (drawn > 250).all(axis=2, keepdims=True)
        drawn = np.where(empty, sheet.screenshot(return_img=True), drawn)
    image = Image.fromarray(drawn)
    sheet.close()
    size = (image.width // LARGER, image.height // LARGER)
    small = image.resize(size, Image.Resampling.LANCZOS)
    small.quantize(COLOURS).save(path, optimize=True)
