"""Track every recorded deformation and compare every frame with brute force.

    WINGEDGE_REAL_DATA=FOLDER python tests/fuzz/fuzz_recorded.py [--log FILE]

The truth is ``stories/brute.py`` and ``sim.exhaustive``; exit code 1 where a frame is
amiss.  Prints frames, those in which the body is convex, crosses itself (a morph can,
and then nobody can say what lies inside), overlaps its partner, those searched
exhaustively, faults and microseconds of processor time per frame.
"""

import argparse
import os
import platform
import sys
import time
from pathlib import Path

from stories.brute import crosses_itself, solids, truth
from stories.judge import bar
from stories.recorded import recorded
from stories.story import Story
from stories.weigh import weigh

import wingedge
from sim import PairTracker, exhaustive


def follow(story: Story) -> tuple[str, list[str]]:
    """Track one story; return its row and what is amiss."""
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


def main() -> int:
    """Run all, print, say whether all was right."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--log", type=Path, metavar="FILE", help="write it too")
    options = parser.parse_args()
    folder = os.environ.get("WINGEDGE_REAL_DATA")
    if not folder:
        parser.error("WINGEDGE_REAL_DATA names no folder of recorded deformations")
    lines = [
        f"fuzz_recorded: wingedge {wingedge.__version__}, Python "
        f"{platform.python_version()}, {platform.platform()}",
        f"{'':28} frames convex crossing overlapping searched faults  us/frame",
    ]
    wrong: list[str] = []
    for name, story in recorded(Path(folder)).items():
        row, amiss = follow(story)
        lines.append(f"{name:28} {row}")
        wrong += [f"case {name}:{line}" for line in amiss]
        print(lines[-1], file=sys.stderr, flush=True)
    text = "\n".join([*lines, *wrong[:200]])
    print(text)
    if options.log:
        options.log.write_text(text + "\n", encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
