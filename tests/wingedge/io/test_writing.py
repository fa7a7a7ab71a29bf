"""wingedge.io: what is written is read back; files of several pieces."""

from pathlib import Path

import numpy as np
import pytest

from wingedge import MeshError, convexity, read, read_pieces, shapes, write

LINKS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")
AWAY = np.array([1e3, 0.0, -7.0])
TETRA = ("132", "124", "234", "314")


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


def two_tetrahedra():
    """Lines of a file, each piece after a line of its own."""
    lines = []
    for k in range(2):
        x = 3 * k
        corners = (x, 0, 0), (x + 1, 0, 0), (x, 1, 0), (x, 0, 1)
        lines += [f"o part{k}", *("v {} {} {}".format(*p) for p in corners)]
        lines += [
            "f {} {} {}".format(*(int(v) + 4 * k for v in face)) for face in TETRA
        ]
    return lines


def test_pieces_go_on_and_several_files_are_read_in_their_order(tmp_path):
    lines = two_tetrahedra()
    last = lines.pop(8)  # a face of the first piece, written after the second one
    path = tmp_path / "two.obj"
    path.write_text("\n".join([*lines, "o part0", last]))
    assert [p.n_faces for p in read_pieces(path)] == [4, 4]
    box, two = tmp_path / "box.off", tmp_path / "two.obj"
    write(shapes.box((1.0, 2.0, 3.0)), box)
    two.write_text("\n".join(two_tetrahedra()))
    assert [p.n_faces for p in read_pieces([two, box])] == [4, 4, 6]


def test_what_is_no_piece_is_named(tmp_path: Path):
    lines = two_tetrahedra()
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
