import numpy as np
import pytest

from wingedge import MeshError, WingedEdgeMesh, shapes
from wingedge.io.parsing import parse_obj, parse_off

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


def test_obj_and_off_files_keep_polygons_and_numbering():
    for name in OBJ:
        soup = parse_obj(OBJ[name].encode())
        assert soup.points.tolist() == BOX.points.tolist()
        assert soup.faces == CORNERS
        assert WingedEdgeMesh.from_faces(soup.points, soup.faces).n_faces == 6
    for name in OFF:
        soup = parse_off(OFF[name].encode())
        assert soup.points.tolist() == BOX.points.tolist()
        assert soup.faces == CORNERS
    soup = parse_obj(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -1 -2\n")
    assert soup.faces == [[0, 1, 2], [0, 3, 2]]
    assert parse_obj((V + F).encode()).n_objects == 1
    assert parse_obj(("o a\n" + V + F + "o b\n" + F).encode()).n_objects == 2


BAD_OBJ = {
    "no vertices": ("hello\nworld\n", "no vertices"),
    "no faces": (V, "no faces"),
    "a word for a number": ("v 1 x 2\n", "line 1: '1 x 2'"),
    "two coordinates": (V + "v 1 2\n", "line 9: '1 2'"),
    "a fraction": (V + "f 1 2.5 3\n", "line 9: '2.5'"),
    "vertex 0": (V + "f 1 0 3\n", "line 9: vertex 0 .* counts from 1"),
    "before the first": ("f -1 -2 -3\n" + V, "line 1: vertex -1"),
    "beyond the last": (V + F + "f 1 2 9\n", "line 15: vertex 9 .* has 8"),
    "binary": ("v 1 2 3\0", "is binary"),
}


def test_bad_obj_and_off_name_the_line_in_one_sentence():
    for parse, bad in ((parse_obj, BAD_OBJ), (parse_off, BAD_OFF)):
        for text, words in bad.values():
            with pytest.raises(MeshError, match=words) as refused:
                parse(text.encode())
            assert "\n" not in str(refused.value)
            assert ";" in str(refused.value)
            assert len(str(refused.value)) < 300


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
