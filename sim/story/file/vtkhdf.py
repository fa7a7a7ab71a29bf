"""The half of a recording that ParaView and VTK read: VTKHDF, written frame by frame.

Two blocks. ``bodies``: all bodies as one surface in the world, with the numbers of body
and face on every cell. ``contacts``: for every reported pair the segment from A's
closest point to B's, and a vertex on A for every contact, or for the closest point of a
pair that is apart; with distance, pair, kind and regime on every cell. A pair (a, b) of
bodies, by their place in the order, is numbered a * (number of bodies) + b.

VTK finds the cells of a frame wrongly if a frame before it had none of their kind, so a
frame without pairs has one vertex and one segment of no length, numbered -1.

Format: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html#vtkhdf-file-format
"""

from collections.abc import Iterable, Mapping, Sequence

import h5py
import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.frame import Frame
from sim.story.file.states import REGIMES
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
NONE = np.arange(0)
Label = tuple[float, int, int, int]  # in the order of LABELS
NOBODY: Label = (0.0, -1, -1, -1)
LABELS = {"distance": "<f8", "pair": "<i8", "kind": "<i8", "regime": "<i8"}


class BodiesBlock:
    """Write the bodies: topology once, world positions in every frame."""

    def __init__(self, root: h5py.Group, meshes: Sequence[WingedEdgeMesh]) -> None:
        group = root["bodies"]
        start = first_vertices(meshes)
        _write_surface(group, meshes, start)
        room = ROOM * max(1, int(start[-1]))
        self._points = Table(group, "Points", "<f8", (3,), room=room)
        self._steps = Steps(group, ("body", "face"), still=True)
        self.tables = [self._points, *self._steps.tables]

    def rows(self, time: float, points: NDArray[Float]) -> Rows:
        """Return what one frame adds, given all world points, (V, 3)."""
        steps = self._steps.rows(time=time, point=self._points.count)
        return [(self._points, points), *steps]


class ContactsBlock:
    """Write the witness segments and the contact points of every frame."""

    def __init__(self, root: h5py.Group) -> None:
        group = root["contacts"]
        self._points = Table(group, "Points", "<f8", (3,), room=ITEMS)
        self._number = Table(group, "NumberOfPoints", "<i8", room=ROOM)
        self._cells = {cells: CellTables(group[cells], cells) for cells in CELLS}
        data = group.create_group("CellData", track_order=True)
        self._labels = {
            name: Table(data, name, kind, room=ITEMS) for name, kind in LABELS.items()
        }
        self._steps = Steps(group, LABELS, still=False)
        cells = [table for cells in self._cells.values() for table in cells.tables]
        own = [self._points, self._number, *self._labels.values()]
        self.tables = [*own, *cells, *self._steps.tables]

    def rows(self, frame: Frame, place: Mapping[str, int]) -> Rows:
        """Return what one frame adds, given the place of every body by its name."""
        points: list[NDArray[Float]] = []
        witnesses: list[Label] = []
        corners: list[Label] = []
        touching: list[NDArray[Float]] = []
        for state in frame.pairs:
            pair = place[state.a.name] * len(place) + place[state.b.name]
            regime = REGIMES.index(state.regime)
            points += [state.point_a, state.point_b]
            whole = (state.distance, pair, KINDS.index(state.kind), regime)
            witnesses.append(whole)
            contacts = state.contacts
            touching += [contact.point_a for contact in contacts]
            for contact in contacts:
                kind = KINDS.index(contact.kind)
                corners.append((contact.distance, pair, kind, regime))
            if not contacts:
                touching.append(state.point_a)
                corners.append(whole)
        if not frame.pairs:  # somewhere that does not widen the picture
            first = (body.pose.apply(body.points[0]) for body in frame.bodies)
            nowhere = next(first, np.zeros(3))
            points, touching = [nowhere, nowhere], [nowhere]
            witnesses, corners = [NOBODY], [NOBODY]
        ends = len(points)
        points += touching
        which = {"Vertices": np.arange(ends, len(points)), "Lines": np.arange(ends)}
        columns = np.array([*corners, *witnesses], Float).T
        steps = self._steps.rows(
            time=frame.time,
            part=self._number.count,
            point=self._points.count,
            cells=[t.offsets.count - self._number.count for t in self._cells.values()],
            connectivity=[t.connectivity.count for t in self._cells.values()],
            data=self._labels["pair"].count,
        )
        return [
            (self._points, np.array(points, Float)),
            (self._number, np.array([len(points)])),
            *(row for k in CELLS for row in self._cells[k].rows(which.get(k, NONE))),
            *zip(self._labels.values(), columns, strict=True),
            *steps,
        ]


class CellTables:
    """The cells of one kind, all of one size: vertices, or segments, or none at all."""

    def __init__(self, group: h5py.Group, cells: str) -> None:
        self._size = 2 if cells == "Lines" else 1
        constant = None if cells in ("Vertices", "Lines") else 0
        self.offsets = Table(group, "Offsets", "<i8", room=ITEMS, constant=constant)
        self.connectivity = Table(group, "Connectivity", "<i8", room=ITEMS)
        self._number = Table(
            group, "NumberOfCells", "<i8", room=ROOM, constant=constant
        )
        self._total = Table(
            group, "NumberOfConnectivityIds", "<i8", room=ROOM, constant=constant
        )
        self.tables = [self.offsets, self.connectivity, self._number, self._total]

    def rows(self, points: NDArray[np.intp]) -> Rows:
        """Return what one frame adds, given the points of its cells in a row."""
        offsets = np.arange(0, len(points) + 1, self._size)
        return [
            (self.offsets, offsets),
            (self.connectivity, points),
            (self._number, np.array([len(offsets) - 1])),
            (self._total, np.array([len(points)])),
        ]


class Steps:
    """Where the data of every frame begin in the arrays of a block."""

    def __init__(self, group: h5py.Group, data: Iterable[str], *, still: bool) -> None:
        steps = group["Steps"]
        fixed = 0 if still else None  # topology and labels are the same in all frames
        four = (len(CELLS),)
        self._tables = {
            # VTK takes as many times as there are, and room for as many as NSteps
            "time": Table(steps, "Values", "<f8", room=ITEMS, exact=True),
            "point": Table(steps, "PointOffsets", "<i8", room=ROOM),
            "part": Table(steps, "PartOffsets", "<i8", room=ROOM, constant=fixed),
            "parts": Table(steps, "NumberOfParts", "<i8", room=ROOM, constant=1),
            "cells": Table(
                steps, "CellOffsets", "<i8", four, room=ROOM, constant=fixed
            ),
            "connectivity": Table(
                steps, "ConnectivityIdOffsets", "<i8", four, room=ROOM, constant=fixed
            ),
        }
        offsets = steps.create_group("CellDataOffsets", track_order=True)
        first, *others = data
        self._tables["data"] = Table(offsets, first, "<i8", room=ROOM, constant=fixed)
        for name in others:
            offsets[name] = offsets[first]  # all labels of a cell lie at one place
        self.tables = [*self._tables.values()]

    def rows(self, **at: ArrayLike) -> Rows:
        """Return what one frame adds; what stays the same may be left out."""
        none = (0,) * len(CELLS)
        still = {"part": 0, "parts": 1, "cells": none, "connectivity": none, "data": 0}
        told = still | at
        return [(table, np.array([told[k]])) for k, table in self._tables.items()]


def first_vertices(meshes: Sequence[WingedEdgeMesh]) -> NDArray[np.int64]:
    """Count through the vertices of all bodies, (B + 1,): where each one begins."""
    sizes = [mesh.n_vertices for mesh in meshes]
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


class StepCount:
    """How many frames are whole: the number that is written last."""

    def __init__(self, file: h5py.File) -> None:
        steps = [file[f"VTKHDF/{block}/Steps"] for block in BLOCKS]
        self._ids = [h5py.h5a.open(group.id, b"NSteps") for group in steps]

    def write(self, n: int) -> None:
        """Say that so many frames are whole."""
        number = np.array(n, np.int64)
        for attribute in self._ids:
            attribute.write(number)


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


def _write_surface(
    group: h5py.Group, meshes: Sequence[WingedEdgeMesh], start: NDArray[np.int64]
) -> None:
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
