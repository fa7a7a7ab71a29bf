"""Hostile and ordinary stories of two bodies, each from one name and one integer.

Used by the fuzzers and accuracy tables beside this folder and by the tests; never in
the wheel.
"""

from stories.degenerate import DEGENERATE
from stories.general import GENERAL
from stories.judge import Judgement, judge
from stories.notched import NOTCHED
from stories.shallow import shallow, touch
from stories.story import FRAMES, Step, Story, seeded

DEGENERATE |= {shallow.__name__: shallow, touch.__name__: touch}
FAMILIES = GENERAL | DEGENERATE | NOTCHED

__all__ = [
    "DEGENERATE",
    "FAMILIES",
    "FRAMES",
    "GENERAL",
    "NOTCHED",
    "Judgement",
    "Step",
    "Story",
    "judge",
    "story",
]


def story(family: str, seed: int) -> Story:
    """Build one story; the same name and seed give the same story."""
    return seeded(family, seed, FAMILIES[family])
