import hashlib  # of sim.deform.deformer

import numpy as np
import pytest

from sim import Body, Pose, World, deform, motion
from sim.deform import Deformer
from wingedge import MeshError, convexity, shapes
from wingedge.check import check_flatness

BALL = shapes.icosphere(1)
ZOO = dict(shapes.zoo())


def offsets():
    return (((np.arange(72) * 29) % 37) / 37.0 - 0.5).reshape(3, 2, 4, 3)


def other(points, k=1):
    x, y, z = points.T
    return np.stack([x + k * y * z, y - x * x, z * (1.0 + k * x)], axis=1)


def graded(mesh, amount):
    """Makers of one deformer of every kind that leaves the rest shape at amount 0."""
    targets = [other(mesh.points), other(mesh.points, 3)]
    return {
        "squash": lambda: deform.squash(amount),
        "shear": lambda: deform.shear(amount, axis=1, along="x", about=(0.1, 0.2, 0.3)),
        "taper": lambda: deform.taper(amount, axis=1, about=(0.1, 0.0, 0.2)),
        "bulge": lambda: deform.bulge(amount, axis="x", span=(-0.4, 0.3)),
        "twist": lambda: deform.twist(amount, axis=2, about=(0.1, 0.2, 0.0)),
        "bend": lambda: deform.bend(amount, axis=0, towards=2, span=(-0.6, 0.5)),
        "dent": lambda: deform.dent(amount, at=mesh.points[0], radius=0.7),
        "wave": lambda: deform.wave(amount, length=0.8, speed=0.5, phase=0.2),
        "lattice": lambda: deform.lattice(offsets(), amount=amount),
        "blend": lambda: deform.blend(targets, [amount, amount]),
        "stack": lambda: deform.stack(
            deform.squash(amount), deform.twist(amount), deform.shear(amount)
        ),
    }


def every(mesh):
    """One deformer of every kind, the graded ones growing with time."""
    rest = mesh.points
    keys, times = [None, other(rest), other(rest, 2), None], (0.0, 0.3, 0.5, 1.0)
    film = [rest if key is None else key for key in keys]
    made = {name: make() for name, make in graded(mesh, lambda t: 0.3 * t).items()}
    made["affine"] = deform.affine(lambda t: [[1, t, 0, 5], [0, 1, 0, t], [t, 0, 1, 0]])
    made["scale"] = deform.scale(1.5, 0.5, lambda t: 1.0 + t, about=(0.1, 0.2, 0.3))
    for method in ("spline", "linear", "nearest"):
        made[f"keyframes {method}"] = deform.keyframes(times, keys, method=method)
        made[f"samples {method}"] = deform.samples(times, film, method=method)
    return made


EVERY = every(BALL)
GRADED = tuple(graded(BALL, 0.0))
AFFINE = {"affine", "scale", "shear", "squash"}

# sha256 of the positions of BALL at time 0.6, little-endian float64: the same bits on
# every machine
DIGESTS = {
    "affine": "a2f7cd5ab7324780c36b9910daf3b19e",
    "bend": "ac13fb76fc65ad8509013df994b998ba",
    "blend": "be5ac82ccc9c32db25ffb03dc63ab82f",
    "bulge": "84798bdb7c3fa1debc4654a4c86c4c3b",
    "dent": "286cc4342e6a12ac7d086213e78b9834",
    "keyframes linear": "155401a6a1ead94e7801c9fb3db7dc00",
    "keyframes nearest": "22d41fa6db14c16da716c0bf17541538",
    "lattice": "3f30d850c80b5250efab98ee28c6448a",
    "samples linear": "155401a6a1ead94e7801c9fb3db7dc00",
    "samples nearest": "22d41fa6db14c16da716c0bf17541538",
    "scale": "c50020437ef0a2adab2b4975481cddbc",
    "shear": "ae668bfb776c5765162143f42031095f",
    "squash": "5d09615fe053a68888c845a8bd374baa",
    "stack": "eac62b035b5344552f52824171f37dde",
    "taper": "895d4d871e6fbfdfd98aa0e7b9c41dc7",
    "twist": "1b44f85536140df28e44786bb3a67703",
    "wave": "0648e48c60f349b060446663a1a5fa1a",
}


@pytest.mark.parametrize("name", EVERY)
def test_it_returns_fresh_positions_and_leaves_the_rest_shape_alone(name):
    rest = BALL.points.copy()
    points = EVERY[name](rest, 0.6)
    assert np.array_equal(rest, BALL.points)
    assert not np.shares_memory(points, rest)
    assert points.shape == rest.shape
    assert points.dtype == np.float64
    assert points.flags.writeable
    before = points.copy()
    points[...] = 7.0
    assert np.array_equal(EVERY[name](rest, 0.6), before), "it kept what it returned"


@pytest.mark.parametrize("name", GRADED)
def test_at_amount_zero_it_leaves_every_bit_and_no_number_is_refused_when_it_comes(
    name,
):
    for mesh in (BALL, ZOO["grid_box_triangles"]):
        for amount in (0.0, lambda t: 0.0):
            points = graded(mesh, amount)[name]()(mesh.points, 0.7)
            assert np.array_equal(points, mesh.points)
    with pytest.raises(ValueError, match=r"nan at time 0\.5; it must be finite"):
        graded(BALL, lambda t: float("nan"))[name]()(BALL.points, 0.5)
    with pytest.raises(ValueError, match="=inf must be finite"):
        graded(BALL, float("inf"))[name]()


@pytest.mark.parametrize("name", EVERY)
def test_a_vertex_is_moved_by_its_place_or_number_and_no_other_shape_is_taken(name):
    by_number = name.split()[0] in ("blend", "keyframes", "samples")
    order = np.arange(len(BALL.points))[::-1]
    expected = EVERY[name](BALL.points, 0.6)[order]
    points = EVERY[name](BALL.points[order], 0.6)
    assert np.array_equal(points, expected) is not by_number
    bad = BALL.points.copy()
    bad[5, 1] = np.nan
    with pytest.raises(ValueError, match="vertex 5 is at"):
        EVERY[name](bad, 0.5)
    with pytest.raises(ValueError, match=r"shape \(42, 2\)"):
        EVERY[name](bad[:, :2], 0.5)


def test_every_kind_is_looked_at_and_says_what_it_keeps_and_where_it_is_portable():
    keeps = {name for name, d in EVERY.items() if d.keeps_convexity}
    assert keeps == AFFINE
    assert keeps == {name for name, d in EVERY.items() if d.keeps_planarity}
    kinds = {name.split()[0] for name in EVERY}
    public = {name for name in deform.__all__ if name.islower()}
    assert kinds == public
    assert set(EVERY) - set(PORTABLE) == {"keyframes spline", "samples spline"}


@pytest.mark.parametrize("mesh", ZOO.values(), ids=ZOO)
@pytest.mark.parametrize("name", [*sorted(AFFINE), "stack"])
def test_what_is_said_to_be_kept_is_kept(name, mesh):
    stack = deform.stack(*(EVERY[kept] for kept in ("squash", "shear", "scale")))
    for t in (0.0, 0.3, 1.0, 2.0):
        points = (EVERY | {"stack": stack})[name](mesh.points, t)
        assert convexity(mesh, points).is_convex()
        check_flatness(mesh, points)


@pytest.mark.parametrize("name", sorted(EVERY.keys() - AFFINE))
def test_one_that_does_not_say_so_loses_convexity_and_flat_faces(name):
    tube = shapes.grid_box((2, 2, 5), (1.0, 1.0, 2.0))
    rest = Pose.rigid((0.2, 0.3, 0.1, 1.0)).apply(tube.points)  # no face along an axis
    deformer = every(tube)[name]
    assert not deformer.keeps_convexity
    assert not convexity(tube, deformer(rest, 0.4)).is_convex()
    with pytest.raises(MeshError, match="planar"):
        check_flatness(tube, deformer(rest, 0.4))


PORTABLE = sorted(name for name, d in EVERY.items() if d.is_portable)


@pytest.mark.parametrize("name", PORTABLE)
def test_a_portable_one_has_these_bits(name):
    points = EVERY[name](BALL.points, 0.6)
    digest = hashlib.sha256(points.astype("<f8").tobytes()).hexdigest()[:32]
    assert digest == DIGESTS[name]


def test_squash_shear_and_affine_do_what_they_say():
    points = deform.squash(0.75, about=(0.0, 0.0, -1.0))([[1.0, 0.0, 1.0]])
    assert points.tolist() == [[2.0, 0.0, -0.5]]
    points = deform.shear(0.5, about=(0.0, 0.0, -0.5))([[0.0, 3.0, 0.5]])
    assert points.tolist() == [[0.5, 3.0, 0.5]]
    matrix = deform.affine(lambda t: [[1, t, 0, 5], [0, 1, 0, t], [t / 4, 0, 1, 0]])
    assert matrix([[1.0, 2.0, 3.0]], 2.0).tolist() == [[10.0, 4.0, 3.5]]


def test_stack_applies_the_first_deformation_first():
    rest = BALL.points
    twist, squash = deform.twist(0.7), deform.squash(0.4)
    both = deform.stack(twist, squash)(rest)
    assert np.array_equal(both, squash(twist(rest)))
    assert np.abs(both - deform.stack(squash, twist)(rest)).max() < 1e-14, "one axis"
    bend = deform.bend(0.7)
    other_way = deform.stack(squash, bend)(rest) - deform.stack(bend, squash)(rest)
    assert np.abs(other_way).max() > 0.1


def test_stack_keeps_what_all_of_them_keep():
    def own(rest, t):
        return rest * 2.0

    def flags(d):
        return d.keeps_convexity, d.keeps_planarity, d.is_portable

    squash, twist = deform.squash(0.1), deform.twist(0.1)
    assert flags(deform.stack(squash, deform.scale(2.0))) == (True, True, True)
    assert flags(deform.stack(squash, twist)) == (False, False, True)
    assert flags(deform.stack(squash, own)) == (False, False, False)
    said = Deformer(own, keeps_convexity=True, is_portable=True)
    assert flags(deform.stack(squash, said)) == (True, False, True)


def test_a_function_of_your_own_is_a_deformer_and_a_world_takes_it():
    mine = Deformer(lambda rest, t: (rest * (1.0 + t)).tolist())
    assert np.array_equal(mine(BALL.points, 1.0), 2.0 * BALL.points)
    assert np.array_equal(mine(BALL.points), BALL.points)
    assert Deformer(lambda rest, t: rest)(BALL.points) is not BALL.points
    ball = Body(BALL, name="ball")
    world = World([ball], deform={"ball": deform.twist(lambda t: t)}, dt=0.5)
    list(world.run(3))
    assert np.array_equal(ball.positions, deform.twist(1.0)(BALL.points))


def test_it_says_how_it_was_made():
    ramp = motion.ramp((0.0, 1.0), (0.0, 1.0))
    assert repr(deform.twist(ramp, axis="x")) == f"twist({ramp}, axis='x')"
    assert repr(deform.scale(2.0, z=3.0)) == "scale(2.0, z=3.0)"
    both = deform.stack(deform.squash(0.1, about=(0, 0, 0)), other)
    assert repr(both) == "stack(squash(0.1, about=(0, 0, 0)), other)"
    assert repr(deform.blend([BALL.points], [ramp])) == (
        f"blend([<array 42 x 3>], [{ramp}])"
    )
    assert repr(EVERY["samples linear"]).startswith("samples(")
    for name, deformer in EVERY.items():
        assert repr(deformer).startswith(f"{name.split()[0]}(")


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (np.zeros((3, 3)), "returned by mine at time 0.5 have 3 vertices"),
        (np.zeros((42, 2)), r"returned by mine at time 0.5 have shape \(42, 2\)"),
        (np.full((42, 3), np.inf), "mine at time 0.5: vertex 0 is at"),
    ],
)
def test_a_function_that_returns_no_positions_is_named(returned, message):
    mine = Deformer(lambda rest, t: returned, name="mine")
    with pytest.raises(ValueError, match=message):
        mine(BALL.points, 0.5)


def test_what_cannot_be_called_is_none_and_no_vertices_are_no_trouble():
    with pytest.raises(TypeError, match="got float"):
        Deformer(0.5)
    with pytest.raises(TypeError, match="got float"):
        deform.stack(deform.squash(0.1), 0.5)
    for name in ("twist", "lattice", "dent"):
        assert EVERY[name](np.empty((0, 3)), 0.5).shape == (0, 3)
