import numpy as np

from sim.kernels.vector import crossing, miss_each_other


def test_no_segments_that_come_closest_inside_both_are_passed_over():
    """Skew, nearly parallel, short and long, meeting at ends: the quick look agrees."""
    rng = np.random.default_rng(5)
    met = passed = 0
    for k in range(20000):
        p, d, q = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-3.0, 3.0, (3, 1))
        e = d * rng.uniform(-2.0, 2.0) + 10.0 ** rng.uniform(-16.0, 2.0) * rng.normal(
            size=3
        )
        if k % 3:  # a point of one beside a point of the other, often at an end
            s, t = rng.choice([0.0, 1e-15, 0.3, 1.0 - 1e-15, 1.0], 2)
            q = p + s * d - t * e + 10.0 ** rng.uniform(-12.0, 1.0) * np.cross(d, e)
        lines = [tuple(x.tolist()) for x in (p, d, q, e)]
        meet, s, w, _ = crossing(lines[0], lines[2], lines[1], lines[3])
        t = (p + s * d + w - q) @ e
        inside = meet and 0.0 < s < 1.0 and 0.0 < t < e @ e
        beside = miss_each_other(*lines[1::2], tuple((q - p).tolist()))
        assert not (inside and beside)
        met, passed = met + inside, passed + beside
    assert met > 1000
    assert passed > 3000
