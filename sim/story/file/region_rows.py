"""The regions of pair states as rows of tables, and back."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.contact import PairState
from sim.region import Region
from sim.story.file.states import RAGGED, STATE, Ends, StateRows, decode, encode

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


def decode_regions(
    rows: RegionRows, start: RegionRows = NOTHING
) -> Iterator[tuple[Region, ...]]:
    """Turn rows back into the regions of states; the tables before are so long."""
    lists = Ends(start.ints, start.floats, start.text)
    table = StateRows(rows.states, rows.ints, rows.floats, rows.text)
    found = []
    face = 0
    for mark, (numbers, _) in zip(
        rows.marks.tolist(), decode(table, lists), strict=True
    ):
        identity, end = mark[0], mark[1] - start.faces
        faces: NDArray[np.int32] = rows.faces[face:end]
        faces.setflags(write=False)
        found.append(Region(identity, numbers, faces))
        face = end
    at = 0
    for last in rows.ends.tolist():
        yield tuple(found[at : last - start.marks])
        at = last - start.marks
