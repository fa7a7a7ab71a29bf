"""The half of a recording that ParaView and VTK read: VTKHDF, written frame by frame.

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

from collections.abc import Mapping, Sequence
from typing import Any

import h5py
import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.frame import Frame
from sim.story.file.layout import POINTS, Array
from sim.story.file.table import ROOM, Column
from wingedge import WingedEdgeMesh

VTK = "/VTKHDF/"
VERSION = (2, 2)
# The position in this row is the number in the array "kind".
KINDS = ("VV", "VE", "EV", "EE", "VF", "FV", "EF", "FE", "FF")
BLOCKS = ("bodies", "contacts")
CELLS = ("Vertices", "Lines", "Polygons", "Strips")
LABELS = {  # with their types, in this order the columns of contacts
    **{"distance": "<f8", "pair": "<i8", "kind": "<i8"},
    **{"regime": "<i8", "depth": "<f8", "normal": "(3,)<f8"},
}
FIRST = {"bodies": "body", "contacts": "distance"}  # where all labels of a cell lie
NOBODY = (0.0, -1, -1, -1, 0.0, 0.0, 0.0, 0.0)


def columns(vertices: int) -> dict[str, Column]:
    """Name the tables that grow from frame to frame.

    The cells of ``bodies``, and their labels, are the same in all frames.
    """
    each, none = Column(room=ROOM), Column(room=ROOM, constant=0)
    found = {
        "bodies/Points": Column(POINTS, ROOM * max(1, vertices)),
        "contacts/Points": Column(POINTS),
        "contacts/NumberOfPoints": each,
    }
    found |= {f"contacts/CellData/{k}": Column(kind) for k, kind in LABELS.items()}
    for cells in CELLS:
        constant = None if cells in ("Vertices", "Lines") else 0
        found[f"contacts/{cells}/Offsets"] = Column(constant=constant)
        found[f"contacts/{cells}/Connectivity"] = Column()
        for name in ("NumberOfCells", "NumberOfConnectivityIds"):
            found[f"contacts/{cells}/{name}"] = each._replace(constant=constant)
    for block, turn in zip(BLOCKS, (none, each), strict=True):
        four = turn._replace(kind=f"({len(CELLS)},)<i8")
        steps = {
            # VTK takes as many times as there are, and room for as many as NSteps
            "Values": Column("<f8", exact=True),
            "PointOffsets": each,
            "PartOffsets": turn,
            "NumberOfParts": each._replace(constant=1),
            "CellOffsets": four,
            "ConnectivityIdOffsets": four,
            f"CellDataOffsets/{FIRST[block]}": turn,
        }
        found |= {f"{block}/Steps/{name}": column for name, column in steps.items()}
    return {VTK + name: column for name, column in found.items()}


def rows_of(
    frame: Frame, world: Array, place: Mapping[str, int], ends: Mapping[str, int]
) -> dict[str, Array]:
    """Return what a frame adds to tables that are so long, and where it begins in them.

    Parameters: ``world``: all points, (V, 3); ``place``: of every body in the order, by
    its name.
    """
    start = {name.removeprefix(VTK): end for name, end in ends.items()}
    rows: dict[str, ArrayLike] = {}
    rows |= {f"contacts/{k}": found for k, found in _contacts(frame, place).items()}
    rows["bodies/Points"] = world
    frames = start["contacts/NumberOfPoints"]
    offsets = [start[f"contacts/{cells}/Offsets"] - frames for cells in CELLS]
    begins: dict[str, Any] = {
        "Values": frame.time,
        "PartOffsets": frames,
        "NumberOfParts": 1,
        "CellOffsets": offsets,
        "ConnectivityIdOffsets": [start[f"contacts/{k}/Connectivity"] for k in CELLS],
    }
    for block in BLOCKS:  # all but points are where they were, in ``bodies``
        told = {**begins, "PointOffsets": start[f"{block}/Points"]}
        told[f"CellDataOffsets/{FIRST[block]}"] = start["contacts/CellData/distance"]
        rows |= {f"{block}/Steps/{name}": [value] for name, value in told.items()}
    return {VTK + name: np.asarray(data) for name, data in rows.items()}


def _contacts(frame: Frame, place: Mapping[str, int]) -> dict[str, ArrayLike]:
    """Return the segments and points of contact of a frame."""
    pairs = frame.pairs
    if len(pairs) == 0:  # somewhere that does not widen the picture
        first = (body.pose.apply(body.points[0]) for body in frame.bodies)
        nowhere = next(first, np.zeros(3))
        points, touching = np.array([nowhere, nowhere]), np.array([nowhere])
        columns = np.array([NOBODY, NOBODY], np.float64).T
    else:
        number = pairs.a * len(place) + pairs.b
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
        touching = touching[order]
        columns = np.concatenate([corners[order], whole]).T
    n, ends = len(points) + len(touching), len(points)
    rows: dict[str, ArrayLike] = {
        "Points": np.concatenate([points, touching]),
        "NumberOfPoints": [n],
    }
    rows |= {f"CellData/{name}": columns[k] for k, name in enumerate(LABELS)}
    rows["CellData/normal"] = columns[-3:].T
    for cells, ids, size in zip(
        CELLS, (range(ends, n), range(ends), (), ()), (1, 2, 1, 1), strict=True
    ):
        rows[f"{cells}/Offsets"] = range(0, len(ids) + 1, size)
        rows[f"{cells}/Connectivity"] = ids
        rows[f"{cells}/NumberOfCells"] = [len(ids) // size]
        rows[f"{cells}/NumberOfConnectivityIds"] = [len(ids)]
    return rows


def first_vertices(meshes: Sequence[WingedEdgeMesh]) -> NDArray[np.int64]:
    """Count through the vertices of all bodies, (B + 1,): where each one begins."""
    sizes = [mesh.n_vertices for mesh in meshes]
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def counts(file: h5py.File) -> list[h5py.h5a.AttrID]:
    """Return where a file says how many frames are whole: written last."""
    steps = (file[f"VTKHDF/{block}/Steps"].id for block in BLOCKS)
    return [h5py.h5a.open(group, b"NSteps") for group in steps]


def make_root(file: h5py.File, meshes: Sequence[WingedEdgeMesh]) -> None:
    """Make the group that VTK looks for, with the blocks in ``Assembly``."""
    # without the order of creation VTK ends the process
    root = file.create_group("VTKHDF", track_order=True)
    root.attrs["Version"] = np.array(VERSION, np.int64)
    root.attrs["Type"] = np.bytes_("MultiBlockDataSet")
    assembly = root.create_group("Assembly", track_order=True)
    blocks = [root.create_group(name, track_order=True) for name in BLOCKS]
    # One after the other in the file, so that both numbers go out in one write: VTK
    # shows nothing while they differ.
    steps = [block.create_group("Steps", track_order=True) for block in blocks]
    for group in steps:
        group.attrs["NSteps"] = np.int64(0)
    # VTK 9.7 follows the time only if there are steps here too; 9.5 and 9.6 need none
    # and take no harm, 9.4 breaks down over them.
    root["Steps"] = steps[0]
    for index, (name, block) in enumerate(zip(BLOCKS, blocks, strict=True)):
        block.attrs["Version"] = np.array(VERSION, np.int64)
        block.attrs["Type"] = np.bytes_("PolyData")
        block.attrs["Index"] = np.int64(index)
        for cells in (*CELLS, "CellData", "Steps/CellDataOffsets"):
            block.create_group(cells, track_order=True)
        assembly[name] = h5py.SoftLink(f"/VTKHDF/{name}")
    _write_surface(root["bodies"], meshes)
    start = first_vertices(meshes)
    for path, column in columns(int(start[-1])).items():
        column.create(file, path)
    for name, block, more in zip(BLOCKS, blocks, (["face"], LABELS), strict=True):
        offsets = block["Steps/CellDataOffsets"]
        for label in more:
            if label not in offsets:
                offsets[label] = offsets[FIRST[name]]


def _write_surface(group: h5py.Group, meshes: Sequence[WingedEdgeMesh]) -> None:
    """Write the faces of all bodies, which are the same in all frames."""
    start = first_vertices(meshes)
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
