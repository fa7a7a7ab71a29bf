"""Run ``wingedge demo``, ``replay`` and ``view``: what moves, and what was recorded."""

import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

import viewer
from sim.progress import counting, progress
from viewer.cli.codes import NO, YES
from viewer.cli.options import PLAIN, Watching, waiting, whole
from viewer.gl import (
    NoPicture,
    has_display,
    probe,
    require_gl,
    require_pyvista,
    started_probe,
)

if TYPE_CHECKING:
    from sim import Frame, Recording


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
    from sim.story.compare import first_difference

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
    quality: Literal["draft", "fine"] | None = None,
    frame: Annotated[
        int | None, Parameter(allow_leading_hyphen=True, converter=whole)
    ] = None,
    watching: Watching = PLAIN,
) -> int:
    """Draw a frame of a recording into a file, or play it: window, browser, movie.

    Parameters
    ----------
    recording : Path
        A file written by `wingedge run --record` or `World.record`.
    picture : Path
        A picture to write (.png, .jpg, .webp); by default a window opens, if this
        machine has a screen.
    frame : int
        Which frame, from 0; -1 is the last. By default that of the main event.
    movie : Path
        A movie to write (.mp4, .gif, .webp).
    quality : str
        With --movie: "draft" (default), as in a window, or "fine", as in a picture,
        which is twenty times slower.
    html : Path
        A page to write (.html), with its own player, which you can send to others.
    """
    from sim import Recording

    look = watching.look
    asked = {"--web": watching.web, "--picture": picture, "--movie": movie}
    forms = [name for name, value in (asked | {"--html": html}).items() if value]
    if len(forms) > 1:
        raise ValueError(f"{' and '.join(forms)}: ask for one at a time")
    if quality is not None and movie is None:
        raise ValueError(f"--quality {quality}: it goes with --movie")
    if not (watching.web or html):
        started_probe()  # looks for GL while the file is being read
    with Recording.open(recording) as opened:
        if picture is not None:
            from viewer.still import most_telling

            if frame is None and len(opened) > 0:
                frame = most_telling(opened)
            del look["speed"]
            with waiting(f"drawing {picture}"):
                viewer.picture(opened, picture, frame=frame, **look)
            print(f"{picture}: frame {opened[frame or 0].index} of {len(opened)}")
        elif movie is not None:
            with counting(f"drawing {movie}") as told:
                count = viewer.movie(
                    opened, movie, **look, quality=quality or "draft", progress=told
                )
            told_of = f"{count} pictures of {len(opened)} frames"
            print(f"{movie}: {told_of}{_left_out(count, opened)}")
        elif html is not None:
            with counting(f"writing {html}") as told:
                look |= {"title": html.stem, "progress": told}
                count = viewer.html(opened, html, **look)
            told_of = f"{count} of {len(opened)} frames"
            print(f"{html}: {told_of}{_left_out(count, opened)}")
        else:
            found = None if watching.web else probe()
            if found is not None and not found.window:
                hint = "; --picture FILE draws without one" if found.works else ""
                raise NoPicture(
                    f"no window can be opened here: {found.no_window}{hint}"
                )
            viewer.replay(opened, screen=watching.screen(), loop=watching.loop, **look)
    return YES


def _left_out(pictures: int, recording: "Recording") -> str:
    """Say at which speed no frame is left out, if some are."""
    from viewer.movies import FPS

    if pictures >= len(recording):
        return ""
    speed = FPS * recording.dt
    written = (f"{speed:.{digits}g}" for digits in range(3, 18))
    enough = next(text for text in written if float(text) <= speed)
    return f", {FPS:g} a second; --speed {enough} shows all"


Which = Literal["bodies", "jelly", "disk", "segments"]

SCENES: dict[str, tuple[str, Path, int | None]] = {  # and the frame to draw
    "bodies": ("demo", Path("demo"), None),
    "jelly": ("squeeze", Path("jelly"), 46),  # pressed most
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

    bodies: a soft ball comes down on a table, is squashed, rolls over the edge and
    falls off. Prints one line per event; writes demo.vtkhdf, the recording, and
    demo.png, the most telling frame, into the current folder. Then the recording is
    played in a window, where there is a screen, the output is a terminal and CI is
    not set.

    jelly: two plates press a jelly, and it springs off: a law moves it.  The files are
    jelly.vtkhdf and jelly.png.

    disk, segments: the examples of the source tree disk_triangle.py, two_segments.py:
    keys move a disk and a triangle, or two segments, in a window. Prints the events,
    and the keys. Without a screen, or with --keys, it plays the keys without a window;
    the last frame is in disk_triangle.png or two_segments.png.

    Parameters
    ----------
    which
        bodies, jelly, disk or segments.
    keys
        For disk and segments: which keys, for how many frames: "L*30 Shift+S*40".
    window
        Open a window at the end, if there is a screen; --no-window opens none.
    """
    if which not in SCENES:
        return _example(EXAMPLES[which], keys, window=window)
    if keys is not None:
        raise ValueError("--keys: bodies have no keys; give disk or segments")
    recording = _bodies(*SCENES[which])
    if window and is_watched() and probe().window:
        from sim import Recording

        with Recording.open(recording) as opened:
            viewer.replay(opened)
    return YES


def is_watched() -> bool:
    """Tell whether somebody sits here: a screen, a terminal, and no CI."""
    return has_display() and sys.stdout.isatty() and not os.environ.get("CI")


def _bodies(scene: str, path: Path, drawn_frame: int | None) -> Path:
    """Run a scene, and write its recording and a picture; say where the former is.

    The picture is of the most telling frame if ``drawn_frame`` is None.
    """
    from sim import scenes
    from viewer.files import replacing
    from viewer.still import tells

    started_probe()  # looks for GL in a child process while the bodies move
    world, length = scenes.load(scene), scenes.length(scene)
    recording, picture = path.with_suffix(".vtkhdf"), path.with_suffix(".png")
    best: Frame | None = None
    best_rank = -1
    with replacing(recording) as temporary, world.record(temporary):
        for frame in progress(world.run(length), length, path.name):
            for event in frame.events:
                print(event)
            rank = max((tells(event) for event in frame.events), default=0)
            if drawn_frame is not None:
                rank = int(frame.index == drawn_frame)
            if best is None or rank > best_rank:
                best, best_rank = frame, rank
    if best is not None and drawn(picture, partial(viewer.picture, best, picture)):
        print(
            f"Now look at {picture} (frame {best.index}, its closest features lit), "
            f"then try `wingedge view {recording}` or open that file in ParaView 6 "
            f"(older ones: `wingedge export {recording} --vtm`)."
        )
    else:
        print(
            f"Now open {recording} in ParaView 6, or try `wingedge events {recording}`."
        )
    return recording


def drawn(path: Path, draw: Callable[[], object]) -> bool:
    """Draw a picture, or say in one line why there is none."""
    try:
        require_pyvista()
        require_gl()
    except (ImportError, NoPicture) as error:
        print(f"no {path}: {error}", file=sys.stderr)
        return False
    with waiting(f"drawing {path}"):
        draw()
    return True


def _example(name: str, keys: str | None, *, window: bool = True) -> int:
    """Run an example that plays in the plane; without a window it takes keys."""
    sys.path.append(str(Path(viewer.__file__).parents[1] / "examples"))
    if find_spec(name) is None:
        at = f"examples/{name}.py of https://github.com/wingedge/wingedge"
        raise ValueError(f"this demo is not installed; it is the example {at}")
    started_probe()  # looks for GL in a child process meanwhile
    import_module(name).main(keys=keys if window else keys or "")
    return YES
