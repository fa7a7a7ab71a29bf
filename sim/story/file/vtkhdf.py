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
from sim.story.file.table import Rows, Table
from wingedge import WingedEdgeMesh

Float = np.float64
VERSION = (2, 2)
# The position in this row is the number in the array "kind".
KINDS = ("VV", "VE", "EV", "EE", "VF", "FV", "EF", "FE", "FF")
BLOCKS = ("bodies", "contacts")
CELLS = ("Vertices", "Lines", "Polygons", "Strips")
ROOM = 64  # frames to take room for at once
ITEMS = 1024  # the same for what comes in varying number
LABELS = {  # with type and width, in this order the columns of contacts
    **{"distance": ("<f8", ()), "pair": ("<i8", ()), "kind": ("<i8", ())},
    **{"regime": ("<i8", ()), "depth": ("<f8", ()), "normal": ("<f8", (3,))},
}
NOBODY = (0.0, -1, -1, -1, 0.0, 0.0, 0.0, 0.0)


class GrowingBlock:
    """The tables of one block that grow from frame to frame.

    ``still``: the cells and their labels are the same in all frames.
    """

    def __init__(
        self, group: h5py.Group, labels: Sequence[str], *, room: int, still: bool
    ) -> None:
        self._tables: dict[str, Table] = {}
        self._labels = labels
        offsets = group.create_group("Steps/CellDataOffsets", track_order=True)
        four, fixed = (len(CELLS),), 0 if still else None

        def add(
            name: str,
            dtype: str = "<i8",
            width: tuple[int, ...] = (),
            room: int = ROOM,
            constant: int | None = None,
            exact: bool = False,
        ) -> None:
            self._tables[name] = Table(
                group, name, dtype, width, room=room, constant=constant, exact=exact
            )

        add("Points", "<f8", (3,), room)
        if not still:
            group.create_group("CellData", track_order=True)
            add("NumberOfPoints")
            for name, (kind, width) in LABELS.items():
                add(f"CellData/{name}", kind, width, room=ITEMS)
            for cells in CELLS:
                none = None if cells in ("Vertices", "Lines") else 0
                add(f"{cells}/Offsets", room=ITEMS, constant=none)
                add(f"{cells}/Connectivity", room=ITEMS)
                add(f"{cells}/NumberOfCells", constant=none)
                add(f"{cells}/NumberOfConnectivityIds", constant=none)
        # VTK takes as many times as there are, and room for as many as NSteps
        add("Steps/Values", "<f8", room=ITEMS, exact=True)
        add("Steps/PointOffsets")
        add("Steps/PartOffsets", constant=fixed)
        add("Steps/NumberOfParts", constant=1)
        add("Steps/CellOffsets", width=four, constant=fixed)
        add("Steps/ConnectivityIdOffsets", width=four, constant=fixed)
        add(f"Steps/CellDataOffsets/{labels[0]}", constant=fixed)
        for name in labels[1:]:
            offsets[name] = offsets[labels[0]]  # all labels of a cell lie at one place
        self.tables = [*self._tables.values()]

    def rows(self, time: float, added: Mapping[str, ArrayLike]) -> Rows:
        """Return what one frame adds, and where that begins in the tables."""
        start = {name: table.count for name, table in self._tables.items()}
        frames, label = start.get("NumberOfPoints", 0), self._labels[0]
        begins: dict[str, ArrayLike] = {
            "Values": time,
            "PointOffsets": start["Points"],
            "PartOffsets": frames,
            "NumberOfParts": 1,
            "CellOffsets": [start.get(f"{k}/Offsets", 0) - frames for k in CELLS],
            "ConnectivityIdOffsets": [start.get(f"{k}/Connectivity", 0) for k in CELLS],
            f"CellDataOffsets/{label}": start.get(f"CellData/{label}", 0),
        }
        told = {f"Steps/{name}": [value] for name, value in begins.items()}
        rows = {**added, **told}.items()
        return [(self._tables[name], np.asarray(data)) for name, data in rows]


def contact_rows(frame: Frame, place: Mapping[str, int]) -> dict[str, ArrayLike]:
    """Return the segments and points of contact of a frame.

    Parameters: ``place``: of every body in the order, by its name.
    """
    pairs = frame.pairs
    if len(pairs) == 0:  # somewhere that does not widen the picture
        first = (body.pose.apply(body.points[0]) for body in frame.bodies)
        nowhere = next(first, np.zeros(3))
        points, touching = np.array([nowhere, nowhere]), np.array([nowhere])
        columns = np.array([NOBODY, NOBODY], Float).T
    else:
        number = pairs.a * len(place) + pairs.b
        kinds = list(map(KINDS.index, pairs.kind.tolist()))
        depth = np.maximum(0.0, -pairs.distance)
        told = [pairs.distance, number, kinds, pairs.regimes, depth, *pairs.normal.T]
        whole = np.stack(told, axis=1)
        points = np.stack([pairs.point_a, pairs.point_b], axis=1).reshape(-1, 3)
        several = np.flatnonzero(pairs.meets & pairs.says_more).tolist()
        rest = np.setdiff1d(np.arange(len(pairs)), several)
        at, on, corners = [rest], [points[::2][rest]], [whole[rest]]
        for k in several:
            for contact in pairs.state(k).contacts:
                kind = KINDS.index(contact.kind)
                at.append(np.array([k]))
                on.append(contact.point_a[None])
                row = whole[k].copy()
                row[[0, 2, 4]] = contact.distance, kind, max(0.0, -contact.distance)
                row[5:] = contact.normal
                corners.append(row[None])
        order = np.argsort(np.concatenate(at), kind="stable")
        touching = np.concatenate(on)[order]
        columns = np.concatenate([np.concatenate(corners)[order], whole]).T
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


def make_root(file: h5py.File) -> h5py.Group:
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
        for cells in CELLS:
            block.create_group(cells, track_order=True)
        assembly[name] = h5py.SoftLink(f"/VTKHDF/{name}")
    return root


def write_surface(
    group: h5py.Group, meshes: Sequence[WingedEdgeMesh], start: NDArray[np.int64]
) -> None:
    """Write the faces of all bodies, which are the same in all frames."""
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
    data = group.create_group("CellData", track_order=True)
    faces = [mesh.n_faces for mesh in meshes]
    data["body"] = np.repeat(np.arange(len(meshes), dtype=np.int64), faces)
    numbers = [np.arange(n, dtype=np.int64) for n in faces]
    data["face"] = np.concatenate([np.zeros(0, np.int64), *numbers])
