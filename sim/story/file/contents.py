"""Whether what a recording says can be: seals only say that it is what was written.

Whoever writes a file can seal anything.  A number that is used as an index, here or by
a kernel, is therefore held against what it counts.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from h5py import h5d, h5l, h5o
from numpy.typing import NDArray

from sim.result.answer import KINDS, Numbers, Region
from sim.result.state import PairState, hull_of

if TYPE_CHECKING:
    from wingedge import WingedEdgeMesh


Faces = NDArray[np.int32] | None  # triangles of what stands for a body
DATASET = h5o.TYPE_DATASET


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
