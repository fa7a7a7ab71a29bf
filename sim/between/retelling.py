"""Tell the events of a pair with the changes between them, by time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sim.between.changes import ChangeFinder, FeatureChanges, Span
from sim.between.moves import Ending, Move
from sim.between.paths import PairPaths
from sim.events.event import Event
from sim.events.touch import Touch
from sim.kernels.between.chain import MET, WITHIN
from sim.result.state import PairState

APART: Span = (0.0, 1.0, True)
RANK = {"begin": 0, "separate": 1, "change": 2, "penetrate": 3, "end": 4}


def changes_on(
    paths: PairPaths, finder: ChangeFinder, first: PairState, last: PairState
) -> FeatureChanges:
    """Tell what became of the closest features on the way that is loaded.

    ``first``, ``last``: the answers at both ends.
    """
    moves = [move for _, move in finder.pairs]
    if rests(moves):
        return finder.over((), first, last)
    if finder.why:
        return finder.over([(0.0, 1.0, False)], first, last)
    spans = spans_of(paths.first(0.0), paths.first(0.0, back=True))
    # Of convex bodies that only shift, the ways along which features stay the closest
    # are a convex set (a Voronoi region of their difference): level ones, too.
    stays = slides(moves) and Touch.of(first) == Touch.of(last)
    return finder.over(() if stays and spans == [APART] else spans, first, last)


def may_change(finder: ChangeFinder, first: PairState, last: PairState) -> bool:
    """Say whether it is worth asking what became of closest features in contact.

    Not at rest, nor where they overlap at both ends: nothing is proven of that; nor
    where the same are named at both ends and nothing is proven, as they lie on each
    other, or are not convex.
    """
    if max(first.distance, last.distance) <= 0.0 or rests([m for _, m in finder.pairs]):
        return False
    if Touch.of(first) != Touch.of(last):
        return True
    return not (len(first.patch) > 1 < len(last.patch) or finder.why)


def rests(moves: Sequence[Move]) -> bool:
    """Say whether neither body moves."""
    return slides(moves) and all((m.start_map == m.end_map).all() for m in moves)


def slides(moves: Sequence[Move]) -> bool:
    """Say whether both bodies are shifted at most."""
    linear = ((m.start_map[:, :3] == m.end_map[:, :3]).all() for m in moves)
    return all(m.start is m.end for m in moves) and all(linear)


def spans_of(there: Ending, back: Ending) -> list[Span]:
    """Cut a way into what is apart, and what may not be."""
    free = 0.0 if there.ended == WITHIN else there.lower
    if free >= 1.0:
        return [APART]
    again = 1.0 if back.ended == WITHIN else back.upper
    low = there.upper if there.ended == MET else free
    high = back.lower if back.ended == MET else again
    spans = [(0.0, free, True), (low, max(low, high), False), (again, 1.0, True)]
    return [span for span in spans if span[0] < span[1] or not span[2]]


def retold(events: Sequence[Event], found: FeatureChanges) -> tuple[Event, ...]:
    """Tell events of a pair, each with its ``when``, and the changes while in contact.

    By time; what began or ended with other features than those of the frame names the
    features of its time.
    """
    whens = [event.when for event in found.events]
    last = len(whens)

    def known(event: Event) -> int:
        """Count the changes before an event."""
        assert event.when is not None
        return sum(w is not None and w[0] < event.when[1] for w in whens)

    told, since, until = [], 0, last
    for event in events:
        if event.kind == "change":
            continue
        k = known(event)
        touch, state = found.told[k].touch, found.told[k].state
        if event.kind == "end":
            told.append(replace(event, before=touch))
        elif event.after == touch:
            told.append(event)
        else:
            told.append(replace(event, after=touch, state=state))
        since = k if event.kind == "begin" else since
        until = k if event.kind == "end" else until
    told += found.events[since:until]
    return tuple(sorted(told, key=lambda e: (e.when or (0.0, 1.0), RANK[e.kind])))
