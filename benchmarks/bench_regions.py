"""What finding all contacts costs, by the number of triangles that are near.

    python benchmarks/bench_regions.py [--rounds 300] [--log FILE]

Two triangulated boxes lie on each other, ever more finely cut, or a comb stands on a
table with ever more teeth; one of them moves in every frame.  The cost is that of
``update()`` with ``regions=True`` less that without, each the least of all rounds.
Exit code 1 if 120 pairs of near triangles take more than 0.3 ms compiled.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from bench import Say, best, main

from sim import Body, PairTracker, Pose, set_engine
from wingedge import WingedEdgeMesh, shapes

BAR = (120, 300.0)  # pairs, us
REACH = 0.02


class Row(NamedTuple):
    """One pair of bodies, and what it took."""

    name: str
    triangles: int
    pairs: int
    regions: int
    alone: float  # us per update without regions
    regions_us: float  # us more with them

    def line(self) -> str:
        """Return a line of the table."""
        return (
            f"    {self.name:24}{self.triangles:10}{self.pairs:8}{self.regions:9}"
            f"{self.alone:12.1f}{self.regions_us:12.1f}"
        )


def comb(teeth: int) -> WingedEdgeMesh:
    """Build a block that stands on ridges side by side."""
    grid = shapes.grid_box((2 * teeth, 1, 1), (2.0, 1.0, 1.0), triangles=True)
    points = grid.points.copy()
    column = np.rint((points[:, 0] + 1.0) * teeth).astype(int)
    points[(column % 2 == 0) & (points[:, 2] < 0.0), 2] += 0.3
    faces = [grid.face_vertices(f).tolist() for f in range(grid.n_faces)]
    return WingedEdgeMesh.from_faces(points, faces)


def pairs_of_bodies() -> Iterator[tuple[str, Body, Body]]:
    """Yield bodies whose centres are 1.01 apart along z when they are as measured."""
    for cells in (1, 2, 3, 4, 6, 8):
        mesh = shapes.grid_box((cells, cells, 1), (1.0, 1.0, 1.0), triangles=True)
        name = f"grids of {cells} x {cells}"
        yield name, Body(mesh, name="upper"), Body(mesh, name="lower")
    table = shapes.grid_box((2, 1, 1), (3.0, 2.0, 1.0), triangles=True)
    for teeth in (4, 16):
        yield f"comb of {teeth}", Body(comb(teeth), name="comb"), Body(table, name="t")


def measure(name: str, a: Body, b: Body, rounds: int) -> Row:
    """Time updates with and without regions."""
    plain = PairTracker(a, b, contact_distance=REACH)
    whole = PairTracker(a, b, contact_distance=REACH, regions=True)
    least = [float("inf"), float("inf")]
    for k in range(rounds):
        a.pose = Pose(None, (0.13 + 1e-4 * (k % 7), 0.07, 1.01))
        for i, tracker in enumerate((plain, whole)):
            least[i] = min(least[i], best(tracker.update, 1))
    state = whole.state
    assert state is not None
    return Row(
        name,
        len(a.mesh.fan.face) + len(b.mesh.fan.face),
        sum(len(region.faces) for region in state.regions),
        len(state.regions),
        1e6 * least[0],
        1e6 * (least[1] - least[0]),
    )


def run(options: Namespace, say: Say) -> bool:
    """Print the table, say whether the bar was met."""
    say(
        f"    {'bodies':24}{'triangles':>10}{'pairs':>8}{'regions':>9}"
        f"{'update us':>12}{'regions us':>12}"
    )
    missed = []
    for engine, rounds in (
        ("compiled", options.rounds),
        ("python", max(3, options.rounds // 60)),
    ):
        set_engine(engine)
        say(engine)
        rows = [measure(*bodies, rounds) for bodies in pairs_of_bodies()]
        for row in rows:
            say(row.line())
        if engine == "compiled":
            # what is asked for lies between two rows: the larger one must do
            row = min((r for r in rows if r.pairs >= BAR[0]), key=lambda r: r.pairs)
            if row.regions_us > BAR[1]:
                missed.append(f"{row.pairs} pairs took {row.regions_us:.0f} us")
    say("\n".join(f"missed: {text}" for text in missed) or "bar met")
    return not missed


if __name__ == "__main__":
    sys.exit(main(__doc__, run, rounds=300))
