"""The picture of a dragged box in docs/responses.md: its way, and what holds it.

Blue: the box where it rests in the corner, pale where it began and where it let go; the
line is the way of its middle, green where it slid; arrows are the contact normals,
turned to the side that is free.
"""

import runpy
from pathlib import Path

import numpy as np

from pictures.entry import ROOT, LegendEntry
from viewer import theme
from viewer.drawing.skin import to_polydata
from viewer.gl import require_pyvista

EXAMPLE = ROOT / "examples" / "10_drag_a_body.py"
SIZE = (1280, 800)  # drawn; shrunk to half: smooth edges


def draw(path: Path) -> None:
    """Run the example and draw its story."""
    example = runpy.run_path(str(EXAMPLE))
    drags = example["main"](view=False)
    box, obstacles = example["room"]()
    rest = next(d for d in drags if d.response == "rest" and len(d.contacts) == 3)
    pv = require_pyvista()
    plotter = pv.Plotter(off_screen=True, window_size=(2 * SIZE[0], 2 * SIZE[1]))
    plotter.set_background("white")
    grey, blue = theme.LIGHT.bodies[4], theme.LIGHT.bodies[0]
    for body, tones in zip(obstacles, (grey, theme.LIGHT.bodies[1], grey), strict=True):
        opacity = 0.35 if body.name == "wall" else 1.0
        show(plotter, body.mesh, body.world_points(), tones, opacity)
    show(plotter, box.mesh, rest.pose.apply(box.mesh.points), blue, 0.3)
    for drag in (drags[0], drags[-1]):
        show(plotter, box.mesh, drag.pose.apply(box.mesh.points), blue, 0.2)
    at = np.array([d.pose.translation for d in drags])
    held = np.array([len(d.contacts) > 0 for d in drags])
    for colour, which in (
        (theme.LIGHT.regime("separated"), ~held),
        (theme.LIGHT.regime("contact"), held),
    ):
        keep = np.flatnonzero(which[1:]) + 1
        ends = np.stack([at[keep - 1], at[keep]], axis=1).reshape(-1, 3)
        plotter.add_lines(ends, color=colour, width=12)
    half = np.array([0.25, 0.2, 0.15])
    for contact in rest.contacts:
        n = contact.normal
        start = np.clip(
            contact.point, rest.pose.translation - half, rest.pose.translation + half
        )
        arrow = pv.Arrow(start=start, direction=-n, scale=0.5, shaft_radius=0.03)
        plotter.add_mesh(arrow, color=theme.LIGHT.regime("penetrating"))
        ball = pv.Sphere(radius=0.03, center=start)
        plotter.add_mesh(ball, color=theme.LIGHT.regime("contact"))
    plotter.camera_position = [(-2.2, -4.2, 3.4), (0.35, 0.0, 0.15), (0, 0, 1)]
    plotter.camera.zoom(1.35)
    image = plotter.screenshot(return_img=True)
    plotter.close()
    from PIL import Image  # comes with pyvista

    small = Image.fromarray(image).resize((SIZE[0] // 2, SIZE[1] // 2), Image.LANCZOS)
    small.quantize(256).save(path, optimize=True)


def show(plotter, mesh, points, tones, opacity) -> None:
    """Draw a body and its edges."""
    surface = to_polydata(mesh)
    surface.points = points
    plotter.add_mesh(surface, color=tones.surface, opacity=opacity, ambient=0.15)
    lines = np.insert(mesh.edge_vertices.astype(np.int64), 0, 2, axis=1)
    wire = require_pyvista().PolyData(points, lines=lines)
    plotter.add_mesh(wire, color=tones.wire, line_width=4, lighting=False)


ENTRIES = {
    "drag.png": LegendEntry(
        "the way of a dragged box, and the contacts that hold it",
        "examples/10_drag_a_body.py",
        draw,
    )
}
