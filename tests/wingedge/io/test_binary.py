import struct

import numpy as np
import pytest
import trimesh

from wingedge import MeshError, WingedEdgeMesh, geometry, read, shapes

BOX = shapes.grid_box(1, 2.0, triangles=True)
BODY = trimesh.Trimesh(BOX.points, BOX.fan.vertex, process=False)
CORNERS = [BOX.face_vertices(f).tolist() for f in range(12)]
MIXED = [shapes.box(2.0).face_vertices(f).tolist() for f in range(6)]
MIXED[3:4] = [MIXED[3][:3], MIXED[3][2:] + MIXED[3][:1]]  # one of them in triangles
STL, STLB, PLY = (BODY.export(file_type=kind) for kind in ("stl_ascii", "stl", "ply"))


@pytest.fixture
def reads(tmp_path):
    """Read bytes or a text as a file of this name."""

    def read_as(name, data):
        (tmp_path / name).write_bytes(
            data if isinstance(data, bytes) else data.encode()
        )
        return read(tmp_path / name)

    return read_as


@pytest.mark.parametrize("name", ["half", "start", "end", "words", "junk", "bytes"])
@pytest.mark.parametrize(("kind", "data"), [("stl", STLB), ("ply", PLY)])
def test_a_damaged_file_is_refused_in_one_sentence(reads, kind, data, name):
    damaged = {
        "half": data[: len(data) // 2],
        "start": data[:50],
        "end": data[:-7],
        "words": b"hello world, this is no mesh",
        "junk": b"\x00\x01junk" * 50,
        "bytes": bytes(range(256)) * 4,
    }
    with pytest.raises(MeshError, match="export the mesh again") as refused:
        reads(f"a.{kind}", damaged[name])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.stl", STLB[: 84 + 5 * 50 + 7], "12 triangles are announced, but 5 follow"),
        ("a.stl", "solid x\nendsolid x\n", "no triangles found"),
        ("a.stl", bytes(80) + struct.pack("<I", 0), "no triangles found"),
        ("a.stl", STL.replace("vertex", "vortex", 4), "no three vertices"),
        ("a.ply", trimesh.PointCloud(BOX.points).export(file_type="ply"), "no triang"),
    ],
)
def test_what_holds_no_triangles_is_refused(reads, name, data, words):
    with pytest.raises(MeshError, match=words):
        reads(name, data)


def ply(form, faces=MIXED, before=(), after=(), size="uchar", other=0):
    """A box with lists before and after those of the corners, and another element."""
    names = [*before, "vertex_indices", *after]
    head = ["ply", f"format {form} 1.0", "comment x", "element vertex 8"]
    head += ["property float32 x", "property double y", "property float z"]
    head += [f"element face {len(faces)}", "property uchar flag"]
    head += [f"property list {size} int {name}" for name in names]
    rows = [("fdf", *row) for row in BOX.points.tolist()]
    for k, face in enumerate(faces):
        lists = [face if name == "vertex_indices" else [7] * (k % 3) for name in names]
        kinds = [size[0].replace("u", "B") + "i" * len(some) for some in lists]
        flat = [number for some in lists for number in (len(some), *some)]
        rows.append(("B" + "".join(kinds), k, *flat))
    if other:
        head[3:3] = [f"element other {other}", "property list uchar float a"]
        rows = [("Bff", 2, 0.5, 0.5)] * other + rows
    if form == "ascii":
        lines = [" ".join(map(str, row)) for _, *row in rows]
        return "\n".join([*head, "end_header", *lines, ""]).encode()
    order = ">" if "big" in form else "<"
    body = b"".join(struct.pack(order + kinds, *row) for kinds, *row in rows)
    return "\r\n".join([*head, "end_header", ""]).encode() + body


@pytest.mark.parametrize("form", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"faces": CORNERS},
        {"before": ["a"], "after": ["b", "c"]},
        {"after": ["uv"], "faces": CORNERS, "size": "int"},
        {"other": 3, "before": ["a"]},
    ],
)
def test_ply_keeps_polygons_between_lists_of_any_length(reads, form, more):
    mesh = reads("a.ply", ply(form, **more))
    rings = [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]
    assert rings == more.get("faces", MIXED)
    assert (mesh.points == BOX.points).all()
    with pytest.raises(MeshError, match="export the mesh again"):
        reads("a.ply", ply(form, **more)[:-3])


ROWS = [" ".join(map(str, row)) for row in BOX.points.tolist()]
RINGS = ["3 " + " ".join(map(str, ring)) for ring in CORNERS]
OFF = "\n".join(["OFF", "8 12 0", *ROWS, *RINGS])
OBJ = "\n".join(
    [f"v {row}" for row in ROWS] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in CORNERS]
)
MARK = "\ufeff"  # of the byte order
ALIKE = {
    "text.stl": STL,
    "bytes.stl": STLB,
    "bytes.ply": PLY,
    "end solid.stl": STL.replace("endsolid", "end solid"),
    "no last line.stl": STL[: STL.rindex("endsolid")],
    "capitals.stl": STL.upper(),
    "two solids.stl": "endfacet\nendsolid\nsolid b\n".join(STL.split("endfacet", 1)),
    "bytes behind.stl": STLB + b"more" * 40,
    "bytes that begin with solid.stl": b"solid" + STLB[5:],
    "mark.stl": MARK + STL,
    "mark.obj": MARK + OBJ,
    "mark.off": MARK + OFF,
    "mark.ply": MARK.encode() + ply("ascii", CORNERS),
    "glued.off": OFF.replace("OFF\n8", "  OFF8") + " # end",
    "normals and colours.off": "\n".join(
        ["CNOFF", "8 12 0", *(row + " 0 0 1 255 0 0 255" for row in ROWS), *RINGS]),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_what_programs_write_besides_is_read_alike(reads, name):
    mesh = reads(name, ALIKE[name])
    assert mesh.n_vertices == 8
    assert (mesh.points[mesh.fan.vertex] == BOX.points[BOX.fan.vertex]).all()


def test_a_box_of_36_vertices_is_told_how_to_weld_them():
    points, faces = BOX.points[BOX.fan.vertex].reshape(-1, 3), np.arange(36)
    told = {"numpy": np, "points": points, "faces": faces.reshape(-1, 3)}
    with pytest.raises(MeshError, match=r"vertices 0 and 3 .* 28 such") as refused:
        WingedEdgeMesh.from_faces(points, told["faces"])
    exec(str(refused.value).partition("keep one: ")[2], told)
    welded = WingedEdgeMesh.from_faces(told["points"], told["faces"])
    assert (welded.n_vertices, geometry.volume(welded)) == (8, 8.0)
