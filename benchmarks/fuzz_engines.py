"""Run the same stories interpreted, compiled and switched in the middle: same bits?

    python benchmarks/fuzz_engines.py --frames 200000 --seed 0 --processes 2

Every public number of every state is digested, half of the frames degenerate.  Exit
code 1 if a bit differs; 2 if this version has no compiled engine.
"""

import argparse
import hashlib
import multiprocessing
import platform
import sys
import time
from pathlib import Path

import numpy as np
from stories import DEGENERATE, FAMILIES, FRAMES, GENERAL, story

import wingedge
from sim import PairState, PairTracker, set_engine

Digests = list[str]
SHOWN = 50  # differing frames listed


def digest(state: PairState) -> str:
    """Digest all public numbers and names of a state, floats by their bits."""
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
    made = hashlib.blake2b(repr(plain).encode(), digest_size=8)
    for array in (state.point_a, state.point_b, state.normal, state.patch):
        made.update(np.asarray(array, np.float64).tobytes())
    for contact in state.contacts:
        made.update(repr((contact.kind, contact.feature_a, contact.feature_b)).encode())
        for array in (contact.point_a, contact.point_b, contact.normal):
            made.update(array.tobytes())
        made.update(np.float64(contact.distance).tobytes())
    return made.hexdigest()


def told(family: str, seed: int, engines: list[str], exact: bool) -> Digests:
    """Track one story; the engines share its frames, one after the other."""
    tale = story(family, seed)
    a, b = tale.bodies()
    tracker = PairTracker(a, b)
    share = -(-FRAMES // len(engines))
    digests = []
    for frame in tale.play(a, b):
        if frame % share == 0:
            set_engine(engines[frame // share])
        try:
            digests.append(digest(tracker.update(exact)))
        except ValueError as error:
            digests.append(f"{type(error).__name__}: {error}")
            tracker.reset()
    return digests


def compare(job: tuple[str, int, bool]) -> tuple[str, int, list[str]]:
    """Tell one story four times; list where the bits differ."""
    family, seed, exact = job
    truth = told(family, seed, ["python"], exact)
    found = []
    for engines in (
        ["compiled"],
        ["python", "compiled"],
        ["compiled", "python", "compiled"],
    ):
        other = told(family, seed, engines, exact)
        found += [
            f"{family}:{seed}:{k} {' then '.join(engines)}"
            for k, (one, two) in enumerate(zip(truth, other, strict=True))
            if one != two
        ]
    return family, len(truth), found


def main() -> int:
    """Compare, print, say whether any bit differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--exact", action="store_true", help="update(exact=True)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write the report too")
    options = parser.parse_args()
    try:
        set_engine("compiled")
    except (ValueError, ImportError) as error:
        print(f"there is no compiled engine here: {error}")
        return 2
    jobs = []
    for families in (GENERAL, DEGENERATE):  # half of the frames each
        stories = -(-options.frames // (2 * FRAMES))
        names = list(families)
        jobs += [
            (names[k % len(names)], options.seed * 1_000_000 + k, options.exact)
            for k in range(stories)
        ]
    start = time.monotonic()
    frames = dict.fromkeys(FAMILIES, 0)
    differing: list[str] = []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for done, (family, count, found) in enumerate(
            pool.imap_unordered(compare, jobs, chunksize=4), 1
        ):
            frames[family] += count
            differing += found
            if done % 50 == 0 or done == len(jobs):
                print(f"{done}/{len(jobs)} stories", file=sys.stderr, flush=True)
    lines = [
        f"fuzz_engines --frames {options.frames} --seed {options.seed}"
        f"{' --exact' if options.exact else ''}: {time.monotonic() - start:.0f} s",
        f"wingedge {wingedge.__version__}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, {platform.platform()}",
        *(f"    {family:16} {n:8}" for family, n in frames.items() if n),
        f"{sum(frames.values())} frames interpreted, compiled, and switched twice: "
        f"{len(differing)} differing",
        *sorted(differing)[:SHOWN],
    ]
    print("\n".join(lines))
    if options.log:
        options.log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
