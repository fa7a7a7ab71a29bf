"""Put faults into every room, and write down which tests notice each.

``python -m tests.mutate --rooms`` draws 400 faults (``--count``) from ``--seed``, in
each room in proportion to its lines: another operator, constant or comparison, a call
left out, two arguments exchanged, an early return not taken.  All tests run once under
coverage; then ``--jobs`` copies of the tree take one fault after the other, kernels
linked anew.  The tests that pass its line are asked: those of its room; while none has
noticed it, golden stories, and others; each time as many as take ``--limit`` seconds.
A line a fault goes to ``--table``: where, what, which tests noticed it (at most eight
in its room, one elsewhere); below, what one test of its room alone noticed, and each
room's count.  What stands there is not tried again, and words after ``nobody:`` that
say why a fault changes nothing are kept.
"""

import argparse
import ast
import random
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.asking import LINK, Base, Tree
from tests.house import PRODUCT, ROOT, lines_of

OPERATORS = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*",
    ast.Mod: "*", ast.Pow: "*", ast.MatMult: "*", ast.LShift: ">>", ast.Lt: "<=",
    ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
TABLE = Path(__file__).with_name("mutants.txt")
LINKED = ("sim/kernels", "sim/engine")
ENOUGH = 8  # failures in the room of a fault


class Fault(NamedTuple):
    """A place in a file, and what stands there instead."""

    room: str
    path: str
    line: int
    what: str  # before -> after
    start: int  # in bytes
    end: int
    text: str

    @property
    def key(self) -> str:
        return f"{self.room} | {self.path}:{self.line} {self.what}"


def wrong(node: ast.AST) -> str | None:
    """Say what could stand there instead, if anything."""
    match node:
        case ast.Constant(value=bool(value)):
            return str(not value)
        case ast.Constant(value=int(value)):
            return str(value + 1)
        case ast.Constant(value=float(value)):
            return repr(2.0 * value if value else 1.0)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=value):
            return f"({ast.unparse(value)})"
        case (
            ast.BinOp(left=one, op=op, right=other)
            | ast.Compare(left=one, ops=[op], comparators=[other])
        ) if type(op) in OPERATORS:
            return (
                f"(({ast.unparse(one)}) {OPERATORS[type(op)]} ({ast.unparse(other)}))"
            )
        case ast.BoolOp(op=op, values=values):
            word = " or " if isinstance(op, ast.And) else " and "
            return f"({word.join(f'({ast.unparse(value)})' for value in values)})"
        case ast.Call(func=name, args=[one, other, *more], keywords=named):
            if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred):
                return ast.unparse(ast.Call(name, [other, one, *more], named))
        case ast.Expr(value=ast.Call()):
            return "pass"
        case ast.If(body=[*_, ast.Return() | ast.Continue() | ast.Break()]):
            return "(False)"  # for its condition
    return None


def places(room: str, path: str, source: str) -> Iterator[Fault]:
    """Find where one file could be wrong, but for docstrings and words of errors."""
    code, starts = source.encode(), [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def within(node: ast.AST) -> Iterator[Fault]:
        said = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call)
        if said or isinstance(node, ast.Raise | ast.JoinedStr):
            return
        if (text := wrong(node)) is not None:
            at = node.test if isinstance(node, ast.If) else node
            start = starts[at.lineno - 1] + at.col_offset
            end = starts[at.end_lineno - 1] + at.end_col_offset
            before, after = (
                " ".join(x.split()) for x in (code[start:end].decode(), text)
            )
            if before != after:
                what = f"{before[:40]} -> {after[:40]}".replace("|", "/")
                yield Fault(room, path, at.lineno, what, start, end, text)
        for inner in ast.iter_child_nodes(node):
            yield from within(inner)

    return within(ast.parse(source))


def drawn(count: int, seed: int) -> list[Fault]:
    """Draw faults, in each room in proportion to its lines."""
    chance = random.Random(seed)
    allowed = tomllib.loads((ROOT / "tests/house.toml").read_text("utf-8"))["rooms"]
    inside = [room for room in allowed if room.split("/")[0] in PRODUCT]
    lines = {room: n for room, n in lines_of(inside, ROOT).items() if n}
    found: dict[str, list[Fault]] = {room: [] for room in lines}
    for path in sorted(p for top in PRODUCT for p in (ROOT / top).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        room = max((r for r in lines if name.startswith(f"{r}/")), key=len)
        found[room] += places(room, name, path.read_text("utf-8"))
    share = count / sum(lines.values())
    return [
        fault
        for room, own in lines.items()
        for fault in chance.sample(found[room], max(1, round(share * own)))
    ]


def folders_of(fault: Fault) -> tuple[str, ...]:
    """Return how the names of the tests begin that are asked first."""
    inner = Path("tests", fault.room if "/" in fault.room else Path(fault.path).parent)
    if len(inner.parts) == 2:  # the files of the folder only
        return (f"{inner}/test_",)
    return (f"{inner}/", f"{inner.parent}/test_{inner.name}.py")


def noticed(tree: Tree, base: Base, fault: Fault, limit: float) -> str:
    """Put a fault in, ask, and take it out; name who noticed it."""
    path = tree.root / fault.path
    source = path.read_bytes()
    changed = source[: fault.start] + fault.text.encode() + source[fault.end :]
    path.write_bytes(changed)
    count = 0
    try:
        if fault.room in LINKED and tree.run(*LINK):
            return "(the linker)"
        groups = base.groups((fault.path, fault.line), folders_of(fault), limit)
        for k, tests in enumerate(groups):
            count += len(tests)
            most = f"--maxfail={1 if k else ENOUGH}"
            found = tree.ask(tests, base.passed, most)
            if len(found) < 3:  # not by chance
                again = [test for test in found if test in base.passed]
                found = tree.ask(again, base.passed) if again else found
            if found:
                names = (t.split("[")[0].removeprefix("tests/") for t in found)
                return ", ".join(dict.fromkeys(names))
    finally:
        path.write_bytes(source)
    return f"nobody of {count}"


def summary(rows: list[tuple[str, str]]) -> Iterator[str]:
    """Say which test of a room alone notices a fault, and what each room noticed."""
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for key, told in rows:
        room, word = key.split(" | ")[0], told.split(" ")[0]
        rooms[room][word if word.startswith("nobody") else "noticed"] += 1
        if "," not in told and "::" in told and told.startswith(room):
            yield f"# only {told}: {key}"
    for room, n in sorted(rooms.items()):
        same, left = n["nobody:"], n["nobody"]
        yield f"# {room}: {n['noticed']} noticed, {same} change nothing, {left} open"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", action="store_true", help="into every room")
    for name, default in (("count", 400), ("seed", 0), ("limit", 60), ("jobs", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--folder", type=Path, help="where the copies are kept")
    asked = parser.parse_args()
    lines = asked.table.read_text("utf-8").splitlines() if asked.table.exists() else []
    git = ["git", "-C", str(ROOT), "log", "-1", "--format=# measured on %h"]
    head = lines[:1] or [subprocess.check_output(git, text=True).strip()]
    rows = [x.rpartition(" | ")[::2] for x in lines if not x.startswith("#")]
    left = [x for x in drawn(asked.count, asked.seed) if x.key not in dict(rows)]
    random.Random(asked.seed).shuffle(left)
    trees: SimpleQueue[Tree] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        home = (asked.folder or Path(folder)).resolve()
        base = Base.of(Tree(home / "base"), asked.jobs)
        for k in range(asked.jobs):
            trees.put(Tree(home / f"tree{k}"))

        def tried(fault: Fault) -> tuple[str, str]:
            tree = trees.get()
            try:
                return fault.key, noticed(tree, base, fault, asked.limit)
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(asked.jobs) as pool:
            for row in pool.map(tried, left):
                rows.append(row)
                print(*row, sep=" | ", flush=True)
                text = [*head, *map(" | ".join, rows), *summary(rows), ""]
                asked.table.write_text("\n".join(text), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
