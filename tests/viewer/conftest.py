"""Small worlds to look at, and the gate for tests that draw."""

import os

import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.gl import probe
from wingedge import shapes


@pytest.fixture(autouse=True)
def _pictures_or_a_reason(request):
    """Skip a test that draws where nothing can draw; fail it where that is required."""
    if request.node.get_closest_marker("gui") is None:
        return
    found = probe()
    if not found.works:
        sentence = f"{found.reason}; {found.fix}"
        if os.environ.get("WINGEDGE_REQUIRE_PICTURES"):
            pytest.fail(f"WINGEDGE_REQUIRE_PICTURES is set, but {sentence}")
        pytest.skip(sentence)


def tilted(angle_xyz, translation):
    """Turn by small rational quaternions, one per axis, and move."""
    pose = Pose.rigid(None, translation)
    for axis, part in enumerate(angle_xyz):
        quaternion = [0.0, 0.0, 0.0, 1.0]
        quaternion[axis] = part
        pose = pose @ Pose.rigid(quaternion, None)
    return pose


def first_frame(*bodies, **options):
    return World(bodies, **options).step()


@pytest.fixture
def vertex_above_face():
    """A tilted box 0.2 above a table of 4 x 4 cells."""
    jelly = Body(
        shapes.box((1.0, 0.8, 0.6)),
        name="jelly",
        pose=tilted((0.3, 0.2, 0.1), (0.0, 0.0, 1.15)),
    )
    table = Body(shapes.grid_box((4, 4, 1), (3.0, 3.0, 0.3)), name="table")
    return first_frame(jelly, table)


@pytest.fixture
def face_on_face():
    """A box standing on a block, touching exactly."""
    box = Body(
        shapes.box((1.0, 0.5, 0.5)), name="box", pose=Pose.rigid(None, (0.25, 0, 0.75))
    )
    block = Body(shapes.box((2.0, 2.0, 1.0)), name="block")
    return first_frame(box, block)


@pytest.fixture
def edge_over_edge():
    """Two crossed roofs, edge above edge."""
    prism = shapes.prism(3, 1.0, 4.0)
    ridge_up = Pose.rigid([0.0, -1.0, 0.0, 1.0])
    ridge_down = Pose.rigid([1.0, 0.0, 0.0, 1.0], (0.0, 0.0, 3.0))
    low = Body(prism, name="low", pose=ridge_up)
    high = Body(prism, name="high", pose=ridge_down @ Pose.rigid([0.0, 0.0, -1.0, 1.0]))
    return first_frame(low, high)


@pytest.fixture
def overlapping():
    """Two boxes, one 0.25 deep in the other."""
    a = Body(shapes.box(1.0), name="a")
    b = Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (0.75, 0.1, 0.05)))
    return first_frame(a, b)


@pytest.fixture
def heap():
    """Six boxes in a row, two of them touching."""
    bodies = [
        Body(
            shapes.box(1.0),
            name=f"box{k}",
            pose=Pose.rigid(None, (1.5 * k - 0.5 * (k == 5), 0.0, 0.0)),
        )
        for k in range(6)
    ]
    return first_frame(*bodies)


@pytest.fixture
def any_frame(request):
    """Whatever frame the test is parametrised with, by name."""
    return request.getfixturevalue(request.param)


FRAMES = ["vertex_above_face", "face_on_face", "edge_over_edge", "overlapping", "heap"]


def pytest_generate_tests(metafunc):
    if "any_frame" in metafunc.fixturenames:
        metafunc.parametrize("any_frame", FRAMES, indirect=True)


@pytest.fixture
def assert_near():
    """Compare arrays with a message that shows both."""

    def check(found, wanted, tolerance=1e-12):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance)

    return check
