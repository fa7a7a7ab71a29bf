"""Move a point or a sphere among obstacles, and never through one."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import check_number
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
from wingedge.primitives.arguments import points

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

    The sphere of radius 0: see `move_sphere`. Left out, epsilon is 2^-20, a millionth,
    of the longest side of the box around all obstacles.
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

    Returns
    -------
    Outcome
        Where it is, what became of it in a word, and what it met:
        "free", nothing was in the way, the end is ``end`` to the bit;
        "slide", the motion was used up along what was met;
        "stop", it came to rest: as asked for, head on, or in a corner;
        "push", as asked for; or it began too near, was pushed off, and was free then;
        "escape", the iterations were used up;
        "overlap", it began too near to something and still is.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be what it is said to be, or is not finite.

    Notes
    -----
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
    radius = _length_of("radius", radius)
    index = obstacles_of(obstacles)
    gap = _gap(index, radius) if epsilon is None else _length_of("epsilon", epsilon)
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


def _length_of(name: str, given: float) -> float:
    number = check_number(name, given)
    if number < 0:
        raise ValueError(f"{name}={given!r}: a length is not negative")
    return number


def _refuse(response: str, iterations: int) -> None:
    if response not in RESPONSES:
        raise ValueError(f"response={response!r} must be one of {', '.join(RESPONSES)}")
    if isinstance(iterations, bool) or not isinstance(iterations, int | np.integer):
        raise TypeError(f"iterations={iterations!r} must be a whole number")
    if iterations < 1:
        raise ValueError(f"iterations={iterations} must be 1 or more")
