import pickle

import pytest

from wingedge import ConvexityError, Feature, MeshError


def test_a_mesh_error_is_a_value_error_that_carries_invariant_and_element():
    error = MeshError("face 3 is bent", "planar faces", Feature("face", 3))
    assert isinstance(error, ValueError)
    assert (str(error), error.invariant) == ("face 3 is bent", "planar faces")
    assert error.element == Feature("face", 3)
    error = MeshError("the file is empty")
    assert error.invariant == ""
    assert error.element is None


@pytest.mark.parametrize("frame", [None, 12])
def test_a_convexity_error_names_edge_depth_body_and_frame(frame):
    error = ConvexityError.at(7, 0.25, body="jelly", frame=frame)
    assert isinstance(error, MeshError)
    assert (error.edge, error.depth, error.body, error.frame) == (
        7,
        0.25,
        "jelly",
        frame,
    )
    assert error.element == Feature("edge", 7)
    for word in ("'jelly'", "edge 7", "0.25"):
        assert word in str(error)
    assert ("frame 12" in str(error)) == (frame is not None)


def test_errors_survive_a_trip_to_another_process():
    for error in [
        MeshError("text", "finite", Feature("vertex", 1)),
        ConvexityError.at(1, 2.0, body="b", frame=3),
    ]:
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert vars(back) == vars(error)
