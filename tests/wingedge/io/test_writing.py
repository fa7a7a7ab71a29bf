"""None"""

from pathlib import Path

import numpy as np
import pytest

from wingedge import (
    MeshError,
    WingedEdgeMesh,
    convexity,
    read,
    read_pieces,
    shapes,
    write,
)
from wingedge.io.parsing import parse_obj, parse_off

LINKS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")
AWAY = np.array([1e3, 0.0, -7.0])
BOX = shapes.box(2.0)
CORNERS = [BOX.face_vertices(f).tolist() for f in range(6)]
V = "".join(f"v {x} {y} {z}\n" for x, y, z in BOX.points.tolist())
F = "".join(f"f {' '.join(str(v + 1) for v in face)}\n" for face in CORNERS)
ROWS = "".join(f"{x} {y} {z}\n" for x, y, z in BOX.points.tolist())
ROWS += "".join(f"4 {' '.join(map(str, face))}\n" for face in CORNERS)
OBJ = {
    "plain": V + F,
    "comments and keywords": "# made by hand\nmtllib a.mtl\no box\n"
    + V
    + "s off\n"
    + F,
    "comments after numbers": V.replace("\n", " # here\n") + F,
    "texture and normal": V
    + "vt 0 0\nvn 0 0 1\n"
    + "".join(f"f {' '.join(f'{v + 1}/1/1' for v in face)}\n" for face in CORNERS),
    "normal only": V
    + "".join(f"f {' '.join(f'{v + 1}//1' for v in face)}\n" for face in CORNERS),
    "counted from the end": V
    + "".join(f"f {' '.join(str(v - 8) for v in face)}\n" for face in CORNERS),
    "continued lines": V + F.replace(" 2\n", " \\\n 2\n"),
    "colours and weight": V.replace("\n", " 1 0.5 0.5 0.5\n") + F,
    "faces first": F + V,
    "windows": (V + F).replace("\n", "\r\n"),
    "no last newline": (V + F).rstrip(),
    "groups": V + "g a\n" + F[:20] + F[20:].replace("f", "usemtl x\nf", 1),
}
BAD_OBJ = {
    "no vertices": ("hello\nworld\n", "no vertices"),
    "no faces": (V, "no faces"),
    "a word for a number": ("v 1 x 2\n", "line 1: '1 x 2'"),
    "two coordinates": (V + "v 1 2\n", "line 9: '1 2'"),
    "a fraction": (V + "f 1 2.5 3\n", "line 9: '2.5'"),
    "two signs": (V + "f 1 --2 3\n", "line 9: '--2'"),
    "in the order of the lines": ("f 1 0 3\nv 1 2\n", "line 1: vertex 0"),
    "vertex 0": (V + "f 1 0 3\n", "line 9: vertex 0 .* counts from 1"),
    "before the first": ("f -1 -2 -3\n" + V, "line 1: vertex -1"),
    "beyond the last": (V + F + "f 1 2 9\n", "line 15: vertex 9 .* has 8"),
    "binary": ("v 1 2 3\0", "is binary"),
}
OFF = {
    "plain": "OFF\n8 6 12\n" + ROWS,
    "two counts": "OFF\n8 6\n" + ROWS,
    "counts in the first line": "OFF 8 6 12\n" + ROWS,
    "no header": "8 6 12\n" + ROWS,
    "comments": "OFF # a box\n\n# counts\n8 6 12\n" + ROWS.replace("\n", " # x\n"),
    "face colours": "OFF\n8 6 12\n" + ROWS.replace("\n", " 255 0 0\n"),
    "vertex colours": "COFF\n8 6 12\n" + ROWS.replace("\n", " 0.5 0.5 0.5 1\n"),
}
BAD_OFF = {
    "something else": ("hello\n", "does not say OFF"),
    "nothing but a header": ("OFF\n", "counts are missing"),
    "only comments": ("# nothing\n", "does not say OFF"),
    "words for counts": ("OFF\na b c\n", "line 2: 'a b c'"),
    "one count": ("OFF\n8\n", "line 2: '8'"),
    "truncated": (OFF["plain"][:80], "8 vertices and 6 faces .* only .* truncated"),
    "a word for a number": (
        OFF["plain"].replace("-1.0", "x", 1),
        "line 3: 'x -1.0 -1.0'",
    ),
    "corners that do not follow": (
        OFF["plain"].replace("4 0", "9 0", 1),
        "line 11: 9 corners",
    ),
    "a negative count": (OFF["plain"].replace("4 0", "-4 0", 1), "line 11: -4 corners"),
    "beyond the last": (
        OFF["plain"].replace("4 0 2", "4 0 8", 1),
        "vertex 8 .* 0 to 7",
    ),
    "below zero": (OFF["plain"].replace("4 0 2", "4 0 -2", 1), "vertex -2"),
    "a digit that is no number": ("OFF\n\N{SUPERSCRIPT TWO} 6 0\n", "no counts"),
    "5000 digits": (f"OFF\n{'9' * 5000} 6 0\n", "no counts"),
    "a corner of 4000 digits": (
        OFF["plain"].replace("4 0 2", f"4 0 {'9' * 4000}", 1),
        "is no whole number",
    ),
    "binary": ("OFF BINARY\n\0\0", "is binary"),
}
TETRA = ("1 3 2", "1 2 4", "2 3 4", "3 1 4")


@pytest.mark.parametrize("kind", ["obj", "off", "ply"])
def test_what_was_written_is_read_back_to_the_bit(mesh, tmp_path, kind):
    points = mesh.points / 3 + AWAY
    write(mesh, tmp_path / f"body.{kind}", points)
    back = read(tmp_path / f"body.{kind}")
    assert (back.points == points).all()
    for name in LINKS:
        assert (getattr(back, name) == getattr(mesh, name)).all()


def test_a_ply_keeps_polygons_for_whoever_reads_them(tmp_path):
    write(shapes.prism(5), tmp_path / "body.ply")
    lines = (tmp_path / "body.ply").read_text().splitlines()
    assert lines[-7:-5] == ["5 4 3 2 1 0", "5 5 6 7 8 9"]
    write(shapes.prism(300), tmp_path / "large.ply")
    assert (
        "property list int int vertex_indices" in (tmp_path / "large.ply").read_text()
    )


def test_an_stl_holds_the_fan_in_single_precision(tmp_path):
    prism = shapes.prism(5)
    write(prism, tmp_path / "body.stl")
    assert (tmp_path / "body.stl").stat().st_size == 84 + 50 * 16
    back = read(tmp_path / "body.stl")
    assert back.n_faces == 16
    single = prism.points.astype(np.float32)
    corners = back.points[back.fan.vertex]
    assert (corners == single[prism.fan.vertex]).all()


def test_rest_positions_are_written_unless_others_fit_single_precision(tmp_path):
    with pytest.raises(MeshError, match=r"body\.stl: .* use OBJ, OFF or PLY"):
        write(shapes.box(1e40), tmp_path / "body.stl")
    assert list(tmp_path.iterdir()) == []
    box = shapes.box()
    write(box, tmp_path / "a.obj")
    assert (read(tmp_path / "a.obj").points == box.points).all()
    write(box, str(tmp_path / "a.OBJ"), box.points * 2)
    assert (read(tmp_path / "a.OBJ").points == box.points * 2).all()


def test_a_write_that_fails_late_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "body.obj"
    write(shapes.box(), path)
    before = path.read_bytes()

    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="disk full"):
        write(shapes.tetrahedron(), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["body.obj"]


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("body.gltf", MeshError, "'.gltf' names no format .* OBJ, OFF, STL, PLY"),
        ("body", MeshError, "'' names no format"),
        ("nowhere/body.obj", FileNotFoundError, "no such folder; create it first"),
    ],
)
def test_a_path_that_cannot_be_written_is_named(tmp_path, name, error, words):
    with pytest.raises(error, match=words) as refused:
        write(shapes.box(), tmp_path / name)
    assert str(tmp_path / name) in str(refused.value)


def listed(polygons):
    return [part.tolist() for part in np.split(polygons.vertex, polygons.start[1:-1])]


def test_obj_and_off_files_keep_polygons_and_numbering():
    for name in OBJ:
        soup = parse_obj(OBJ[name].encode())
        assert soup.points.tolist() == BOX.points.tolist()
        assert listed(soup.faces) == CORNERS
        assert WingedEdgeMesh.from_faces(soup.points, soup.faces).n_faces == 6
    for name in OFF:
        soup = parse_off(OFF[name].encode())
        assert soup.points.tolist() == BOX.points.tolist()
        assert listed(soup.faces) == CORNERS
    soup = parse_obj(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -1 -2\n")
    assert listed(soup.faces) == [[0, 1, 2], [0, 3, 2]]
    named = parse_obj(("o a\n" + V + F + "o b\ng c\n" + F).encode())
    assert (named.names, [*named.group]) == (["a", "b c"], [0] * 6 + [1] * 6)


def test_bad_obj_and_off_name_the_line_in_one_sentence():
    for parse, bad in ((parse_obj, BAD_OBJ), (parse_off, BAD_OFF)):
        for text, words in bad.values():
            with pytest.raises(MeshError, match=words) as refused:
                parse(text.encode())
            assert "\n" not in str(refused.value)
            assert ";" in str(refused.value)
            assert len(str(refused.value)) < 300


@pytest.mark.parametrize("parse", [parse_obj, parse_off])
@pytest.mark.parametrize("seed", range(20))
def test_junk_never_raises_anything_else(parse, seed):
    junk = np.random.default_rng(seed).integers(1, 256, 300).astype(np.uint8).tobytes()
    with pytest.raises(MeshError):
        parse(junk)


@pytest.mark.parametrize(
    ("parse", "text"), [(parse_obj, V + F), (parse_off, OFF["plain"])]
)
def test_a_truncated_file_is_a_mesh_error_wherever_it_ends(parse, text):
    def build(data):
        soup = parse(data)
        return WingedEdgeMesh.from_faces(soup.points, soup.faces)

    for end in range(len(text) - 8):
        with pytest.raises(MeshError):
            build(text[:end].encode())
    assert build(text.encode()).n_faces == 6


def obj(*parts: str, head: str = "o part{k}\n", first: int = 1) -> str:
    """Write tetrahedra beside each other, each after a line of its own."""
    text = ""
    for k, _ in enumerate(parts):
        x = 3.0 * k
        text += head.format(k=k)
        for p in ((x, 0, 0), (x + 1, 0, 0), (x, 1, 0), (x, 0, 1)):
            text += "v {} {} {}\n".format(*p)
        for face in TETRA:
            corners = (int(c) + 4 * k for c in face.split())
            text += "f {} {} {}\n".format(*corners)
    return text


def test_pieces_go_on_and_several_files_are_read_in_their_order(tmp_path):
    lines = obj("a", "b").splitlines()
    last = lines.pop(8)  # a face of the first piece, written after the second one
    path = tmp_path / "two.obj"
    path.write_text("\n".join([*lines, "o part0", last]))
    assert [p.n_faces for p in read_pieces(path)] == [4, 4]
    box, two = tmp_path / "box.off", tmp_path / "two.obj"
    write(shapes.box((1.0, 2.0, 3.0)), box)
    two.write_text(obj("a", "b"))
    assert [p.n_faces for p in read_pieces([two, box])] == [4, 4, 6]


def test_what_is_no_piece_is_named(tmp_path: Path):
    lines = obj("a", "b").splitlines()
    path = tmp_path / "two.obj"
    path.write_text("\n".join(lines[:-1]))
    with pytest.raises(MeshError, match=r"two\.obj: piece 1 \('part1'\): .*edge"):
        read_pieces(path)
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_pieces(tmp_path / "none.obj")
    with pytest.raises(MeshError, match="is a folder"):
        read_pieces(tmp_path)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("file", "count"),
    [
        ("xarm6_link4/link4_vhacd.obj", 5),
        ("mini_claw_hammer/collision.obj", 11),
        ("book_holder/collision.obj", 31),
        ("lego_brick/lego_vhacd.obj", 83),
    ],
)
def test_real_decompositions_are_read_piece_by_piece(
    real_data: Path, file: str, count: int
):
    pieces = read_pieces(real_data / "decomposed" / file)
    assert len(pieces) == count
    starts = [int(p.source_vertices[0]) for p in pieces]
    assert starts == sorted(starts)
    # six digits in the file: some faces are dented by that much, and no more
    dents = [convexity(p).worst_depth / np.ptp(p.points, axis=0).max() for p in pieces]
    assert max(dents) < 2e-5
