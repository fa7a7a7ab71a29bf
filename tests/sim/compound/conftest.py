"""Bodies of blocks: each as exact pieces, and as one true surface."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest

from sim import Body, Pose
from sim.compound import Compound
from wingedge import WingedEdgeMesh, shapes

Cell = tuple[int, int, int]
InPieces = tuple[list[WingedEdgeMesh], WingedEdgeMesh]

# the corners of each side of a unit cell, counter-clockwise seen from outside
SIDES: dict[Cell, tuple[Cell, ...]] = {
    (-1, 0, 0): ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)),
    (1, 0, 0): ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
    (0, -1, 0): ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    (0, 1, 0): ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
    (0, 0, -1): ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)),
    (0, 0, 1): ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
}
FLAT: dict[str, tuple[str, ...]] = {
    "L": ("#..", "#..", "###"),
    "U": ("#.#", "#.#", "###"),
    "plus": (".#.", "###", ".#."),
    "ring": ("###", "#.#", "###"),
}


def surface_of_cells(cells: Iterable[Cell]) -> WingedEdgeMesh:
    """Return the surface of unit cells: the sides that no two of them share."""
    solid = set(cells)
    number: dict[Cell, int] = {}
    faces = []
    for x, y, z in sorted(solid):
        for (i, j, k), corners in SIDES.items():
            if (x + i, y + j, z + k) not in solid:
                at = [(x + p, y + q, z + r) for p, q, r in corners]
                faces.append([number.setdefault(p, len(number)) for p in at])
    return WingedEdgeMesh.from_faces(list(number), faces)


def block(low: Cell, high: Cell) -> WingedEdgeMesh:
    """Return a box from its lowest to its highest corner, as one piece."""
    size = tuple(float(b - a) for a, b in zip(low, high, strict=True))
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    box = shapes.box(size)
    return WingedEdgeMesh.from_faces(
        box.points + middle, [box.face_vertices(f) for f in range(6)]
    )


def in_pieces(name: str) -> InPieces:
    """Return a flat body of unit cells as rows of boxes, and as its surface."""
    rows = FLAT[name]
    cells, pieces = [], []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            if row[x] == ".":
                x += 1
                continue
            end = x
            while end < len(row) and row[end] == "#":
                cells.append((end, y, 0))
                end += 1
            pieces.append(block((x, y, 0), (end, y + 1, 1)))
            x = end
    return pieces, surface_of_cells(cells)


@pytest.fixture(name="in_pieces", scope="session")
def _in_pieces() -> Callable[[str], InPieces]:
    return in_pieces


@pytest.fixture(name="block", scope="session")
def _block() -> Callable[[Cell, Cell], WingedEdgeMesh]:
    return block


@pytest.fixture(params=FLAT)
def flat(request: pytest.FixtureRequest) -> Compound:
    """One of the flat bodies, in exact pieces and with its surface."""
    pieces, surface = in_pieces(request.param)
    return Compound(pieces, surface, name=request.param)


@pytest.fixture
def scattered() -> Callable[[Compound, Body, int], Iterator[int]]:
    """Put two bodies anywhere near each other, frame after frame, seeded."""

    def place(a: Compound, b: Body, frames: int) -> Iterator[int]:
        rng = np.random.default_rng([a.mesh.n_vertices, b.mesh.n_vertices])
        for k in range(frames):
            turns = rng.integers(-9, 10, (2, 4)).astype(float)
            turns[~turns.any(axis=1), 3] = 1.0
            a.pose = Pose.rigid(turns[0], rng.uniform(-0.1, 0.1, 3))
            b.pose = Pose.rigid(turns[1], rng.uniform(-2.0, 5.0, 3) * [1.0, 1.0, 0.5])
            yield k

    return place
