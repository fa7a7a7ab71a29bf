"""Move a point or a sphere among obstacles, and never through one.

Of motions that meet one plane: the article's own forms (Yamazaki 2002), repaired.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import check_count, check_vector
from sim.response.obstacles import Index, Things, obstacles_of
from sim.response.walk import FREE, ROUNDING, ObstacleContact, Outcome, SphereWalk
from sim.tracking.options import check_length
from wingedge import columns
from wingedge.columns import Column, Vector, along, direction, dot, rows, subtract
from wingedge.primitives.arguments import lengths, points

Floats = NDArray[np.float64]

RESPONSES = ("slide", "stop", "push")


def move_point(
    start: ArrayLike, end: ArrayLike, obstacles: Things, **options: Any
) -> Outcome:
    """Move a point: the sphere of radius 0; `move_sphere` says the rest, and options.

    ``epsilon``, how near it may come, is 2^-20, a millionth, of the longest side of the
    box around all obstacles if left out.
    """
    return move_sphere(start, end, 0.0, obstacles, **options)


def move_sphere(
    start: ArrayLike,
    end: ArrayLike,
    radius: float,
    obstacles: Things,
    *,
    response: str = "slide",
    epsilon: float | None = None,
    iterations: int = 32,
) -> Outcome:
    """Move a sphere's centre from start to end, as far as the obstacles let it.

    Raises TypeError or ValueError if an argument cannot be what it is said to be, or is
    not finite.

    Returns: where it is, what it met, and in a word what became of it: "free", nothing
    was in the way, the end is ``end`` to the bit; "slide", the motion was used up along
    what was met; "stop", it came to rest, as asked for, head on, or in a corner;
    "push", as asked for, or it began too near, was pushed off, and was free then;
    "escape", the iterations were used up; "overlap", it is too near to something still.

    *Never through.* No point of ``path`` is nearer to any triangle than radius and
    epsilon, less 2^-42 of the largest coordinate among those of the start and the
    triangles near, or of the radius. What begins nearer is pushed off first, by a short
    way; where there is no room it may still move where that brings it no nearer to
    anything than it was to the nearest, or an eighth of radius and epsilon. A centre
    that begins on a triangle exactly (case B of eq. 12) is taken to be in front of it,
    outside for a closed mesh, and leaves it to the front only, without rounding.

    Cost: some 10 ms, more with the pieces needed and with triangles within the length
    of the motion. After Yamazaki (2002), 5.4 and 6.

    Parameters: ``start``, ``end`` (3,): where the centre is and is to go, world frame.
    ``radius``: 0 or more. ``obstacles``: triangles (T, 3, 3), meshes at rest, bodies as
    they are now, several of them, or anything with ``triangles`` and ``near(lower,
    upper)``, such as `Obstacles`, which gathers them once for many motions, and the
    trees of `wingedge.spatial`; both sides of a triangle are in the way. ``response``:
    at what is met, "slide": go on along it with the rest of the motion, turned again at
    everything else that is met (eq. 22 to 25 and their loop), "stop": come to rest
    there (eq. 19, 20), "push": come to rest over the point met, lifted off along the
    normal (eq. 21). ``epsilon``: the distance kept between the sphere and every
    triangle, 2^-10 of the radius if left out; one that rounding would swallow is taken
    as 2^-41 of the largest coordinate, or half of that. ``iterations``: how many
    straight pieces are tried before it stops where it is ("escape").
    """
    begin = np.array(check_vector("start", start))
    aim = np.array(check_vector("end", end))
    if response not in RESPONSES:
        raise ValueError(f"response={response!r} must be one of {', '.join(RESPONSES)}")
    check_count("iterations", iterations, least=1)
    radius = check_length("radius", radius)
    index = obstacles_of(obstacles)
    gap = check_length("epsilon", radius * 2.0**-10 if epsilon is None else epsilon)
    if epsilon is None and radius == 0.0 and len(index.triangles):
        sides = np.ptp(np.asarray(index.triangles, float).reshape(-1, 3), axis=0)
        gap = float(sides.max()) * 2.0**-20
    return _moved(index, begin, aim, radius, gap, response, iterations)


def _moved(
    index: Index,
    begin: Floats,
    aim: Floats,
    radius: float,
    gap: float,
    response: str,
    iterations: int,
) -> Outcome:
    """Move a sphere among triangles: from and to, radius and epsilon are checked."""
    with np.errstate(over="ignore"):
        size = float(np.abs(aim - begin).max()) * 2.0
        reach = size + 8.0 * (radius + gap)
        ids = np.asarray(index.near(begin - reach, begin + reach), np.intp)
    if not np.isfinite(size):
        raise ValueError("start and end are further apart than floats reach")
    if not len(ids):
        return Outcome(aim.copy(), FREE, 0, aim - aim, (), np.array([begin, aim]))
    # in a unit in which the largest coordinate is in [0.5, 1): squares neither overflow
    # nor vanish, and the answers are the same bits in units that are powers of two
    triangles = np.asarray(index.triangles, np.float64)[ids]
    largest = max(float(np.abs(x).max()) for x in (begin, triangles, radius + gap))
    power = int(np.frexp(largest)[1])
    bare, lift, *places = (np.ldexp(x, -power) for x in (radius, gap, begin, aim))
    keep = float(bare + max(lift, 4.0 * ROUNDING))
    walk = SphereWalk(np.ldexp(triangles, -power), places[0], keep)
    word = walk.respond(response, places[1] - places[0], float(bare), iterations)
    path = np.array([np.ldexp(place, power) for place in walk.path])
    path[0] = begin
    if word == FREE:
        path[-1] = aim
    contacts = tuple(
        ObstacleContact(int(ids[row]), met.t, np.ldexp(met.point, power), met.normal)
        for row, met in walk.met.items()
    )
    end = path[-1].copy()
    return Outcome(end, word, walk.iterations, aim - end, contacts, path)


EPSILON = 0.001  # eq. 13: a length, whatever the scene; the default of these forms only


def stop_short(
    start: ArrayLike, end: ArrayLike, t: ArrayLike, epsilon: ArrayLike = EPSILON
) -> Floats:
    """Stop motions a little before the point that they meet (eq. 19, 20).

    Returns (..., 3) float64: points between the start and the point met. Raises
    ValueError if a number is not finite, epsilon is negative, or t is not in [0, 1].

    Defect repaired: as printed, a motion that meets something within epsilon moves
    backwards, and one of no length divides by zero; here both stay at the start. What
    is left to the plane is epsilon times the sine of the angle at which it is met.

    Parameters: ``start``, ``end`` (..., 3): where the motions begin and were to end,
    one frame; shapes broadcast. ``t`` (...): how much of each is made when it meets
    something, in [0, 1] (eq. 16). ``epsilon`` (...): how far before that point to stop,
    a length along the motion.
    """
    begin, stop = points(3, start=start, end=end)
    short, share = lengths(epsilon=epsilon, t=t)
    if (share > 1).any():
        raise ValueError(f"t is {share.max()}: give a share of the motion, 0 to 1")
    step = subtract(stop, begin)
    way, length = _unit((share * step[0], share * step[1], share * step[2]))
    return rows(along(begin, way, np.maximum(length - short, 0.0)))


def push_off(
    point: ArrayLike, normal: ArrayLike, side: ArrayLike, epsilon: ArrayLike = EPSILON
) -> Floats:
    """Lift points off the planes that they lie on, to the side they came from (eq. 21).

    Returns (..., 3) float64. Raises ValueError if a number is not finite, or epsilon is
    negative. Defect repaired, as the article proposes: as printed, what comes from
    behind is put through to the front.

    Parameters: ``point`` (..., 3): on planes, one frame; shapes broadcast. ``normal``
    (..., 3): of the planes, any length; of no length, the point stays. ``side`` (...):
    the sign of eq. 10, above 0 in front, below 0 behind; 0, a start on the plane
    itself, counts as in front. ``epsilon`` (...): how far to lift, a length.
    """
    on, across = points(3, point=point, normal=normal)
    (height,) = lengths(epsilon=epsilon)
    return rows(along(on, _unit(across)[0], _facing(side) * height))


def slide(
    end: ArrayLike,
    normal: ArrayLike,
    offset: ArrayLike,
    epsilon: ArrayLike = EPSILON,
    side: ArrayLike = 1,
) -> Floats:
    """Shift ends of motions along the normal to just before the plane (eq. 22 to 25).

    Returns points (..., 3) at least epsilon from the plane, on that side. An end that
    is there already stays: nothing is drawn to the plane. Errors and repair as for
    `push_off`.

    Parameters: ``end`` (..., 3): where the motions were to end, one frame; shapes
    broadcast. ``normal``, ``offset`` (..., 3), (...): the planes ``normal . x =
    offset``; of a normal of no length, the end stays. ``epsilon`` (...): how far before
    the plane, a length. ``side`` (...): as in `push_off`.
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
