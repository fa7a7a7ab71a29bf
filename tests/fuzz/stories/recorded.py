"""A deformation that other people computed: two soft cubes, a simulation of friction.

The folder is named by WINGEDGE_REAL_DATA; LICENSES.md there says where each file is
from; this one is ``sequences/ipc_cube_cube``.
"""

import json
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Pose
from stories.story import Step, Story
from wingedge import WingedEdgeMesh

Array = NDArray[np.float64]
CUBE = "156 162 185 312 327 413 437 478 481 576 587 726"
CUBE_FACES = np.array([[int(v) - 1 for v in f] for f in CUBE.split()])


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
