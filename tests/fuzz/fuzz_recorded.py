"""Track every recorded deformation and compare every frame with brute force.

    WINGEDGE_REAL_DATA=FOLDER python tests/fuzz/fuzz_recorded.py [--log FILE]

The truth is ``stories/brute.py`` and ``sim.exhaustive``; exit code 1 where a frame is
amiss.  Prints frames, those in which the body is convex, crosses itself (a morph can,
and then nobody can say what lies inside), overlaps its partner, those searched
exhaustively, faults and microseconds of processor time per frame.
"""

import os
import sys
import time
from argparse import Namespace
from pathlib import Path

from runner import Say, list_cases, main
from stories.brute import crosses_itself, solids, truth
from stories.judge import bar
from stories.recorded import recorded
from stories.story import Story
from stories.weigh import weigh

from sim import PairTracker, exhaustive


def follow(story: Story) -> tuple[str, list[str]]:
    a, b = story.bodies()
    tracker = PairTracker(a, b)
    known: dict[int, tuple] = {}
    seen, amiss, spent, searched = [], [], 0.0, 0
    convex = crossing = 0
    for frame in story.play(a, b):
        start = time.process_time()
        state = tracker.update()
        spent += time.process_time() - start
        searched += state.work.fallbacks
        at = solids(a, b, known)
        weighed = weigh(state, *at, truth(*at))
        faults = list(weighed.faults)
        oracle = exhaustive(a, b)
        crosses = any(map(crosses_itself, at))
        crossing += crosses
        # Of a body that crosses itself two right answers may differ in sign.
        off = abs(state.distance - oracle.distance)
        if off > bar(oracle.distance, oracle.size) and not crosses:
            faults.append(f"the oracle says {oracle.distance!r}")
        convex += a.audit().is_convex()
        seen.append(weighed.regime)
        amiss += [f"{frame} {fault} | {weighed.text}" for fault in faults]
    frames = len(seen)
    row = (
        f"{frames:6} {convex:6} {crossing:8} {seen.count('overlapping'):11} "
        f"{searched:8} "
        f"{len(amiss):6} {spent / frames * 1e6:9.1f}"
    )
    return row, amiss


def run(options: Namespace, say: Say) -> bool:
    folder = os.environ.get("WINGEDGE_REAL_DATA")
    if not folder:
        raise SystemExit("WINGEDGE_REAL_DATA names no folder of recorded deformations")
    say(f"{'':28} frames convex crossing overlapping searched faults  us/frame")
    wrong: list[str] = []
    for name, story in recorded(Path(folder)).items():
        row, amiss = follow(story)
        say(f"{name:28} {row}")
        wrong += [f"{name}:{line}" for line in amiss]
    list_cases(wrong, say)
    return not wrong


if __name__ == "__main__":
    sys.exit(main(__doc__, run))
