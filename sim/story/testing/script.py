"""The text of an expected story: steps between semicolons, with wildcards.

::

    story   = [step] {(";" | end of line) [step]}
    step    = "..." | [frame ["-" frame]] kind [bodies] [what] [when]
    when    = "@" time ["+-" tolerance]         between two frames, 0 to 1
    bodies  = (name | "*") "/" (name | "*")     for what happens to two
            | name | "*"                        for what happens to one
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
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import NamedTuple

from sim.events.event import BETWEEN_KINDS, BODY_KINDS, EVENT_KINDS, REGION_KINDS, Event
from sim.events.touch import AGAIN, is_name
from sim.story.order import TAILS, tail_of
from wingedge import Feature

ANY = "*"
GAPS = ("...", "\N{HORIZONTAL ELLIPSIS}")
FAMILIES = ((*EVENT_KINDS, *BETWEEN_KINDS), REGION_KINDS, BODY_KINDS)
KINDS = tuple(kind for kinds in FAMILIES for kind in kinds)
LONGEST = 7  # words that follow the bodies: VF v12 f5 -> EE e7 e9
# how a word looks that is no part of a name, but means a contact, a region or a place
TAIL = re.compile(r"([A-Z*]{2}|\*|#.*|->|[vef][0-9].*|l\(.*)$")
N = "(0|[1-9][0-9]{0,17})"  # a number as events write it
TIME = r"[0-9]{1,30}(?:\.[0-9]{0,30})?(?:e[+-]?[0-9]{1,3})?"
FEATURE = (
    rf"\*|[vf]{N}|e{N}(\({N}-{N}\))?|l\({N}(-{N})+\)",
    "is no feature; write v12, f5, e7, e7(3-9), l(3-9-12) or *",
)
LETTERS = (
    r"[VEF*]{2}|\*",
    "is no kind of contact; write two letters of V, E, F and *, as VF, or *",
)
IDS = rf"\*|#{N}(\+#{N})*", "is no region; write '#1', '#1+#4' or *"
DEPTH = rf"\*|{TIME}", "is no depth; write a number, as 0.0123, or *"
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
    words: Words = ()
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
        if event.kind != self.kind:
            return 0, f"it is of kind {event.kind}, not {self.kind}"
        answers = self._other_bodies, self._other_words, self._other_frame
        for count, answer in enumerate(answers, start=1):
            if clause := answer(event):
                return count, clause
        return 4, ""

    def _other_bodies(self, event: Event) -> str:
        if self.a in (None, event.a) and self.b in (None, event.b):
            return ""
        wanted = (ANY if name is None else name for name in (self.a, self.b))
        return f"it is of {bodies(event.a, event.b)}, not of {bodies(*wanted)}"

    def _other_words(self, event: Event) -> str:
        names, found = TAILS[event.kind], tail_of(event)
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


class Word(NamedTuple):
    """A word of the text and where it is."""

    text: str
    at: int


class _Wrong(ValueError):
    """Say what is wrong with a word, before it is known in which step."""

    def __init__(self, word: Word, what: str) -> None:
        super().__init__(what)
        self.word = word


def parse_script(text: str) -> Script:
    """Read the steps of an expected story; None stands for ``...``.

    Raises ValueError if it is none; names the step, the character and what stands
    there.
    """
    __tracebackhide__ = True  # in a test, the line of the test says enough
    if not isinstance(text, str):
        raise TypeError(
            f"expected contacts are a text, as 'begin jelly/table VF v12 f5 ; end', "
            f"got {type(text).__name__}"
        )
    steps: list[Step | None] = []
    pair: Names = (None, None)
    single: Names = (None, "")
    pieces = [m for m in re.finditer(r"[^;\n]+", text) if m[0].strip()]
    for piece in pieces:
        found = re.finditer(r"\S+", piece[0])
        words = [Word(m[0], piece.start() + m.start()) for m in found]
        try:
            if words[0].text in GAPS and len(words) == 1:
                if steps[-1:] != [None]:
                    steps.append(None)
                continue
            step, names = _step(piece[0].strip(), words, pair, single)
        except _Wrong as wrong:
            number = 1 + sum(step is not None for step in steps)
            raise ValueError(
                f"expected contacts, step {number}, character {wrong.word.at + 1}: "
                f"{wrong.word.text!r} {wrong}"
            ) from None
        steps.append(step)
        pair, single = (pair, names) if step.kind in BODY_KINDS else (names, single)
    return tuple(steps)


def _step(
    text: str, words: list[Word], pair: Names, single: Names
) -> tuple[Step, Names]:
    """Read one step; return it and the bodies that the next ones carry on."""
    frames, rest = None, words
    if words[0].text[0].isdigit():
        frames, rest = _frames(words[0]), words[1:]
        if not rest:
            raise _Wrong(words[0], "is followed by no kind of event")
    kind, rest = rest[0], rest[1:]
    if kind.text not in KINDS:
        near = get_close_matches(kind.text.lower(), KINDS, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise _Wrong(
            kind,
            f"is no kind of event; {hint}there are {', '.join(KINDS)}, and '...' "
            "alone in its step for any number of events",
        )
    when = _when(rest.pop()) if rest and rest[-1].text.startswith("@") else None
    alone = kind.text in BODY_KINDS
    ends = (0 if alone else i for i, w in enumerate(rest) if alone or "/" in w.text)
    least, names = next(ends, None), single if alone else pair
    if least is None:
        return Step(text, kind.text, frames, *names, _tail(kind, rest), when), names
    # The name may have spaces: it is the shortest one that something readable follows;
    # else all words, unless one looks as if it should be read.
    for i in range(max(least + 1, len(rest) - LONGEST), len(rest)):
        with suppress(_Wrong):
            names, tail = _names(rest[:i], alone=alone), _tail(kind, rest[i:])
            return Step(text, kind.text, frames, *names, tail, when), names
    looks = (i for i in range(least + 1, len(rest)) if TAIL.match(rest[i].text))
    end = next(looks, len(rest))
    names, tail = _names(rest[:end], alone=alone), _tail(kind, rest[end:])
    return Step(text, kind.text, frames, *names, tail, when), names


def _frames(word: Word) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,18})(?:-([0-9]{1,18}))?", word.text)
    if match is None:
        raise _Wrong(word, "is no frame; write '37', or '30-40' for a range")
    first, last = int(match[1]), int(match[2] or match[1])
    if first > last:
        raise _Wrong(word, f"is no range of frames: {first} is after {last}")
    return first, last


def _when(word: Word) -> tuple[float, float]:
    match = re.fullmatch(rf"@({TIME})(?:\+-({TIME}))?", word.text)
    if match is None:
        raise _Wrong(word, "is no time between two frames; write '@0.6032+-1e-6'")
    digits = len(match[1].partition(".")[2])
    return float(match[1]), float(match[2]) if match[2] else 0.5 * 10.0**-digits


def _names(words: list[Word], *, alone: bool) -> Names:
    whole = " ".join(word.text for word in words)
    names = [whole] if alone else whole.split("/", 1)
    if not all(map(is_name, names)):
        said = "is no name: it happens to one body"
        raise _Wrong(
            words[-1], said if alone else "is no pair of bodies; write 'jelly/table'"
        )
    a, b = [None if name == ANY else name for name in names] + [""] * alone
    return a, b


def _tail(kind: Word, words: list[Word]) -> Words:
    """Read what follows the bodies, as what an event's line ends with."""
    if not words:
        return ()
    texts = [word.text for word in words]
    if kind.text in BODY_KINDS:
        if kind.text != "convexity_lost":
            raise _Wrong(words[0], f"follows {kind.text!r} of a body: its name is all")
        if len(words) > 2:
            raise _Wrong(words[2], "is one word too many: write a place and a depth")
        depth = _word(words[1], DEPTH) if len(words) == 2 else ANY
        return AGAIN if texts[0] == AGAIN else _word(words[0], FEATURE), depth
    if kind.text in ("split", "merge"):
        if len(words) != 3 or texts[1] != "->":
            raise _Wrong(words[-1], "ends no lineage; write '#1 -> #1+#4'")
        return _word(words[0], IDS), "->", _word(words[2], IDS)
    if kind.text in ("birth", "death"):
        if not (texts[0].startswith("#") or len(words) in (2, 4)):
            return _touch(words)
        if "+" in _word(words[0], IDS):
            raise _Wrong(words[0], "are several regions; one is born or dies")
        return texts[0], *(_touch(words[1:]) if words[1:] else 3 * (ANY,))
    if "->" not in texts:
        return _touch(words)
    arrow = texts.index("->")
    if kind.text != "change":
        raise _Wrong(words[arrow], f"follows no {kind.text!r}, only a 'change'")
    if arrow == 0 or arrow == len(words) - 1:
        raise _Wrong(words[arrow], "is not between two contacts, as 'VF -> EE'")
    return *_touch(words[:arrow]), "->", *_touch(words[arrow + 1 :])


def _word(word: Word, what: tuple[str, str]) -> str:
    """Return the text of a word if it looks as such a one does."""
    pattern, wrong = what
    if not re.fullmatch(pattern, word.text):
        raise _Wrong(word, wrong)
    return word.text


def _touch(words: list[Word]) -> Words:
    letters = _word(words[0], LETTERS)
    if len(words) not in (1, 3):
        raise _Wrong(
            words[min(len(words) - 1, 3)],
            "is one word too few or too many: a contact is its kind alone, or with two "
            "features, as 'VF v12 f5'",
        )
    kind = 2 * ANY if letters == ANY else letters
    for letter, word in zip(kind, words[1:], strict=False):
        text = _word(word, FEATURE)
        name = text if text[0] == "l" else text.partition("(")[0]
        found = ANY if text == ANY else Feature.parse(name).letter
        if ANY not in (letter, found) and letter != found:
            raise _Wrong(word, f"is {found}, where the contact is {kind}")
    return kind, *([word.text for word in words[1:]] or (ANY, ANY))
