"""Deformations that other people recorded, with a partner that nearly touches.

The folder is named by WINGEDGE_REAL_DATA; LICENSES.md there says where each file is
from.  Soft cubes: ``sequences/ipc_cube_cube``, a simulation of friction with two bodies
of its own.  Sponge: ``artisynth_sponge``, a finite-element simulation; its surface is
of quadrilaterals, which warp.  Morphs: ``gltf_morph``, morph targets and weights.
"""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Pose, sequence
from stories.story import Step, Story
from wingedge import WingedEdgeMesh, shapes

Array = NDArray[np.float64]
GAPS = [10.0**-k for k in (1, 2, 3, 4, 6, 8, 10, 12)]  # per unit of the partner's size
CUBE = "156 162 185 312 327 413 437 478 481 576 587 726"
CUBE_FACES = np.array([[int(v) - 1 for v in f] for f in CUBE.split()])
HEXAHEDRON = ["0321", "4567", "0154", "1265", "2376", "3047"]
GRID = 3, 2, 2  # cells of the sponge


class Listed(NamedTuple):
    """One pair that the simulation lists: features as sets of vertices 0 to 7."""

    on_a: frozenset[int]
    on_b: frozenset[int]
    distance: float


def soft_cubes(folder: Path) -> tuple[Story, list[list[Listed]]]:
    """Return both cubes in their 446 states, and the pairs that each state lists."""
    path = folder / "sequences/ipc_cube_cube/friction_cube_cube.zip"
    steps, pairs = [], []
    with zipfile.ZipFile(path) as archive:
        for k in range(446):
            state = json.loads(archive.read(f"friction_data_{k}.json"))
            x = np.array(state["V_lagged"])
            steps.append(Step(Pose.identity(), points_a=x[:8], points_b=x[8:]))
            pairs.append([_listed(ids, x) for ids in state["mmcvids"]])
    mesh = WingedEdgeMesh.from_faces(steps[0].points_a, CUBE_FACES)
    return Story("soft cubes", 0, mesh, mesh, steps), pairs


def _listed(ids: list[int], x: Array) -> Listed:
    """Decode a stencil: negative numbers mark a vertex and what is left out."""
    if ids[0] >= 0:
        one, other = ids[:2], ids[2:]
    else:
        one = [-ids[0] - 1]
        other = [v for v in ids[1:] if v >= 0]
    distance = _between(x[one], x[other])
    if min(one) >= 8:
        one, other = other, one
    return Listed(frozenset(one), frozenset(v - 8 for v in other), distance)


def _between(p: Array, q: Array) -> float:
    """Return the distance of a vertex or segment from a vertex, segment, triangle."""
    from stories.brute import point_segment, point_triangle, segment_segment

    if len(p) == 2:
        ends = [point_segment(v, *q) for v in p] + [point_segment(v, *p) for v in q]
        return float(np.sqrt(min(*ends, segment_segment(*p, *q))))
    if len(q) == 3:
        return float(np.sqrt(point_triangle(p[0], *q)))
    return float(np.sqrt(point_segment(p[0], q[0], q[-1])))


def sponge(folder: Path, partner: WingedEdgeMesh) -> Story:
    """Return the sponge in its 1001 states; the partner nearly touches it."""
    path = folder / "sequences/artisynth_sponge/sponge.zip"
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("pos.txt").decode().split("\n")[2:]
    table = np.array([line.split() for line in lines if line.strip()], float)
    x = table[:, 1:].reshape(len(table), -1, 3)
    faces = _outer_quads()
    used = sorted({v for face in faces for v in face})
    number = {v: k for k, v in enumerate(used)}
    x = np.ascontiguousarray(x[:, used])
    mesh = WingedEdgeMesh.from_faces(x[0], [[number[v] for v in f] for f in faces])
    return beside("sponge", mesh, x, partner)


def _outer_quads() -> list[list[int]]:
    """List the quadrilaterals that belong to one hexahedron only."""
    nx, ny, nz = GRID
    found: dict[tuple[int, ...], list[list[int]]] = {}
    for i, j, k in np.ndindex(nx, ny, nz):
        cell = [
            ((k + c) * (ny + 1) + j + b) * (nx + 1) + i + a
            for c in (0, 1)
            for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))
        ]
        for corners in HEXAHEDRON:
            quad = [cell[int(c)] for c in corners]
            found.setdefault(tuple(sorted(quad)), []).append(quad)
    return [quads[0] for quads in found.values() if len(quads) == 1]


def morph(folder: Path, name: str, partner: WingedEdgeMesh) -> Story:
    """Return an animated mesh in all its key frames; the partner nearly touches it."""
    source = sequence.read(folder / "sequences/gltf_morph" / f"{name}.gltf")
    (body,) = source.bodies
    x = [body.positions.copy()]
    while source.advance():
        x.append(body.positions.copy())
    return beside(name, body.mesh, np.array(x), partner)


def beside(name: str, mesh: WingedEdgeMesh, x: Array, partner: WingedEdgeMesh) -> Story:
    """Tell recorded positions (T, V, 3); the partner goes round and nearly touches.

    For 40 frames it stands before the vertex that is farthest in a direction that
    turns slowly, for 40 more, at a third of its size, before a face, which may be in
    a hollow; at gaps of 1e-1 to 1e-12 of its size.
    """
    return Story(name, 0, mesh, partner, list(_around(mesh, x, partner)))


def _around(mesh: WingedEdgeMesh, x: Array, partner: WingedEdgeMesh) -> Iterator[Step]:
    size = float(np.abs(partner.points).max())
    for k, points in enumerate(x):
        block = k // 40
        if block % 2:
            corners = points[mesh.face_vertices(7 * block % mesh.n_faces)]
            top = corners.mean(axis=0)
            n = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        else:
            t = k / 40.0
            n = np.array([np.cos(t), np.sin(t), 0.6 * np.sin(0.37 * t)])
            n = np.eye(3)[block // 2 % 3] if k % 40 < 8 else n
            top = points[int((points @ n).argmax())]
        n = n / np.linalg.norm(n)
        turn = Pose.rigid((0.3, -0.2, 0.1, 1.0)).linear if block % 4 > 1 else np.eye(3)
        linear = turn / 3.0 if block % 2 else turn
        y = partner.points @ linear.T
        bottom = y[int((y @ n).argmin())]
        gap = size * GAPS[k % len(GAPS)]
        yield Step(Pose(linear, top - bottom + gap * n), points_a=points)


def partners(size: float) -> dict[str, WingedEdgeMesh]:
    return {
        "table": shapes.box((4.0 * size, 4.0 * size, 0.2 * size)),
        "box": shapes.box((0.5 * size, 0.4 * size, 0.3 * size)),
        "ball": shapes.icosphere(2, 0.3 * size),
    }
