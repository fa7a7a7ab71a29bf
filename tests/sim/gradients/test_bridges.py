import numpy as np
import pytest
from stories import derived

from sim import Body, Pose, closest
from sim.gradients.bridges import for_jax, for_torch
from wingedge import shapes


def where(a, b):
    return [a.positions, b.positions, a.transform, b.transform]


def weights():
    rng = np.random.default_rng(7)
    return [rng.normal(size=shape) for shape in ((), (3,), (3,), (3,))]


def by_small_steps(a, b, h=1e-6):
    """Differentiate a weighted sum of the four values by 24 of the coordinates."""

    def value(arrays):
        one, other = Body(a.mesh), Body(b.mesh)
        for body, points, pose in zip(
            (one, other), arrays[:2], arrays[2:], strict=True
        ):
            body.points, body.pose = points, Pose.from_matrix(pose)
        state = closest(one, other)
        told = (getattr(state, name) for name in derived.VALUES)
        return sum((w * x).sum() for w, x in zip(weights(), told, strict=True))

    slopes = []
    for k in range(4):
        found = np.zeros_like(where(a, b)[k])
        for i in np.ndindex(found.shape):
            for sign in (1.0, -1.0):
                arrays = [x.copy() for x in where(a, b)]
                arrays[k][i] += sign * h
                found[i] += sign * value(arrays) / (2.0 * h)
        slopes.append(found)
    return slopes


@pytest.fixture
def pair():
    a = Body(shapes.tetrahedron())
    pose = Pose.rigid((0.1, 0.5, 0.2, 0.8), (0.4, 0.2, 1.9))
    return a, Body(shapes.random_hull(2, 8), pose=pose)


def test_torch_differentiates_distance_normal_and_points(pair):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    slopes = by_small_steps(*pair)
    given = [torch.tensor(x, requires_grad=True) for x in where(*pair)]
    told = for_torch(*pair)(*given)
    made = zip(weights(), told, strict=True)
    sum((torch.as_tensor(w) * x).sum() for w, x in made).backward()
    for one, slope in zip(given, slopes, strict=True):
        assert one.grad.numpy() == pytest.approx(slope, abs=1e-6)


def test_torch_asks_no_derivative_of_a_normal_that_nobody_uses():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    cube = shapes.box((2.0, 2.0, 2.0))
    pair = Body(cube), Body(cube, pose=Pose(translation=(0.0, 0.0, 2.5)))
    given = [torch.tensor(x, requires_grad=True) for x in where(*pair)]
    for_torch(*pair)(*given)[0].backward()
    assert given[3].grad[2, 3] == 1.0
    assert all(torch.isfinite(x.grad).all() for x in given)


def test_jax_differentiates_distance_normal_and_points_compiled_too(pair):
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    slopes = by_small_steps(*pair)
    given = [x.copy() for x in where(*pair)]
    values = for_jax(*pair)

    def weighed(*given):
        made = zip(weights(), values(*given), strict=True)
        return sum((w * x).sum() for w, x in made)

    with jax.enable_x64(True):
        for differentiate in (jax.grad, lambda f, k: jax.jit(jax.grad(f, k))):
            told = differentiate(weighed, (0, 1, 2, 3))(*given)
            for one, slope in zip(told, slopes, strict=True):
                assert np.asarray(one) == pytest.approx(slope, abs=1e-6)
