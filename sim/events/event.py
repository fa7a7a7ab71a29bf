"""Events: what happens to a contact, and the one way that it is written."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sim.events.touch import (
    Chain,
    Dent,
    Late,
    Touch,
    identities,
    is_number,
    kinds_between,
    marks_of,
    shown,
    split_name,
    touches_of,
    way,
    whole_name,
)
from sim.kernels.trajectory import SEPARATED
from sim.result.answers import REGIMES, PairAnswers
from sim.result.renaming import links, renamed
from sim.result.state import PairState
from wingedge.features import is_name

Told = tuple[Touch | None, Touch | None]  # the features told before, and now; or None
EVENT_KINDS = ("begin", "change", "penetrate", "separate", "end")
BETWEEN_KINDS = ("brush",)  # what began and ended between two frames
REGION_KINDS = ("split", "merge", "birth", "death")
BODY_KINDS = (
    "collapsed",
    "expanded",
    "inverted",
    "upright",
    "convexity_lost",
    "convexity_restored",
)
EXAMPLE = "47 change jelly/table VF v12 f5 -> EE e7(3-9) e9(1-4)"
REGION_EXAMPLE = "12 birth jelly/table #3 VF v12 f5"
LINEAGE_EXAMPLE = "14 split jelly/table #1 -> #1+#4"
BODY_EXAMPLE = "47 convexity_lost jelly e12(3-9) 0.0123"
SHAPES = {  # of each kind: how many words follow the names, and how a line looks
    **dict.fromkeys((*EVENT_KINDS, *BETWEEN_KINDS), (3, EXAMPLE)),
    **dict.fromkeys(BODY_KINDS, (0, BODY_EXAMPLE)),
    **dict.fromkeys(("split", "merge"), (3, LINEAGE_EXAMPLE)),
    **dict.fromkeys(("birth", "death"), (4, REGION_EXAMPLE)),
    "change": (7, EXAMPLE),
    "convexity_lost": (2, BODY_EXAMPLE),
}


@dataclass(frozen=True, slots=True)
class Event(Late):
    """Something that happened to a contact of two bodies, or to one body, in a frame.

    Printed as ``47 change jelly/table VF v12 f5 -> EE e7(3-9) e9(1-4)``, an edge with
    its tail and tip; ``Event.parse`` reads it back. This line is the same wherever an
    event is written.  What happens to one of several contacts at once, a region, names
    it by its identity: ``12 birth jelly/table #3 VF v12 f5``, ``14 split jelly/table #1
    -> #1+#4``, ``20 merge jelly/table #1+#4 -> #1``, ``31 death jelly/table #1 VF v12
    f5``.  What happens to one body names it alone: ``47 convexity_lost jelly e12(3-9)
    0.0123``, ``52 convexity_restored jelly``, ``60 inverted jelly``.

    Attributes
    ----------
    frame : int
        When it happened.
    kind : str
        "begin": the pair came into contact. "change": its closest features changed.
        "penetrate", "separate": it began, ceased to overlap. "end": it came apart.
        "brush": it touched and parted between two frames (``World(between=True)``).
        Of one body: "convexity_lost", "convexity_restored", within the default
        tolerance of ``wingedge.convexity``; "inverted", "upright": it turned
        inside-out, and back; "collapsed", "expanded": it lost its volume, and has one.
        Of regions: "birth", "death": one began, one ended. "split", "merge": one fell
        into several, several became one.
    a, b : str
        Names of the bodies; ``b`` is empty where it happened to one.
    contact : int
        Which contact it is, from "begin" to "end", unique in a run; -1 where the event
        was read from a line, which does not say.  Of regions the identity, unique in
        the pair, of the one that is born, dies or falls apart, or that several became.
    before, after : Touch or None
        The closest features before a "change" or an "end", and after all but an "end";
        of a region the closest features at its "birth" and before its "death".
    state : PairState or None
        The pair in this frame; None where the event was read from a line.
    path : tuple
        For a "change" between neighbours (the paper's search order), two chains of
        features, A's and B's, each from the old feature to the new, with one between at
        most; else empty.
    parents, children : tuple of int
        Identities of the regions that went into it and came out of it, ascending.
    dent : Dent or None
        Where, and how deep, of a "convexity_lost".
    when, time
        In a world with ``between=True``: an interval that is proven to hold the time, 0
        the frame before, 1 this one, and that in seconds, found when read; else None.
    part_a, part_b : str
        The parts that the features are of (``mesh.parts``): those after, at an "end" or
        a "death" those before; empty for none, and where the line names no features.
    """

    frame: int
    kind: str
    a: str
    b: str
    contact: int
    before: Touch | None = None
    after: Touch | None = None
    state: PairState | None = field(default=None, compare=False, repr=False)
    path: tuple[Chain, ...] = field(default=(), compare=False)
    parents: tuple[int, ...] = ()
    children: tuple[int, ...] = ()
    dent: Dent | None = None
    when: tuple[float, float] | None = field(default=None, compare=False)
    time: float | None = field(default=None, compare=False)
    part_a: str = ""
    part_b: str = ""

    @property
    def who(self) -> str:
        """The bodies with their parts, as in the line: ``foot.heel/ground``."""
        a, b = whole_name(self.a, self.part_a), whole_name(self.b, self.part_b)
        return a if self.kind in BODY_KINDS else f"{a}/{b}"

    @property
    def named(self) -> dict[str, Any]:
        """``a``, ``part_a``, ``b`` and ``part_b`` by name."""
        parts = {"part_a": self.part_a, "part_b": self.part_b}
        return {"a": self.a, "b": self.b} | parts

    def of(self, state: PairState | None, contact: int) -> "Event":
        """Return the same event with what its line does not say."""
        path = self.path
        if state and self.kind == "change" and self.before and self.after:
            path = way(state, self.before, self.after)
        return replace(self, contact=contact, state=state, path=path)

    def __str__(self) -> str:
        if self.kind in BODY_KINDS:
            words = [str(self.frame), self.kind, self.a]
            return " ".join(words if self.dent is None else [*words, str(self.dent)])
        head = f"{self.frame} {self.kind} {self.who}"
        if self.kind in ("split", "merge"):
            return f"{head} {marks_of(self.parents)} -> {marks_of(self.children)}"
        if self.kind in REGION_KINDS:
            return f"{head} {marks_of((self.contact,))} {self.before or self.after}"
        touches = " -> ".join(str(t) for t in (self.before, self.after) if t)
        return f"{head} {touches}"

    @classmethod
    def parse(cls, line: str, bodies: Collection[str] = ()) -> Self:
        """Read an event from its line, with or without the end of it.

        Parameters: ``bodies``: the names that there are, to tell ``foot.heel``, a part
        of foot, from a body of that name; without them a name ends at its first dot.

        Raises ValueError saying what is wrong with the line; also where another line
        says the same: an event has one.
        """
        text = line.removesuffix("\n").removesuffix("\r")
        words = text.split(" ")
        kind = words[1] if len(words) > 1 else ""
        tail, example = SHAPES.get(kind, (0, EXAMPLE))
        end = max(len(words) - tail, 0)
        names, said = " ".join(words[2:end]).split("/"), words[max(end, 2) :]
        one, lineage = kind in BODY_KINDS, kind in ("split", "merge")
        named = len(names) == 2 - one and all(map(is_name, names))
        none = f"{shown(text)} is no event; one looks like {example!r}"
        if kind not in SHAPES or not named:
            raise ValueError(none)
        if not is_number(words[0]):
            told = f"{shown(text)} does not begin with the number of a frame"
            raise ValueError(told if example is EXAMPLE else none)
        contact, more = -1, dict[str, Any]()
        if one:
            more["dent"] = Dent.parse(" ".join(said)) if said else None
        elif kind in REGION_KINDS:
            ids = list(map(identities, said[::2] if lineage else said[:1]))
            few, many = (
                ids[:: -1 if kind == "merge" else 1] if lineage else (ids[0], ())
            )
            if lineage and not (said[1] == "->" and len(few) == 1 < len(many)):
                ids = [()]
            if not all(ids):
                raise ValueError(none)
            contact, said = few[0], [] if lineage else said[1:]
            more["parents"] = ids[0] if kind != "birth" else ()
            more["children"] = ids[-1] if kind != "death" else ()
        if said and not one:
            texts = " ".join(said).split(" -> ")
            if len(texts) != 1 + (kind == "change"):
                raise ValueError(none)
            touches = list(map(Touch.parse, texts))
            last = kind in ("end", "death")
            more["before"] = touches[0] if last or kind == "change" else None
            more["after"] = None if last else touches[-1]
        a, b = names[0], ""
        if not one:
            both = (split_name(name, bodies) for name in names)
            (a, more["part_a"]), (b, more["part_b"]) = both
        event = cls(int(words[0]), kind, a, b, contact, **more)
        if str(event) != text:
            raise ValueError(
                f"{shown(text)} is no event: it is written {shown(str(event))}"
            )
        return event


def events_between(
    before: PairState | None, after: PairState, contact: int, told: Told = (None, None)
) -> tuple[Event, ...]:
    """Tell what happened to a pair from one frame to the next.

    Parameters: ``before``: the last known state; None if the pair was never looked at;
    ``contact``: identity of the contact that lasts or begins; ``told``: the features
    that it was told with last, and is now, where these are held.

    Where a body got another mesh since, the features of before are called by their
    names of today, or by their old ones where they are gone: a feature that only got
    another number did not change.

    Returns events in the order begin, change, penetrate; or separate, change, end.
    """
    old = "separated" if before is None else before.regime
    if old == after.regime == "separated":
        return ()  # nearly always
    was, held = told
    now = held or Touch.of(after)
    gone = False
    if before is None or old == "separated":
        was = None
    elif was is None:
        last = renamed(before, after.editions)
        gone = last is None
        was = Touch.of(before if last is None else last)
    changed = was is not None and was != now

    def event(kind: str) -> Event:
        first = was if kind in ("change", "end") else None
        last = None if kind == "end" else now
        path = way(after, first, last) if first and last and not gone else ()
        who = after.a.name, after.b.name, contact
        parts = _parts(last or first, before if gone and not last else after)
        return Event(after.frame, kind, *who, first, last, after, path, **parts)

    return tuple(map(event, kinds_between(old, after.regime, changed)))


def region_events(before: PairState | None, after: PairState) -> tuple[Event, ...]:
    """Tell what happened to the regions of a pair from one frame to the next.

    Two regions are related where they share a pair of faces.  What has no relatives is
    born or dies; what has several comes from a merge or falls apart in a split.  After
    an edit of a mesh all are born anew.

    Returns splits, merges, births, deaths, each by identity.
    """
    was = () if before is None else before.regions
    now = after.regions
    if not (was or now):
        return ()  # nearly always
    related = []
    if before is not None and before.editions == after.editions:
        related = links(*([region.faces for region in both] for both in (was, now)))
    heirs: list[list[int]] = [[] for _ in was]
    parents: list[list[int]] = [[] for _ in now]
    for i, j, _ in related:
        heirs[i].append(now[j].identity)
        parents[j].append(was[i].identity)
    told: dict[str, list[Event]] = {kind: [] for kind in REGION_KINDS}
    for regions, kin, kinds, state in (
        (was, heirs, ("split", "death"), before or after),
        (now, parents, ("merge", "birth"), after),
    ):
        for region, found in zip(regions, kin, strict=True):
            own, others = (region.identity,), tuple(sorted(found))
            if len(found) == 1:
                continue
            kind, touch = (
                (kinds[0], None) if found else (kinds[1], Touch.of(state, region))
            )
            old, new = ((touch, own), (None, others))[:: 1 if "split" in kinds else -1]
            who = after.a.name, after.b.name, *own, old[0], new[0], after, ()
            parts = _parts(touch, state)
            told[kind].append(Event(after.frame, kind, *who, old[1], new[1], **parts))
    return tuple(event for kind in REGION_KINDS for event in told[kind])


def _parts(touch: Touch | None, state: PairState | None) -> dict[str, Any]:
    """Name the parts of an event's features, as they are in a state."""
    return touch.parts(state.mesh_a, state.mesh_b) if touch and state else {}


class Changes(NamedTuple):
    """The pairs of a frame of which there may be something to tell, in their order."""

    before: PairAnswers  # those of them that were answered for in the frame before
    after: PairAnswers
    known: NDArray[np.bool_]  # which those are
    contacts: NDArray[np.int32]  # identities of what lasts, begins or ends; else -1
    told: Mapping[int, Told] = {}  # of which other features are told than named

    def events(self) -> Iterator[Event]:
        """Tell what happened, pair by pair."""
        old = iter(self.before)
        rows = zip(self.after, self.known, self.contacts.tolist(), strict=True)
        for k, (state, known, contact) in enumerate(rows):
            before, told = next(old) if known else None, self.told.get(k, (None, None))
            yield from events_between(before, state, contact, told)
            yield from region_events(before, state)

    def bare(self) -> Iterator[Event]:
        """Tell the same as lines do: without states and paths."""
        old, new = self.before, self.after
        if (
            self.told
            or old.kept
            or new.kept
            or (len(old) and old.editions != new.editions)
        ):
            yield from self.events()
            return
        was, now = iter(touches_of(old)), touches_of(new)
        regimes, numbers = iter(old.regimes.tolist()), new.regimes.tolist()
        rows = zip(now, numbers, self.known, self.contacts.tolist(), strict=True)
        for k, (after, regime, known, contact) in enumerate(rows):
            before = next(was) if known else after
            last = REGIMES[next(regimes) if known else SEPARATED]
            _, *both, (own, other) = new.whose(k)
            a, b = (body.name for body in both)
            for kind in kinds_between(last, REGIMES[regime], before != after):
                first = before if kind in ("change", "end") else None
                then = None if kind == "end" else after
                parts = (then or before).parts(own.mesh, other.mesh)
                yield Event(new.frame, kind, a, b, contact, first, then, **parts)


class FrameEvents(Sequence[Event]):
    """The events of a frame, as a tuple; those of pairs are told when first asked for.

    Cost: some 50 us an event, once.
    """

    def __init__(self, of_bodies: tuple[Event, ...], changes: Changes | None) -> None:
        self._told, self._untold = of_bodies, changes

    def _all(self) -> tuple[Event, ...]:
        if self._untold is not None:
            self._told = (*self._told, *self._untold.events())
            self._untold = None
        return self._told

    def bare(self) -> Iterator[Event]:
        """Go through what the lines of the events say; cheaper where none was read."""
        yield from self._told
        if self._untold is not None:
            yield from self._untold.bare()

    def __len__(self) -> int:
        """Count the events."""
        return len(self._all())

    def __getitem__(self, k: Any) -> Any:
        """Return an event by its place, or those of a slice."""
        return self._all()[k]

    def __iter__(self) -> Iterator[Event]:
        """Go through the events in their order."""
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        """Compare event by event."""
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __add__(self, other: Sequence[Event]) -> tuple[Event, ...]:
        """Return these events, and then others."""
        return (*self._all(), *other)

    def __radd__(self, other: Sequence[Event]) -> tuple[Event, ...]:
        """Return other events, and then these."""
        return (*other, *self._all())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what happened, not what it is told from."""
        return tuple, (self._all(),)

    def __repr__(self) -> str:
        """Show the events."""
        return repr(self._all())
