"""Move a point or a sphere among obstacles, and never through one.

The corrections of motions that meet a plane are the article's own forms (Yamazaki
2002), one motion and one plane each, with their defects repaired.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.response.obstacles import Index, obstacles_of
from sim.response.surroundings import Surroundings
from sim.response.walk import (
    FREE,
    OVERLAP,
    PUSH,
    ObstacleContact,
    Outcome,
    SphereMotion,
)
from sim.tracking.options import check_length
from wingedge import columns
from wingedge.columns import Column, Vector, along, direction, dot, rows, subtract
from wingedge.primitives.arguments import lengths, points

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sim.body import Body
    from wingedge import WingedEdgeMesh

    Thing = ArrayLike | WingedEdgeMesh | Body
    Things = Thing | Index | Iterable[Thing]

Floats = NDArray[np.float64]

RESPONSES = ("slide", "stop", "push")


def move_point(
    start: ArrayLike,
    end: ArrayLike,
    obstacles: "Things",
    *,
    response: str = "slide",
    epsilon: float | None = None,
    iterations: int = 32,
) -> Outcome:
    """Move a point from start to end, as far as the obstacles let it.

    The sphere of radius 0: `move_sphere` says what is promised and raised.

    Parameters
    ----------
    start, end : (3,) array_like
        Where the point is and is to go, world frame.
    obstacles, response, iterations
        As for `move_sphere`.
    epsilon : float, optional
        How near it may come; 2^-20, a millionth, of the longest side of the box around
        all obstacles if left out.
    """
    return _move(start, end, 0.0, obstacles, response, epsilon, iterations)


def move_sphere(
    start: ArrayLike,
    end: ArrayLike,
    radius: float,
    obstacles: "Things",
    *,
    response: str = "slide",
    epsilon: float | None = None,
    iterations: int = 32,
) -> Outcome:
    """Move a sphere's centre from start to end, as far as the obstacles let it.

    Raises TypeError or ValueError if an argument cannot be what it is said to be, or is
    not finite.

    Returns: where it is, what became of it in a word, and what it met: "free", nothing
    was in the way, the end is ``end`` to the bit; "slide", the motion was used up along
    what was met; "stop", it came to rest: as asked for, head on, or in a corner;
    "push", as asked for; or it began too near, was pushed off, and was free then;
    "escape", the iterations were used up; "overlap", it began too near to something and
    still is.

    *Never through.* The centre goes along ``path``, and no point of that is nearer to
    any triangle than radius and epsilon, less 2^-42 of the largest coordinate among
    those of the start and the triangles near, or of the radius. What begins nearer than
    that is pushed off first, by a short way; where there is no room, between walls that
    are too narrow, it may still move where that brings it no nearer to anything than it
    was to the nearest, or an eighth of radius and epsilon. A centre that begins on a
    triangle exactly (case B of eq. 12) is taken to be in front of it, outside for a
    closed mesh, and leaves it to the front only, decided without rounding.

    A triangle is convex, so a straight motion that does not approach it at first never
    does. So only what is approached is in the way, and the next triangle of the same
    flat wall does not catch what slides along.

    Cost: 1 to 3 ms, more with the pieces needed and with triangles within the length of
    the motion. After Yamazaki (2002), 5.4 and 6.

    Parameters
    ----------
    start, end : (3,) array_like
        Where the centre is and is to go, world frame.
    radius : float
        0 or more.
    obstacles : array_like, WingedEdgeMesh, Body, several of them, or an index
        Triangles (T, 3, 3), meshes at rest, bodies as they are now; or anything with
        ``triangles`` and ``near(lower, upper)``, such as `Obstacles`, which gathers
        them once for many motions, and the trees of `wingedge.spatial`. Both sides of
        a triangle are in the way.
    response : {"slide", "stop", "push"}
        At what is met: go on along it with the rest of the motion, turned again at
        everything else that is met, along the crease of two planes, to rest in a corner
        of three (eq. 22 to 25 and their loop); come to rest there (eq. 19, 20); or
        come to rest over the point met, lifted off along the normal (eq. 21).
    epsilon : float, optional
        The distance kept between the sphere and every triangle. Left out, 2^-10, a
        thousandth, of the radius. One that rounding would swallow is taken as 2^-41 of
        the largest coordinate, or half of that.
    iterations : int
        How many straight pieces are tried before it stops where it is ("escape").
    """
    return _move(start, end, radius, obstacles, response, epsilon, iterations)


def _move(
    start: ArrayLike,
    end: ArrayLike,
    radius: float,
    obstacles: Any,
    response: str,
    epsilon: float | None,
    iterations: int,
) -> Outcome:
    begin, aim = _place("start", start), _place("end", end)
    _refuse(response, iterations)
    radius = check_length("radius", radius)
    index = obstacles_of(obstacles)
    gap = _gap(index, radius) if epsilon is None else check_length("epsilon", epsilon)
    with np.errstate(over="ignore"):
        motion = aim - begin
        size = float(np.abs(motion).max()) * 2.0
    if not np.isfinite(size):
        raise ValueError("start and end are further apart than floats reach")
    around = Surroundings(index, begin, size + 8.0 * (radius + gap), radius + gap)
    if not len(around):
        return Outcome(aim.copy(), FREE, 0, aim - aim, (), np.array([begin, aim]))
    power = around.power
    keep = float(np.ldexp(radius, -power))
    keep += max(float(np.ldexp(gap, -power)), 4.0 * around.rounding)
    walk = SphereMotion(around, np.ldexp(begin, -power), keep)
    motion = np.ldexp(aim, -power) - walk.view.here
    walk.leave(iterations - 1)
    if response == "slide":
        word = walk.slide(motion, iterations)
    elif response == "stop":
        word, _ = walk.stop(motion)
    else:
        word = walk.push(motion, float(np.ldexp(radius, -power)), iterations)
    path = [np.ldexp(place, power) for place in walk.path]
    path[0] = begin
    if word == FREE and walk.pushed:
        word = PUSH
    elif word == FREE:
        path[-1] = aim
    if walk.is_crowded():
        word = OVERLAP
    contacts = tuple(
        ObstacleContact(
            int(around.ids[row]), met.t, np.ldexp(met.point, power), met.normal.copy()
        )
        for row, met in walk.met.items()
    )
    end = path[-1].copy()
    return Outcome(end, word, walk.iterations, aim - end, contacts, np.array(path))


def _gap(index: Index, radius: float) -> float:
    """Return the distance that is kept if none is given."""
    if radius > 0:
        return radius * 2.0**-10
    triangles = np.asarray(index.triangles, np.float64).reshape(-1, 3)
    if not len(triangles):
        return 0.0
    return float((triangles.max(axis=0) - triangles.min(axis=0)).max()) * 2.0**-20


def _place(name: str, given: ArrayLike) -> Floats:
    (place,) = points(3, **{name: given})
    out = np.array([float(x) for x in place]) if np.ndim(place[0]) == 0 else None
    if out is None:
        raise ValueError(f"{name} has shape {np.shape(given)}; give one point, (3,)")
    return out


def _refuse(response: str, iterations: int) -> None:
    if response not in RESPONSES:
        raise ValueError(f"response={response!r} must be one of {', '.join(RESPONSES)}")
    if isinstance(iterations, bool) or not isinstance(iterations, int | np.integer):
        raise TypeError(f"iterations={iterations!r} must be a whole number")
    if iterations < 1:
        raise ValueError(f"iterations={iterations} must be 1 or more")


EPSILON = 0.001  # eq. 13: a length, whatever the scene; the default of these forms only


def stop_short(
    start: ArrayLike, end: ArrayLike, t: ArrayLike, epsilon: ArrayLike = EPSILON
) -> NDArray[np.float64]:
    """Stop motions a little before the point that they meet (eq. 19, 20).

    Returns (..., 3) float64: points between the start and the point met.

    Raises ValueError if a number is not finite, epsilon is negative, or t is not in [0,
    1].

    Defect repaired: as printed, a motion that meets something within epsilon moves
    backwards, and one of no length divides by zero; here both stay at the start. The
    distance left to the plane is epsilon times the sine of the angle at which it is
    met, so less than epsilon: `sim.response.move_point` keeps all of it.

    Parameters
    ----------
    start, end : (..., 3) array_like
        Where the motions begin and were to end, one frame; shapes broadcast.
    t : (...) array_like
        How much of each motion is made when it meets something, in [0, 1] (eq. 16).
    epsilon : (...) array_like
        How far before that point to stop: a length, along the motion.
    """
    (begin, stop), (short, share) = (
        points(3, start=start, end=end),
        lengths(epsilon=epsilon, t=t),
    )
    if (share > 1).any():
        raise ValueError(f"t is {share.max()}: give a share of the motion, 0 to 1")
    step = subtract(stop, begin)
    way, length = _unit((share * step[0], share * step[1], share * step[2]))
    return rows(along(begin, way, np.maximum(length - short, 0.0)))


def push_off(
    point: ArrayLike, normal: ArrayLike, side: ArrayLike, epsilon: ArrayLike = EPSILON
) -> NDArray[np.float64]:
    """Lift points off the planes that they lie on, to the side they came from (eq. 21).

    Returns (..., 3) float64. Raises ValueError if a number is not finite, or epsilon is
    negative. Defect repaired, as the article proposes: as printed, what comes from
    behind is put through to the front.

    Parameters
    ----------
    point : (..., 3) array_like
        Points on planes, one frame; shapes broadcast.
    normal : (..., 3) array_like
        Normals of the planes, any length; of no length, the point stays.
    side : (...) array_like
        Which side each came from: the sign of eq. 10, above 0 in front, below 0 behind.
        0, a start on the plane itself, counts as in front.
    epsilon : (...) array_like
        How far to lift: a length.
    """
    on, across = points(3, point=point, normal=normal)
    (height,) = lengths(epsilon=epsilon)
    unit, _ = _unit(across)
    return rows(along(on, unit, _facing(side) * height))


def slide(
    end: ArrayLike,
    normal: ArrayLike,
    offset: ArrayLike,
    epsilon: ArrayLike = EPSILON,
    side: ArrayLike = 1,
) -> NDArray[np.float64]:
    """Shift ends of motions along the normal to just before the plane (eq. 22 to 25).

    Returns points (..., 3) at least epsilon from the plane, on that side. An end that
    is there already stays: nothing is drawn to the plane. Raises ValueError if a number
    is not finite, or epsilon is negative. Defect repaired: as printed, what comes from
    behind is put through to the front.

    Parameters
    ----------
    end : (..., 3) array_like
        Where the motions were to end, one frame; shapes broadcast.
    normal, offset : (..., 3), (...) array_like
        The planes ``normal . x = offset``; normals of any length. Of no length, the end
        stays.
    epsilon : (...) array_like
        How far before the plane: a length.
    side : (...) array_like
        Which side each came from, as in `push_off`.
    """
    stop, across = points(3, end=end, normal=normal)
    (height,) = lengths(epsilon=epsilon)
    ((level,),) = points(1, offset=np.asarray(offset, np.float64)[..., None])
    unit, size = _unit(across)
    flat = size == 0
    reach = level / np.where(flat, 1.0, size)  # the plane's distance from the origin
    towards = _facing(side)
    before = towards * (dot(unit, stop) - reach)  # eq. 25: -m_0, seen from that side
    shift = np.where(flat, 0.0, np.maximum(height - before, 0.0))  # eq. 22
    return rows(along(stop, unit, towards * shift))  # eq. 23


def _facing(side: ArrayLike) -> Column:
    """Take sides as 1 (in front, or on the plane) or -1."""
    ((given,),) = points(1, side=np.asarray(side, np.float64)[..., None])
    return np.where(given < 0, -1.0, 1.0)


def _unit(vector: Vector) -> tuple[Vector, Column]:
    """Find directions and lengths, also where squares overflow or vanish."""
    near, power = columns.near_one(vector)
    return direction(near), np.ldexp(columns.length(near), power)
