from pathlib import Path

import numpy as np
import pytest

from wingedge import MeshError, convexity, read_pieces, shapes, write

TETRA = ("1 3 2", "1 2 4", "2 3 4", "3 1 4")


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


@pytest.mark.parametrize("head", ["o part{k}\n", "g part{k}\n", ""])
def test_objects_groups_and_parts_without_a_name_are_pieces(tmp_path: Path, head: str):
    path = tmp_path / "two.obj"
    path.write_text(obj("a", "b", head=head))
    pieces = read_pieces(path)
    assert [p.n_faces for p in pieces] == [4, 4]
    assert pieces[1].points[0].tolist() == [3.0, 0.0, 0.0]
    assert pieces[1].source_vertices.tolist() == [4, 5, 6, 7]


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


def test_vertices_at_one_place_are_welded_and_keep_the_numbers_of_the_file(
    tmp_path: Path,
):
    text = obj("a", "b").replace("f 5 7 6", "v 3 0 0\nf 9 7 6")
    path = tmp_path / "two.obj"
    path.write_text(text)
    assert read_pieces(path)[1].source_vertices.tolist() == [4, 5, 6, 7]


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
