import numpy as np
import pytest

from wingedge.spatial.triangles import SLACK, TriangleSet


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e300])
def test_the_largest_coordinate_is_scaled_to_between_a_half_and_one(scale):
    soup = TriangleSet(np.array([[[0.0, 3, 1], [1, 2, -7], [1, 1, 1]]]) * scale)
    largest = max(np.abs(x).max() for x in soup.corners(np.array([0])))
    assert 0.5 <= largest < 1
    assert (soup.restored(soup.scaled(soup.triangles)) == soup.triangles).all()


def test_a_set_at_the_origin_is_not_scaled():
    soup = TriangleSet(np.zeros((2, 3, 3)))
    assert soup.exponent == 0
    assert soup.queries(p=(1.0, 2, 3)).tolist() == [1, 2, 3]


def test_the_slack_grows_with_far_queries():
    soup = TriangleSet(np.eye(3)[None])
    p = np.array([[0.1, 0.2, 0.3], [0, -64.0, 1]])
    assert soup.slack(p).tolist() == [SLACK, 64 * SLACK]
    assert soup.slack(p, p[::-1]).tolist() == [64 * SLACK] * 2


def test_boxes_are_those_of_the_corners_as_given():
    x = np.random.default_rng(0).normal(size=(5, 3, 3)) * 1e-310
    soup = TriangleSet(x)
    assert (soup.lowest == x.min(axis=1)).all()
    assert (soup.highest == x.max(axis=1)).all()
