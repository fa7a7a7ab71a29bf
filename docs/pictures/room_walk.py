"""The walk of examples/07_room_walk.py.

Grey: the local, the walls in front and the pillar cut low; blue: the way of the middle
of the sphere, and the sphere here and there; orange: where it touches what it meets.
"""

import runpy
from pathlib import Path

import numpy as np

from pictures.entry import ROOT, LegendEntry
from pictures.sheet import new_sheet, save, show_body
from viewer import theme
from viewer.gl import require_pyvista

BLUE, ORANGE, _, _, GREY = theme.LIGHT.bodies
LOW = {"south": 0.12, "west": 0.12, "pillar": 0.42}  # of the height


def draw(path: Path) -> None:
    """Walk, and draw the walk."""
    example = runpy.run_path(str(ROOT / "examples" / "07_room_walk.py"))
    bodies = example["room"]()
    steps = example["walk"](bodies)
    pv, sheet = require_pyvista(), new_sheet((1000, 560))
    for body in bodies:
        low = LOW.get(body.name, 1.0)  # what hides the walk
        pale = GREY._replace(surface=theme.LIGHT.background_high)
        tones = pale if body.name == "floor" else GREY
        show_body(sheet, body.mesh, body.world_points() * (1.0, 1.0, low), tones)
    way = np.array([example["START"], *(out.end for out in steps)])
    floor = way * (1.0, 1.0, 0.0) + (0.0, 0.0, 0.03)
    line = pv.lines_from_points(floor).tube(radius=0.035)
    sheet.add_mesh(line, color=BLUE.feature, lighting=False)
    for k in (*range(0, len(way) - 7, 13), len(way) - 1):
        ball = pv.Sphere(radius=example["RADIUS"], center=way[k])
        tone = BLUE.lit if k in (0, len(way) - 1) else BLUE.surface
        sheet.add_mesh(ball, color=tone, smooth_shading=True, specular=0.2)
    points = [c.point for out in steps for c in out.contacts if abs(c.normal[2]) < 0.5]
    marks = pv.PolyData(np.array(points)).glyph(
        geom=pv.Sphere(radius=0.06), scale=False, orient=False
    )
    sheet.add_mesh(marks, color=ORANGE.feature, lighting=False)
    sheet.camera_position = [(-3.4, -12.0, 13.0), (0.0, -0.3, 0.0), (0, 0, 1)]
    sheet.camera.view_angle = 25
    save(sheet, path)


ENTRIES = {
    "room_walk.png": LegendEntry(
        "a sphere walks through a doorway, round a pillar, along two walls",
        "examples/07_room_walk.py",
        draw,
    )
}
