"""The record of one answer, as plain numbers."""

from itertools import chain

from sim.kernels.workspace import Result
from sim.result.answer import Numbers, Vec, Work

Ids = tuple[int, ...]


def answered(
    result: Result,
    at: Vec,
    parts_a: Ids,
    parts_b: Ids,
    patch: tuple[float, ...] = (),
    labels: Ids = (),
) -> Numbers:
    """Return what a kernel found, moved back to the world, in its order; no proof yet.

    Parameters: ``at``: the translation of the first body, which the rest is relative
    to; ``parts_a``, ``parts_b``, ``patch`` and ``labels``, 4 per corner: its lists.
    """
    # All numbers at once: one by one they cost ten times as much.
    found = Result.numbers.unpack_from(result)
    d, lower, upper, size, nx, ny, nz, ax, ay, az, bx, by, bz = found[:13]
    x, y, z = at
    on_a = [[p + at[i] for p in patch[i::4]] for i in range(3)]
    step = d * nx, d * ny, d * nz
    on_b = [[p + step[i] for p in on_a[i]] for i in range(3)]
    return Numbers(
        d,
        lower,
        upper,
        size,
        (nx, ny, nz),
        (ax + x, ay + y, az + z),
        (bx + x, by + y, bz + z),
        result.part_a.dimension,
        parts_a,
        result.part_b.dimension,
        parts_b,
        tuple(chain.from_iterable(zip(*on_a, *on_b, strict=True))),
        labels,
        result.parallel == 0,
        "none",
        "",
        work_of(result),
    )


def work_of(result: Result) -> Work:
    """Return what a frame cost: the last five numbers."""
    return Work._make(Result.numbers.unpack_from(result)[-5:])
