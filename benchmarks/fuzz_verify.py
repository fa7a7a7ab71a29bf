"""Forge the states of scenes and stories in every field, and see that none is believed.

    python benchmarks/fuzz_verify.py [--stories 2] [--every 10] [--seed 1] [--log FILE]

Every n-th frame of all scenes, and of so many stories of every family, is answered and
checked as it is; then some sixty false states are made of it, field by field
(``stories/forged.py``). Right is "yes" for each answer, and anything else for what was
forged. Exit code 1 where one is wrong.
"""

import argparse
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stories import FAMILIES, story
from stories.forged import forgeries

import wingedge
from sim import PairState, PairTracker, scenes, verify


def of_scenes(every: int) -> Iterator[tuple[str, PairState]]:
    """Yield states of all scenes, each while its bodies are where it was answered."""
    for name in scenes.names():
        for frame in scenes.load(name).run(scenes.length(name)):
            if frame.index % every == 0:
                for state in frame.pairs[:2]:
                    yield f"{name}:{frame.index}", state


def of_stories(count: int, every: int, seed: int) -> Iterator[tuple[str, PairState]]:
    """Yield states of stories of all families, convex bodies in hostile places."""
    for family in FAMILIES:
        for k in range(seed, seed + count):
            told = story(family, k)
            tracker = PairTracker(*told.bodies())
            for frame in told.play(tracker.a, tracker.b):
                state = tracker.update()
                if frame % every == 0:
                    yield f"{family}:{k}:{frame}", state


def main() -> int:
    """Run all, print, say whether all was right."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stories", type=int, default=2, metavar="N")
    parser.add_argument("--every", type=int, default=10, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, metavar="FILE", help="write it too")
    options = parser.parse_args()
    start = time.perf_counter()
    answers: Counter[str] = Counter()
    forged: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong = []
    for source in (
        of_scenes(options.every),
        of_stories(options.stories, options.every, options.seed),
    ):
        for name, state in source:
            verdict = verify(state, state.a, state.b)
            answers[verdict.answer] += 1
            kinds[f"{state.kind} {state.regime}"] += 1
            if not verdict:
                wrong.append(f"{name} true, but {verdict.answer}: {verdict.reason}")
            for what, false in forgeries(state):
                answer = verify(false, state.a, state.b).answer
                forged[answer] += 1
                if answer == "yes":
                    wrong.append(f"{name} {what}: believed, {state!r}")
    lines = [
        f"fuzz_verify: wingedge {wingedge.__version__}, Python "
        f"{platform.python_version()}, {platform.platform()}",
        f"answers {sum(answers.values())}: {dict(answers)}",
        f"forged {sum(forged.values())}: {dict(forged)}",
        ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())),
        f"{time.perf_counter() - start:.0f} s",
        *(f"WRONG {case}" for case in wrong[:200]),
        f"{len(wrong)} wrong",
    ]
    text = "\n".join(lines)
    print(text)
    if options.log:
        options.log.write_text(text + "\n", encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
