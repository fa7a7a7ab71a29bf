"""Run the same stories interpreted, compiled and switched in the middle: same bits?

    python tests/fuzz/fuzz_engines.py --frames 200000 --seed 0 --processes 2
    python tests/fuzz/fuzz_engines.py --of surface,regions,audit,hull
    python tests/fuzz/fuzz_engines.py --of magnitudes

Every public number of every answer is digested.  ``--of convex``, the default: the
closest features of convex bodies, half of the frames degenerate.  The others are of
bodies of any shape that bend: cups, rings, gears, L and U, dented and folded, apart, in
exact touch, nested, crossing; in every second story in live arrays.  ``magnitudes`` are
numbers from 1e-300 to 1e300 in poses and positions, interpreted on buffers that refuse
an index outside: the same words, too (``stories/magnitudes.py``).  Exit code 1 if a bit
differs; 2 if this version has no compiled engine.
"""

import sys
from argparse import Namespace
from collections import Counter
from contextlib import nullcontext

from runner import Say, list_cases, main, played
from stories import DEGENERATE, FRAMES, GENERAL, story
from stories import deforming as bending
from stories.bending import BENDS
from stories.bits import KINDS, tracked
from stories.checked import checked_kernels
from stories.magnitudes import drawn, hostile
from stories.story import Story

from sim import set_engine
from wingedge import MeshError

Digests = list[str]
Job = tuple[str, str, int, bool]  # what is answered, family, seed, exact
CONVEX = "convex"  # closest features of convex bodies
HOSTILE = "magnitudes"
KNOWN = (CONVEX, *KINDS, HOSTILE)
MEDIUM = 8  # bending stories to one of bodies of up to 300 vertices


def author(job: Job) -> Story:
    of, family, seed, _ = job
    if of == CONVEX:
        return story(family, seed)
    return bending.told("small" if seed % MEDIUM else "medium", family, seed)


def told(job: Job, engines: list[str]) -> Digests:
    of, _, seed, exact = job
    tale = author(job)
    a, b = tale.bodies()
    if of != CONVEX and seed % 2:
        _ = a.points, b.points  # handed out: every frame's positions are new
    look = (KINDS | {CONVEX: tracked})[of](a, b, exact)
    share = -(-FRAMES // len(engines))
    digests = []
    for frame in tale.play(a, b):
        if frame % share == 0:
            set_engine(engines[frame // share])
        try:
            digests.append(look())
        except (MeshError, ValueError) as error:
            digests.append(f"{type(error).__name__}: {error}")
    return digests


def compare(job: Job) -> tuple[str, int, list[str]]:
    """Tell one story four times; list where the bits differ."""
    of, family, seed, _ = job
    if of == HOSTILE:
        return of, FRAMES, compare_hostile(seed)
    truth = told(job, ["python"])
    found = []
    for engines in (
        ["compiled"],
        ["python", "compiled"],
        ["compiled", "python", "compiled"],
    ):
        other = told(job, engines)
        found += [
            f"{of} {family}:{seed}:{k} {' then '.join(engines)}"
            for k, (one, two) in enumerate(zip(truth, other, strict=True))
            if one != two
        ]
    return family if of == CONVEX else of, len(truth), found


def compare_hostile(seed: int) -> list[str]:
    """Answer hostile cases interpreted, checked, and compiled; list what differs."""
    found = []
    for k in range(seed * FRAMES, (seed + 1) * FRAMES):
        said = []
        for engine in ("python", "compiled"):
            set_engine(engine)
            try:
                with checked_kernels() if engine == "python" else nullcontext():
                    said.append(repr(hostile(*drawn(k))))
            except Exception as error:
                found.append(f"{HOSTILE}:{k} {type(error).__name__}: {error}")
        if len(set(said)) == 2:
            found.append(f"{HOSTILE}:{k} differs")
    return found


def jobs(of: list[str], frames: int, seed: int, exact: bool) -> list[Job]:
    """List the stories: as many frames of each kind of answer."""
    listed = []
    for kind in of:
        groups = [GENERAL, DEGENERATE] if kind == CONVEX else [BENDS]
        groups = [{HOSTILE: None}] if kind == HOSTILE else groups
        for families in groups:
            stories = -(-frames // (len(of) * len(groups) * FRAMES))
            names = list(families)
            listed += [
                (kind, names[k % len(names)], seed * 1_000_000 + k, exact)
                for k in range(stories)
            ]
    return listed


def run(options: Namespace, say: Say) -> bool:
    of = options.of.split(",")
    for name in of:
        if name not in KNOWN:
            raise SystemExit(f"{name!r} is none of {', '.join(KNOWN)}")
    try:
        set_engine("compiled")
    except (ValueError, ImportError) as error:
        print(f"there is no compiled engine here: {error}")
        sys.exit(2)
    work = jobs(of, options.frames, options.seed, options.exact)
    frames: Counter[str] = Counter()
    differing: list[str] = []
    for name, count, found in played(compare, work, max(2, options.processes)):
        frames[name] += count
        differing += found
    for name, n in frames.items():
        say(f"    {name:16} {n:8}")
    say(
        f"{frames.total()} frames interpreted, compiled, and switched twice: "
        f"{len(differing)} differing"
    )
    list_cases(differing, say)
    return not differing


if __name__ == "__main__":
    options = {"frames": 10_000, "seed": 0, "processes": 1, "exact": False}
    sys.exit(main(__doc__, run, **options, of=CONVEX))
