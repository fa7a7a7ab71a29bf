"""The regions of pair states as rows of tables, and back."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.contact import PairState
from sim.region import Region
from sim.story.states import RAGGED, STATE, Ends, StateRows, decode, encode

MARK = np.dtype([("identity", "<i8"), ("faces", "<i8")])
# A region is written as a state is, with lists of its own, and two rows beside it.
TABLES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "region_ends": ("<i8", ()),  # per state: where its regions end
    "region_marks": (MARK, ()),  # per region: which it is, and where its faces end
    "region_faces": ("<i4", (2,)),  # pairs of faces, A's first
    "region_states": (STATE, ()),
} | {f"region_{name}": (kind, ()) for name, kind in RAGGED.items()}


class RegionRows(NamedTuple):
    """Regions as arrays, or how many rows there are of each, as in ``TABLES``."""

    ends: Any
    marks: Any
    faces: Any
    states: Any
    ints: Any
    floats: Any
    text: Any


NOTHING = RegionRows(0, 0, 0, 0, 0, 0, 0)


def encode_regions(
    states: Iterable[PairState], start: RegionRows = NOTHING
) -> RegionRows:
    """Turn the regions of states into rows for tables that are so long."""
    marks: list[tuple[int, int]] = []
    faces = [np.empty((0, 2), np.int32)]
    answers: list[tuple[tuple[int, int], bool, PairState]] = []
    ends = []
    last = int(start.faces)
    for state in states:
        for region in state.regions:
            last += len(region.faces)
            marks.append((region.identity, last))
            faces.append(region.faces)
            answer = PairState(
                region.numbers, state.regime, state.frame, state.a, state.b
            )
            answers.append(((0, 0), True, answer))
        ends.append(int(start.marks) + len(marks))
    rows = encode(answers, Ends(start.ints, start.floats, start.text))
    return RegionRows(
        np.array(ends, np.int64), np.array(marks, MARK), np.concatenate(faces), *rows
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
    before = max(0, begin - 1)
    marks = group["region_marks"][before : ends[-1]]
    states = group["region_states"][before : ends[-1]]
    face, start = 0, Ends()
    if begin:
        face, start = int(marks[0]["faces"]), _ends(states[0])
        marks, states = marks[1:], states[1:]
    stop = _ends(states[-1]) if len(states) else start
    lists = [
        group[f"region_{name}"][i:j]
        for name, i, j in zip(RAGGED, start, stop, strict=True)
    ]
    found = []
    answers = decode(StateRows(states, *lists), start)
    for mark, (numbers, _) in zip(marks.tolist(), answers, strict=True):
        identity, end = mark
        faces: NDArray[np.int32] = group["region_faces"][face:end]
        faces.setflags(write=False)
        found.append(Region(identity, numbers, faces))
        face = end
    at = 0
    for end in ends:
        yield tuple(found[at : end - begin])
        at = end - begin


def region_bits(group: h5py.Group, count: int) -> Iterator[bytes]:
    """Go through all bits of the regions of so many states; not what they cost."""
    regions = int(group["region_ends"][count - 1]) if count else 0
    marks = group["region_marks"][:regions]
    states = group["region_states"][:regions]
    yield group["region_ends"][:count].tobytes()
    yield marks.tobytes()
    yield group["region_faces"][: int(marks[-1]["faces"]) if regions else 0].tobytes()
    for name in STATE.names or ():
        if name != "work":
            yield states[name].tobytes()
    stop = _ends(states[-1]) if regions else Ends()
    for name, end in zip(RAGGED, stop, strict=True):
        yield group[f"region_{name}"][:end].tobytes()


def _ends(row: Any) -> Ends:
    """Return where the lists of a region end."""
    return Ends(*(int(row[name]) for name in RAGGED))
