"""Track many stories and compare every frame with the exhaustive truth.

    python tests/fuzz/fuzz_tracker.py --frames 250000 --family general --processes 2
    python tests/fuzz/fuzz_tracker.py --replay parallel:17:23 [--exact]

A frame is wrong if |distance - truth| > 1e-9 |truth| + 1e-13 size; the truth is
``sim.exhaustive``, and exact rationals where the two differ.  Every separated and
touching answer must be certified and proved again by ``sim.verify``; so must every
overlap with ``--exact``.  Exit code 1 when that is missed; the frames that missed it
are listed so that each can be run alone.
"""

import sys
from argparse import Namespace
from collections import Counter

from runner import Say, list_cases, main, played
from stories import DEGENERATE, FAMILIES, FRAMES, GENERAL, NOTCHED, judge, story
from stories.judge import REGIMES
from stories.tally import Tally

from sim import PairTracker

COLD_EVERY = 7  # frames between comparisons with a cold answer
RATIONAL_EVERY = 0  # stories between exact ones; 0: only where float64 is in doubt
OVERLAP_PROOFS = 5  # frames between two proofs of an overlap of larger bodies ...
SMALL_PRODUCT = 400  # ... whose difference has more vertices than this
HARMLESS = ("oracle wrong",)


def follow(job: tuple[str, int, bool, int]) -> Tally:
    family, seed, exact, rational_every = job
    tally = Tally()
    try:
        told = story(family, seed)
    except Exception as error:
        tally.blame((family, "no story"), f"{family}:{seed}:0 no story: {error!r} |")
        return tally
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    rational = rational_every > 0 and seed % rational_every == 0
    small = told.a.n_vertices * told.b.n_vertices <= SMALL_PRODUCT
    for frame in told.play(a, b):
        deep = tracker.state is not None and tracker.state.distance < 0.0
        found = judge(
            tracker,
            exact=exact,
            cold=frame % COLD_EVERY == 3,
            rational=rational,
            proved=small or not deep or frame % OVERLAP_PROOFS == 0,
        )
        counts = found.certified or found.regime != "penetrating"
        error = found.error if counts else float("nan")
        key = family, found.regime
        tally.count(key, error, found.fallbacks, found.certified)
        for fault in found.faults:
            case = f"{family}:{seed}:{frame} {fault} | {found.text}"
            tally.blame((family, fault.split(":")[0]), case)
        if found.regime == "none":
            tracker.reset()
    return tally


def replay(case: str, exact: bool, say: Say) -> bool:
    family, seed, last = case.split(":")
    told = story(family, int(seed))
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    for frame in told.play(a, b):
        if frame < int(last):
            tracker.update(exact)
            continue
        found = judge(tracker, exact=exact, cold=True, rational=True)
        for line in (a, a.pose, b, b.pose, *(found.faults or ["no fault"]), found.text):
            say(str(line))
        say(f"{case} {found.regime}, error {found.error:.3g} of the bar")
        return all(fault in HARMLESS for fault in found.faults)
    raise SystemExit(f"{case}: a story has only {FRAMES} frames")


def jobs(families: list[str], options: Namespace) -> list[tuple]:
    """List the stories, all families in turn."""
    each = -(-options.frames // (FRAMES * len(families)))
    first = options.seed * 1_000_000
    return [
        (family, first + k, options.exact, options.rational_every)
        for k in range(each)
        for family in families
    ]


def report(total: Tally, say: Say) -> None:
    head = f"{'family':16} {'regime':12} {'frames':>8} {'certified':>10} "
    say(head + f"{'searched':>9} {'worst/bar':>10}")
    sums: Counter[str] = Counter()
    for family, regime in sorted(total.frames):
        key = family, regime
        n, sure = total.frames[key], total.certified[key]
        say(
            f"{family:16} {regime:12} {n:8} {sure / n:10.4%} "
            f"{total.searched[key] / n:9.2%} {total.worst.get(key, 0.0):10.2e}"
        )
        sums[regime] += n
        sums["certified " + regime] += sure
    for regime in REGIMES:
        n, sure = sums[regime], sums["certified " + regime]
        say(f"{'all':16} {regime:12} {n:8} {sure / max(1, n):10.4%}")
    say(f"{sum(total.frames.values())} frames, faults by family:")
    for (family, kind), n in sorted(total.faults.items()):
        say(f"    {family:16} {kind}: {n}")
    if not total.faults:
        say("    none")
    list_cases(total.cases, say)


def run(options: Namespace, say: Say) -> bool:
    if options.replay:
        return replay(options.replay, options.exact, say)
    groups = {"general": GENERAL, "degenerate": DEGENERATE}
    groups |= {"notched": NOTCHED, "all": FAMILIES}
    families = list(groups.get(options.family, options.family.split(",")))
    for name in families:
        if name not in FAMILIES:
            raise SystemExit(f"no family {name!r}; there are {', '.join(FAMILIES)}")
    total = Tally()
    for tally in played(follow, jobs(families, options), options.processes):
        total.merge(tally)
    report(total, say)
    return not any(kind not in HARMLESS for _, kind in total.faults)


if __name__ == "__main__":
    options = {"frames": 10_000, "family": "all", "seed": 0, "processes": 1}
    more = {"exact": False, "rational_every": RATIONAL_EVERY, "replay": ""}
    sys.exit(main(__doc__, run, **options, **more))
