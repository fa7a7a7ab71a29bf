"""Keys and mouse, over the picture."""

from typing import NamedTuple

from viewer import theme
from viewer.drawing.hud import Hud, Text
from viewer.window.keys import help_lines

_LINE = 1.5  # of the size of a text
_KEY = 1.4  # sizes of a text between keys and what they do
_BETWEEN = 2.4  # columns
_RIM = 1.6  # beside all of them
_REST = 230.0  # pixels of the height that are left to title and legend
_LOW, _LESS = 560.0, 166.0  # a window that is lower, and what is left to them there
_UP = 22.0  # pixels: the legend and the slider are higher than the title
_SMALLEST = 7  # size of a text that can still be read


class Grid(NamedTuple):
    """How the lines of the sheet are laid out."""

    letters: int  # size of a text
    columns: int
    tall: int  # lines in each


def write_help(hud: Hud, size: tuple[int, int]) -> None:
    """Write what every key does on a sheet in the middle of the picture.

    In as many columns as it takes, so that it covers neither title nor legend, and in
    smaller letters where there is no room.
    """
    look = hud.theme

    def written(letters: int) -> list[tuple[Text, Text]]:
        return [
            (
                hud.text(shown, letters, look.ink, bold=True),
                hud.text(does, letters, look.ink),
            )
            for shown, does in help_lines()
        ]

    large = written(theme.TEXT_SIZE)
    keys, words = (
        max(hud.measure(pair[k])[0] for pair in large) / theme.TEXT_SIZE for k in (0, 1)
    )
    letters, columns, tall = grid(len(large), keys + words, size)
    step = _LINE * letters
    wide = letters * _across(columns, keys + words)
    height = (tall + 1.2) * step
    left, top = (size[0] - wide) / 2, (size[1] + height) / 2
    top += _UP if size[1] < _LOW else 0.0
    hud.framed([left, top - height, left + wide, top], look.ink)
    for row, (shown_text, does_text) in enumerate(written(letters)):
        column = (keys + _KEY + words + _BETWEEN) * (row // tall)
        x = left + (_RIM + column) * letters
        y = top - (row % tall + 1.2) * step
        hud.put(shown_text, x, y)
        hud.put(does_text, x + (keys + _KEY) * letters, y)


def grid(count: int, width: float, size: tuple[int, int]) -> Grid:
    """Choose the largest letters for which so many lines fit into the picture.

    Parameters
    ----------
    count : int
        Lines.
    width : float
        Of the longest key and the longest words together, in sizes of a text.
    size : (width, height)
        Of the picture, in pixels.
    """
    high = size[1] - (_REST if size[1] >= _LOW else _LESS)
    for letters in range(theme.TEXT_SIZE, _SMALLEST - 1, -1):
        room = max(1, int(high / (_LINE * letters) - 1.2))
        columns = -(-count // room)
        found = Grid(letters, columns, -(-count // columns))
        if letters * _across(columns, width) <= size[0] - 16.0:
            break
    return found


def _across(columns: int, width: float) -> float:
    """Return the width of so many columns, in sizes of a text."""
    return columns * (width + _KEY) + (columns - 1) * _BETWEEN + 2 * _RIM
