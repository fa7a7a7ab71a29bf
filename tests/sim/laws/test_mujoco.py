"""sim.laws.runner: MuJoCo beside the reference law, and MuJoCo as a law."""

import numpy as np
import pytest

from sim import Body, Pose, Recording, World, laws
from wingedge import shapes

mujoco = pytest.importorskip("mujoco", reason="mujoco is in the extra 'bridges'")

from sim.bridges.mujoco import follow  # noqa: E402

ALL = mujoco.mjtState.mjSTATE_INTEGRATION
NEAR = 0.01
HALF = 0.15


def model(heights):
    """Return boxes of one size above each other, and a floor."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 1 / 480
    kind = mujoco.mjtGeom.mjGEOM_BOX
    spec.worldbody.add_geom(name="floor", type=kind, size=[2, 2, 0.2], pos=[0, 0, -0.2])
    for k, height in enumerate(heights):
        body = spec.worldbody.add_body(pos=[0, 0, height])
        body.add_freejoint()
        name = f"box{k}"
        body.add_geom(name=name, type=kind, size=[HALF] * 3, density=1000)
    for geom in spec.geoms:
        geom.margin, geom.gap = 0.0, 0.0
        geom.solref = [0.005, 1.0]
    built = spec.compile()
    return built, mujoco.MjData(built)


class Simulator:
    """A law: what ``mj_step`` does to the bodies of ``follow(model, data)``."""

    def __init__(self, source):
        self.source = source

    def advance(self, bodies, frame, dt):
        if frame is not None:
            self.source.advance()
        return {body.name: body.pose for body in self.source.bodies}

    def state(self):
        model, data = self.source.model, self.source.data
        state = np.empty(mujoco.mj_stateSize(model, ALL))
        mujoco.mj_getState(model, data, state, ALL)
        return {"state": state}

    def restore(self, arrays):
        source = self.source
        mujoco.mj_setState(source.model, source.data, arrays["state"], ALL)
        source.read()


def simulated(heights):
    source = follow(*model(heights))
    copies = [Body(b.mesh, name=b.name, pose=b.pose) for b in source.bodies]
    return World(
        copies,
        law=Simulator(source),
        dt=source.dt,
        ignore=source.ignore,
        contact_distance=NEAR,
    )


def answered(heights):
    boxes = [
        Body(shapes.box(2 * HALF), name=f"box{k}", pose=Pose(None, (0, 0, z)))
        for k, z in enumerate(heights)
    ]
    floor = Body(
        shapes.box((4.0, 4.0, 0.4)), name="floor", pose=Pose(None, (0, 0, -0.2))
    )
    law = laws.Affine(
        fixed=["floor"], kappa=1e9, friction=0.5, contact_distance=NEAR / 5
    )
    return World([floor, *boxes], law=law, dt=1 / 120, contact_distance=NEAR)


def begun(world, frames):
    """Step, and return the pairs that met, in that order."""
    told = [e for frame in world.run(frames) for e in frame.events]
    return list(dict.fromkeys(frozenset((e.a, e.b)) for e in told if e.kind == "begin"))


@pytest.mark.parametrize("count", [1, 4])
def test_boxes_meet_in_the_same_order_and_rest_as_high(count):
    """One box that falls, or four above each other, the lowest by the least."""
    heights, top = [], 0.0
    for k in range(count):
        heights.append(top + 0.05 * (k + 1) + HALF)
        top = heights[-1] + HALF
    ours, theirs = answered(heights), simulated(heights)
    pairs = begun(ours, 120)
    assert pairs == begun(theirs, 480)
    assert len(pairs) == count
    for k in range(count):
        ends = [w.body(f"box{k}").pose.translation[2] for w in (ours, theirs)]
        assert abs(ends[0] - ends[1]) < NEAR


def test_a_run_of_mujoco_goes_on_to_the_same_bits(tmp_path):
    whole, part = tmp_path / "whole.vtkhdf", tmp_path / "part.vtkhdf"
    for path, parts in ((whole, [60]), (part, [25, 35])):
        for k, frames in enumerate(parts):
            world = simulated([0.2, 0.55])
            with world.record(path, resume=k > 0):
                list(world.run(frames))
    with Recording.open(whole) as one, Recording.open(part) as other:
        assert one.digest == other.digest
        assert [e.kind for e in one.events][:1] == ["begin"]
