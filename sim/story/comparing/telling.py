"""Say in words what is different between two histories, and since when it is late."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from sim.events.event import REGION_KINDS, Event
from sim.story.comparing.difference import Difference, counted
from sim.story.comparing.histories import History
from sim.story.comparing.matching import Match


def changes(
    a: History,
    b: History,
    match: Match,
    tolerance: float,
    remarks: Mapping[tuple[int, int], str],
) -> Iterator[Difference]:
    """Tell what matched events say differently, not when; and where regions part.

    Identities of regions are names without a meaning of their own: one more region
    shifts those of all that come later.  What counts is that they correspond, one to
    one.
    """
    who = (a.name,)
    partner: dict[tuple[str, int], int] = {}
    for i, j in sorted(match.same + match.changed):
        x, y = a.events[i], b.events[j]
        if not says_the_same(a, b, i, j):
            words = f"{in_words(x)} became {in_words(y)}"
            if x.after != y.after:
                head = "" if x.kind == "change" else f"{x.kind} "
                words = f"{head}{x.after} became {y.after}"
            words += f"; {remarks[i, j]}" if remarks.get((i, j)) else ""
            lag = y.frame - x.frame
            yield Difference(x.frame, "feature", who, words, x, y, lag)
        elif x.dent and y.dent:
            off = abs(x.dent.depth - y.dent.depth)
            off /= max(abs(x.dent.depth), abs(y.dent.depth)) or 1.0
            if off > tolerance:
                words = f"{x.kind} by {x.dent.depth:.6g} became {y.dent.depth:.6g}"
                yield Difference(x.frame, "numbers", who, words, x, y, excess=off)
        # of several that part or join only the one that goes on can be told apart
        forth, back = ("a", x.contact), ("b", y.contact)
        if x.kind in REGION_KINDS and (
            partner.setdefault(forth, y.contact) != y.contact
            or partner.setdefault(back, x.contact) != x.contact
        ):
            words = f"{in_words(x)} became {in_words(y)}"
            yield Difference(x.frame, "lineage", who, words, x, y)
            partner[forth], partner[back] = y.contact, x.contact


def unmatched(a: History, b: History, match: Match) -> Iterator[Difference]:
    """Tell what only one of the two tells, and what comes in another order."""
    for kind, history, places in (
        ("lost", a, match.lost),
        ("inserted", b, match.inserted),
    ):
        runs: list[list[Event]] = []
        alone = set(places)
        for k in places:  # one after the other, or a whole contact
            if k - 1 in alone and history.events[k - 1].kind != "end":
                runs[-1].append(history.events[k])
            else:
                runs.append([history.events[k]])
        for events in runs:
            first, n = events[0], len(events)
            words = in_words(first)
            if n > 1:
                whole = first.kind == "begin" and events[-1].kind == "end"
                what = "a whole contact, " if whole else ""
                words = f"{what}{n} events to frame {events[-1].frame}: {words} ..."
            x, y = (first, None) if kind == "lost" else (None, first)
            yield Difference(first.frame, kind, (history.name,), words, x, y, count=n)
    for i, j in match.moved:
        x, y = a.events[i], b.events[j]
        lag = y.frame - x.frame
        way = "later" if lag > 0 else "earlier"
        when = f"{counted(abs(lag), 'frame')} {way}, " if lag else ""
        words = f"{in_words(x)}, {when}in another order"
        yield Difference(x.frame, "reordered", (a.name,), words, x, y, lag)


def in_words(event: Event) -> str:
    """Write an event without its frame and its bodies: ``begin VF v12 f5``."""
    names = f"{event.a}/{event.b}" if event.b else event.a
    rest = str(event).removeprefix(f"{event.frame} {event.kind} {names}")
    return f"{event.kind}{rest}"


def says_the_same(a: History, b: History, i: int, j: int) -> bool:
    """Say whether two events are the same but for their frame, and what came before."""
    implied = a.implied[i] and b.implied[j] and a.tokens[i] == b.tokens[j]
    return implied or in_words(a.events[i]) == in_words(b.events[j])


class Partners(NamedTuple):
    """Two events of one history that belong together."""

    name: str  # of the history
    a: Event
    b: Event
    same: bool  # whether they say the same
    lag: int  # by how many frames the second is later


def partners(a: History, b: History, match: Match) -> list[Partners]:
    """List the matched events of a history, in its order."""
    pairs = [(i, j, a.events[i], b.events[j]) for i, j in match.same + match.changed]
    return [
        Partners(a.name, x, y, says_the_same(a, b, i, j), y.frame - x.frame)
        for i, j, x, y in sorted(pairs, key=lambda pair: pair[:2])
    ]


def shifts(matched: list[Partners]) -> Iterator[Difference]:
    """Tell what is late or early; what says something else says when for itself.

    One line for all that is late by the same number of frames, one event after the
    other, in a history or in the whole story.

    Parameters: ``matched``: history by history, in order.
    """
    n = len(matched)
    frames = sorted(one.a.frame for one in matched)
    in_time = sorted(range(n), key=lambda k: (matched[k].lag, matched[k].a.frame))
    links = [*pairwise(range(n))]
    links += [
        (k, p)
        for k, p in pairwise(in_time)
        if bisect_left(frames, matched[p].a.frame)
        <= bisect_right(frames, matched[k].a.frame)
    ]
    above = list(range(n))

    def root(k: int) -> int:
        while above[k] != k:
            k = above[k]
        return k

    for k, p in links:
        if matched[k].lag == matched[p].lag:
            above[root(p)] = root(k)
    runs: dict[int, list[Partners]] = {}
    for k in sorted(range(n), key=lambda k: matched[k].a.frame):
        runs.setdefault(root(k), []).append(matched[k])
    for run in runs.values():
        first = next((one for one in run if one.same), None)
        if first is None or not first.lag:
            continue
        words = f"by {counted(abs(first.lag), 'frame')}: "
        if len(run) == 1:
            words += in_words(first.a)
        elif len(run) == n:
            words += f"the whole story, {n} events"
        else:
            words += f"{counted(len(run), 'event')} to frame {run[-1].a.frame}, "
            words += f"from {in_words(first.a)}"
        yield Difference(
            run[0].a.frame,
            "late" if first.lag > 0 else "early",
            tuple(dict.fromkeys(one.name for one in run)),
            words,
            first.a,
            first.b,
            first.lag,
            len(run),
        )
