"""Two bodies, one of them placed or written with numbers of any magnitude."""

from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext

import numpy as np

from sim import Body, PairTracker, Pose, set_engine
from stories.checked import checked_kernels
from wingedge import shapes

BOX = shapes.box((1.0, 1.0, 1.0))
HULL = shapes.random_hull(3, 20)
LARGE = [10.0**k for k in (61, 80, 100, 154, 160, 200, 300)]
MAGNITUDES = sorted([1e-59, 1e-49, 1e59, *LARGE, *(1.0 / m for m in LARGE)])


def dented():
    body = Body(shapes.icosphere(1), name="a")
    points = body.positions.copy()
    points[0] *= 0.3
    body.points = points
    return body


FIRST = {
    "box": lambda: Body(BOX, name="a"),
    "dented": dented,
    "U": lambda: Body(shapes.u_block(), name="a"),
    "hull": lambda: Body(shapes.u_block(), name="a", convexity="hull"),
}


def hostile(first, m, how, gap, opened):
    """Answer a frame, then one with a magnitude in positions or poses; list all.

    ``m`` is one factor, or three along the axes.
    """
    rng = np.random.default_rng(5)
    linear, way = Pose.rigid(rng.normal(size=4)).linear, rng.normal(size=3)
    a, b = FIRST[first](), Body(HULL, name="b", pose=Pose(linear, gap * way))
    if opened:
        _ = a.points, b.points  # handed out
    tracker = PairTracker(a, b, regions=first != "hull")
    said = [tracker.update().numbers]
    with np.errstate(invalid="ignore", over="ignore"):
        points = m * HULL.points
        for body in (a, b) if how == "both" else (b,):
            if how in ("linear", "both"):
                body.transform[:, :3] *= m
            if how in ("translation", "both"):
                body.transform[:, 3] = m * way if body is b else 0.0
    try:
        if how == "points" and opened:
            b.points[...] = points
        elif how == "points":
            b.points = points
        state = tracker.update()
        said.append((state.numbers, [r.distance for r in state.regions]))
    except ValueError as error:
        said.append(f"{type(error).__name__}: {error}")
    return said


HOSTILE = [
    (first, m, how, gap, (j + k + i) % 2 == 1)
    for k, first in enumerate(("box", "dented", "U"))
    for j, m in enumerate([*MAGNITUDES, np.nan, np.inf])
    for i, (how, gap) in enumerate(
        [("translation", 2.5), ("linear", 0.0), ("both", 2.5), ("points", 2.5)]
    )
    if (j + k + i) % 2 == 0 or first == "box"
]


def drawn(seed):
    """Draw a case with magnitudes from 1e-300 to 1e300, half within 1e-60 to 1e60."""
    rng = np.random.default_rng(seed)
    first = str(rng.choice(list(FIRST)))
    how = str(rng.choice(["translation", "linear", "both", "points"]))
    power = rng.choice([60.0, 300.0]) * rng.uniform(-1.0, 1.0, rng.choice([1, 3]))
    m = rng.choice([-1.0, 1.0]) * np.broadcast_to(10.0**power, 3)
    opened = rng.random() < 0.5
    return first, m, how, float(rng.choice([0.0, 2.5])), opened


def unlike(family: str, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield what differs interpreted, on checked buffers, and compiled."""
    said = []
    try:
        for engine in ("python", "compiled"):
            set_engine(engine)
            with checked_kernels() if engine == "python" else nullcontext():
                said.append(repr(hostile(*drawn(seed))))
    except Exception as error:
        yield f"{family}:{seed} {type(error).__name__}: {error}"
    finally:
        set_engine("auto")
    seen[family] += 1
    if len(set(said)) == 2:
        yield f"{family}:{seed} differs"
