"""Draw a single picture of a frame, or of the most telling frame of a recording."""

import io
import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame, Recording
from viewer.drawing.scene import Scene
from viewer.files import check_place, replacing
from viewer.sources import Still, frame_of
from viewer.theme import check_layers, named

FORMATS = (".png", ".jpg", ".jpeg", ".webp")
SIZES = (64, 8192)  # the least and the most pixels along a side

_SAMPLES = 64  # frames that are looked at where a recording has no events
_SUPERSAMPLE = 2  # four times the pixels: smooth edges everywhere, half a second


def picture(
    source: Recording | Still | Sequence[Still],
    path: str | os.PathLike[str] | None = None,
    *,
    frame: int | None = None,
    size: tuple[int, int] = (1280, 720),
    theme: str = "light",
    layers: Iterable[str] = (),
    before: Frame | None = None,
) -> NDArray[np.uint8]:
    """Draw one frame off screen; needs no display.

    Parameters: ``source``: or a sequence of what stands still, see `viewer.show`;
    ``path``: where to save it, the ending says how (.png, .jpg, .webp); the file
    appears only when it is complete; ``frame``: which of a recording, the most telling
    one if left out; ``size``: width and height in pixels; ``theme``: "light" or "dark";
    ``layers``: to switch on besides those that are (docs/viewer.md): "distance",
    "path"; ``before``: a frame before a single one, where the layer "path" starts; a
    recording knows it.

    Returns (height, width, 3) uint8: the picture, top row first; a notebook shows it as
    one.

    Raises ImportError, NoPicture if pyvista or GL is missing; says what to install.
    Raises IndexError if a recording has no such frame. Raises ValueError if the ending
    of ``path`` is no picture format, ``size`` is no size, or there is no such layer.
    Raises OSError if nothing can be written there.
    """
    if path is not None:
        check_format(path)
    check_size(size)
    layers = check_layers(layers)
    if isinstance(source, Recording):
        k = _place(source, frame)
        shown = source[k]
        before = source[k - 1] if before is None and k > 0 else before
    else:
        shown = frame_of(source)
    look = named(theme)
    with closing(Scene(size=size, supersample=_SUPERSAMPLE, theme=look)) as scene:
        scene.layers.show(layers)
        scene.update(shown, before=before)
        image = scene.image()
    if path is not None:
        save(image, path)
    return image.view(Picture)


class Picture(np.ndarray[tuple[int, ...], np.dtype[np.uint8]]):
    """A picture, (height, width, 3) uint8, that a notebook shows as one."""

    def _repr_png_(self) -> bytes | None:
        """Return the picture as a file, for a notebook; None if it is none."""
        if not self.size or self.shape[2:] != (3,) or self.dtype != np.uint8:
            return None
        from PIL import Image  # comes with pyvista

        file = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(self)).save(file, format="PNG")
        return file.getvalue()


def check_size(size: tuple[int, int]) -> None:
    """Raise ``ValueError`` unless a picture can have this many pixels."""
    low, high = SIZES
    two = isinstance(size, Sequence) and len(size) == 2
    if not two or not all(type(n) is int and low <= n <= high for n in size):
        said = f"give width and height as whole numbers of pixels, {low} to {high} each"
        raise ValueError(f"size={size!r}: {said}")


def check_format(
    path: str | os.PathLike[str],
    formats: tuple[str, ...] = FORMATS,
    what: str = "picture",
) -> None:
    """Raise ``ValueError``, OSError unless such a file can be written there."""
    ending = Path(path).suffix.lower()
    if ending not in formats:
        said = f"no {what} format has the ending {ending!r}; use one of"
        raise ValueError(f"{os.fspath(path)}: {said} {', '.join(formats)}")
    check_place(Path(path))


def save(image: NDArray[np.uint8], path: str | os.PathLike[str]) -> None:
    """Write a picture; the file appears only when it is complete."""
    from PIL import Image  # comes with pyvista

    with replacing(Path(path)) as temporary:  # of the same ending
        Image.fromarray(image).save(temporary)


def most_telling(recording: Recording) -> int:
    """Choose the frame of the most telling event, or of the smallest distance of 64."""
    event = max(recording.events, key=tells, default=None)
    if event is not None and tells(event) > 0:
        return event.frame - recording[0].index  # it may have begun midway
    count, last = min(len(recording), _SAMPLES), len(recording) - 1
    return min(
        (round(k * last / max(1, count - 1)) for k in range(count)),
        key=lambda k: min((s.distance for s in recording[k].pairs), default=np.inf),
    )


def tells(event: Event) -> int:
    """Rank events by what a picture shows: births, changes of kind, begins, moves.

    Of several contacts more say more. Overlap and parting show no contact: 0.
    """
    state = event.state
    if state is None or state.regime != "contact" or event.kind == "death":
        return 0
    if event.before is not None and event.before.kind != state.kind:
        return 3
    if event.kind in ("birth", "split"):
        return 1 + max(1, len(state.regions))
    return {"begin": 2, "change": 1, "merge": 1}.get(event.kind, 0)


def _place(recording: Recording, frame: int | None) -> int:
    """Return which frame of a recording is drawn, from 0 on."""
    count = len(recording)
    if count == 0:
        raise IndexError("the recording has no frames, so there is nothing to draw")
    if frame is not None and not -count <= frame < count:
        said = f"the recording has frames 0 to {count - 1}"
        raise IndexError(f"there is no frame {frame}; {said}")
    return most_telling(recording) if frame is None else frame % count
