"""The pictures of docs/deformation.md, one for each deformer, and their table.

The code beside a picture is the code that made it. Grey: the rest shape; blue: the
body; magenta: the edges at which it is no longer convex.
"""

import inspect
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pictures.entry import LegendEntry
from sim import Body, deform
from viewer import theme
from viewer.gl import require_pyvista
from wingedge import WingedEdgeMesh, convexity, shapes

SIZE, WIDE = (300, 260), (620, 260)  # of one body; of several, one after the other
MARGIN = 0.04  # of white about the body, part of the larger side
DRAWN = 1400  # pixels a side before it is cut out and shrunk: smooth edges
COLOURS = 96  # of a palette: a third of the bytes

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
    "noise": Picture(BALL, "deform.noise(0.15, size=0.4, seed=2)"),
    "lattice": Picture(FINE_BOX, "deform.lattice(offsets)"),
    "blend": Picture(BALL, "deform.blend([egg, pear], [0.5, 0.6])"),
    "modal": Picture(BALL, "deform.modal(mesh, [0, 0, 0, 0.2, 0, 0, 0, 0, 0, 0.2])"),
    "keyframes": Picture(
        BALL, "deform.keyframes([0, 1, 2], [None, egg, pear])", (0.0, 0.7, 1.3, 2.0)
    ),
    "samples": Picture(BAR, "deform.samples(times, positions)", (0.0, 0.2, 0.55, 0.95)),
    "stack": Picture(BAR, "deform.stack(deform.taper(0.6), deform.bend(1.5))"),
    "own": Picture(BAR, "deform.Deformer(swing)"),
}

SOURCES = {
    "taper": "[Barr 1984](https://doi.org/10.1145/800031.808573)",
    "twist": "[Barr 1984](https://doi.org/10.1145/800031.808573)",
    "bend": "[Barr 1984](https://doi.org/10.1145/800031.808573)",
    "bulge": "after [Barr 1984](https://doi.org/10.1145/800031.808573)",
    "dent": "fall-off after [Wyvill et al. 1986](https://doi.org/10.1007/BF01900346)",
    "noise": "[Perlin 2002](https://doi.org/10.1145/566654.566636)",
    "lattice": "[Sederberg and Parry 1986](https://doi.org/10.1145/15922.15903)",
    "modal": "[Taubin 1995](https://doi.org/10.1145/218380.218473), [Vallet and Lévy 2008](https://doi.org/10.1111/j.1467-8659.2008.01122.x)",
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
    """Draw one picture."""
    mesh, move = picture.mesh, deformer(picture)
    plotter = new_plotter()
    shift = 0.0
    for t in picture.times:
        points = move(mesh.points, t)
        if shift:  # beside the one before
            points[:, 0] += shift - points[:, 0].min()
        show_body(plotter, mesh, points)
        shift = points[:, 0].max() + 0.25
    several = len(picture.times) > 1
    ghost = [] if several else show_ghost(plotter, mesh)
    look(plotter, 8 if several else 28)
    for actor in ghost:
        actor.visibility = False
    body = plotter.screenshot(return_img=True)
    for actor in plotter.actors.values():
        actor.visibility = actor in ghost
    plotter.render()
    rest = plotter.screenshot(return_img=True)
    plotter.close()
    # the rest shape is always behind, wherever the body has gone
    image = np.where((body < 250).any(axis=2, keepdims=True), body, rest)
    save(path, image, WIDE if several else SIZE)


def new_plotter() -> Any:
    """Open a white sheet."""
    sheet = require_pyvista().Plotter(off_screen=True, window_size=(DRAWN, DRAWN))
    sheet.set_background("white")
    sheet.enable_parallel_projection()
    return sheet


def look(plotter: Any, azimuth: float) -> None:
    """Look at all that is drawn from the front, a little from above."""
    plotter.camera_position = "xz"
    plotter.camera.azimuth, plotter.camera.elevation = azimuth, 22
    plotter.reset_camera()


def draw_cover(path: Path) -> None:
    """Draw a dented ball with the faces of its pocket, and with the lids over it."""
    plotter = new_plotter()
    mesh = shapes.icosphere(3, 0.7)
    body = Body(mesh)
    body.points = deform.dent(0.6, at=(0.35, -0.3, 0.53), radius=0.6)(mesh.points)
    cover, points = body.cover(), np.array(body.positions)
    pocket = mesh.fan.vertex[~cover.on_cover[mesh.fan.face]]
    aside = points + np.array([1.65, 0.0, 0.0])
    for at in (points, aside):
        show_body(plotter, mesh, at, marked=False)
        show_patch(plotter, at, pocket, theme.LIGHT.bodies[1].lit, behind=1.0)
    lids = cover.faces[cover.lids]
    purple = theme.LIGHT.bodies[2]
    show_patch(plotter, aside, lids, purple.surface, behind=2.0, opacity=0.7)
    rims = np.concatenate([lids[:, [k, (k + 1) % 3]] for k in range(3)])
    ends = np.insert(np.unique(np.sort(rims), axis=0).astype(np.int64), 0, 2, axis=1)
    plotter.add_mesh(
        require_pyvista().PolyData(aside, lines=ends),
        color=purple.feature,
        line_width=5.0,
        lighting=False,
    )
    look(plotter, 8)
    save(path, plotter.screenshot(return_img=True), WIDE)


def show_patch(
    plotter: Any,
    points: Points,
    triangles: NDArray[np.integer],
    colour: theme.Rgb,
    *,
    behind: float,
    opacity: float = 1.0,
) -> None:
    """Draw triangles in a colour of their own; edges are at 0 behind, skins at 2."""
    cells = np.insert(triangles.astype(np.int64), 0, 3, axis=1)
    actor = plotter.add_mesh(
        require_pyvista().PolyData(points, faces=cells),
        color=colour,
        opacity=opacity,
        ambient=0.5,
        diffuse=0.5,
    )
    actor.mapper.SetResolveCoincidentTopologyToPolygonOffset()
    actor.mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(behind, behind)


def show_body(
    plotter: Any, mesh: WingedEdgeMesh, points: Points, *, marked: bool = True
) -> None:
    """Draw a body with its edges, those that are dented in magenta if marked."""
    tones = theme.LIGHT.bodies[0]
    actor = plotter.add_mesh(
        skin(mesh, points), color=tones.surface, ambient=0.45, diffuse=0.6, specular=0.0
    )
    # behind its own edges, so that none of them flickers
    actor.mapper.SetResolveCoincidentTopologyToPolygonOffset()
    actor.mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(2.0, 2.0)
    dented = convexity(mesh, points).reflex_edges[: None if marked else 0]
    sound = np.setdiff1d(np.arange(mesh.n_edges), dented)
    for edges, colour, width in (
        (sound, tones.wire, 3.0),
        (dented, theme.LIGHT.regime("penetrating"), 6.0),
    ):
        if len(edges):
            plotter.add_mesh(
                wire(mesh, points, edges),
                color=colour,
                line_width=width,
                lighting=False,
            )


def show_ghost(plotter: Any, mesh: WingedEdgeMesh) -> list[Any]:
    """Draw the rest shape in pale grey."""
    return [
        plotter.add_mesh(skin(mesh, mesh.points), color=(218, 222, 226), ambient=0.6),
        plotter.add_mesh(
            wire(mesh, mesh.points), color=(160, 166, 173), line_width=2, lighting=False
        ),
    ]


def skin(mesh: WingedEdgeMesh, points: Points) -> Any:
    """Return the triangles that every answer refers to."""
    fan = mesh.fan.vertex.astype(np.int64)
    return require_pyvista().PolyData(points, faces=np.insert(fan, 0, 3, axis=1))


def wire(mesh: WingedEdgeMesh, points: Points, edges: Any = slice(None)) -> Any:
    """Return the user's own edges."""
    ends = mesh.edge_vertices[edges].astype(np.int64)
    return require_pyvista().PolyData(points, lines=np.insert(ends, 0, 2, axis=1))


def save(path: Path, image: NDArray[np.uint8], size: tuple[int, int]) -> None:
    """Cut a picture out of the white, fit it into a size and write it."""
    from PIL import Image

    ink = (image < 250).any(axis=2)
    rows, columns = (np.flatnonzero(ink.any(axis=k)) for k in (1, 0))
    cut = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high, wide = cut.shape[:2]
    part = (1.0 - 2.0 * MARGIN) * min(size[0] / wide, size[1] / high)
    small = Image.fromarray(cut).resize(
        (round(part * wide), round(part * high)), Image.Resampling.LANCZOS
    )
    sheet = Image.new("RGB", size, "white")
    sheet.paste(small, ((size[0] - small.width) // 2, (size[1] - small.height) // 2))
    sheet.quantize(COLOURS).save(path, optimize=True)


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
        if name in SOURCES:
            parts.append(f"Source: {SOURCES[name]}.")
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
