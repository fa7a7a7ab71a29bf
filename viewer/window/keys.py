"""Every key of the window in one table: it binds them, and help is written from it.

None of pyvista's and VTK's own keys is among them (q b v C Up Down plus minus, w s r p
e f u 3): they do in this window what they do in every other.
"""

from collections.abc import Callable
from typing import NamedTuple

from viewer.window.controls import Controls


class Key(NamedTuple):
    """One key: how VTK calls it, how a person does, what it does."""

    symbol: str
    shown: str
    does: str
    act: Callable[[Controls], object]


KEYS = (
    Key("space", "Space", "play, pause", lambda c: c.timeline.toggle()),
    Key("Left", "Left", "one frame back", lambda c: c.timeline.step_backward()),
    Key("Right", "Right", "one frame on", lambda c: c.timeline.step_forward()),
    Key("Prior", "Page Up", "previous event", lambda c: c.timeline.previous_event()),
    Key("Next", "Page Down", "next event", lambda c: c.timeline.next_event()),
    Key("Home", "Home", "first frame", lambda c: c.timeline.to_start()),
    Key("End", "End", "last frame", lambda c: c.timeline.to_end()),
    Key("comma", ",", "slower", lambda c: c.timeline.slower()),
    Key("period", ".", "faster", lambda c: c.timeline.faster()),
    Key("l", "l", "loop, or stay at the end", lambda c: c.flip_loop()),
    Key(
        "BackSpace", "Backspace", "frame the contact again", lambda c: c.frame_contact()
    ),
    Key(
        "c",
        "c",
        "contacts: closest points and features",
        lambda c: c.layers.flip("contacts"),
    ),
    Key("n", "n", "normals", lambda c: c.layers.flip("normals")),
    Key("g", "g", "names of features", lambda c: c.layers.flip("names")),
    Key(
        "a",
        "a",
        "around: neighbours of features",
        lambda c: c.layers.flip("neighbours"),
    ),
    Key("d", "d", "distance while apart", lambda c: c.layers.flip("distance")),
    Key(
        "k",
        "k",
        "kinds of contact: FV and EE",
        lambda c: c.layers.flip("elements"),
    ),
    Key("z", "z", "depth and deepest points", lambda c: c.layers.flip("depth")),
    Key(
        "o",
        "o",
        "outer cover: lids of dents",
        lambda c: c.layers.flip("cover"),
    ),
    Key(
        "t",
        "t",
        "tried: the path of the search",
        lambda c: c.layers.flip("path"),
    ),
    Key(
        "i", "i", "story and plots beside the picture", lambda c: c.layers.flip("panel")
    ),
    Key("h", "h", "this help", lambda c: c.layers.flip("help")),
)

MOUSE = (
    ("left drag", "turn the view"),
    ("Shift + left drag", "move the view"),
    ("wheel, right drag", "come closer, go away"),
    ("slider", "go to a frame"),
    ("q, close", "end"),
)


def help_lines() -> list[tuple[str, str]]:
    """Return keys and mouse with what they do, in order."""
    return [*((key.shown, key.does) for key in KEYS), *MOUSE]


def help_text(indent: str = "  ") -> str:
    """Write keys and mouse as text for a terminal."""
    lines = help_lines()
    width = max(len(shown) for shown, _ in lines)
    return "\n".join(f"{indent}{shown:<{width}}  {does}" for shown, does in lines)
