import numpy as np
import pytest

from viewer.hands.moulding import RANGES, Moulding, moulded
from wingedge import shapes

REST = np.add(shapes.grid_box((1, 1, 8), (1.0, 1.0, 4.0)).points, (3.0, 2.0, 1.0))


def test_squash_presses_twist_turns_and_no_amount_leaves_every_bit():
    points = moulded(REST, Moulding())
    assert points.tobytes() == REST.tobytes()
    assert not np.shares_memory(points, REST)
    points = moulded(REST, Moulding(squash=0.5))
    low, high = points.min(axis=0), points.max(axis=0)
    np.testing.assert_allclose((low + high) / 2, (3.0, 2.0, 1.0))
    np.testing.assert_allclose(high - low, (np.sqrt(2), np.sqrt(2), 2.0))
    points = moulded(REST, Moulding(twist=90.0))
    top = REST[:, 2] == REST[:, 2].max()
    x, y = (REST[top] - (3.0, 2.0, 1.0))[:, :2].T
    turned = np.stack([3.0 - y, 2.0 + x, REST[top][:, 2]], axis=-1)
    np.testing.assert_allclose(points[top], turned, atol=1e-12)
    assert (points[REST[:, 2] == -1.0] == REST[REST[:, 2] == -1.0]).all()
    for name, ends in RANGES.items():
        for end in ends:
            assert np.isfinite(moulded(REST, Moulding(**{name: end}))).all()


def test_the_order_is_squash_twist_bend_of_what_leaves_a_body():
    whole = moulded(REST, Moulding(0.3, 40.0, 30.0))
    parts = REST
    for part in (Moulding(squash=0.3), Moulding(twist=40.0), Moulding(bend=30.0)):
        middle = (parts.min(axis=0) + parts.max(axis=0)) / 2
        if part.bend == 0.0:
            np.testing.assert_allclose(middle[2], 1.0)
        parts = moulded(parts, part)
    np.testing.assert_allclose(whole, parts, atol=1e-12)
    for amount in [float("nan"), float("inf"), 1.0]:
        with pytest.raises(ValueError, match=r"squash|amount"):
            moulded(REST, Moulding(squash=amount))
