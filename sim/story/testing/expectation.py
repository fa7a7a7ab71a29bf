"""A story as it is expected, written by hand with wildcards, against what happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple, Self

import pytest

from sim.events.event import Event
from sim.story.story import Story
from sim.story.testing.golden import Source, run_of
from sim.story.testing.pictures import picture
from sim.story.testing.script import Script, parse_script
from sim.story.testing.steps import Step, bodies

SHOWN = 8  # names of bodies that are listed


def listed(names: Sequence[str]) -> str:
    """List names, the first of them where they are many."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def misnamed(step: Step, names: Sequence[str]) -> str:
    """Say in a clause why no event can be of the bodies of a step; else "".

    Parameters: ``names``: the bodies that there are, in the order of the world; none:
    nobody knows.
    """
    a, b = step.a, step.b
    for name in (a, b):
        if name and names and name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            return f"there is no body {name!r}, only {listed(names)}{hint}"
    if not (names and a and b) or names.index(a) < names.index(b):
        return ""
    if a == b:
        return f"{a!r} stands twice; two bodies make a pair"
    return (
        f"the pair is written {b}/{a}, in the order of the world, and the features in "
        "this order, too"
    )


AROUND = 3  # events that are listed after the one that is not as expected


class Mismatch(NamedTuple):
    """The first thing that did not happen as expected."""

    frame: int | None  # in which it happened otherwise; None after the last event
    words: str


@dataclass(frozen=True)
class Expectation:
    """What is expected to happen, step by step; see `sim.story.testing.script`.

    Only what the steps speak of is looked at: the bodies that they name, and, of these,
    what happens to two bodies, to regions or to one, whichever has a step. Nothing at
    all is expected to happen if there is no step.
    """

    text: str
    script: Script
    fixture: "ExpectContacts | None" = None

    @classmethod
    def parse(cls, text: str, fixture: "ExpectContacts | None" = None) -> Self:
        """Read it from its text.

        Raises ValueError naming the step and the character that cannot be read.
        """
        __tracebackhide__ = True
        return cls(text, parse_script(text), fixture)

    def of(self, source: Source, frames: int | None = None) -> None:
        """Compare with what happens in a world, a recording, a story or frames.

        Parameters: ``frames``: how many: of a world so many from now on, else the first
        so many.

        Raises AssertionError naming the first step that was not met, and what happened
        instead; with a picture of the frame if a fixture has the option that asks so.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        if self.fixture and self.text in self.fixture.unasked:
            self.fixture.unasked.remove(self.text)
        run = run_of(source, frames)
        story = Story.of(run)
        if mismatch := self.mismatch(story.events, story.bodies):
            words = mismatch.words
            if self.fixture:
                asked = self.fixture.request, run, mismatch.frame
                words += "".join(f"\n\n{x}" for x in picture(*asked, "not_as_expected"))
            raise AssertionError(words)

    def mismatch(
        self, happened: Sequence[Event], names: Sequence[str] = ()
    ) -> Mismatch | None:
        """Return the first thing that is not as expected; None if all is.

        Parameters: ``names``: the bodies that there are, in the order of the world; a
        step about another one is told so.

        Cost: O(events * steps), whatever the wildcards.
        """
        steps = [step for step in self.script if step is not None]
        about = [e for e in happened if not steps or any(s.is_about(e) for s in steps)]
        attempt = _furthest(self.script, about)
        if attempt is None:
            return None
        at = about[attempt.at].frame if attempt.at < len(about) else None
        words = _words(self.script, about, attempt, happened)
        for step in steps:
            if clause := misnamed(step, names):
                head, _, rest = words.partition("\n  where: ")
                words = f"{head}\n  names:    in {step.text!r}, {clause}"
                words += f"\n  where: {rest}"
                break
        return Mismatch(at, words)


class _Attempt(NamedTuple):
    """How far a script was met."""

    place: int  # in the script: what was expected next; its length: the end
    at: int  # the event that was there instead; their number: none was left
    met: "_Met | None"


class _Met(NamedTuple):
    """Which event met which step, the last first; shared between attempts."""

    place: int
    at: int
    before: "_Met | None"


def _furthest(script: Script, events: Sequence[Event]) -> _Attempt | None:
    """Follow all readings of a script at once; None if one of them fits.

    Every place in the script is kept once, so wildcards cost no search: the simulation
    of an automaton of Thompson (1968, doi:10.1145/363347.363387).
    """
    alive: dict[int, _Met | None] = {}
    _reach(script, alive, 0, None)
    best = _Attempt(max(alive), 0, None)
    for at, event in enumerate(events):
        later: dict[int, _Met | None] = {}
        for place, met in alive.items():
            step = script[place] if place < len(script) else None
            if place == len(script):
                continue  # the end was expected here
            if step is None:
                _reach(script, later, place, met)
            elif not step.unlike(event)[1]:
                _reach(script, later, place + 1, _Met(place, at, met))
        alive = later
        if not alive:
            return best
        place = max(alive)
        if place >= best.place:
            best = _Attempt(place, at + 1, alive[place])
    return None if len(script) in alive else best


def _reach(
    script: Script, alive: dict[int, _Met | None], place: int, met: _Met | None
) -> None:
    """Mark a place as reached, and the one behind a gap, which may be empty."""
    alive.setdefault(place, met)
    if place < len(script) and script[place] is None:
        _reach(script, alive, place + 1, met)


def _words(
    script: Script,
    events: Sequence[Event],
    attempt: _Attempt,
    happened: Sequence[Event],
) -> str:
    """Tell what was expected, what happened instead, and where."""
    count = sum(step is not None for step in script)
    place, at = attempt.place, attempt.at
    step = script[place] if place < len(script) else None
    wanted = "no further event" if step is None else step.text
    instead = str(events[at]) if at < len(events) else "nothing: the story ends"
    if step is None:
        after = "" if count == 0 else f" after the last of {count} steps"
        head = f"contacts are not as expected{after}"
        why = f"event {at + 1} of {len(events)}"
    else:
        number = 1 + sum(s is not None for s in script[:place])
        head = f"contacts are not as expected: step {number} of {count} is not met"
        why = "after the last event" if events else "nothing happens at all"
        if at < len(events):
            clause = step.unlike(events[at])[1]
            why = f"event {at + 1} of {len(events)}; {clause}"
    lines = [head, f"  expected: {wanted}", f"  instead:  {instead}"]
    lines.append(f"  where:    {why}")
    lines += _nearest(script, events, attempt)
    if not events and happened:
        others = listed([*dict.fromkeys(bodies(e.a, e.b) for e in happened)])
        lines[-1] = f"  where:    nothing happens to them; it does to {others}"
    return "\n".join([*lines, "", *_list(script, events, attempt)]).rstrip()


def _nearest(script: Script, events: Sequence[Event], attempt: _Attempt) -> list[str]:
    """Name the event that a step behind a gap is most like, and why it is another."""
    place = attempt.place
    if attempt.at < len(events) or not 0 < place < len(script):
        return []
    step, gap = script[place], script[place - 1]
    if step is None or gap is not None:
        return []
    since = attempt.met.at + 1 if attempt.met else 0
    answers = [(*step.unlike(event), event) for event in events[since:]]
    if not answers:
        return []
    count, clause, event = max(answers, key=lambda answer: answer[0])
    return [f"  nearest:  {event}; {clause}"] if count else []


def _list(script: Script, events: Sequence[Event], attempt: _Attempt) -> list[str]:
    """List the events that met a step, and some that follow."""
    met: list[_Met] = []
    link = attempt.met
    while link:
        met.append(link)
        link = link.before
    lines = []
    places = [place for place, step in enumerate(script) if step is not None]
    numbers = {place: number for number, place in enumerate(places, start=1)}
    last = -1
    for link in reversed(met):
        lines += _skipped(link.at - last - 1)
        lines.append(f"  step {numbers[link.place]:<3} {events[link.at]}")
        last = link.at
    lines += _skipped(attempt.at - last - 1)
    for k, event in enumerate(events[attempt.at : attempt.at + 1 + AROUND]):
        lines.append(f"  {'here ->' if k == 0 else '':8} {event}")
    return [*lines, *_skipped(len(events) - attempt.at - 1 - AROUND)]


def _skipped(count: int) -> list[str]:
    if count < 1:
        return []
    return [f"           ... {count} event{'s' if count > 1 else ''}"]


class ExpectContacts:
    """Make expectations: what the fixture ``expect_contacts`` gives.

    Attributes
    ----------
    unasked : list of str
        The texts of those that were compared with nothing so far.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self.request = request
        self.unasked: list[str] = []

    def __call__(self, text: str) -> Expectation:
        """Expect a story; the grammar is in `sim.story.testing.script`.

        Raises ValueError naming the step and the character that cannot be read.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        expectation = Expectation.parse(text, self)
        self.unasked.append(text)
        return expectation
