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

    Only what is read is looked at: all of ``wingedge``, and of what VTK reads the
    points and the numbers of frames.

    Raises ValueError naming the part, and what is wrong with it; LookupError if a link
    breaks off.
    """
    look = _Look(size)
    for path, how in READ.items():
        if not file.id.links.exists(path.encode()):
            return  # no recording, as whoever reads it says
        _check_link(file, path)
        if how is not None:
            look.at(file[path], path, deep=how)


class _Look:
    """Go through objects once each, and count what they claim."""

    def __init__(self, size: int) -> None:
        self._size = self._left = size
        self._seen: set[Any] = set()

    def at(self, item: h5py.Group | h5py.Dataset, path: str, *, deep: bool) -> None:
        if len(path) > 200:
            raise ValueError(f"{path[:80]!r}... lies too deep")
        place = h5o.get_info(item.id)
        if (place.fileno, place.addr) in self._seen:
            raise ValueError(f"{path!r} is there under another name, too")
        self._seen.add((place.fileno, place.addr))
        for k in range(h5a.get_num_attrs(item.id)):
            found = h5a.open(item.id, index=k)
            kind, one = found.get_type(), found.shape == ()
            text = isinstance(kind, h5py.h5t.TypeStringID) and kind.is_variable_str()
            if text and one:
                continue  # no longer than what is stored
            claimed = prod(found.shape) * int(kind.get_size())
            if found.dtype.hasobject or claimed > ATTRIBUTE:
                raise ValueError(f"an attribute of {path!r} is not of the kind or size")
        if isinstance(item, h5py.Dataset):
            self._dataset(item, path)
        elif deep and isinstance(item, h5py.Group):
            for name in item:
                _check_link(item, name, path)
                self.at(item[name], f"{path}/{name}", deep=True)
        elif not isinstance(item, h5py.Group):
            raise ValueError(f"{path!r} is neither a group nor rows")

    def _dataset(self, data: h5py.Dataset, path: str) -> None:
        made = data.id.get_create_plist()
        layout = made.get_layout()
        if layout not in (h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED):
            raise ValueError(f"the rows of {path!r} are in other files")
        if layout == h5d.CONTIGUOUS and made.get_external_count():
            raise ValueError(f"the rows of {path!r} are in another file")
        if made.get_nfilters():
            raise ValueError(f"the rows of {path!r} are compressed or filtered")
        kind = data.id.get_type().dtype
        if kind.hasobject:
            raise ValueError(f"the rows of {path!r} have no fixed size")
        rows = data.id.get_space().get_simple_extent_npoints()
        claimed = int(rows) * int(data.id.get_type().get_size())
        self._left -= claimed
        if rows < 0 or self._left < 0:
            raise ValueError(
                f"{path!r} claims {claimed} bytes, more than the {self._size} of the "
                "file allow"
            )


def _check_link(group: h5py.Group, name: str, path: str = "") -> None:
    if group.id.links.get_info(name.encode()).type != h5l.TYPE_HARD:
        where = f"{path}/{name}".lstrip("/")
        raise ValueError(f"{where!r} is a link to elsewhere")


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
        named = _named(numbers)
        for side in (0, 1):
            for dimension, number in named[side]:
                if not 0 <= number < _count(state, side, dimension, number):
                    body = (state.a, state.b)[side]
                    raise ValueError(
                        f"body '{body.name}' has no {KINDS[dimension]} {number}"
                    )
    counts = [(state.mesh_a.n_faces, state.mesh_b.n_faces)]
    for region in state.regions:
        if (region.faces < 0).any() or (region.faces >= counts).any():
            raise ValueError("a region has faces that its bodies do not have")
    return state


def _named(numbers: Numbers) -> list[list[tuple[int, int]]]:
    """List dimension and number of every feature that is named on A, and on B."""
    n = numbers
    on_a = [(n.dimension_a, part) for part in n.parts_a]
    on_b = [(n.dimension_b, part) for part in n.parts_b]
    labels = n.labels
    on_a += zip(labels[0::4], labels[1::4], strict=True)
    on_b += zip(labels[2::4], labels[3::4], strict=True)
    if not (n.parts_a and n.parts_b) or 4 * len(n.corners) != 6 * len(labels):
        raise ValueError("an answer names no features, or corners without them")
    return [on_a, on_b]


def _count(state: PairState, side: int, dimension: int, number: int) -> int:
    """Count the features of a body, lids of its hull where such a one is named."""
    mesh = (state.mesh_a, state.mesh_b)[side]
    if not 0 <= dimension <= 2:
        raise ValueError(f"an answer names a feature of dimension {dimension}")
    own = (mesh.n_vertices, mesh.n_edges, mesh.n_faces)[dimension]
    if dimension == 0 or number < own:
        return own
    faces = hull_of(state, side)
    beyond = 0 if faces is None else len(faces)
    return own + (3 * beyond if dimension == 1 else beyond)
