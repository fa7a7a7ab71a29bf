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
NOBODY = (0.0, -1, -1, -1, 0.0, 0.0, 0.0, 0.0)
LABELLED = "contacts/Steps/CellDataOffsets"
# Tables that hold the same in every frame are one table, under several names.
ONE, ZERO, ZEROS = "NumberOfParts", "PartOffsets", "CellOffsets"
CONSTANT = np.zeros(1)
ALIKE = {
    "bodies/Steps/Values": ["contacts/Steps/Values"],
    f"bodies/Steps/{ONE}": [f"contacts/Steps/{ONE}"],
    f"bodies/Steps/{ZEROS}": ["bodies/Steps/ConnectivityIdOffsets"],
    f"bodies/Steps/{ZERO}": [
        *(f"bodies/Steps/CellDataOffsets/{label}" for label in ("body", "face")),
        *(
            f"contacts/{cells}/{name}"
            for cells in CELLS[2:]
            for name in ("Offsets", "NumberOfCells", "NumberOfConnectivityIds")
        ),
    ],
    "contacts/Vertices/NumberOfCells": ["contacts/Vertices/NumberOfConnectivityIds"],
    f"{LABELLED}/distance": [f"{LABELLED}/{label}" for label in [*LABELS][1:]],
}


def columns(vertices: int) -> dict[str, Column]:
    """Name the tables that grow from frame to frame.

    The cells of ``bodies``, and their labels, are the same in all frames.
    """
    each, four = Column(room=ROOM), Column(f"({len(CELLS)},)<i8", ROOM)
    found = {
        "bodies/Points": Column(POINTS, ROOM * max(1, vertices)),
        "contacts/Points": Column(POINTS),
        "contacts/NumberOfPoints": each,
        **{f"contacts/CellData/{k}": Column(kind) for k, kind in LABELS.items()},
        # VTK takes as many times as there are, and room for as many as NSteps
        "bodies/Steps/Values": Column("<f8", exact=True),
        f"bodies/Steps/{ONE}": each._replace(constant=1),
        f"bodies/Steps/{ZERO}": each._replace(constant=0),
        f"bodies/Steps/{ZEROS}": four._replace(constant=0),
        "bodies/Steps/PointOffsets": each,
        "contacts/Steps/PointOffsets": each,
        "contacts/Steps/PartOffsets": each,
        "contacts/Steps/CellOffsets": four,
        "contacts/Steps/ConnectivityIdOffsets": four,
        f"{LABELLED}/distance": each,
        "contacts/Lines/NumberOfConnectivityIds": each,
    }
    for cells in CELLS[:2]:
        found[f"contacts/{cells}/NumberOfCells"] = each
        found |= {
            f"contacts/{cells}/{k}": Column() for k in ("Offsets", "Connectivity")
        }
    return {VTK + name: column for name, column in found.items()}


def rows_of(
    frame: Frame, world: Array, place: Mapping[str, int], ends: Mapping[str, int]
) -> dict[str, Array]:
    """Return what a frame adds to tables that are so long, and where it begins in them.

    Parameters: ``world``: all points, (V, 3); ``place``: of every body in the order, by
    its name.
    """
    start = {name.removeprefix(VTK): end for name, end in ends.items()}
    segments, vertices, labels = _contacts(frame, place)
    n, ends_of, k = len(vertices), len(segments), start["contacts/NumberOfPoints"]
    offsets, ids = (
        [[*(start[f"contacts/{cells}/{name}"] - less for cells in CELLS[:2]), 0, 0]]
        for name, less in (("Offsets", k), ("Connectivity", 0))
    )
    rows: dict[str, ArrayLike] = {
        "bodies/Points": world,
        "contacts/Points": np.concatenate([segments, vertices]),
        "contacts/NumberOfPoints": [ends_of + n],
        **{f"contacts/CellData/{x}": labels[i] for i, x in enumerate(LABELS)},
        "contacts/CellData/normal": labels[-3:].T,
        "bodies/Steps/Values": [frame.time],
        **{f"bodies/Steps/{x}": CONSTANT for x in (ONE, ZERO, ZEROS)},
        **{f"{b}/Steps/PointOffsets": [start[f"{b}/Points"]] for b in BLOCKS},
        "contacts/Steps/PartOffsets": [k],
        "contacts/Steps/CellOffsets": offsets,
        "contacts/Steps/ConnectivityIdOffsets": ids,
        f"{LABELLED}/distance": [start["contacts/CellData/distance"]],
        "contacts/Vertices/Offsets": np.arange(n + 1),
        "contacts/Vertices/Connectivity": np.arange(ends_of, ends_of + n),
        "contacts/Vertices/NumberOfCells": [n],
        "contacts/Lines/Offsets": np.arange(0, ends_of + 1, 2),
        "contacts/Lines/Connectivity": np.arange(ends_of),
        "contacts/Lines/NumberOfCells": [ends_of // 2],
        "contacts/Lines/NumberOfConnectivityIds": [ends_of],
    }
    return {VTK + name: np.asarray(data) for name, data in rows.items()}


def _contacts(frame: Frame, place: Mapping[str, int]) -> tuple[Array, Array, Array]:
    """Return the ends of segments, the points of contact, and labels: theirs first."""
    pairs = frame.pairs
    if len(pairs) == 0:  # somewhere that does not widen the picture
        first = (body.pose.apply(body.points[0]) for body in frame.bodies)
        nowhere = next(first, np.zeros(3))
        points, touching = np.array([nowhere, nowhere]), np.array([nowhere])
        return points, touching, np.array([NOBODY, NOBODY], np.float64).T
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
    return points, touching[order], np.concatenate([corners[order], whole]).T


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
    for path, column in columns(int(first_vertices(meshes)[-1])).items():
        column.create(file, path)
    for cells in CELLS[2:]:
        root[f"contacts/{cells}/Connectivity"] = np.zeros(0, np.int64)
    for name, others in ALIKE.items():
        for other in others:
            root[other] = root[name]


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
