"""wingedge.io.reading: welding, pieces, groups, bodies of other programs."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

from sim import sequence
from wingedge import (
    Feature,
    MeshError,
    convexity,
    from_polydata,
    read,
    read_pieces,
    shapes,
    validate,
)

BOX = shapes.box(2.0)
CORNERS = [BOX.face_vertices(f).tolist() for f in range(6)]


def obj(points, faces):
    rows = [f"v {x} {y} {z}" for x, y, z in np.asarray(points).tolist()]
    rows += [f"f {' '.join(str(v + 1) for v in face)}" for face in faces]
    return "\n".join(rows) + "\n"


def test_welding_keeps_the_order_of_first_appearance_and_ignores_the_sign_of_zero(save):
    points = BOX.points[np.concatenate(CORNERS)]
    mesh = read(save(obj(points, np.arange(24).reshape(6, 4))))
    assert mesh.n_vertices == 8
    assert mesh.source_vertices.tolist() == sorted(mesh.source_vertices.tolist())
    assert (points[mesh.source_vertices] == mesh.points).all()
    _, first = np.unique(points, axis=0, return_index=True)
    assert mesh.source_vertices.tolist() == sorted(first.tolist())
    validate(mesh)
    sphere = shapes.icosphere(0)
    points = sphere.points[sphere.fan.vertex.ravel()]
    points[::2] = np.where(points[::2] == 0, -0.0, points[::2])
    assert read(save(obj(points, np.arange(60).reshape(20, 3)))).n_vertices == 12


def test_polygons_may_leave_their_plane_as_files_round(save):
    points = BOX.points.copy()
    points[7, 2] += 1e-7
    path = save(obj(points, CORNERS))
    mesh = read(path)
    assert mesh.n_faces == 6
    validate(mesh)
    assert not convexity(mesh).is_convex()
    assert convexity(mesh).is_convex(1e-6)
    with pytest.raises(MeshError, match="not planar"):
        read(path, planar_tolerance=1e-9)
    assert read(path, triangulate=True, planar_tolerance=1e-9).n_faces == 12


OPEN = obj(BOX.points, CORNERS[:-1])


def test_a_bad_file_keeps_its_element_and_names_what_reads_it(save):
    with pytest.raises(MeshError) as refused:
        read(save(OPEN))
    assert refused.value.element == Feature("edge", 2)
    assert refused.value.invariant == "two faces per edge"
    two = "o a\n" + obj(BOX.points, CORNERS) + "o b\n"
    two += "".join(f"v {x + 5} {y} {z}\n" for x, y, z in BOX.points.tolist())
    two += "".join(f"f {' '.join(str(v + 9) for v in face)}\n" for face in CORNERS)
    with pytest.raises(MeshError, match=r"2 pieces.* piece \(.*read_pieces") as refused:
        read(save(two))
    assert refused.value.invariant == "one component"


def soup(kind, points, corners):
    """Write triangles (F, 3) that share no vertex."""
    apart = np.arange(corners.size).reshape(-1, 3)
    body = trimesh.Trimesh(points[corners].reshape(-1, 3), apart, process=False)
    return body.export(file_type=kind)


KINDS = pytest.mark.parametrize("kind", ["obj", "off", "ply", "stl"])
FAN = BOX.fan.vertex


@KINDS
def test_a_file_that_is_open_by_rounding_says_so_and_is_welded(save, kind):
    noise = np.random.default_rng(7).uniform(-2e-7, 2e-7, (36, 3))
    points = BOX.points[FAN].reshape(-1, 3) + noise
    path = save(soup(kind, points, np.arange(36)), f"a.{kind}")
    for reader in (read, read_pieces, sequence.read):
        with pytest.raises(MeshError, match=r"read\(path, weld=1e-06\) closes it"):
            reader(path)
    for mesh in (read(path, 1e-6), *read_pieces(path, weld=1e-6)):
        assert (mesh.n_vertices, mesh.n_faces) == (8, 12)
        assert {*map(tuple, mesh.points.round(6))} == {*map(tuple, BOX.points)}
    with pytest.raises(MeshError, match="no faces"):
        read(path, weld=9.0)
    far = save(soup("obj", 1e200 * BOX.points, FAN.ravel()), "far.obj")
    with pytest.raises(MeshError, match=r"far.obj: .*scale the body below 1e\+50"):
        read(far, weld=1.0)
    with pytest.raises(ValueError, match="weld=nan must be a length"):
        read(path, weld=np.nan)


@KINDS
def test_shells_are_pieces_and_bodies_also_where_they_touch(save, kind):
    shells = np.concatenate(
        [BOX.points, np.add(BOX.points, (2, 2, 0))]
    )  # along an edge
    path = save(soup(kind, shells, np.concatenate([FAN, FAN + 8])), f"two.{kind}")
    one, two = read_pieces(path)
    assert (one.n_vertices, two.n_vertices) == (8, 8)
    assert two.source_faces.tolist() == list(range(12, 24))
    assert two.source_vertices.min() >= 36
    assert [body.name for body in sequence.read(path).bodies] == ["two-0", "two-1"]
    with pytest.raises(MeshError, match="every edge needs exactly two"):
        read(path)


def test_groups_are_pieces_only_where_they_are_closed(save):
    rows = obj(BOX.points, FAN).replace("f ", "g a\nf ", 1).split("f ")
    halves = "f ".join(rows[:7]) + "usemtl b\ng b\nf " + "f ".join(rows[7:])
    assert len(read_pieces(save(halves))) == 1  # two materials of one box
    beside = "".join(f"v {x + 2} {y} {z}\n" for x, y, z in BOX.points.tolist())
    beside += "".join(f"f {a + 9} {b + 9} {c + 9}\n" for a, b, c in FAN.tolist())
    path = save(halves + "o c\n" + beside)  # it shares a side with the box
    assert [p.source_vertices[0] for p in read_pieces(path)] == [0, 8]
    assert [body.name for body in sequence.read(path).bodies] == ["body-0", "c b"]


def test_vertices_without_faces_are_left_out(save):
    points = [[9, 9, 9], *BOX.points.tolist(), [9, 9, 9]]
    path = save(obj(points, np.add(CORNERS, 1)))
    moved = sequence.read(path).bodies[0].mesh
    for mesh in (read(path), moved):
        assert mesh.source_vertices.tolist() == list(range(1, 9))
        assert [mesh.face_vertices(f).tolist() for f in range(6)] == CORNERS
    points[0][0] = np.nan
    path = save(obj(points, np.add(CORNERS, 1)))
    assert read(path).n_vertices == sequence.read(path).bodies[0].mesh.n_vertices == 8
    assert 0.0 < sequence.read(path, resolution="float32").resolution[0] < 1e-6
    points[3][0] = np.nan
    for reader in (read, read_pieces):
        with pytest.raises(MeshError, match=r"body\.obj: vertex 3 is at \(nan"):
            reader(save(obj(points, np.add(CORNERS, 1))), weld=1e-6)


def polydata(faces, points=BOX.points):
    row = [n for face in faces for n in (len(face), *face)]
    return SimpleNamespace(points=points, faces=np.array(row))


def test_polydata_needs_only_points_and_faces_and_is_welded():
    mesh = from_polydata(polydata(CORNERS))
    assert [mesh.face_vertices(f).tolist() for f in range(6)] == CORNERS
    assert from_polydata(polydata(CORNERS), triangulate=True).n_faces == 12
    with pytest.raises(MeshError, match="face 6 needs at least three corners"):
        from_polydata(polydata([*CORNERS, []]))
    turn = np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3
    points = (BOX.points @ turn + 10).astype(np.float32)[np.concatenate(CORNERS)]
    mesh = from_polydata(polydata(np.arange(24).reshape(6, 4), points))
    assert (mesh.n_vertices, mesh.n_faces) == (8, 6)


def test_missing_files_are_refused_by_name(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"gone\.obj: no such file; check"):
        read(tmp_path / "gone.obj")
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(MeshError, match=r"folder\.obj: is a folder"):
        read(tmp_path / "folder.obj")


@pytest.mark.real_data
def test_every_convex_file_is_read_and_has_the_counts_of_the_manifest(real_data):

    rows = json.loads((real_data / "manifest.json").read_text())
    tried = 0
    for row in rows:
        path = real_data / row["file"]
        if row["role"] != "convex body" or path.suffix == ".json":
            continue
        mesh = read(path)
        validate(mesh)
        assert (mesh.n_vertices, mesh.n_edges) == (row["V"], row["E"])
        assert mesh.n_faces == row["F"]
        assert 2 - 2 * convexity(mesh).genus == row["euler"]
        tried += 1
    assert tried == 22


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["lego_brick/lego.obj", "book_holder/collision.obj"])
def test_real_files_that_are_no_single_body_are_refused(real_data, name):
    with pytest.raises(MeshError, match="every edge needs exactly two") as refused:
        read(real_data / "decomposed" / name)
    assert "\n" not in str(refused.value)
