"""Lay out texts: shorten lines that are too long, set letters as pieces of one image.

VTK draws every letter once, alone; a text is its letters side by side, as wide as VTK
makes it.  So a new text costs no image, and all texts together are drawn in one go.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.gl import require_pyvista
from wingedge.tables import Floats

LONGEST = 24  # letters of a name that are written beside a body
_LENGTHS = (LONGEST, 16, 10)  # of names, in a line that is too long
_ENDS = re.compile(r"\(\d+-\d+\)")  # of an edge
_PAIR = re.compile(r"^(\d\S* \w+) \S+?/\S+ ")


def short(name: str, most: int = LONGEST) -> str:
    """Cut a name in the middle: names often differ at their ends."""
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[-tail:]}"


def fitting(line: str, names: Iterable[str], fits: Callable[[str], bool]) -> str:
    """Shorten names of bodies in a line until it fits, then cut its end."""
    found = line
    for most in _LENGTHS:
        if fits(found):
            return found
        found = line
        for name in names:
            found = found.replace(name, short(name, most))
    return cut(found, fits)


def cut(line: str, fits: Callable[[str], bool]) -> str:
    """Leave out the end of a line that does not fit, as little as possible."""
    if fits(line):
        return line
    low, high = 0, len(line)  # so many letters fit, so many do not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(f"{line[:middle]}…") else (low, middle)
    return f"{line[:low]}…"


def wrapped(
    words: str, most: int, fits: Callable[[str], bool], after: str = ""
) -> list[str]:
    """Break words into lines that fit, at most so many; cut them before ``after``."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and not fits(longer):
            lines.append(word)
        else:
            lines[-1] = longer
    end = [cut(after, fits)] if after else []
    room = max(1, most - len(end))
    if len(lines) > room:
        lines[room - 1 :] = [" ".join(lines[room - 1 :])]
    return [cut(line, fits) for line in lines] + end


def brief(event: str, letters: int, *, alone: bool) -> str:
    """Write a line of the story in so many letters, the new features before all.

    Left out are the ends of edges, the pair if ``alone``, then a change's old features.
    """
    if len(event) <= letters:
        return event
    line = _ENDS.sub("", event)
    if len(line) > letters and alone:
        line = _PAIR.sub(r"\1 ", line)
    if len(line) > letters and " -> " in line:
        before, _, after = line.partition(" -> ")
        kept = before.split(" ")[: 2 if alone else 3]
        line = f"{' '.join(kept)} -> {after}"
    return line if len(line) <= letters else f"{line[: letters - 1]}…"


Area = tuple[float, float, float, float]  # left, bottom, right, top

_VTK_FONT_FILE = 4
_UNKNOWN = "?"  # stands for a letter that no font has

_WIDE = 512  # pixels of the image
_TALL = 256  # to begin with
_GAP = 1  # clear pixels between letters
_REMEMBERED = 4096  # texts that are laid out
_ACROSS = slice(1, 13, 2)  # of what is known of a letter: what goes along with the pen
_BESIDE = "H"  # a letter that touches none: between two of it others are measured


class TextExtent(NamedTuple):
    """How large a text is, and where it lies about its own place; pixels."""

    width: float
    height: float
    left: float
    bottom: float


class TextLayout(NamedTuple):
    """A text that is laid out; letters without ink have no extent."""

    corners: Floats  # (n, 8) x and y of the corners of its letters, from its own place
    sources: NDArray[np.float32]  # (n, 8) the same in the image
    extent: TextExtent


class LetterAtlas:
    """Lay out texts, and keep the image of all letters that they need.

    The pixel in its corner is all ink; ``version`` counts the letters added.
    """

    def __init__(self, renderer: Any) -> None:
        self._renderer = renderer
        self._actor = require_pyvista()._vtk.vtkTextActor()
        self._style = self._actor.GetTextProperty()
        self._style.SetFontFamilyToArial()
        self._style.SetJustificationToLeft()
        self._style.SetVerticalJustificationToBottom()
        self.image = np.zeros((_TALL, _WIDE), np.uint8)
        self.image[0, 0] = 255
        self.version = 0
        self._pen, self._row, self._next = 1 + _GAP, 0, 1 + _GAP  # where there is room
        self._table = np.empty((0, 21))  # all letters, see _drawn
        self._fonts: dict[tuple[int, bool], dict[str, int]] = {}  # rows of it
        self._runs: dict[tuple[str, int, bool], TextLayout] = {}

    def lay(self, words: str, size: int, bold: bool) -> TextLayout:
        """Lay out a line of text; known ones cost nothing."""
        key = words, size, bold
        run = self._runs.get(key)
        if run is None:
            if len(self._runs) >= _REMEMBERED:
                self._runs.clear()
            run = self._runs[key] = self._laid(words, size, bold)
        return run

    def _laid(self, words: str, size: int, bold: bool) -> TextLayout:
        if not words:
            none = np.empty((0, 8))
            return TextLayout(
                none, none.astype(np.float32), TextExtent(0.0, 0.0, 0.0, 0.0)
            )
        font = self._fonts.setdefault((size, bold), {})
        for sign in set(words).difference(font):
            drawn = self._drawn(sign if sign.isprintable() else " ", size, bold)
            self._table = np.concatenate([self._table, [drawn]])
            font[sign] = len(self._table) - 1
        rows = self._table[[font[sign] for sign in words]]
        pen = rows[:, 0].cumsum()
        pen -= rows[:, 0]
        rows[:, _ACROSS] += pen[:, None]
        left, bottom = rows[:, 1:3].min(axis=0).tolist()
        right, top = rows[:, 3:5].max(axis=0).tolist()
        extent = TextExtent(right - left + 1, top - bottom + 1, left, bottom)
        return TextLayout(rows[:, 5:13], rows[:, 13:].astype(np.float32), extent)

    def _drawn(self, sign: str, size: int, bold: bool) -> tuple[float, ...]:
        """Let VTK draw one letter, and keep its ink in the image.

        Returns tuple of 21: how far the pen goes; left, bottom, right, top of the area
        that VTK gives it; the corners of its ink, and those of its ink in the image.
        """
        self._style.SetFontSize(size)
        self._style.SetBold(bold)
        advance, area, ink = self._from_font(sign)
        if not ink.any() and not sign.isspace():
            advance, area, ink = self._from_other_fonts(sign)
        x0, y0, _, y1 = area
        rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
        if not len(rows):
            return (advance, 0.0, y0, advance - 1.0, y1, *(0.0,) * 16)
        bottom, top = int(rows[0]), int(rows[-1]) + 1
        left, right = int(columns[0]), int(columns[-1]) + 1
        x, y = self._room(right - left, top - bottom)
        place = x, y, x + right - left, y + top - bottom
        self.image[y : place[3], x : place[2]] = ink[bottom:top, left:right]
        self.version += 1
        box = left + x0, bottom + y0, right + x0, top + y0
        return (advance, *area, *_corners(*box), *_corners(*place))

    def _from_font(self, sign: str) -> tuple[float, Area, NDArray[np.uint8]]:
        """Return how far the pen goes, the area of a letter, and its ink in it."""
        advance = self._area(_BESIDE + sign + _BESIDE)[2] - self._area(2 * _BESIDE)[2]
        area = self._area(sign)
        data = self._actor.GetTexture().GetInput()
        width, height, _ = data.GetDimensions()
        drawn = require_pyvista().convert_array(data.GetPointData().GetScalars())
        return advance, area, drawn.reshape(height, width, -1)[..., -1]

    def _from_other_fonts(self, sign: str) -> tuple[float, Area, NDArray[np.uint8]]:
        """Take a letter that VTK's font lacks from another; a question mark if none."""
        for file in other_fonts():
            self._style.SetFontFamily(_VTK_FONT_FILE)
            self._style.SetFontFile(file)
            found = self._from_font(sign)
            self._style.SetFontFamilyToArial()
            if found[2].any():
                return found
        return self._from_font(_UNKNOWN)

    def _area(self, words: str) -> Area:
        """Return left, bottom, right and top of a text, as VTK draws it."""
        area = [0.0, 0.0, 0.0, 0.0]
        self._actor.SetInput(words)
        self._actor.GetBoundingBox(self._renderer, area)
        return area[0], area[2], area[1], area[3]

    def _room(self, width: int, height: int) -> tuple[int, int]:
        """Find room in the image, in rows from its first; it grows if there is none."""
        if self._pen + width > _WIDE:
            self._pen, self._row = 0, self._next
        self._next = max(self._next, self._row + height + _GAP)
        if self._next > len(self.image):
            self.image = np.concatenate([self.image, np.zeros_like(self.image)])
        x, self._pen = self._pen, self._pen + width + _GAP
        return x, self._row


def _corners(left: float, bottom: float, right: float, top: float) -> tuple[float, ...]:
    return left, bottom, right, bottom, right, top, left, top


# Those that have most letters first: each is asked until one draws something, and VTK
# draws nothing where a font has no such letter.
_KNOWN = (
    *("notosanscjk", "ipaexg", "ipag", "takaogothic", "droidsansfallback", "wqy-"),
    *("ヒラギノ角ゴシック w3", "hiragino sans", "arial unicode", "applesdgothicneo"),
    *("yugothm", "meiryo", "msgothic", "msyh", "malgun", "dejavusans.", "unifont"),
)


@lru_cache(maxsize=1)
def other_fonts() -> tuple[str, ...]:
    """List font files that may have more letters, the best first; found once."""
    from matplotlib.font_manager import findSystemFonts  # comes with pyvista

    found = map(Path, findSystemFonts())
    files = sorted(found, key=lambda p: (_rank(p), "bold" in p.name.lower(), p.name))
    return tuple(str(path) for path in files if _rank(path) < len(_KNOWN))


def _rank(path: Path) -> int:
    name = path.name.lower()
    found = (k for k, known in enumerate(_KNOWN) if name.startswith(known))
    return next(found, len(_KNOWN))
