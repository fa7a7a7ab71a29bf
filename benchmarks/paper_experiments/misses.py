"""Where the printed rules fail, and what a vertex rule and a criterion add.

A frame is wrong where the distance differs from the certified one by more than 1e-9
of itself and 1e-13 size.  The search has one sign of its own that something is
amiss: that no element within its range passes, in the contact algorithm, or, with the
criterion, that the pair is refused.  A wrong frame without such a sign is silent.
"""

from collections.abc import Iterator

from paper_experiments.ways import BODIES, GAPS, PAIRS, Pace, Way, followed, way
from sim import Body, exhaustive
from sim.paper import LEAST
from sim.result.state import PairState

RULES: dict[str, dict[str, bool]] = {
    "as printed": {},
    "vertex rule": {"vertex_rule": True},
    "repeat": {"repeat": True},
    "vertex rule, repeat": {"vertex_rule": True, "repeat": True},
    "Voronoi": {"voronoi": True},
    "all three": {"vertex_rule": True, "repeat": True, "voronoi": True},
}
RELATIVE, ABSOLUTE = 1e-9, 1e-13  # of the distance, per unit of size: more is wrong
DEGREES = (0.3, 1.0, 3.0, 10.0, 30.0)
MOTIONS = {"spin": (1.0, 0.0), "travel": (0.0, 1.0)}
JUDGED = 20  # every so many frames the certified tracker itself is judged, by all pairs

COLUMNS = (
    "pair",
    "regime",
    "motion",
    "degrees",
    "moved",
    "rules",
    "frames",
    "wrong",
    "silent",
    "too_far",
    "worst",
    "examined",
    "compared_anew",
    "unproven",
    "judged",
    "certified_wrong",
)


def differs(state: PairState, truth: PairState) -> bool:
    """Whether a distance is not that of another answer, but for rounding."""
    off = abs(state.distance - truth.distance)
    size = max(state.size, truth.size)
    return off > RELATIVE * abs(truth.distance) + ABSOLUTE * size


def rows(quick: bool) -> Iterator[tuple[object, ...]]:
    """Try every pair of bodies, regime, motion and step with all sets of rules."""
    frames, seeds = (20, 1) if quick else (60, 3)
    pairs = PAIRS[::5] if quick else PAIRS
    degrees = (10.0,) if quick else DEGREES
    for name_a, name_b in pairs:
        for regime, gap in GAPS.items():
            for motion, (spin, travel) in MOTIONS.items():
                for angle in degrees:
                    pace = Pace(spin * angle, travel * angle)
                    meshes = BODIES[name_a], BODIES[name_b]
                    ways = [way(*meshes, frames, pace, gap, s) for s in range(seeds)]
                    head = f"{name_a}, {name_b}", regime, motion, angle
                    yield from _tried(head, name_a, name_b, ways)


def _tried(
    head: tuple[object, ...], name_a: str, name_b: str, ways: list[Way]
) -> Iterator[tuple[object, ...]]:
    moved = sum(each.moved for each in ways) / len(ways)
    judged, bad = _judged(name_a, name_b, ways)
    for rules, options in RULES.items():
        frames = wrong = silent = too_far = anew = unproven = 0
        worst = examined = 0.0
        for each in ways:
            meshes = BODIES[name_a], BODIES[name_b]
            for before, state, truth in followed(each, *meshes, **options):
                if not truth.certified:
                    unproven += 1
                    continue
                frames += 1
                examined += state.work.steps
                anew += state.work.fallbacks
                if not differs(state, truth):
                    continue
                wrong += 1
                in_contact = before.regime != "separated"
                noticed = in_contact and state.reason.endswith(LEAST)
                silent += not (noticed or state.work.fallbacks)
                too_far += state.distance > truth.distance
                worst = max(worst, abs(state.distance - truth.distance))
        yield (
            *head,
            f"{moved:.4g}",
            rules,
            frames,
            wrong,
            silent,
            too_far,
            f"{worst:.3g}",
            f"{examined / frames:.1f}",
            anew,
            unproven,
            judged,
            bad,
        )


def _judged(name_a: str, name_b: str, ways: list[Way]) -> tuple[int, int]:
    """Compare the certified answers themselves with a search over all pairs."""
    judged = bad = 0
    for each in ways:
        a, b = Body(BODIES[name_a]), Body(BODIES[name_b])
        frames = list(zip(each.poses, each.truths, strict=True))
        for b.pose, truth in frames[::JUDGED]:
            judged += 1
            bad += differs(truth, exhaustive(a, b))
    return judged, bad
