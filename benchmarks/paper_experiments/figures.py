"""How the rules do on the paper's own figures, played as scenes.

Every set of rules follows the bodies of a scene beside the certified tracker, with the
scene's contact distance.  Fig. 8 is the scene ``arch``.
"""

from collections.abc import Iterator

from paper_experiments.misses import RULES, differs
from sim import PairTracker, scenes

SCENES = ("fig3_face_vertex", "fig3_edge_edge", "fig4", "fig5", "fig6", "fig7", "arch")
CONTACT_DISTANCE = 0.01  # that of the scenes
COLUMNS = ("scene", "rules", "frames", "wrong", "worst", "changes", "beside")


def rows(quick: bool) -> Iterator[tuple[object, ...]]:
    """Play every scene once, all sets of rules beside each other.

    ``changes`` counts how often the closest features change in contact, ``beside``
    how many of these lead to a neighbour, as the paper's premise has it.
    """
    for name in SCENES[4:6] if quick else SCENES:
        world = scenes.load(name)
        truth = PairTracker(*world.bodies, contact_distance=CONTACT_DISTANCE)
        trackers = {
            rules: PairTracker(
                *world.bodies,
                strategy="paper",
                contact_distance=CONTACT_DISTANCE,
                **options,
            )
            for rules, options in RULES.items()
        }
        wrong, worst = dict.fromkeys(RULES, 0), dict.fromkeys(RULES, 0.0)
        frames = changes = beside = 0
        for frame in world.run(scenes.length(name)):
            right = truth.update()
            frames += 1
            moved = [event for event in frame.events if event.kind == "change"]
            changes += len(moved)
            beside += sum(bool(event.path) for event in moved)
            for rules, tracker in trackers.items():
                state = tracker.update()
                wrong[rules] += differs(state, right)
                worst[rules] = max(worst[rules], abs(state.distance - right.distance))
        for rules in RULES:
            row = wrong[rules], f"{worst[rules]:.3g}", changes, beside
            yield name, rules, frames, *row
