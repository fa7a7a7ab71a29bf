"""List every key of the window in one table, do what it asks for, and write the help.

None of pyvista's and VTK's own keys is among them (q b v C Up Down plus minus, w s r p
e f u 3): they do in this window what they do in every other.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from viewer.drawing.hud import Hud
from viewer.theme import SAID, TEXT_SIZE, Layers
from viewer.timeline import Timeline
from viewer.window.hands import Hands


class Controls:
    """Everything that a key can change; what is ``stale`` is drawn anew."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layers = Layers()
        self.hands = Hands(timeline)
        self.stale = self.follow = True

    def flip_loop(self) -> None:
        """Begin again after the last frame, or stay there."""
        self.timeline.loop = not self.timeline.loop

    def frame(self) -> None:
        """Let the camera look at the contact again."""
        self.follow = True

    def seek(self, place: float) -> None:
        """Stop time, and go to a frame."""
        self.timeline.pause()
        self.timeline.seek(round(place))
        self.stale = True

    def next_pair(self) -> None:
        """Look at the next pair, from where it is hidden least."""
        self.hands.next_pair()
        self.follow = self.hands.pair is not None

    def tick(self) -> bool:
        """Let time go on; tell whether something is to be drawn anew."""
        worked, timeline = self.hands.work(), self.timeline
        before = timeline.playing, timeline.trouble
        went = timeline.tick()
        stopped = before != (timeline.playing, timeline.trouble)
        self.stale = self.stale or worked or went or stopped
        return self.stale


class Key(NamedTuple):
    """One key: how VTK calls it, how a person does, what it does."""

    symbol: str
    shown: str
    does: str
    act: Callable[[Controls], object]


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
        Key(s["key"], s["key"], s["does"], partial(lambda x, c: c.layers.flip(x), x))
        for x, s in SAID.items()
    ),
    Key("Tab", "Tab", "choose the next body", lambda c: c.hands.next()),
    Key("j", "j", "look at the next pair", Controls.next_pair),
    Key("m", "m", "squash, twist and bend it", lambda c: c.hands.flip_sliders()),
    Key("x", "x", "slide along others, or not", lambda c: c.hands.flip_slides()),
    Key("z", "z", "put it back as it was", lambda c: c.hands.put_back()),
    Key("Escape", "Esc", "let go", lambda c: c.hands.let_go()),
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
    return [*((key.shown, key.does) for key in KEYS), *MOUSE]


_ROW, _KEY, _COLUMN = 1.5, 9.8, 30.0  # sizes of a letter: a line, keys, keys and words
_REST = 190.0  # pixels of the height that are left to title and legend
_SMALLEST = 7  # size of a letter that can still be read


def write_help(hud: Hud, size: tuple[int, int]) -> None:
    """Write what every key does on a sheet in the middle, as large as fits."""
    lines, ink, (wide, high) = help_lines(), hud.theme.ink, size
    half = -(-len(lines) // 2)
    fits = min((wide - 16.0) / (2 * _COLUMN), (high - _REST) / (_ROW * (half + 1)))
    letter = int(max(_SMALLEST, min(TEXT_SIZE, fits)))
    left, top = wide / 2 - _COLUMN * letter, (high + (half + 1) * _ROW * letter) / 2
    hud.framed([left, high - top, wide - left, top], ink)
    for row, line in enumerate(lines):
        x = left + (1.0 + _COLUMN * (row // half)) * letter
        y = top - (row % half + 1.2) * _ROW * letter
        for words, at in zip(line, (x, x + _KEY * letter), strict=True):
            hud.put(hud.text(words, letter, ink, bold=at == x), at, y)
