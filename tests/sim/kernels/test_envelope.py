import numpy as np  # of sim.kernels.envelope

from sim.engine.bound import Bound, floats, ints
from sim.kernels.envelope import Blocks, Envelope, solve_envelope, sum_blocks


def solved(matrix, first, right):
    rows = [matrix[i, f : i + 1] for i, f in enumerate(first)]
    starts = np.cumsum([0, *map(len, rows)])[:-1] - first
    tables = np.array(first, np.int32), starts.astype(np.int32), np.concatenate(rows)
    x = right.copy()
    envelope = Envelope(len(x), *map(ints, tables[:2]), floats(tables[2]), floats(x))
    return Bound(solve_envelope)(envelope), x


def test_equations_in_an_envelope_are_solved_or_their_bad_row_is_named(engine):
    draw = np.random.default_rng(3)
    first = [0, 0, 1, 3, 3, 2, 6]
    lower = np.tril(draw.normal(size=(7, 7)))
    for i, f in enumerate(first):
        lower[i, :f] = 0.0
    matrix = lower @ lower.T + 0.1 * np.eye(7)
    right = draw.normal(size=7)
    status, x = solved(matrix, first, right)
    assert status == -1
    assert np.allclose(matrix @ x, right, atol=1e-10)
    matrix[4, 4] = -1.0
    assert solved(matrix, first, right)[0] == 4
    matrix[4, 4] = np.nan
    assert solved(matrix, first, right)[0] == 4


def test_blocks_are_added_up_in_order(engine):
    draw = np.random.default_rng(4)
    m, x, y = (draw.normal(size=(5, k)) for k in (9, 4, 4))
    at, turned = (
        np.array([1, 0, 1, 1, 0], np.int32),
        np.array([0, 1, 0, 1, 0], np.int32),
    )
    sums = np.zeros((2, 12, 12))
    table = Blocks(5, *map(floats, (m, x, y)), ints(at), ints(turned), floats(sums))
    assert Bound(sum_blocks)(table) == 5
    expected = np.zeros((2, 12, 12))
    for n in range(5):
        block = np.einsum("ij,k,l->ikjl", m[n].reshape(3, 3), x[n], y[n])
        block = block.reshape(12, 12)
        expected[at[n]] += block.T if turned[n] else block
    assert np.allclose(sums, expected, atol=1e-14)
