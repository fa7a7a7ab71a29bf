"""What the threshold and the search range change, which the paper leaves open."""

from collections.abc import Iterator

from paper_experiments.misses import differs
from paper_experiments.ways import BODIES, GAPS, Pace, followed, way

PAIRS = (("ball", "box"), ("hull", "hull"), ("needle 100", "plate"))
THRESHOLDS = (0.0011, 0.002, 0.004, 0.01, 0.02, 0.05)  # times the gap: 1.1 to 50
RANGES = (1, 2, 3, 5)
COLUMNS = ("pair", "threshold", "search_range", "frames", "wrong", "worst", "examined")


def rows(quick: bool) -> Iterator[tuple[object, ...]]:
    """Try every threshold with every range, 3 degrees of both motions a frame."""
    frames, seeds = (20, 1) if quick else (60, 3)
    for name_a, name_b in PAIRS[:1] if quick else PAIRS:
        meshes = BODIES[name_a], BODIES[name_b]
        pace, gap = Pace(3.0, 3.0), GAPS["contact"]
        ways = [way(*meshes, frames, pace, gap, s) for s in range(seeds)]
        for threshold in THRESHOLDS[::3] if quick else THRESHOLDS:
            for steps in RANGES[:2] if quick else RANGES:
                options = {
                    "contact_distance": threshold,
                    "release_distance": threshold,
                    "search_range": steps,
                }
                total = wrong = examined = 0
                worst = 0.0
                for each in ways:
                    for _, state, truth in followed(each, *meshes, **options):
                        if not truth.certified:
                            continue
                        total += 1
                        examined += state.work.steps
                        wrong += differs(state, truth)
                        worst = max(worst, abs(state.distance - truth.distance))
                yield (
                    f"{name_a}, {name_b}",
                    threshold,
                    steps,
                    total,
                    wrong,
                    f"{worst:.3g}",
                    f"{examined / total:.1f}",
                )
