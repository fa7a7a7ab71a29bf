"""Scripted motions: functions of time that say where a body is.

A motion is any function ``t -> Pose``; these are the usual ones. All of them are
portable to the bit: they use + - * / and square roots alone, so that the same time
gives the same bits on every machine. None of them is asked in order, so a run can be
taken up at any time. They do not change a body's shape, so convexity stays.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import pi, sqrt

from numpy.typing import ArrayLike

from sim.angles import on_circle
from sim.arguments import check_above_zero, check_number, check_vector
from sim.body.pose import Pose
from sim.calls import OverTime, by_call

Motion = Callable[[float], Pose]

_by_call = by_call(OverTime)

__all__ = ["linear", "press", "ramp", "spin", "stack", "still", "turn", "waypoints"]


@_by_call
def still(pose: Pose | None = None) -> Motion:
    """Stay at one pose."""
    at = Pose.identity() if pose is None else pose
    if not isinstance(at, Pose):
        raise TypeError(
            f"pose={pose!r} must be a sim.Pose, as in Pose(None, (0, 0, 1))"
        )
    return lambda t: at


@_by_call
def linear(velocity: ArrayLike, *, start: ArrayLike = (0.0, 0.0, 0.0)) -> Motion:
    """Move at a constant velocity, (3,), unturned; at ``start``, (3,), at time 0."""
    speed, origin = check_vector("velocity", velocity), check_vector("start", start)

    def move(t: float) -> Pose:
        return Pose(None, [o + v * t for o, v in zip(origin, speed, strict=True)])

    return move


@_by_call
def ramp(
    times: Sequence[float], values: Sequence[float], *, smooth: bool = False
) -> Callable[[float], float]:
    """Run through values at given times, in straight lines from one to the next.

    Parameters
    ----------
    times : sequence of float
        Ascending; before the first and after the last the value stays.
    values : sequence of float
        One for each time.
    smooth : bool
        Start and stop gently at every value, by ``3 s^2 - 2 s^3``.

    Returns
    -------
    callable
        Of t; the values themselves are met exactly.
    """
    if not isinstance(times, Iterable) or not isinstance(values, Iterable):
        raise TypeError(f"ramp({times!r}, {values!r}) needs a list of times, of values")
    when = [check_number("time", t) for t in times]
    what = [check_number("value", v) for v in values]
    if not when or len(when) != len(what):
        raise ValueError(
            f"{len(when)} times for {len(what)} values; give one for each, and one at "
            f"least"
        )
    if any(not b > a for a, b in pairwise(when)):
        raise ValueError(f"times {when} must ascend")

    def value(t: float) -> float:
        if t <= when[0]:
            return what[0]
        for k in range(1, len(when)):
            if t < when[k]:
                s = (t - when[k - 1]) / (when[k] - when[k - 1])
                if smooth:
                    s = s * s * (3.0 - 2.0 * s)
                return what[k - 1] + s * (what[k] - what[k - 1])
        return what[-1]

    return value


@_by_call
def waypoints(
    times: Sequence[float], points: Sequence[ArrayLike], *, smooth: bool = False
) -> Motion:
    """Travel from point to point, unturned, being at each at its time.

    Parameters
    ----------
    times : sequence of float
        Ascending; before the first and after the last the body stays.
    points : (n, 3) array_like
        Where its origin is then, world frame; one for each time.
    smooth : bool
        Start and stop gently at every point, as `ramp` does.
    """
    route = [check_vector("waypoint", point) for point in points]
    axes = [ramp(times, axis, smooth=smooth) for axis in zip(*route, strict=True)]
    if not axes:
        raise ValueError("a way needs one point at least")
    return lambda t: Pose(None, [axis(t) for axis in axes])


@_by_call
def press(
    start: ArrayLike,
    end: ArrayLike,
    *,
    down: float = 1.0,
    hold: float = 0.5,
    up: float = 1.0,
    smooth: bool = True,
) -> Motion:
    """Press and release: travel to ``end``, stay there, and travel back.

    Parameters
    ----------
    start, end : (3,) array_like
        Where the body's origin is, world frame.
    down, hold, up : float
        How long the three parts take, above 0.
    smooth : bool
        Start and stop gently.
    """
    for name, part in (("down", down), ("hold", hold), ("up", up)):
        check_above_zero(name, part)
    times = (0.0, down, down + hold, down + hold + up)
    return waypoints(times, (start, end, end, start), smooth=smooth)


@_by_call
def turn(axis: ArrayLike, angle: Callable[[float], float]) -> Motion:
    """Turn about an axis through the body's origin by an angle that depends on time.

    Parameters: ``axis`` (3,): need not be a unit vector; ``angle``: radians,
    counter-clockwise seen against the axis.

    Portable to the bit if the angle is: a quaternion whose sine and cosine are summed
    from their series, because library ones differ in the last bit between machines.
    """
    x, y, z = check_vector("axis", axis)
    if not callable(angle):
        raise TypeError(f"angle={angle!r} must be a function of time; see also spin()")
    length = sqrt(x * x + y * y + z * z)
    if not length > 0.0:
        raise ValueError("a turn needs an axis that is not zero")

    def turned(t: float) -> Pose:
        cosine, sine = on_circle(angle(t) / (4.0 * pi))
        s = sine / length
        return Pose.rigid((s * x, s * y, s * z, cosine))

    return turned


@_by_call
def spin(axis: ArrayLike, rate: float, *, phase: float = 0.0) -> Motion:
    """Turn steadily about an axis through the body's origin (see `turn`).

    Parameters
    ----------
    axis : (3,) array_like
        Need not be a unit vector.
    rate : float
        Radians per unit of time, counter-clockwise seen against the axis.
    phase : float
        The angle at time 0.
    """
    speed, first = check_number("rate", rate), check_number("phase", phase)
    return turn(axis, lambda t: first + speed * t)


@_by_call
def stack(*motions: Motion) -> Motion:
    """Do several motions at once, the first one first: ``stack(turn, move)``.

    Portable to the bit if all of them are.
    """
    if not motions:
        raise ValueError("stack() needs one motion at least")
    if not all(map(callable, motions)):
        raise TypeError("stack() needs motions, as in stack(spin(axis, 1.0), fall)")

    def moved(t: float) -> Pose:
        pose = motions[0](t)
        for motion in motions[1:]:
            pose = motion(t) @ pose
        return pose

    return moved
