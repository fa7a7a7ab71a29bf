"""One step of an expected story: what it says, and whether an event meets it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from sim.events.event import BODY_KINDS, EVENT_KINDS, REGION_KINDS, Event
from sim.events.touch import AGAIN, Dent, Ends, Touch, print_feature
from wingedge import Feature

ANY = "*"
FAMILIES = (EVENT_KINDS, REGION_KINDS, BODY_KINDS)


class FeaturePattern(NamedTuple):
    """A feature as it is expected: ``v12``, ``e7(3-9)``, ``e7`` or ``*``."""

    feature: Feature | None = None  # None: any
    ends: Ends | None = None  # None: whatever vertices the edge has

    def meets(self, feature: Feature, ends: Ends | None) -> bool:
        """Say whether a feature, and the vertices of an edge, are as expected."""
        same = self.feature is None or self.feature == feature
        return same and (self.ends is None or self.ends == ends)

    def __str__(self) -> str:
        return print_feature(self.feature, self.ends) if self.feature else ANY


class TouchPattern(NamedTuple):
    """Closest features as they are expected: ``VF v12 *``, ``EE``, ``*F``."""

    kind: str  # two of V, E, F and *
    a: FeaturePattern = FeaturePattern()
    b: FeaturePattern = FeaturePattern()

    def unlike(self, touch: Touch | None) -> str:
        """Say in what closest features are not as expected, in a clause; else ""."""
        if touch is None:
            return "it names no features"
        if any(x not in (ANY, y) for x, y in zip(self.kind, touch.kind, strict=True)):
            return f"the contact is {touch.kind}, not {self.kind}"
        for which, pattern, feature, ends in (
            ("first", self.a, touch.feature_a, touch.ends_a),
            ("second", self.b, touch.feature_b, touch.ends_b),
        ):
            if not pattern.meets(feature, ends):
                found = print_feature(feature, ends)
                return f"the {which} feature is {found}, not {pattern}"
        return ""


class DentPattern(NamedTuple):
    """A dent as it is expected: ``e12(3-9) 0.012``, ``winding``, ``* *``."""

    place: FeaturePattern = FeaturePattern()
    winds: bool = False
    depth: str = ANY  # as written: so many digits count

    def unlike(self, dent: Dent | None) -> str:
        """Say in what a dent is not as expected, in a clause; else ""."""
        if dent is None:
            return "it names no place"
        if self.winds or self.place.feature is not None:
            wanted = AGAIN if self.winds else str(self.place)
            found = print_feature(dent.place, dent.ends) if dent.place else AGAIN
            whole = dent.place is not None and self.place.meets(dent.place, dent.ends)
            if self.winds != (dent.place is None) or not (self.winds or whole):
                return f"the place is {found}, not {wanted}"
        if self.depth != ANY:
            wanted_depth = Decimal(self.depth)
            exponent = wanted_depth.as_tuple().exponent
            half = Decimal((0, (5,), int(exponent) - 1))
            if abs(Decimal(dent.depth) - wanted_depth) > half:
                return f"the depth is {dent.depth:.6g}, not {self.depth}"
        return ""


@dataclass(frozen=True, slots=True)
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
    before, after : TouchPattern or None
        The closest features; one alone is what the event's line ends with.
    parents, children : tuple of int or None
        Identities of regions.
    dent : DentPattern or None
        Where a convexity is lost.
    """

    text: str
    kind: str
    frames: tuple[int, int] | None = None
    a: str | None = None
    b: str | None = None
    before: TouchPattern | None = None
    after: TouchPattern | None = None
    parents: tuple[int, ...] | None = None
    children: tuple[int, ...] | None = None
    dent: DentPattern | None = None

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
        for wanted, found in (
            (self.parents, event.parents),
            (self.children, event.children),
        ):
            if wanted not in (None, found):
                marks = ("+".join(f"#{n}" for n in ids) for ids in (found, wanted))
                return "the region is {}, not {}".format(*marks)
        if self.before and self.after:
            clause = self.before.unlike(event.before)
            return f"before, {clause}" if clause else self.after.unlike(event.after)
        return self.after.unlike(event.after or event.before) if self.after else ""

    def _other_dent(self, event: Event) -> str:
        return self.dent.unlike(event.dent) if self.dent else ""

    def _other_frame(self, event: Event) -> str:
        if self.frames is None or self.frames[0] <= event.frame <= self.frames[1]:
            return ""
        first, last = self.frames
        wanted = str(first) if first == last else f"{first}-{last}"
        return f"it happens in frame {event.frame}, not {wanted}"


def bodies(a: str, b: str) -> str:
    """Write the names of one body or two, as an event's line does."""
    return f"{a}/{b}" if b else a
