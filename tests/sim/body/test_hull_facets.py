"""Names of parts of a hull that the mesh has no number for."""

import pytest

from sim import Body, closest
from sim.body.hull_facets import hull_of, named
from sim.contact import PairState
from wingedge import Feature, shapes


@pytest.fixture
def state():
    """Answer for a U that stands for its hull, and a box above its gap."""
    a = Body(shapes.u_block(), convexity="hull")
    b = Body(shapes.box(0.1))
    return closest(a, b)


def test_numbers_of_the_mesh_are_features_of_the_mesh(state):
    assert named(state, 0, 0, 3) == Feature("vertex", 3)
    assert named(state, 0, 1, 27) == Feature("edge", 27)
    assert named(state, 0, 2, 13) == Feature("face", 13)
    assert named(state, 1, 2, 5) == Feature("face", 5)


def test_numbers_beyond_the_mesh_are_lids(state):
    faces = hull_of(state, 0)
    mesh = state.mesh_a
    for k, face in enumerate(faces.tolist()):
        assert named(state, 0, 2, mesh.n_faces + k) == Feature.lid(face)
        for s in range(3):
            ends = sorted((face[s], face[(s + 1) % 3]))
            number = mesh.n_edges + 3 * k + s
            assert named(state, 0, 1, number) == Feature.lid(ends)


def test_a_state_without_hulls_asks_its_body(state):
    read = PairState(state.numbers, "separated", 0, state.a, state.b)
    assert read.hulls == (None, None)
    number = state.mesh_a.n_faces + 2
    assert named(read, 0, 2, number) == named(state, 0, 2, number)


def test_a_mirrored_state_has_its_lids_on_the_other_side(state):
    number = state.mesh_a.n_faces + 1
    assert named(state.swapped(), 1, 2, number) == named(state, 0, 2, number)
    assert hull_of(state.swapped(), 0) is None
