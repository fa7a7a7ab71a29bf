"""All bits of what is answered for two bodies in one frame, kind of answer by kind.

What both engines must answer alike: whatever a kernel wrote, and what is made of it.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from sim import Body, PairState, PairTracker, set_engine
from sim.body.audit import HingeTest
from sim.result.state import Region
from stories import story
from stories.story import FRAMES
from wingedge import MeshError

Look = Callable[[], str]  # digests the present frame
REACH = 0.1  # of the larger body: so near that there are regions in many frames
SWITCHED = (
    ["compiled"],
    ["python", "compiled"],
    ["compiled", "python", "compiled"],
)  # engines, one after the other within a story


def of_state(state: PairState) -> str:
    plain = (
        state.numbers,
        state.regime,
        state.kind,
        state.feature_a,
        state.feature_b,
        state.parts_a,
        state.parts_b,
        state.certified,
        state.frame,
    )
    arrays: list[ArrayLike] = [state.point_a, state.point_b, state.normal, state.patch]
    names = []
    for contact in state.contacts:
        names.append((contact.kind, contact.feature_a, contact.feature_b))
        arrays += [contact.point_a, contact.point_b, contact.normal, contact.distance]
    return _digest((plain, names), arrays)


def of_region(region: Region) -> str:
    return _digest((region.identity, region.numbers), [region.faces, region.patch])


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

    def look() -> str:
        state = tracker.update(exact)
        return " ".join([of_state(state), *map(of_region, state.regions)])

    return look


def audited(a: Body, b: Body, exact: bool) -> Look:
    """Look at how convex two bodies are."""

    def look() -> str:
        found = []
        for body in (a, b):
            test = HingeTest(body.mesh, np.array(body.positions))
            found.append((test.look(), body.volume_sign()))
        return repr(found)

    return look


def _digest(plain: object, arrays: Iterable[ArrayLike]) -> str:
    made = hashlib.blake2b(repr(plain).encode(), digest_size=8)
    for array in arrays:
        made.update(np.asarray(array).tobytes())
    return made.hexdigest()


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
    truth = digests(family, seed, ["python"], every)
    seen[family] += len(truth)
    for engines in SWITCHED:
        for k, pair in enumerate(
            zip(truth, digests(family, seed, engines, every), strict=True)
        ):
            if len({*pair}) == 2:
                yield f"{family}:{seed}:{every * k} {' then '.join(engines)}"


def digests(family: str, seed: int, engines: list[str], every: int) -> list[str]:
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
