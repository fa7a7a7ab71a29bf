"""What a reader of files gives, and which reader is for which file."""

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.pose import Pose
from wingedge.build import Polygons
from wingedge.registry import find

GROUP = "wingedge.sequences"  # entry points: modules that register readers of their own


class Sample(NamedTuple):
    """One body in one frame, as a file holds it, unchecked."""

    where: str  # file, and the frame in it
    points: NDArray[np.float64]  # (V, 3)
    faces: Polygons
    time: float | None = None
    pose: Pose | None = None  # where the points are; the identity if left out


Samples = dict[str, list[Sample]]  # by name; "" is whatever the file is called
Reader = Callable[[Path], Samples]

# by suffix, the names of those of this package as the registry has them
_READERS: dict[str, str | Reader] = {
    **dict.fromkeys((".obj", ".off", ".stl", ".ply"), "read_mesh"),
    ".npz": "read_npz",
    **dict.fromkeys((".vtkhdf", ".hdf", ".h5", ".hdf5"), "read_recording"),
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), "read_usd"),
    **dict.fromkeys((".gltf", ".glb"), "read_gltf"),
}


def register(suffixes: tuple[str, ...], reader: Reader) -> None:
    """Read files of these suffixes by this function from now on."""
    _READERS.update(dict.fromkeys(suffixes, reader))


def read_samples(path: Path) -> Samples:
    """Read a file by its suffix; errors name the file.

    Raises ValueError if no reader is for it; OSError if it is missing; what the reader
    raises.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; check the path")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: is a folder; give the files in it")
    reader = reader_for(path.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(_READERS))
        raise ValueError(
            f"{path}: the suffix {path.suffix!r} names no format of a sequence; there "
            f"are {known}"
        )
    return reader(path)


def reader_for(suffix: str) -> Reader | None:
    """Return the reader for a suffix, asking installed packages where none is known."""
    if suffix not in _READERS:
        for entry in entry_points(group=GROUP):
            entry.load()
    reader = _READERS.get(suffix)
    return find(reader) if isinstance(reader, str) else reader


def first_unfinite(points: NDArray[Any]) -> str:
    """Name the first vertex with a coordinate that is not finite, or nothing."""
    if np.isfinite(points).all():
        return ""
    v = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
    return f"vertex {v} is at {points[v].tolist()}; every coordinate must be finite"


def numbered_frames(path: Path, count: int) -> Iterator[str]:
    """Say for each of so many frames of a file where it is."""
    return (f"{path}, frame {k}" for k in range(count))
