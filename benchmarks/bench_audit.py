"""Time the audit of new positions: one call from Python, per edge, in both engines.

    python benchmarks/bench_audit.py [--rounds 300]

Convex bodies are the slowest to tell, because nothing is found before the end.  The
shortest of many rounds counts, each of some calls.  ``convexity`` is the report of
``wingedge.convexity``, which the audit agrees with (``tests/sim/body/test_audit.py``);
``sign`` is the sign of the volume alone.
"""

import sys
from argparse import Namespace

from bench import Say, best, main

from sim import set_engine
from sim.body.audit import ConvexityCheck
from wingedge import WingedEdgeMesh, convexity, shapes

CALLS = 20
BAR = 5.0  # ns per edge, compiled, at a thousand vertices


def bodies() -> dict[str, WingedEdgeMesh]:
    """Name the bodies: triangles of four sizes, and polygons."""
    return {
        "box": shapes.box(),
        "hull of 100": shapes.random_hull(1, 100),
        "hull of 1000": shapes.random_hull(1, 1000),
        "icosphere 4": shapes.icosphere(4),
        "grid box 13": shapes.grid_box(13),
    }


def times(name: str, mesh: WingedEdgeMesh, rounds: int) -> str:
    """Return one row: microseconds per call, nanoseconds per edge."""
    points = mesh.points.copy()
    auditor = ConvexityCheck(mesh, points)
    row = [f"{name:14}{mesh.n_vertices:6}{mesh.n_edges:7}"]
    set_engine("compiled")
    spent = best(auditor.audit, rounds, CALLS)
    row += [f"{1e6 * spent:9.1f}{1e9 * spent / mesh.n_edges:8.2f}"]
    row += [f"{1e6 * best(auditor.sign, rounds, CALLS):8.1f}"]
    points[0] *= 0.75  # one vertex pushed in
    row += [f"{1e6 * best(auditor.audit, rounds, CALLS):8.1f}"]
    points[...] = mesh.points
    set_engine("python")
    few = max(3, rounds // 30)
    row += [f"{1e6 * best(auditor.audit, few, CALLS):12.0f}"]
    row += [f"{1e6 * best(lambda: convexity(mesh, points), few, CALLS):11.0f}"]
    return "".join(row)


def run(options: Namespace, say: Say) -> None:
    """Print the table."""
    say(f"{'':27}{'compiled':>17}{'':16}{'interpreted':>23}")
    heads = ("audit us", "ns/edge", "sign us", "dent us", "audit us", "report us")
    widths = zip(heads, (9, 8, 8, 8, 12, 11), strict=True)
    say(f"{'body':14}{'V':>6}{'E':>7}" + "".join(h.rjust(w) for h, w in widths))
    for name, mesh in bodies().items():
        say(times(name, mesh, options.rounds))


if __name__ == "__main__":
    sys.exit(main(__doc__, run, rounds=300))
