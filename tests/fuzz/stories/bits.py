"""All bits of what is answered for two bodies in one frame, kind of answer by kind.

What both engines must answer alike: whatever a kernel wrote.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from sim import Body, PairState, PairTracker, set_engine
from sim.body.audit import Findings
from stories import story
from stories.story import FRAMES
from wingedge import MeshError

Look = Callable[[], str]  # tells the present frame, numbers to the last bit
REACH = 0.1  # of the larger body: so near that there are regions in many frames
SWITCHED = (
    ["compiled"],
    ["python", "compiled"],
    ["compiled", "python", "compiled"],
)  # engines, one after the other within a story


def of_state(state: PairState) -> str:
    regions = [(r.identity, r.numbers, r.faces.tolist()) for r in state.regions]
    return repr((state.numbers, state.regime, state.frame, regions))


def tracked(a: Body, b: Body, exact: bool) -> Look:
    tracker = PairTracker(a, b)
    return lambda: of_state(tracker.update(exact))


def hulled(a: Body, b: Body, exact: bool) -> Look:
    """Look at the closest features of A's hull and B, or of two hulls."""
    hulls = [
        Body(body.mesh, name=body.name, pose=body.pose, convexity="hull")
        for body in (a, b)[: 1 + len(a.mesh.points) % 2]
    ]
    pair = PairTracker(hulls[0], hulls[1] if len(hulls) == 2 else b)

    def look() -> str:
        for hull, body in zip(hulls, (a, b), strict=False):
            hull.points, hull.pose = body.positions, body.pose
        return of_state(pair.update(exact))

    return look


def gathered(a: Body, b: Body, exact: bool) -> Look:
    reach = REACH * max(float(np.ptp(body.mesh.points)) for body in (a, b))
    tracker = PairTracker(a, b, contact_distance=reach, regions=True)
    return lambda: of_state(tracker.update(exact))


def audited(a: Body, b: Body, exact: bool) -> Look:
    """Look at how convex two bodies are."""

    def look() -> str:
        found = []
        for body in (a, b):
            test = Findings(body.mesh, np.array(body.positions))
            found.append((test.look(), body.volume_sign()))
        return repr(found)

    return look


KINDS: dict[str, Callable[[Body, Body, bool], Look]] = {
    "surface": tracked,
    "regions": gathered,
    "audit": audited,
    "hull": hulled,
}


def switched(
    family: str, seed: int, seen: Counter[str], every: int = 1
) -> Iterator[str]:
    """Yield the frames of which a bit hangs on the engine.

    ``family``: of convex bodies, or ``KIND/BEND`` for one kind of answer about small
    bodies that bend, in every second story in live arrays.
    """
    truth = told_by(family, seed, ["python"], every)
    seen[family] += len(truth)
    for engines in SWITCHED:
        for k, pair in enumerate(
            zip(truth, told_by(family, seed, engines, every), strict=True)
        ):
            if len({*pair}) == 2:
                yield f"{family}:{seed}:{every * k} {' then '.join(engines)}"


def told_by(family: str, seed: int, engines: list[str], every: int) -> list[str]:
    kind, _, bend = family.rpartition("/")
    told = story(f"small/{bend}" if kind else family, seed)
    a, b = told.bodies()
    if kind and seed % 2:
        _ = a.points, b.points  # handed out: every frame's positions are new
    look = KINDS[kind or "surface"](a, b, False)
    share, out = -(-FRAMES // len(engines)), []
    try:
        for frame in islice(told.play(a, b), 0, None, every):
            set_engine(engines[frame // share])
            try:
                out.append(look())
            except (MeshError, ValueError) as error:
                out.append(f"{type(error).__name__}: {error}")
    finally:
        set_engine("auto")
    return out
