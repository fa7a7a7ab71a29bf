"""Answers that PyTorch and JAX differentiate: functions of positions and poses.

Both frameworks are optional; each is imported when its function is called.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.body.body import Body
from sim.gradients import Derivatives, derivatives
from sim.gradients.carriers import Array
from sim.tracking.pair import closest

VALUES = ("distance", "normal", "point_a", "point_b")


def placed(a: Body, b: Body, where: Sequence[Any]) -> Derivatives:
    """Put both bodies at points_a, points_b, pose_a, pose_b and differentiate there."""
    for body, points, pose in zip((a, b), where[:2], where[2:], strict=True):
        body.points = np.asarray(points, np.float64)
        body.transform[...] = pose
    return derivatives(closest(a, b))


def pulled_back(found: Derivatives, by: Sequence[Any]) -> list[Array]:
    """Turn derivatives by the four values into derivatives by where the bodies are."""
    state = found.state
    sums = [np.zeros(body.positions.shape) for body in (state.a, state.b)]
    sums += [np.zeros((3, 4)) for _ in "ab"]
    for name, given in zip(VALUES, by, strict=True):
        weight = np.asarray(given, np.float64)
        if not weight.any():
            continue  # nobody asks: of a normal that has none, NaN would spread
        one = getattr(found, name)
        for k, (ids, rows) in enumerate((one.points_a, one.points_b)):
            sums[k][ids] += np.tensordot(weight, rows, weight.ndim)
        for k, pose in enumerate((one.pose_a, one.pose_b), 2):
            sums[k] += np.tensordot(weight, pose, weight.ndim)
    return sums


def for_torch(a: Body, b: Body) -> Callable[..., Any]:
    """Return a function of tensors that answers for two bodies and has gradients.

    ``f(points_a, points_b, pose_a, pose_b)``, (V, 3) in the body's frame and (3, 4),
    returns distance, normal, point_a and point_b.  It moves the bodies.
    """
    import torch

    def forward(ctx: Any, *where: Any) -> Any:
        ctx.found = placed(a, b, [x.detach().cpu().numpy() for x in where])
        ctx.where = where
        values = (getattr(ctx.found.state, name) for name in VALUES)
        return tuple(torch.as_tensor(value).to(where[0]) for value in values)

    def backward(ctx: Any, *by: Any) -> Any:
        sums = pulled_back(ctx.found, [x.detach().cpu().numpy() for x in by])
        made = zip(sums, ctx.where, strict=True)
        return tuple(torch.as_tensor(x).to(like) for x, like in made)

    both = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    made: Any = type("Closest", (torch.autograd.Function,), both)
    apply: Callable[..., Any] = made.apply
    return apply


def for_jax(a: Body, b: Body) -> Callable[..., Any]:
    """Return a function of arrays that answers for two bodies and has gradients.

    As ``for_torch``; ``jax.jit`` may compile what calls it: it asks the host.
    """
    import jax

    def like(shape: tuple[int, ...], where: Any) -> Any:
        return jax.ShapeDtypeStruct(shape, where[0].dtype)

    def answer(*where: Any) -> Any:
        state = placed(a, b, where).state
        return [np.asarray(getattr(state, k), where[0].dtype) for k in VALUES]

    def back(where: Any, by: Any) -> Any:
        sums = pulled_back(placed(a, b, where), by)
        return [x.astype(where[0].dtype) for x in sums]

    def values(*where: Any) -> Any:
        shapes = [like(k, where) for k in ((), (3,), (3,), (3,))]
        return tuple(jax.pure_callback(answer, shapes, *where))

    def forward(*where: Any) -> Any:
        return values(*where), where

    def backward(where: Any, by: Any) -> Any:
        shapes = [like(x.shape, where) for x in where]
        return tuple(jax.pure_callback(back, shapes, where, by))

    made: Any = jax.custom_vjp(values)
    made.defvjp(forward, backward)
    apply: Callable[..., Any] = made
    return apply
