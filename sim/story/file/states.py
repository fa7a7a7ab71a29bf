"""The exact numbers of pair states as rows of a table, and back."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.kernels import trajectory
from sim.result.answer import KINDS, Hulls, Work, decoded
from sim.result.answers import REGIMES, PairAnswers
from sim.result.state import PairState, Region

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
# From "distance" to "point_b" a row is what the kernels call its numbers.
BLOCK: np.dtype[Any] = np.dtype(
    {
        "names": ["numbers"],
        "formats": [f"({trajectory.NUMBERS},)<f8"],
        "offsets": [np.dtype(STATE.descr[:6]).itemsize],
        "itemsize": STATE.itemsize,
    }
)
SAME = ("unique", "dimension_a", "dimension_b", "parts_a", "parts_b")
FACTS = {name: getattr(trajectory, name.upper()) for name in SAME}
FACTS["regime"] = trajectory.REGIME_NOW
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
Places = NDArray[np.int64]
Table = Mapping[str, NDArray[Any]]  # rows by table
LIDS = np.array([0, 3, 1])  # edges and faces that each triangle of a hull may add


def encode(
    answers: PairAnswers, reported: NDArray[np.bool_] | bool = True, prefix: str = ""
) -> dict[str, NDArray[Any]]:
    """Turn answers into rows.

    Parameters: ``reported`` (P,): which of the pairs a frame shows.
    """
    f = answers.filled().facts
    found = np.zeros(len(answers), STATE)
    found.view(BLOCK)["numbers"] = answers.numbers
    found["frame"], found["pair"] = answers.frame, answers.ends
    found["reported"] = reported
    for name, k in FACTS.items():
        found[name] = f[:, k]
    found["proof"] = (f[:, trajectory.PROOF] + 1) % len(PROOFS)  # theirs ends with none
    found["work"] = f[:, trajectory.WORK :]
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


def encode_regions(states: Sequence[PairState]) -> dict[str, NDArray[Any]]:
    """Turn the regions of states into rows."""
    told = [(state, region) for state in states for region in state.regions]
    marks = np.zeros(len(told), MARK)
    marks["identity"] = [region.identity for _, region in told]
    marks["faces"] = np.cumsum([len(region.faces) for _, region in told])
    faces = [np.empty((0, 2), np.int32), *(region.faces for _, region in told)]
    answers = [PairState.of(r.numbers, s.regime, s.frame, s.a, s.b) for s, r in told]
    rows = PairAnswers.of(answers, np.zeros((len(told), 2), np.int32))
    return {
        "region_ends": np.cumsum([len(s.regions) for s in states], dtype=np.int64),
        "region_marks": marks,
        "region_faces": np.concatenate(faces),
        **encode(rows, prefix="region_"),
    }


def _all_of(begin: NDArray[np.integer], count: NDArray[np.integer]) -> Places:
    """List the places of runs that begin somewhere and are so long, one by one."""
    begin, count = begin.ravel().astype(np.int64), count.ravel()
    ends = np.cumsum(count, dtype=np.int64)
    places: Places = np.repeat(begin - ends + count, count)
    return places + np.arange(len(places))


def decode(
    table: Table, bodies: Sequence[Body], hulls: Callable[[int, int, int], Hulls]
) -> PairAnswers:
    """Turn rows back into answers for these bodies.

    Parameters: ``hulls``: of the two bodies of a row, given its place and theirs.

    Raises ValueError if a row says what cannot be: whoever writes a file can seal
    anything, so what is used as an index is held against what it counts.
    """
    rows = table["states"]
    ends = rows["pair"].astype(np.int32)
    for a, b in ends.tolist():
        if not 0 <= a < b < len(bodies):
            raise ValueError(f"it answers for bodies {a} and {b} of {len(bodies)}")
    both = [hulls(k, a, b) for k, (a, b) in enumerate(ends.tolist())]
    lids = np.zeros((len(rows), 2), int)
    for k, faces in enumerate(both):
        for side, own in enumerate(faces):
            if own is not None:
                n, lids[k, side] = bodies[ends[k, side]].mesh.n_vertices, len(own)
                if (own < 0).any() or (own >= n).any():
                    raise ValueError("a hull has corners that its body does not have")
    found, reasons = _answers(table, bodies, ends, lids)
    regions: list[tuple[Region, ...]] = [()] * len(rows)
    if len(table["region_ends"]):
        regions = _regions(table, bodies, ends, lids)
    frames, regimes = rows["frame"].tolist(), found.regime.tolist()
    for k, reason in enumerate(reasons):
        if reason or regions[k] or frames[k] != found.frame or lids[k].any():
            numbers = decoded(found, k)._replace(reason=reason)
            a, b = (bodies[i] for i in ends[k])
            said: Any = regimes[k], frames[k], a, b, None, regions[k], both[k]
            found.kept[k] = PairState.of(numbers, *said)
    return found


def _answers(
    table: Table,
    bodies: Sequence[Body],
    ends: NDArray[np.int32],
    lids: NDArray[Any],
    prefix: str = "",
) -> tuple[PairAnswers, list[str]]:
    """Turn rows back into answers, and their reasons.

    Parameters: ``lids`` (R, 2): of how many triangles the hulls of A and B are.
    """
    rows, ints, floats, text = (table[prefix + k] for k in ("states", *RAGGED))
    end_of = {k: _checked(rows[k], table[prefix + k]) for k in RAGGED}
    sides = np.stack([rows["parts_a"], rows["parts_b"]], 1).astype(np.int64)
    parts = sides.sum(1)
    labels = np.diff(end_of["ints"]) - parts
    whole = (sides > 0).all() and (labels >= 0).all() and not (labels % 4).any()
    if not whole or (2 * np.diff(end_of["floats"]) != 3 * labels).any():
        raise ValueError("an answer names no features, or corners without them")
    if (rows["proof"] >= len(PROOFS)).any() or (rows["regime"] >= len(REGIMES)).any():
        raise ValueError("an answer has a proof or a regime that there is not")
    frame = int(rows["frame"].max(initial=-1))
    found = PairAnswers(frame, bodies, tuple(body.edition for body in bodies), ends)
    found.numbers = rows.view(BLOCK)["numbers"].copy()
    for name, k in FACTS.items():
        found.facts[:, k] = rows[name]
    found.facts[:, trajectory.PROOF] = (rows["proof"].astype(int) - 1) % len(PROOFS)
    found.facts[:, trajectory.WORK :] = rows["work"]
    found.facts[:, trajectory.PARTS_AT] = np.cumsum(parts) - parts
    found.facts[:, trajectory.CORNERS] = labels // 4
    found.facts[:, trajectory.CORNERS_AT] = (np.cumsum(labels) - labels) // 4
    begin = end_of["ints"][:-1]
    found.parts, found.corners = ints[_all_of(begin, parts)], floats.copy()
    found.labels = ints[_all_of(begin + parts, labels)]
    found.parts_used, found.corners_used = len(found.parts), len(found.labels) // 4
    # every feature that is named: on which side of which row, its kind, its number
    kinds = np.stack([rows["dimension_a"], rows["dimension_b"]], 1).astype(np.int32)
    side = np.arange(2 * len(rows)).reshape(-1, 2)
    own = np.repeat(np.stack([side, kinds], 2).reshape(-1, 2), sides.ravel(), 0)
    corners = found.labels.reshape(-1, 2)
    whose = np.repeat(side, labels // 4, 0).reshape(-1, 1)
    named = np.concatenate([np.c_[own, found.parts], np.c_[whose, corners]])
    _check_features(named, bodies, ends.ravel(), lids.ravel())
    words = text.tobytes()
    return found, [words[i:j].decode() for i, j in pairwise(end_of["text"].tolist())]


def _check_features(
    named: Places, bodies: Sequence[Body], whose: NDArray[np.int32], lids: NDArray[Any]
) -> None:
    """Refuse features that the bodies, or their hulls where lids are named, lack."""
    side, kind, number = named.T
    for wrong in kind[(kind < 0) | (kind >= len(KINDS))]:
        raise ValueError(f"an answer names a feature of dimension {wrong}")
    meshes = [body.mesh for body in bodies]
    own = np.array([(m.n_vertices, m.n_edges, m.n_faces) for m in meshes], int)
    room = own.reshape(-1, 3)[whose[side], kind] + LIDS[kind] * lids[side]
    for k in np.flatnonzero((number < 0) | (number >= room)):
        body = bodies[whose[side[k]]]
        raise ValueError(f"body '{body.name}' has no {KINDS[kind[k]]} {number[k]}")


def _regions(
    table: Table, bodies: Sequence[Body], ends: NDArray[np.int32], lids: NDArray[Any]
) -> list[tuple[Region, ...]]:
    """Turn rows back into the regions of states."""
    marks, faces = table["region_marks"], table["region_faces"]
    cuts = _checked(table["region_ends"], marks)
    if len(cuts) != len(ends) + 1 or len(marks) != len(table["region_states"]):
        raise ValueError("its regions are of other answers")
    row = np.repeat(np.arange(len(ends)), np.diff(cuts))
    numbers, reasons = _answers(table, bodies, ends[row], lids[row], "region_")
    at = _checked(marks["faces"], faces)
    sizes = np.array([body.mesh.n_faces for body in bodies])[ends[row]]
    if (faces < 0).any() or (faces >= np.repeat(sizes, np.diff(at), 0)).any():
        raise ValueError("a region has faces that its bodies do not have")
    faces.setflags(write=False)
    found = [
        Region(identity, decoded(numbers, k)._replace(reason=reasons[k]), faces[i:j])
        for k, (identity, (i, j)) in enumerate(
            zip(marks["identity"].tolist(), pairwise(at.tolist()), strict=True)
        )
    ]
    return [tuple(found[i:j]) for i, j in pairwise(cuts.tolist())]


def _checked(ends: NDArray[np.int64], rows: NDArray[Any]) -> Places:
    """Return where lists begin in rows, and where the last one ends.

    Raises ValueError if the ends are not ascending up to that of the rows.
    """
    cuts: Places = np.concatenate([[0], ends]).astype(np.int64)
    if (np.diff(cuts) < 0).any() or cuts[-1] != len(rows):
        raise ValueError(f"{len(rows)} rows of lists end elsewhere")
    return cuts
