"""Shorten and break texts, and find fonts that have their letters."""

import re
from bisect import bisect
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

LONGEST = 24  # letters of a name that are written beside a body
_ENDS = re.compile(r"\(\d+-\d+\)")  # of an edge
_PAIR = re.compile(r"^(\d\S* \w+) \S+?/\S+ ")


def short(name: str, most: int = LONGEST) -> str:
    """Cut a name in the middle: names often differ at their ends."""
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[-tail:]}"


def cut(line: str, fits: Callable[[str], bool]) -> str:
    """Leave out the end of a line that does not fit, as little as possible."""
    if fits(line):
        return line
    every = range(len(line))
    first = bisect(every, False, key=lambda k: not fits(f"{line[:k]}…"))  # too long
    return f"{line[: max(0, first - 1)]}…"


def folded(line: str, fits: Callable[[str], bool]) -> list[str]:
    """Break a line into rows, four at most, after spaces and slashes; cut the rest."""
    rows = [""]
    for piece in re.findall("[^ /]*[ /]?", line):
        longer = rows[-1] + piece
        if len(rows) < 4 and rows[-1].strip() and not fits(longer.rstrip()):
            rows.append(f"   {piece}")
        else:
            rows[-1] = longer
    return [cut(row.rstrip(), fits) for row in rows if row]


def brief(event: str, letters: int, *, alone: bool) -> str:
    """Write a line of the story in so many letters, if it can be: new features first.

    Left out are the ends of edges, the pair if ``alone``, then a change's old features.
    """
    line = event if len(event) <= letters else _ENDS.sub("", event)
    if len(line) > letters and alone:
        line = _PAIR.sub(r"\1 ", line)
    if len(line) > letters and " -> " in line:
        before, _, after = line.partition(" -> ")
        kept = before.split(" ")[: 2 if alone else 3]
        line = f"{' '.join(kept)} -> {after}"
    return line


_PLAIN = frozenset(map(chr, [*range(32, 0x250), *range(0x2010, 0x2027), 0x2192]))


@lru_cache(maxsize=8192)
def readable(words: str) -> tuple[str, str]:
    """Return words, a question mark for a letter that no font has, and a font file.

    The file is empty where VTK's own font has all letters; it has those of Latin.
    """
    words = "".join(letter if letter.isprintable() else " " for letter in words)
    file, known = _font_for(frozenset(words) - _PLAIN)
    has = _PLAIN | known
    return "".join(letter if letter in has else "?" for letter in words), file


@lru_cache(maxsize=256)
def _font_for(letters: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Return the font file that has most of these letters, and which of them."""
    best = "", frozenset[str]()
    if not letters:
        return best
    from matplotlib import font_manager, ft2font  # comes with pyvista

    files = [font_manager.findfont("DejaVu Sans")]
    for file in [*files, *sorted(font_manager.findSystemFonts())]:
        with suppress(RuntimeError, OSError):  # of a kind that cannot be read
            signs = map(chr, ft2font.FT2Font(file).get_charmap())
            known = letters.intersection(signs)
            if len(known) > len(best[1]):
                best = str(file), known
            if known == letters:
                break
    return best
