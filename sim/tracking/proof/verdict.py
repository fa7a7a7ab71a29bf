"""What the checker says: yes, no, or that it cannot say; and why."""

from typing import NamedTuple

YES, NO, CANNOT_SAY = "yes", "no", "cannot say"
JUDGED = ("distance", "bounds", "points", "normal", "membership")


class Verdict(NamedTuple):
    """Whether an answer holds, and why not; true in a condition where it is proven."""

    answer: str  # "yes", "no" or "cannot say"
    reason: str  # empty for "yes"
    judged: tuple[str, ...] = ()  # of a state: all that "yes" says, ``JUDGED``

    @property
    def holds(self) -> bool:
        """Whether the answer is proven."""
        return self.answer == YES

    def __bool__(self) -> bool:
        return self.holds


class FalseAnswer(Exception):
    """Something that an answer says is not so."""


class UnprovenAnswer(Exception):
    """Something that an answer says is beyond the means of the checker."""


def refuse(*claims: tuple[bool, str]) -> None:
    """Raise ``FalseAnswer`` for the first claim that is wrong, with its reason."""
    for wrong, reason in claims:
        if wrong:
            raise FalseAnswer(reason)
