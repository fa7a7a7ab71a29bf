"""Stories in general position: nothing parallel but by chance."""

from collections.abc import Iterator

import numpy as np

from sim import Pose
from stories.bodies import any_body
from stories.placing import reach
from stories.story import FRAMES, Author, Plot, Step, each

Rng = np.random.Generator


def tumbling(rng: Rng) -> Plot:
    """Turn B by about a degree per frame, apart from A at a changing distance."""
    return _wandering(rng, rate=0.01, near=1.0, far=1.5)


def overlapping(rng: Rng) -> Plot:
    """Keep B inside A's reach, from shallow to deep and back."""
    return _wandering(rng, rate=0.02, near=0.0, far=0.9)


def affine(rng: Rng) -> Plot:
    """Stretch and shear both bodies by their poses while they move."""
    a, b, steps = _wandering(rng, rate=0.02, near=0.7, far=1.3)
    first, second = (0.3 * rng.normal(size=(3, 3)) for _ in range(2))

    def stretched() -> Iterator[Step]:
        for k, step in enumerate(steps):
            t = np.sin(2.0 * np.pi * k / FRAMES)
            pose = step.pose_b
            yield Step(
                Pose(pose.linear @ _stretch(t * second), pose.translation),
                Pose(_stretch(t * first)),
            )

    return Plot(a, b, stretched())


GENERAL: dict[str, Author] = {
    author.__name__: author for author in (tumbling, overlapping, affine)
}


def _wandering(rng: Rng, *, rate: float, near: float, far: float) -> Plot:
    """Let B tumble at a distance of centres that swings between two limits."""
    a, b = any_body(rng), any_body(rng)
    scale = reach(a) + reach(b)
    way, turn = _direction(rng), rng.normal(size=4)
    spin = rate * rng.normal(size=4)
    drift = rate * rng.normal(size=3)

    def step(k: int) -> Step:
        swing = 0.5 - 0.5 * np.cos(2.0 * np.pi * k / FRAMES)
        direction = way + k * drift
        direction = direction / np.linalg.norm(direction)
        at = direction * scale * (far + (near - far) * swing)
        return Step(Pose.rigid(turn + k * spin, at))

    return each(a, b, step)


def _stretch(m: np.ndarray) -> np.ndarray:
    while np.linalg.det(np.eye(3) + m) < 0.2:
        m = 0.5 * m
    out: np.ndarray = np.eye(3) + m
    return out


def _direction(rng: Rng) -> np.ndarray:
    v = rng.normal(size=3)
    out: np.ndarray = v / np.linalg.norm(v)
    return out
