"""Keys and mouse, over the picture."""

from viewer import theme
from viewer.hud import Hud
from viewer.window.keys import help_lines

_LINE = 1.5 * theme.TEXT_SIZE
_KEYS = 170.0  # pixels that names of keys take
_WIDTH = 560.0


def write_help(hud: Hud, size: tuple[int, int]) -> None:
    """Write what every key does on a sheet in the middle of the picture."""
    lines = help_lines()
    height = (len(lines) + 1.5) * _LINE
    left, top = (size[0] - _WIDTH) / 2, (size[1] + height) / 2
    hud.framed([left, top - height, left + _WIDTH, top], hud.theme.ink)
    for row, (shown, does) in enumerate(lines):
        y = top - (row + 1.5) * _LINE
        hud.put(
            hud.text(shown, theme.TEXT_SIZE, hud.theme.ink, bold=True), left + 24, y
        )
        words = hud.text(does, theme.TEXT_SIZE, hud.theme.ink)
        hud.put(words, left + 24 + _KEYS, y)
