"""The pictures of docs/gallery: one entry each, what it shows and what makes it."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "docs" / "gallery"


class LegendEntry(NamedTuple):
    """One picture, by the name of its file."""

    shows: str
    code: str  # the line that makes it, or where that is
    draw: Callable[[Path], object]  # writes it
