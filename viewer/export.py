"""Write a recording for programs that do not read it: ParaView before 6, Blender ...

Every frame has a block for each body, called by its name, a block ``contacts`` of
closest points and points of contact, and a block ``markers``: spheres and arrows as the
window draws them, so that contacts are seen before anything is set up.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from sim import Frame, Recording
from sim.frame import BodySnapshot
from viewer.drawing.glyphs import PairGlyphs, corners_of, drawn_pairs, pair_glyphs
from viewer.drawing.markers import Pen, add_markers, add_rims
from viewer.drawing.skin import to_polydata
from viewer.drawing.solids import Solid, SolidBuilder
from viewer.files import check_place, counted, replacing
from viewer.gl import require_pyvista
from viewer.theme import LIGHT, Theme

# What integers in the arrays mean; written into the field data of every file.
KINDS = ("VV", "VE", "EV", "EE", "VF", "FV", "EF", "FE", "FF")
REGIMES = ("separated", "contact", "penetrating")
ROLES = ("closest point on A", "closest point on B", "point of contact")
CLOSEST = ("elsewhere", "closest in a contact", "closest in an overlap")
ENDINGS = ".pvd", ".glb"
_PIXELS = 360.0  # of the picture in which twice the smaller body fills the height


def export(
    frames: Recording | Sequence[Frame],
    path: str | PathLike[str],
    *,
    frame: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write frames for VTK 9 and ParaView 5, or one frame as glTF.

    Returns the file to open.

    Parameters
    ----------
    frames : Recording or sequence of Frame
    path : str or path
        Ends with ``.pvd``: beside it a folder of the same name is made, with a
        multiblock file a frame, a block a body; or with ``.glb``: one frame, with
        colours.
    frame : int, optional
        Only this one, by its place; of ``.glb`` the last one if left out.
    progress : callable, optional
        Told after every frame how many are done, and how many there will be.

    Raises
    ------
    ImportError
        If pyvista is missing; says what to install.
    ValueError, IndexError
        If the ending is another one, or there is no such frame.
    OSError
        If nothing can be written there, or the folder exists.

    Notes
    -----
    Arrays on cells of bodies: ``face``, ``closest`` (1 where one is part of the closest
    features of a reported pair in contact, 2 overlapping, else 0), ``region`` (the
    identity of the oldest contact region that it is in, else -1), ``body``. On
    contacts: ``normal`` from A to B, ``distance``, ``depth``, ``regime``, ``kind``,
    ``pair``, ``feature_a``, ``feature_b`` (lowest number), ``role``; what integers mean
    is in the field data. Lengths are the input's, places are in the world.
    """
    where = Path(path)
    if where.suffix.lower() not in ENDINGS:
        raise ValueError(f"{where}: a recording is exported as {' or '.join(ENDINGS)}")
    check_place(where)
    if not (count := len(frames)):
        raise IndexError("there is no frame to export; step the world while it records")
    if frame is not None and not -count <= frame < count:
        raise IndexError(f"there is no frame {frame}; there are {count} frames")
    if where.suffix.lower() == ".glb":
        with replacing(where) as temporary:
            temporary.write_bytes(_glb(frames[-1 if frame is None else frame]))
        return where
    places = range(count) if frame is None else range(count)[frame:][:1]
    if (path := where.with_suffix("")).exists():
        raise FileExistsError(f"{path}: is there already; remove it, or name another")
    with replacing(path) as folder:
        folder.mkdir()
        lines = ['<VTKFile type="Collection" version="0.1"><Collection>']
        for k, each in enumerate(frames[k] for k in counted(places, progress)):
            file = f"{k:05d}.vtm"
            blocks(each).save(str(folder / file))
            at = f'timestep="{each.time!r}" file="{where.stem}/{file}"'
            lines.append(f"<DataSet {at}/>")
        text = "\n".join([*lines, "</Collection></VTKFile>\n"])
        where.write_text(text, encoding="utf-8")
    return where


def blocks(frame: Frame) -> Any:
    """Return a frame as a ``pyvista.MultiBlock``: bodies by name, contacts, markers."""
    from vtkmodules.vtkCommonCore import vtkStringArray

    made = require_pyvista().MultiBlock()
    for k, body in enumerate(frame.bodies):
        data = to_polydata(body.mesh, body.world_points())
        data.cell_data["face"] = np.arange(body.mesh.n_faces)
        data.cell_data["closest"], data.cell_data["region"] = _told_of(body, frame)
        data.cell_data["body"] = np.full(body.mesh.n_faces, k)
        made.append(data, body.name)
    made.append(_contacts(frame), "contacts")  # beside a body of that name
    made.append(polydata_of(_markers(frame), 3), "markers")
    names = [body.name for body in frame.bodies]
    told = {"kind": KINDS, "regime": REGIMES, "role": ROLES, "closest": CLOSEST}
    for name, words in {**told, "body": names}.items():
        legend = vtkStringArray()  # in UTF-8
        legend.SetName(f"legend of {name}")
        for number, word in enumerate(words):
            legend.InsertNextValue(f"{number} {word}")
        made.GetFieldData().AddArray(legend)
    return made


def _told_of(body: BodySnapshot, frame: Frame) -> tuple[Any, Any]:
    """Say of every face whether it is part of what is closest, and in which region."""
    mesh = body.mesh
    closest, region = np.zeros(mesh.n_faces, np.int64), np.full(mesh.n_faces, -1)
    around: dict[str, Any] = {
        "vertex": mesh.vertex_faces,
        "edge": mesh.edge_faces.__getitem__,
    }
    for state in frame.pairs:
        for side, parts in enumerate((state.parts_a, state.parts_b)):
            if (state.a, state.b)[side].name != body.name:
                continue
            for part in (p for p in parts if p.kind != "lid"):
                faces = around.get(part.kind, lambda k: [k])(part.index)
                number = REGIMES.index(state.regime)
                closest[faces] = np.maximum(closest[faces], number)
            for each in reversed(state.regions):  # the oldest one stays
                region[each.faces[:, side]] = each.identity
    return closest, region


def _contacts(frame: Frame) -> Any:
    """Return closest points and points of contact, with the numbers of their pair."""
    rows: list[dict[str, Any]] = []
    places = {body.name: k for k, body in enumerate(frame.bodies)}
    for state in frame.pairs:
        a, b = state.feature_a.index, state.feature_b.index
        told = {
            "normal": state.normal,
            "distance": state.distance,
            "depth": state.depth,
            "regime": REGIMES.index(state.regime),
            "kind": KINDS.index(state.kind),
            "pair": places[state.a.name] * len(places) + places[state.b.name],
            "feature_a": a if isinstance(a, int) else -1,
            "feature_b": b if isinstance(b, int) else -1,
        }
        met = () if state.regime == "separated" else corners_of(state).mean(axis=1)
        for k, point in enumerate([state.point_a, state.point_b, *met]):
            rows.append({"": point, **told, "role": min(k, 2)})
    points = np.array([row.pop("") for row in rows]).reshape(-1, 3)
    data = require_pyvista().PolyData(points)
    for name in rows[0] if rows else ():
        data.point_data[name] = np.array([row[name] for row in rows])
    return data


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


def _markers(frame: Frame) -> Solid:
    pieces = SolidBuilder()
    for state in drawn_pairs(frame):
        mark(pieces, frame, pair_glyphs(frame, state))
    return pieces.solid()


def polydata_of(solid: Solid, channels: int = 4) -> Any:
    """Return triangles as a ``pyvista.PolyData`` with the colours of their corners."""
    faces = np.insert(solid.triangles, 0, 3, axis=1).ravel()
    data = require_pyvista().PolyData(solid.points, faces=faces)
    if data.n_points:  # pyvista takes no empty vectors
        data.point_data["colour"] = solid.colours[:, :channels]
    return data


def _glb(frame: Frame) -> bytes:
    """Return a frame as binary glTF: bodies and markers with their colours."""
    import trimesh

    scene, solid = trimesh.Scene(), _markers(frame)
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
