"""The walk of examples/07_room_walk.py.

Grey: the local, the walls in front and the pillar cut low; blue: the way of the middle
of the sphere, and the sphere here and there; orange: where it touches what it meets.
"""

import runpy
from pathlib import Path
from typing import Any

import numpy as np

from pictures.entry import ROOT, LegendEntry
from sim import Body
from viewer import theme
from viewer.drawing.skin import to_polydata
from viewer.gl import require_pyvista

SIZE, LARGER = (1000, 560), 2  # drawn larger and shrunk: smooth edges
COLOURS = 160  # of a palette: half of the bytes
BLUE, ORANGE, _, _, GREY = theme.LIGHT.bodies
LOW = {"south": 0.12, "west": 0.12, "pillar": 0.42}  # of the height


def draw(path: Path) -> None:
    """Walk, and draw the walk."""
    example = runpy.run_path(str(ROOT / "examples" / "07_room_walk.py"))
    bodies = example["room"]()
    steps = example["walk"](bodies)
    pyvista = require_pyvista()
    size = (SIZE[0] * LARGER, SIZE[1] * LARGER)
    sheet = pyvista.Plotter(off_screen=True, window_size=size)
    sheet.set_background("white")
    for body in bodies:
        _show_part(sheet, body)
    way = np.array([example["START"], *(out.end for out in steps)])
    floor = way * [1, 1, 0] + [0, 0, 0.03]
    line = pyvista.lines_from_points(floor).tube(radius=0.035)
    sheet.add_mesh(line, color=BLUE.feature, lighting=False)
    for k in (*range(0, len(way) - 7, 13), len(way) - 1):
        ball = pyvista.Sphere(radius=example["RADIUS"], center=way[k])
        tone = BLUE.lit if k in (0, len(way) - 1) else BLUE.surface
        sheet.add_mesh(ball, color=tone, smooth_shading=True, specular=0.2)
    points = [c.point for out in steps for c in out.contacts if abs(c.normal[2]) < 0.5]
    marks = pyvista.PolyData(np.array(points)).glyph(
        geom=pyvista.Sphere(radius=0.06), scale=False, orient=False
    )
    sheet.add_mesh(marks, color=ORANGE.feature, lighting=False)
    sheet.camera_position = [(-3.4, -12.0, 13.0), (0.0, -0.3, 0.0), (0, 0, 1)]
    sheet.camera.view_angle = 25
    _save(sheet.screenshot(return_img=True), path)
    sheet.close()


def _show_part(sheet: Any, body: Body) -> None:
    """Draw a wall or the floor, and its edges; cut low what hides the walk."""
    points = body.world_points()
    points[:, 2] *= LOW.get(body.name, 1.0)
    part = to_polydata(body.mesh)
    part.points = points
    floor = body.name == "floor"
    tone = theme.LIGHT.background_high if floor else GREY.surface
    sheet.add_mesh(part, color=tone, ambient=0.25, lighting=not floor)
    edges = part.extract_feature_edges(20)
    sheet.add_mesh(edges, color=GREY.wire, line_width=1.5 * LARGER, lighting=False)


def _save(image: Any, path: Path) -> None:
    """Shrink a picture and write it."""
    from PIL import Image

    small = Image.fromarray(image).resize(SIZE, Image.Resampling.LANCZOS)
    small.quantize(COLOURS).save(path, optimize=True)


ENTRIES = {
    "room_walk.png": LegendEntry(
        "a sphere walks through a doorway, round a pillar, along two walls",
        "examples/07_room_walk.py",
        draw,
    )
}
