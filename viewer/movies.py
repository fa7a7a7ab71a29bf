"""Write a moving picture of a run, frame by frame."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sim import Frame, Recording, World
from viewer.drawing.arrays import collect
from viewer.drawing.scene import Scene
from viewer.files import replacing
from viewer.gl import INSTALL_VIEWER
from viewer.sources import whole_run
from viewer.still import check_format, check_size
from viewer.theme import check_layers, named
from viewer.timeline import check_above_zero

FORMATS = (".mp4", ".gif", ".webp")
FPS = 30.0  # pictures a second
_LINGER, _TOLD = 60, 3  # frames that an event can be read, and how many are


def movie(
    source: World | Recording | Sequence[Frame],
    path: str | os.PathLike[str],
    *,
    frames: int | None = None,
    fps: float = FPS,
    speed: float = 1.0,
    size: tuple[int, int] = (1280, 720),
    theme: str = "light",
    layers: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write a moving picture off screen, as a window shows it; needs no display.

    Parameters: ``source``: a world is stepped; ``path``: the ending says how: .mp4
    (H.264), .gif or .webp; the file appears only when it is complete; ``frames``: how
    many of the source, from the first, all if left out, which a world needs; ``fps``:
    pictures per second of the movie; ``speed``: times as fast as the frames' own time:
    pictures are taken at that pace; ``size``: width and height in pixels, for .mp4 even
    numbers; ``theme``: "light" or "dark"; ``layers``: to switch on besides those that
    are, as for `viewer.picture`; ``progress``: told after every picture how many are
    done, and how many there will be.

    Returns int: the number of pictures.

    Raises ImportError, NoPicture if pyvista, GL or, for .mp4, imageio-ffmpeg is
    missing; says what to install. Raises ValueError if the ending is no format, a
    number makes no sense, or a world has no ``frames``. Raises OSError if nothing can
    be written there.
    """
    where = Path(path)
    check_format(where, FORMATS, "movie")
    check_size(size)
    if where.suffix.lower() == ".mp4" and (size[0] % 2 or size[1] % 2):
        raise ValueError(f"size={size}: an .mp4 has an even number of pixels each way")
    check_above_zero(fps=fps, speed=speed)
    layers, look = check_layers(layers), named(theme)
    shown = whole_run(source, frames, "movie")
    places = taken(len(shown), shown.dt, fps, speed)
    if not places:
        raise ValueError(f"{where}: there are no frames to show")
    scene = Scene(size=size, theme=look)
    scene.layers.show(layers)
    with (
        closing(scene),
        replacing(where) as temporary,
        _written(temporary, fps, size) as append,
    ):
        events = shown.events()
        longest = sorted((str(event) for _, event in events), key=len)[-_TOLD:]
        step = len(places) // 32 + 1
        run = [collect(shown[k], scene.layers) for k in places[::step]]
        keep = scene.film(run, longest) or None
        for done, k in enumerate(places, 1):
            before = shown[k - 1] if scene.layers.path and k > shown.first else None
            recent = [e for n, e in events if k - _LINGER < n <= k][-_TOLD:]
            scene.update(shown[k], events=recent, keep_camera=keep, before=before)
            append(scene.image())
            if progress is not None:
                progress(done, len(places))
    return len(places)


def taken(count: int, dt: float, fps: float, speed: float) -> list[int]:
    """Say which frames are shown, one per picture; the last one always is."""
    if count == 0:
        return []
    pictures = int((count - 1) * dt * fps / speed) + 1
    places = [min(count - 1, round(n * speed / (fps * dt))) for n in range(pictures)]
    return places if places[-1] == count - 1 else [*places, count - 1]


@contextmanager
def _written(
    path: Path, fps: float, size: tuple[int, int]
) -> Iterator[Callable[[Any], None]]:
    """Give a function that appends a picture; the file is whole at the end."""
    if path.suffix.lower() != ".mp4":
        from PIL import Image  # comes with pyvista

        pictures: list[Any] = []
        yield lambda image: pictures.append(Image.fromarray(image))
        first, *rest = pictures
        each = round(1000 / fps)
        first.save(path, save_all=True, append_images=rest, duration=each, loop=0)
        return
    try:
        from imageio_ffmpeg import write_frames
    except ImportError:
        said = f"install it: {INSTALL_VIEWER}, or write a .webp"
        raise ImportError(f"{path}: .mp4 needs imageio-ffmpeg; {said}") from None
    encoder = write_frames(str(path), size, fps=fps, macro_block_size=2)
    encoder.send(None)
    try:
        yield lambda image: encoder.send(image.tobytes())
    finally:
        encoder.close()
