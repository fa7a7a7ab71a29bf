"""Random walks in rooms; every step is judged."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from rooms import draw, judge
from sim import response

STEPS = 100  # of one walk
LIMIT = 32
ROUNDING = 2.0**-42  # of the largest coordinate, as `response.move_sphere` promises
HOW = ("slide", "slide", "slide", "stop", "push")


def walk(kind: str, seed: int, seen: Counter[str], steps: int = STEPS) -> Iterator[str]:
    """Walk once; a fault names its step and what is wrong with it."""
    rng = np.random.default_rng([seed, draw.KINDS.index(kind)])
    room = response.Obstacles(draw.room(rng, kind))
    centre = room.triangles.reshape(-1, 3).mean(axis=0)
    radius = 0.0 if rng.random() < 0.4 else 10.0 ** rng.uniform(-3, 0.5)
    epsilon = None if rng.random() < 0.5 else 10.0 ** rng.uniform(-9, -1)
    here = centre + rng.normal(size=3) * 10.0 ** rng.uniform(-1, 1)
    if rng.random() < 0.2:  # exactly on a triangle
        here = rng.choice(room.triangles.reshape(-1, 3))
    before, was = rng.normal(size=3), None
    for step in range(steps):
        motion = _motion(rng, before, was, here, room.triangles)
        aim, how = here + motion, str(rng.choice(HOW))
        given = dict(response=how, epsilon=epsilon, iterations=LIMIT)
        if radius:
            was = response.move_sphere(here, aim, radius, room, **given)
        else:
            was = response.move_point(here, aim, room, **given)
        seen[was.response] += 1
        for what in amiss(was, here, aim, radius, epsilon, room.triangles):
            yield f"{kind}:{seed}:{step} {how}: {what}"
        here, before = was.end, motion
        if np.abs(here - centre).max() > 20:  # out in the open: walk in again
            here, was = centre + rng.normal(size=3), None


def amiss(was, start, aim, radius, epsilon, triangles):
    """Say what is wrong with an outcome."""
    wrong = []
    if (was.path[0] != start).any() or (was.path[-1] != was.end).any():
        wrong.append("the path does not lead from the start to the end")
    if (was.left != aim - was.end).any():
        wrong.append("what is left is not the rest")
    if was.iterations > LIMIT:
        wrong.append(f"{was.iterations} iterations")
    if was.response == "free" and ((was.end != aim).any() or was.contacts):
        wrong.append("free, but not there")
    coordinates = np.abs(triangles).max(initial=0.0)
    off = ROUNDING * max(coordinates, np.abs(start).max(), radius)
    gap = default_gap(radius, triangles) if epsilon is None else epsilon
    keep = radius + max(gap, 2.0**-42 * max(coordinates, np.abs(start).max(), radius))
    at_start = judge.nearness(start, start, triangles)
    common = max(at_start.min(initial=np.inf), keep / 8)
    least = np.minimum(min(keep, common), at_start)
    short = 0.0
    for p, q in zip(was.path, was.path[1:], strict=False):
        near = judge.nearness(p, q, triangles)
        short = max(short, float(((least - near) / off).max(initial=0.0)))
        close = np.flatnonzero(near < 1e-9 * coordinates)
        through = [row for row in close if judge.crosses(p, q, triangles[row])]
        wrong += [f"goes through triangle {row}" for row in through]
    if short > 1:
        wrong.append(f"nearer than promised: {short:.3g} roundings")
    at_end = judge.nearness(was.end, was.end, triangles).min(initial=np.inf)
    if was.response == "overlap" and at_end > keep + off:
        wrong.append("called overlap, but is not")
    if was.response != "overlap" and at_end < keep - off:
        wrong.append(f"nearer than epsilon at the end: {float(keep - at_end):.3g}")
    straight = judge.nearness(start, aim, triangles).min(initial=np.inf)
    if straight > keep + off and was.response != "free":
        wrong.append("stopped by nothing")
    for met in was.contacts:
        unit = abs((met.normal**2).sum() - 1) <= 1e-12
        wrong += [] if unit and 0 <= met.t <= 1 else [f"contact {met} is none"]
    return wrong


def default_gap(radius, triangles):
    """Repeat what the library says its epsilon is if none is given."""
    corners = triangles.reshape(-1, 3)
    return radius / 1024 if radius else float(np.ptp(corners, axis=0).max()) / 2**20


def _motion(rng, before, was, here, triangles):
    """Draw a step: anywhere, on, back, along or against what was met, at a corner."""
    length = 10.0 ** rng.choice([-3, -1, 0, 0, 1, 3, 8]) * rng.uniform(0.1, 1.0)
    way = rng.normal(size=3)
    what = rng.integers(8)
    if what == 1:
        return before
    if what == 2:
        return -before
    if what in (3, 4) and was is not None and was.contacts:
        normal = was.contacts[-1].normal
        way = -normal if what == 3 else way - (way @ normal) * normal
    if what == 5:  # straight at a corner, or at the middle of an edge
        tri = triangles[rng.integers(len(triangles))]
        target = tri[0] if rng.random() < 0.5 else 0.5 * (tri[0] + tri[1])
        return (target - here) * rng.choice([1.0, 2.0])
    if what == 6:  # along an axis
        way = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    if what == 7 and rng.random() < 0.1:
        return np.zeros(3)
    return way / np.sqrt((way**2).sum()) * length
