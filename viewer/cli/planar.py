"""``wingedge demo disk`` and ``wingedge demo segments``: keys, a story, a picture."""

from collections.abc import Iterator
from pathlib import Path

from sim.planar.keys import KeyLog
from viewer.cli import YES


def planar(which: str, keys: str | None) -> int:
    """Play a demo of the plane: in a window, or unseen.

    Parameters
    ----------
    which : str
        "disk" or "segments".
    keys : str or None
        What is played unseen; None for a window, and a tour where there is none.

    Raises
    ------
    ValueError
        If the keys cannot be read, or one does nothing here.
    """
    from viewer.gl import started_probe

    started_probe()  # looks for GL in a child process meanwhile
    log: KeyLog | str | None = keys
    if log is None:
        log = _played(which)
        if log is None:
            log = _tour(which)
        else:
            print(f'your keys: wingedge demo {which} --keys "{log}"')
    for line in _told(which, log):
        print(line)
    if keys is None and isinstance(log, KeyLog):
        return YES  # it was seen
    _draw(which, log)
    return YES


def _played(which: str) -> KeyLog | None:
    from viewer.demos.window import play_disk, play_segments

    return play_disk() if which == "disk" else play_segments()


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


def _draw(which: str, log: KeyLog | str) -> None:
    from viewer.cli.demo import can_draw
    from viewer.cli.progress import waiting

    path = Path(f"{which}.png")
    if not can_draw(path):
        return
    from viewer.demos.still import picture_disk, picture_segments

    with waiting(f"drawing {path}"):
        (picture_disk if which == "disk" else picture_segments)(log, path)
    print(f"Now look at {path}, the last frame.")
