"""sim.story.testing.golden: what positions cannot tell fails no test that says so."""

import pytest

from sim import Recording, Story
from sim.story.testing.expectation import Expectation

RAMP = """
import numpy as np
from sim import Body, World
from wingedge import shapes

def world(resolution=None):
    turn = np.array([[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]])
    block = Body(shapes.box((1.0, 1.0, 1.0)), name="block")
    ramp = Body(shapes.box((10.0, 4.0, 1.0)), name="ramp")
    ramp.points = (ramp.mesh.points @ turn.T).astype(np.float32)

    def slide(rest, t):
        put = (rest + [-3.0 + 1.2 * t, 0.1, 1.0]) @ turn.T
        return put.astype(np.float32).astype(float)

    return World([block, ramp], deform={"block": slide}, resolution=resolution)

def test_golden(contact_regression):
    contact_regression.check(world(), "ramp", frames=40)

def test_as_the_file_says(contact_regression):
    contact_regression.check(world(0.0).run(40), "ramp")
"""
WHY = "as expected at resolution=4.1e-07, within single precision"


def test_a_golden_file_says_at_which_resolution_it_is_told(suite):
    suite.write(RAMP, conftest="", module="test_ramp")
    suite.run()
    suite.run().assert_outcomes(passed=2)
    golden = suite.path / "test_ramp" / "ramp.story"
    said = golden.read_text("utf-8")
    told = f"resolution {Story.parse(said).resolution!r}\n"
    assert said.count(told) == 1
    golden.write_text(said.replace(told, ""), "utf-8")
    result = suite.run()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines([f"E *{WHY} (4.1e-07)"])


def test_what_is_expected_is_told_at_a_resolution(tmp_path):
    exec(RAMP, made := {})
    world, begins = made["world"], Expectation.parse("begin block/ramp FF f0 f1")
    with (ramp := world(0.0)).record(tmp_path / "ramp"):
        frames = list(ramp.run(40))
    with Recording.open(tmp_path / "ramp") as recording:
        for source in (recording, world(0.0).run(40)):
            with pytest.raises(AssertionError, match=WHY):
                begins.of(source)
        begins.of(world(0.0).run(40), resolution="float32")
        begins.of(recording, resolution=1e-6)
        with pytest.raises(AssertionError, match="rounding is not why"):
            Expectation.parse("begin ; end").of(recording)
    with pytest.raises(TypeError, match="cannot be told again"):
        begins.of(frames, resolution=1e-6)
