"""What every benchmark shares: its clock, its options, its heading and its log."""

import os
import platform
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import wingedge
from sim import Body, World

# bodies and queries that benchmarks share with the fuzzers
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "fuzz"))
Say = Callable[[str], None]


def best(
    call: Callable[[], object],
    rounds: int = 3,
    calls: int = 1,
    clock: Callable[[], float] = perf_counter,
) -> float:
    """Return the seconds of one call in the best of some rounds of calls.

    What else the machine does can only add.
    """
    least = float("inf")
    for _ in range(rounds):
        begin = clock()
        for _ in range(calls):
            call()
        least = min(least, clock() - begin)
    return least / calls


def ball(vertices: int) -> wingedge.WingedEdgeMesh:
    """Build the hull of points along a spiral on the unit sphere."""
    k = np.arange(vertices) + 0.5
    z = 1.0 - 2.0 * k / vertices
    r, t = np.sqrt(1.0 - z * z), k * 2.399963229728653
    return wingedge.convex_hull(np.stack([r * np.cos(t), r * np.sin(t), z], axis=1))


def sphere(vertices: int, seed: int = 7) -> wingedge.WingedEdgeMesh:
    """Build the hull of points spread at random over the unit sphere."""
    points = np.random.default_rng(seed).normal(size=(vertices, 3))
    mesh = wingedge.convex_hull(points / np.linalg.norm(points, axis=1)[:, None])
    assert mesh.n_vertices == vertices
    return mesh


def breathing(
    mesh: wingedge.WingedEdgeMesh,
    count: int,
    apart: float,
    swell: Callable[[float, int], float],
    **options: float,
) -> World:
    """Put copies in a row; ``swell(t, k)`` scales body k in every frame."""

    def script(k: int) -> Callable[[Any, float], Any]:
        return lambda rest, t: swell(t, k) * rest + [apart * k, 0.0, 0.0]

    names = [f"body{k}" for k in range(count)]
    return World(
        [Body(mesh, name=name, convexity="trust") for name in names],
        deform={name: script(k) for k, name in enumerate(names)},
        **options,
    )


def installed(*packages: str) -> dict[str, str]:
    """Return those of the packages that are there, with their versions."""
    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def resident() -> int:
    """Return the bytes of memory that this process has now (elsewhere: had at most)."""
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def processor() -> str:
    """Name the processor, as well as this system tells."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def heading(*packages: str) -> str:
    """Say what runs, and on what; packages that are not installed are left out."""
    numbers = {"wingedge": wingedge.__version__, **installed("numpy", *packages)}
    return (
        f"{processor()}, {os.cpu_count()} cores, {platform.platform()}, "
        f"Python {platform.python_version()}, "
        + ", ".join(f"{name} {number}" for name, number in numbers.items())
    )


def main(
    doc: str,
    run: Callable[[Namespace, Say], bool | None],
    *packages: str,
    **options: Any,
) -> int:
    """Run a benchmark as a program; return its exit code, 1 if it says False.

    Parameters: ``doc``: what ``--help`` prints; ``run`` is given the options and a
    function that prints a line, and logs it; ``packages`` are named in the heading,
    beside wingedge and numpy; ``options``: each with its default; None is a file, False
    a switch, a list takes several.
    """
    parser = ArgumentParser(
        description=doc, formatter_class=RawDescriptionHelpFormatter
    )
    for name, value in options.items():
        how: dict[str, Any] = {"type": type(value), "default": value}
        if value is False:
            how = {"action": "store_true"}
        elif value is None:
            how = {"type": Path, "metavar": "FILE"}
        elif isinstance(value, list):
            how = {"type": type(value[0]), "nargs": "+", "default": value}
        parser.add_argument("--" + name.replace("_", "-"), **how)
    parser.add_argument("--log", type=Path, metavar="FILE", help="write it too")
    given = parser.parse_args()
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    say(" ".join([Path(sys.argv[0]).stem, *sys.argv[1:]]))
    say(heading(*packages))
    good = run(given, say)
    if given.log:
        given.log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if good is False else 0
