"""Read files of positions, and step their bodies: a source with ``advance()``."""

import re
from collections.abc import Sequence as Several
from glob import glob, has_magic
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.progress import progress
from sim.sequence.sample import MovingMesh, Sample, Samples, moving_mesh, read_samples
from sim.story.file.inspection import Apart
from sim.tracking.options import LEVEL, check_length
from wingedge.features import is_name
from wingedge.positions import single_rounding

EVEN = 1e-4  # of a step: rounding of times in single precision is less


def precision_of(resolution: Several[float]) -> str:
    """Say in words what single precision cannot tell; nothing of double precision."""
    level = LEVEL * max(resolution, default=0.0)
    said = f"positions are single precision: parts within {level:.2g} are level"
    return said if level else ""


class Sequence:
    """Bodies that move as files say; a source: ``bodies`` and ``advance()``.

    Made by `read`; the bodies are where the first frame has them.

    Attributes
    ----------
    bodies : tuple of Body
    times : (T,) array or None
        When the frames are, as the files say.
    notes : tuple of str
        What to know of the files, a line each: how many polygons were cut.
    """

    def __init__(
        self,
        parts: Several[MovingMesh],
        times: NDArray[np.float64] | None,
        notes: Several[str],
        resolution: float | str | None = None,
    ) -> None:
        self._parts, self._at = parts, 0
        self._count = max(len(part.samples) for part in parts)
        self.times = times
        self.bodies = tuple(Body(part.mesh, name=part.name) for part in parts)
        for body, part in zip(self.bodies, parts, strict=True):
            known = resolution
            if known == "float32" or (known is None and body.resolution):
                used = part.mesh.source_vertices
                known = max(single_rounding(x.points[used]) for x in part.samples)
            body.resolution = float(known or 0.0)
        said = precision_of(() if isinstance(resolution, float) else self.resolution)
        self.notes = (*notes, *filter(None, [said]))
        self._place()

    @property
    def resolution(self) -> tuple[float, ...]:
        """How far at most the vertices of each body may be off."""
        return tuple(body.resolution for body in self.bodies)

    @property
    def dt(self) -> float:
        """The mean time between two frames; 1 where the files tell no times."""
        if self.times is None or len(self.times) < 2:
            return 1.0
        return float(self.times[-1] - self.times[0]) / (len(self.times) - 1)

    @property
    def is_even(self) -> bool:
        """Whether all frames are one ``dt`` apart."""
        if self.times is None:
            return True
        steps = np.diff(self.times)
        return bool(np.all(np.abs(steps - self.dt) <= EVEN * self.dt))

    def __len__(self) -> int:
        return self._count

    def advance(self) -> bool:
        """Put the bodies where the next frame has them; False if there is none."""
        if self._at + 1 >= self._count:
            return False
        self._at += 1
        self._place()
        return True

    def _place(self) -> None:
        for body, part in zip(self.bodies, self._parts, strict=True):
            if self._at < len(part.samples):
                sample = part.samples[self._at]
                body.points = sample.points[part.mesh.source_vertices]
                body.pose = Pose.identity() if sample.pose is None else sample.pose

    def __repr__(self) -> str:
        names = ", ".join(body.name for body in self.bodies)
        return f"Sequence({names}; {self._count} frames)"


def read(
    *files: str | PathLike[str],
    names: Several[str] = (),
    dt: float | None = None,
    resolution: Any = None,
) -> Sequence:
    """Read files of positions as bodies that move.

    Raises ValueError, OSError or MeshError if a file is missing or cannot be used,
    naming file, frame and element; if a body gets another mesh, or bodies have unlike
    numbers of frames, or one name; ImportError if a package is missing that reads it.

    Vertices keep their numbers; those at exactly the same place are one, in every
    frame, and those that no face has are left out.  All positions are kept in memory.

    Parameters
    ----------
    files : path or pattern
        Each is a file with all its frames (npz with ``points`` (T, V, 3) and
        ``faces``; VTKHDF, PVD; USD; glTF with morph targets), a pattern of files with
        one each (``"ball_*.obj"``) in the order of their numbers, or a single mesh,
        which is at rest.  A frame is a place in this order, from 0.  A file may hold
        several bodies: OBJ objects and glTF nodes, shells that no edge joins.
    names : sequence of str
        Of all bodies, in order; else those in the files, or the files' own without
        trailing digits and separators.
    dt : float, optional
        Time between two frames, whatever the files say; 1 if they say nothing.
    resolution : float, "float32" or None
        How far at most each vertex may be off, in the file's coordinates; if left out,
        of files that hold single precision that, of others 0.
    """
    if not files:
        raise ValueError("name at least one file")
    if not (resolution is None or resolution == "float32"):
        resolution = check_length("resolution", resolution)
    if dt is not None and not 0.0 < dt < np.inf:
        raise ValueError(f"dt={dt!r} must be above 0 and finite")
    given: list[tuple[str, str, list[Sample]]] = []  # argument, name, samples
    for argument in [fspath(file) for file in files]:
        paths = _paths(argument)
        for name, samples in _samples(argument, paths).items():
            given.append((argument, name or stem(paths[0]), samples))
    if names:
        if len(names) != len(given):
            known = ", ".join(name for _, name, _ in given)
            said = f"{len(names)} names for {len(given)} bodies ({known})"
            raise ValueError(f"{said}; give one for each")
        given = [(a, n, s) for (a, _, s), n in zip(given, names, strict=True)]
    seen: dict[str, str] = {}
    for argument, name, _ in given:
        if not is_name(name):
            said = f"a body cannot be called {name!r}, because of the texts of events"
            raise ValueError(f"{argument}: {said}; name it otherwise")
        if name in seen:
            said = f"{seen[name]} and {argument} are both called {name!r}; name them,"
            quote = "quote the pattern of a series, as in 'ball_*.obj'"
            raise ValueError(f"{said} or {quote}")
        seen[name] = argument
    for (one, _, a), (other, _, b) in pairwise(g for g in given if len(g[2]) > 1):
        if len(a) != len(b):
            said = f"{one} has {len(a)} frames and {other} has {len(b)}; give bodies of"
            raise ValueError(f"{said} as many frames, or of one, which is at rest")
    bodies = [moving_mesh(name, samples) for _, name, samples in given]
    notes = [
        f"{seen[body.name]}: polygons that are not convex, or warped, are cut into "
        f"triangles: {several} of {body.name}"
        for body in bodies
        if (several := np.count_nonzero(np.bincount(body.mesh.source_faces) > 1))
    ]
    count = max(len(body.samples) for body in bodies)
    times = _times(bodies, count)
    if dt is not None:
        times = np.arange(count, dtype=np.float64) * dt
    return Sequence(bodies, times, notes, resolution)


def _paths(argument: str) -> list[Path]:
    """Find the files of an argument in the order of the numbers in their names."""
    if Path(argument).exists() or not has_magic(argument):
        return [Path(argument)]
    keys = {path: _numbers(path) for path in map(Path, glob(argument))}
    if not keys:
        raise FileNotFoundError(f"{argument}: no file matches the pattern")
    ordered = sorted(keys, key=lambda path: (keys[path], path.name))
    for a, b in pairwise(ordered):
        if keys[a] == keys[b]:
            said = f"{a.name} and {b.name} have the same number"
            raise ValueError(f"{argument}: {said}; give a pattern of one series")
    return ordered


def _numbers(path: Path) -> list[tuple[float, str]]:
    """Split a name into pairs of a number and the text after it."""
    first, *rest = re.split(r"(\d+(?:\.\d+)?)", f"{path.parent}/{path.stem}")
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return [(0.0, first), *((float(n), text) for n, text in pairs)]


def stem(path: Path) -> str:
    """Return the name of a file without digits and separators at its end."""
    whole = path.stem if path.suffix != ".series" else Path(path.stem).stem
    return re.sub(r"[\d\s._-]+$", "", whole) or whole


def _samples(argument: str, paths: list[Path]) -> Samples:
    """Read the files of an argument, one after the other."""
    bodies: Samples = {}
    shown = progress(paths, len(paths), f"reading {argument}")
    with Apart() as apart:
        for k, path in enumerate(shown):
            try:
                new = read_samples(path, apart)
            except (OSError, ValueError) as error:
                which = f" (frame {k} of {argument})" if len(paths) > 1 else ""
                raise type(error)(f"{error}{which}") from None
            if bodies and new.keys() != bodies.keys():
                said = f"{', '.join(new) or 'none'}, and {paths[0]} {', '.join(bodies)}"
                where = f"{path} (frame {k} of {argument})"
                raise ValueError(f"{where} has the bodies {said}")
            for name, samples in new.items():
                bodies.setdefault(name, []).extend(samples)
    if not any(bodies.values()):
        raise ValueError(f"{argument}: there are no frames and no bodies in it")
    return bodies


def _times(bodies: list[MovingMesh], count: int) -> NDArray[np.float64] | None:
    """Return when the frames are; refuse times that do not ascend, or differ."""
    first: tuple[str, NDArray[np.float64]] | None = None
    for body in bodies:
        samples = body.samples
        if len(samples) < count or any(sample.time is None for sample in samples):
            continue
        times = np.array([sample.time for sample in samples], np.float64)
        good = np.isfinite(times)
        good[1:] &= times[1:] > times[:-1]
        if not good.all():
            bad = int(good.argmin())
            after = f"comes after {times[bad - 1]:g}" if bad else "is the first"
            said = f"time {times[bad]:g} {after}; times must ascend"
            raise ValueError(f"{samples[bad].where}: {said}")
        name, known = first = first or (body.name, times)
        far = ~np.isclose(times, known, rtol=1e-6, atol=0.0)
        if far.any():
            k = int(far.argmax())
            said = f"at time {times[k]:g}, and {name} has that frame at {known[k]:g}"
            where = f"{samples[k].where}: is {said}"
            raise ValueError(f"{where}; give dt, or files of the same times")
    return None if first is None else first[1]
