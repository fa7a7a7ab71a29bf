"""Write a recording for programs that do not read it: ParaView before 6, Blender ...

Every frame has a block for each body, called by its name, a block ``contacts`` of
closest points and points of contact, and a block ``markers``: spheres and arrows as the
window draws them, so that contacts are seen before anything is set up.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from sim import Frame, PairState, Recording
from sim.frame import BodySnapshot
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.drawing.markers import Pen, add_markers, add_rims
from viewer.drawing.skin import to_polydata
from viewer.drawing.solids import Solid, SolidBuilder
from viewer.files import check_place, replacing
from viewer.gl import require_pyvista
from viewer.theme import LIGHT
from wingedge import Feature

# What integers in the arrays mean; written into the field data of every file.
KINDS = ("VV", "VE", "EV", "EE", "VF", "FV", "EF", "FE", "FF")
REGIMES = ("separated", "contact", "penetrating")
ROLES = ("closest point on A", "closest point on B", "point of contact")
CLOSEST = ("elsewhere", "closest in a contact", "closest in an overlap")
FORMATS = {"vtm": ".pvd", "vtp": ".pvd", "gltf": ".glb", "usd": ".usda"}
_PIXELS = 360.0  # as high is a body in the picture in whose pixels markers are sized


def export(
    frames: Recording | Sequence[Frame],
    path: str | PathLike[str],
    *,
    form: str = "vtm",
    frame: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write frames for VTK 9 and ParaView 5, as USD, or one frame as glTF.

    Returns the file to open.

    Parameters
    ----------
    frames : Recording or sequence of Frame
    path : str or path
        Ends with ``.pvd`` for "vtm" and "vtp", beside it a folder of the same name is
        made for the frames; with ``.glb`` for "gltf", ``.usda`` for "usd".
    form : {"vtm", "vtp", "gltf", "usd"}
        "vtm": a multiblock file a frame, a block a body; "vtp": one surface a frame,
        with the number of its body on every cell; "gltf": one frame, with colours;
        "usd": bodies as they move and deform, `sim.bridges.usd.write_usd`.
    frame : int, optional
        Only this one, by its place; of "gltf" the last one if left out.
    progress : callable, optional
        Told after every frame how many are done, and how many there will be.

    Raises
    ------
    ImportError
        If pyvista ("vtm", "vtp") or usd-core ("usd") is not installed; says what to
        install.
    ValueError, IndexError
        If there is no such form or frame, or the ending is another one.
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
    if form not in FORMATS:
        raise ValueError(f"form={form!r} is not one of {', '.join(FORMATS)}")
    if where.suffix.lower() != FORMATS[form]:
        raise ValueError(f"{where}: form {form!r} is written as {FORMATS[form]}")
    check_place(where)
    count = len(frames)
    if not count:
        raise IndexError("there is no frame to export; step the world while it records")
    if frame is not None and not -count <= frame < count:
        raise IndexError(f"there is no frame {frame}; there are {count} frames")
    if form == "gltf":
        with replacing(where) as temporary:
            temporary.write_bytes(_glb(frames[-1 if frame is None else frame]))
        return where
    places = range(count) if frame is None else range(count)[frame:][:1]
    if form == "usd":
        from sim.bridges.usd import write_usd

        with replacing(where) as temporary:
            write_usd(temporary, _told(frames, places, progress), dt=_step(frames))
        return where
    with _folder(where.with_suffix("")) as folder:
        lines = []
        for k, each in enumerate(_told(frames, places, progress)):
            name, block = f"{k:05d}.{form}", blocks(each)
            (block if form == "vtm" else _surface(block)).save(str(folder / name))
            file = f"{where.stem}/{name}"
            lines.append(f'<DataSet timestep="{each.time!r}" file="{file}"/>')
        head = '<VTKFile type="Collection" version="0.1"><Collection>'
        text = "\n".join([head, *lines, "</Collection></VTKFile>\n"])
        where.write_text(text, encoding="utf-8")
    return where


def _told(
    frames: Recording | Sequence[Frame],
    places: range,
    progress: Callable[[int, int], None] | None,
) -> Iterator[Frame]:
    """Go through some frames; tell after each how many are done."""
    for done, k in enumerate(places, 1):
        yield frames[k]
        if progress is not None:
            progress(done, len(places))


def _step(frames: Recording | Sequence[Frame]) -> float:
    """Return the time between two frames; 1 / 60 where nobody knows."""
    if isinstance(frames, Recording):
        return frames.dt
    return frames[1].time - frames[0].time if len(frames) > 1 else 1.0 / 60.0


def blocks(frame: Frame) -> Any:
    """Return a frame as a ``pyvista.MultiBlock``: bodies by name, contacts, markers."""
    pv = require_pyvista()
    made = pv.MultiBlock()
    states = [s for s in frame.pairs if s.regime != "separated"]
    for k, body in enumerate(frame.bodies):
        data = to_polydata(body.mesh, body.world_points())
        data.cell_data["face"] = np.arange(body.mesh.n_faces)
        data.cell_data["closest"] = _closest(body, states)
        data.cell_data["region"] = _region(body, frame)
        data.cell_data["body"] = np.full(body.mesh.n_faces, k)
        made.append(data, body.name)
    made.append(_contacts(frame), "contacts")  # beside a body of that name
    solid = _markers(frame)
    markers = pv.PolyData(
        solid.points, faces=np.insert(solid.triangles, 0, 3, axis=1).ravel()
    )
    if markers.n_points:  # pyvista takes no empty vectors
        markers.point_data["colour"] = solid.colours[:, :3]
    made.append(markers, "markers")
    _add_legends(made, [body.name for body in frame.bodies])
    return made


def _add_legends(made: Any, bodies: Sequence[str]) -> None:
    """Write what integers mean into the field data, as it is done by VTK: in UTF-8."""
    from vtkmodules.vtkCommonCore import vtkStringArray

    told = {"kind": KINDS, "regime": REGIMES, "role": ROLES, "closest": CLOSEST}
    for name, words in {**told, "body": bodies}.items():
        legend = vtkStringArray()
        legend.SetName(f"legend of {name}")
        for number, word in enumerate(words):
            legend.InsertNextValue(f"{number} {word}")
        made.GetFieldData().AddArray(legend)


def _region(body: BodySnapshot, frame: Frame) -> Any:
    """Say of every face in which contact region it is; -1: in none."""
    found = np.full(body.mesh.n_faces, -1)
    for state in frame.pairs:
        for side, name in enumerate((state.a.name, state.b.name)):
            if name == body.name:
                for region in reversed(state.regions):  # the oldest one stays
                    found[region.faces[:, side]] = region.identity
    return found


def _closest(body: BodySnapshot, states: Sequence[PairState]) -> Any:
    """Say of every face whether it is part of what is closest."""
    found = np.zeros(body.mesh.n_faces, np.int64)
    for state in states:
        for name, parts in (
            (state.a.name, state.parts_a),
            (state.b.name, state.parts_b),
        ):
            if name != body.name:
                continue
            number = REGIMES.index(state.regime)
            for part in parts:
                faces = _faces_at(body, part)
                found[faces] = np.maximum(found[faces], number)
    return found


def _faces_at(body: BodySnapshot, part: Feature) -> Any:
    if part.kind == "face":
        return [part.index]
    if part.kind == "edge":
        return body.mesh.edge_faces[part.index]
    return body.mesh.vertex_faces(part.index) if part.kind == "vertex" else []


def _contacts(frame: Frame) -> Any:
    """Return closest points and points of contact, with the numbers of their pair."""
    pv = require_pyvista()
    rows: list[tuple[Any, ...]] = []
    places = {body.name: k for k, body in enumerate(frame.bodies)}
    for state in frame.pairs:
        told = (
            state.normal,
            state.distance,
            state.depth,
            REGIMES.index(state.regime),
            KINDS.index(state.kind),
            places[state.a.name] * len(places) + places[state.b.name],
            _number(state.feature_a),
            _number(state.feature_b),
        )
        ends = [(state.point_a, 0), (state.point_b, 1)]
        corners = pair_glyphs(frame, state).contacts
        rows += [(p, *told, role) for p, role in (*ends, *((p, 2) for p in corners))]
    points = np.array([row[0] for row in rows]).reshape(-1, 3)
    data = pv.PolyData(points)
    names = [
        "normal",
        "distance",
        "depth",
        "regime",
        "kind",
        "pair",
        "feature_a",
        "feature_b",
        "role",
    ]
    for k, name in enumerate(names, 1):
        column = np.array([row[k] for row in rows])
        data.point_data[name] = column.reshape(len(rows), *column.shape[1:])
    return data


def _number(feature: Feature) -> int:
    return feature.index if isinstance(feature.index, int) else -1


def _markers(frame: Frame) -> Solid:
    """Return what a window draws of contacts, in lengths of the smaller body."""
    pieces = SolidBuilder()
    order = [body.name for body in frame.bodies]
    sizes = {
        b.name: float(np.ptp(b.world_points(), axis=0).max()) for b in frame.bodies
    }
    for state in drawn_pairs(frame):
        pair = pair_glyphs(frame, state)
        unit = 2.0 * min(sizes[state.a.name], sizes[state.b.name]) / _PIXELS
        pen = Pen.fixed(order, LIGHT, unit)
        add_markers(pieces, [pair], pen)
        add_rims(pieces, [pair], pen)
    return pieces.solid()


def _surface(block: Any) -> Any:
    """Return all bodies of a frame as one surface."""
    pv = require_pyvista()
    bodies = [block[k] for k in range(block.n_blocks - 2)]
    made = pv.merge(bodies, merge_points=False).extract_surface(algorithm=None)
    made.GetFieldData().ShallowCopy(block.GetFieldData())
    return made


def _glb(frame: Frame) -> bytes:
    """Return a frame as binary glTF: bodies and markers with their colours."""
    import trimesh

    scene = trimesh.Scene()
    for k, body in enumerate(frame.bodies):
        colour = (*LIGHT.body(k).surface, 255)
        mesh = trimesh.Trimesh(body.world_points(), body.mesh.fan.vertex, process=False)
        mesh.visual = trimesh.visual.ColorVisuals(mesh, face_colors=colour)
        scene.add_geometry(mesh, node_name=body.name, geom_name=body.name)
    solid = _markers(frame)
    if len(solid.points):
        mesh = trimesh.Trimesh(solid.points, solid.triangles, process=False)
        mesh.visual = trimesh.visual.ColorVisuals(mesh, vertex_colors=solid.colours)
        scene.add_geometry(mesh, node_name="markers", geom_name="markers")
    write: Any = scene.export  # untyped
    found: bytes = write(file_type="glb")
    return found


@contextmanager
def _folder(path: Path) -> Iterator[Path]:
    """Give a folder that gets its name when it is complete."""
    if path.exists():
        raise FileExistsError(f"{path}: is there already; remove it, or name another")
    with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as temporary:
        inside = Path(temporary) / path.name
        inside.mkdir()
        yield inside
        inside.rename(path)
