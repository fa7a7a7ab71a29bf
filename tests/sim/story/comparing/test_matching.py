from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sim.story.comparing.matching import refined

tokens = st.lists(st.integers(0, 5), min_size=1, max_size=40)


@given(tokens, tokens)
def test_what_is_paired_is_the_same_in_order(a, b):
    pairs = refined([], a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(i < k and j < p for (i, j), (k, p) in pairwise(pairs))
    assert set(pairs) <= set(refined(pairs, a, b)), "what is paired stays"
