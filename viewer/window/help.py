"""Keys and mouse, over the picture."""

from viewer import theme
from viewer.drawing.hud import Hud
from viewer.window.keys import help_lines

_LINE = 1.5 * theme.TEXT_SIZE
_KEYS = 165.0  # pixels that names of keys take
_WIDTH = 468.0  # of a column: two fit beside the story
_REST = 230.0  # pixels of the height that are left to title and legend


def write_help(hud: Hud, size: tuple[int, int]) -> None:
    """Write what every key does on a sheet in the middle of the picture.

    In as many columns as it takes, so that it covers neither title nor legend.
    """
    lines = help_lines()
    room = max(1, int((size[1] - _REST) / _LINE))
    columns = -(-len(lines) // room)
    tall = -(-len(lines) // columns)
    height = (tall + 1.5) * _LINE
    left, top = (size[0] - columns * _WIDTH) / 2, (size[1] + height) / 2
    hud.framed([left, top - height, left + columns * _WIDTH, top], hud.theme.ink)
    for row, (shown, does) in enumerate(lines):
        x = left + 24 + _WIDTH * (row // tall)
        y = top - (row % tall + 1.5) * _LINE
        hud.put(hud.text(shown, theme.TEXT_SIZE, hud.theme.ink, bold=True), x, y)
        words = hud.text(does, theme.TEXT_SIZE, hud.theme.ink)
        hud.put(words, x + _KEYS, y)
