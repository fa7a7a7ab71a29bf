"""The exact numbers of pair states as rows of a table, and back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.result.answer import Numbers, Region, Vec, Work
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
    states: Sequence[tuple[tuple[int, int], bool, PairState]],
    start: Mapping[str, int] = START,
    prefix: str = "",
) -> Rows:
    """Turn states into rows, to be appended to tables that end at ``start``.

    Parameters: ``states`` sequence of (pair, reported, state): ``pair`` are the two
    bodies by their place in the order.
    """
    rows: list[tuple[object, ...]] = []
    ints: list[int] = []
    floats: list[float] = []
    text = bytearray()
    for pair, reported, state in states:
        n = state.numbers
        ints += (*n.parts_a, *n.parts_b, *n.labels)
        floats += n.corners
        text += n.reason.encode()
        row: dict[str, object] = n._asdict()
        row |= {
            "frame": state.frame,
            "pair": pair,
            "reported": reported,
            "regime": REGIMES.index(state.regime),
            "proof": PROOFS.index(n.proof),
            "parts_a": len(n.parts_a),
            "parts_b": len(n.parts_b),
            "ints": start[f"{prefix}ints"] + len(ints),
            "floats": start[f"{prefix}floats"] + len(floats),
            "text": start[f"{prefix}text"] + len(text),
        }
        rows.append(tuple(row[name] for name in COLUMNS))
    return {
        f"{prefix}states": np.array(rows, STATE),
        f"{prefix}ints": np.array(ints, np.int32),
        f"{prefix}floats": np.array(floats, np.float64),
        f"{prefix}text": np.frombuffer(bytes(text), np.uint8),
    }


def decode(
    table: Mapping[str, NDArray[Any]],
    start: Mapping[str, int] = START,
    prefix: str = "",
) -> list[tuple[Numbers, str]]:
    """Turn rows back into numbers and regimes; their lists begin at ``start``."""
    found = []
    every_int, every_float, text = (table[prefix + name] for name in RAGGED)
    at = [0, 0, 0]
    for row in table[f"{prefix}states"]:
        to = [int(row[name]) - start[prefix + name] for name in RAGGED]
        ints = tuple(every_int[at[0] : to[0]].tolist())
        a = int(row["parts_a"])
        b = a + int(row["parts_b"])
        if not (0 <= a <= b <= len(ints) and at[1] <= to[1]):
            raise ValueError("an answer has lists of no such length")
        numbers = Numbers(
            distance=float(row["distance"]),
            lower=float(row["lower"]),
            upper=float(row["upper"]),
            size=float(row["size"]),
            normal=_vec(row["normal"]),
            point_a=_vec(row["point_a"]),
            point_b=_vec(row["point_b"]),
            dimension_a=int(row["dimension_a"]),
            parts_a=ints[:a],
            dimension_b=int(row["dimension_b"]),
            parts_b=ints[a:b],
            corners=tuple(every_float[at[1] : to[1]].tolist()),
            labels=ints[b:],
            unique=bool(row["unique"]),
            proof=PROOFS[int(row["proof"])],
            reason=text[at[2] : to[2]].tobytes().decode(),
            work=Work(*row["work"].tolist()),
        )
        found.append((numbers, REGIMES[int(row["regime"])]))
        at = to
    return found


def _vec(row: NDArray[np.float64]) -> Vec:
    x, y, z = row.tolist()
    return x, y, z


def encode_regions(
    states: Iterable[PairState], start: Mapping[str, int] = START
) -> Rows:
    """Turn the regions of states into rows for tables that are so long."""
    marks: list[tuple[int, int]] = []
    faces = [np.empty((0, 2), np.int32)]
    answers: list[tuple[tuple[int, int], bool, PairState]] = []
    ends = []
    last = start["region_faces"]
    for state in states:
        for region in state.regions:
            last += len(region.faces)
            marks.append((region.identity, last))
            faces.append(region.faces)
            answer = PairState(
                region.numbers, state.regime, state.frame, state.a, state.b
            )
            answers.append(((0, 0), True, answer))
        ends.append(start["region_marks"] + len(marks))
    return {
        "region_ends": np.array(ends, np.int64),
        "region_marks": np.array(marks, MARK),
        "region_faces": np.concatenate(faces),
        **encode(answers, start, "region_"),
    }


def decode_regions(
    table: Mapping[str, NDArray[Any]], start: Mapping[str, int] = START
) -> Iterator[tuple[Region, ...]]:
    """Turn rows back into the regions of states; the tables before are so long."""
    found = []
    face = 0
    marks = table["region_marks"].tolist()
    for (identity, end), (numbers, _) in zip(
        marks, decode(table, start, "region_"), strict=True
    ):
        faces: NDArray[np.int32] = table["region_faces"][
            face : end - start["region_faces"]
        ]
        faces.setflags(write=False)
        found.append(Region(identity, numbers, faces))
        face = end - start["region_faces"]
    at = 0
    for last in table["region_ends"].tolist():
        yield tuple(found[at : last - start["region_marks"]])
        at = last - start["region_marks"]
