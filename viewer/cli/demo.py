"""Run ``wingedge demo``: two bodies that meet, or a demo of the plane."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from sim.planar.keys import KeyLog
from viewer.cli.codes import YES
from viewer.cli.progress import progress, waiting

if TYPE_CHECKING:
    from sim import Frame

Which = Literal["bodies", "disk", "segments"]

RECORDING = Path("demo.vtkhdf")
PICTURE = Path("demo.png")


def demo(
    which: Annotated[Which, Parameter(show_choices=False)] = "bodies",
    /,
    *,
    keys: str | None = None,
) -> int:
    """Watch two bodies meet, or play with two things of the plane.

    bodies: a soft ball comes down on a table, is squashed, rolls over the edge and
    falls off. Prints one line per event; writes demo.vtkhdf, the recording, and
    demo.png, the most telling frame, into the current folder.

    disk, segments: keys move a disk and a triangle, or two segments, in a window, which
    says which keys; printed is what happens, and the keys as a text. Without a screen,
    or with keys given, these are played unseen, and disk.png or segments.png shows the
    last frame.

    Parameters
    ----------
    which
        bodies, disk or segments.
    keys
        For disk and segments: what is held, for how many frames: "L*30 Shift+S*40".
    """
    if which != "bodies":
        return planar(which, keys)
    if keys is not None:
        raise ValueError("--keys: two bodies have no keys; give disk or segments")
    return _bodies()


def _bodies() -> int:
    from sim import scenes
    from viewer.files import replacing
    from viewer.gl import started_probe
    from viewer.still import tells

    started_probe()  # looks for GL in a child process while the bodies move
    world, length = scenes.load("demo"), scenes.length("demo")
    best: Frame | None = None
    best_rank = -1
    with replacing(RECORDING) as temporary, world.record(temporary):
        for frame in progress(world.run(length), length, "demo"):
            for event in frame.events:
                print(event)
            rank = max((tells(event) for event in frame.events), default=0)
            if best is None or rank > best_rank:
                best, best_rank = frame, rank
    if best is not None and _drawn(best):
        print(
            f"Now look at {PICTURE} (frame {best.index}, its closest features lit), "
            f"then try `wingedge view {RECORDING}` or open that file in ParaView."
        )
    else:
        print(
            f"Now open {RECORDING} in ParaView, or try `wingedge events {RECORDING}`."
        )
    return YES


def can_draw(path: Path) -> bool:
    """Tell whether a picture can be drawn, or say in one line why there is none."""
    from viewer.gl import NoPicture, require_gl, require_pyvista

    try:
        require_pyvista()
        require_gl()
    except (ImportError, NoPicture) as error:
        print(f"no {path}: {error}", file=sys.stderr)
        return False
    return True


def _drawn(frame: "Frame") -> bool:
    """Draw the picture, or say in one line why there is none."""
    if not can_draw(PICTURE):
        return False
    from viewer.still import picture

    with waiting(f"drawing {PICTURE}"):
        picture(frame, PICTURE)
    return True


def planar(which: str, keys: str | None) -> int:
    """Play a demo of the plane: in a window, or unseen.

    Parameters: ``which``: "disk" or "segments"; ``keys``: what is played unseen; None
    for a window, and a tour where there is none.

    Raises ValueError if the keys cannot be read, or one does nothing here.
    """
    from viewer.demos.play import play
    from viewer.gl import started_probe

    started_probe()  # looks for GL in a child process meanwhile
    log: KeyLog | str | None = keys
    if log is None:
        log = play(which)
        if log is None:
            log = _tour(which)
        else:
            print(f'your keys: wingedge demo {which} --keys "{log}"')
    for line in _told(which, log):
        print(line)
    if keys is None and isinstance(log, KeyLog):
        return YES  # it was seen
    _draw_last(which, log)
    return YES


def _tour(which: str) -> str:
    from sim.planar import disk, segments

    return disk.TOUR if which == "disk" else segments.TOUR


def _told(which: str, log: KeyLog | str) -> Iterator[str]:
    """Tell what happens: events, or where two segments begin to meet otherwise."""
    if which == "disk":
        from sim.planar.disk import story

        told = story(log)
        yield from told.lines
        yield f"{told.frames} frames, digest {told.digest}"
        return
    from sim.planar.segments import SegmentDemo

    last = ""
    for frame in SegmentDemo().play(log):
        if frame.kind != last:
            x, y = frame.point
            where = f"t1 {frame.t1:.6g} t2 {frame.t2:.6g} at ({x:.6g}, {y:.6g})"
            yield f"{frame.index} {frame.kind} {where}"
        last = frame.kind


def _draw_last(which: str, log: KeyLog | str) -> None:
    path = Path(f"{which}.png")
    if not can_draw(path):
        return
    from viewer.demos.play import picture

    with waiting(f"drawing {path}"):
        picture(which, log, path)
    print(f"Now look at {path}, the last frame.")
