import numpy as np
import pytest

from wingedge import MeshError, read, shapes, write

LINKS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")
AWAY = np.array([1e3, 0.0, -7.0])


@pytest.mark.parametrize("kind", ["obj", "off"])
def test_what_was_written_is_read_back_to_the_bit(mesh, tmp_path, kind):
    points = mesh.points / 3 + AWAY
    write(mesh, tmp_path / f"body.{kind}", points)
    back = read(tmp_path / f"body.{kind}")
    assert (back.points == points).all()
    for name in LINKS:
        assert (getattr(back, name) == getattr(mesh, name)).all()


def test_a_ply_keeps_every_bit_of_the_positions(mesh, tmp_path):
    points = mesh.points / 3 + AWAY
    write(mesh, tmp_path / "body.ply", points)
    assert (read(tmp_path / "body.ply").points == points).all()


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


def test_nothing_is_left_behind_and_nothing_half_written(tmp_path):
    path = tmp_path / "body.obj"
    write(shapes.box(), path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="vertex 0"):
        write(shapes.box(), path, np.full((8, 3), np.nan))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["body.obj"]


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
