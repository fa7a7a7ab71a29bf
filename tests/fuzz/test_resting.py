"""Bodies that rest on each other are answered without a search over everything."""

import pytest
from stories.brute import solids
from stories.judge import weigh
from stories.level import fault_of_parts
from stories.shallow import resting

from sim import PairTracker, exhaustive, verify
from sim.engine.bound import Bound
from sim.kernels.solve import solve
from sim.kernels.surface.search import true_frame
from sim.tracking.buffers import Buffers

CASES = [  # a family, its vertices and seed, searches over everything that it may need
    *(("tilted", vertices, seed, 2) for vertices in (50, 120, 300) for seed in (0, 1)),
    *((family, 120, 1, 0) for family in ("bent", "touch", "flush")),
    ("bent", 50, 23, 0),
    *((family, 50, 0, 0) for family in ("convex", "bent", "touch", "flush")),
    *((family, 50, 1, 0) for family in ("convex", "touch")),
]


@pytest.mark.parametrize(("family", "vertices", "seed", "most"), CASES)
def test_bodies_at_rest_need_no_search_over_everything(family, vertices, seed, most):
    """One frame in 96 fell to it, in up to 500 ms; of 2880 others 11, in up to 4 s.

    Faces tipped by about the parallel tolerance overlap as level parts where the bodies
    are apart, no wider than they lean; at 4.6e-15 of the size no plane parts bodies and
    no crossing is sure, but a vertex lies inside, as deep as the hulls overlap.  Along
    the normal of a part that is level but for its last bits bodies overlap by some
    units more than along the best axis: a vertex or an edge of it was named.
    """
    told = resting(family, vertices, seed)
    tracker = PairTracker(*(bodies := told.bodies()))
    searched = 0
    for frame in told.play(*bodies):
        state = tracker.update()
        searched += state.work.fallbacks
        if vertices == 50 and family != "tilted":
            faults = weigh(state, *solids(*bodies, {})).faults
            assert all(fault.startswith("uncertified") for fault in faults)
            assert not state.certified or fault_of_parts(state) == ""
        if family == "tilted":
            wide = 1e-9 * abs(state.distance) + 1e-13 * state.size
            assert state.upper - state.lower <= wide
            if vertices == 50 and frame % 3 == 1:
                truth = exhaustive(*bodies)
                assert truth.lower <= state.upper
                assert state.lower <= truth.upper
        elif seed == 23 and frame in (0, 28, 46):
            assert (state.kind, state.certified) == ("FF", True)
            assert -5e-15 * state.size < state.distance < -4e-15 * state.size
            assert verify(state, *bodies)
    assert searched <= most


def test_an_arc_of_a_fine_rim_is_named_by_its_support():
    """Named by a part of the part.

    Of a disc of 320 sides, tipped by 1e-9, some corners of the rim are level with the
    lowest: neither an edge nor a face.
    """
    told = resting("tilted", 640, 3)
    tracker = PairTracker(*(bodies := told.bodies()))
    for frame in told.play(*bodies):
        state = tracker.update()
        assert state.certified
        if frame in (0, 3):
            assert state.kind == "VF"
            assert verify(state, *bodies)
        if frame == 3:
            break


@pytest.mark.parametrize("family", ["tilted", "bent", "flush", "touch"])
def test_a_search_for_the_nearest_pair_alone_ends_at_the_same_pair(family):
    """Whether the surfaces part took 6 of its 8 ms, to be thrown away."""
    told = resting(family, 50, 0)
    bodies = told.bodies()
    both = Buffers(*bodies, 1e-12), Buffers(*bodies, 1e-12)
    for _ in told.play(*bodies):
        found = []
        for pair_only, buffers in enumerate(both):
            buffers.choose_proofs()
            search = buffers.trees[2]
            a, b, workspace = buffers.tables
            solve(a, b, 1, workspace)
            own = search._replace(pair_only=pair_only)
            Bound(true_frame)(a, b, workspace._replace(search=own))
            best, at = search.best, search.state
            found.append((*best, at.ties, at.leaf_a, at.leaf_b))
        assert found[0] == found[1]
