"""Hostile and ordinary stories of two bodies, each from one name and one integer.

Used by the fuzzers and accuracy tables beside this folder and by the tests; never in
the wheel.
"""

from functools import partial

from stories.bending import BENDS
from stories.deforming import bending
from stories.degenerate import DEGENERATE
from stories.general import GENERAL
from stories.nearly import nearly_convex
from stories.notched import NOTCHED
from stories.shallow import shallow, touch
from stories.solids import SIZES
from stories.story import FRAMES, Story, seeded

DEGENERATE |= {shallow.__name__: shallow, touch.__name__: touch}
FAMILIES = GENERAL | DEGENERATE | NOTCHED
BENDING = [f"{size}/{bend}" for size in SIZES for bend in BENDS]

__all__ = ["BENDING", "DEGENERATE", "FAMILIES", "FRAMES", "GENERAL", "Story", "story"]


def story(family: str, seed: int) -> Story:
    """Build one story; the same name and seed give the same story."""
    size, _, bend = family.rpartition("/")
    author = FAMILIES.get(family, nearly_convex)
    return seeded(family, seed, partial(bending, size, bend, seed) if size else author)
