"""wingedge.io.parsing, wingedge.io.reading: a box as programs write it, and no box."""

import struct

import numpy as np
import pytest
import trimesh

from wingedge import MeshError, WingedEdgeMesh, geometry, read, shapes
from wingedge.io.parsing import parse_obj, parse_off

BOX, TRIANGLES = shapes.box(2.0), shapes.grid_box(1, 2.0, triangles=True)
BODY = trimesh.Trimesh(TRIANGLES.points, TRIANGLES.fan.vertex, process=False)
CORNERS = [BOX.face_vertices(f).tolist() for f in range(6)]
THREES = [TRIANGLES.face_vertices(f).tolist() for f in range(12)]
MIXED = [*CORNERS[:3], CORNERS[3][:3], CORNERS[3][2:] + CORNERS[3][:1], *CORNERS[4:]]
STL, STLB, PLY = (BODY.export(file_type=kind) for kind in ("stl_ascii", "stl", "ply"))


def v(end="\n"):
    return "".join(f"v {x} {y} {z}{end}" for x, y, z in BOX.points.tolist())


def f(form="{}", faces=CORNERS, first=1):
    rows = (" ".join(form.format(v + first) for v in face) for face in faces)
    return "".join(f"f {row}\n" for row in rows)


def off(head="OFF\n8 6 12\n", end="\n", faces=CORNERS):
    rows = [" ".join(map(str, row)) for row in BOX.points.tolist()]
    rows += [f"{len(face)} {' '.join(map(str, face))}" for face in faces]
    return head + "".join(row + end for row in rows)


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


OBJ, OFF, MARK = v() + f(), off(), "\ufeff"  # a mark of the byte order
ALIKE = {
    "plain.obj": OBJ,
    "keywords.obj": "# made by hand\nmtllib a.mtl\no box\n" + v() + "s off\n" + f(),
    "comments.obj": v(" # here\n") + f(),
    "texture and normal.obj": v() + "vt 0 0\nvn 0 0 1\n" + f("{}/1/1"),
    "normal only.obj": v() + f("{}//1"),
    "counted from the end.obj": v() + f(first=-8),
    "continued lines.obj": v() + f().replace(" 2\n", " \\\n 2\n"),
    "colours and weight.obj": v(" 1 0.5 0.5 0.5\n") + f(),
    "faces first.obj": f() + v(),
    "windows.obj": OBJ.replace("\n", "\r\n"),
    "no last newline.obj": OBJ.rstrip(),
    "groups.obj": v() + "g a\n" + f()[:20] + f()[20:].replace("f", "usemtl x\nf", 1),
    "mark.obj": MARK + v() + f(faces=THREES),
    "plain.off": OFF,
    "two counts.off": off("OFF\n8 6\n"),
    "counts in the first line.off": off("OFF 8 6 12\n"),
    "no header.off": off("8 6 12\n"),
    "comments.off": off("OFF # a box\n\n# counts\n8 6 12\n", " # x\n"),
    "face colours.off": off(end=" 255 0 0\n"),
    "vertex colours.off": off("COFF\n8 6 12\n", " 0.5 0.5 0.5 1\n"),
    "mark.off": MARK + off("OFF\n8 12 0\n", faces=THREES),
    "glued.off": off("  OFF8 12 0\n", faces=THREES) + " # end",
    "normals and colours.off": off("CNOFF\n8 12 0\n", " 0 0 1 255 0 0 255\n", THREES),
    "text.stl": STL,
    "bytes.stl": STLB,
    "end solid.stl": STL.replace("endsolid", "end solid"),
    "no last line.stl": STL[: STL.rindex("endsolid")],
    "capitals.stl": STL.upper(),
    "two solids.stl": "endfacet\nendsolid\nsolid b\n".join(STL.split("endfacet", 1)),
    "bytes behind.stl": STLB + b"more" * 40,
    "bytes that begin with solid.stl": b"solid" + STLB[5:],
    "mark.stl": MARK + STL,
    "bytes.ply": PLY,
    "mark.ply": MARK.encode() + ply("ascii", THREES),
}


@pytest.mark.parametrize("name", ALIKE)
def test_what_programs_write_is_read_alike(save, name):
    mesh = read(save(ALIKE[name], name))
    like = BOX if mesh.n_faces == 6 else TRIANGLES
    assert (mesh.n_vertices, mesh.n_faces) == (8, like.n_faces)
    assert (mesh.points[mesh.fan.vertex] == like.points[like.fan.vertex]).all()
    if not name.endswith("stl"):
        assert (mesh.points == BOX.points).all()


@pytest.mark.parametrize("form", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"faces": THREES},
        {"before": ["a"], "after": ["b", "c"]},
        {"after": ["uv"], "faces": THREES, "size": "int"},
        {"other": 3, "before": ["a"]},
    ],
)
def test_ply_keeps_polygons_between_lists_of_any_length(save, form, more):
    mesh = read(save(ply(form, **more), "a.ply"))
    rings = [mesh.face_vertices(k).tolist() for k in range(mesh.n_faces)]
    assert rings == more.get("faces", MIXED)
    assert (mesh.points == BOX.points).all()
    with pytest.raises(MeshError, match="export the mesh again"):
        read(save(ply(form, **more)[:-3], "a.ply"))


def test_numbers_count_from_the_end_and_names_are_kept():
    soup = parse_obj(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -1 -2\n")
    assert soup.faces.vertex.tolist() == [0, 1, 2, 0, 3, 2]
    named = parse_obj(("o a\n" + OBJ + "o b\ng c\n" + f()).encode())
    assert (named.names, [*named.group]) == (["a", "b c"], [0] * 6 + [1] * 6)


AGAIN = "export the mesh again"
DAMAGED = [
    (f"{name}.{kind}", part, AGAIN)
    for kind, data in (("stl", STLB), ("ply", PLY))
    for name, part in (
        ("half", data[: len(data) // 2]),
        ("start", data[:50]),
        ("end", data[:-7]),
        ("words", b"hello world, this is no mesh"),
        ("junk", b"\x00\x01junk" * 50),
        ("bytes", bytes(range(256)) * 4),
    )
]
BAD = [
    *DAMAGED,
    ("a.stl", STLB[: 84 + 5 * 50 + 7], "12 triangles are announced, but 5 follow"),
    ("a.stl", "solid x\nendsolid x\n", "no triangles found"),
    ("a.stl", bytes(80) + struct.pack("<I", 0), "no triangles found"),
    ("a.stl", STL.replace("vertex", "vortex", 4), "no three vertices"),
    ("a.ply", trimesh.PointCloud(BOX.points).export(file_type="ply"), "no triang"),
    ("a.glb", "hello", AGAIN),
    ("a.xyz", "1 2 3", "'.xyz' names no format .* OBJ, OFF"),
    ("a", "1 2 3", "'' names no format"),
    ("a.obj", "", "is empty"),
    ("a.off", " \n\n", "is empty"),
    ("a.obj", b"\x00\x01" * 99, "is binary"),
    ("a.obj", "hello\nworld\n", "no vertices"),
    ("a.obj", "# nothing\n", "no vertices"),
    ("a.obj", v(), "no faces"),
    ("a.obj", "v 1 x 2\n", "line 1: '1 x 2'"),
    ("a.obj", v() + "v 1 2\n", "line 9: '1 2'"),
    ("a.obj", v() + "f 1 2.5 3\n", "line 9: '2.5'"),
    ("a.obj", v() + "f 1 --2 3\n", "line 9: '--2'"),
    ("a.obj", "f 1 0 3\nv 1 2\n", "line 1: vertex 0"),  # in the order of the lines
    ("a.obj", v() + "f 1 0 3\n", "line 9: vertex 0 .* counts from 1"),
    ("a.obj", "f -1 -2 -3\n" + v(), "line 1: vertex -1"),
    ("a.obj", OBJ + "f 1 2 9\n", "line 15: vertex 9 .* has 8"),
    ("a.obj", "v 1 2 3\0", "is binary"),
    ("a.obj", v() + f(faces=CORNERS[:-1]), "edge 2 .* closed"),
    ("a.obj", v() + f(faces=[face[::-1] for face in CORNERS]), "inside-out"),
    ("a.obj", OBJ.replace("v 1.0 1.0 1.0", "v 1 nan 1"), "vertex 7 is at"),
    ("a.obj", OBJ.replace("v 1.0 1.0 1.0", "v 1 1 1.5"), "face 1 is not planar"),
    ("a.obj", OBJ + "f 1 2\n", "face 6"),
    ("a.off", "hello\n", "does not say OFF"),
    ("a.off", "OFF\n", "counts are missing"),
    ("a.off", "# nothing\n", "does not say OFF"),
    ("a.off", "OFF\na b c\n", "line 2: 'a b c'"),
    ("a.off", "OFF\n8\n", "line 2: '8'"),
    ("a.off", OFF[:80], "8 vertices and 6 faces .* only .* truncated"),
    ("a.off", OFF.replace("-1.0", "x", 1), "line 3: 'x -1.0 -1.0'"),
    ("a.off", OFF.replace("4 0", "9 0", 1), "line 11: 9 corners"),
    ("a.off", OFF.replace("4 0", "-4 0", 1), "line 11: -4 corners"),
    ("a.off", OFF.replace("4 0 2", "4 0 8", 1), "vertex 8 .* 0 to 7"),
    ("a.off", OFF.replace("4 0 2", "4 0 -2", 1), "vertex -2"),
    ("a.off", "OFF\n\N{SUPERSCRIPT TWO} 6 0\n", "no counts"),
    ("a.off", f"OFF\n{'9' * 5000} 6 0\n", "no counts"),
    ("a.off", OFF.replace("4 0 2", f"4 0 {'9' * 4000}", 1), "is no whole number"),
    ("a.off", OFF.replace("4 0 2", f"4 0 {'9' * 18}", 1), "vertex 9+ .* 0 to 7"),
    ("a.off", "OFF BINARY\n\0\0", "is binary"),
]


def test_a_bad_file_is_named_with_its_trouble_in_one_sentence(save):
    for name, content, words in BAD:
        path = save(content, name)
        with pytest.raises(MeshError, match=words) as refused:
            read(path)
        path_, said = str(refused.value).split(": ", 1)
        assert path_ == str(path)
        assert "\n" not in said
        assert ";" in said or ":" in said, said
        assert len(said) < 300


@pytest.mark.parametrize(("parse", "text"), [(parse_obj, OBJ), (parse_off, OFF)])
def test_what_is_cut_short_or_junk_is_a_mesh_error_wherever_it_ends(parse, text):
    def build(data):
        soup = parse(data)
        return WingedEdgeMesh.from_faces(soup.points, soup.faces)

    for seed in range(20):
        junk = np.random.default_rng(seed).integers(1, 256, 300).astype(np.uint8)
        with pytest.raises(MeshError):
            parse(junk.tobytes())
    for end in range(len(text) - 8):
        with pytest.raises(MeshError):
            build(text[:end].encode())
    assert build(text.encode()).n_faces == 6


def test_a_box_of_36_vertices_is_told_how_to_weld_them():
    points, faces = BOX.points[TRIANGLES.fan.vertex].reshape(-1, 3), np.arange(36)
    told = {"numpy": np, "points": points, "faces": faces.reshape(-1, 3)}
    with pytest.raises(MeshError, match=r"vertices 0 and 3 .* 28 such") as refused:
        WingedEdgeMesh.from_faces(points, told["faces"])
    exec(str(refused.value).partition("keep one: ")[2], told)
    welded = WingedEdgeMesh.from_faces(told["points"], told["faces"])
    assert (welded.n_vertices, geometry.volume(welded)) == (8, 8.0)
