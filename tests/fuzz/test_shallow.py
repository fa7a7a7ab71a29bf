"""Bodies that rest on each other, as ``bench_shallow`` times them."""

import pytest
from stories.shallow import resting

from sim import PairTracker, exhaustive, verify


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


def test_bodies_barely_deeper_than_a_touch_are_answered_by_their_deepest_vertex():
    """Of 2880 frames 11 fell to the search over everything, in up to 4 s.

    At 4.6e-15 of the size no plane parts them and no crossing is sure, but a vertex
    lies inside, as deep as the hulls overlap.
    """
    told = resting("bent", 50, 23)
    tracker = PairTracker(*(bodies := told.bodies()))
    for frame in told.play(*bodies):
        state = tracker.update()
        assert state.work.fallbacks == 0
        if frame in (0, 28, 46):
            assert (state.kind, state.certified) == ("FF", True)
            assert -5e-15 * state.size < state.distance < -4e-15 * state.size
            assert verify(state, *bodies)
