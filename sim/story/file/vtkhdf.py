"""The half of a recording that ParaView and VTK read: VTKHDF.

Two blocks. ``bodies``: all bodies as one surface in the world, with the numbers of body
and face on every cell. ``contacts``: for every reported pair the segment from A's
closest point to B's, and a vertex on A for every contact, or for the closest point of a
pair that is apart; with distance, depth, pair, kind, regime and the normal from A to B
on every cell. A pair (a, b) of bodies, by their place in the order, is numbered a *
(number of bodies) + b.

VTK finds the cells of a frame wrongly if a frame before it had none of their kind, so a
frame without pairs has one vertex and one segment of no length, numbered -1.

Format: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html#vtkhdf-file-format
"""

from collections.abc import Sequence

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.result.answers import PairAnswers
from sim.story.file.reader import BATCH, Reader
from sim.story.file.rows import Array, Raw
from sim.story.file.states import all_of
from wingedge import WingedEdgeMesh

VERSION = (2, 2)
# The position in this row is the number in the array "kind".
KINDS = ("VV", "VE", "EV", "EE", "VF", "FV", "EF", "FE", "FF")
BLOCKS = ("bodies", "contacts")
CELLS = ("Vertices", "Lines", "Polygons", "Strips")
LABELS = ("distance", "pair", "kind", "regime", "depth", "normal")
WHOLE = ("pair", "kind", "regime")  # that are whole numbers
NOBODY = (0.0, -1, -1, -1, 0.0, 0.0, 0.0, 0.0)


def write(file: h5py.File, reader: Reader) -> None:
    """Write all frames."""
    meshes, n = [cast.mesh for cast in reader.header.casts], len(reader)
    root = _root(file, meshes, n)
    size = sum(mesh.n_vertices for mesh in meshes)
    points = root.create_dataset("bodies/Points", (n * size, 3), np.float64)
    grown: dict[str, h5py.Dataset] = {}
    counts = np.zeros((n, 2), np.int64)  # of a frame: vertices and segments
    for begin in range(0, n, BATCH):
        raws = [reader.raw(k) for k in range(begin, min(begin + BATCH, n))]
        if size:
            world = np.concatenate([_world(raw) for raw in raws])
            points[begin * size : begin * size + len(world)] = world
        table, counts[begin : begin + len(raws)] = _contacts(reader, raws)
        for name, rows in table.items():
            if name in grown:
                grown[name].resize(len(grown[name]) + len(rows), axis=0)
                grown[name][-len(rows) :] = rows
            else:
                most = (None, *rows.shape[1:])
                grown[name] = root["contacts"].create_dataset(
                    name, data=rows, maxshape=most, chunks=rows.shape
                )
    _write_steps(root, reader.times, counts, size)


def _write_steps(
    root: h5py.Group, times: Array, counts: NDArray[np.int64], size: int
) -> None:
    """Write where every frame begins in the tables.

    Parameters: ``size``: of how many vertices all bodies are.
    """
    n = len(times)
    whole, none = np.ones(n, np.int64), np.zeros(n, np.int64)
    vertices, segments = counts.T
    before = np.concatenate([np.zeros((1, 2), np.int64), counts.cumsum(0)])[:n]
    ids = np.zeros((n, len(CELLS)), np.int64)
    ids[:, :2] = before * (1, 2)
    cells = np.zeros_like(ids)
    cells[:, :2] = before
    of_points = vertices + 2 * segments
    rows: dict[str, Array] = {
        **{f"{block}/Steps/Values": times for block in BLOCKS},
        **{f"{block}/Steps/NumberOfParts": whole for block in BLOCKS},
        "bodies/Steps/PartOffsets": none,
        "bodies/Steps/CellOffsets": np.zeros_like(ids),
        "bodies/Steps/ConnectivityIdOffsets": np.zeros_like(ids),
        **{f"bodies/Steps/CellDataOffsets/{x}": none for x in ("body", "face")},
        "bodies/Steps/PointOffsets": np.arange(n) * size,
        "contacts/NumberOfPoints": of_points,
        "contacts/Steps/PartOffsets": np.arange(n),
        "contacts/Steps/PointOffsets": np.cumsum(of_points) - of_points,
        "contacts/Steps/CellOffsets": cells,
        "contacts/Steps/ConnectivityIdOffsets": ids,
        **{f"contacts/Steps/CellDataOffsets/{x}": before.sum(1) for x in LABELS},
        "contacts/Vertices/Connectivity": all_of(2 * segments, vertices),
        "contacts/Vertices/Offsets": all_of(none, vertices + 1),
        "contacts/Lines/Connectivity": all_of(none, 2 * segments),
        "contacts/Lines/Offsets": 2 * all_of(none, segments + 1),
        "contacts/Vertices/NumberOfCells": vertices,
        "contacts/Vertices/NumberOfConnectivityIds": vertices,
        "contacts/Lines/NumberOfCells": segments,
        "contacts/Lines/NumberOfConnectivityIds": 2 * segments,
    }
    for kind in CELLS[2:]:
        rows[f"contacts/{kind}/Connectivity"] = np.zeros(0, np.int64)
        for name in ("Offsets", "NumberOfCells", "NumberOfConnectivityIds"):
            rows[f"contacts/{kind}/{name}"] = none
    for name, data in rows.items():
        root[name] = data


def _world(raw: Raw) -> Array:
    """Return all points in the world, by the operations of ``Pose.apply``."""
    x, y, z = np.concatenate(raw.points).T
    m = np.repeat(raw.poses.reshape(-1, 12), list(map(len, raw.points)), axis=0).T
    with np.errstate(over="ignore", invalid="ignore"):
        rows = [m[i] * x + m[i + 1] * y + m[i + 2] * z + m[i + 3] for i in (0, 4, 8)]
    return np.stack(rows, axis=1)


def _contacts(
    reader: Reader, raws: Sequence[Raw]
) -> tuple[dict[str, Array], NDArray[np.int64]]:
    """Return what frames add to ``contacts``, and how many vertices and segments.

    Of every frame first the ends of its segments, then its vertices; labels of its
    vertices, then those of its segments.
    """
    pairs, frames = reader.answers(raws)
    ends, touching, at, corners, whole = _of_pairs(pairs, len(reader.names))
    empty = np.setdiff1d(np.arange(len(raws)), frames)
    # somewhere that does not widen the picture
    some = [_world(raws[k])[0] if raws[k].points else np.zeros(3) for k in empty]
    nowhere = np.array(some).reshape(-1, 3)
    nobody = np.tile(NOBODY, (len(empty), 1))
    here = [np.concatenate([own, empty]) for own in (frames[at], frames)]
    order = np.concatenate([here[1].repeat(2), here[0]]).argsort(kind="stable")
    points = np.concatenate([ends, nowhere.repeat(2, 0), touching, nowhere])[order]
    order = np.concatenate(here).argsort(kind="stable")
    labels = np.concatenate([corners, nobody, whole, nobody])[order]
    table = {f"CellData/{name}": labels[:, k] for k, name in enumerate(LABELS)}
    table |= {f"CellData/{x}": table[f"CellData/{x}"].astype(np.int64) for x in WHOLE}
    table |= {"CellData/normal": labels[:, -3:], "Points": points}
    return table, np.stack([np.bincount(x, minlength=len(raws)) for x in here], 1)


def _of_pairs(pairs: PairAnswers, bodies: int) -> tuple[Array, ...]:
    """Return the ends of segments; points of contact, their pairs; labels of both."""
    number = pairs.a * bodies + pairs.b
    kinds = list(map(KINDS.index, pairs.kind.tolist()))
    depth = np.maximum(0.0, -pairs.distance)
    told = [pairs.distance, number, kinds, pairs.regimes, depth, *pairs.normal.T]
    whole = np.stack(told, axis=1)
    points = np.stack([pairs.point_a, pairs.point_b], axis=1).reshape(-1, 3)
    alone = ~(pairs.meets & pairs.says_more)
    several = np.flatnonzero(~alone).tolist()
    more = [(k, c) for k in several for c in pairs.state(k).contacts]
    at = np.array([*np.flatnonzero(alone), *(k for k, _ in more)], np.int64)
    touching, corners = points[::2][at], whole[at]
    for row, (_, contact) in enumerate(more, len(at) - len(more)):
        kind, deep = KINDS.index(contact.kind), max(0.0, -contact.distance)
        touching[row] = contact.point_a
        corners[row, [0, 2, 4]] = contact.distance, kind, deep
        corners[row, 5:] = contact.normal
    order = np.argsort(at, kind="stable")
    return points, touching[order], at[order], corners[order], whole


def _root(file: h5py.File, meshes: Sequence[WingedEdgeMesh], frames: int) -> h5py.Group:
    """Make the group that VTK looks for, with the blocks in ``Assembly``."""
    # without the order of creation VTK ends the process
    root = file.create_group("VTKHDF", track_order=True)
    root.attrs["Version"] = np.array(VERSION, np.int64)
    root.attrs["Type"] = np.bytes_("MultiBlockDataSet")
    assembly = root.create_group("Assembly", track_order=True)
    for index, name in enumerate(BLOCKS):
        block = root.create_group(name, track_order=True)
        block.create_group("Steps", track_order=True).attrs["NSteps"] = frames
        block.attrs["Version"] = np.array(VERSION, np.int64)
        block.attrs["Type"] = np.bytes_("PolyData")
        block.attrs["Index"] = np.int64(index)
        for cells in (*CELLS, "CellData", "Steps/CellDataOffsets"):
            block.create_group(cells, track_order=True)
        assembly[name] = h5py.SoftLink(f"/VTKHDF/{name}")
    # VTK 9.7 follows the time only if there are steps here too; 9.5 and 9.6 need none
    # and take no harm, 9.4 breaks down over them.
    root["Steps"] = root["bodies/Steps"]
    _write_surface(root["bodies"], meshes)
    return root


def _write_surface(group: h5py.Group, meshes: Sequence[WingedEdgeMesh]) -> None:
    """Write the faces of all bodies, which are the same in all frames."""
    start = np.cumsum([0, *(mesh.n_vertices for mesh in meshes)])
    group["NumberOfPoints"] = start[-1:]
    corners = [m.corners.vertex + s for m, s in zip(meshes, start[:-1], strict=True)]
    sizes = [np.diff(mesh.corners.start) for mesh in meshes]
    for cells in CELLS:
        filled = cells == "Polygons" and meshes
        connectivity = np.concatenate(corners) if filled else np.zeros(0)
        counts = np.concatenate(sizes) if filled else np.zeros(0)
        at = group[cells]
        at["Connectivity"] = connectivity.astype(np.int64)
        at["Offsets"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        at["NumberOfCells"] = np.array([len(counts)], np.int64)
        at["NumberOfConnectivityIds"] = np.array([len(connectivity)], np.int64)
    data = group["CellData"]
    faces = [mesh.n_faces for mesh in meshes]
    data["body"] = np.repeat(np.arange(len(meshes), dtype=np.int64), faces)
    numbers = [np.arange(n, dtype=np.int64) for n in faces]
    data["face"] = np.concatenate([np.zeros(0, np.int64), *numbers])
