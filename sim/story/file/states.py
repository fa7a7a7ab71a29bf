"""The exact numbers of pair states as rows of tables, and back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.kernels import trajectory as row
from sim.result.answer import KINDS, PROOFS, Numbers, decoded
from sim.result.answers import REGIMES, PairAnswers
from sim.result.state import PairState, Region
from wingedge.tables import ranges, starts

# What kernels write, with what else a state says.  Lists of varying length lie one
# after the other in tables of their own; rows say how many there are of each.
STATE = np.dtype(
    [
        ("frame", "<i4"),
        ("pair", "<i4", (2,)),
        ("reported", "<i4"),
        ("reason", "<i4"),  # bytes of it
        ("regions", "<i4"),
        ("facts", "<i4", (row.FACTS,)),  # but for where lists are
        ("numbers", "<f8", (row.NUMBERS,)),
    ]
)
REGION = np.dtype([("identity", "<i8"), ("faces", "<i8")])  # and how many of these
LISTS: dict[str, np.dtype[Any]] = {
    "parts": np.dtype("<i4"),
    "corners": np.dtype("(6,)<f8"),
    "labels": np.dtype("(4,)<i4"),
    "text": np.dtype("u1"),  # reasons, UTF-8
}
STATES = {"states": STATE, **LISTS}
REGIONS = {
    "regions": REGION,
    "region_faces": np.dtype("(2,)<i4"),  # pairs of faces, A's first
    **{f"region_{name}": kind for name, kind in STATES.items()},  # as a state's are
}
Places = NDArray[np.int64]
Faces = NDArray[Any] | None
Tables = Mapping[str, NDArray[Any]]
LIDS = np.array([0, 3, 1])  # edges and faces that each triangle of a hull may add


def encode(
    answers: PairAnswers, reported: NDArray[np.bool_] | bool = True, prefix: str = ""
) -> dict[str, NDArray[Any]]:
    """Turn answers into rows.

    Parameters: ``reported`` (P,): which of the pairs a frame shows.
    """
    f = answers.facts
    found = np.zeros(len(answers), STATE)
    found["frame"], found["pair"] = answers.frame, answers.ends
    found["facts"], found["numbers"], found["reported"] = f, answers.numbers, reported
    text = b""
    for k, state in sorted(answers.kept.items()):
        said = state.numbers.reason.encode()
        found["frame"][k], found["reason"][k] = state.frame, len(said)
        found["regions"][k] = len(state.regions)
        text += said
    parts = ranges(f[:, row.PARTS_AT], f[:, row.PARTS_A] + f[:, row.PARTS_B])
    corners = ranges(f[:, row.CORNERS_AT], f[:, row.CORNERS])
    lists = {
        "states": found,
        "parts": answers.parts[parts],
        "corners": answers.corners.reshape(-1, 6)[corners],
        "labels": answers.labels.reshape(-1, 4)[corners],
        "text": np.frombuffer(text, np.uint8),
    }
    return {prefix + name: rows for name, rows in lists.items()}


def encode_regions(states: Sequence[PairState]) -> dict[str, NDArray[Any]]:
    """Turn the regions of states into rows."""
    told = [(state, region) for state in states for region in state.regions]
    faces = [np.empty((0, 2), np.int32), *(region.faces for _, region in told)]
    answers = [PairState.of(r.numbers, s.regime, s.frame, s.a, s.b) for s, r in told]
    rows = PairAnswers.of(answers, np.zeros((len(told), 2), np.int32))
    return {
        "regions": np.array([(r.identity, len(r.faces)) for _, r in told], REGION),
        "region_faces": np.concatenate(faces),
        **encode(rows, prefix="region_"),
    }


def joined(frames: Sequence[Tables]) -> dict[str, NDArray[Any]]:
    """Put the answers of frames one after the other, table by table."""
    names = (*STATES, *REGIONS)
    return {name: np.concatenate([rows[name] for rows in frames]) for name in names}


def decode(
    frames: Sequence[Tables], bodies: Sequence[Body], hulls: Sequence[Sequence[Faces]]
) -> PairAnswers:
    """Turn the rows of frames back into answers for these bodies.

    The bodies of the m-th frame, from 0, are numbered from m times their count on.

    Parameters: ``hulls``: by frame, of every body the triangles of what stands for it.

    Raises ValueError if a row says what cannot be: whoever writes a file can seal
    anything, so what is used as an index is held against what it counts.
    """
    table, n = joined(frames), len(bodies)
    rows, every = table["states"], [*bodies] * len(frames)
    ends = rows["pair"].astype(np.int32)
    wrong = (ends[:, 0] < 0) | (ends[:, 0] >= ends[:, 1]) | (ends[:, 1] >= n)
    for a, b in ends[wrong].tolist():
        raise ValueError(f"it answers for bodies {a} and {b} of {n}")
    slots = np.repeat(np.arange(len(frames)), [len(own["states"]) for own in frames])
    ends += n * slots[:, None].astype(np.int32)
    stand = [*chain.from_iterable(hulls)]
    for body, faces in zip(every, stand, strict=True):
        most = body.mesh.n_vertices
        if faces is not None and ((faces < 0) | (faces >= most)).any():
            raise ValueError("a hull has corners that its body does not have")
    lids = np.array([0 if faces is None else len(faces) for faces in stand], int)[ends]
    found, numbers_of = _answers(table, every, ends, lids)
    regions: list[tuple[Region, ...]] = [()] * len(rows)
    if len(table["regions"]) or rows["regions"].any():
        regions = _regions(table, every, ends, lids)
    last = np.array([own["states"]["frame"].max(initial=-1) for own in frames])
    says_more = (rows["reason"] > 0) | (rows["regions"] > 0) | lids.any(axis=1)
    regimes = found.regime
    for k in np.flatnonzero(says_more | (rows["frame"] != last[slots])).tolist():
        a, b = ends[k]
        said: Any = None, regions[k], (stand[a], stand[b])
        where = str(regimes[k]), int(rows["frame"][k]), every[a], every[b]
        found.kept[k] = PairState.of(numbers_of(k), *where, *said)
    return found


def _answers(
    table: Tables,
    bodies: Sequence[Body],
    ends: NDArray[np.int32],
    lids: NDArray[Any],
    prefix: str = "",
) -> tuple[PairAnswers, Callable[[int], Numbers]]:
    """Turn rows back into answers, and what each of them says with its reason.

    Parameters: ``lids`` (R, 2): of how many triangles the hulls of A and B are.
    """
    rows, parts, corners, labels, text = (table[prefix + name] for name in STATES)
    frame = int(rows["frame"].max(initial=-1))
    found = PairAnswers(frame, bodies, tuple(body.edition for body in bodies), ends)
    found.numbers, found.facts = rows["numbers"].copy(), rows["facts"].copy()
    f = found.facts
    sides, patches = f[:, [row.PARTS_A, row.PARTS_B]], f[:, row.CORNERS]
    f[:, row.PARTS_AT] = _begins(sides.sum(1), parts)[:-1]
    f[:, row.CORNERS_AT] = _begins(patches, corners)[:-1]
    if (sides < 1).any() or len(labels) != len(corners):
        raise ValueError("an answer names no features, or corners without them")
    for k, names in ((row.PROOF, PROOFS), (row.REGIME_NOW, REGIMES)):
        if ((f[:, k] < 0) | (f[:, k] >= len(names))).any():
            raise ValueError("an answer has a proof or a regime that there is not")
    found.parts = parts.copy()
    found.corners, found.labels = corners.flatten(), labels.flatten()
    found.parts_used, found.corners_used = len(parts), len(corners)
    # every feature that is named: on which side of which row, its kind, its number
    side = np.arange(2 * len(rows)).reshape(-1, 2)
    kinds = f[:, [row.DIMENSION_A, row.DIMENSION_B]]
    own = np.repeat(np.stack([side, kinds], 2).reshape(-1, 2), sides.ravel(), 0)
    whose = np.repeat(side, patches, 0).reshape(-1, 1)
    named = np.concatenate([np.c_[own, parts], np.c_[whose, labels.reshape(-1, 2)]])
    _check_features(named, bodies, ends.ravel(), lids.ravel())
    cuts = _begins(rows["reason"], text)

    def numbers_of(k: int) -> Numbers:
        reason = text[cuts[k] : cuts[k + 1]].tobytes().decode()
        return decoded(found, k)._replace(reason=reason)

    return found, numbers_of


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
    table: Tables, bodies: Sequence[Body], ends: NDArray[np.int32], lids: NDArray[Any]
) -> list[tuple[Region, ...]]:
    """Turn rows back into the regions of states."""
    told, faces = table["regions"], table["region_faces"]
    counts = table["states"]["regions"]
    cuts, at = _begins(counts, told), _begins(told["faces"], faces)
    whose = np.repeat(np.arange(len(ends)), counts)
    if len(whose) != len(table["region_states"]):
        raise ValueError("its regions are of other answers")
    _, numbers_of = _answers(table, bodies, ends[whose], lids[whose], "region_")
    sizes = np.array([body.mesh.n_faces for body in bodies])[ends[whose]]
    if (faces < 0).any() or (faces >= np.repeat(sizes, told["faces"], 0)).any():
        raise ValueError("a region has faces that its bodies do not have")
    faces.setflags(write=False)
    rows = zip(told["identity"].tolist(), pairwise(at.tolist()), strict=True)
    found = [Region(x, numbers_of(k), faces[i:j]) for k, (x, (i, j)) in enumerate(rows)]
    return [tuple(found[i:j]) for i, j in pairwise(cuts.tolist())]


def _begins(counts: NDArray[Any], rows: NDArray[Any]) -> Places:
    """Return where lists begin in rows, and where the last one ends.

    Raises ValueError if they are not all of the rows.
    """
    cuts = starts(counts.astype(np.int64))
    if (counts < 0).any() or cuts[-1] != len(rows):
        raise ValueError(f"{len(rows)} rows of lists end elsewhere")
    return cuts


def bits_of(frames: Sequence[Tables], *, regions: bool) -> Iterator[bytes]:
    """Go through all that states say but for what it cost, in the order of digests."""
    tables = joined(frames)
    yield from _bits(tables, "")
    if regions:
        ends, told = tables["states"]["regions"].cumsum(dtype="<i8"), tables["regions"]
        faces = told["faces"].cumsum(dtype="<i8")
        yield ends.tobytes() + np.stack([told["identity"], faces], 1).tobytes()
        yield tables["region_faces"].tobytes()
        yield from _bits(tables, "region_")


def _bits(tables: Tables, prefix: str) -> Iterator[bytes]:
    """Go through the columns of states, then their lists, row by row."""
    rows, parts, corners, labels, text = (tables[prefix + name] for name in STATES)
    f, proofs = rows["facts"], len(PROOFS)
    named, patch = f[:, row.PARTS_A] + f[:, row.PARTS_B], f[:, row.CORNERS]
    yield rows["frame"].astype("<i8").tobytes() + rows["pair"].tobytes()
    facts = rows["reported"], f[:, row.REGIME_NOW], (f[:, row.PROOF] + 1) % proofs
    for column in (*facts, f[:, row.UNIQUE]):
        yield column.astype("u1").tobytes()
    vectors = row.NORMAL, row.POINT_A, row.POINT_B, row.NUMBERS
    for i, j in pairwise((row.DISTANCE, row.LOWER, row.UPPER, row.SIZE, *vectors)):
        yield rows["numbers"][:, i:j].tobytes()
    for k in (row.DIMENSION_A, row.DIMENSION_B):
        yield f[:, k].astype("u1").tobytes()
    yield f[:, row.PARTS_A].tobytes() + f[:, row.PARTS_B].tobytes()
    for counts in (named + 4 * patch, 6 * patch, rows["reason"]):
        yield counts.cumsum(dtype="<i8").tobytes()
    whose = [np.arange(len(rows)).repeat(counts) for counts in (named, 4 * patch)]
    ids = np.concatenate([parts, labels.ravel()])
    yield ids[np.concatenate(whose).argsort(kind="stable")].tobytes()
    yield corners.tobytes() + text.tobytes()
