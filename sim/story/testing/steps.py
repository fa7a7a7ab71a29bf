"""One step of an expected story: what it says, and whether an event meets it."""

from dataclasses import dataclass
from decimal import Decimal

from sim.events.event import BETWEEN_KINDS, BODY_KINDS, EVENT_KINDS, REGION_KINDS, Event
from sim.events.touch import Dent, Touch

ANY = "*"
FAMILIES = ((*EVENT_KINDS, *BETWEEN_KINDS), REGION_KINDS, BODY_KINDS)
Words = tuple[str, ...]  # of an event's line, or ANY instead


def fits(wanted: str, word: str) -> bool:
    """Say whether a word is as expected; ``e7`` is ``e7(3-9)``, too."""
    return wanted in (ANY, word) or word.startswith(f"{wanted}(")


def other_touch(wanted: Words, touch: Touch | None) -> str:
    """Say in what closest features are not as expected, in a clause; else ""."""
    if touch is None:
        return "it names no features"
    if not all(map(fits, wanted[0], touch.kind)):
        return f"the contact is {touch.kind}, not {wanted[0]}"
    found = str(touch).split(" ")[1:]
    for which, one, word in zip(("first", "second"), wanted[1:], found, strict=True):
        if not fits(one, word):
            return f"the {which} feature is {word}, not {one}"
    return ""


def other_dent(wanted: Words, dent: Dent | None) -> str:
    """Say in what a dent is not as expected, in a clause; else ""."""
    if dent is None:
        return "it names no place"
    place, depth = wanted
    found = str(dent).split(" ")[0]
    if not fits(place, found):
        return f"the place is {found}, not {place}"
    if depth != ANY:  # so many digits count as are written
        exponent = Decimal(depth).as_tuple().exponent
        half = Decimal((0, (5,), int(exponent) - 1))
        if abs(Decimal(dent.depth) - Decimal(depth)) > half:
            return f"the depth is {dent.depth:.6g}, not {depth}"
    return ""


@dataclass(frozen=True)
class Step:
    """One event as it is expected; what is None may be anything.

    Attributes
    ----------
    text : str
        The step as it was written.
    kind : str
        The kind of event.
    frames : (first, last) or None
        When it may happen, both included.
    a, b : str or None
        Names of the bodies; ``b`` is empty for what happens to one body.
    before, after : tuple of str or None
        The closest features, kind first, as ("E*", "*", "v3"); one alone is what the
        event's line ends with.
    parents, children : str
        Identities of regions, as "#1+#4".
    dent : tuple of str or None
        Where a convexity is lost, and how deep.
    when : (time, tolerance) or None
        When between the frame before, 0, and its own, 1, it happens.
    """

    text: str
    kind: str
    frames: tuple[int, int] | None = None
    a: str | None = None
    b: str | None = None
    before: Words | None = None
    after: Words | None = None
    parents: str = ANY
    children: str = ANY
    dent: Words | None = None
    when: tuple[float, float] | None = None

    def is_about(self, event: Event) -> bool:
        """Say whether the step is about events of this family, of these bodies."""
        family = next(kinds for kinds in FAMILIES if self.kind in kinds)
        return event.kind in family and not self._other_bodies(event)

    def unlike(self, event: Event) -> tuple[int, str]:
        """Say how far an event meets the step, and in what it does not.

        Returns (int, str): how many of five questions it answers as expected, and a
        clause about the first that it does not; (5, "") if it meets the step.
        """
        answers = (self._other_kind, self._other_bodies, self._other_features)
        for count, answer in enumerate((*answers, self._other_dent, self._other_frame)):
            if clause := answer(event):
                return count, clause
        return 5, ""

    def _other_kind(self, event: Event) -> str:
        same = event.kind == self.kind
        return "" if same else f"it is of kind {event.kind}, not {self.kind}"

    def _other_bodies(self, event: Event) -> str:
        if self.a in (None, event.a) and self.b in (None, event.b):
            return ""
        wanted = (ANY if name is None else name for name in (self.a, self.b))
        return f"it is of {bodies(event.a, event.b)}, not of {bodies(*wanted)}"

    def _other_features(self, event: Event) -> str:
        for wanted, ids in (
            (self.parents, event.parents),
            (self.children, event.children),
        ):
            found = "+".join(f"#{n}" for n in ids)
            if not fits(wanted, found):
                return f"the region is {found}, not {wanted}"
        if self.before and self.after:
            clause = other_touch(self.before, event.before)
            return (
                f"before, {clause}" if clause else other_touch(self.after, event.after)
            )
        last = event.after or event.before
        return other_touch(self.after, last) if self.after else ""

    def _other_dent(self, event: Event) -> str:
        return other_dent(self.dent, event.dent) if self.dent else ""

    def _other_frame(self, event: Event) -> str:
        if self.frames is not None:
            first, last = self.frames
            if not first <= event.frame <= last:
                wanted = str(first) if first == last else f"{first}-{last}"
                return f"it happens in frame {event.frame}, not {wanted}"
        if self.when is None:
            return ""
        if event.when is None:
            return "it does not say when; make the World with between=True"
        (time, slack), (lower, upper) = self.when, event.when
        if time - slack <= upper and lower <= time + slack:
            return ""
        return f"it happens @{lower:.9g} to {upper:.9g}, not @{time:.9g}+-{slack:g}"


def bodies(a: str, b: str) -> str:
    """Write the names of one body or two, as an event's line does."""
    return f"{a}/{b}" if b else a
