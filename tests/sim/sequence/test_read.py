"""sim.sequence.source: files of positions become bodies; what cannot be is said."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim import Body, World, motion, sequence
from wingedge import shapes, write

BALL = shapes.icosphere(1)
FACES = np.array([BALL.face_vertices(f) for f in range(BALL.n_faces)])
HEIGHTS = [1.9, 1.7, 1.6, 1.55, 1.4, 1.3, 1.45, 1.6, 1.8]
POINTS = np.array(
    [
        BALL.points * (1.0 + 0.01 * k, 1.0, 1.0) + (0, 0, z)
        for k, z in enumerate(HEIGHTS)
    ]
)
TOLD = [
    "4 begin ball/table VF v35 f1",
    "4 penetrate ball/table VF v35 f1",
    "7 separate ball/table VF v35 f1",
    "7 end ball/table VF v35 f1",
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write both bodies into an empty folder, and be there."""
    monkeypatch.chdir(tmp_path)
    np.savez("ball.npz", points=POINTS, faces=FACES, times=np.arange(9) / 30)
    write(shapes.box((3.0, 3.0, 1.0)), "table.obj")
    return tmp_path


def save(path, /, points=POINTS, faces=FACES, **more):
    np.savez(path, points=points, faces=faces, **more)


def told(source):
    """Step through a source as a user does, and return the lines of its events."""
    world = World(source.bodies, dt=source.dt)
    frames = [world.step()]
    while source.advance():
        frames.append(world.step())
    assert len(frames) == len(source)
    return [str(event) for frame in frames for event in frame.events]


def test_an_npz_and_a_mesh_at_rest_are_told(files):
    source = sequence.read("ball.npz", Path("table.obj"))
    assert [body.name for body in source.bodies] == ["ball", "table"]
    assert source.dt == pytest.approx(1 / 30)
    assert len(source) == 9
    assert source.is_even
    assert told(source) == TOLD
    assert not source.advance()
    assert np.array_equal(source.bodies[0].positions, POINTS[-1])


@pytest.mark.parametrize("suffix", ["obj", "ply", "stl", "off"])
def test_a_pattern_is_a_series_in_the_order_of_its_numbers(files, suffix):
    for k, points in enumerate(POINTS):
        write(BALL, f"ball_{3 * k}.{suffix}", points)
    lines = told(sequence.read(f"ball_*.{suffix}", "table.obj"))
    assert [line.split()[:3] for line in lines] == [line.split()[:3] for line in TOLD]
    if suffix != "stl":  # whose vertices have numbers by triangles
        assert lines == TOLD


def test_faces_may_be_one_row_as_vtk_has_them_and_a_name_may_be_there(files):
    row = np.insert(FACES, 0, 3, axis=1).ravel()
    save("a.npz", faces=row, name="ball")
    assert told(sequence.read("a.npz", "table.obj")) == TOLD
    source = sequence.read("a.npz", "table.obj", names=["x", "y"], dt=0.5)
    assert [body.name for body in source.bodies] == ["x", "y"]
    assert source.dt == 0.5


def test_a_recording_gives_its_bodies_with_their_poses(files):
    ball = Body(BALL, name="ball")
    fall = motion.linear((0.0, 0.0, -6.0), start=(0.0, 0.0, 2.0))
    table = Body(shapes.box((3.0, 3.0, 1.0)), name="table")
    world = World([ball, table], motion={"ball": fall}, dt=1 / 50)
    with world.record("run.vtkhdf"):
        lines = [str(event) for frame in world.run(9) for event in frame.events]
    source = sequence.read("run.vtkhdf")
    assert source.dt == pytest.approx(world.dt)
    assert told(source) == lines
    assert source.bodies[0].pose == ball.pose
    assert np.array_equal(source.bodies[0].positions, BALL.points)


def test_copies_of_a_vertex_are_one_and_stay_one_in_every_frame(files):
    copies = FACES.ravel()
    apart = np.arange(len(copies)).reshape(-1, 3)
    save("soup.npz", POINTS[:, copies], apart)
    source = sequence.read("soup.npz")
    (body,) = source.bodies
    assert body.mesh.n_vertices == BALL.n_vertices
    torn = POINTS[:, copies].copy()
    torn[4, 7] += 0.1
    save("torn.npz", torn, apart)
    with pytest.raises(ValueError, match=r"torn\.npz, frame 4: edge \d+ .* one face"):
        sequence.read("torn.npz")


def test_a_series_whose_mesh_changes_is_refused_and_says_where(files):
    finer = shapes.icosphere(2)
    for k, z in enumerate((1.9, 1.4, 1.3, 1.9, 1.3)):
        mesh = finer if k in (2, 3, 4) else BALL
        write(mesh, f"ball_{k}.obj", np.add(mesh.points, (0, 0, z)))
    with pytest.raises(ValueError, match=r"has another mesh from ball_2\.obj on"):
        sequence.read("ball_*.obj", "table.obj")
    parts = [sequence.read(f"ball_[{some}].obj", "table.obj") for some in ("01", "2-4")]
    assert [len(part) for part in parts] == [2, 3]
    assert [line.split()[0] for line in told(parts[0])] == ["1", "1"]


def test_a_quadrilateral_that_is_warped_from_the_start_is_two_triangles(files):
    box = shapes.box()
    points = np.repeat(box.points[None], 3, axis=0)
    points[:, 0] += 0.1
    faces = np.array([box.face_vertices(f) for f in range(6)])
    save("box.npz", points, faces)
    assert sequence.read("box.npz").bodies[0].mesh.n_faces == 12
    points[0, 0] -= 0.1  # flat at first: later polygons are fans, faces keep numbers
    save("box.npz", points, faces)
    assert sequence.read("box.npz").bodies[0].mesh.n_faces == 6


def test_usd_of_the_left_hand_and_of_a_mirror_stands_upright(files):
    pytest.importorskip("pxr", reason="usd-core is in the extra 'bridges'")
    from pxr import Gf, Usd, UsdGeom

    stage = Usd.Stage.CreateNew("two.usda")
    for name, left in (("left", True), ("mirrored", False)):
        mesh = UsdGeom.Mesh.Define(stage, f"/{name}")
        faces = FACES[:, ::-1] if left else FACES
        mesh.CreateFaceVertexCountsAttr([3] * len(FACES))
        mesh.CreateFaceVertexIndicesAttr(faces.ravel().tolist())
        mesh.CreatePointsAttr(BALL.points.tolist())
        if left:
            mesh.CreateOrientationAttr("leftHanded")
        else:
            UsdGeom.Xformable(mesh).AddScaleOp().Set(Gf.Vec3f(-1.0, 1.0, 1.0))
    stage.Save()
    source = sequence.read("two.usda")
    assert [body.name for body in source.bodies] == ["left", "mirrored"]
    assert len(source) == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"points": POINTS[:7]}, "other.npz has 7 frames and ball.npz has 9"),
        ({"points": POINTS[0]}, r"other.npz: points are float64 \(42, 3\); give"),
        ({"points": np.where(POINTS[5, 7, 1] == POINTS, np.nan, POINTS)},
         r"other.npz, frame \d+: vertex \d+ is at .*nan"),
        ({"faces": FACES[1:]}, r"other.npz, frame 0: edge 6 \(13 -> 16\) has one face"),
        ({"faces": FACES + 1}, "other.npz: face 17, .* seem to count from 1"),
        ({"faces": FACES * 1.0}, "other.npz: faces are of type float64"),
        ({"faces": FACES[:, ::-1]}, "other.npz, frame 0: the mesh is inside-out"),
        ({"times": np.arange(3)}, r"9 frames and times of shape \(3,\)"),
        ({"times": -np.arange(9)}, "frame 1: time -1 comes after 0"),
        ({"times": np.full(9, np.inf)}, "frame 0: time inf is the first; .* ascend"),
        ({"times": np.arange(9)}, "frame 1: is at time 0.03.*, and other has .* at 1"),
        ({"name": "a/b"}, "other.npz: a body cannot be called 'a/b'"),
        ({"name": "ball"}, "other.npz and ball.npz are both called 'ball'"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named_by_file_and_frame(files, change, sentence):
    save("other.npz", **{"points": POINTS, "faces": FACES, **change})
    with pytest.raises(ValueError, match=sentence):
        sequence.read("other.npz", "ball.npz")


@pytest.mark.parametrize(
    "name", ["a.npz", "a.vtkhdf", "a.gltf", "a.glb", "a.obj", "a.x"]
)
def test_a_file_of_something_else_is_named(files, name):
    Path(name).write_text("hello", encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{name}: "):
        sequence.read(name)


def test_an_npz_of_other_arrays_says_what_it_has(files):
    for arrays, has in (({}, "nothing"), ({"points": POINTS}, "points")):
        np.savez("other.npz", **arrays)
        with pytest.raises(ValueError, match=f"other.npz: has no .*, only {has}; give"):
            sequence.read("other.npz")


def test_a_pattern_without_files_or_with_a_number_twice_is_refused(files):
    with pytest.raises(FileNotFoundError, match="no file matches"):
        sequence.read("gone_*.obj")
    write(BALL, "s_1.obj")
    write(BALL, "s_01.obj")
    with pytest.raises(
        ValueError, match=r"s_01\.obj and s_1\.obj have the same number"
    ):
        sequence.read("s_*.obj")
    with pytest.raises(ValueError, match=r"quote the pattern"):
        sequence.read("s_1.obj", "s_01.obj")


def test_a_reader_of_your_own_is_found_by_its_entry_point(files):
    about = Path("site/mine-1.dist-info")
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    entry = "[wingedge.sequences]\nmine = mine\n"
    (about / "entry_points.txt").write_text(entry)
    Path("site/mine.py").write_text(
        "from sim.sequence.formats import read_npz\n"
        "from sim.sequence.sample import register\n"
        "register(('.xyz',), read_npz)\n"
    )
    Path("ball.npz").rename("ball.xyz")
    program = "from sim import sequence; print(sequence.read('ball.xyz', 'table.obj'))"
    path = os.pathsep.join(["site", os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "Sequence(ball, table; 9 frames)\n", done.stderr
