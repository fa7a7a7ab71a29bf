"""Shorten lines of text that are too long."""

import re
from collections.abc import Callable, Iterable

LONGEST = 24  # letters of a name that are written beside a body
_LENGTHS = (LONGEST, 16, 10)  # of names, in a line that is too long
_ENDS = re.compile(r"\(\d+-\d+\)")  # of an edge
_PAIR = re.compile(r"^(\d+ \w+) \S+?/\S+ ")


def short(name: str, most: int = LONGEST) -> str:
    """Cut a name in the middle: names often differ at their ends."""
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[-tail:]}"


def fitting(line: str, names: Iterable[str], fits: Callable[[str], bool]) -> str:
    """Shorten the names in a line until it fits, then cut its end.

    Parameters: ``names``: names of bodies; ``fits``: tells whether a line does.
    """
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

    Left out are, as far as needed: the ends of edges, the pair where it is ``alone``,
    then the old features of a change.

    Parameters: ``event``: as in ``47 change jelly/table VF v12 f5 -> EE e7(3-9)
    e9(1-4)``; ``alone``: whether there is one pair only.
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
