"""The triangles of a convex cover: their connectivity, and the changes made to it.

Half-edge ``3 f + s`` runs from corner s of triangle f to the next one; ``twin`` is the
other half of the same edge.  All that is kept between frames is this connectivity, ids
only.  Every decision is the sign of a determinant, computed without rounding.

Seen from a point inside, the *eye*, the triangles cover the sphere of directions once.
A flip, a removal and an insertion each change a part of that picture within its rim.
"""

from typing import NamedTuple

from sim.kernels.exact import Expansion, side_of
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.walk.simplex import corner

DEAD = -1  # corner of a triangle that is free

# What is counted.
FACES = 0  # triangles in use, the free ones between them included
FREE = 1
QUEUED = 2
FLIPS = 3
REMOVALS = 4
INSERTIONS = 5
FLAT = 6  # edges that bend by nothing
COUNTS = 7

# The row of floats.
EYE = 0  # 0, 1, 2
EXTENT = 3  # 3, 4, 5: along the axes
BLUR = 6  # of a determinant of three differences, see ``exact.ROUNDING``
VOLUME = 7  # six times
ROW = 8


class HullMesh(NamedTuple):
    """The flat buffers of a cover of V vertices, with room for R = 2 V triangles."""

    points: Floats  # 3 V
    size: int  # V
    corner: Ints  # 3 R, counter-clockwise seen from outside
    twin: Ints  # 3 R
    at: Ints  # V: a half-edge that leaves the vertex, or -1 - a triangle it lies below
    queue: Ints  # 3 R scratch: edges to be looked at
    queued: Ints  # 3 R scratch: whether they are
    free: Ints  # R scratch: triangles without corners
    ring: Ints  # V scratch: vertices around a hole
    rim: Ints  # V scratch: the half-edges outside, from each of them to the one before
    counts: Ints  # see FACES
    row: Floats  # see EYE
    expansion: Expansion


@kernel
def after(h: int) -> int:
    """Return the next half-edge of the same triangle."""
    return h - 2 if h % 3 == 2 else h + 1


@kernel
def before(h: int) -> int:
    """Return the half-edge before in the same triangle."""
    return h + 2 if h % 3 == 0 else h - 1


@kernel
def eye_of(c: HullMesh) -> Vec:
    """Return the point that all is seen from."""
    return (c.row[EYE], c.row[EYE + 1], c.row[EYE + 2])


@kernel
def height(c: HullMesh, i: int, j: int, k: int, v: int) -> int:
    """Say whether a vertex lies above (1), below (-1) or on the plane of three."""
    p = c.points
    return side_of(
        corner(p, i), corner(p, j), corner(p, k), corner(p, v), c.row[BLUR], c.expansion
    )


@kernel
def turn(c: HullMesh, i: int, j: int, k: int) -> int:
    """Say whether three vertices turn left (1) or right (-1) as seen from the eye.

    Counter-clockwise for one who stands outside and looks back at the eye.
    """
    p = c.points
    a = corner(p, i)
    return -side_of(a, corner(p, j), corner(p, k), eye_of(c), c.row[BLUR], c.expansion)


@kernel
def bend(c: HullMesh, h: int) -> int:
    """Say whether the surface is reflex (1), convex (-1) or flat along an edge."""
    beyond = c.corner[before(c.twin[h])]
    return height(c, c.corner[h], c.corner[after(h)], c.corner[before(h)], beyond)


@kernel
def join(c: HullMesh, h: int, t: int) -> None:
    """Make two half-edges the halves of one edge."""
    c.twin[h] = t
    c.twin[t] = h


@kernel
def push(c: HullMesh, h: int) -> None:
    """Have an edge looked at."""
    if c.queued[h] == 0:
        c.queued[h] = 1
        c.queue[c.counts[QUEUED]] = h
        c.counts[QUEUED] += 1


@kernel
def pop(c: HullMesh) -> int:
    """Take the edge that was pushed last."""
    c.counts[QUEUED] -= 1
    h = c.queue[c.counts[QUEUED]]
    c.queued[h] = 0
    return h


@kernel
def release(c: HullMesh, f: int) -> None:
    """Free a triangle."""
    c.corner[3 * f] = DEAD
    c.corner[3 * f + 1] = DEAD
    c.corner[3 * f + 2] = DEAD
    c.free[c.counts[FREE]] = f
    c.counts[FREE] += 1


@kernel
def put(c: HullMesh, i: int, j: int, k: int) -> int:
    """Make a triangle, not yet joined to others; return its number."""
    if c.counts[FREE] > 0:
        c.counts[FREE] -= 1
        f = c.free[c.counts[FREE]]
    else:
        f = c.counts[FACES]
        c.counts[FACES] += 1
    c.corner[3 * f] = i
    c.corner[3 * f + 1] = j
    c.corner[3 * f + 2] = k
    c.at[i] = 3 * f
    c.at[j] = 3 * f + 1
    c.at[k] = 3 * f + 2
    return f


@kernel
def flip(c: HullMesh, h: int) -> None:
    """Replace an edge by the other diagonal of its two triangles (a 2-2 flip)."""
    t = c.twin[h]
    tail = c.corner[h]
    tip = c.corner[t]
    left = c.corner[before(h)]
    right = c.corner[before(t)]
    c.corner[after(h)] = right
    c.corner[after(t)] = left
    beside_tip = c.twin[after(h)]
    beside_tail = c.twin[after(t)]
    join(c, h, beside_tail)
    join(c, t, beside_tip)
    join(c, after(h), after(t))
    c.at[tail] = h
    c.at[tip] = t
    c.at[left] = before(h)
    c.at[right] = before(t)
    c.counts[FLIPS] += 1
    push(c, h)
    push(c, t)
    push(c, before(h))
    push(c, before(t))


@kernel
def open_star(c: HullMesh, v: int) -> int:
    """Free the triangles around a vertex; list the rim of the hole, return its length.

    ``rim[i]`` lies outside and runs from ``ring[i + 1]`` back to ``ring[i]``.
    """
    first = c.at[v]
    h = first
    n = 0
    while n == 0 or h != first:
        c.ring[n] = c.corner[after(h)]
        c.rim[n] = c.twin[after(h)]
        n += 1
        h = c.twin[before(h)]
    h = first
    for _ in range(n):
        f = h // 3
        h = c.twin[before(h)]
        release(c, f)
    return n


@kernel
def is_ear(c: HullMesh, n: int, i: int) -> bool:
    """Say whether a corner of the hole can be cut off.

    Seen from the eye it is convex, without another corner inside.
    """
    u = c.ring[(i + n - 1) % n]
    v = c.ring[i]
    w = c.ring[(i + 1) % n]
    if turn(c, u, v, w) <= 0:
        return False
    for k in range(n - 3):
        x = c.ring[(i + 2 + k) % n]
        if turn(c, u, v, x) >= 0 and turn(c, v, w, x) >= 0 and turn(c, w, u, x) >= 0:
            return False
    return True


@kernel
def remove(c: HullMesh, v: int) -> bool:
    """Take a vertex off the cover and close the hole (a 3-1 flip, or a larger one).

    False where the hole cannot be closed; the cover is then broken.
    """
    n = open_star(c, v)
    c.counts[REMOVALS] += 1
    while n > 3:
        ear = -1
        for i in range(n):
            if is_ear(c, n, i):
                ear = i
                break
        if ear < 0:
            return False
        prior = (ear + n - 1) % n
        f = put(c, c.ring[prior], c.ring[ear], c.ring[(ear + 1) % n])
        join(c, 3 * f, c.rim[prior])
        join(c, 3 * f + 1, c.rim[ear])
        push(c, 3 * f)
        push(c, 3 * f + 1)
        push(c, 3 * f + 2)
        c.rim[prior] = 3 * f + 2
        n -= 1
        for i in range(ear, n):
            c.ring[i] = c.ring[i + 1]
            c.rim[i] = c.rim[i + 1]
    if turn(c, c.ring[0], c.ring[1], c.ring[2]) <= 0:
        return False
    f = put(c, c.ring[0], c.ring[1], c.ring[2])
    for i in range(3):
        join(c, 3 * f + i, c.rim[i])
        push(c, 3 * f + i)
    c.at[v] = -1 - f
    return True


@kernel
def see(c: HullMesh, v: int, first: int) -> int:
    """List in the queue, which is empty, the triangles that a vertex is above.

    Returns how many.  They are marked in ``queued`` by their first half-edge.
    """
    c.queue[0] = first
    c.queued[3 * first] = 1
    found = 1
    done = 0
    while done < found:
        f = c.queue[done]
        done += 1
        for s in range(3):
            g = c.twin[3 * f + s] // 3
            i = 3 * g
            if (
                c.queued[i] == 0
                and height(c, c.corner[i], c.corner[i + 1], c.corner[i + 2], v) > 0
            ):
                c.queued[i] = 1
                c.queue[found] = g
                found += 1
    return found


@kernel
def insert(c: HullMesh, v: int, first: int) -> None:
    """Put a vertex onto a convex cover; ``first`` is a triangle that it is above.

    All triangles that it is above make room for the fan from the rim around them to
    the vertex: a 1-3 flip and the flips that follow from it, at once.
    """
    found = see(c, v, first)
    sides = 0
    for m in range(found):
        f = c.queue[m]
        for s in range(3):
            t = c.twin[3 * f + s]
            c.at[c.corner[3 * f + s]] = -1 - first  # perhaps it is below from now on
            if c.queued[t - t % 3] == 0:
                c.ring[sides] = c.corner[3 * f + s]
                c.rim[sides] = t
                sides += 1
    for m in range(found):
        f = c.queue[m]
        c.queued[3 * f] = 0
        release(c, f)
    for m in range(sides):
        f = put(c, c.ring[m], c.corner[c.rim[m]], v)
        join(c, 3 * f, c.rim[m])
        c.queue[m] = f
    for m in range(sides):
        c.at[c.ring[m]] = 3 * c.queue[m]
    for m in range(sides):
        f = c.queue[m]
        join(c, 3 * f + 1, c.at[c.corner[3 * f + 1]] + 2)
    for m in range(sides):
        push(c, c.at[c.ring[m]])
        push(c, c.at[c.ring[m]] + 1)
    c.counts[INSERTIONS] += 1


@kernel
def rename(c: HullMesh, w: int, v: int) -> None:
    """Put a vertex in the place of another one that is at the same point."""
    first = c.at[w]
    h = first
    again = True
    while again:
        c.corner[h] = v
        h = c.twin[before(h)]
        again = h != first
    c.at[v] = first
    c.at[w] = -1 - first // 3
    c.counts[INSERTIONS] += 1


@kernel
def tidy(c: HullMesh) -> None:
    """Move triangles from the end into the places of free ones."""
    f = 0
    while c.counts[FREE] > 0:
        last = c.counts[FACES] - 1
        if c.corner[3 * last] == DEAD:
            c.counts[FACES] -= 1
            c.counts[FREE] -= 1
        else:
            while c.corner[3 * f] != DEAD:
                f += 1
            for s in range(3):
                v = c.corner[3 * last + s]
                c.corner[3 * f + s] = v
                c.at[v] = 3 * f + s
                t = c.twin[3 * last + s]
                # A side that leads back into this triangle itself does not exist.
                join(c, 3 * f + s, t)
                c.corner[3 * last + s] = DEAD
