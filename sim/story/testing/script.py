"""The text of an expected story: steps between semicolons, with wildcards.

::

    story   = [step] {(";" | end of line) [step]}     between two steps "..." needs none
    step    = "..." | [frame ["-" frame]] kind [bodies] [what] [when]
    when    = "@" time ["+-" tolerance]         between two frames, 0 to 1
    bodies  = who "/" who                       for what happens to two
            | name | "*"                        for what happens to one
    who     = (name | "*") ["." part]           without a part: any of the body
    what    = touch ["->" touch]                the second after "change" only
            | [id] [touch]                      after "birth", "death"
            | ids "->" ids                      after "split", "merge"
            | place [depth]                     after "convexity_lost"
    touch   = letters [feature feature] | "*"   two letters of V, E, F and *
    feature = "v12" | "f5" | "e7" | "e7(3-9)" | "l(3-9-12)" | "*"
    ids     = "#1" | "#1+#4" | "*"

Bodies that are left out are those of the last step that named some.  An event's own
line, as it is printed, is a step that nothing but this event meets.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches

from sim.events.event import (
    BETWEEN_KINDS,
    BODY_KINDS,
    EVENT_KINDS,
    REGION_KINDS,
    TAILS,
    Event,
)
from sim.events.patterns import ANY, are_named, names_of
from sim.events.touch import AGAIN, shown

GAPS = ("...", "\N{HORIZONTAL ELLIPSIS}")
GAP = r"[;\n]|(?<=[^;\s]\s)(\.{3}|\N{HORIZONTAL ELLIPSIS})(?=\s[^;\s])"
FAMILIES = ((*EVENT_KINDS, *BETWEEN_KINDS), REGION_KINDS, BODY_KINDS)
KINDS = tuple(kind for kinds in FAMILIES for kind in kinds)
EXAMPLES = (
    "'30-40 begin jelly/table V*', 'change VF -> EE e7 *' or '...' for any events"
)
N = "(?:0|[1-9][0-9]{0,17})"  # a number as events write it
TIME = r"[0-9]{1,30}(?:\.[0-9]{0,30})?(?:e[+-]?[0-9]{1,3})?"
FEATURE = rf"(?:\*|[vf]{N}|e{N}(?:\({N}-{N}\))?|l\({N}(?:-{N})+\))"
TOUCH = rf" ([VEF*]{{2}}|\*)(?: ({FEATURE}) ({FEATURE}))?"
IDS = rf"(\*|#{N}(?:\+#{N})*)"
# how the words that follow the bodies are written, by kind, each with a space before it
WHATS = {
    **dict.fromkeys((*EVENT_KINDS, *BETWEEN_KINDS), TOUCH),
    "change": rf"(?:{TOUCH} (->))?{TOUCH}",
    **dict.fromkeys(("birth", "death"), rf"(?=.)(?: (#{N}|\*(?= )))?(?:{TOUCH})?"),
    **dict.fromkeys(("split", "merge"), f" {IDS} (->) {IDS}"),
    **dict.fromkeys(BODY_KINDS, "(?!)"),
    "convexity_lost": rf" ({FEATURE}|{AGAIN})(?: (\*|{TIME}))?",
}
HEAD = re.compile(
    rf"(?:([0-9]{{1,18}})(?:-([0-9]{{1,18}}))? )?({'|'.join(KINDS)})( .+?)??"
    rf"(?: @({TIME})(?:\+-({TIME}))?)?"
)
# how a word looks that is no part of a name, but means a contact, a region or a place
WORD = r"(?!(?:[A-Z*]{2}|\*|[#@]\S*|->|[vef][0-9]\S*|l\(\S*)(?: |$))\S+"
# A name may have spaces: it is the shortest one that something readable follows; else
# all words, unless one looks as if it should be read.
RESTS = {
    kind: tuple(
        re.compile(rf"({who}){what}")
        for who, what in (
            (rf"{start}.*?", WHATS[kind]),
            (rf"{start}\S*(?: {WORD})*", ""),
            ("", WHATS[kind]),
        )
    )
    for kind in KINDS
    for start in [" " if kind in BODY_KINDS else " [^/]+/"]
}
# what the words of a line are called where one is another than expected
CALLED = {
    **dict.fromkeys(("before", "after"), "the contact"),
    **dict.fromkeys(("before_a", "after_a"), "the first feature"),
    **dict.fromkeys(("before_b", "after_b"), "the second feature"),
    **dict.fromkeys(("parents", "children"), "the region"),
    **{"dent": "the place", "depth": "the depth", "->": "->"},
}

Names = tuple[str | None, str | None]
Words = tuple[str, ...]  # what a step says after its bodies


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
    """One event as it is expected; what is None may be anything."""

    text: str  # as it was written
    kind: str
    frames: tuple[int, int] | None = None  # the first and the last in which it may be
    a: str | None = None  # names of the bodies
    b: str | None = None  # empty for what happens to one
    words: Words = ()  # what an event's line ends with, as ("E*", "*", "v3")
    when: tuple[float, float] | None = None  # and its tolerance; the frame before is 0

    def is_about(self, event: Event) -> bool:
        """Say whether the step is about events of this family, of these bodies."""
        family = next(kinds for kinds in FAMILIES if self.kind in kinds)
        return event.kind in family and not self._other_bodies(event)

    def unlike(self, event: Event) -> tuple[int, str]:
        """Say how far an event meets the step, and in what it does not.

        Returns (int, str): how many of four questions it answers as expected, and a
        clause about the first that it does not; (4, "") if it meets the step.
        """
        if event.kind != self.kind:
            return 0, f"it is of kind {event.kind}, not {self.kind}"
        answers = self._other_bodies, self._other_words, self._other_frame
        for count, answer in enumerate(answers, start=1):
            if clause := answer(event):
                return count, clause
        return 4, ""

    def _other_bodies(self, event: Event) -> str:
        if are_named((self.a, self.b), event.named):
            return ""
        wanted = (ANY if name is None else name for name in (self.a, self.b))
        return f"it is of {event.who}, not of {bodies(*wanted)}"

    def _other_words(self, event: Event) -> str:
        names, found = TAILS[event.kind], event.tail
        n = -len(self.words) or len(names)
        for name, wanted, word in zip(names[n:], self.words, found[n:], strict=True):
            if not (is_as_deep if name == "depth" else fits)(wanted, word):
                before = event.kind == "change" and name.startswith("before")
                return f"{'before, ' * before}{CALLED[name]} is {word}, not {wanted}"
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


Script = tuple[Step | None, ...]  # None is a gap: any number of events, none too


def parse_script(text: str) -> Script:
    """Read the steps of an expected story; None stands for ``...``.

    Raises ValueError if it is none; names the step.
    """
    __tracebackhide__ = True  # in a test, the line of the test says enough
    if not isinstance(text, str):
        raise TypeError(
            f"expected contacts are a text, as 'begin jelly/table VF v12 f5 ; end', "
            f"got {type(text).__name__}"
        )
    steps: list[Step | None] = []
    last: dict[bool, Names] = {False: (None, None), True: (None, "")}  # by: of one body
    for piece in filter(None, (x and x.strip() for x in re.split(GAP, text))):
        if piece in GAPS:
            steps += [None] * (steps[-1:] != [None])
            continue
        step = _step(piece, last)
        if step is None:
            number = 1 + sum(step is not None for step in steps)
            raise ValueError(
                f"expected contacts, step {number}: {shown(piece)} cannot be read; "
                f"write {EXAMPLES}{_other_kind(piece)}"
            )
        steps.append(step)
        last[step.kind in BODY_KINDS] = step.a, step.b
    return tuple(steps)


def _other_kind(text: str) -> str:
    """Say what kinds there are, where a step is of another one."""
    kind = next((word for word in text.split() if not word[0].isdigit()), "")
    if kind in KINDS:
        return ""
    near = get_close_matches(kind.lower(), KINDS, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"; {shown(kind)} is not among the kinds {', '.join(KINDS)}{hint}"


def _step(text: str, said: dict[bool, Names]) -> Step | None:
    """Read a step; bodies left out are those said last. None if it is none."""
    head = HEAD.fullmatch(" ".join(text.split()))
    if head is None:
        return None
    first, last, kind, rest, time, slack = head.groups()
    alone = kind in BODY_KINDS
    names, words = said[alone], Words()
    if rest is not None:
        found = next(filter(None, (p.fullmatch(rest) for p in RESTS[kind])), None)
        if found is None:
            return None
        who, *given = found.groups()
        if given and given[0] is None:  # what may come first, and is left out
            given = given[-3:]
        words = tuple(word or ANY for word in given)
        if who := who.strip():
            told = (*names_of(who), *[""] * alone)
            if len(told) != 2:
                return None
            names = told[0], told[1]
    frames = (int(first), int(last or first)) if first else None
    when = None
    if time:
        digits = len(time.partition(".")[2])
        when = float(time), float(slack) if slack else 0.5 * 10.0**-digits
    return Step(text, kind, frames, *names, words, when)
