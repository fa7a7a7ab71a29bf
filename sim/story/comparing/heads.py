"""In what two runs differ before anything happens: bodies, frames, time steps."""

from collections.abc import Iterator

from sim.story.comparing.difference import Difference, counted
from sim.story.comparing.sources import Side
from sim.story.comparing.threads import Key, Thread, threads
from sim.story.events import Event


def runs_differ(a: Side, b: Side, found: list[Difference]) -> Iterator[Difference]:
    """Tell in what the runs differ that the stories are of.

    What only one can tell of, as the other has no such frame, is told here at once.
    """
    start = a.story.first
    ours, theirs = a.story.bodies, b.story.bodies
    for name, events, which in (
        *((name, a.story.events, "first") for name in ours if name not in theirs),
        *((name, b.story.events, "second") for name in theirs if name not in ours),
    ):
        n = sum(1 for event in events if name in (event.a, event.b))
        words = f"only the {which} has {name!r}, with {counted(n, 'event')}"
        yield Difference(start, "bodies", (name,), words, count=n)
    shared = [name for name in ours if name in theirs]
    order = [name for name in theirs if name in ours]
    if shared != order:
        words = f"{', '.join(shared)} became {', '.join(order)}: another order"
        yield Difference(start, "bodies", (), words)
    if (start, _end(a)) != (b.story.first, _end(b)):
        beyond = sum(one.count for one in found if not both_tell(a, b, one))
        also = f", with {counted(beyond, 'event')} where only one has frames"
        words = f"{_span(a)} became {_span(b)}{also if beyond else ''}"
        yield Difference(start, "frames", (), words, count=beyond)
    x, y = a.story.dt, b.story.dt
    if x and y and abs(x - y) > 1e-12 * max(x, y):  # 0.0: nobody knows
        yield Difference(start, "dt", (), f"{x!r} became {y!r}")


def both_tell(a: Side, b: Side, found: Difference) -> bool:
    """Say whether both could have told of something that only one tells."""
    if found.kind == "lost":
        return b.story.first <= found.frame < _end(b)
    if found.kind == "inserted":
        return a.story.first <= found.frame < _end(a)
    return True


def sorted_threads(a: Side, b: Side) -> tuple[dict[Key, Thread], dict[Key, Thread]]:
    """Sort what happened to bodies that both have, by pair, as the first names it."""
    shared = {*a.story.bodies, ""} & {*b.story.bodies, ""}

    def told(side: Side) -> Iterator[Event]:
        for event in side.story.events:
            if event.a in shared and event.b in shared:
                yield event

    place = {name: k for k, name in enumerate(a.story.bodies)}
    turn = {
        (event.a, event.b)
        for event in told(b)
        if event.b and place[event.a] > place[event.b]
    }
    return threads(told(a), frozenset()), threads(told(b), turn)


def _end(side: Side) -> int:
    return side.story.first + side.story.frames


def _span(side: Side) -> str:
    if not side.story.frames:
        return "none"
    return f"{side.story.first} to {_end(side) - 1}"
