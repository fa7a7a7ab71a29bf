"""Run ``wingedge demo``, ``replay`` and ``view``: what moves, and what was recorded."""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from math import floor
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

import viewer
from sim.progress import counting, progress
from viewer import gl
from viewer.cli import NO, YES
from viewer.cli.options import PLAIN, Place, Recorded, Watching


def replay(recording: Recorded, /) -> int:
    """Answer for the recorded positions once more, and compare all bits."""
    from sim import Recording
    from sim.story.compare import first_difference

    with Recording.open(recording) as opened:
        count = len(opened)
        again = progress(opened.rerun(), count, f"replaying {recording}")
        differs = first_difference(opened, again)
        if differs is None:
            same = f"the same bits in {count} frames and {len(opened.events)} events"
            print(f"{recording}: {same}")
            return YES
        print(f"{recording}: {differs}")
        made_by = ", ".join(f"{k} {v}" for k, v in opened.versions.items())
        print(f"{recording}: recorded with {made_by}", file=sys.stderr)
    return NO


def view(
    recording: Recorded,
    /,
    *,
    picture: Path | None = None,
    movie: Path | None = None,
    html: Path | None = None,
    frame: Place = None,
    watching: Watching = PLAIN,
) -> int:
    """Draw a frame of a recording into a file, or play it: window, browser, movie.

    Args:
        picture: A picture to write (.png, .jpg, .webp); by default a window opens, if
            this machine has a screen.
        frame: Which frame, from 0; -1 is the last. By default that of the main event.
        movie: A movie to write (.mp4, .gif, .webp).
        html: A page to write (.html), with its own player, which you can send to
            others.
    """
    from sim import Recording

    look, web = watching.look, watching.web
    asked = {"--web": web, "--picture": picture, "--movie": movie, "--html": html}
    if len(forms := [name for name, value in asked.items() if value]) > 1:
        raise ValueError(f"{' and '.join(forms)}: ask for one at a time")
    with Recording.open(recording) as opened:
        if picture is not None:
            from viewer.still import most_telling

            if frame is None and len(opened) > 0:
                frame = most_telling(opened)
            del look["speed"]
            with counting(f"drawing {picture}"):
                viewer.picture(opened, picture, frame=frame, **look)
            print(f"{picture}: frame {opened[frame or 0].index} of {len(opened)}")
        elif movie is not None:
            with counting(f"drawing {movie}") as look["progress"]:
                count = viewer.movie(opened, movie, **look)
            _tell(f"{movie}: {count} pictures", count, len(opened), opened.dt)
        elif html is not None:
            with counting(f"writing {html}") as look["progress"]:
                count = viewer.html(opened, html, **look, title=html.stem)
            _tell(f"{html}: {count}", count, len(opened), opened.dt)
        else:
            probed = None if web else gl.probe()
            if probed is not None and not probed.window:
                hint = "; --picture FILE draws without one" if probed.works else ""
                why = f"no window can be opened here: {probed.no_window}{hint}"
                raise gl.NoPicture(why)
            viewer.replay(opened, screen=watching.screen(), loop=watching.loop, **look)
    return YES


def _tell(words: str, pictures: int, frames: int, dt: float) -> None:
    """Say how much was written, and at which speed no frame is left out."""
    from viewer.movies import FPS

    speed = floor(FPS * dt * 1e6) / 1e6
    more = f", {FPS:g} a second; --speed {speed:.9g} shows all"
    print(f"{words} of {frames} frames{more if pictures < frames else ''}")


Which = Literal["bodies", "jelly", "disk", "segments"]
SCENES = {  # and the frame to draw, else the most telling one
    "bodies": ("demo", Path("demo.vtkhdf"), None),
    "jelly": ("squeeze", Path("jelly.vtkhdf"), 46),  # pressed most
}
EXAMPLES = {"disk": "disk_triangle", "segments": "two_segments"}


def demo(
    which: Annotated[Which, Parameter(show_choices=False)] = "bodies",
    /,
    *,
    keys: str | None = None,
    window: bool = True,
) -> int:
    """Watch bodies meet, or play with two shapes in the plane.

    Args:
        which: bodies, jelly, disk or segments.
        keys: For disk and segments: which keys, for how many frames: "L*30 Shift+S*40".
        window: Open a window at the end, if there is a screen; --no-window opens none.
    """
    if which in EXAMPLES:
        return _example(EXAMPLES[which], keys, window=window)
    if keys is not None:
        raise ValueError("--keys: bodies have no keys; give disk or segments")
    scene, recording, drawn_frame = SCENES[which]
    _bodies(scene, recording, drawn_frame)
    if window and is_watched() and gl.probe().window:
        from sim import Recording

        with Recording.open(recording) as opened:
            viewer.replay(opened)
    return YES


def is_watched() -> bool:
    """Tell whether somebody sits here: a screen, a terminal, and no CI."""
    return gl.has_display() and sys.stdout.isatty() and not os.environ.get("CI")


def _bodies(scene: str, recording: Path, drawn_frame: int | None) -> None:
    """Run a scene, print its events; write its recording and a picture of a frame."""
    from sim import Recording, scenes
    from viewer.still import most_telling

    world, length = scenes.load(scene), scenes.length(scene)
    with world.record(recording):
        for frame in progress(world.run(length), length, recording.stem):
            for event in frame.events:
                print(event)
    picture = recording.with_suffix(".png")
    try:
        gl.require_pyvista()
        gl.require_gl()
    except (ImportError, gl.NoPicture) as error:
        print(f"no {picture}: {error}", file=sys.stderr)
        here = f"`wingedge events {recording}`"
        print(f"Now open {recording} in ParaView 6, or try {here}.")
        return
    with counting(f"drawing {picture}"), Recording.open(recording) as opened:
        k = most_telling(opened) if drawn_frame is None else drawn_frame
        viewer.picture(opened[k], picture)
    print(
        f"Now look at {picture} (frame {k}, its closest features lit), "
        f"then try `wingedge view {recording}` or open that file in ParaView 6."
    )


def _example(name: str, keys: str | None, *, window: bool = True) -> int:
    """Run an example that plays in the plane; without a window it takes keys."""
    sys.path.append(str(Path(viewer.__file__).parents[1] / "examples"))
    if find_spec(name) is None:
        at = f"examples/{name}.py of https://github.com/wingedge/wingedge"
        raise ValueError(f"this demo is not installed; it is the example {at}")
    import_module(name).main(keys=keys if window else keys or "")
    return YES
