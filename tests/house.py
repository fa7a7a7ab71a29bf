"""Measure the house: lines of its rooms, modules, imports, circles, long functions.

``python -m tests.house`` prints a table, modules without a test, and lost tests;
``--check`` exits 1 where a figure is above what ``tests/house.toml`` allows;
``--lower`` writes figures that fell into that file, which is never raised by machine.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import networkx as nx

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("wingedge", "sim", "viewer")
CORE_NAMES = ("PairTracker", "World", "Event")  # their modules and what these import
ANSWER = """
import sys
from sim import Body, Pose, closest
from wingedge import shapes
a = Body(shapes.box((1.0, 1.0, 1.0)))
b = Body(shapes.box((1.0, 1.0, 1.0)), pose=Pose.rigid([0, 0, 0, 1], (3.0, 0.0, 0.0)))
assert closest(a, b).distance == 2.0
print(sum(name.split(".")[0] in ("wingedge", "sim", "viewer") for name in sys.modules))
"""
Row = dict[str, int]  # allowed, bar: each where there is one
HEAD = """\
# What `python -m tests.house --check` allows; `--lower` lowers it. An issue that says
# "at most +N lines" may raise its rooms by N once, in the commit that closes it, by its
# name. Nothing else is raised. A file is in the room of the longest name that fits; a
# bar is what a room may have in the end, growth by later issues included.
"""


@dataclass
class Module:
    """What is counted of one file."""

    lines: int
    package: bool
    named: list[tuple[str, str]] = field(default_factory=list)  # module, name in it
    strings: set[str] = field(default_factory=set)
    classes: list[str] = field(default_factory=list)
    top: set[str] = field(default_factory=set)  # classes that the module itself has
    functions: list[tuple[int, int]] = field(default_factory=list)  # lines, parameters


def read(path: Path) -> Module:
    source = path.read_text(encoding="utf-8")
    module = Module(source.count("\n"), path.stem == "__init__")
    tree = ast.parse(source)
    module.top = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            module.named += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            module.named += [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            module.strings.add(node.value.partition(":")[0])
        elif isinstance(node, ast.ClassDef):
            module.classes.append(node.name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            asked = node.args
            count = len(asked.args) + len(asked.kwonlyargs) + len(asked.posonlyargs)
            length = (node.end_lineno or 0) - node.lineno + 1
            module.functions.append((length, count))
    return module


def lines_of(rooms: Iterable[str], root: Path) -> dict[str, int]:
    """Count lines of Python, each file in the room of the longest name that fits.

    What stands in ``tests/replaced`` until its replacement is proven is not counted.
    """
    lines = dict.fromkeys(rooms, 0)
    for top in {room.split("/")[0] for room in lines}:
        for path in (root / top).rglob("*.py"):
            name = path.relative_to(root).as_posix()
            if not name.startswith("tests/replaced/"):
                room = max((r for r in lines if name.startswith(f"{r}/")), key=len)
                lines[room] += path.read_text(encoding="utf-8").count("\n")
    return lines


class House:
    """The packages of a checkout, read once."""

    def __init__(self, root: Path = ROOT, packages: Iterable[str] = PRODUCT) -> None:
        self.root = root
        self.modules: dict[str, Module] = {}
        for package in packages:
            for path in sorted((root / package).rglob("*.py")):
                parts = path.relative_to(root).with_suffix("").parts
                name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                self.modules[name] = read(path)

    def imported(self, name: str) -> Iterator[str]:
        module = self.modules[name]
        for home, inner in module.named:
            if (below := f"{home}.{inner}") in self.modules:
                yield below
            elif home in self.modules:
                yield home
        yield from (x for x in module.strings if "." in x and x in self.modules)

    @cached_property
    def imports(self) -> Any:  # a DiGraph
        graph = nx.DiGraph()
        graph.add_nodes_from(self.modules)
        for name in self.modules:
            graph.add_edges_from((name, o) for o in self.imported(name) if o != name)
        return graph

    @cached_property
    def core(self) -> set[str]:
        """The modules that define the tracker, the world and events, with all below."""
        homes = {n for n, m in self.modules.items() if m.top & set(CORE_NAMES)}
        homes = {name for name in homes if name.startswith("sim.")}
        return homes.union(*(nx.descendants(self.imports, name) for name in homes))

    @property
    def circles(self) -> list[set[str]]:
        groups = nx.strongly_connected_components(self.imports)
        return [group for group in groups if len(group) > 1]

    @cached_property
    def rooms(self) -> tuple[Any, list[tuple[str, str]]]:
        """What lies directly in ``sim`` and who imports whom, without the arrows up.

        An arrow goes up where fewer imports lead one way around a circle than the
        others; a contract that levels the rooms must ask for the same.
        """
        graph = nx.DiGraph()
        for a, b in self.imports.edges:
            (_, *room_a), (_, *room_b) = a.split("."), b.split(".")
            if a.startswith("sim.") and b.startswith("sim.") and room_a[0] != room_b[0]:
                count = graph.get_edge_data(room_a[0], room_b[0], {"count": 0})["count"]
                graph.add_edge(room_a[0], room_b[0], count=count + 1)
        up = []
        while not nx.is_directed_acyclic_graph(graph):
            home = {
                name: k
                for k, group in enumerate(nx.strongly_connected_components(graph))
                for name in group
            }
            _, a, b = min(
                (count, a, b)
                for a, b, count in graph.edges(data="count")
                if home[a] == home[b]
            )
            graph.remove_edge(a, b)
            up.append((a, b))
        return graph, up

    @property
    def shavings(self) -> list[str]:
        degrees = self.imports.in_degree()
        return [n for n, count in degrees if count == 1 and not self.modules[n].package]

    @property
    def reused(self) -> list[str]:
        counts = Counter(x for module in self.modules.values() for x in module.classes)
        return sorted(name for name, count in counts.items() if count > 1)

    def figures(self) -> dict[str, int]:
        asked = subprocess.Popen(
            [sys.executable, "-c", ANSWER],
            cwd=self.root,
            # where no library is linked here, a compiler would be loaded, too
            env=os.environ | {"WINGEDGE_ENGINE": "python", "PYTHONSAFEPATH": ""},
            stdout=subprocess.PIPE,
            text=True,
        )
        every = self.modules.values()
        inner = [module for module in every if not module.package]
        kernels = [m for name, m in self.modules.items() if "sim.kernels" in name]
        found = {
            "modules": len(self.modules),
            "modules with one importer": len(self.shavings),
            "the same, % of those that are no package": round(
                100 * len(self.shavings) / max(1, len(inner))
            ),
            "core, lines": sum(self.modules[name].lines for name in self.core),
            "core, modules": len(self.core),
            "import circles": len(self.circles),
            "floors inside sim": nx.dag_longest_path_length(self.rooms[0], "none") + 1,
            "arrows back up inside sim": len(self.rooms[1]),
            "kernels with more than 7 parameters": sum(
                count > 7 for module in kernels for _, count in module.functions
            ),
            "functions over 80 lines": sum(
                length > 80 for module in every for length, _ in module.functions
            ),
            "class names used more than once": len(self.reused),
        }
        answer, _ = asked.communicate()
        if asked.returncode:
            raise RuntimeError("one answer failed; its error is printed above")
        return found | {"modules loaded by one answer": int(answer)}


def untested(house: House) -> tuple[list[str], list[str]]:
    """Name modules that no test imports, or names in its first line, and lost tests.

    A test is lost if its first line names no module, or its folder mirrors no package.
    """
    told: set[str] = set()
    lost = []
    for path in sorted((house.root / "tests").rglob("*.py")):
        first = set(re.findall(r"[\w.]+\w", path.read_text("utf-8").split("\n")[0]))
        inner = path.parent.relative_to(house.root / "tests").parts
        mirrored = ".".join(inner) in house.modules or inner == ("articles",)
        if inner and inner[0] in (*PRODUCT, "articles") and path.stem[:5] == "test_":
            names = {name for name in first if "." in name} & set(house.modules)
            lost += [] if mirrored and names else [f"{'/'.join(inner)}/{path.name}"]
        told |= first
        for home, name in read(path).named:
            told |= {home, f"{home}.{name}"}
    every = house.modules.items()
    return [n for n, m in every if not m.package and n not in told], lost


def table(rows: Mapping[str, Row], now: Mapping[str, int]) -> str:
    heads = ("now", "allowed", "bar")
    text = [f"{'':42}" + "".join(f"{head:>9}" for head in heads)]
    for name, row in rows.items():
        values = row | {"now": now[name]}
        text.append(
            f"{name:42}" + "".join(f"{values.get(head, '-'):>9}" for head in heads)
        )
    return "\n".join(text)


def above(rows: Mapping[str, Row], now: Mapping[str, int]) -> list[str]:
    return [
        f"{name}: {now[name]}, allowed are {row['allowed']}"
        for name, row in rows.items()
        if now[name] > row["allowed"]
    ]


def lowered(kept: Mapping[str, Mapping[str, Row]], now: Mapping[str, int]) -> str:
    """Return the file of what is allowed, lowered to what is there now."""
    text = HEAD
    for group, rows in kept.items():
        text += f"\n[{group}]\n"
        for name, row in rows.items():
            new = row | {"allowed": min(row["allowed"], now[name])}
            inner = ", ".join(f"{key} = {value}" for key, value in new.items())
            text += f'"{name}" = {{ {inner} }}\n'
    return text


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 above the allowed")
    parser.add_argument(
        "--lower", action="store_true", help="allow no more than is now"
    )
    asked = parser.parse_args(arguments)
    path = root / "tests" / "house.toml"
    kept: dict[str, dict[str, Row]] = tomllib.loads(path.read_text(encoding="utf-8"))
    house = House(root)
    now = lines_of(kept["rooms"], root) | house.figures()
    rows = kept["rooms"] | kept["figures"]
    print(table(rows, now))
    inside = [room for room in kept["rooms"] if room.split("/")[0] in PRODUCT]
    have, bar = sum(now[r] for r in inside), sum(rows[r]["bar"] for r in inside)
    print(f"the product has {have} lines; its rooms may have {bar}")
    print("no test names or imports {}; lost are {}".format(*untested(house)))
    if asked.lower:
        path.write_text(lowered(kept, now), encoding="utf-8")
    found = above(rows, now) if asked.check else []
    for sentence in found:
        print(sentence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
