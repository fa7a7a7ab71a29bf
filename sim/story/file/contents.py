"""Whether what a recording says can be: seals only say that it is what was written.

Whoever writes a file can seal anything.  A number that is used as an index, here or by
a kernel, is therefore held against what it counts.

HDF5 can send a reader to other files and pipes, and let a few bytes stand for any
number of rows.  A recorder does none of that, so a file that does is refused before
anything of it is read: links that are not hard, rows kept elsewhere or filtered, and
sizes that add up to more than the file has.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from h5py import h5a, h5d, h5l, h5o
from numpy.typing import NDArray

from sim.result.answer import KINDS, Numbers, Region
from sim.result.state import PairState, hull_of

if TYPE_CHECKING:
    from wingedge import WingedEdgeMesh


Faces = NDArray[np.int32] | None  # triangles of what stands for a body
DATASET = h5o.TYPE_DATASET
ATTRIBUTE = 64 * 1024  # bytes; HDF5 itself allows no more in the format that is written
READ = {  # in this order; whether with all that is in them, None for a mere step
    "wingedge": True,
    "VTKHDF": None,
    "VTKHDF/bodies": None,
    "VTKHDF/bodies/Points": False,
    "VTKHDF/bodies/Steps": False,
    "VTKHDF/contacts": None,
    "VTKHDF/contacts/Steps": False,
}


def check_structure(file: h5py.File, size: int) -> None:
    """Refuse a file of ``size`` bytes with parts that no recorder writes.

    Only what is read is looked at, once each: all of ``wingedge``, and of what VTK
    reads the points and the numbers of frames.

    Raises ValueError naming the part, and what is wrong with it; LookupError if a link
    breaks off.
    """
    seen: set[Any] = set()
    left = size

    def look(path: str, deep: bool | None) -> None:
        nonlocal left
        name = repr(path[:200])
        if file.id.links.get_info(path.encode()).type != h5l.TYPE_HARD:
            raise ValueError(f"{name} is a link to elsewhere")
        if deep is None:
            return
        item = file[path]
        place = h5o.get_info(item.id)
        if len(path) > 200 or (place.fileno, place.addr) in seen:
            raise ValueError(f"{name} is there under another name, too, or too deep")
        seen.add((place.fileno, place.addr))
        for k in range(h5a.get_num_attrs(item.id)):
            found = h5a.open(item.id, index=k)
            kind = found.get_type()
            text = isinstance(kind, h5py.h5t.TypeStringID) and kind.is_variable_str()
            claimed = prod(found.shape) * int(kind.get_size())
            if text and found.shape == ():
                continue  # no longer than what is stored
            if found.dtype.hasobject or claimed > ATTRIBUTE:
                raise ValueError(f"an attribute of {name} is not of the kind or size")
        if isinstance(item, h5py.Dataset):
            rows = _claimed(item, name)
            left -= rows
            if rows < 0 or left < 0:
                raise ValueError(f"{name} claims more than the {size} bytes of it all")
        elif not isinstance(item, h5py.Group):
            raise ValueError(f"{name} is neither a group nor rows")
        elif deep:
            for inner in item:
                look(f"{path}/{inner}", True)

    for path, how in READ.items():
        if not file.id.links.exists(path.encode()):
            return  # no recording, as whoever reads it says
        look(path, how)


def check_near(file: h5py.File) -> None:
    """Refuse a file that sends its reader to other files, or to pipes."""

    def is_far(name: bytes, about: Any) -> bytes | None:
        far = about.type == h5l.TYPE_EXTERNAL
        if about.type == h5l.TYPE_HARD and h5o.get_info(file.id, name).type == DATASET:
            made = h5d.open(file.id, name).get_create_plist()
            far = made.get_layout() == h5d.VIRTUAL or made.get_external_count() > 0
        return name if far else None

    if name := file.id.links.visit(is_far, info=True):
        raise ValueError(f"{name[:200].decode()!r} is in another file; copy it here")


def _claimed(data: h5py.Dataset, name: str) -> int:
    """Return how many bytes plain rows take; refuse others."""
    made, kind = data.id.get_create_plist(), data.id.get_type()
    layout = made.get_layout()
    near = layout in (h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED)
    if not near or (layout == h5d.CONTIGUOUS and made.get_external_count()):
        raise ValueError(f"the rows of {name} are in other files")
    if made.get_nfilters():
        raise ValueError(f"the rows of {name} are compressed or filtered")
    if kind.dtype.hasobject:
        raise ValueError(f"the rows of {name} have no fixed size")
    rows = int(data.id.get_space().get_simple_extent_npoints())
    return rows * int(kind.get_size())


def check_frames(rows: NDArray[np.void]) -> None:
    """Refuse frames that do not follow one another, or are at no time."""
    index = rows["index"]
    if len(rows) and (index[0] < 0 or (np.diff(index) != 1).any()):
        raise ValueError("its frames do not follow one another")
    if not np.isfinite(rows["time"]).all():
        raise ValueError("a frame is at no time")


def check_hull(faces: NDArray[np.int32], mesh: "WingedEdgeMesh") -> None:
    """Refuse triangles of a hull whose corners a body does not have."""
    if faces.shape[1:] != (3,) or (faces < 0).any() or (faces >= mesh.n_vertices).any():
        raise ValueError("a hull has corners that its body does not have")


def pair_of(row: NDArray[np.void], bodies: Sequence[Any]) -> tuple[int, int]:
    """Read the two bodies of a state by their places."""
    a, b = row["pair"].tolist()
    if not 0 <= a < b < len(bodies):
        raise ValueError(f"it answers for bodies {a} and {b} of {len(bodies)}")
    return a, b


def checked_state(
    row: NDArray[np.void],
    answer: tuple[Numbers, str],
    bodies: Sequence[Any],
    regions: tuple[Region, ...],
    hulls: Sequence[Faces] | Mapping[int, Faces],
) -> PairState:
    """Put a state together; refuse names of features that its bodies do not have.

    Parameters: ``hulls``: of the bodies, by their places.

    Raises ValueError naming the pair.
    """
    a, b = pair_of(row, bodies)
    one, other, frame = bodies[a], bodies[b], int(row["frame"])
    both = hulls[a], hulls[b]
    state = PairState(*answer, frame, one, other, regions=regions, hulls=both)
    for faces, mesh in zip(both, (one.mesh, other.mesh), strict=True):
        if faces is not None:
            check_hull(faces, mesh)
    for numbers in (state.numbers, *(region.numbers for region in state.regions)):
        _check_features(state, numbers)
    counts = [(state.mesh_a.n_faces, state.mesh_b.n_faces)]
    for region in state.regions:
        if (region.faces < 0).any() or (region.faces >= counts).any():
            raise ValueError("a region has faces that its bodies do not have")
    return state


def _check_features(state: PairState, n: Numbers) -> None:
    """Refuse features that the bodies, or their hulls where lids are named, lack."""
    if not (n.parts_a and n.parts_b) or 4 * len(n.corners) != 6 * len(n.labels):
        raise ValueError("an answer names no features, or corners without them")
    on_a, on_b = (
        list(zip(n.labels[k::4], n.labels[k + 1 :: 4], strict=True)) for k in (0, 2)
    )
    on_a += [(n.dimension_a, part) for part in n.parts_a]
    on_b += [(n.dimension_b, part) for part in n.parts_b]
    for side, named in enumerate((on_a, on_b)):
        body, mesh = (state.a, state.b)[side], (state.mesh_a, state.mesh_b)[side]
        own = mesh.n_vertices, mesh.n_edges, mesh.n_faces
        for dimension, k in named:
            if not 0 <= dimension <= 2:
                raise ValueError(f"an answer names a feature of dimension {dimension}")
            lids = None if k < own[dimension] else hull_of(state, side)
            beyond = (0, 3, 1)[dimension] * (0 if lids is None else len(lids))
            if not 0 <= k < own[dimension] + beyond:
                raise ValueError(f"body '{body.name}' has no {KINDS[dimension]} {k}")
