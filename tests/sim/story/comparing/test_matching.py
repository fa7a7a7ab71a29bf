from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sim.story.comparing.matching import EventSteps, Span, _common, alignments, gaps


def steps(tokens):
    return EventSteps(tokens, range(len(tokens)))


tokens = st.lists(st.integers(0, 5), min_size=1, max_size=40)


@given(tokens, tokens)
def test_every_alignment_pairs_what_is_the_same_in_order(a, b):
    for pairs in alignments(steps(a), steps(b)):
        assert all(a[i] == b[j] for i, j in pairs)
        assert all(i < k and j < p for (i, j), (k, p) in pairwise(pairs))
        left = [s.a_end - s.a + s.b_end - s.b for s in gaps(pairs, len(a), len(b))]
        assert sum(left) == len(a) + len(b) - 2 * len(pairs)


def test_long_stretches_lose_only_what_is_gone_or_are_cut_at_a_frame():
    a = [k % 7 for k in range(3000)]
    b = a[:1000] + a[1003:2000] + a[2001:]
    everywhere = alignments(steps(a), steps(b))[-1]
    assert len(everywhere) == len(b)
    a = [0, 1] * 400
    b = [1, 0, 0] * 300
    pairs = _common(steps(a), steps(b), Span(0, len(a), 0, len(b)))
    assert len(pairs) > 300
    assert all(a[i] == b[j] for i, j in pairs)
