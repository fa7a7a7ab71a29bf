"""Answer a story of bending bodies three times over, and count what is amiss."""

import numpy as np

from sim import Body, PairState, PairTracker, closest
from stories.brute import Solid, solids, truth
from stories.deforming import script_of, told
from stories.story import FRAMES, Story
from stories.tally import Tally
from stories.weigh import TIE, compare, unproved, weigh

SWAP_EVERY = 4  # frames between answers from cold with A and B exchanged
OVERLAP_EVERY = 4  # overlapping frames between those that are told in another order
PROOF_EVERY = {"small": 8, "medium": 16, "large": FRAMES}
REGIMES = ("apart", "touching", "overlapping", "crossing itself", "none")
Job = tuple[str, str, int]  # size, family, seed


def shuffled(story: Story, order: list[int]) -> dict[int, PairState | Exception]:
    a, b = story.bodies()
    x, y = a.points, b.points  # handed out: both are open from here on
    tracker = PairTracker(a, b)
    out: dict[int, PairState | Exception] = {}
    for frame in order:
        step = story.steps[frame]
        a.pose, b.pose = step.pose_a, step.pose_b
        x[...], y[...] = step.points_a, step.points_b
        try:
            out[frame] = tracker.update()
        except Exception as error:
            out[frame] = error
    return out


def follow(job: Job, last: int = FRAMES, show: bool = False) -> Tally:
    size, family, seed = job
    tally = Tally()

    def blame(frame: int, fault: str, text: str = "") -> None:
        case = f"{size}/{family}:{seed}:{frame} [{script_of(seed)}]"
        key = f"{size}/{family}: {fault.split(':')[0]}"
        tally.blame(key, f"{case} {fault} | {text}")

    try:
        story = told(*job)
    except Exception as error:
        blame(0, f"no story: {error!r}")
        return tally
    a, b = story.bodies()
    known: dict[int, tuple] = {}
    placed = [solids(a, b, known) for _ in story.play(a, b)]
    truths = [truth(*at) for at in placed]
    rng = np.random.default_rng(seed)
    order = [
        k
        for k in rng.permutation(FRAMES).tolist()
        # History may choose an axis in overlap, so there is little to compare.
        if truths[k].pierced == 0.0 or k % OVERLAP_EVERY == 0
    ]
    others = shuffled(story, order)
    a, b = story.bodies()
    tracker = PairTracker(a, b)
    rows = family, script_of(seed), size
    for frame in story.play(a, b):
        if frame > last:
            break
        try:
            state = tracker.update()
        except Exception as error:
            what = f"exception: {type(error).__name__}: {error}"
            blame(frame, what)
            tracker.reset()
            continue
        if show and frame < last:
            continue
        at: tuple[Solid, Solid] = placed[frame]
        weighed = weigh(state, *at, truths[frame])
        faults = list(weighed.faults)
        other = others.get(frame, state)
        if isinstance(other, Exception):
            faults.append(f"exception: {type(other).__name__}: {other} (shuffled)")
        else:
            # A live array is proved by scans, a closed body by its rings and told to
            # be inside-out; in overlap the bound of a body that is convex to rounding
            # is widened by that.
            skipped = ("work", "proof", "reason", "upper")[: 3 + (state.distance < 0.0)]
            faults += compare(state, other, "history decides", skipped)
        swap = SWAP_EVERY * (1 if truths[frame].pierced == 0.0 else 3)
        if frame % swap == seed % swap:
            faults += swapped(state, a, b)
        if frame % PROOF_EVERY[size] == seed % PROOF_EVERY[size]:
            faults += unproved(state, a, b)
        for row in rows:
            key = f"{row} {weighed.regime}"
            tally.count(key, weighed.error, state.work.fallbacks)
        tally.ties += TIE in " ".join(faults)
        faults = [fault for fault in faults if TIE not in fault]
        for fault in faults:
            blame(frame, fault, weighed.text)
        if show:
            print(a, a.pose, b, b.pose, weighed, state.work, sep="\n")
            print(f"shuffled: {other!r}", *(faults or ["no fault"]), sep="\n")
    return tally


def swapped(state: PairState, a: Body, b: Body) -> list[str]:
    """Compare with the answer from cold with A and B exchanged."""
    try:
        mirror = closest(b, a)
    except Exception as error:
        return [f"exception: {type(error).__name__}: {error} (swapped)"]
    numbers = mirror.numbers.mirrored()
    back = PairState.of(numbers, mirror.regime, mirror.frame, a, b)
    return compare(state, back, "A and B exchanged")
