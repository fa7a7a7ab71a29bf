"""Read sequences of arrays, of meshes, and recordings."""

from pathlib import Path

import numpy as np

from sim.sequence.sample import Sample, Samples, numbered_frames, reader_for
from wingedge.build import as_polygons
from wingedge.io.reading import parsed, split_row

LAYOUT = "give points (T, V, 3) and faces, and times (T,) and name if you like"


def read_mesh(path: Path) -> Samples:
    """Read one frame from a file that `wingedge.read` knows."""
    soup = parsed(path)
    faces = as_polygons(soup.faces, len(soup.points))
    return {"": [Sample(str(path), soup.points, faces)]}


def read_npz(path: Path) -> Samples:
    """Read ``points`` (T, V, 3), ``faces``, and ``times`` (T,), ``name`` if there.

    Faces are (F, k), or one row as VTK has them: number of corners, corners, ...
    """
    import zipfile
    import zlib

    try:
        with np.load(path, allow_pickle=False) as file:
            held = {key: file[key] for key in file.files}
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, TypeError):
        raise ValueError(f"is no npz file of plain arrays; {LAYOUT}") from None
    for key in ("points", "faces"):
        if key not in held:
            has = ", ".join(held) or "nothing"
            raise ValueError(f"has no {key!r}, only {has}; {LAYOUT}")
    points, faces, times = held["points"], held["faces"], held.get("times")
    if points.ndim != 3 or points.shape[2] != 3 or points.dtype.kind not in "fiu":
        raise ValueError(f"points are {points.dtype} {points.shape}; {LAYOUT}")
    if times is not None and times.shape != points.shape[:1]:
        raise ValueError(
            f"has {len(points)} frames and times of shape {times.shape}; {LAYOUT}"
        )
    rows = split_row(faces) if faces.ndim == 1 else faces
    polygons = as_polygons(rows, points.shape[1])
    when = [None] * len(points) if times is None else times.astype(float).tolist()
    frames = zip(numbered_frames(path, len(points)), points, when, strict=True)
    name = str(held["name"].item()) if held.get("name", np.empty(0)).size == 1 else ""
    return {name: [Sample(w, x.astype(np.float64), polygons, t) for w, x, t in frames]}


def read_recording(path: Path) -> Samples:
    """Read the bodies of a recording; other VTKHDF files by who is registered."""
    import h5py

    try:
        with h5py.File(path) as file:
            is_ours = "wingedge" in file
    except OSError as error:
        raise ValueError(f"is no HDF5 file ({error})") from None
    if not is_ours:
        reader = reader_for(".vtu")
        if reader is None:
            raise ImportError(f"{path}: reading VTKHDF needs pyvista; {VIEWER}")
        return reader(path)
    from sim.story.recording import Recording

    found: Samples = {}
    with Recording.open(path) as recording:
        known = {}
        wheres = numbered_frames(path, len(recording))
        for where, frame in zip(wheres, recording, strict=True):
            for body in frame.bodies:
                if body.mesh not in known:
                    rings = map(body.mesh.face_vertices, range(body.mesh.n_faces))
                    known[body.mesh] = as_polygons(list(rings), body.mesh.n_vertices)
                sample = Sample(
                    where, body.points, known[body.mesh], frame.time, body.pose
                )
                found.setdefault(body.name, []).append(sample)
    return found


VIEWER = 'run: pip install "wingedge[viewer]"'
