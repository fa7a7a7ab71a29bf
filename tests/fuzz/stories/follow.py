"""Follow a story: every frame against the truth, against other histories, proved again.

Bodies that bend are answered three times: by a tracker that follows the story, by one
that is told the same frames in another order, in live arrays that are overwritten in
between, and every few frames from cold with A and B exchanged.  Others are answered
from cold in every few frames.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from sim import PairState, PairTracker, closest
from stories import story
from stories.brute import Solid, Truth, crosses_itself, solids, truth
from stories.judge import (
    bounds_that_fail,
    compare,
    swapped,
    unproved,
    weigh,
    wrong_depth,
)
from stories.level import fault_of_parts, fault_of_patch
from stories.notched import off_features
from stories.story import FRAMES, Story

COLD_EVERY = 2  # frames between comparisons with a cold answer
SWAP_EVERY = 4  # and of those that bend with one of A and B exchanged
LEVEL_EVERY = 5
OVERLAP_EVERY = 4  # overlapping frames between those that are told in another order
PROOF_EVERY = {"medium": 16, "large": FRAMES}
LARGEST = 2500  # vertices of two bodies whose truth is known
WHOLE = 100  # and of those whose bounds are held to whole numbers, all nearly convex
Found = tuple[tuple[Solid, Solid], Truth] | None


def follow(
    family: str, seed: int, seen: Counter[str], exact: bool = False, last: int = FRAMES
) -> Iterator[str]:
    """Yield what is wrong with the frames of a story; count what was seen."""
    told = story(family, seed)
    truths = list(truths_of(told))
    bends = "/" in family
    others = shuffled(told, truths) if bends else {}
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    for frame in told.play(a, b):
        if frame > last:
            break
        try:
            state = tracker.update(exact)
            seen[f"{family} {'certified' if state.certified else 'wide'}"] += 1
            faults = amiss(state, frame, truths[frame], family, exact)
            if bends:
                other = others.get(frame, state)
                faults += against(state, other, truths[frame], frame % SWAP_EVERY)
        except Exception as error:
            faults = [f"{type(error).__name__}: {error}"]
            tracker.reset()
        for fault in faults:
            yield f"{family}:{seed}:{frame} {fault} | {tracker.state!r}"


def truths_of(told: Story) -> Iterator[Found]:
    a, b = told.bodies()
    known: dict[int, tuple] = {}
    most = WHOLE if told.family == "nearly_convex" else LARGEST
    small = a.mesh.n_vertices + b.mesh.n_vertices <= most
    for _ in told.play(a, b):
        at = solids(a, b, known) if small else None
        yield (at, truth(*at)) if at else None


def amiss(
    state: PairState, frame: int, found: Found, family: str, exact: bool
) -> list[str]:
    """Say what is wrong with one answer, whatever came before it."""
    a, b, deep = state.a, state.b, state.distance < 0.0
    size = family.rpartition("/")[0]
    faults = []
    if found:
        faults += weigh(state, *found[0], found[1]).faults
    if family == "nearly_convex":  # where bounds are wider than the bar they say so
        faults = [fault for fault in faults if not fault.startswith("uncertified")]
    if frame % PROOF_EVERY.get(size, 8 if size else 3) == 0:
        faults += unproved(state, a, b, family != "nearly_convex")
    if size:
        return faults
    if state.certified and deep:
        faults += wrong_depth(state, a, b)
    if exact and not state.certified:
        faults.append(f"uncertified: {state.reason}"[:90])
    if frame % COLD_EVERY == 1 and (exact or not deep):
        faults += compare(state, closest(a, b, exact=exact), "warm is not cold")
        faults += [] if deep else swapped(state, a, b)
    if frame % LEVEL_EVERY == 0 and state.certified:
        faults += [x for x in (fault_of_parts(state), fault_of_patch(state)) if x]
    if deep and (off := off_features(state, a, b)):
        faults.append(off)
    if found and (faults or family == "nearly_convex"):
        if any(map(crosses_itself, found[0])):  # what came before may not matter
            return compare(state, closest(a, b, exact=exact), "history")
        if (
            state.certified
            and len(found[0][0].points) + len(found[0][1].points) < WHOLE
        ):
            faults += bounds_that_fail(state, *found[0])
    return faults


def against(
    state: PairState, other: PairState | Exception, found: Found, turn: int
) -> list[str]:
    """Compare with the answer of another history, and at times of another order."""
    if isinstance(other, Exception):
        return [f"{type(other).__name__}: {other} (shuffled)"]
    # A live array is proved by scans, a closed body by its rings and told to be
    # inside-out; in overlap the bound of a body that is convex to rounding is widened.
    skipped = ("work", "proof", "reason", "upper")[: 3 + (state.distance < 0.0)]
    faults = compare(state, other, "history decides", skipped, ties=True)
    return faults + (swapped(state, state.a, state.b) if turn == 0 else [])


def shuffled(told: Story, truths: list[Found]) -> dict[int, PairState | Exception]:
    a, b = told.bodies()
    x, y = a.points, b.points  # handed out: both are open from here on
    tracker = PairTracker(a, b)
    out: dict[int, PairState | Exception] = {}
    for frame in np.random.default_rng(told.seed).permutation(FRAMES).tolist():
        found = truths[frame]
        if found and found[1].pierced > 0.0 and frame % OVERLAP_EVERY:
            continue  # history may choose an axis in overlap
        step = told.steps[frame]
        a.pose, b.pose = step.pose_a, step.pose_b
        x[...], y[...] = step.points_a, step.points_b
        try:
            out[frame] = tracker.update()
        except Exception as error:
            out[frame] = error
    return out
