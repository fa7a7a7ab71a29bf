"""Put faults into every room, and write down which tests notice each.

``python -m tests.mutate --rooms`` draws 400 faults (``--count``) from ``--seed``, in
each room in proportion to its lines: another operator, constant or comparison, a call
left out, two arguments exchanged, an early return that is not taken.  Each goes into a
copy of the tree, kernels linked anew.  The tests of its room are asked, then, while
none has noticed it, all others, each time for ``--limit`` seconds of a quiet machine:
what would be noticed later is not.  A line a fault goes to ``tests/mutants.txt``: room,
place, what was changed, which tests noticed it; below stand the faults that one test
alone noticed, and how many each room noticed.  What stands there is not tried again.
"""

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.house import PRODUCT, ROOT, lines_of

TABLE = Path(__file__).with_name("mutants.txt")
OPERATORS = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*",
    ast.Mod: "*", ast.Pow: "*", ast.MatMult: "*", ast.LShift: ">>", ast.Lt: "<=",
    ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
IGNORED = shutil.ignore_patterns(".git", "__pycache__", ".*_cache")
LINKED, LINK = ("sim/kernels", "sim/engine"), ("-m", "sim.engine.link")
PYTEST = [sys.executable, "-m", "pytest", "-v", "--tb=no", "-p", "no:randomly"]
NOTICED = re.compile(r"^(?:(?:FAILED|ERROR) )?(tests/.+?)(?: (?:FAILED|ERROR)\b| - |$)")
Row = tuple[str, list[str]]  # a fault, and which tests noticed it


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


class Places(ast.NodeVisitor):
    """Find where one file could be wrong."""

    def __init__(self, room: str, path: str, source: str) -> None:
        self.room, self.path, self.source = room, path, source.encode()
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Fault] = []
        self.visit(ast.parse(source))

    def change(self, node: ast.expr | ast.stmt, text: str) -> None:
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        before = " ".join(self.source[start:end].decode().split())
        what = f"{before[:40]} -> {' '.join(text.split())[:40]}".replace("|", "/")
        fault = Fault(self.room, self.path, node.lineno, what, start, end, text)
        self.found += [fault] if before != " ".join(text.split()) else []

    def visit_Raise(self, node: ast.AST) -> None:
        """Leave the words of errors; places in a text are told from 3.12 on only."""

    visit_JoinedStr = visit_Raise

    def exchange(
        self, node: ast.expr, op: ast.AST, one: ast.expr, other: ast.expr
    ) -> None:
        if type(op) in OPERATORS:
            left, right = ast.unparse(one), ast.unparse(other)
            self.change(node, f"(({left}) {OPERATORS[type(op)]} ({right}))")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.exchange(node, node.op, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> None:
        op = node.ops[0] if len(node.ops) == 1 else node
        self.exchange(node, op, node.left, node.comparators[0])

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word = " or " if isinstance(node.op, ast.And) else " and "
        parts = word.join(f"({ast.unparse(value)})" for value in node.values)
        self.change(node, f"({parts})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self.change(node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.change(node, str(not node.value))
        elif isinstance(node.value, int):
            self.change(node, str(node.value + 1))
        elif isinstance(node.value, float):
            self.change(node, repr(2.0 * node.value if node.value else 1.0))

    def visit_Call(self, node: ast.Call) -> None:
        told = [x for x in node.args[:2] if not isinstance(x, ast.Starred)]
        if len(told) == 2:
            one, other, *more = node.args
            swapped = ast.Call(node.func, [other, one, *more], node.keywords)
            self.change(node, ast.unparse(swapped))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.change(node, "pass")
            self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.body[-1], ast.Return | ast.Continue | ast.Break):
            self.change(node.test, "(False)")
        self.generic_visit(node)


def drawn(count: int, seed: int) -> list[Fault]:
    """Draw faults, in each room in proportion to its lines."""
    chance = random.Random(seed)
    allowed = tomllib.loads((ROOT / "tests/house.toml").read_text("utf-8"))["rooms"]
    inside = [room for room in allowed if room.split("/")[0] in PRODUCT]
    lines = {room: n for room, n in lines_of(inside, ROOT).items() if n}
    places: dict[str, list[Fault]] = {room: [] for room in lines}
    for path in sorted(p for top in PRODUCT for p in (ROOT / top).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        room = max((r for r in lines if name.startswith(f"{r}/")), key=len)
        places[room] += Places(room, name, path.read_text("utf-8")).found
    share = count / sum(lines.values())
    return [
        fault
        for room, own in lines.items()
        for fault in chance.sample(places[room], max(1, round(share * own)))
    ]


def tests_of(fault: Fault) -> list[str]:
    """Return where the tests stand that are asked first."""
    parent = Path(fault.room) if "/" in fault.room else Path(fault.path).parent
    inner, name = Path("tests") / parent, parent.name
    aside = [Path("tests/sim/tracking", name), inner.parent / f"test_{name}.py"]
    found = [path for path in (inner, *aside) if (ROOT / path).exists()]
    if len(parent.parts) == 1:  # the files of the folder only
        found = [p.relative_to(ROOT) for p in (ROOT / inner).glob("test_*.py")]
    return sorted(map(str, found)) or ["tests"]


class Tree:
    """A copy of the checkout that one fault after the other is put into."""

    def __init__(self, folder: Path, limit: float) -> None:
        self.root, self.limit = folder / "tree", limit
        self.env = os.environ | {"PYTHONPATH": str(self.root)}
        shutil.copytree(ROOT, self.root, ignore=IGNORED)

    def run(self, *command: str) -> tuple[int, str]:
        """Return the exit code, -1 where time was over, and what was said by then."""
        with tempfile.TemporaryFile("w+") as said:
            how = {"stdout": said, "stderr": said, "start_new_session": True}
            program = subprocess.Popen(command, cwd=self.root, env=self.env, **how)
            try:
                code = program.wait(self.limit)
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, signal.SIGKILL)
                code = program.wait() and -1
            said.seek(0)
            return code, said.read()

    def failing(self, tests: list[str]) -> list[str]:
        code, said = self.run(*PYTEST, *tests)
        lines = [x for x in said.splitlines() if "FAILED" in x or "ERROR" in x]
        found = {match[1] for x in lines if (match := NOTICED.match(x))}
        return sorted(found) or ["(pytest itself)"] * (code not in (0, 5, -1))

    def notice(self, fault: Fault) -> list[str]:
        """Put a fault in, ask, and take it out; what fails without it says nothing."""
        path = self.root / fault.path
        source = path.read_bytes()
        changed = source[: fault.start] + fault.text.encode() + source[fault.end :]
        path.write_bytes(changed)
        if fault.room in LINKED and self.run(sys.executable, *LINK)[0]:
            found = ["(the linker)"]
        else:
            found = self.failing(tests_of(fault)) or self.failing(["tests"])
        path.write_bytes(source)
        tests = [name for name in found if "::" in name]
        anyhow = self.failing(tests[:40]) if tests else []
        return [name for name in found if name not in anyhow]


def summary(rows: list[Row]) -> Iterator[str]:
    """Say which test is the only one to notice a fault, and what each room noticed."""
    rooms: dict[str, list[bool]] = defaultdict(list)
    for key, noticed in rows:
        rooms[key.split(" | ")[0]].append(bool(noticed))
        if len(noticed) == 1:
            yield f"# only {noticed[0]}: {key}"
    for room, found in sorted(rooms.items()):
        yield f"# {room}: {sum(found)} of {len(found)} noticed"


def known() -> list[Row]:
    """Read the table."""
    lines = TABLE.read_text("utf-8").splitlines() if TABLE.exists() else []
    parts = (line.rpartition(" | ")[::2] for line in lines if not line.startswith("#"))
    return [
        (key, [t for t in told.split(", ") if t != "nobody"]) for key, told in parts
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", action="store_true", help="into every room")
    for name, default in (("count", 400), ("seed", 0), ("limit", 240), ("most", 10**6)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    rows = known()
    left = [x for x in drawn(asked.count, asked.seed) if x.key not in dict(rows)]
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder), asked.limit)
        for fault in left[: asked.most]:
            rows.append((fault.key, tree.notice(fault)))
            print(fault.key, "|", *rows[-1][1][:3], flush=True)
            lines = [f"{key} | {', '.join(told) or 'nobody'}" for key, told in rows]
            TABLE.write_text("\n".join([*lines, *summary(rows), ""]), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
