"""Keys held over time, as one line of text that is played again: ``L*20 Shift+S*40``.

A word is what is held, and for how many frames: ``L`` is one frame, ``L*20`` twenty,
``H+K*5`` both for five, ``Shift+S*40`` with Shift, ``-*10`` nothing for ten.  Words are
separated by blanks or ends of lines.  Written back, a log has one form: Shift first,
then digits and letters in their order, and no two words in a row that hold the same.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Self

Keys = frozenset[str]

SHIFT = "Shift"
NOTHING = "-"
LONGEST = 10**6  # frames of one log: more than four hours of them


@dataclass(frozen=True, repr=False)
class KeyLog:
    """Which keys were held in which frame: a value with one written form.

    Attributes
    ----------
    runs : tuple of (frozenset of str, int)
        What was held, and for how many frames.

    Raises
    ------
    ValueError
        If a key is none, or a run has no frames.

    Examples
    --------
    >>> log = KeyLog.parse("L*20 L L S+Shift*3 -")
    >>> print(log, len(log))
    L*22 Shift+S*3 - 26
    """

    runs: tuple[tuple[Keys, int], ...] = ()

    def __post_init__(self) -> None:
        for keys, count in self.runs:
            for key in keys:
                if not _is_key(key):
                    raise ValueError(
                        f"{key!r} is no key; keys are Shift, A to Z and 0 to 9"
                    )
            if count < 1:
                raise ValueError(f"{_held(keys)} for {count} frames; at least 1")
        merged = tuple(
            (keys, sum(count for _, count in same))
            for keys, same in groupby(self.runs, key=lambda run: run[0])
        )
        object.__setattr__(self, "runs", merged)
        if len(self) > LONGEST:
            raise ValueError(f"the keys of {len(self)} frames; give at most {LONGEST}")

    @classmethod
    def of(cls, frames: Iterable[Iterable[str]]) -> Self:
        """Sum up the keys of one frame after the other."""
        return cls(tuple((frozenset(keys), 1) for keys in frames))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a log from its text.

        Raises
        ------
        ValueError
            Naming the word that cannot be read.
        """
        return cls(tuple(_run(word) for word in text.split()))

    def known(self, keys: Iterable[str]) -> Self:
        """Return the log; ``ValueError`` if it holds a key that is not among these."""
        allowed = {SHIFT, *keys}
        for held, _ in self.runs:
            if held - allowed:
                raise ValueError(
                    f"{_held(held)}: nothing is done by {_held(held - allowed)}; the "
                    f"keys are {' '.join(keys)}, and {SHIFT} with them"
                )
        return self

    def __iter__(self) -> Iterator[Keys]:
        """Give the keys of one frame after the other."""
        for keys, count in self.runs:
            for _ in range(count):
                yield keys

    def __len__(self) -> int:
        """Return the number of frames."""
        return sum(count for _, count in self.runs)

    def __add__(self, other: "KeyLog") -> "KeyLog":
        """Play one after the other."""
        return KeyLog(self.runs + other.runs)

    def __str__(self) -> str:
        return " ".join(
            _held(keys) if count == 1 else f"{_held(keys)}*{count}"
            for keys, count in self.runs
        )

    def __repr__(self) -> str:
        return f"KeyLog({str(self)!r})"


def _held(keys: Keys) -> str:
    """Write what is held at once: Shift first."""
    return "+".join(sorted(keys, key=lambda key: (key != SHIFT, key))) or NOTHING


def _is_key(key: str) -> bool:
    one = len(key) == 1 and key.isascii()
    return key == SHIFT or (one and (key.isdigit() or key.isupper()))


def _run(word: str) -> tuple[Keys, int]:
    held, star, count = word.partition("*")
    names = [] if held == NOTHING else held.split("+")
    if not all(map(_is_key, names)) or len(set(names)) < len(names):
        raise ValueError(
            f"{word!r} names no keys; write them as in 'L', 'H+K' or 'Shift+S', and "
            f"'{NOTHING}' for none"
        )
    if star and not (count.isascii() and count.isdigit() and 0 < len(count) < 8):
        raise ValueError(f"{word!r}: write a number of frames after the star, 'L*20'")
    frames = int(count) if star else 1
    if not frames:
        raise ValueError(f"{word!r} lasts no frame; leave it out")
    return frozenset(names), frames
