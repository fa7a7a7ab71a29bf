"""One step of an expected story: what it says, and whether an event meets it."""

from dataclasses import dataclass
from decimal import Decimal

from sim.events.event import BETWEEN_KINDS, BODY_KINDS, EVENT_KINDS, REGION_KINDS, Event
from sim.story.comparing.telling import in_words

ANY = "*"
FAMILIES = ((*EVENT_KINDS, *BETWEEN_KINDS), REGION_KINDS, BODY_KINDS)
TOUCH = ("the contact", "the first feature", "the second feature")
BEFORE = tuple(f"before, {name}" for name in TOUCH)
NAMES = {  # of the words that an event's line ends with
    **dict.fromkeys(("birth", "death"), ("the region", *TOUCH)),
    **dict.fromkeys(("split", "merge"), ("the region", "->", "the region")),
    "convexity_lost": ("the place", "the depth"),
}


def fits(wanted: str, word: str) -> bool:
    """Say whether a word is as expected; ``e7`` is ``e7(3-9)``, too, ``V*`` ``VF``."""
    if wanted in (ANY, word) or word.startswith(f"{wanted}("):
        return True
    letters = zip(wanted, word, strict=False)
    return len(wanted) == len(word) == 2 and all(w in (ANY, x) for w, x in letters)


def is_as_deep(wanted: str, depth: str) -> bool:
    """Compare a depth in as many digits as are written."""
    if wanted == ANY:
        return True
    exponent = Decimal(wanted).as_tuple().exponent
    half = Decimal((0, (5,), int(exponent) - 1))
    return abs(Decimal(depth) - Decimal(wanted)) <= half


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
    words : tuple of str
        What an event's line ends with, as ("E*", "*", "v3").
    when : (time, tolerance) or None
        When between the frame before, 0, and its own, 1, it happens.
    """

    text: str
    kind: str
    frames: tuple[int, int] | None = None
    a: str | None = None
    b: str | None = None
    words: tuple[str, ...] = ()
    when: tuple[float, float] | None = None

    def is_about(self, event: Event) -> bool:
        """Say whether the step is about events of this family, of these bodies."""
        family = next(kinds for kinds in FAMILIES if self.kind in kinds)
        return event.kind in family and not self._other_bodies(event)

    def unlike(self, event: Event) -> tuple[int, str]:
        """Say how far an event meets the step, and in what it does not.

        Returns (int, str): how many of four questions it answers as expected, and a
        clause about the first that it does not; (4, "") if it meets the step.
        """
        answers = (self._other_kind, self._other_bodies, self._other_words)
        for count, answer in enumerate((*answers, self._other_frame)):
            if clause := answer(event):
                return count, clause
        return 4, ""

    def _other_kind(self, event: Event) -> str:
        same = event.kind == self.kind
        return "" if same else f"it is of kind {event.kind}, not {self.kind}"

    def _other_bodies(self, event: Event) -> str:
        if self.a in (None, event.a) and self.b in (None, event.b):
            return ""
        wanted = (ANY if name is None else name for name in (self.a, self.b))
        return f"it is of {bodies(event.a, event.b)}, not of {bodies(*wanted)}"

    def _other_words(self, event: Event) -> str:
        found = in_words(event).split(" ")[1:]
        names = NAMES.get(event.kind, (*BEFORE, "->", *TOUCH))
        n = -len(self.words) or len(names)
        for name, wanted, word in zip(names[n:], self.words, found[n:], strict=True):
            if not (is_as_deep if name == "the depth" else fits)(wanted, word):
                return f"{name} is {word}, not {wanted}"
        return ""

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
