"""A story as it is expected, written by hand with wildcards, against what happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple, Self

import pytest

from sim.events.event import Event
from sim.story.comparing.difference import counted
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


Met = tuple[int, int, "Met"] | None  # a place in the script, its event; those before


class _Attempt(NamedTuple):
    """How far a script was met."""

    place: int  # in the script: what was expected next; its length: the end
    at: int  # the event that was there instead; their number: none was left
    met: Met


def _furthest(script: Script, events: Sequence[Event]) -> _Attempt | None:
    """Follow all readings of a script at once; None if one of them fits.

    Every place in the script is kept once, so wildcards cost no search: the simulation
    of an automaton of Thompson (1968, doi:10.1145/363347.363387).
    """
    alive: dict[int, Met] = {}
    _reach(script, alive, 0, None)
    best = _Attempt(max(alive), 0, None)
    for at, event in enumerate(events):
        later: dict[int, Met] = {}
        for place, met in alive.items():
            step = script[place] if place < len(script) else None
            if place == len(script):
                continue  # the end was expected here
            if step is None:
                _reach(script, later, place, met)
            elif not step.unlike(event)[1]:
                _reach(script, later, place + 1, (place, at, met))
        alive = later
        if not alive:
            return best
        place = max(alive)
        if place >= best.place:
            best = _Attempt(place, at + 1, alive[place])
    return None if len(script) in alive else best


def _reach(script: Script, alive: dict[int, Met], place: int, met: Met) -> None:
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
    steps = {place: step for place, step in enumerate(script) if step is not None}
    numbers = {place: number for number, place in enumerate(steps, start=1)}
    place, at = attempt.place, attempt.at
    step = steps.get(place)
    wanted = "no further event" if step is None else step.text
    instead = str(events[at]) if at < len(events) else "nothing: the story ends"
    head = "contacts are not as expected"
    why = f"event {at + 1} of {len(events)}"
    if step is None:
        head += f" after the last of {len(steps)} steps" if steps else ""
    else:
        head += f": step {numbers[place]} of {len(steps)} is not met"
        if at < len(events):
            why += f"; {step.unlike(events[at])[1]}"
        elif events or not happened:
            why = "after the last event" if events else "nothing happens at all"
        else:
            others = listed([*dict.fromkeys(bodies(e.a, e.b) for e in happened)])
            why = f"nothing happens to them; it does to {others}"
    lines = [head, f"  expected: {wanted}", f"  instead:  {instead}"]
    lines.append(f"  where:    {why}")
    since = attempt.met[1] + 1 if attempt.met else 0
    if step and at == len(events) and place and script[place - 1] is None:
        # the event that a step behind a gap is most like, and why it is another
        answers = [(*step.unlike(event), event) for event in events[since:]]
        count, clause, event = max(answers, key=lambda x: x[0], default=(0, "", None))
        lines += [f"  nearest:  {event}; {clause}"] * (count > 0)
    rows: list[tuple[int, str]] = []
    link = attempt.met
    while link:
        rows.insert(0, (link[1], f"step {numbers[link[0]]:<3}"))
        link = link[2]
    around = range(at, min(at + 1 + AROUND, len(events)))
    rows += [(k, "here ->" if k == at else "") for k in around]
    last = -1
    lines.append("")
    for k, label in [*rows, (len(events), "")]:
        skipped = k - last - 1
        lines += [f"           ... {counted(skipped, 'event')}"] * (skipped > 0)
        lines += [f"  {label:8} {event}" for event in events[k : k + 1]]
        last = k
    return "\n".join(lines).rstrip()


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
