"""The regions of pair states as rows of tables, and back."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.contact import KINDS, LETTERS, Region
from wingedge import Feature

# Lists of varying length lie one after the other in tables of their own; the row says
# where they end there.
REGION = np.dtype(
    [
        ("identity", "<i8"),
        ("dimension_a", "u1"),
        ("dimension_b", "u1"),
        ("name_a", "<i4"),
        ("name_b", "<i4"),
        ("distance", "<f8"),
        ("point_a", "<f8", (3,)),
        ("point_b", "<f8", (3,)),
        ("normal", "<f8", (3,)),
        ("corners", "<i8"),  # of the patch
        ("faces", "<i8"),  # pairs of faces
    ]
)
TABLES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "region_ends": ("<i8", ()),  # per state: where its regions end
    "regions": (REGION, ()),
    "region_corners": ("<f8", (6,)),  # a point on A, one on B
    "region_faces": ("<i4", (2,)),
}


class RegionRows(NamedTuple):
    """Regions as arrays, in the order of ``TABLES``."""

    ends: NDArray[np.int64]
    rows: NDArray[Any]
    corners: NDArray[np.float64]
    faces: NDArray[np.int32]


def encode_regions(
    states: Iterable[tuple[Region, ...]], start: tuple[int, int, int] = (0, 0, 0)
) -> RegionRows:
    """Turn the regions of each state into rows; ``start`` is where the tables end."""
    rows = []
    corners = [np.empty((0, 6))]
    faces = [np.empty((0, 2), np.int32)]
    first, corner, pair = start
    ends = []
    for regions in states:
        for region in regions:
            corners.append(np.concatenate([region.patch, region.patch_b], axis=1))
            faces.append(region.faces)
            corner += len(region.patch)
            pair += len(region.faces)
            rows.append(_row(region, corner, pair))
        ends.append(first + len(rows))
    return RegionRows(
        np.array(ends, np.int64),
        np.array(rows, REGION),
        np.concatenate(corners),
        np.concatenate(faces),
    )


def read_regions(
    group: h5py.Group, first: int, last: int
) -> Iterator[tuple[Region, ...]]:
    """Read the regions of the states in rows first to last."""
    ends = group["region_ends"][max(0, first - 1) : last].tolist()
    begin = ends.pop(0) if first else 0
    if not ends:
        return
    # the row before says where the lists of the first one begin
    rows = group["regions"][max(0, begin - 1) : ends[-1]]
    corner = pair = 0
    if begin:
        corner, pair = int(rows[0]["corners"]), int(rows[0]["faces"])
        rows = rows[1:]
    stop = rows[-1:]
    corners = group["region_corners"][corner : int(stop["corners"].sum())]
    faces = group["region_faces"][pair : int(stop["faces"].sum())]
    found, i, j = [], 0, 0
    for row in rows:
        to_i, to_j = int(row["corners"]) - corner, int(row["faces"]) - pair
        found.append(_region(row, corners[i:to_i], faces[j:to_j]))
        i, j = to_i, to_j
    at = 0
    for end in ends:
        yield tuple(found[at : end - begin])
        at = end - begin


def _row(region: Region, corners: int, faces: int) -> tuple[object, ...]:
    a, b = region.feature_a, region.feature_b
    return (
        region.identity,
        KINDS.index(a.kind),
        KINDS.index(b.kind),
        a.index,
        b.index,
        region.distance,
        region.point_a,
        region.point_b,
        region.normal,
        corners,
        faces,
    )


def _region(row: Any, corners: NDArray[np.float64], faces: NDArray[np.int32]) -> Region:
    i, j = int(row["dimension_a"]), int(row["dimension_b"])
    own = np.ascontiguousarray(faces)
    own.setflags(write=False)
    return Region(
        int(row["identity"]),
        LETTERS[i] + LETTERS[j],
        Feature(KINDS[i], int(row["name_a"])),
        Feature(KINDS[j], int(row["name_b"])),
        float(row["distance"]),
        row["point_a"].copy(),
        row["point_b"].copy(),
        row["normal"].copy(),
        corners[:, :3].copy(),
        corners[:, 3:].copy(),
        own,
    )
