"""The picture of a dragged box in docs/responses.md: its way, and what holds it.

Blue: the box where it rests in the corner, pale where it began and where it let go; the
line is the way of its middle, green where it slid; arrows are the contact normals,
turned to the side that is free.
"""

import runpy
from pathlib import Path

import numpy as np

from pictures.entry import ROOT, LegendEntry
from pictures.sheet import new_sheet, save, show_body
from viewer import theme
from viewer.gl import require_pyvista

HALF = np.array([0.25, 0.2, 0.15])  # of the box


def draw(path: Path) -> None:
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


ENTRIES = {
    "drag.png": LegendEntry(
        "the way of a dragged box, and the contacts that hold it",
        "examples/10_drag_a_body.py",
        draw,
    )
}
