"""sim.laws.affine: momentum, energy, friction, rest, touch, bits, proof."""

import copy

import numpy as np
import pytest

from sim import Body, Pose, World, deform, laws, motion, set_engine
from sim.laws import affine
from tests.sim.laws.conserved import energy, momentum
from wingedge import shapes

REACH = 1e-3


def box(name, *place, size=1.0):
    return Body(shapes.box(size), name=name, pose=Pose(None, place))


def ground(size=9.0):
    return box("ground", 0.0, 0.0, -0.5, size=(size, size, 1.0))


def heap(**options):
    """Three free bodies that meet off their middles, and a spinning one."""
    ball = Body(shapes.icosphere(1, 0.5), name="ball", pose=Pose(None, (-1.0, 0.1, 0)))
    prism = Body(
        shapes.prism(5, 0.4, 0.9), name="prism", pose=Pose(None, (0.2, 1.6, 0))
    )
    law = laws.Affine(
        gravity=(0.0, 0.0, 0.0),
        velocity={"ball": (3, 0, 0), "box": (-1, 0.2, 0), "prism": (0, -2, 0)},
        spin={"box": (0.3, 0.5, 1.0)},
        kappa=1e7,
        friction=0.3,
    )
    bodies = [ball, box("box", 1.0, 0.0, 0.0), prism]
    return World(bodies, law=law, dt=1 / 240, between=True, **options), law


def test_impacts_keep_momentum_lose_energy_and_leave_a_gap():
    world, law = heap()
    told, energies = [], []
    list(world.run(2))
    start, scale = momentum(law), 1000.0 * (0.4 * 3 + 1.0 + 2 * 0.3)
    for frame in world.run(150):
        told += [event.kind for event in frame.events]
        energies.append(energy(law, world.poses))
        assert np.abs(momentum(law) - start).max() <= 1e-10 * scale
        assert min(frame.pairs.distance) > 0.0
    assert told.count("begin") >= 2
    assert told.count("end") >= 2
    assert not {"brush", "penetrate"} & set(told)
    assert np.diff(energies).max() <= 1e-9 * energies[0]
    assert energies[-1] < 0.9 * energies[0]


@pytest.mark.parametrize("mu", [0.2, 0.6])
@pytest.mark.parametrize("more", [-0.5, 0.5])
def test_a_box_slides_from_the_slope_of_its_friction_on(mu, more):
    angle = np.arctan(mu) + np.radians(more)
    down = 9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle)
    law = laws.Affine(fixed=["ground"], friction=mu, gravity=down)
    slab = box("slab", 0.0, 0.0, 0.2505, size=(1.0, 1.0, 0.5))
    world = World([slab, ground(20.0)], law=law, contact_distance=REACH)
    list(world.run(90))
    before = world.poses[0, 0, 3]
    list(world.run(30))
    way = world.poses[0, 0, 3] - before
    if more < 0.0:
        assert 0.0 <= way < 1e-3  # creeps, at the speed below which friction grows
    else:
        free = 9.81 * (np.sin(angle) - mu * np.cos(angle))
        assert way > 0.5 * free * 0.5


def test_a_free_fall_touches_when_it_must():
    law = laws.Affine(fixed=["ground"], contact_distance=1e-4)
    bodies = [box("box", 0.0, 0.0, 1.5), ground()]
    world = World(bodies, law=law, contact_distance=0.05, dt=1e-2, between=True)
    begin = next(e for f in world.run(60) for e in f.events if e.kind == "begin")
    height = [1.0 - 9.81 * 1e-4 * k * (k + 1) / 2 for k in range(60)]
    k = next(k for k, h in enumerate(height) if h <= 0.05)
    part = (height[k - 1] - 0.05) / (height[k - 1] - height[k])
    assert begin.frame == k
    assert begin.when[0] - 1e-9 <= part <= begin.when[1] + 1e-9


@pytest.mark.parametrize("dt", [1 / 60, 1e-7, 1e-12])
@pytest.mark.parametrize("start", [0.0, -1e-10, 3.0])
@pytest.mark.parametrize("fall", [0.0, 9.81])
def test_a_step_below_the_tolerance_of_newton_is_taken(dt, start, fall):
    """Bodies did not begin to fall at a dt of 1e-7, and slow ones stopped dead."""
    law = laws.Affine(gravity=(0.0, 0.0, -fall), velocity={"x": (0.0, 0.0, start)})
    world = World([box("x", 0.0, 0.0, 0.0)], law=law, dt=dt)
    list(world.run(101))
    speed = start - 100 * dt * fall
    assert momentum(law)[2] == pytest.approx(1000.0 * speed, rel=1e-13)
    way = 100 * dt * start - 5050 * dt * dt * fall
    assert world.poses[0, 2, 3] == pytest.approx(way, rel=1e-9, abs=1e-14)


def test_boxes_that_land_from_many_heights_need_few_equations(monkeypatch):
    """All went as far in a step as the nearest: of 1000, 90 solutions in 1.5 s."""
    solved, solve = [], affine.newton_step
    monkeypatch.setattr(affine, "newton_step", lambda *a: solved.append(1) or solve(*a))
    bodies = [box(f"{k}", 2.0 * k - 16, 0.0, 0.51 + 0.006 * k) for k in range(17)]
    law = laws.Affine(fixed=["ground"], kappa=1e9, contact_distance=0.01)
    for _ in World([*bodies, ground(40.0)], law=law).run(15):
        assert len(solved) <= 9
        solved.clear()


def test_bodies_that_repel_part_at_a_small_dt():
    law = laws.Affine(gravity=(0.0, 0.0, 0.0), contact_distance=REACH)
    bodies = [box("low", 0.0, 0.0, 0.0), box("high", 0.0, 0.0, 1.0 + 0.5 * REACH)]
    world = World(bodies, law=law, dt=1e-9)
    world.step()
    speed = 20e-9 * law.state()["forces"][1, 2] / 1000.0
    list(world.run(20))
    speeds = law.state()["velocity"][:, 2, 3]
    assert speeds == pytest.approx([-speed, speed], rel=1e-4)


def press(depth, kappa=1e4):
    """Press a light block between plates, one of which comes down by a script."""
    law = laws.Affine(
        fixed=["below"],
        kappa=kappa,
        density=1.0,
        gravity=(0.0, 0.0, 0.0),
        contact_distance=1e-4,
    )
    plate = (3.0, 3.0, 0.1)
    bodies = [
        box("below", 0.0, 0.0, -0.5501, size=plate),
        box("jelly", 0.0, 0.0, 0.0),
        box("above", 0.0, 0.0, 0.5501, size=plate),
    ]
    down = motion.linear((0.0, 0.0, -depth), start=(0.0, 0.0, 0.5501))
    world = World(bodies, motion={"above": down}, law=law, dt=0.05)
    list(world.run(21))
    return world, law


def test_a_pressed_jelly_pushes_back_as_its_energy_says():
    world, law = press(0.2)
    linear = world.body("jelly").pose.linear
    height = linear[2, 2]
    assert height == pytest.approx(0.8, abs=1e-3)
    # plates lead nothing sideways, so only one strain is not 0
    assert np.abs(linear - np.diag(np.diag(linear))).max() < 1e-9
    force = law.state()["forces"][2, 2]
    assert force == pytest.approx(4e4 * height * (1.0 - height * height), rel=2e-3)


def test_what_holds_a_box_on_a_slope_is_its_weight_friction_included():
    """The force of the barrier alone is upright to the slope, and 3 % too small."""
    angle = np.radians(15.0)
    tilt = Pose.rigid([0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2)])
    up = tilt.linear @ (0.0, 0.0, 1.01)
    block = Body(shapes.box(1.0), name="box", pose=Pose(tilt.linear, up))
    slope = Body(shapes.box((9.0, 9.0, 1.0)), name="slope", pose=tilt)
    law = laws.Affine(fixed=["slope"], friction=0.6, contact_distance=0.02)
    *_, frame = World([block, slope], law=law).run(120)
    force, slopes = frame.law["forces"]
    assert force == pytest.approx([0.0, 0.0, 9810.0], abs=20.0)
    assert slopes == pytest.approx(-force, abs=1e-9)


def test_what_cannot_be_is_said():
    for given, said in [
        ({"velocity": {"bell": (0, 0, 1)}}, "velocity: no body 'bell'; there are box"),
        ({"ignore": [("box", "bell")]}, "ignore: no body 'bell'"),
        ({"density": {"bell": 1.0, "box": 1.0}}, "density: no body 'bell'"),
        ({"density": {}}, "density: give one of body 'box', too"),
        ({"kappa": -1}, "kappa of body 'box' is -1.0; it must be above 0"),
    ]:
        with pytest.raises(ValueError, match=said):
            World([box("box", 0, 0, 0)], law=laws.Affine(**given)).step()
    for wrong, said in [
        ({"velocity": {"box": (1, 2)}}, r"velocity\['box'\]=\(1, 2\) must be three"),
        ({"spin": {"box": (0, np.nan, 0)}}, r"spin\['box'\]=.* three finite"),
        ({"velocity": (0, 0, 1)}, "velocity=.* must say whose"),
        ({"friction": -0.1}, "friction=-0.1 must be 0 or more"),
        ({"fixed": "ground"}, "fixed='ground' is one name"),
        ({"ignore": "ab"}, "'a' is no pair of names"),
    ]:
        with pytest.raises((TypeError, ValueError), match=said):
            laws.Affine(**wrong)
    assert len(list(World([], law=laws.Affine()).run(2))) == 2
    world = World([box("box", 0, 0, 0.2), ground()], law=laws.Affine(fixed=["ground"]))
    with pytest.raises(ValueError, match="'box' and 'ground' touch or overlap"):
        world.step()
    law = laws.Affine(velocity={"box": (0, 0, -400)}, fixed=["ground"], kappa=1.0)
    world = World([box("box", 0, 0, 2.0), ground()], law=law)
    flat = r"did not converge \(.*larger kappa"
    with pytest.raises(RuntimeError, match=flat) as told:
        list(world.run(9))
    assert "law Affine, frame" in told.value.__notes__[0]


def test_bodies_with_scripts_are_met_where_they_go_and_copies_go_on():
    """A floor sinks under a box, and a plate passes through the floor."""
    sink = {"ground": deform.scale(motion.ramp((0.0, 0.4), (1.0, 0.95)))}
    plate = box("plate", 4.0, 0.0, 0.0, size=(0.5, 0.5, 3.0))
    law = laws.Affine(friction=0.5, contact_distance=REACH)
    bodies = [ground(), box("box", 0.0, 0.0, 0.501), plate]
    lead = {"plate": motion.linear((-1.0, 0.0, 0.0), start=(4.0, 0.0, 0.0))}
    world = World(bodies, law=law, deform=sink, motion=lead, between=True)
    told = [e.kind for f in world.run(12) for e in f.events if "box" in (e.a, e.b)]
    assert "begin" in told
    assert "penetrate" not in told
    assert "brush" not in told
    other = copy.deepcopy(world)
    for one, two in zip(world.run(8), other.run(8), strict=True):
        assert one.pair("box", "ground").distance > 0.0
        assert np.array_equal(one.bodies.poses, two.bodies.poses)


@pytest.mark.parametrize("step", [0.005, 0.02, 0.1])
def test_a_box_that_a_hand_leads_pushes_another_face_on_face(step):
    """It came to 1e-9 of it in a whole step, where forces are beyond all numbers."""
    a = Body(shapes.box(1.0), name="a", pose=Pose(None, (0.0, 0.0, 0.505)))
    b = Body(shapes.box(1.0), name="b", pose=Pose(None, (1.2, 0.0, 0.505)))
    law = laws.Affine(fixed=["ground"], kappa=1e5, friction=0.3)
    world = World([a, b, ground()], law=law, contact_distance=0.01, between=True)
    list(world.run(5))
    world.hold("a")
    for k in range(round(0.6 / step)):
        a.pose = Pose(None, ((k + 1) * step, 0.0, 0.51))
        frame = world.step()
        assert frame.pair("a", "b").distance > 0.0
        assert not {"penetrate", "brush"} & {event.kind for event in frame.events}
    assert b.pose.translation[0] > 1.5, "it is pushed along"
    world.let_go("a")
    list(world.run(20))
    assert a.pose.translation[2] == pytest.approx(0.5, abs=0.011)


@pytest.mark.compiled
def test_both_engines_move_bodies_to_the_same_bits():
    ends = []
    for engine in ("python", "compiled"):
        set_engine(engine)
        world, _ = heap(threads=1 if engine == "python" else 2)
        list(world.run(70))
        ends.append(world.poses.tobytes())
    set_engine("auto")
    assert ends[0] == ends[1]


def test_two_bodies_that_wait_for_each_other_are_not_proven_again():
    """From another first plane that failed: the step, and each retry, was refused."""
    rng, bodies, push, spin = np.random.default_rng(11), [], {}, {}
    top = 0.05
    for k in range(5):
        side, turn = rng.uniform(0.4, 1.2, 3), rng.normal(size=4)
        half = 0.5 * float(np.linalg.norm(side))
        turned = Pose.rigid(turn / np.linalg.norm(turn)).linear
        pose = Pose(turned, (*rng.uniform(-0.3, 0.3, 2), top + half))
        bodies.append(Body(shapes.box(tuple(side)), name=f"b{k}", pose=pose))
        push[f"b{k}"], spin[f"b{k}"] = (0, 0, -3.0), 4.0 * rng.normal(size=3) / 3**0.5
        top += 2.0 * half + 0.05
    law = laws.Affine(fixed=["ground"], velocity=push, spin=spin, friction=0.5)
    world = World([*bodies, ground(40.0)], law=law, dt=1 / 30, contact_distance=0.01)
    assert len(list(world.run(14))) == 14
