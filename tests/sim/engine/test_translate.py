import ctypes  # of sim.engine.expressions, sim.engine.compiler
import itertools
import math
import struct
from typing import NamedTuple

import numpy as np
import pytest

from sim.engine.bound import Bound, Cells
from sim.kernels.language import Floats, Ints, Vec, kernel

HOSTILE = [0.0, -0.0, 1.0, -1.5, 3e-310, 1e308, -1e308, 1 / 3, 2.0**-1074]
LIMIT = 7
CORNER = (1.0, 2.0, -3.0)


class Desk(NamedTuple):
    x: Floats
    y: Floats
    n: Ints
    scale: float
    count: int


@kernel
def arithmetic(d: Desk) -> int:
    a = d.x[0]
    b = d.x[1]
    d.y[0] = a + b
    d.y[1] = a - b
    d.y[2] = a * b
    d.y[3] = a / b if b != 0.0 else -a
    d.y[4] = max(a, b)
    d.y[5] = min(a, b, d.scale)
    d.y[6] = abs(a)
    d.y[7] = math.sqrt(abs(b))
    d.y[8] = math.sqrt(d.scale * d.scale)
    d.y[9] = a * b + d.scale  # never contracted to a fused multiply-add
    d.y[10] = -a
    d.y[11] = 3 * a
    d.y[11] += 1
    return int(7.9 * min(1.0, max(-1.0, a)))  # towards 0


@kernel
def comparisons(d: Desk) -> int:
    a = d.x[0]
    b = d.x[1]
    found = 0
    if a < b:
        found += 1
    if a <= b:
        found += 2
    if a > b:
        found += 4
    if a >= b:
        found += 8
    if a == b:
        found += 16
    if a != b:
        found += 32
    if -1.0 <= a < b <= 1.0:
        found += 64
    if not a < b:
        found += 128
    if (a < 0.0) == (b < 0.0):
        found += 256
    return found


@kernel
def whole_numbers(d: Desk) -> int:
    i = d.n[0]
    j = d.n[1]
    d.n[2] = i // j
    d.n[3] = i % j
    d.n[4] = i * j - i + -j
    d.n[5] = max(i, j)
    d.n[6] = min(i, j, 0)
    d.n[0], d.n[1] = d.n[1], d.n[0]
    return i // d.count + LIMIT


@kernel
def stops_early(d: Desk) -> int:
    """Read past the end if ``and``, ``or`` or a chain did not stop."""
    k = 0
    while k < d.count and d.x[k] > 0.0:
        k += 1
    if k == d.count or d.x[k] > 0.0:
        return -k
    if 0 < k < bump(d.n):
        k += 100
    return k + d.n[0]


@kernel
def bump(n: Ints) -> int:
    n[0] += 1
    return n[0]


@kernel
def loops(d: Desk) -> int:
    total = 0
    for i in range(d.count):
        if i == 2:
            continue
        for j in range(i, 100):
            if j > i + 3:
                break
            total += j
        d.n[i] = total
    last = -1
    for _ in range(3):
        last += 1
    i = 0
    while True:
        i += 1
        if i == LIMIT:
            break
    for k in range(5, 2):
        total += 1000 * k
    return total + i + last


@kernel
def turned(v: Vec, scale: float) -> tuple[Vec, bool]:
    x, y, z = v
    if scale > 0.0:
        return (y * scale, z, x), True
    return (0.0, 0.0, 0.0), False


@kernel
def nothing(d: Desk) -> None:
    if d.count == 0:
        return
    d.y[5] = d.scale


@kernel
def tuples(d: Desk) -> int:
    v = (d.x[0], d.x[1], 1.0)
    w = CORNER if d.count > 2 else v
    v, good = turned(w, d.scale)
    _, bad = turned(v, -1.0)
    for k in range(2):
        d.y[k] = v[0] + w[1]
        v, w = w, v
    d.y[2], d.y[3], d.y[4] = v
    nothing(d)
    if w == v:
        d.y[7] = 1.0
    if (d.x[0], d.x[1]) != (d.x[1], d.x[0]):
        d.y[8] = 1.0
    listed = d.x if d.count > 2 else d.y
    d.y[6] = listed[0]
    return 10 if good and not bad else 20


PROGRAMS = [arithmetic, comparisons, whole_numbers, stops_early, loops, tuples]


@pytest.fixture(scope="module")
def compiled(linked_anew):
    return linked_anew(PROGRAMS)


def desk(x, n, scale, count):
    arrays = np.array(x, float), np.zeros(12), np.array(n, np.int32)
    buffers = (a.data.cast("B").cast(a.dtype.char) for a in arrays)
    return Desk(*buffers, scale, count)


def bits(d):
    return bytes(d.x), bytes(d.y), bytes(d.n)


@pytest.mark.llvm
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_compiled_and_interpreted_agree_to_the_bit(program, compiled, monkeypatch):
    from sim.engine.library import ENGINE

    call = Bound(program)
    ints = list(itertools.product((-9, -2, 3, 8), (-4, -1, 2, 5)))
    for k, (a, b) in enumerate(itertools.product(HOSTILE, HOSTILE)):
        i, j = ints[k % len(ints)]
        scale, count = HOSTILE[(3 * k + 1) % len(HOSTILE)], 1 + k % 6
        given = [a, b, *HOSTILE[:5]], [i, j, *range(10)], scale, count
        one, other = desk(*given), desk(*given)
        expected = program(one)
        monkeypatch.setattr(ENGINE, "compiled", compiled)
        assert call(other) == expected
        assert bits(other) == bits(one)


@pytest.mark.llvm
def test_numbers_that_are_not_finite_compare_alike(compiled):
    call = compiled[comparisons.__name__]
    for a, b in itertools.product([math.nan, math.inf, -math.inf, 0.5], repeat=2):
        one = desk([a, b], [0], 1.0, 1)
        cells = Cells(one)
        assert call(ctypes.c_void_p(cells.address)) == comparisons(one)


def test_the_programs_are_worth_comparing_and_bits_are_passed_on():
    one = desk([0.1, 0.2], [1, 2], -0.02, 3)
    arithmetic(one)
    fused = float(np.float64(np.longdouble(0.1) * np.longdouble(0.2) - 0.02))
    assert one.y[9] != fused
    d = desk([0.0, 0.0], [1, 2], -0.1, 4)
    assert struct.pack("q", Cells(d).array[3]) == struct.pack("d", -0.1)
    assert Cells(d).array[4] == 4


def refusal(function):
    from sim.engine.compiler import assemble
    from sim.engine.emitter import RefusedKernel

    with pytest.raises(RefusedKernel) as caught:
        assemble([function])
    return str(caught.value)


@kernel
def powers(d: Desk) -> int:
    d.y[0] = d.x[0] ** 2.0
    return 0


@kernel
def changes_type(d: Desk) -> int:
    best = 0
    best = d.x[0]
    return 0 if best > 0.0 else 1


@kernel
def sine(d: Desk) -> int:
    d.y[0] = math.sin(d.x[0])
    return 0


@kernel
def truthy(d: Desk) -> int:
    return 1 if d.count else 0


@kernel
def float_into_ints(d: Desk) -> int:
    d.n[0] = d.scale
    return 0


@kernel
def counts_down(d: Desk) -> int:
    for k in range(d.count, 0, -1):
        d.n[k] = k
    return 0


@kernel
def count_written_to(d: Desk) -> int:
    d.count[0] = 1
    return 0


@kernel
def says_nothing(d: Desk) -> int:
    return


@kernel
def lists(d: Desk) -> int:
    d.y[0] = max([d.x[0], d.x[1]])
    return 0


@kernel
def unknown(d: Desk) -> int:
    return len(d.x)


@pytest.mark.llvm
@pytest.mark.parametrize(
    ("function", "why"),
    [
        (powers, "Pow"),
        (changes_type, "'best' was int, now it is float"),
        (sine, "'math.sin' is no kernel"),
        (truthy, "a condition must be a bool"),
        (float_into_ints, "float does not fit into Ints"),
        (counts_down, "only 'for name in range(...)'"),
        (count_written_to, "a int cannot be written to"),
        (says_nothing, "the annotation says something else"),
        (lists, "List is not translated"),
        (unknown, "'len' is not known"),
    ],
)
def test_what_is_outside_the_subset_is_refused_with_its_line(function, why):
    said = refusal(function)
    assert why in said
    line = int(said.split(".py:")[1].split(":")[0])
    assert 0 < line - function.__code__.co_firstlineno < 5
    assert f"kernel {function.__name__}" in said


@pytest.mark.llvm
def test_entries_take_tables_only():
    from sim.engine.compiler import assemble

    with pytest.raises(TypeError, match="bump is no entry"):
        assemble([bump])
