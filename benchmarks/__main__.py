"""Print the tables of docs/performance.md, beside other engines in the same run.

    python -m benchmarks                        all tables, some minutes
    python -m benchmarks --quick                small ones, half a minute
    python -m benchmarks bodies broad_phase     some of them
    python -m benchmarks --write                write docs/performance.md anew
    python -m benchmarks evidence               write docs/evidence.md anew

Other engines are those from PyPI: ``pip install coal mujoco python-fcl trimesh ipctk``.
"""

import argparse
import inspect
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # as the programs of this folder have it

from bench import heading, installed  # noqa: E402
from paper_experiments.page import put, text  # noqa: E402
from speed import Cell, Table, between, crowd, law, pair, plots, rest  # noqa: E402

from sim import set_engine  # noqa: E402

PAGE, README = (HERE.parent / name for name in ("docs/performance.md", "README.md"))
EVIDENCE = ["reported.py"], ["bench_accuracy.py", "--chains", "12"], ["crosscheck.py"]
PEERS = "coal", "mujoco", "python-fcl", "trimesh", "ipctk"
TABLES = {
    make.__name__: make
    for make in (
        *(pair.frame_of_a_pair, pair.new_vertices, pair.dented),
        *(pair.regions, pair.cover, crowd.bodies, crowd.first_frame, crowd.every_pair),
        *(crowd.frames, rest.broad_phase, rest.recording, rest.reading, rest.start),
        *(between.first_touch, law.law),
    )
}


def cells(table: Table) -> list[list[str]]:
    """Write numbers with three digits, below the names of their columns."""
    names = list(dict.fromkeys(name for row in table for name in row))
    return [names, *([cell(row.get(name, "")) for name in names] for row in table)]


def cell(value: Cell) -> str:
    """Write a number with three digits."""
    if isinstance(value, float):
        large = value == 0.0 or abs(value) >= 100.0
        return f"{value:.0f}" if large else f"{value:#.3g}"
    return str(value)


def slower(found: Mapping[str, Table]) -> str:
    """List what takes longer than a peer: columns "/ peer" are ours over theirs."""
    lines = []
    for name, table in found.items():
        told: list[str] = []
        for row in table:
            over = {c: v for c, v in row.items() if c[:2] == "/ " and v > 1.0}
            what = [str(v) for v in row.values() if not isinstance(v, float)][:2]
            told += [f"{v:.2f} x {c[2:]} ({', '.join(what)})" for c, v in over.items()]
        lines += [f"- {name}: {', '.join(told)}\n"] if told else []
    return "".join(lines) or "Nothing.\n"


def machine() -> str:
    """Say what runs and on what, which peers are missing, and what else runs."""
    missing = ", ".join(sorted({*PEERS} - {*installed(*PEERS)}))
    said = heading(*PEERS)
    said += f"; not installed, left out: {missing}" if missing else ""
    if hasattr(os, "getloadavg"):
        said += f"; load {os.getloadavg()[0]:.1f} before"
    return said + "."


def evidence() -> int:
    """Make the tables of docs/evidence.md anew, each by its own program."""
    page, code = str(PAGE.with_name("evidence.md")), 0
    for name, *more in EVIDENCE:
        program = [sys.executable, str(HERE / name), *more, "--write", page]
        code |= subprocess.run(program, check=False).returncode
    return code


def main() -> int:
    """Measure and print."""
    if sys.argv[1:] == ["evidence"]:
        return evidence()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--quick", action="store_true", help="small: is it right?")
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}")
    given = parser.parse_args()
    unknown = [name for name in given.tables if name not in TABLES]
    if unknown:
        parser.error(f"no table {unknown[0]!r}; there are {', '.join(TABLES)}")
    if given.quick and given.write:
        parser.error("--quick measures nothing worth writing")
    set_engine("compiled")
    said = machine()
    print(said, flush=True)
    found = {}
    for name in given.tables or TABLES:
        begin = perf_counter()
        found[name] = TABLES[name](given.quick)
        words = " ".join(str(inspect.getdoc(TABLES[name])).split())
        about = f"**{name}**: {words}\n\n{text(cells(found[name]))}"
        print(f"\n{about}", flush=True)
        print(f"({perf_counter() - begin:.0f} s)", file=sys.stderr, flush=True)
        if given.write:
            put(PAGE, name, about)
            if name == "frame_of_a_pair":
                put(README, name, text(cells(found[name][:4])))
    if given.write and found.keys() == TABLES.keys():
        put(PAGE, "machine", said + "\n")
        put(PAGE, "slower", slower(found))
        plots.draw(found, PAGE.with_suffix(".png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
