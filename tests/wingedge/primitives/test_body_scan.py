import numpy as np

from wingedge import shapes
from wingedge.primitives.lines import Lines, scan


def through(points, triangles, start, end):
    lines = Lines(
        np.array(start, float).reshape(3, -1),
        np.array(end, float).reshape(3, -1),
        False,
    )
    return scan(np.array(points, float).T, np.array(triangles), lines)


def test_a_stack_of_triangles_a_flat_one_and_one_of_no_area_are_met_where_they_should():
    points = [(x, y, z) for z in range(4) for x, y in ((0, 0), (4, 0), (0, 4))]
    stack = np.arange(12).reshape(4, 3)[[2, 0, 3, 1]]
    found = through(points, stack, (1, 1, -1), (1, 1, 4))
    assert (found.first.tolist(), found.last.tolist()) == ([1], [2])
    assert (found.t.tolist(), found.last_t.tolist()) == ([0.2], [0.8])
    none = through(points, stack, (3, 3, -1), (3, 3, 4))
    assert (none.first.tolist(), none.t.tolist()) == ([-1], [np.inf])
    points = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    found = through(points, [(0, 1, 2)], (-1, 1, 0), (9, 1, 0))
    assert (found.t.tolist(), found.last_t.tolist()) == ([0.1], [0.4])
    points = [(0, 0, 0), (2, 0, 0), (1, 0, 0)]
    line, point = [(0, 2, 1)], [(1, 1, 1)]
    assert through(points, line, (1, -1, 0), (1, 1, 0)).t.tolist() == [0.5]
    assert through(points, line, (1, -1, 1), (1, 1, 1)).first.tolist() == [-1]
    assert through(points, line, (-1, 0, 0), (4, 0, 0)).t.tolist() == [0.2]
    assert through(points, point, (2, -1, 0), (2, 1, 0)).t.tolist() == [0.5]
    assert through(points, point, (2, -1, 0), (1, 1, 0)).first.tolist() == [-1]


def test_at_a_corner_first_looks_against_and_last_along_then_the_lowest_number():
    mesh = shapes.box()
    corner = mesh.points[7]
    start, end = 2 * corner, 0 * corner
    found = scan(
        mesh.points.T, mesh.fan.vertex, Lines(start[:, None], end[:, None], False)
    )
    ring = [t for t, v in enumerate(mesh.fan.vertex) if 7 in v]
    assert found.first.tolist() == found.last.tolist() == [min(ring)]


def test_blocks_do_not_change_the_answer(monkeypatch):
    mesh = shapes.icosphere(2)
    rng = np.random.default_rng(0)
    lines = Lines(*rng.normal(size=(2, 3, 30)), True)
    whole = scan(mesh.points.T, mesh.fan.vertex, lines)
    monkeypatch.setattr("wingedge.primitives.lines.BLOCK", 700)
    for one, two in zip(
        whole, scan(mesh.points.T, mesh.fan.vertex, lines), strict=True
    ):
        assert np.array_equal(one, two)
