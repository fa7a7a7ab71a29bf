"""``wingedge demo``: two bodies meet, in one command."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli import YES
from viewer.cli.progress import progress, waiting

if TYPE_CHECKING:
    from sim import Frame

RECORDING = Path("demo.vtkhdf")
PICTURE = Path("demo.png")


def demo() -> int:
    """Watch two bodies meet.

    A soft ball comes down on a table, is squashed, rolls over the edge and falls off.
    Prints one line per event; writes demo.vtkhdf, the recording, and demo.png, the
    most telling frame, into the current folder.
    """
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


def _drawn(frame: "Frame") -> bool:
    """Draw the picture, or say in one line why there is none."""
    from viewer.gl import NoPicture, require_gl, require_pyvista

    try:
        require_pyvista()
        require_gl()
    except (ImportError, NoPicture) as error:
        print(f"no {PICTURE}: {error}", file=sys.stderr)
        return False
    from viewer.still import picture

    with waiting(f"drawing {PICTURE}"):
        picture(frame, PICTURE)
    return True
