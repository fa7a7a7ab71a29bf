"""The exact numbers of pair states as rows of a table, and back."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.kernels import trajectory
from sim.result.answer import Numbers, Region, Work
from sim.result.answers import PairAnswers
from sim.result.state import PairState

REGIMES = ("separated", "contact", "penetrating")
PROOFS = ("none", "ring", "scan", "search", "epa")

# Lists of varying length lie one after the other in tables of their own, ``ints``,
# ``floats`` and ``text``; the row says where they end there, and how many they are.
STATE = np.dtype(
    [
        ("frame", "<i8"),
        ("pair", "<i4", (2,)),
        ("reported", "u1"),
        ("regime", "u1"),
        ("proof", "u1"),
        ("unique", "u1"),
        ("distance", "<f8"),
        ("lower", "<f8"),
        ("upper", "<f8"),
        ("size", "<f8"),
        ("normal", "<f8", (3,)),
        ("point_a", "<f8", (3,)),
        ("point_b", "<f8", (3,)),
        ("dimension_a", "u1"),
        ("dimension_b", "u1"),
        ("work", "<i8", (len(Work._fields),)),
        ("parts_a", "<i4"),
        ("parts_b", "<i4"),
        ("ints", "<i8"),  # parts_a, parts_b, labels
        ("floats", "<i8"),  # corners
        ("text", "<i8"),  # reason, UTF-8
    ]
)
COLUMNS = STATE.names or ()
NUMBERS = {name: getattr(trajectory, name.upper()) for name in COLUMNS[6:13]}
FACTS = {
    "regime": trajectory.REGIME_NOW,
    "unique": trajectory.UNIQUE,
    "dimension_a": trajectory.DIMENSION_A,
    "dimension_b": trajectory.DIMENSION_B,
    "parts_a": trajectory.PARTS_A,
    "parts_b": trajectory.PARTS_B,
}
Counts = NDArray[np.integer]
RAGGED = {"ints": "<i4", "floats": "<f8", "text": "u1"}


MARK = np.dtype([("identity", "<i8"), ("faces", "<i8")])
# A region is written as a state is, with lists of its own, and two rows beside it.
TABLES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "region_ends": ("<i8", ()),  # per state: where its regions end
    "region_marks": (MARK, ()),  # per region: which it is, and where its faces end
    "region_faces": ("<i4", (2,)),  # pairs of faces, A's first
    "region_states": (STATE, ()),
} | {f"region_{name}": (kind, ()) for name, kind in RAGGED.items()}
START = dict.fromkeys((*RAGGED, *TABLES), 0)  # tables that are empty
Rows = dict[str, NDArray[Any]]  # by table


def encode(
    answers: PairAnswers,
    reported: NDArray[np.bool_],
    start: Mapping[str, int] = START,
    prefix: str = "",
) -> Rows:
    """Turn answers into rows, to be appended to tables that end at ``start``.

    Parameters: ``reported`` (P,): which of the pairs a frame shows.
    """
    n, f = answers.filled().numbers, answers.facts
    found = np.zeros(len(answers), STATE)
    found["frame"], found["pair"] = answers.frame, answers.ends
    found["reported"] = reported
    for name, k in NUMBERS.items():
        width = found[name].shape[1:]
        found[name] = n[:, k : k + 3] if width else n[:, k]
    for name, k in FACTS.items():
        found[name] = f[:, k]
    found["proof"] = (f[:, trajectory.PROOF] + 1) % len(PROOFS)  # theirs ends with none
    found["work"] = f[:, trajectory.WORK : trajectory.WORK + len(Work._fields)]
    corners_at, corners = f[:, trajectory.CORNERS_AT], f[:, trajectory.CORNERS]
    parts = f[:, trajectory.PARTS_A] + f[:, trajectory.PARTS_B]
    begin = [f[:, trajectory.PARTS_AT], len(answers.parts) + 4 * corners_at]
    ids = np.concatenate([answers.parts, answers.labels])
    ints = ids[_all_of(np.stack(begin, 1), np.stack([parts, 4 * corners], 1))]
    floats = answers.corners[_all_of(6 * corners_at, 6 * corners)]
    text, texts = b"", np.zeros(len(answers), np.int64)
    for k, state in sorted(answers.kept.items()):
        said = state.numbers.reason.encode()
        found["frame"][k], texts[k] = state.frame, len(said)
        text += said
    counts = {"ints": parts + 4 * corners, "floats": 6 * corners, "text": texts}
    for name, count in counts.items():
        found[name] = start[prefix + name] + np.cumsum(count, dtype=np.int64)
    lists = {"ints": ints, "floats": floats, "text": np.frombuffer(text, np.uint8)}
    return {f"{prefix}states": found} | {prefix + k: v for k, v in lists.items()}


def _all_of(begin: Counts, count: Counts) -> NDArray[np.int64]:
    """List the places of runs that begin somewhere and are so long, one by one."""
    begin, count = begin.ravel().astype(np.int64), count.ravel()
    ends = np.cumsum(count, dtype=np.int64)
    places: NDArray[np.int64] = np.repeat(begin - ends + count, count)
    return places + np.arange(len(places))


def decode(
    table: Mapping[str, NDArray[Any]],
    start: Mapping[str, int] = START,
    prefix: str = "",
) -> list[tuple[Numbers, str]]:
    """Turn rows back into numbers and regimes; their lists begin at ``start``."""
    rows = table[f"{prefix}states"]
    cut = (
        pieces(table[k].tolist(), rows[name] - start[k])
        for name, k in ((name, prefix + name) for name in RAGGED)
    )
    found = []
    for row, ints, floats, text in zip(rows, *cut, strict=True):
        a = int(row["parts_a"])
        b = a + int(row["parts_b"])
        if not 0 <= a <= b <= len(ints):
            raise ValueError("an answer has lists of no such length")
        said = {k: row[k].tolist() for k in Numbers._fields if k in COLUMNS}
        said |= {k: tuple(said[k]) for k in ("normal", "point_a", "point_b")}
        said["unique"] = bool(said["unique"])
        said["proof"] = PROOFS[said["proof"]]
        said["work"] = Work(*said["work"])
        said |= {"parts_a": tuple(ints[:a]), "parts_b": tuple(ints[a:b])}
        said |= {"corners": tuple(floats), "labels": tuple(ints[b:])}
        numbers = Numbers(**said, reason=bytes(text).decode())
        found.append((numbers, REGIMES[int(row["regime"])]))
    return found


def pieces(rows: Any, ends: NDArray[np.int64]) -> list[Any]:
    """Cut rows into pieces, where each ends.

    Raises ValueError if the ends are not ascending up to that of the rows.
    """
    cuts = [0, *ends.tolist()]
    if cuts != sorted(cuts) or cuts[-1] != len(rows):
        raise ValueError(f"{len(rows)} rows of lists end elsewhere")
    return [rows[i:j] for i, j in pairwise(cuts)]


def encode_regions(
    states: Iterable[PairState], start: Mapping[str, int] = START
) -> Rows:
    """Turn the regions of states into rows for tables that are so long."""
    answers: list[PairState] = []
    regions: list[Region] = []
    ends = []
    for state in states:
        regions += state.regions
        ends.append(start["region_marks"] + len(regions))
        known = state.regime, state.frame, state.a, state.b
        answers += (PairState(region.numbers, *known) for region in state.regions)
    rows = PairAnswers.of(answers, np.zeros((len(answers), 2), np.int32))
    marks = np.zeros(len(regions), MARK)
    marks["identity"] = [region.identity for region in regions]
    lengths = [len(region.faces) for region in regions]
    marks["faces"] = start["region_faces"] + np.cumsum(lengths, dtype=np.int64)
    faces = [np.empty((0, 2), np.int32), *(region.faces for region in regions)]
    return {
        "region_ends": np.array(ends, np.int64),
        "region_marks": marks,
        "region_faces": np.concatenate(faces),
        **encode(rows, np.ones(len(rows), bool), start, "region_"),
    }


def decode_regions(
    table: Mapping[str, NDArray[Any]], start: Mapping[str, int] = START
) -> Iterator[tuple[Region, ...]]:
    """Turn rows back into the regions of states; the tables before are so long."""
    marks = table["region_marks"]
    table["region_faces"].setflags(write=False)
    faces = pieces(table["region_faces"], marks["faces"] - start["region_faces"])
    answers = (numbers for numbers, _ in decode(table, start, "region_"))
    found = list(map(Region, marks["identity"].tolist(), answers, faces))
    return map(tuple, pieces(found, table["region_ends"] - start["region_marks"]))
