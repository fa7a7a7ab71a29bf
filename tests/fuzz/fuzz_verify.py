"""Forge the states of scenes and stories in every field, and see that none is believed.

    python tests/fuzz/fuzz_verify.py [--stories 2] [--every 10] [--log FILE]

Every answer of all scenes, and every n-th of so many stories of every family, is
checked as it is; of every n-th some sixty false states are made, field by field
(``stories/forged.py``). Right is "yes" for each answer, and anything else for what was
forged. Says what the slowest took. Appends to the log; exit code 1 where one is wrong.
"""

import argparse
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stories import FAMILIES, story
from stories.brute import crosses_itself, solids
from stories.forged import forgeries

import wingedge
from sim import PairState, PairTracker, scenes, verify


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stories", type=int, default=2, metavar="N")
    parser.add_argument("--every", type=int, default=10, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-scenes", action="store_true", help="stories alone")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write it too")
    options = parser.parse_args()
    start = time.perf_counter()
    answers: Counter[str] = Counter()
    forged: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong, states = [], 0
    slowest = (0.0, "")
    sources = [of_stories(options.stories, options.every, options.seed)]
    if not options.no_scenes:
        sources.insert(0, of_scenes(options.every))
    for source in sources:
        for name, state, forge in source:
            begun = time.perf_counter()
            verdict = verify(state, state.a, state.b)
            slowest = max(slowest, (time.perf_counter() - begun, name))
            answers[verdict.answer] += 1
            kinds[f"{state.kind} {state.regime}"] += 1
            if not verdict and not any(
                map(crosses_itself, solids(state.a, state.b, {}))
            ):
                wrong.append(f"{name} true, but {verdict.answer}: {verdict.reason}")
            states += forge
            for what, false in forgeries(state) if forge else ():
                answer = verify(false, state.a, state.b).answer
                forged[answer] += 1
                if answer == "yes":
                    wrong.append(f"{name} {what}: believed, {state!r}")
    lines = [
        f"fuzz_verify: wingedge {wingedge.__version__}, Python "
        f"{platform.python_version()}, {platform.platform()}",
        f"answers {sum(answers.values())}: {dict(answers)}",
        f"forged {sum(forged.values())} of {states} answers: {dict(forged)}",
        ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())),
        f"{time.perf_counter() - start:.0f} s, the slowest answer {slowest[0]:.2f} s "
        f"({slowest[1]})",
        *(f"WRONG {case}" for case in wrong[:200]),
        f"{len(wrong)} wrong",
    ]
    text = "\n".join(lines)
    print(text)
    if options.log:
        with options.log.open("a", encoding="utf-8") as log:
            chosen = f"--stories {options.stories} --every {options.every}"
            chosen += f" --seed {options.seed}" + " --no-scenes" * options.no_scenes
            log.write(f"$ fuzz_verify.py {chosen}\n{text}\n\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
