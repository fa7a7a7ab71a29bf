"""sim.sequence.formats: files made to crash, hang or fill who reads are refused."""

import io
import json
import os
import sys
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

from sim import sequence
from sim.sequence.sample import register
from sim.story.file import inspection
from sim.story.file.inspection import Apart
from wingedge import shapes

VTK = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET "
GRID = VTK + "UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
FLAT = VTK + "POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
BALL = shapes.icosphere(1)
FACES = np.array([BALL.face_vertices(f) for f in range(BALL.n_faces)])


def packed(header=None, how=zipfile.ZIP_DEFLATED, **more):
    """Write an npz of a ball, with another header of its points, or other members."""
    file = io.BytesIO()
    arrays = {"points": BALL.points[None], "faces": FACES, **more}
    with zipfile.ZipFile(file, "w", how) as made:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array, allow_pickle=True)
            text = data.getvalue()
            if header and name == "points":
                text = text.replace(b"(1, 42, 3), } ", header.encode() + b", } ")
            made.writestr(f"{name}.npy", text)
    return file.getvalue()


def locked():
    """Say of the first member that it is encrypted."""
    data = bytearray(packed())
    for at, mark in ((6, b"PK\3\4"), (8, b"PK\1\2")):
        data[data.index(mark) + at] |= 1
    return bytes(data)


def linked(kind):
    """Write a VTKHDF file of somebody else whose points are behind a pipe."""
    os.mkfifo("pipe")
    file = io.BytesIO()
    with h5py.File(file, "w") as made:
        group = made.create_group("VTKHDF")
        if kind == "link":
            group["Points"] = h5py.ExternalLink("pipe", "/x")
        elif kind == "rows":
            group.create_dataset("Points", (9,), "f8", external=[("pipe", 0, 72)])
        else:
            rows = h5py.VirtualLayout((9,), "f8")
            rows[:] = h5py.VirtualSource("pipe", "x", (9,))
            group.create_virtual_dataset("Points", rows)
    return file.getvalue()


def usd(text):
    return f'#usda 1.0\ndef Mesh "a" {{\n{text}\n}}\n'


MANY = {"componentType": 5126, "type": "VEC3", "count": 200_000_000}
FEW = MANY | {"count": 999}


def tree(about=MANY, targets=(), **more):
    part = {"attributes": {"POSITION": 0}, "targets": list(targets)}
    given = {"meshes": [{"primitives": [part]}], "nodes": [{"mesh": 0}]}
    return json.dumps({"accessors": [about], **given, **more})


def moving():
    """Write a mesh without bytes that many key frames move."""
    given = json.loads(tree(FEW, [{"POSITION": 0}]))
    given["accessors"] += [{"componentType": 5126, "type": "SCALAR", "count": 10**5}]
    channel = {"sampler": 0, "target": {"node": 0, "path": "weights"}}
    sampler = {"input": 1, "output": 1}
    given["animations"] = [{"channels": [channel], "samplers": [sampler]}]
    return json.dumps(given)


ENDED = "reading it ended the process that tried"
REFUSED = {
    # beside each name what is in the file, and what is said of it
    "many_corners.vtk": (GRID + "CELLS 1 4\n3000000 0 1 2\nCELL_TYPES 1\n5\n", ENDED),
    "far_corner.vtk": (GRID + "CELLS 1 4\n3 0 1 999999999\nCELL_TYPES 1\n5\n", ENDED),
    "other_cell.vtk": (GRID + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n12\n", ""),
    "huge_grid.vtk": (VTK + "STRUCTURED_GRID\nDIMENSIONS 99999 99999 9\n"
                      "POINTS 1 float\n0 0 0\n", ENDED),
    "wide_image.vtk": (VTK + "STRUCTURED_POINTS\nDIMENSIONS 2000 2000 2\n"
                       "ORIGIN 0 0 0\nSPACING 1 1 1\n", ENDED),
    "huge_points.vtk": (VTK + "POLYDATA\nPOINTS 2000000000 float\n0 0 0\n", ""),
    "far_face.vtk": (FLAT + "POLYGONS 1 4\n3 0 1 999999999\n", "does not exist"),
    "huge_field.vtk": (VTK + "FIELD f 1\na 1000000000 1000000000 float\n", ""),
    "out.pvd": ("<VTKFile type='Collection'><Collection><DataSet timestep='0' "
                "file='../out.vtu'/></Collection></VTKFile>", "not in its folder"),
    "out.pvtu": ("<V><Piece Source='/etc/passwd'/></V>", "not in its folder or below"),
    "out.vtm": ("<V><DataSet file='&#46;./a.vtu'/></V>", "not in its folder or below"),
    "out.series": ('{"files": [{"name": "../a.vtu", "time": 0}]}', "not in its folder"),
    "a.vt.series": ('{"files": [{"name": "a.vt.series", "time": 0}]}', "not match"),
    "pipe.series": ('{"files": [{"name": "waits", "time": 0}]}', "waits is missing"),
    "deep.series": ("[" * 200_000, "cannot be read (RecursionError"),
    "link.vtkhdf": (lambda: linked("link"), "'VTKHDF/Points' is in another file"),
    "rows.vtkhdf": (lambda: linked("rows"), "'VTKHDF/Points' is in another file"),
    "virtual.vtkhdf": (lambda: linked("virtual"), "'VTKHDF/Points' is in another file"),
    "cut.hdf": (b"\x89HDF\r\n\x1a\n" + bytes(90), "is no HDF5 file"),
    "other.npz": (lambda: packed(points=np.array([{}])), "is no npz file of plain arr"),
    "locked.npz": (locked, "of plain arrays (File <ZipInfo filename='points.npy'"),
    "long.npz": (lambda: packed("(9, 42, 3)"), "points.npy announces (9, 42, 3)"),
    "huge.npz": (lambda: packed("(1, 99999, 99999)"), "announces (1, 99999, 99999)"),
    "many.npz": (lambda: packed("(1000000, 0, 3)"), "announces (1000000, 0, 3)"),
    "zeros.npz": (lambda: packed(points=np.zeros((1, 10**6, 3), "i1")), "announces"),
    "cut.usdc": (b"PXR-USDC" + bytes(99), "cannot be read as USD"),
    "corners.usda": (usd("point3f[] points = [(0,0,0)]\nint[] faceVertexCounts = [3]\n"
                         "int[] faceVertexIndices = [0, 1, 2]"), "face has vertex 2"),
    "counts.usda": (usd("point3f[] points = [(0,0,0)]\nint[] faceVertexCounts = [3]\n"
                        "int[] faceVertexIndices = [0]"), "3 corners are announced"),
    "empty.usda": (usd("point3f[] points = [(0,0,0)]\nint[] faceVertexCounts = [0]\n"
                       "int[] faceVertexIndices = []"), "corners, it has 0"),
    "deep.usda": (usd("def A 'b' {" * 20_000), ""),
    "out.gltf": (tree(buffers=[{"uri": "../waits"}]), "is not in its folder or below"),
    "etc.gltf": (tree(buffers=[{"uri": "/etc/passwd"}]), "'/etc/passwd' is not in its"),
    "waits.gltf": (tree(buffers=[{"uri": "waits"}]), "its buffer waits is missing"),
    "deep.gltf": ('{"nodes": ' + "[" * 200_000, "RecursionError"),
    "huge.gltf": (tree(MANY), "its accessors say more than its bytes hold"),
    "negative.gltf": (tree(MANY | {"count": -9}), "say more than its bytes"),
    "sparse.gltf": (tree(MANY | {"sparse": {"count": 10**9}}), "say more than its byt"),
    "targets.gltf": (tree(FEW, targets=[{}] * 9999), "its accessors say more than its"),
    "placed.gltf": (tree(FEW, nodes=[{"mesh": 0}] * 5000), "say more than its bytes"),
    "frames.gltf": (moving, "its accessors say more than its bytes"),
    "waits.obj": (lambda: os.mkfifo("waits.obj"), "is no file but a pipe or a device"),
}  # fmt: skip


@pytest.fixture(scope="module")
def away():
    with Apart() as apart:
        yield apart


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of Linux")
@pytest.mark.parametrize("name", REFUSED)
def test_a_small_file_is_refused_by_name(tmp_path, monkeypatch, away, name):
    """They ended the caller, made it wait for ever, or took gigabytes."""
    import resource

    for suffix, library in ((".vt", "pyvista"), (".pv", "pyvista"), (".usd", "pxr")):
        if suffix in name:
            pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    os.mkfifo("waits")
    given, words = REFUSED[name]
    data = given() if callable(given) else given
    if data is not None:
        (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    before = int(Path("/proc/self/statm").read_text().split()[5]) * 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (before + (300 << 20), hard))
    try:
        with pytest.raises((ValueError, OSError)) as caught:
            sequence.read(name)
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    assert str(caught.value).startswith(name)
    assert words in str(caught.value)
    assert "MemoryError" not in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="needs pipes of POSIX")
@pytest.mark.parametrize("reader", ["loops", "waits"])
def test_a_library_that_does_not_end_is_ended(tmp_path, monkeypatch, readers, reader):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("waits")
    monkeypatch.setattr(Apart.__init__, "__defaults__", (0.2, inspection.MEMORY))
    monkeypatch.setattr(inspection, "START", 1.0)
    (tmp_path / "a.forever").touch()
    register((".forever",), getattr(readers, reader), "json")
    with pytest.raises(ValueError, match=r"a\.forever: .*it took too long"):
        sequence.read("a.forever")


def test_members_of_an_npz_that_nobody_asked_for_are_not_read(tmp_path):
    (tmp_path / "a.npz").write_bytes(packed(more=np.array([{}]), other=np.zeros(10**7)))
    assert len(sequence.read(tmp_path / "a.npz")) == 1
