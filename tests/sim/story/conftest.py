"""A test suite in a folder of its own, run with the plugin."""

import os
import tomllib
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from sim import Story, scenes
from wingedge.registry import HOMES

ROOT = Path(__file__).resolve().parents[3]

# hypothesis loads all of itself at the end of every run
QUICK = ("-p", "no:hypothesispytest")

# A box that comes down on a table and leaves again, in 12 frames.
CONFTEST = """
import os
import pytest
from sim import Body, Pose, World
from wingedge import shapes

@pytest.fixture
def world():
    late = float(os.environ.get("LATE", "0")) / 60
    height = lambda t: 1.0001 + 3.0 * abs(t - late - 0.07)
    fall = lambda t: Pose.rigid(None, (0.01, 0.02, height(t)))
    bodies = [Body(shapes.box(1.0), name="box"), Body(shapes.box(9.0), name="table")]
    bodies[1].pose = Pose.rigid(None, (0.0, 0.0, -4.0))
    return World(bodies, motion={"box": fall}, contact_distance=0.05)
"""


class Suite:
    """A folder of tests, run in this process or in one of its own."""

    def __init__(self, pytester, monkeypatch):
        self.pytester = pytester
        self.monkeypatch = monkeypatch
        self.path = pytester.path
        monkeypatch.setenv("WINGEDGE_ENGINE", "python")
        if not entry_points(group="pytest11", name="wingedge"):
            # the checkout is on the path, but not installed: say what it registers
            project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
            self.install("wingedge", project["project"]["entry-points"])
            self.add_to_path(ROOT)

    def install(self, name, groups, packages=()):
        """Register entry points, as a distribution of this name would."""
        site = self.path / f"site-{name}"
        info = site / f"{name}-0.dist-info"
        info.mkdir(parents=True)
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"
        (info / "METADATA").write_text(head)
        lines = []
        for group, entries in groups.items():
            lines += [f"[{group}]", *(f"{k} = {v}" for k, v in entries.items())]
        record = [f"{package}/__init__.py,,\n" for package in packages]
        (info / "RECORD").write_text("".join(record))
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        self.add_to_path(site)
        return site

    def add_to_path(self, folder):
        self.monkeypatch.syspath_prepend(str(folder))
        paths = [str(folder), os.environ.get("PYTHONPATH", "")]
        self.monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))

    def write(self, source, conftest=CONFTEST, module="test_box"):
        self.pytester.makeconftest(conftest)
        self.pytester.makepyfile(**{module: source})

    def run(self, *options):
        """Run in this process: fast."""
        return self.pytester.runpytest_inprocess("-q", *QUICK, *options)

    def says(self, lines, *options, **counts):
        """Run in this process, for so many outcomes and these lines of output."""
        result = self.run(*options)
        result.assert_outcomes(**counts)
        result.stdout.fnmatch_lines(lines)
        return result

    def run_apart(self, *options):
        """Run in a process of its own: nothing is imported yet."""
        return self.pytester.runpytest_subprocess(*QUICK, *options)


@pytest.fixture(scope="session")
def _loaded():
    """Load what the suites use: after a run in this process what it loaded is dropped.

    Compiled modules cannot be loaded twice, and a kernel that is loaded again is none
    that was compiled.
    """
    for module in ("h5py", *sorted(set(HOMES.values()))):
        import_module(module)
    import_module("sim.engine.link")  # every kernel
    import_module("sim.story.testing.expectation")
    import_module("sim.story.testing.golden")
    import_module("sim.story.comparing.difference")
    Story.of(scenes.load("press").run(1))


@pytest.fixture
def suite(pytester, monkeypatch, _loaded):
    """A folder for a test suite, with the plugin as if it were installed."""
    return Suite(pytester, monkeypatch)
