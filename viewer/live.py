"""A window that shows a world while it runs, or what was recorded."""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from viewer.gl import probe
from viewer.layers import check_layers
from viewer.playing.sources import source_of
from viewer.playing.timeline import Timeline
from viewer.theme import named

if TYPE_CHECKING:
    from sim import Frame, Recording, World
    from viewer.playing.frames import Still


def watch(
    source: "World | Recording | Frame | Sequence[Frame]",
    frames: int | None = None,
    *,
    speed: float = 1.0,
    loop: bool = False,
    size: tuple[int, int] = (1280, 720),
    theme: str = "light",
    layers: Iterable[str] = (),
    each: "Callable[[Frame], None] | None" = None,
) -> "Frame | None":
    """Show a world while it runs, in a window, until the window is closed.

    Space pauses, Left and Right step, the slider seeks, h lists all keys, q or closing
    the window ends.  A click reads a vertex, an edge or a face; bodies of a world can
    be moved, turned, moulded and let slide along others, and what was done is saved as
    a recording and a test (docs/hands.md).  What a running world has shown is kept as
    long as there is room (256 MB of positions), and can be looked at again.  Where no
    window can be opened one sentence on stderr says why, and the frames that were asked
    for run unseen, so a script ends the same with and without a screen.

    Parameters
    ----------
    source : World, Recording, Frame or sequence of Frame
        What to show.
    frames : int, optional
        Make or show so many at most, and leave the window open on the last one; None
        goes on until the window is closed.
    speed : float
        Times as fast as the frames' own time.
    loop : bool
        Begin again after the last frame.
    size : (width, height)
        Of the window, in pixels.
    theme : {"light", "dark"}
    layers : iterable of str
        Layers to switch on besides those that are, as for `viewer.picture`; keys switch
        them too.
    each : callable, optional
        Called with every frame of a world when it is made.

    Returns
    -------
    Frame or None
        The last frame that was shown; None if there was not one.

    Raises
    ------
    Exception
        What a script of the world raised, or the ValueError of a coordinate that is
        not finite: the window says so and stays, with all frames before, and the error
        is raised once it is closed.
    """
    look = named(theme)
    layers = check_layers(layers)
    shown = source_of(source, frames, each)
    found = probe()
    if found.window:
        from viewer.window.window import Window

        timeline = Timeline(shown, speed=speed, loop=loop)
        return Window(timeline, size=size, theme=look, layers=layers).run()
    sentence = f"no window can be opened here: {found.no_window}"
    if found.works:
        sentence += "; viewer.picture draws without one"
    print(sentence, file=sys.stderr)
    if frames is None:
        return None
    while shown.extend():
        pass
    if shown.trouble is not None:
        raise shown.trouble
    return shown[len(shown) - 1] if len(shown) else None


def replay(
    recording: "Recording | Sequence[Frame]",
    *,
    speed: float = 1.0,
    loop: bool = False,
    size: tuple[int, int] = (1280, 720),
    theme: str = "light",
    layers: Iterable[str] = (),
) -> "Frame | None":
    """Show what was recorded, in a window; as `watch`."""
    return watch(
        recording, speed=speed, loop=loop, size=size, theme=theme, layers=layers
    )


def show(
    shown: "Still | Sequence[Still]",
    *,
    size: tuple[int, int] = (1280, 720),
    theme: str = "light",
    layers: Iterable[str] = (),
) -> "Frame | None":
    """Show bodies, meshes, or the answer for a pair in a window, until it is closed.

    Parameters
    ----------
    shown : Body, Compound, WingedEdgeMesh, PairState, Frame or a sequence of them
        A mesh in its rest shape; of an answer the two bodies where they are now.
    size : (width, height)
        Of the window, in pixels.
    theme : {"light", "dark"}
    layers : iterable of str
        As for `watch`.

    Returns
    -------
    Frame
        What was shown; None where no window can be opened.
    """
    from viewer.playing.frames import frame_of

    return watch(frame_of(shown), size=size, theme=theme, layers=layers)
