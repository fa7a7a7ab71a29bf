"""Run ``wingedge replay`` and ``view``: answer for a recording again, and show it."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from viewer.cli.codes import NO, YES
from viewer.cli.options import check_speed, read_layers, screen_of
from viewer.cli.progress import counting, progress, waiting


def replay(recording: Path, /) -> int:
    """Answer for the recorded positions once more, and compare all bits.

    Exit code 0 if every frame and event is the same, 1 if not: then it says in which
    frame they first differ, and in what.

    Parameters
    ----------
    recording : Path
        A file written by `wingedge run --record` or `World.record`.
    """
    from sim import Recording
    from sim.story.bits import first_difference

    with Recording.open(recording) as opened:
        count = len(opened)
        again = progress(opened.rerun(), count, f"replaying {recording}")
        said = first_difference(opened, again)
        if said is None:
            events = len(opened.events)
            print(f"{recording}: the same bits in {count} frames and {events} events")
            return YES
        print(f"{recording}: {said}")
        made_by = ", ".join(f"{k} {v}" for k, v in opened.versions.items())
        print(f"{recording}: recorded with {made_by}", file=sys.stderr)
    return NO


def view(
    recording: Path,
    /,
    *,
    picture: Path | None = None,
    movie: Path | None = None,
    html: Path | None = None,
    web: bool = False,
    frame: Annotated[int | None, Parameter(allow_leading_hyphen=True)] = None,
    speed: float = 1.0,
    loop: bool = False,
    theme: Literal["light", "dark"] = "light",
    show: str = "",
    host: str | None = None,
    port: int | None = None,
) -> int:
    """Draw a frame of a recording into a file, or play it: window, browser, movie.

    Parameters
    ----------
    recording : Path
        A file written by `wingedge run --record` or `World.record`.
    picture : Path
        The picture to write (.png, .jpg, .webp); without it a window opens, if this
        machine has a screen.
    frame : int
        Which frame, from 0; -1 is the last. The most telling one if left out.
    movie : Path
        The moving picture to write (.mp4, .gif, .webp) instead.
    html : Path
        The page to write instead (.html), with a player of its own, to be sent around.
    web : bool
        Play it on a page of this machine that a browser opens; Ctrl-C ends it.
    speed : float
        Times as fast as the frames' own time.
    loop : bool
        Begin again after the last frame.
    theme : str
        The colours.
    show : str
        Layers to switch on, with commas between: neighbours, distance, elements, depth,
        cover, path.
    host : str
        With --web: the address to listen on; without it this machine only. 0.0.0.0 is
        everybody who can reach it, and there is no password.
    port : int
        With --web: the port, 0 for any; without it the first free one from 8080 on.
    """
    from sim import Recording
    from viewer.gl import NoPicture, probe, started_probe

    layers = read_layers(show)
    check_speed(speed)
    if not web:
        screen_of(web, theme, layers, host, port)
    if not (web or html):
        started_probe()  # looks for GL while the file is being read
    with Recording.open(recording) as opened:
        if picture is not None:
            from viewer.still import most_telling
            from viewer.still import picture as draw

            if frame is None and len(opened) > 0:
                frame = most_telling(opened)
            with waiting(f"drawing {picture}"):
                draw(opened, picture, frame=frame, theme=theme, layers=layers)
            print(f"{picture}: frame {opened[frame or 0].index} of {len(opened)}")
            return YES
        look: dict[str, Any] = {"speed": speed, "theme": theme, "layers": layers}
        if movie is not None:
            from viewer.movies import movie as film

            with counting(f"drawing {movie}") as told:
                count = film(opened, movie, **look, progress=told)
            print(f"{movie}: {count} pictures of {len(opened)} frames")
            return YES
        if html is not None:
            from viewer.web.html import html as write

            with counting(f"writing {html}") as told:
                count = write(opened, html, **look, title=html.stem, progress=told)
            print(f"{html}: {count} of {len(opened)} frames")
            return YES
        from viewer.live import replay as play

        if web:
            page = screen_of(web, theme, layers, host, port)
            play(opened, screen=page, speed=speed, loop=loop, theme=theme)
            return YES
        found = probe()
        if not found.window:
            hint = "; --picture FILE draws without one" if found.works else ""
            raise NoPicture(f"no window can be opened here: {found.no_window}{hint}")
        play(opened, loop=loop, **look)
    return YES
