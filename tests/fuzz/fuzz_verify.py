"""Forge the states of scenes and stories in every field, and see that none is believed.

    python tests/fuzz/fuzz_verify.py [--stories 2] [--every 10] [--log FILE]
    python tests/fuzz/fuzz_verify.py --stories 0 --no-scenes --passages 120

Every answer of all scenes, and every n-th of so many stories of every family, is
checked as it is; of every n-th some forty false states are made, field by field
(``stories/forged.py``). Right is "yes" for each answer, and anything else for what was
forged. Of so many passages ten false ones each are made by changing one number
(``stories/tampered.py``); right is the same for what is proven, and anything but "no"
for the passage itself. Says what the slowest took; exit code 1 where one is wrong.
"""

import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import numpy as np
from runner import Say, list_cases, main
from stories import FAMILIES, story
from stories.brute import crosses_itself, solids
from stories.forged import forgeries
from stories.sweeps import FAMILIES as FAMILIES_OF_SWEEPS
from stories.sweeps import drawn
from stories.tampered import tampered

from sim import PairState, PairTracker, scenes, verify, verify_passage

NUMBERS = 10  # of one passage that are changed


def of_scenes(every: int) -> Iterator[tuple[str, PairState, bool]]:
    for name in scenes.names():
        for frame in scenes.load(name).run(scenes.length(name)):
            for k, state in enumerate(frame.pairs):
                yield f"{name}:{frame.index}", state, k < 2 and frame.index % every == 0


def of_stories(
    count: int, every: int, seed: int
) -> Iterator[tuple[str, PairState, bool]]:
    """Yield states of stories of all families, convex bodies in hostile places."""
    for family in FAMILIES:
        for k in range(seed, seed + count):
            told = story(family, k)
            tracker = PairTracker(*told.bodies())
            for frame in told.play(tracker.a, tracker.b):
                state = tracker.update()
                if frame % every == 0:
                    yield f"{family}:{k}:{frame}", state, True


def of_passages(count: int, seed: int, say: Say) -> list[str]:
    """Prove passages and tamper with them; list what is wrong."""
    answers: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    wrong = []
    families = list(FAMILIES_OF_SWEEPS)
    for k in range(count):
        name = f"{families[k % len(families)]}:{seed}:{k}"
        passage, tracker = drawn(families[k % len(families)], seed, k).passage()
        passage.nearest  # noqa: B018 - what was asked for is held to it
        answer = verify_passage(passage, tracker.a, tracker.b).answer
        answers[answer] += 1
        if answer == "no":
            wrong.append(f"{name} true, but refused")
        rng = np.random.default_rng([seed, k])
        made = list(tampered(rng, passage)) if answer == "yes" else []
        for at in rng.permutation(len(made))[:NUMBERS]:
            what, false = made[at]
            answer = verify_passage(false, tracker.a, tracker.b).answer
            caught[answer] += 1
            if answer == "yes":
                wrong.append(f"{name} {what}: believed")
    say(f"passages {count}: {dict(answers)}")
    say(f"numbers of them changed {sum(caught.values())}: {dict(caught)}")
    return wrong


def run(options: Namespace, say: Say) -> bool:
    start = time.perf_counter()
    answers: Counter[str] = Counter()
    forged: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong, states = [], 0
    slowest = (0.0, "")
    sources = [of_stories(options.stories, options.every, options.seed)]
    if not options.no_scenes:
        sources.insert(0, of_scenes(options.every))
    for name, state, forge in chain(*sources):
        begun = time.perf_counter()
        verdict = verify(state, state.a, state.b)
        slowest = max(slowest, (time.perf_counter() - begun, name))
        answers[verdict.answer] += 1
        kinds[f"{state.kind} {state.regime}"] += 1
        if not verdict and not any(map(crosses_itself, solids(state.a, state.b, {}))):
            wrong.append(f"{name} true, but {verdict.answer}: {verdict.reason}")
        states += forge
        for what, false in forgeries(state) if forge else ():
            answer = verify(false, state.a, state.b).answer
            forged[answer] += 1
            if answer == "yes":
                wrong.append(f"{name} {what}: believed, {state!r}")
    say(f"answers {sum(answers.values())}: {dict(answers)}")
    say(f"forged {sum(forged.values())} of {states} answers: {dict(forged)}")
    say(", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())))
    spent, (longest, name) = time.perf_counter() - start, slowest
    say(f"{spent:.0f} s, the slowest answer {longest:.2f} s ({name})")
    if options.passages:
        wrong += of_passages(options.passages, options.seed, say)
    list_cases(wrong, say)
    say(f"{len(wrong)} wrong")
    return not wrong


if __name__ == "__main__":
    options = {"stories": 2, "every": 10, "seed": 1, "no_scenes": False, "passages": 12}
    sys.exit(main(__doc__, run, **options))
