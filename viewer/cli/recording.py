"""``wingedge view``: what a recording shows."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from viewer.cli import YES
from viewer.cli.progress import waiting


def view(
    recording: Path,
    /,
    *,
    picture: Path | None = None,
    frame: Annotated[int | None, Parameter(allow_leading_hyphen=True)] = None,
) -> int:
    """Draw a frame of a recording into a file, or replay it in a window.

    Parameters
    ----------
    recording : Path
        A file written by `wingedge run --record` or `World.record`.
    picture : Path
        The picture to write (.png, .jpg, .webp); without it a window opens, if this
        machine has a screen.
    frame : int
        Which frame, from 0; -1 is the last. The most telling one if left out.
    """
    from sim import Recording
    from viewer.gl import NoPicture, probe, started_probe

    started_probe()  # looks for GL while the file is being read
    with Recording.open(recording) as opened:
        if picture is not None:
            from viewer.still import most_telling
            from viewer.still import picture as draw

            if frame is None and len(opened) > 0:
                frame = most_telling(opened)
            with waiting(f"drawing {picture}"):
                draw(opened, picture, frame=frame)
            print(f"{picture}: frame {opened[frame or 0].index} of {len(opened)}")
            return YES
        found = probe()
        if not found.window:
            hint = "; --picture FILE draws without one" if found.works else ""
            raise NoPicture(f"no window can be opened here: {found.no_window}{hint}")
        from viewer.live import watch

        watch(opened)
    return YES
