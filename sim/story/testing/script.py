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
from difflib import get_close_matches
from typing import NamedTuple

from sim.events.event import BETWEEN_KINDS, BODY_KINDS, EVENT_KINDS, REGION_KINDS
from sim.events.touch import AGAIN, is_name
from sim.story.testing.steps import ANY, Step
from wingedge import Feature

OF_A_TOUCH = (*EVENT_KINDS, *BETWEEN_KINDS)
KINDS = (*OF_A_TOUCH, *REGION_KINDS, *BODY_KINDS)
LONGEST = 7  # words that follow the bodies: VF v12 f5 -> EE e7 e9
# how a word looks that is no part of a name, but means a contact, a region or a place
TAIL = re.compile(r"([A-Z*]{2}|\*|#.*|->|[vef][0-9].*|l\(.*)$")
N = "(0|[1-9][0-9]{0,17})"  # a number as events write it
FEATURE = rf"\*|[vf]{N}|e{N}(\({N}-{N}\))?|l\({N}(-{N})+\)"
DEPTH = r"\*|[0-9]{1,30}(\.[0-9]{0,30})?(e[+-]?[0-9]{1,3})?"
TIME = r"[0-9]{1,30}(?:\.[0-9]{0,30})?(?:e[+-]?[0-9]{1,3})?"
GAPS = ("...", "\N{HORIZONTAL ELLIPSIS}")

Script = tuple[Step | None, ...]  # None is a gap: any number of events, none too
Names = tuple[str | None, str | None]
Words = tuple[str, ...]  # what a step says after its bodies


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
    if kind.text in BODY_KINDS:
        return _dent(kind, words)
    if kind.text in ("split", "merge"):
        if len(words) != 3 or words[1].text != "->":
            raise _Wrong(words[-1], "ends no lineage; write '#1 -> #1+#4'")
        return _ids(words[0]), "->", _ids(words[2])
    if kind.text in ("birth", "death"):
        if not (words[0].text.startswith("#") or len(words) in (2, 4)):
            return _touch(words)
        ids = _ids(words[0])
        if "+" in ids:
            raise _Wrong(words[0], "are several regions; one is born or dies")
        return ids, *(_touch(words[1:]) if words[1:] else 3 * (ANY,))
    arrow = next((i for i, w in enumerate(words) if w.text == "->"), None)
    if arrow is None:
        return _touch(words)
    if kind.text != "change":
        raise _Wrong(words[arrow], f"follows no {kind.text!r}, only a 'change'")
    if arrow == 0 or arrow == len(words) - 1:
        raise _Wrong(words[arrow], "is not between two contacts, as 'VF -> EE'")
    return *_touch(words[:arrow]), "->", *_touch(words[arrow + 1 :])


def _touch(words: list[Word]) -> Words:
    letters = words[0]
    if not re.fullmatch(r"[VEF*]{2}|\*", letters.text):
        raise _Wrong(
            letters,
            "is no kind of contact; write two letters of V, E, F and *, as VF, or *",
        )
    if len(words) not in (1, 3):
        raise _Wrong(
            words[min(len(words) - 1, 3)],
            "is one word too few or too many: a contact is its kind alone, or with two "
            "features, as 'VF v12 f5'",
        )
    kind = 2 * ANY if letters.text == ANY else letters.text
    features = [_feature(word) for word in words[1:]] or [ANY, ANY]
    for letter, text, word in zip(kind, features, words[1:], strict=False):
        name = text if text[0] == "l" else text.partition("(")[0]
        found = ANY if text == ANY else Feature.parse(name).letter
        if ANY not in (letter, found) and letter != found:
            raise _Wrong(word, f"is {found}, where the contact is {kind}")
    return kind, *features


def _feature(word: Word) -> str:
    if not re.fullmatch(FEATURE, word.text):
        raise _Wrong(word, "is no feature; write v12, f5, e7, e7(3-9), l(3-9-12) or *")
    return word.text


def _ids(word: Word) -> str:
    if not re.fullmatch(rf"\*|#{N}(\+#{N})*", word.text):
        raise _Wrong(word, "is no region; write '#1', '#1+#4' or *")
    return word.text


def _dent(kind: Word, words: list[Word]) -> Words:
    if kind.text != "convexity_lost":
        raise _Wrong(words[0], f"follows {kind.text!r} of a body: its name is all")
    if len(words) > 2:
        raise _Wrong(words[2], "is one word too many: write a place and a depth")
    depth = words[1].text if len(words) == 2 else ANY
    if not re.fullmatch(DEPTH, depth):
        raise _Wrong(words[1], "is no depth; write a number, as 0.0123, or *")
    return AGAIN if words[0].text == AGAIN else _feature(words[0]), depth
