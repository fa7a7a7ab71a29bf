import struct

import numpy as np
import pytest
import trimesh

from wingedge import MeshError, WingedEdgeMesh, geometry, read, shapes
from wingedge.io.parsing import parse_ply, parse_stl

BOX = shapes.grid_box(1, 2.0, triangles=True)
BODY = trimesh.Trimesh(BOX.points, BOX.fan.vertex, process=False)
KINDS = {"stl": parse_stl, "ply": parse_ply}


def exported(kind):
    return BODY.export(file_type=kind)


@pytest.mark.parametrize("kind", [*KINDS, "stl_ascii"])
def test_triangles_come_back_in_order(kind):
    data = exported(kind)
    data = data.encode() if isinstance(data, str) else data
    soup = KINDS[kind[:3]](data)
    assert soup.points.dtype == np.float64
    faces = soup.faces if kind[0] == "s" else soup.faces.vertex.reshape(-1, 3)
    corners = soup.points[faces]
    assert (corners == BOX.points[BOX.fan.vertex]).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:50],
        lambda data: data[:-7],
        lambda data: b"hello world, this is no mesh",
        lambda data: b"\x00\x01junk" * 50,
        lambda data: bytes(range(256)) * 4,
    ],
    ids=["half", "start", "all but the end", "words", "junk", "bytes"],
)
def test_a_damaged_file_is_refused_in_one_sentence(kind, damage):
    with pytest.raises(MeshError) as refused:
        KINDS[kind](damage(exported(kind)))
    assert "\n" not in str(refused.value)
    assert "export the mesh again" in str(refused.value)


def test_what_is_no_single_closed_mesh_is_refused():
    with pytest.raises(MeshError, match="12 triangles are announced, but 5 follow"):
        parse_stl(exported("stl")[: 84 + 5 * 50 + 7])
    with pytest.raises(MeshError, match="no triangles found"):
        parse_stl(b"solid x\nendsolid x\n")
    with pytest.raises(MeshError, match="no triangles found"):
        parse_stl(bytes(80) + struct.pack("<I", 0))
    cloud = trimesh.PointCloud(BOX.points).export(file_type="ply")
    with pytest.raises(MeshError, match="no triangles found"):
        parse_ply(cloud)


CORNERS = [BOX.face_vertices(f).tolist() for f in range(12)]
MIXED = [shapes.box(2.0).face_vertices(f).tolist() for f in range(6)]
MIXED[3:4] = [MIXED[3][:3], MIXED[3][2:] + MIXED[3][:1]]  # one of them in triangles


def ply(form, faces=MIXED, before=(), after=(), size="uchar", other=0):
    """A box with lists before and after those of the corners, and another element."""
    order = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": ""}[form]
    names = [*before, "vertex_indices", *after]
    head = ["ply", f"format {form} 1.0", "comment x", "element vertex 8"]
    head += ["property float32 x", "property double y", "property float z"]
    head += ["element face " + str(len(faces)), "property uchar flag"]
    head += [f"property list {size} int {name}" for name in names]
    rows = [[("fdf", row)] for row in BOX.points.tolist()]
    for k, face in enumerate(faces):
        lists = [
            face if name == names[len(before)] else [7] * (k % 3) for name in names
        ]
        sizes = {"uchar": "B", "int": "i"}[size]
        rows.append(
            [("B", [k])] + [(sizes + "i" * len(x), [len(x), *x]) for x in lists]
        )
    if other:
        head[3:3] = [f"element other {other}", "property list uchar float a"]
        rows = [[("Bff", (2, 0.5, 0.5))]] * other + rows
    if form == "ascii":
        lines = [" ".join(str(x) for _, xs in row for x in xs) for row in rows]
        return "\n".join([*head, "end_header", *lines, ""]).encode()
    body = b"".join(struct.pack(order + kind, *xs) for row in rows for kind, xs in row)
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
def test_ply_keeps_polygons_between_lists_of_any_length(tmp_path, form, more):
    path = tmp_path / "a.ply"
    path.write_bytes(ply(form, **more))
    mesh = read(path)
    rings = [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]
    assert rings == more.get("faces", MIXED)
    assert (mesh.points == BOX.points).all()
    path.write_bytes(ply(form, **more)[:-3])
    with pytest.raises(MeshError, match="export the mesh again"):
        read(path)


STL, STLB = exported("stl_ascii"), exported("stl")
ROWS = [" ".join(map(str, row)) for row in BOX.points.tolist()]
RINGS = ["3 " + " ".join(map(str, ring)) for ring in CORNERS]
OFF = "\n".join(["OFF", "8 12 0", *ROWS, *RINGS])
OBJ = "\n".join([f"v {row}" for row in ROWS] + [
    "f " + " ".join(str(v + 1) for v in ring) for ring in CORNERS])  # fmt: skip
ALIKE = {
    "end solid.stl": STL.replace("endsolid", "end solid"),
    "no last line.stl": STL[: STL.rindex("endsolid")],
    "capitals.stl": STL.upper(),
    "two solids.stl": "endfacet\nendsolid\nsolid b\n".join(STL.split("endfacet", 1)),
    "bytes behind.stl": STLB + b"more" * 40,
    "bytes that begin with solid.stl": b"solid" + STLB[5:],
    "mark.stl": b"\xef\xbb\xbf" + STL.encode(),
    "mark.obj": b"\xef\xbb\xbf" + OBJ.encode(),
    "mark.off": b"\xef\xbb\xbf" + OFF.encode(),
    "mark.ply": b"\xef\xbb\xbf" + ply("ascii", CORNERS),
    "glued.off": OFF.replace("OFF\n8", "  OFF8") + " # end",
    "normals and colours.off": "\n".join(
        ["CNOFF", "8 12 0", *(row + " 0 0 1 255 0 0 255" for row in ROWS), *RINGS]),
    "one line.off": " ".join(OFF.split()),
    "broken rows.off": OFF.replace("0 1", "0\n1"),
    "two rows a line.off": "\n".join(
        ["OFF 8 12 0", *(f"{ROWS[k]} {ROWS[k + 1]}" for k in range(0, 8, 2)), *RINGS]),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_what_programs_write_besides_is_read_alike(tmp_path, name):
    data = ALIKE[name]
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    mesh = read(path)
    assert (mesh.n_vertices, mesh.n_faces) == (8, 12)
    assert geometry.volume(mesh) == 8.0


def test_a_box_of_36_vertices_is_told_how_to_weld_them():
    points, faces = (
        BOX.points[BOX.fan.vertex].reshape(-1, 3),
        np.arange(36).reshape(-1, 3),
    )
    with pytest.raises(MeshError, match=r"vertices 0 and 3 .*27 more") as refused:
        WingedEdgeMesh.from_faces(points, faces)
    told = {"numpy": np, "points": points, "faces": faces}
    exec(str(refused.value).partition("other: ")[2], told)
    assert WingedEdgeMesh.from_faces(told["points"], told["faces"]).n_vertices == 8
