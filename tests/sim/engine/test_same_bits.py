from typing import NamedTuple

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, set_engine
from wingedge import WingedEdgeMesh, shapes

BODIES = {
    "box": shapes.box((1.0, 1.0, 1.0)),
    "slab": shapes.box((2.0, 2.0, 1e-3)),
    "needle": shapes.needle(2.0, 1e4),
    "grid": shapes.grid_box((3, 2, 2)),
    "hull": shapes.random_hull(3, 60),
    "large hull": shapes.random_hull(4, 300),
}


def turns(rng: np.random.Generator, frames: int) -> list[np.ndarray]:
    """Wander slowly through all attitudes."""
    turn, spin = rng.normal(size=4), 0.03 * rng.normal(size=4)
    return [Pose.rigid(turn + k * spin).linear for k in range(frames)]


def tumbling(rng, frames, reach):
    """Turn freely beside the other body."""
    for k, linear in enumerate(turns(rng, frames)):
        yield Pose(linear, (1.1 * reach, 0.01 * k, -0.003 * k))


def parallel(rng, frames, reach):
    """Slide along it with faces exactly parallel, turned by quarters of a turn."""
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for k in range(frames):
        linear = np.linalg.matrix_power(quarter, k // 7 % 4)
        yield Pose(linear, (0.05 * k - 1.0, 0.25 * (k % 9), 1.0 * reach + 2.0**-20))


def almost(rng, frames, reach):
    """The same, off parallel by 1e-15 to 1e-5."""
    for k in range(frames):
        tilt = 10.0 ** -(5 + k % 11)
        yield Pose.rigid((tilt, 0.3 * tilt, 0.0, 1.0), (0.02 * k, 0.1, 1.01 * reach))


def touching(rng, frames, reach):
    """Touch exactly, or miss by a few units in the last place."""
    for k in range(frames):
        yield Pose(np.eye(3), (0.02 * k, 0.1, 1.0 + (k % 5 - 1) * 2.0**-52))


def sinking(rng, frames, reach):
    """Go into the other body, through it and out again."""
    for k, linear in enumerate(turns(rng, frames)):
        yield Pose(linear, (0.05, reach * (1.0 - 2.0 * k / frames), 0.03))


def far(rng, frames, reach):
    """Be a million lengths away from the origin and from each other."""
    for k, linear in enumerate(turns(rng, frames)):
        yield Pose(linear, (1e6 + k, -3e6, 2.0**30))


def tiny(rng, frames, reach):
    """Be smaller than the other body by 1e-8."""
    for k, linear in enumerate(turns(rng, frames)):
        yield Pose(1e-8 * linear, (0.01 * k, 0.2, 1.02 * reach))


def jumping(rng, frames, reach):
    """Be somewhere else in every frame: nothing that is remembered fits."""
    for _ in range(frames):
        at = rng.normal(size=3)
        at *= 1.8 * reach / np.linalg.norm(at)
        yield Pose.rigid(rng.normal(size=4), at)


WAYS = [tumbling, parallel, almost, touching, sinking, far, tiny, jumping]
PAIRS = [
    ("box", "box"),
    ("box", "slab"),
    ("grid", "box"),
    ("grid", "grid"),
    ("needle", "box"),
    ("needle", "needle"),
    ("hull", "box"),
    ("hull", "large hull"),
    ("hull", "hull"),
]


def reach_of(*meshes: WingedEdgeMesh) -> float:
    return max(float(np.linalg.norm(m.points, axis=1).max()) for m in meshes)


def tracked(name_a, name_b, poses, engine):
    a, b = Body(BODIES[name_a], name="a"), Body(BODIES[name_b], name="b")
    tracker = PairTracker(a, b)
    found = []
    for k, pose in enumerate(poses):
        set_engine(engine if isinstance(engine, str) else engine[k % len(engine)])
        b.pose = pose
        found.append(tracker.update())
    return found


def told(states):
    return [(s.numbers, s.regime, s.frame) for s in states]


@pytest.mark.compiled
@pytest.mark.parametrize("way", WAYS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("pair", PAIRS, ids="/".join)
def test_both_engines_tell_the_same_story(pair, way):
    rng = np.random.default_rng([7, WAYS.index(way), PAIRS.index(pair)])
    reach = sum(reach_of(BODIES[name]) for name in pair)
    frames = 12 if way is touching else 60
    poses = list(way(rng, frames, reach))
    interpreted = told(tracked(*pair, poses, "python"))
    assert told(tracked(*pair, poses, "compiled")) == interpreted
    changing = ["python", "compiled", "compiled"]
    assert told(tracked(*pair, poses, changing)) == interpreted


class Table(NamedTuple):
    """A table of one buffer."""

    numbers: memoryview


def test_a_checked_buffer_refuses_what_is_outside(checked_buffers):
    buffer = checked_buffers(Table(memoryview(np.zeros(3)))).numbers
    buffer[2] = 1.0
    for i in (-1, 3):
        with pytest.raises(IndexError):
            buffer[i]
        with pytest.raises(IndexError):
            buffer[i] = 0.0


@pytest.mark.parametrize("way", WAYS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("pair", PAIRS, ids="/".join)
def test_no_kernel_touches_what_is_not_its_own(pair, way, checked_buffers):
    rng = np.random.default_rng([17, WAYS.index(way), PAIRS.index(pair)])
    reach = sum(reach_of(BODIES[name]) for name in pair)
    poses = list(way(rng, 6 if way is touching else 25, reach))
    a, b = (Body(BODIES[name], name=name) for name in pair)
    tracker = PairTracker(a, b)
    for pose in poses:
        b.pose = pose
        tracker.update()
    tracker.reset()
    assert len(tracker.track(poses_b=poses)) == len(poses)


@pytest.mark.compiled
def test_a_regime_that_one_engine_reached_is_where_the_other_goes_on():
    # Between contact and release distance the frame before decides.
    a, b = Body(BODIES["box"]), Body(BODIES["box"])
    tracker = PairTracker(a, b, contact_distance=0.1, release_distance=0.2)
    b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.05, 0.02, 9.0))
    touching = 9.0 - tracker.update().distance
    for engines in (("python", "compiled"), ("compiled", "python")):
        regimes = ""
        for k, gap in enumerate((0.5, 0.15, 0.05, 0.15, 0.25, 0.15)):
            set_engine(engines[k % 2])
            b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.05, 0.02, touching + gap))
            regimes += tracker.update().regime[0]
        assert regimes == "ssccss"
