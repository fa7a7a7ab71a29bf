"""How many elements are examined per frame, by the number of faces.

Examined: of the paper's search the pairs and elements it tests or measures; of the
certified tracker the vertices it stands on and looks at and the faces it asks; of
brute force all vertex-face and edge-edge pairs.
"""

from collections.abc import Iterator

from paper_experiments.ways import CONTACT_DISTANCE, GAPS, Pace, way
from sim import Body, PairTracker
from wingedge import shapes

COLUMNS = ("faces", "regime", "search", "frames", "examined", "vertices_read", "wrong")


def rows(quick: bool) -> Iterator[tuple[object, ...]]:
    """Roll a ball round another one, both of the same number of faces."""
    from paper_experiments.misses import differs

    frames = 15 if quick else 60
    for level in (1, 2) if quick else (0, 1, 2, 3, 4, 5):
        mesh = shapes.icosphere(level, 0.5)
        v, e, f = mesh.n_vertices, mesh.n_edges, mesh.n_faces
        for regime, gap in GAPS.items():
            each = way(mesh, mesh, frames, Pace(1.0, 1.0), gap, 0)
            a, b = Body(mesh), Body(mesh)
            searches = {
                "paper": PairTracker(
                    a, b, strategy="paper", contact_distance=CONTACT_DISTANCE
                ),
                "certified": PairTracker(a, b, contact_distance=CONTACT_DISTANCE),
            }
            looked = dict.fromkeys(searches, 0)
            read = dict.fromkeys(searches, 0)
            wrong = dict.fromkeys(searches, 0)
            for b.pose, truth in zip(each.poses, each.truths, strict=True):
                for name, tracker in searches.items():
                    if tracker.state is None:
                        tracker.resume(truth)  # the first pair is given
                        continue
                    state = tracker.update()
                    work = state.work
                    looked[name] += work.steps
                    if name == "certified":
                        looked[name] += work.vertices + work.faces
                    read[name] += work.vertices
                    wrong[name] += differs(state, truth)
            n = frames - 1
            for name in searches:
                counts = f"{looked[name] / n:.1f}", f"{read[name] / n:.1f}"
                yield f, regime, name, n, *counts, wrong[name]
            yield f, regime, "brute force", n, 2 * v * f + e * e, 2 * v, 0
