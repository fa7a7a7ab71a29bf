"""Events: what happens to a contact, and the one way that it is written."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, Self

from sim.events.touch import (
    Chain,
    Dent,
    Late,
    Touch,
    identities,
    is_number,
    marks_of,
    shown,
    split_name,
    way,
    whole_name,
)
from sim.result.state import PairState
from wingedge.features import is_name

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
BEFORE, AFTER = ((name, f"{name}_a", f"{name}_b") for name in ("before", "after"))
LINEAGE = ("parents", "->", "children")
# the kinds in the order of a story, and what their lines say after the bodies
TAILS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(BODY_KINDS, ()),
    "convexity_lost": ("dent", "depth"),
    **dict.fromkeys(("begin", "separate"), AFTER),
    "change": (*BEFORE, "->", *AFTER),
    "penetrate": AFTER,
    "end": BEFORE,
    **dict.fromkeys(("split", "merge"), LINEAGE),
    "birth": ("children", *AFTER),
    "death": ("parents", *BEFORE),
    "brush": AFTER,
}
EXAMPLE = "47 change jelly/table VF v12 f5 -> EE e7(3-9) e9(1-4)"
EXAMPLES = {  # of other kinds
    **dict.fromkeys(BODY_KINDS, "47 convexity_lost jelly e12(3-9) 0.0123"),
    **dict.fromkeys(("split", "merge"), "14 split jelly/table #1 -> #1+#4"),
    **dict.fromkeys(("birth", "death"), "12 birth jelly/table #3 VF v12 f5"),
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
        return {x: getattr(self, x) for x in ("a", "b", "part_a", "part_b")}

    @property
    def tail(self) -> list[str]:
        """The words of its line that follow the bodies; ``TAILS`` names them."""
        said = [marks_of(ids) for ids in (self.parents, self.children) if ids]
        said += map(str, filter(None, (self.before, self.after, self.dent)))
        return (" -> " if "->" in TAILS.get(self.kind, ()) else " ").join(said).split()

    def of(self, state: PairState | None, contact: int) -> "Event":
        """Return the same event with what its line does not say."""
        path = self.path
        if state and self.kind == "change" and self.before and self.after:
            path = way(state, self.before, self.after)
        return replace(self, contact=contact, state=state, path=path)

    def __str__(self) -> str:
        tail = self.tail or [""] * (self.kind not in BODY_KINDS)
        return " ".join([str(self.frame), self.kind, self.who, *tail])

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
        example = EXAMPLES.get(kind, EXAMPLE)
        end = max(len(words) - len(TAILS.get(kind, ())), 0)
        names, said = " ".join(words[2:end]).split("/"), words[max(end, 2) :]
        one = kind in BODY_KINDS
        named = len(names) == 2 - one and all(map(is_name, names))
        none = f"{shown(text)} is no event; one looks like {example!r}"
        if kind not in TAILS or not named:
            raise ValueError(none)
        if not is_number(words[0]):
            told = f"{shown(text)} does not begin with the number of a frame"
            raise ValueError(told if example is EXAMPLE else none)
        contact, more = -1, dict[str, Any]()
        sides = [side for side in ("before", "after") if side in TAILS[kind]]
        if one:
            more["dent"] = Dent.parse(" ".join(said)) if said else None
        elif kind in REGION_KINDS:
            kin = [side for side in LINEAGE[::2] if side in TAILS[kind]]
            ids = list(map(identities, said[: 2 * len(kin) - 1 : 2]))
            few, *many = ids[:: -1 if kind == "merge" else 1]
            leads = not many or (said[1] == "->" and len(few) == 1 < len(many[0]))
            if not (leads and all(ids)):
                raise ValueError(none)
            contact, said = few[0], said[1:]
            more |= zip(kin, ids if many else [few[:1]], strict=True)
        if sides:
            texts = " ".join(said).split(" -> ")
            if len(texts) != len(sides):
                raise ValueError(none)
            more |= zip(sides, map(Touch.parse, texts), strict=True)
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
