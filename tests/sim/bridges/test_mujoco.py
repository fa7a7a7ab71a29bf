"""sim.bridges.mujoco: a pile that tumbles onto a flex is followed, every step told."""

import numpy as np
import pytest
from crosscheck import AGREE, THEIRS, TIE, PairCheck

from sim import World
from wingedge import convexity, shapes

mujoco = pytest.importorskip("mujoco", reason="mujoco is in the extra 'bridges'")

from sim.bridges.mujoco import follow  # noqa: E402

JELLY = """<mujoco><worldbody><body name="c" pos="0 0 .17">
  <flexcomp name="jelly" type="grid" count="4 4 3" spacing=".2 .2 .15" dim="3"
            mass="10" radius="0.005">
    <elasticity young="1e4" poisson="0.1" damping="0.02"/><contact selfcollide="none"/>
  </flexcomp></body></worldbody></mujoco>"""
KINDS = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="0 0 .1"/>
  <geom name="hills" type="hfield" hfield="h"/>
  <body name="arm" pos="0 0 1"><joint/>
    <geom name="box" type="box" size=".1 .2 .3"/>
    <geom type="sphere" size=".1" pos="1 0 0"/>
    <geom name="pill" type="capsule" size=".1 .2" pos="2 0 0"/>
    <geom name="can" type="cylinder" size=".1 .2" pos="3 0 0"/>
    <geom name="egg" type="ellipsoid" size=".1 .2 .3" pos="4 0 0"/>
    <geom name="star" type="mesh" mesh="star" pos="5 0 0"/>
  </body></worldbody>
  <asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 0 1"/>
    <mesh name="star" vertex="0 0 1  1 0 0  0 1 0  -1 0 0  0 -1 0  0 0 .5"
          face="0 1 2 0 2 3 0 3 4 0 4 1 5 2 1 5 3 2 5 4 3 5 1 4"/></asset></mujoco>"""
URDF = """<robot name="r"><link name="base"><collision><geometry>
  <box size="1 2 3"/></geometry></collision></link><link name="tip"><inertial>
  <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="j" type="prismatic"><parent link="base"/><child link="tip"/>
  <axis xyz="0 0 -1"/><limit lower="-9" upper="9" effort="9" velocity="9"/>
  <origin xyz="0 0 4"/></joint></robot>"""


def loaded(text):
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


def pile(count=20):
    """Drop hulls of 20 points onto a soft block that lies on a floor."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.002
    kind = mujoco.mjtGeom
    spec.worldbody.add_geom(name="floor", type=kind.mjGEOM_PLANE, size=[2, 2, 0.1])
    for k in range(4):
        mesh = shapes.random_hull(k, 20)
        points, faces = 0.15 * mesh.points, mesh.fan.vertex
        table = {
            "uservert": points.ravel().tolist(),
            "userface": faces.ravel().tolist(),
        }
        spec.add_mesh(name=f"m{k}", **table)
    for k in range(count):
        at = [0.33 * (k % 3) - 0.3, 0.33 * (k // 3 % 3) - 0.3, 0.5 + 0.35 * (k // 9)]
        body = spec.worldbody.add_body(pos=at, quat=[1, 0.1 * k, 0.3, 0.05 * k])
        body.add_freejoint()
        body.add_geom(name=f"g{k}", type=kind.mjGEOM_MESH, meshname=f"m{k % 4}")
    frame = spec.worldbody.add_frame()
    spec.attach(mujoco.MjSpec.from_string(JELLY), frame=frame, prefix="soft_")
    model = spec.compile()
    return model, mujoco.MjData(model)


class Live:
    """MuJoCo's own distance of two geoms where its data have them now."""

    name, resolution = "mujoco", 1e-13

    def __init__(self, model, data):
        self.model, self.data = model, data

    def distance(self, a, b):
        names = (self.model.geom(body.name).id for body in (a, b))
        found = mujoco.mj_geomDistance(self.model, self.data, *names, 10.0, None)
        return found, True


def test_every_step_of_a_pile_on_a_flex_is_told_and_who_differs_is_judged():
    model, data = pile()
    source = follow(model, data)
    assert len(source.bodies) == 22
    world = World(source.bodies, dt=source.dt, margin=0.02, ignore=source.ignore)
    peer, rows, touched, pressed = Live(model, data), [], set(), 0.0
    jelly = world.body("soft_jelly")
    low, high = jelly.positions[:, 2].min(), jelly.positions[:, 2].max()
    for k in range(500):
        assert source.advance()
        frame = world.step()
        touched |= {n for e in frame.events for n in (e.a, e.b) if e.kind == "begin"}
        pressed = max(pressed, high - low - np.ptp(jelly.positions[:, 2]))
        for state in frame.pairs:
            assert state.certified or state.distance < 0.0
            hulls = state.a.name[0] == state.b.name[0] == "g"
            if hulls and k % 10 == 0:
                rows.append(PairCheck(state).compare(peer))
    assert world.index == 500
    there = mujoco.MjData(model)
    there.qpos[:] = data.qpos
    mujoco.mj_forward(model, there)
    shell = np.unique(model.flex_shell)
    assert np.array_equal(jelly.positions, there.flexvert_xpos[shell])
    assert np.array_equal(world.body("g3").pose.translation, there.geom("g3").xpos)
    assert touched == {body.name for body in source.bodies}
    assert pressed > 0.005, "the block is pressed"
    verdicts = {row.verdict for row in rows}
    assert len(rows) > 300
    assert verdicts <= {AGREE, THEIRS, TIE}, "nothing of ours is wrong or undecided"
    assert max(row.off for row in rows) < 1e-4, "MuJoCo is near all the same"


def test_every_kind_of_geom_is_a_body_where_it_is_or_says_why_not():
    model, data = loaded(KINDS)
    source = follow(model, data)
    assert source.left_out == {"hills": "a geom of type hfield becomes no body"}
    by_name = {body.name: body for body in source.bodies}
    assert [*by_name] == ["floor", "box", "geom3", "pill", "can", "egg", "star"]
    extents = {
        "box": (0.2, 0.4, 0.6),
        "geom3": (0.2, 0.2, 0.2),
        "pill": (0.2, 0.2, 0.6),
        "can": (0.2, 0.2, 0.4),
        "egg": (0.2, 0.4, 0.6),
    }
    for name, extent in extents.items():
        points = by_name[name].world_points()
        assert np.ptp(points, axis=0) == pytest.approx(extent, rel=0.03)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
        number = 3 if name == "geom3" else model.geom(name).id
        assert middle == pytest.approx(data.geom_xpos[number], abs=1e-3)
        assert convexity(by_name[name].mesh).is_convex()
    assert by_name["floor"].world_points()[:, 2].max() == 0.0
    assert ("box", "geom3") in source.ignore
    assert ("floor", "box") not in source.ignore
    assert by_name["star"].mesh.n_vertices == 5, "MuJoCo meets the hull"
    surface = {b.name: b for b in follow(model, data, surfaces=True).bodies}["star"]
    assert not convexity(surface.mesh).is_convex()
    source.advance()
    assert np.array_equal(by_name["box"].pose.translation, data.geom("box").xpos)


def test_what_is_no_model_is_refused_in_a_sentence():
    model, data = loaded(KINDS)
    for given, kind in ((("x", data), "MjModel"), ((model, None), "MjData")):
        with pytest.raises(TypeError, match=f"follow takes a {kind} here, not"):
            follow(*given)


def test_urdf_comes_for_free():
    source = follow(*loaded(URDF))
    world = World(source.bodies, dt=source.dt)
    before = world.step().pairs[0].distance
    source.advance()
    assert before == 2.0
    assert world.step().pairs[0].distance < 2.0
