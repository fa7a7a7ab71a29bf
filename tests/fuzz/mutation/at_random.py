"""Faults at random places: operators and small numbers exchanged, one at a time."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path

from mutation.faults import FAULTS, Fault

SWAPPED: dict[type, str] = {
    ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=",
    ast.NotEq: "==", ast.Add: "-", ast.Sub: "+", ast.And: "or", ast.Or: "and",
}  # fmt: skip
WRITTEN: dict[type, str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
    ast.NotEq: "!=", ast.Add: "+", ast.Sub: "-", ast.And: "and", ast.Or: "or",
}  # fmt: skip


def random_faults(
    root: Path, count: int, seed: int, files: list[str] | None = None
) -> list[Fault]:
    """Draw faults from all places of files, or of those that the list of faults names.

    Every kind of exchange is as likely as any other, wherever it stands.
    """
    if files is None:
        files = sorted({fault.file for fault in FAULTS})
    places = [place for file in files for place in _places(root, file)]
    kinds = sorted({fault.kind for fault in places})
    chance = random.Random(seed)
    found: dict[str, Fault] = {}
    while len(found) < min(count, len(places)):
        kind = chance.choice(kinds)
        fault = chance.choice([place for place in places if place.kind == kind])
        found[fault.name] = fault
    return list(found.values())


def _places(root: Path, file: str) -> Iterator[Fault]:
    text = (root / file).read_text()
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(text)):
        for left, right, kind in _operators(node):
            a = starts[left.end_lineno - 1] + left.end_col_offset
            b = starts[right.lineno - 1] + right.col_offset
            between = text.encode()[a:b].decode()
            old, new = WRITTEN[kind], SWAPPED[kind]
            if between.strip(" ()\n") == old:
                yield _edit(
                    file, text, a, b, between.replace(old, new), f"{old} -> {new}"
                )
        if (
            isinstance(node, ast.Constant)
            and type(node.value) is int
            and node.value < 5
        ):
            a = starts[node.lineno - 1] + node.col_offset
            b = starts[node.end_lineno - 1] + node.end_col_offset
            yield _edit(file, text, a, b, str(node.value + 1), "n -> n + 1")


def _operators(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, type]]:
    if isinstance(node, ast.BinOp):
        pairs = [(node.left, node.right, type(node.op))]
    elif isinstance(node, ast.Compare):
        values = [node.left, *node.comparators]
        pairs = [(values[k], values[k + 1], type(op)) for k, op in enumerate(node.ops)]
    elif isinstance(node, ast.BoolOp):
        pairs = [
            (a, b, type(node.op))
            for a, b in zip(node.values, node.values[1:], strict=False)
        ]
    else:
        pairs = []
    yield from (pair for pair in pairs if pair[2] in SWAPPED)


def _edit(file: str, text: str, a: int, b: int, new: str, kind: str) -> Fault:
    """Write an exchange as the edit of a whole file: the place is then unique."""
    data = text.encode()
    line = data.count(b"\n", 0, a) + 1
    after = (data[:a] + new.encode() + data[b:]).decode()
    return Fault(f"{Path(file).stem}:{line}:{a}", kind, file, text, after)
