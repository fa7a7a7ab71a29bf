import numpy as np  # of viewer.cli.results
import pytest
import trimesh

from wingedge import shapes, write

CUBE = np.array(shapes.box().points)
FACES = [shapes.box().face_vertices(f).tolist() for f in range(6)]


def obj(points, faces):
    lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in points]
    lines += ["f " + " ".join(str(v + 1) for v in face) for face in faces]
    return "\n".join(lines) + "\n"


BROKEN = {
    "open": (obj(CUBE, FACES[:-1]), "closed"),
    "inverted": (obj(CUBE, [face[::-1] for face in FACES]), "inside"),
    "flat": (obj(CUBE * [1, 1, 0], FACES), ""),
    "NaN": (obj([*CUBE[:7].tolist(), [1, 1, np.nan]], FACES), "finite"),
}


@pytest.mark.parametrize(("name", "mesh"), list(shapes.zoo(non_convex=True)))
def test_every_shape_of_the_zoo_can_be_tracked(wingedge, tmp_path, name, mesh):
    path = tmp_path / f"{name}.off"
    write(mesh, path)
    result = wingedge("info", path)
    assert result.code == 0, result.out
    assert f"{mesh.n_vertices} vertices, {mesh.n_edges} edges" in result.out
    assert "closed   yes: one piece" in result.out
    assert "tracked  yes" in result.out
    is_convex = "convex   yes" in result.out
    assert is_convex == (name in dict(shapes.zoo()))


def test_corners_worst_edges_and_handles_are_told(wingedge, tmp_path):
    write(shapes.prism(7), tmp_path / "nut.obj")
    assert "7 quadrilaterals, 2 7-gons" in wingedge("info", "nut.obj").out
    write(shapes.l_block(), tmp_path / "l.obj")
    out = wingedge("info", "l.obj").out
    assert "convex   no: worst edge e" in out
    assert "dented by 0.5 (28.9 % of the diagonal); dented edges: 1" in out
    assert "rounding" not in out
    turn = [[0.6, 0.8, 0.0], [-0.48, 0.36, 0.8], [0.64, -0.48, 0.6]]
    points = (shapes.prism(7).points @ turn / 3 + 1).astype("float32")
    prism = trimesh.Trimesh(points, shapes.prism(7).fan.vertex, process=False)
    prism.export(tmp_path / "nut.stl")
    out = wingedge("info", "nut.stl").out
    assert "by the rounding of the file alone: wingedge.read(path, convex=True)" in out
    write(shapes.ring(), tmp_path / "ring.obj")
    assert "one piece, 1 handle\n" in wingedge("info", "ring.obj").out


@pytest.mark.parametrize("trouble", BROKEN)
def test_a_body_that_cannot_be_tracked_is_exit_code_1_and_says_why(
    wingedge, tmp_path, trouble
):
    text, words = BROKEN[trouble]
    (tmp_path / "body.obj").write_text(text)
    result = wingedge("info", "body.obj")
    assert result.code == 1, result.err
    assert "tracked  no" in result.out
    assert words in result.out
    assert result.err == ""


def test_of_several_files_every_one_is_reported_and_the_worst_counts(
    wingedge, tmp_path
):
    write(shapes.box(), tmp_path / "good.obj")
    (tmp_path / "open.obj").write_text(BROKEN["open"][0])
    assert wingedge("info", "good.obj", "open.obj").code == 1
    result = wingedge("info", "missing.obj", "open.obj", "good.obj")
    assert result.code == 2
    assert "missing.obj" in result.sentence
    assert "open.obj\n" in result.out
    assert "good.obj\n" in result.out


def test_all_bodies_of_all_files_that_are_tracked_are_reported(wingedge, tmp_path):
    both = FACES + [[v + 8 for v in face] for face in FACES]
    points = np.concatenate([CUBE, np.add(CUBE, (3.0, 0.0, 0.0))])
    (tmp_path / "arm_7.obj").write_text(obj(points, both))
    dart = np.array([[0, 0], [2, 0], [0.5, 0.5], [0, 2]])
    points = [[[x, y, z] for z in (0, 1) for x, y in dart]] * 3
    faces = [[3, 2, 1, 0], [4, 5, 6, 7]]
    faces += [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)]
    np.savez(tmp_path / "dart.npz", points=points, faces=faces)
    result = wingedge("info", "arm_7.obj", "dart.npz")
    assert (result.code, result.err) == (0, "")
    heads = [line for line in result.out.splitlines() if line[0] != " "]
    assert heads == ["arm_7.obj, arm-0", "arm_7.obj, arm-1", "dart.npz"]
    assert "frames   3\n" in result.out
    assert (
        "4 triangles, 4 quadrilaterals (polygons of the file that were cut: 2)"
        in result.out
    )
    assert "cut into triangles: 2 of dart" in wingedge("track", "dart.npz").err
