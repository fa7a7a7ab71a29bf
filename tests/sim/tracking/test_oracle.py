"""sim.tracking, sim.kernels: the zoo in every place and way, held against oracles."""

import numpy as np
import pytest
from stories.brute import solids
from stories.judge import compare, swapped, unproved, weigh, wrong_depth
from stories.level import fault_of_parts, fault_of_patch

from sim import Body, PairTracker, Pose, closest
from wingedge import WingedEdgeMesh, shapes

ZOO = {n: m for n, m in shapes.zoo(non_convex=True) if m.n_vertices < 200}
NAMES = list(ZOO)
PAIRS = [(name, NAMES[(k + step) % len(NAMES)]) for step in (1, 4) for k, name in
         enumerate(NAMES)]  # fmt: skip
SHEAR = np.array([[0.8, 0.3, 0.0], [0.0, 1.2, 0.1], [0.2, 0.0, 0.7]])
WAYS = ("level", "rigid", "affine", "dented", "new")


def placed(mesh, other, way, rng):
    """Put two bodies beside each other, one of them changed in some way."""
    if way == "dented":  # a vertex alone, and no polygon that is none then
        mesh = WingedEdgeMesh.from_faces(mesh.points, mesh.fan.vertex)
    a, b = Body(mesh, name="a"), Body(other, name="b")
    size = np.ptp(mesh.points), np.ptp(other.points)
    b.pose = Pose(0.7 * size[0] / size[1] * np.eye(3))
    if way != "level":
        turns = (Pose.rigid(rng.normal(size=4)).linear for _ in "ab")
        a.pose, b.pose = (
            Pose(t @ x.pose.linear) for t, x in zip(turns, (a, b), strict=True)
        )
    if way == "affine":
        b.pose = Pose(SHEAR @ b.pose.linear)
    elif way == "dented":
        points = mesh.points - mesh.points.mean(axis=0)
        points[rng.integers(len(points))] *= 0.4
        a.points = points
    elif way == "new":
        b.points[...] *= rng.uniform(0.7, 1.3, 3)
    middle = b.pose.apply(b.positions).mean(axis=0)
    out = rng.normal(size=3) if way != "level" else np.eye(3)[rng.integers(3)]
    reach = 0.1 * rng.normal(size=3) + 2.0 * out / np.linalg.norm(out)
    b.pose = Pose(b.pose.linear, size[0] * reach - middle)
    return a, b


def faults(state, a, b):
    found = [*weigh(state, *solids(a, b, {})).faults, *unproved(state, a, b)]
    cold = closest(a, b)
    found += compare(state, cold, "warm is not cold", ties=True)
    if state.distance >= 0.0:
        found += swapped(cold, a, b)
    elif state.certified and a.is_convex() and b.is_convex():
        found += wrong_depth(state, a, b)
    if state.certified:
        found += [x for x in (fault_of_parts(state), fault_of_patch(state)) if x]
    return found


CASES = [pytest.param(p, w, id=f"{'/'.join(p)} {w}") for p in PAIRS for w in WAYS]


@pytest.mark.parametrize(("pair", "way"), CASES)
def test_an_answer_is_the_true_one_apart_touching_and_overlapping(pair, way):
    rng = np.random.default_rng([WAYS.index(way), *map(NAMES.index, pair)])
    a, b = placed(*(ZOO[name] for name in pair), way, rng)
    tracker = PairTracker(a, b)
    state = tracker.update()
    assert faults(state, a, b) == []
    for depth in (0.0, -1e-3, 0.05):
        step = (state.distance + depth * state.size) * state.normal
        b.pose = Pose(b.pose.linear, b.pose.translation - step)
        state = tracker.update()
        assert faults(state, a, b) == [], (depth, str(state))
        assert depth != 0.0 or abs(state.distance) <= 1e-13 * state.size
        assert depth >= 0.0 or state.regime != "penetrating"
