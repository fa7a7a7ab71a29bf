import numpy as np  # of sim.result.renaming

from sim.result.renaming import identities, links


def pairs(*given):
    return np.array(given, np.int32).reshape(-1, 2)


def test_regions_are_related_by_the_pairs_that_they_share():
    before = [pairs((0, 0), (0, 1), (2, 5)), pairs((7, 7))]
    after = [pairs((0, 1), (2, 5), (9, 9)), pairs((3, 3)), pairs((7, 7), (0, 0))]
    assert links(before, after) == [(0, 0, 2), (0, 2, 1), (1, 2, 1)]
    both = [pairs((1, 1)), pairs((1, 1), (2, 2))]
    assert links(both, both) == [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 2)]
    for empty in [[], [pairs()]]:
        assert links(empty, [pairs((0, 0))]) == []
        assert links([pairs((0, 0))], empty) == []


def named(known, before, after, fresh=10):
    return identities(known, before, after, fresh)


def test_an_identity_stays_where_a_region_moves_on_and_with_the_larger_piece():
    assert named([4], [pairs((0, 0), (1, 0))], [pairs((1, 0), (2, 0))]) == ([4], 10)
    assert named([4], [pairs((0, 0))], [pairs((1, 1)), pairs((5, 5))]) == ([10, 11], 12)
    whole = [pairs((0, 0), (1, 1), (2, 2))]
    assert named([4], whole, [pairs((0, 0)), pairs((1, 1), (2, 2))]) == ([10, 4], 11)
    assert named([4], whole, [pairs((0, 0)), pairs((2, 2))]) == ([4, 10], 11)


def test_the_oldest_identity_survives_a_merge_and_a_piece_takes_its_next_oldest():
    parts = [pairs((0, 0), (0, 1), (0, 2)), pairs((2, 2))]
    assert named([7, 4], parts, [pairs((0, 0), (2, 2))]) == ([4], 10)
    # 1 goes to the first; the second has a part of 1 too, but all of 3.
    before = [pairs((0, 0), (0, 1), (0, 2)), pairs((5, 5))]
    after = [pairs((0, 0), (0, 1)), pairs((0, 2), (5, 5))]
    assert named([1, 3], before, after) == ([1, 3], 10)
