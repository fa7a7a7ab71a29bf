"""A story as it is expected, written by hand with wildcards, against what happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import accumulate
from typing import Self

from sim.events.event import Event
from sim.events.patterns import ANY
from sim.events.touch import split_name
from sim.story.comparing.difference import counted
from sim.story.story import Story
from sim.story.testing.golden import Resolution, Retelling, Source
from sim.story.testing.script import Script, Step, bodies, parse_script

SHOWN = 8  # names of bodies that are listed
Places = tuple[int, ...]  # of the events that met the first steps
SILENT = "nothing happens at all"
AROUND = 3  # events that are listed after the one that is not as expected


def listed(names: Sequence[str]) -> str:
    """List names, the first of them where they are many."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def misnamed(step: Step, names: Sequence[str]) -> str:
    """Say in a clause why no event can be of the bodies of a step; else "".

    Parameters: ``names``: the bodies that there are, in the order of the world.
    """
    a, b = (x and split_name(x, (*names, ANY))[0] for x in (step.a, step.b))
    for name in (a, b):
        if name and name not in (*names, ANY):
            near = get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            return f"there is no body {name!r}, only {listed(names)}{hint}"
    if not (a and b) or ANY in (a, b) or names.index(a) < names.index(b):
        return ""
    if a == b:
        return f"{a!r} stands twice; two bodies make a pair"
    return (
        f"the pair is written {b}/{a}, in the order of the world, and the features in "
        "this order, too"
    )


@dataclass
class Expectation:
    """What is expected to happen, step by step; see `sim.story.testing.script`.

    Only what the steps speak of is looked at: the bodies that they name, and, of these,
    what happens to two bodies, to regions or to one, whichever has a step. Nothing at
    all is expected to happen if there is no step.
    """

    text: str
    script: Script
    asked: bool = False  # whether it was compared with anything

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read it from its text.

        Raises ValueError naming the step that cannot be read.
        """
        __tracebackhide__ = True
        return cls(text, parse_script(text))

    def of(
        self, source: Source, frames: int | None = None, resolution: Resolution = None
    ) -> None:
        """Compare with what happens in a world, a recording, a story or frames.

        Parameters: ``frames``: how many: of a world so many from now on, else the first
        so many; ``resolution``: as of ``contact_regression.check``.

        Raises AssertionError naming the first step that was not met, and what happened
        instead.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        self.asked = True
        again = Retelling.of(source, frames, resolution)
        story = Story.of(again.run)
        if words := self.mismatch(story.events, story.bodies):
            words = words.replace(SILENT, SILENT + again.nearest(), not story.events)
            doubt = again.doubt(lambda run: not self.mismatch(Story.of(run).events))
            raise AssertionError(f"{words}\n\n{doubt}".rstrip())

    def mismatch(self, happened: Sequence[Event], names: Sequence[str] = ()) -> str:
        """Say what first is not as expected; nothing if all is.

        All readings of the script are followed at once, each number of steps met once,
        so wildcards cost no search: the simulation of an automaton of Thompson (1968,
        doi:10.1145/363347.363387).  Cost: O(events * steps).

        Parameters: ``names``: the bodies that there are, in the order of the world; a
        step about another one is told so.
        """
        steps = [step for step in self.script if step is not None]
        events = [e for e in happened if not steps or any(s.is_about(e) for s in steps)]
        numbers = accumulate((step is not None for step in self.script), initial=0)
        gaps = {n for n, s in zip(numbers, self.script, strict=False) if s is None}
        alive: dict[int, Places] = {0: ()}  # by how many steps are met
        met, at = alive[0], 0  # of those that came farthest
        for k, event in enumerate(events):
            later: dict[int, Places] = {}
            for i, link in alive.items():
                if i in gaps:
                    later.setdefault(i, link)
                if i < len(steps) and not steps[i].unlike(event)[1]:
                    later.setdefault(i + 1, (*link, k))
            alive = later
            if alive and max(alive) >= len(met):
                met, at = alive[max(alive)], k + 1
        if len(steps) in alive:
            return ""
        n = len(met)
        lines = _reasons(steps, n, events, at, happened)
        clauses = ((step, misnamed(step, names)) for step in steps if names)
        wrong = [f"in {step.text!r}, {clause}" for step, clause in clauses if clause]
        lines[3:3] = [f"  names:    {words}" for words in wrong[:1]]
        if n < len(steps) and at == len(events) and n in gaps:
            # the event that a step behind a gap is most like, and why it is another
            left = events[met[-1] + 1 if met else 0 :]
            answers = [(*steps[n].unlike(event), event) for event in left]
            count, clause, near = max(
                answers, key=lambda x: x[0], default=(0, "", None)
            )
            lines += [f"  nearest:  {near}; {clause}"] * (count > 0)
        lines += ["", *_around(events, at, met)]
        return "\n".join(lines).rstrip()


def _reasons(
    steps: Sequence[Step],
    n: int,
    events: Sequence[Event],
    at: int,
    happened: Sequence[Event],
) -> list[str]:
    """Tell what was expected after n steps, what happened instead, and where."""
    wanted = steps[n].text if n < len(steps) else "no further event"
    instead = str(events[at]) if at < len(events) else "nothing: the story ends"
    head = "contacts are not as expected"
    why = f"event {at + 1} of {len(events)}"
    if n == len(steps):
        head += f" after the last of {n} steps" if steps else ""
    else:
        head += f": step {n + 1} of {len(steps)} is not met"
        if at < len(events):
            why += f"; {steps[n].unlike(events[at])[1]}"
        elif events or not happened:
            why = "after the last event" if events else SILENT
        else:
            others = listed([*dict.fromkeys(bodies(e.a, e.b) for e in happened)])
            why = f"nothing happens to them; it does to {others}"
    said = [f"  expected: {wanted}", f"  instead:  {instead}", f"  where:    {why}"]
    return [head, *said]


def _around(events: Sequence[Event], at: int, met: Places) -> list[str]:
    """List the events that met the first steps, and those around the next one."""
    rows = dict.fromkeys(range(at + 1, at + 1 + AROUND), "") | {at: "here ->"}
    rows |= {k: f"step {n}" for n, k in enumerate(met, start=1)}
    lines, last = [], -1
    for k in sorted(k for k in rows if k < len(events)):
        lines += _skipped(k - last - 1)
        lines.append(f"  {rows[k]:8} {events[k]}")
        last = k
    return lines + _skipped(len(events) - last - 1)


def _skipped(n: int) -> list[str]:
    return [f"           ... {counted(n, 'event')}"] * (n > 0)
