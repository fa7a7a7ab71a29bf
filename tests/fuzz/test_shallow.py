"""Bodies that rest on each other, as ``bench_shallow`` times them."""

import pytest
from stories.shallow import resting

from sim import PairTracker, exhaustive


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("vertices", [50, 120, 300])
def test_tilted_faces_are_answered_from_the_facet_below_apart_or_not(vertices, seed):
    """One frame in 96 fell to the search over everything, in up to 500 ms.

    Faces tipped by about the parallel tolerance overlap as level parts where the bodies
    are apart; where bounds from such parts held, no facet was asked for better ones.
    """
    told = resting("tilted", vertices, seed)
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    for frame in told.play(a, b):
        state = tracker.update()
        assert (state.work.fallbacks, state.certified) == (0, True)
        if vertices == 50 and frame % 3 == 1:
            truth = exhaustive(a, b)
            assert truth.lower <= state.upper
            assert state.lower <= truth.upper


@pytest.mark.parametrize("family", ["bent", "touch", "flush"])
def test_touches_where_no_plane_parts_are_answered_by_the_trees(family):
    told = resting(family, 120, 1)
    tracker = PairTracker(*(bodies := told.bodies()))
    assert all(tracker.update().work.fallbacks == 0 for _ in told.play(*bodies))
