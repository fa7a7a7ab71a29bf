"""The stories of examples: a drag, a walk through a room, keys in the plane.

Drag: blue is the box where it rests in the corner, pale where it began and where it let
go; the line is the way of its middle, green where it slid; arrows are the contact
normals.  Walk: the sphere here and there; orange: where it touches what it meets.
"""

import runpy
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

from pictures import ROOT, LegendEntry
from pictures.sheet import new_sheet, save, show_body
from viewer import theme
from viewer.gl import require_pyvista

HALF = np.array([0.25, 0.2, 0.15])  # of the box
BLUE, ORANGE, _, _, GREY = theme.LIGHT.bodies
LOW = {"south": 0.12, "west": 0.12, "pillar": 0.42}  # of the height
DISK = "L*30 K*12 L*10 K*30 L*30 J*12"
SEGMENTS = "R*60 J*8 H*5"


def draw_plane(name: str, kind: str, keys: str, path: Path) -> None:
    """Play keys, and draw the last frame."""
    sys.path.insert(0, str(ROOT / "examples"))
    demo = getattr(import_module(name), kind)()
    example = import_module("disk_triangle")
    for held in example.parsed(keys, demo.KEYS):
        demo.step(held)
    example.Plane(demo).draw().screenshot(str(path))


def draw_drag(path: Path) -> None:
    """Run the example and draw its story."""
    example = runpy.run_path(str(ROOT / "examples" / "10_drag_a_body.py"))
    drags = example["main"](view=False)
    box, obstacles = example["room"]()
    rest = next(d for d in drags if d.response == "rest" and len(d.contacts) == 3)
    pv, look = require_pyvista(), theme.LIGHT
    sheet = new_sheet((640, 400))
    for body, tones in zip(obstacles, (4, 1, 4), strict=True):
        opacity = 0.35 if body.name == "wall" else 1.0
        show_body(sheet, body.mesh, body.world_points(), look.bodies[tones], opacity)
    for drag, opacity in ((rest, 0.3), (drags[0], 0.2), (drags[-1], 0.2)):
        show_body(sheet, box.mesh, drag.pose.apply(box.mesh.points), opacity=opacity)
    at = np.array([d.pose.translation for d in drags])
    held = np.array([len(d.contacts) > 0 for d in drags])
    for regime, which in (("separated", ~held), ("contact", held)):
        keep = np.flatnonzero(which[1:]) + 1
        ends = np.stack([at[keep - 1], at[keep]], axis=1).reshape(-1, 3)
        sheet.add_lines(ends, color=look.regime(regime), width=6)
    middle = rest.pose.translation
    for contact in rest.contacts:
        n, start = contact.normal, np.clip(contact.point, middle - HALF, middle + HALF)
        arrow = pv.Arrow(start=start, direction=-n, scale=0.5, shaft_radius=0.03)
        sheet.add_mesh(arrow, color=look.regime("penetrating"))
        ball = pv.Sphere(radius=0.03, center=start)
        sheet.add_mesh(ball, color=look.regime("contact"))
    sheet.camera_position = [(-2.2, -4.2, 3.4), (0.35, 0.0, 0.15), (0, 0, 1)]
    sheet.camera.zoom(1.35)
    save(sheet, path)


def draw_walk(path: Path) -> None:
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
    "drag.png": LegendEntry(
        "the way of a dragged box, and the contacts that hold it",
        "examples/10_drag_a_body.py",
        draw_drag,
    ),
    "room_walk.png": LegendEntry(
        "a sphere walks through a doorway, round a pillar, along two walls",
        "examples/07_room_walk.py",
        draw_walk,
    ),
}
PLANE = {
    "disk_triangle.png": LegendEntry(
        "a disk over a triangle: seven regions, the nearest edge lit",
        "examples/disk_triangle.py",
        lambda path: draw_plane("disk_triangle", "Disk", DISK, path),
    ),
    "two_segments.png": LegendEntry(
        "two segments that cross, with both parameters",
        "examples/two_segments.py",
        lambda path: draw_plane("two_segments", "Segments", SEGMENTS, path),
    ),
}
