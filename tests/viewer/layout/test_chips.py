import numpy as np

from viewer.layers.insets import place_discs

NONE = np.empty((0, 3))
SIZE = (400, 300)


def gaps(middles):
    away = np.linalg.norm(middles[:, None] - middles[None], axis=-1)
    return away[np.triu_indices(len(middles), 1)]


def test_a_number_sits_on_what_it_numbers_or_at_its_second_place():
    anchors = [np.array([[50.0, 60.0], [80.0, 60.0]])]
    middles, own = place_discs(anchors, 9.0, SIZE, NONE)
    assert middles.tolist() == own.tolist() == [[50.0, 60.0]]
    taken = np.array([[50.0, 60.0, 9.0]])
    middles, own = place_discs(anchors, 9.0, SIZE, taken)
    assert middles.tolist() == own.tolist() == [[80.0, 60.0]]


def test_numbers_find_places_in_the_picture_beside_each_other():
    anchors = [np.array([[200.0, 150.0]])] * 14
    middles, own = place_discs(anchors, 9.0, SIZE, NONE)
    assert gaps(middles).min() >= 18.0
    assert (own == [200.0, 150.0]).all()
    corner = np.array([[2.0, 2.0]])
    middles, _ = place_discs([corner] * 5, 9.0, SIZE, NONE)
    assert (middles >= 9.0).all()


def test_a_stop_keeps_its_number_and_places_scale():
    middles, own = place_discs(
        [np.array([[200.0, 150.0]])], 9.0, SIZE, NONE, beside=True
    )
    assert np.linalg.norm(middles - own) >= 15.0
    anchors = [np.array([[100.0, 75.0]])] * 6
    small, _ = place_discs(anchors, 9.0, SIZE, NONE)
    twice = [2.0 * own for own in anchors]
    large, _ = place_discs(twice, 9.0, (800, 600), NONE, scale=2.0)
    np.testing.assert_allclose(large, 2.0 * small)
    middles, own = place_discs([], 9.0, SIZE, NONE)
    assert middles.shape == own.shape == (0, 2)
