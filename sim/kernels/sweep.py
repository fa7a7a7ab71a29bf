"""The broad phase: which boxes are near each other.

Space is cut into strips along one axis, and boxes are swept along another in each strip
(sweep and prune; Cohen et al. 1995, DOI 10.1145/199404.199437).  What is wide lies in
many strips and is swept in each.
"""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, kernel


class BoxSweep(NamedTuple):
    """Boxes in the order of their lower ends along the axis of the sweep; B of them."""

    low: Floats  # 3 B: sweep axis first, then the axis of the strips
    high: Floats  # 3 B, the margin added
    first: Ints  # B: the first strip that each lies in
    last: Ints  # B: the last one, as far as the margin reaches
    start: Ints  # strips + 1: where the members of each begin
    member: Ints  # so many as all strips have together
    strips: int
    total: int  # B
    pairs: Ints  # 2 room: places in this order
    room: int


@kernel
def sweep_boxes(boxes: BoxSweep) -> int:
    """List the pairs of boxes that overlap; return how many, also where room is short.

    A pair is listed in the first strip that both lie in.  Cost: O(B + P), P the pairs
    that overlap along the first axis in a common strip.
    """
    fill_strips(boxes)
    low = boxes.low
    high = boxes.high
    member = boxes.member
    first = boxes.first
    found = 0
    for s in range(boxes.strips):
        end = boxes.start[s + 1]
        for k in range(boxes.start[s], end):
            i = member[k]
            p = 3 * i
            x = high[p]
            y = high[p + 1]
            for m in range(k + 1, end):
                j = member[m]
                q = 3 * j
                if low[q] > x:
                    break
                if low[q + 1] > y or high[q + 1] < low[p + 1]:
                    continue
                if low[q + 2] > high[p + 2] or high[q + 2] < low[p + 2]:
                    continue
                if max(first[i], first[j]) == s:
                    if found < boxes.room:
                        boxes.pairs[2 * found] = i
                        boxes.pairs[2 * found + 1] = j
                    found += 1
    return found


@kernel
def fill_strips(boxes: BoxSweep) -> None:
    """List the members of every strip in order: counted, then put in their places."""
    start = boxes.start
    for s in range(boxes.strips + 1):
        start[s] = 0
    for i in range(boxes.total):
        for s in range(boxes.first[i], boxes.last[i] + 1):
            start[s + 1] += 1
    for s in range(boxes.strips):
        start[s + 1] += start[s]
    for i in range(boxes.total):
        for s in range(boxes.first[i], boxes.last[i] + 1):
            boxes.member[start[s]] = i
            start[s] += 1
    for k in range(boxes.strips):
        s = boxes.strips - k
        start[s] = start[s - 1]
    start[0] = 0
