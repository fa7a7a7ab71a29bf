"""Bodies of blocks: each as exact pieces, and as one true surface."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from sim import Body, Pose
from sim.compound import Compound
from wingedge import WingedEdgeMesh, shapes

Cell = tuple[int, int, int]
InPieces = tuple[list[WingedEdgeMesh], WingedEdgeMesh]

FLAT: dict[str, tuple[str, ...]] = {
    "L": ("#..", "#..", "###"),
    "U": ("#.#", "#.#", "###"),
    "plus": (".#.", "###", ".#."),
    "ring": ("###", "#.#", "###"),
}


def block(low: Cell, high: Cell) -> WingedEdgeMesh:
    size = tuple(float(b - a) for a, b in zip(low, high, strict=True))
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    box = shapes.box(size)
    return WingedEdgeMesh.from_faces(
        box.points + middle, [box.face_vertices(f) for f in range(6)]
    )


def in_pieces(name: str) -> InPieces:
    """Return a flat body of unit cells as rows of boxes, and as its surface.

    Row by row along y, each along x; from the origin on, one high.
    """
    rows = FLAT[name]
    pieces = [
        block((run.start(), y, 0), (run.end(), y + 1, 1))
        for y, row in enumerate(rows)
        for run in re.finditer("#+", row)
    ]
    filled = np.array([[cell == "#" for cell in row] for row in rows]).T[:, :, None]
    mesh = shapes.polycube(filled)  # centred on the origin
    middle = np.array([1.5, 1.5, 0.5])
    return pieces, replace(mesh, points=mesh.points + middle)


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
