"""Names in an expected story that no body has, or that stand the wrong way round."""

from collections.abc import Sequence
from difflib import get_close_matches

from sim.story.testing.steps import Step

SHOWN = 8  # names of bodies that are listed


def misnamed(step: Step, names: Sequence[str]) -> str:
    """Say in a clause why no event can be of the bodies of a step; else "".

    Parameters
    ----------
    names : sequence of str
        The bodies that there are, in the order of the world; none: nobody knows.
    """
    if not names:
        return ""
    for name in (step.a, step.b):
        if name and name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            known = ", ".join(names[:SHOWN]) + more
            return f"there is no body {name!r}, only {known}{hint}"
    if step.a and step.b and names.index(step.a) >= names.index(step.b):
        if step.a == step.b:
            return f"{step.a!r} stands twice; two bodies make a pair"
        return (
            f"the pair is written {step.b}/{step.a}, in the order of the world, and "
            "the features in this order, too"
        )
    return ""
