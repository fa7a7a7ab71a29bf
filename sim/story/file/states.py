"""The exact numbers of pair states as rows of a table, and back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.kernels import trajectory
from sim.result.answer import KINDS, Hulls, Numbers, Region, Work
from sim.result.answers import REGIMES, PairAnswers
from sim.result.state import PairState, hull_of

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
RAGGED: dict[str, np.dtype[Any]] = {
    "ints": np.dtype("<i4"),
    "floats": np.dtype("<f8"),
    "text": np.dtype("u1"),
}
MARK = np.dtype([("identity", "<i8"), ("faces", "<i8")])
# Which columns say where lists end, and in which table; regions have lists, too.
LISTS: dict[str, dict[Any, str]] = {
    **{f"{k}states": {name: k + name for name in RAGGED} for k in ("", "region_")},
    "region_marks": {"faces": "region_faces"},
    "region_ends": {...: "region_marks"},
}
Counts = NDArray[np.integer]
Table = Mapping[str, NDArray[Any]]  # rows by table


def encode(
    answers: PairAnswers, reported: NDArray[np.bool_] | bool = True, prefix: str = ""
) -> dict[str, NDArray[Any]]:
    """Turn answers into rows.

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
        found[name] = np.cumsum(count, dtype=np.int64)
    lists = {"ints": ints, "floats": floats, "text": np.frombuffer(text, np.uint8)}
    return {prefix + k: rows for k, rows in {"states": found, **lists}.items()}


def encode_regions(states: Iterable[PairState]) -> dict[str, NDArray[Any]]:
    """Turn the regions of states into rows."""
    answers: list[PairState] = []
    regions: list[Region] = []
    ends = []
    for state in states:
        regions += state.regions
        ends.append(len(regions))
        known = state.regime, state.frame, state.a, state.b
        answers += (PairState(region.numbers, *known) for region in state.regions)
    marks = np.zeros(len(regions), MARK)
    marks["identity"] = [region.identity for region in regions]
    marks["faces"] = np.cumsum([len(region.faces) for region in regions])
    faces = [np.empty((0, 2), np.int32), *(region.faces for region in regions)]
    rows = PairAnswers.of(answers, np.zeros((len(answers), 2), np.int32))
    return {
        "region_ends": np.array(ends, np.int64),
        "region_marks": marks,
        "region_faces": np.concatenate(faces),
        **encode(rows, prefix="region_"),
    }


def _all_of(begin: Counts, count: Counts) -> NDArray[np.int64]:
    """List the places of runs that begin somewhere and are so long, one by one."""
    begin, count = begin.ravel().astype(np.int64), count.ravel()
    ends = np.cumsum(count, dtype=np.int64)
    places: NDArray[np.int64] = np.repeat(begin - ends + count, count)
    return places + np.arange(len(places))


def decode(
    table: Table, bodies: Sequence[Body], hulls: Callable[[int, int, int], Hulls]
) -> list[PairState]:
    """Turn rows back into states of these bodies.

    Parameters: ``hulls``: of the two bodies of a row, given its place and theirs.

    Raises ValueError if a row says what cannot be: whoever writes a file can seal
    anything, so what is used as an index is held against what it counts.
    """
    rows, answers = table["states"], _answers(table)
    regions: Sequence[tuple[Region, ...]] = [()] * len(rows)
    if len(table["region_ends"]):
        regions = _regions(table)
    found = []
    for k, (row, answer, on) in enumerate(zip(rows, answers, regions, strict=True)):
        a, b = row["pair"].tolist()
        if not 0 <= a < b < len(bodies):
            raise ValueError(f"it answers for bodies {a} and {b} of {len(bodies)}")
        pair, both = (bodies[a], bodies[b]), hulls(k, a, b)
        state = PairState(*answer, int(row["frame"]), *pair, regions=on, hulls=both)
        for faces, body in zip(both, pair, strict=True):
            n = body.mesh.n_vertices
            if faces is not None and ((faces < 0).any() or (faces >= n).any()):
                raise ValueError("a hull has corners that its body does not have")
        for numbers in (state.numbers, *(region.numbers for region in on)):
            _check_features(state, numbers)
        counts = state.mesh_a.n_faces, state.mesh_b.n_faces
        if any((r.faces < 0).any() or (r.faces >= counts).any() for r in on):
            raise ValueError("a region has faces that its bodies do not have")
        found.append(state)
    return found


def _answers(table: Table, prefix: str = "") -> Iterator[tuple[Numbers, str]]:
    """Turn rows back into numbers and regimes."""
    rows = table[f"{prefix}states"]
    cut = (_pieces(table[prefix + k].tolist(), rows[k]) for k in RAGGED)
    for row, ints, floats, text in zip(rows, *cut, strict=True):
        a = int(row["parts_a"])
        b = a + int(row["parts_b"])
        if not 0 < a < b <= len(ints) or 4 * len(floats) != 6 * (len(ints) - b):
            raise ValueError("an answer names no features, or corners without them")
        said = {k: row[k].tolist() for k in Numbers._fields if k in COLUMNS}
        said |= {k: tuple(said[k]) for k in ("normal", "point_a", "point_b")}
        said["unique"] = bool(said["unique"])
        said["proof"] = PROOFS[said["proof"]]
        said["work"] = Work(*said["work"])
        said |= {"parts_a": tuple(ints[:a]), "parts_b": tuple(ints[a:b])}
        said |= {"corners": tuple(floats), "labels": tuple(ints[b:])}
        numbers = Numbers(**said, reason=bytes(text).decode())
        yield numbers, REGIMES[int(row["regime"])]


def _regions(table: Table) -> list[tuple[Region, ...]]:
    """Turn rows back into the regions of states."""
    marks = table["region_marks"]
    table["region_faces"].setflags(write=False)
    faces = _pieces(table["region_faces"], marks["faces"])
    answers = (numbers for numbers, _ in _answers(table, "region_"))
    found = list(map(Region, marks["identity"].tolist(), answers, faces))
    return list(map(tuple, _pieces(found, table["region_ends"])))


def _pieces(rows: Any, ends: NDArray[np.int64]) -> list[Any]:
    """Cut rows into pieces, where each ends.

    Raises ValueError if the ends are not ascending up to that of the rows.
    """
    cuts = [0, *ends.tolist()]
    if cuts != sorted(cuts) or cuts[-1] != len(rows):
        raise ValueError(f"{len(rows)} rows of lists end elsewhere")
    return [rows[i:j] for i, j in pairwise(cuts)]


def _check_features(state: PairState, n: Numbers) -> None:
    """Refuse features that the bodies, or their hulls where lids are named, lack."""
    for side, (dimension, parts) in enumerate(
        ((n.dimension_a, n.parts_a), (n.dimension_b, n.parts_b))
    ):
        body, mesh = (state.a, state.b)[side], (state.mesh_a, state.mesh_b)[side]
        own = mesh.n_vertices, mesh.n_edges, mesh.n_faces
        labels = n.labels[2 * side :: 4], n.labels[2 * side + 1 :: 4]
        named = [*zip(*labels, strict=True), *((dimension, part) for part in parts)]
        for kind, k in named:
            if not 0 <= kind <= 2:
                raise ValueError(f"an answer names a feature of dimension {kind}")
            lids = None if k < own[kind] else hull_of(state, side)
            beyond = (0, 3, 1)[kind] * (0 if lids is None else len(lids))
            if not 0 <= k < own[kind] + beyond:
                raise ValueError(f"body '{body.name}' has no {KINDS[kind]} {k}")
