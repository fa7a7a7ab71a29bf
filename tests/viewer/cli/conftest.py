"""Call the command line as a user does, and know what a file holds."""

import pytest

from viewer.cli import main

BALL = """
from sim import Body, Pose, World
from wingedge import shapes

def world(speed=6.0, fails=9.0):
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")

    def fall(t):
        if t > fails:
            raise RuntimeError("lost")
        return Pose.rigid(None, (0.0, 0.0, 2.0 - speed * t))

    return World([ball, table], motion={"ball": fall})
"""


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def sentence(self):
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


@pytest.fixture
def wingedge(tmp_path, monkeypatch, capsys):
    """Run a command in an empty folder, in this process; never a traceback."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert ("Traceback" in out + err) <= ("--traceback" in arguments)
        return Result(code, out, err)

    return call


@pytest.fixture
def process(commanded):

    def call(*arguments, **environment):
        done = commanded(*arguments, **environment)
        assert "Traceback" not in done.stdout + done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def script(tmp_path):

    def write(text=BALL, name="script.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def recording(wingedge, script, tmp_path):
    path = tmp_path / "run.vtkhdf"
    assert wingedge("run", script(), "--frames", 8, "--record", path).code == 0
    return path
