"""List every key of the window in one table, bind them, and write the help from it.

None of pyvista's and VTK's own keys is among them (q b v C Up Down plus minus, w s r p
e f u 3): they do in this window what they do in every other.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from viewer import theme
from viewer.drawing.hud import Hud
from viewer.drawing.overlays import SAID
from viewer.window.controls import Controls


class Key(NamedTuple):
    """One key: how VTK calls it, how a person does, what it does.

    "Control+4" is 4 with Control. Of keys that belong together one is shown for all.
    """

    symbol: str
    shown: str
    does: str
    act: Callable[[Controls], object]


def _shown(symbol: str) -> str:
    """Return how a letter is pressed."""
    return f"Shift {symbol.lower()}" if symbol.isupper() else symbol


KEYS = (
    Key("space", "Space", "play, pause", lambda c: c.timeline.toggle()),
    Key("Left", "Left", "one frame back", lambda c: c.timeline.step(-1)),
    Key("Right", "Right", "one frame on", lambda c: c.timeline.step()),
    Key("Prior", "Page Up", "previous event", lambda c: c.timeline.next_event(-1)),
    Key("Next", "Page Down", "next event", lambda c: c.timeline.next_event()),
    Key("Home", "Home", "first frame", lambda c: c.timeline.seek(0)),
    Key("End", "End", "last frame", lambda c: c.timeline.to_end()),
    Key("comma", ",", "slower", lambda c: c.timeline.faster(-1)),
    Key("period", ".", "faster", lambda c: c.timeline.faster()),
    Key("l", "l", "loop, or stay at the end", Controls.flip_loop),
    Key("BackSpace", "Backspace", "frame the contact again", Controls.frame),
    *(
        Key(
            said["key"],
            _shown(said["key"]),
            said["does"],
            partial(lambda layer, c: c.layers.flip(layer), layer),
        )
        for layer, said in SAID.items()
    ),
    Key("Tab", "Tab, Shift Tab", "choose a body", lambda c: c.hands.next()),
    Key("Shift+Tab", "", "", lambda c: c.hands.next(-1)),
    Key("j", "j, Shift j", "look at the next pair", Controls.next_pair),
    Key("J", "", "", lambda c: c.next_pair(-1)),
    Key("4", "4 6", "move it left, right", lambda c: c.push(-1, 0, 0)),
    Key("6", "", "", lambda c: c.push(1, 0, 0)),
    Key("2", "2 8", "move it down, up", lambda c: c.push(0, -1, 0)),
    Key("8", "", "", lambda c: c.push(0, 1, 0)),
    Key("7", "7 9", "move it away, closer", lambda c: c.push(0, 0, -1)),
    Key("9", "", "", lambda c: c.push(0, 0, 1)),
    Key("Control+4", "Ctrl 4 6 2 8 7 9", "turn it", lambda c: c.roll(0, -1, 0)),
    Key("Control+6", "", "", lambda c: c.roll(0, 1, 0)),
    Key("Control+2", "", "", lambda c: c.roll(1, 0, 0)),
    Key("Control+8", "", "", lambda c: c.roll(-1, 0, 0)),
    Key("Control+7", "", "", lambda c: c.roll(0, 0, 1)),
    Key("Control+9", "", "", lambda c: c.roll(0, 0, -1)),
    Key("m", "m", "squash, twist and bend it", lambda c: c.hands.flip_sliders()),
    Key("x", "x", "slide along others, or not", lambda c: c.hands.flip_slides()),
    Key("5", "5", "put it back as it was", lambda c: c.hands.put_back()),
    Key("Escape", "Esc", "let go", lambda c: c.hands.let_go()),
    Key("Return", "Return", "record, or end it", Controls.record_session),
)


def press(controls: Controls, symbol: str) -> None:
    """Do what a key does, by its name in the table; nothing for any other word."""
    for key in KEYS:
        if key.symbol == symbol:
            key.act(controls)
            controls.stale = True


MOUSE = (
    ("left click", "choose a body, read a feature"),
    ("Ctrl + left drag", "move a body; with Shift turn it"),
    ("left drag", "turn the view"),
    ("Shift + left drag", "move the view"),
    ("wheel, right drag", "come closer, go away"),
    ("slider", "go to a frame"),
    ("q, close", "end"),
)


def help_lines() -> list[tuple[str, str]]:
    """Return keys and mouse with what they do, in order."""
    return [*((key.shown, key.does) for key in KEYS if key.shown), *MOUSE]


def called(symbol: str, *, shift: bool, control: bool) -> str:
    """Return what the table calls a key of a keyboard with Shift or Control pressed.

    Digits are the same on both sides of a keyboard.
    """
    if symbol == "ISO_Left_Tab":  # what X11 calls Tab with Shift
        symbol, shift = "Tab", True
    symbol = symbol.removeprefix("KP_")
    symbol = "Return" if symbol == "Enter" else symbol
    for pressed, prefix in ((control, "Control+"), (shift, "Shift+")):
        if pressed and any(key.symbol == prefix + symbol for key in KEYS):
            return prefix + symbol
    return symbol


def watched() -> list[str]:
    """List the keys of a keyboard that do something, as VTK calls them."""
    own = [key.symbol.split("+")[-1] for key in KEYS]
    digits = [f"KP_{symbol}" for symbol in own if symbol.isdigit()]
    return list(dict.fromkeys([*own, *digits, "KP_Enter", "ISO_Left_Tab"]))


def help_text(indent: str = "  ") -> str:
    """Write keys and mouse as text for a terminal."""
    lines = help_lines()
    width = max(len(shown) for shown, _ in lines)
    return "\n".join(f"{indent}{shown:<{width}}  {does}" for shown, does in lines)


_ROW, _KEY, _BETWEEN, _RIM = 1.5, 1.4, 2.4, 1.6  # sizes of a text: a line, gaps, rim
_REST = 230.0  # pixels of the height that are left to title and legend
_LOW, _LESS = 560.0, 166.0  # a window that is lower, and what is left to them there
_UP = 22.0  # pixels: the legend and the slider are higher than the title
_SMALLEST = 7  # size of a text that can still be read


def write_help(hud: Hud, size: tuple[int, int]) -> None:
    """Write what every key does on a sheet in the middle of the picture.

    In the largest letters for which there is room.
    """
    lines, ink, is_low = help_lines(), hud.theme.ink, size[1] < _LOW
    high = size[1] - (_LESS if is_low else _REST)
    for letters in range(theme.TEXT_SIZE, _SMALLEST - 1, -1):
        texts = [
            [hud.text(words, letters, ink, bold=not k) for k, words in enumerate(line)]
            for line in lines
        ]
        keys, words = (
            max(hud.measure(text)[0] for text in column)
            for column in zip(*texts, strict=True)
        )
        columns = -(-len(lines) // max(1, int(high / (_ROW * letters) - 1.2)))
        column = keys + words + (_KEY + _BETWEEN) * letters
        wide = columns * column + (2 * _RIM - _BETWEEN) * letters
        if wide <= size[0] - 16.0:
            break
    tall, step = -(-len(lines) // columns), _ROW * letters
    height = (tall + 1.2) * step
    left, top = (size[0] - wide) / 2, (size[1] + height) / 2 + _UP * is_low
    hud.framed([left, top - height, left + wide, top], ink)
    for row, (shown, does) in enumerate(texts):
        x = left + _RIM * letters + column * (row // tall)
        y = top - (row % tall + 1.2) * step
        hud.put(shown, x, y)
        hud.put(does, x + keys + _KEY * letters, y)
