"""What every test may ask for."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

import sim
from sim import Body, PairTracker, Pose, World
from sim.engine import library
from wingedge import MeshError, WingedEdgeMesh, edits, read, shapes, validate
from wingedge.edits import Edit

# what a test starts is what is installed, which has compiled kernels, not the checkout
os.environ["PYTHONSAFEPATH"] = "1"
# what tests share with the long runs lies beside these, in the checkout: not installed
HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE / "fuzz"), str(HERE.parent / "benchmarks")]
sys.path.append(str(HERE.parent / "examples"))

# "pytester" runs pytest in a test; ours is loaded by name where the checkout is on the
# path, but not installed
pytest_plugins = ["pytester"]
if not entry_points(group="pytest11", name="wingedge"):
    pytest_plugins.append("sim.story.pytest_plugin")


# Tests that take long, each with its seconds; see durations.py.
LONG = {
    line.split(" ", 1)[1]
    for line in Path(__file__).with_name("durations.txt").read_text().splitlines()
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the long tests, too")


def pytest_configure(config: pytest.Config) -> None:
    """Link the kernels if they were edited, once for all workers."""
    if not hasattr(config, "workerinput") and not has_library():
        try:
            from sim.engine import link

            link.link(library.this_machine(), library.path())
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            print(f"the kernels cannot be linked: {error}")


def has_library() -> bool:
    try:
        library.linked()
    except library.NoCompiledKernels:
        return False
    return True


def is_named(item: pytest.Item) -> bool:
    for argument in item.config.args:
        file, _, inner = argument.partition("::")
        if Path(file).resolve() == item.path:
            return item.nodeid.partition("::")[2].startswith(inner)
    return False


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what takes long, unless asked for, and what needs a missing compiler."""
    is_asked_for = item.config.getoption("--all") or is_named(item)
    if item.nodeid in LONG and not is_asked_for:
        pytest.skip("it takes long: run it by name, or all tests with --all")
    if item.get_closest_marker("compiled") and not has_library():
        pytest.skip("no library of kernels: python -m sim.engine.link says why")
    if item.get_closest_marker("llvm"):
        pytest.importorskip("llvmlite", reason="llvmlite is in the extra 'test'")


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., "subprocess.Popen[str]"]:
    """Start a program of its own, in an empty folder, with the packages of this one."""
    root = {"PYTHONPATH": str(Path(sim.__file__).parents[1])}

    def popen(
        code: str,
        *args: object,
        env: Mapping[str, str] = os.environ,
        options: Mapping[str, object] | None = None,
        **variables: str,
    ) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", code, *map(str, args)],
            cwd=tmp_path,
            env={**env, **root, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **(options or {}),
        )

    return popen


@pytest.fixture
def run(
    start: Callable[..., "subprocess.Popen[str]"],
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Wait until a program has ended, and return what it said."""

    def wait(*args: object, **given: object) -> subprocess.CompletedProcess[str]:
        program = start(*args, **given)
        try:
            out, err = program.communicate(timeout=300.0)
        finally:
            program.kill()
        return subprocess.CompletedProcess(args, program.returncode, out, err)

    return wait


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real meshes and deformations, named by WINGEDGE_REAL_DATA."""
    folder = os.environ.get("WINGEDGE_REAL_DATA")
    if not folder:
        pytest.skip("real_data: WINGEDGE_REAL_DATA is not set")
    return Path(folder)


def squashed(rest, t):
    """Squash by 30 % along z and shear along x, as time goes from 0 to 1."""
    s = 1.0 - 0.3 * t
    x, y, z = rest.T
    return np.stack([x / s + 0.3 * t * z, y / s, s * z], axis=1)


@pytest.fixture
def finger_on_soap(real_data: Path) -> World:
    """A robot finger that sinks onto a soap, never by more than the gap.

    The soap is squashed by 30 % and sheared meanwhile; 500 frames.
    """
    finger = Body(read(real_data / "convex/bullet3__index3.stl"), name="finger")
    soap = Body(
        read(real_data / "convex/pybullet-URDF-models__soap_collision.obj"), name="soap"
    )
    turn = Pose.rigid((0.6, 0.1, -0.2, 1.0)).linear
    at = np.array([0.004, -0.003, 0.06])
    guide = PairTracker(finger, soap)

    def sink(t: float) -> Pose:
        # The soap's next shape is in place already: its motion is asked for first.
        nonlocal at
        finger.pose = Pose(turn, at)
        gap = guide.update().distance
        at = at + min(0.75 * max(gap, 0.0), 2e-4) * np.array([0.0, 0.0, -1.0])
        return Pose(turn, at)

    return World(
        [soap, finger],
        motion={"finger": sink},
        deform={"soap": lambda rest, t: squashed(rest, min(1.0, t))},
        dt=1.0 / 500,
    )


@pytest.fixture
def star_prism() -> tuple[WingedEdgeMesh, np.ndarray]:
    """Return a pentagonal prism with fans for caps, and points over a pentagram.

    There it is convex across every edge, and winds twice round its inside.
    """
    mesh = shapes.prism(5)
    while caps := [f for f in range(mesh.n_faces) if len(mesh.face_vertices(f)) == 5]:
        mesh = edits.poke_face(mesh, caps[0]).mesh
    points, star = mesh.points.copy(), 2 * np.arange(5) % 5
    points[:5], points[5:10] = points[star], points[5 + star]
    return mesh, points


def edited_somewhere(mesh: WingedEdgeMesh, rng: np.random.Generator) -> Edit:
    """Try one edit at a random place; MeshError where it is refused."""
    e, f = int(rng.integers(mesh.n_edges)), int(rng.integers(mesh.n_faces))
    what = int(rng.integers(4))
    if what == 0:
        return edits.split_edge(mesh, e, float(rng.uniform(0.2, 0.8)))
    if what == 1:
        u, v = rng.choice(mesh.face_vertices(f), 2, replace=False).tolist()
        return edits.split_face(mesh, f, u, v)
    if what == 2:
        return edits.poke_face(mesh, f)
    return edits.flip_edge(mesh, e)


@pytest.fixture
def edit_somewhere() -> Callable[[WingedEdgeMesh, np.random.Generator], Edit]:
    return edited_somewhere


@pytest.fixture
def edit_at_random() -> Callable[..., Iterator[tuple[WingedEdgeMesh, Edit]]]:

    def edit(
        mesh: WingedEdgeMesh, tries: int, seed: int = 0
    ) -> Iterator[tuple[WingedEdgeMesh, Edit]]:
        rng = np.random.default_rng(seed)
        for _ in range(tries):
            try:
                step = edited_somewhere(mesh, rng)
            except MeshError:
                continue
            validate(step.mesh)
            yield mesh, step
            mesh = step.mesh

    return edit
