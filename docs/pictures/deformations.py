"""The pictures of docs/deformation.md, one for each deformer, and their table.

The code beside a picture is the code that made it. Grey: the rest shape; blue: the
body; magenta: the edges at which it is no longer convex.
"""

import inspect
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pictures import LegendEntry
from pictures.sheet import fit, new_sheet, push_back, save, show_body, show_edges
from sim import Body, deform
from viewer import theme
from viewer.gl import require_pyvista
from wingedge import WingedEdgeMesh, convexity, shapes

SIZE, WIDE = (300, 260), (620, 260)  # of one body; of several, one after the other
PALE = theme.LIGHT.bodies[4]._replace(surface=(238, 240, 242), wire=(200, 204, 209))

BAR = shapes.grid_box((4, 4, 12), (0.5, 0.5, 1.8))
BALL = shapes.icosphere(3, 0.7)
FINE_BOX = shapes.grid_box((6, 4, 4), (1.2, 0.8, 0.9))
BOX = shapes.grid_box((3, 2, 2), (1.2, 0.8, 0.9))

Points = NDArray[np.float64]


class Picture(NamedTuple):
    """What is drawn: a body, the code of its deformation, and when."""

    mesh: WingedEdgeMesh
    code: str
    times: tuple[float, ...] = (1.0,)


PICTURES = {
    "affine": Picture(BOX, "deform.affine([[1, 0, 0.4], [0.5, 1, 0], [0, 0, 0.8]])"),
    "scale": Picture(BOX, "deform.scale(1.3, 0.8, 0.5)"),
    "shear": Picture(BOX, 'deform.shear(0.6, axis="x", along="z")'),
    "squash": Picture(BALL, "deform.squash(0.4)"),
    "taper": Picture(BAR, "deform.taper(0.7)"),
    "bulge": Picture(BAR, "deform.bulge(-0.5)"),
    "twist": Picture(BAR, "deform.twist(1.8)"),
    "bend": Picture(BAR, 'deform.bend(1.6, axis="z", towards="x")'),
    "dent": Picture(BALL, "deform.dent(0.45, at=(0.4, -0.2, 0.54), radius=0.6)"),
    "wave": Picture(BAR, 'deform.wave(0.12, length=0.9, axis="x", along="z")'),
    "lattice": Picture(FINE_BOX, "deform.lattice(offsets)"),
    "blend": Picture(BALL, "deform.blend([egg, pear], [0.5, 0.6])"),
    "keyframes": Picture(
        BALL, "deform.keyframes([0, 1, 2], [None, egg, pear])", (0.0, 0.7, 1.3, 2.0)
    ),
    "samples": Picture(BAR, "deform.samples(times, positions)", (0.0, 0.2, 0.55, 0.95)),
    "stack": Picture(BAR, "deform.stack(deform.taper(0.6), deform.bend(1.5))"),
    "own": Picture(BAR, "deform.Deformer(swing)"),
}


def names_in_code(mesh: WingedEdgeMesh) -> dict[str, Any]:
    """Return what the code of a picture may speak of."""
    x, y, z = mesh.points.T
    offsets = np.zeros((3, 2, 2, 3))
    offsets[0, :, 1, 2] = 0.7
    offsets[1, :, 1, 2] = -0.6
    offsets[2, :, 1] = (0.5, 0.0, 0.3)
    times = np.linspace(0.0, 1.0, 11)
    whip = [deform.bend(2.0 * np.sin(3.0 * t), span=(-0.9, 0.9)) for t in times]

    def swing(rest: Points, t: float) -> Points:
        return rest + t * np.stack([0.4 * rest[:, 2] ** 2, 0 * y, 0 * z], axis=1)

    return {
        "deform": deform,
        "mesh": mesh,
        "offsets": offsets,
        "egg": np.stack([0.8 * x, 0.8 * y, z * (1.2 + 0.4 * z)], axis=1),
        "pear": np.stack([x * (1 - z), y * (1 - z), 1.3 * z], axis=1),
        "times": times,
        "positions": [one(mesh.points) for one in whip],
        "swing": swing,
    }


def deformer(picture: Picture) -> deform.Deformer:
    """Build what the code of a picture says."""
    made: deform.Deformer = eval(picture.code, names_in_code(picture.mesh))
    return made


def draw(picture: Picture, path: Path) -> None:
    """Draw one picture: the body, and its rest shape behind it in pale grey."""
    mesh, move = picture.mesh, deformer(picture)
    several = len(picture.times) > 1
    sheet = new_sheet(WIDE if several else SIZE)
    shift = 0.0
    for t in picture.times:
        points = move(mesh.points, t)
        if shift:  # beside the one before
            points[:, 0] += shift - points[:, 0].min()
        show_dented(sheet, mesh, points)
        shift = points[:, 0].max() + 0.25
    drawn = list(sheet.actors.values())
    if not several:
        show_body(sheet, mesh, mesh.points, PALE, opacity=0.3)
    fit(sheet, 8 if several else 28)
    save(sheet, path, [a for a in sheet.actors.values() if a not in drawn])


def draw_cover(path: Path) -> None:
    """Draw a dented ball with the faces of its pocket, and with the lids over it."""
    sheet, body = new_sheet(WIDE), Body(BALL)
    body.points = deform.dent(0.6, at=(0.35, -0.3, 0.53), radius=0.6)(BALL.points)
    cover, points = body.cover(), np.array(body.positions)
    pocket = BALL.fan.vertex[~cover.on_cover[BALL.fan.face]]
    aside, lids = points + np.array([1.65, 0.0, 0.0]), cover.faces[cover.lids]
    _, orange, purple, *_ = theme.LIGHT.bodies
    for at in (points, aside):
        show_body(sheet, BALL, at)
        show_patch(sheet, at, pocket, orange.lit)
    show_patch(sheet, aside, lids, purple.surface, opacity=0.7)
    rims = np.concatenate([lids[:, [k, (k + 1) % 3]] for k in range(3)])
    show_edges(sheet, aside, rims, purple.feature, 2.5)
    fit(sheet, 8)
    save(sheet, path)


def show_patch(
    sheet: Any, points: Points, corners: Any, colour: theme.Rgb, opacity: float = 1.0
) -> None:
    """Draw triangles in a colour of their own, in front of the skin they lie on."""
    cells = np.insert(corners.astype(np.int64), 0, 3, axis=1)
    patch = require_pyvista().PolyData(points, faces=cells)
    skin = sheet.add_mesh(
        patch, color=colour, opacity=opacity, ambient=0.5, diffuse=0.5
    )
    push_back(skin, 1.0)


def show_dented(sheet: Any, mesh: WingedEdgeMesh, points: Points) -> None:
    """Draw a body; the edges at which it is no longer convex are magenta."""
    show_body(sheet, mesh, points)
    dented = mesh.edge_vertices[convexity(mesh, points).reflex_edges]
    show_edges(sheet, points, dented, theme.LIGHT.regime("penetrating"), 2.0)


def table() -> str:
    """Write a row for every deformer, with its picture."""
    rows = ["| | |", "|---|---|"]
    for name, picture in PICTURES.items():
        made = deformer(picture)
        title = "your own function" if name == "own" else name
        says = inspect.getdoc(getattr(deform, "Deformer" if name == "own" else name))
        parts = [f"**{title}** `{picture.code}`", (says or "").splitlines()[0]]
        if name != "own":
            kept = "Keeps" if made.keeps_convexity else "May lose"
            portable = "Portable" if made.is_portable else "Not portable"
            parts.append(f"{kept} convexity and flat faces. {portable} to the bit.")
        image = f"![{title}](gallery/deform_{name}.png)"
        rows.append(f"| {image} | {'<br>'.join(parts)} |")
    return "\n".join(rows)


ENTRIES = {
    f"deform_{name}.png": LegendEntry(
        f"the deformer {name}" if name != "own" else "a function of your own",
        shown.code,
        lambda path, shown=shown: draw(shown, path),
    )
    for name, shown in PICTURES.items()
}
ENTRIES["deform_cover.png"] = LegendEntry(
    "a dent, and the lids that cover it", "body.cover()", draw_cover
)
