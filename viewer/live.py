"""Show a world while it runs, or what was recorded."""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sim import Frame, Recording, World
from viewer.gl import probe
from viewer.screens import Live, Screen
from viewer.sources import FrameSource, Still, frame_of, source_of
from viewer.theme import check_layers, named
from viewer.timeline import Timeline, check_above_zero

SCREENS = ("window", "web")


def watch(
    source: World | Recording | Frame | Sequence[Frame],
    frames: int | None = None,
    *,
    screen: str | Screen = "window",
    speed: float = 1.0,
    loop: bool = False,
    size: tuple[int, int] = (1280, 720),
    theme: str = "light",
    layers: Iterable[str] = (),
    each: Callable[[Frame], None] | None = None,
) -> Frame | None:
    """Show a world while it runs, in a window, until the window is closed.

    Space pauses, Left and Right step, the slider seeks, h lists all keys, q or closing
    the window ends; bodies of a world can be moved (docs/responses.md).  What a running
    world has shown is kept while there is room.
    Where no window can be opened one sentence on stderr says why, and the frames that
    were asked for run unseen: a script ends the same with and without a screen.

    Parameters: ``frames``: make or show so many at most, and leave the window open on
    the last one; None goes on until it is closed; ``screen``: "window"; "web", a page
    of this machine that a browser opens: its address is printed, Ctrl-C ends it,
    ``screen=viewer.Page(host=..., port=...)`` says more; or a screen of your own: one
    without controls, as `viewer.ProcessScreen`, is shown every frame once, as fast as
    it goes, and is left open; ``speed``: times as fast as the frames' own time;
    ``loop``: begin again after the last frame; ``size``: of the window, in pixels;
    ``theme``: "light" or "dark"; ``layers``: to switch on besides those that are, as
    for `viewer.picture`; keys switch them too; ``each``: called with every frame of a
    world when it is made.

    Returns: the last frame that was shown; None if there was not one.

    Raises ImportError if ``screen`` is "web" and viser is not installed; says how to
    install it. Raises ValueError if there is no such screen; if a world has no
    ``frames`` and the screen no controls that could end it. Raises Exception: what a
    script of the world raised: the window says so and stays, with all frames before,
    and the error is raised once it is closed.
    """
    layers = check_layers(layers)
    check_above_zero(speed=speed)
    named(theme)
    shown = source_of(source, frames, each)
    target = _opened(screen, size, theme, layers)
    if isinstance(target, Live):
        return target.play(Timeline(shown, speed=speed, loop=loop))
    return None if target is None and frames is None else _through(shown, target)


def _opened(
    screen: str | Screen, size: tuple[int, int], theme: str, layers: tuple[str, ...]
) -> Screen | None:
    """Open the screen that was asked for; None where no window can be, and say so."""
    if not isinstance(screen, str):
        return screen
    if screen not in SCREENS:
        known = f"there are {', '.join(map(repr, SCREENS))}, or give a viewer.Screen"
        raise ValueError(f"screen={screen!r}: {known}")
    if screen == "web":
        from viewer.web.page import Page

        return Page(theme=theme, layers=layers)
    gl = probe()
    if gl.window:
        from viewer.window.window import WindowScreen

        return WindowScreen(size=size, theme=theme, layers=layers)
    sentence = f"no window can be opened here: {gl.no_window}"
    if gl.works:
        sentence += "; viewer.picture draws without one"
    print(sentence, file=sys.stderr)
    return None


def _through(shown: FrameSource, screen: Screen | None) -> Frame | None:
    """Show every frame once, as fast as it goes."""
    if not shown.ended and shown.endless:
        said = "there are no controls that could end a world; say frames=120"
        raise ValueError(f"{type(screen).__name__}: {said}")
    last, k = None, shown.first
    while k < len(shown) or shown.extend():
        last = shown[k]
        if screen is not None:
            screen.show(last)
        k += 1
    if shown.trouble is not None:
        raise shown.trouble
    return last


def replay(recording: Recording | Sequence[Frame], **options: Any) -> Frame | None:
    """Show what was recorded; ``options`` and what is returned are those of `watch`."""
    return watch(recording, **options)


def show(shown: Still | Sequence[Still], **options: Any) -> Frame | None:
    """Show bodies, meshes, or the answer for a pair in a window, until it is closed.

    Parameters: ``shown``: a mesh in its rest shape; of an answer the two bodies where
    they are now; ``options``: ``screen``, ``size``, ``theme``, ``layers`` of `watch`.

    Returns: what was shown; None where no window can be opened.
    """
    return watch(frame_of(shown), **options)
