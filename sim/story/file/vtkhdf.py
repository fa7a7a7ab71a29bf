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

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.body.body import Body
from sim.result.answers import PairAnswers
from sim.story.file import hdf5
from sim.story.file.reader import Reader
from sim.story.file.rows import Array, Raw
from wingedge.tables import ranges, starts

VERSION = (2, 2)
CHUNK = 256  # rows that are stored together, or more
# The position in this row is the number in the array "kind".
KINDS = ("VV", "VE", "EV", "EE", "VF", "FV", "EF", "FE", "FF")
BLOCKS = ("bodies", "contacts")
CELLS = ("Vertices", "Lines", "Polygons", "Strips")
COLUMNS = ("NumberOfCells", "NumberOfConnectivityIds", "Offsets", "Connectivity")
# what is written of a vertex or a segment, in the order of the file
LABELS = {"distance": "f8", "pair": "i8", "kind": "i8"}
LABELS |= {"regime": "i8", "depth": "f8", "normal": "(3,)f8"}
CELL = np.dtype([("frame", "i8"), ("ends", "(2, 3)f8"), *LABELS.items()])
# of a kind, what COLUMNS name: how many, of how many corners; of each part from 0 on
# where its cells end among these, and the corners
Cells = tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]


def write(file: Any, reader: Reader) -> None:
    """Write all frames."""
    bodies, n = reader.make_bodies(), len(reader)
    root = _root(file, n)
    size = sum(body.mesh.n_vertices for body in bodies)
    points = root.create_dataset("bodies/Points", (n * size, 3), np.float64)
    counts = np.zeros((n, 2), np.int64)  # of a frame: vertices and segments
    for first, frames, pairs in reader.batches():
        world = _world(frames)
        points[first * size : first * size + len(world)] = world
        corners = world[::size] if size else np.zeros((len(frames), 3))
        table, some = _contacts(pairs, len(bodies), corners)
        counts[first : first + len(frames)] = some
        for name, rows in table.items():
            shape = rows.shape[1:]
            if not first:
                chunk = max(CHUNK, len(rows)), *shape
                options = {"dtype": rows.dtype, "maxshape": (None, *shape)}
                root.create_dataset(name, (0, *shape), chunks=chunk, **options)
            told = root[name]
            told.resize(len(told) + len(rows), axis=0)
            told[-len(rows) :] = rows
    cells = {"Polygons": _surface(root["bodies/CellData"], bodies)}
    starts, every = np.arange(n) * size, np.arange(n)
    _write_cells(root["bodies"], reader.times, 0 * every, [size], starts, cells)
    vertices, segments = counts.T
    sizes, none = vertices + 2 * segments, 0 * vertices
    places = ranges(2 * segments, vertices), ranges(none, 2 * segments)
    offsets = ranges(none, vertices + 1), 2 * ranges(none, segments + 1)
    cells = {
        "Vertices": (vertices, vertices, offsets[0], places[0]),
        "Lines": (segments, 2 * segments, offsets[1], places[1]),
    }
    starts = sizes.cumsum() - sizes
    _write_cells(root["contacts"], reader.times, every, sizes, starts, cells)


def _surface(labels: Any, bodies: Sequence[Body]) -> Cells:
    """Label the faces of all bodies, which are the same in all frames; return them."""
    meshes, none = [body.mesh for body in bodies], np.zeros(0, int)
    faces = np.array([mesh.n_faces for mesh in meshes], int)
    labels["body"] = np.arange(len(faces)).repeat(faces)
    labels["face"] = ranges(0 * faces, faces)
    begins = starts([mesh.n_vertices for mesh in meshes])[:-1]
    both = zip(meshes, begins, strict=True)
    corners = np.concatenate([none, *(mesh.corners.vertex + at for mesh, at in both)])
    sizes = np.concatenate([none, *(np.diff(mesh.corners.start) for mesh in meshes)])
    return [len(sizes)], [len(corners)], starts(sizes), corners


def _write_cells(
    block: Any,
    times: Array,
    part: Array,
    sizes: ArrayLike,
    starts: Array,
    cells: Mapping[str, Cells],
) -> None:
    """Write the cells of a block, and where every frame begins in its tables.

    Parameters: ``part`` (n,): what a frame shows of what follows; ``sizes``: of how
    many points each part is; ``starts`` (n,): where those of a frame are; ``cells``:
    those of each kind.
    """
    block["NumberOfPoints"] = np.asarray(sizes, np.int64)
    none = np.zeros(len(block["NumberOfPoints"]), np.int64)
    before = []
    for kind in CELLS:
        told = cells.get(kind, (none, none, none, none[:0]))
        for name, rows in zip(COLUMNS, told, strict=True):
            block[f"{kind}/{name}"] = np.asarray(rows, np.int64)
        before.append([np.cumsum(count) - count for count in told[:2]])
    counts, ids = np.array(before).transpose(1, 2, 0)
    table = {
        "Values": times,
        "NumberOfParts": np.ones(len(times), np.int64),
        "PartOffsets": part,
        "PointOffsets": starts,
        "CellOffsets": counts[part],
        "ConnectivityIdOffsets": ids[part],
        **{f"CellDataOffsets/{x}": counts.sum(1)[part] for x in block["CellData"]},
    }
    for name, data in table.items():
        block[f"Steps/{name}"] = data


def _world(frames: Sequence[Raw]) -> Array:
    """Return all points in the world, by the operations of ``Pose.apply``."""
    points = [points for raw in frames for points in raw.points]
    x, y, z = np.concatenate([np.empty((0, 3)), *points]).T
    poses = np.concatenate([raw.poses.reshape(-1, 12) for raw in frames])
    m = np.repeat(poses, list(map(len, points)), axis=0).T
    with np.errstate(over="ignore", invalid="ignore"):
        rows = [m[i] * x + m[i + 1] * y + m[i + 2] * z + m[i + 3] for i in (0, 4, 8)]
    return np.stack(rows, axis=1)


def _contacts(
    pairs: PairAnswers, n: int, places: Array
) -> tuple[dict[str, Array], Array]:
    """Return what frames add to ``contacts``, and their vertices and segments, (F, 2).

    Of every frame first the ends of its segments, then its vertices; labels of its
    vertices, then those of its segments.

    Parameters: ``n``: how many bodies there are; ``places`` (F, 3): where there is
    something to see in each frame.
    """
    frame, a = np.divmod(pairs.a, max(n, 1))
    empty = np.setdiff1d(np.arange(len(places)), frame)
    segments = np.zeros(len(pairs) + len(empty), CELL)
    own, none = np.split(segments, [len(pairs)])
    own["frame"], own["pair"] = frame, a * n + pairs.b % max(n, 1)
    own["ends"] = np.stack([pairs.point_a, pairs.point_b], axis=1)
    own["distance"], own["depth"] = pairs.distance, np.maximum(0.0, -pairs.distance)
    own["kind"] = list(map(KINDS.index, pairs.kind.tolist()))
    own["regime"], own["normal"] = pairs.regimes, pairs.normal
    # where there is no pair, something that does not widen the picture
    none["frame"], none["ends"] = empty, places[empty, None]
    none["pair"] = none["kind"] = none["regime"] = -1
    several = np.flatnonzero(pairs.meets & pairs.says_more).tolist()
    contacts = [pairs.state(k).contacts for k in several]
    counts, more = np.ones(len(segments), int), np.zeros(len(segments), bool)
    counts[several], more[several] = list(map(len, contacts)), True
    corners, more = segments.repeat(counts), more.repeat(counts)
    every = [*chain.from_iterable(contacts)]
    corners["kind"][more] = [KINDS.index(c.kind) for c in every]
    corners["depth"][more] += 0.0  # of what touches 0.0, not -0.0
    corners["ends"][more, 0] = np.reshape([c.point_a for c in every], (-1, 3))
    cells = np.concatenate([corners, segments])
    cells = cells[cells["frame"].argsort(kind="stable")]
    whose = np.concatenate([segments["frame"].repeat(2), corners["frame"]])
    points = np.concatenate([segments["ends"].reshape(-1, 3), corners["ends"][:, 0]])
    table = {f"contacts/CellData/{label}": cells[label] for label in LABELS}
    table["contacts/Points"] = points[whose.argsort(kind="stable")]
    both = (np.bincount(x["frame"], minlength=len(places)) for x in (corners, segments))
    return table, np.stack([*both], axis=1)


def _root(file: Any, frames: int) -> Any:
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
        assembly[name] = hdf5().SoftLink(f"/VTKHDF/{name}")
    # VTK 9.7 follows the time only if there are steps here too; 9.5 and 9.6 need none
    # and take no harm, 9.4 breaks down over them.
    root["Steps"] = root["bodies/Steps"]
    return root
