import numpy as np
import pytest

from wingedge import shapes
from wingedge.primitives.body_walk import (
    ENTERING,
    LEAVING,
    beyond,
    misses,
    nearest,
    walk,
)
from wingedge.primitives.lines import Lines

ZOO = dict(shapes.zoo())


@pytest.mark.parametrize("name", ZOO)
def test_across_a_side_lies_the_triangle_with_its_two_corners(name):
    mesh = ZOO[name]
    table, fan = beyond(mesh), mesh.fan.vertex
    assert table is beyond(mesh)
    for t in range(len(fan)):
        for k in range(3):
            shared = {int(fan[t, k]), int(fan[t, (k + 1) % 3])}
            assert shared <= set(fan[table[t, k]].tolist())
            assert t in table[table[t, k]]
            assert table[t, k] != t


@pytest.mark.parametrize("sense", [ENTERING, LEAVING])
def test_a_walk_from_anywhere_ends_in_the_triangle_that_the_line_goes_through(sense):
    mesh = shapes.icosphere(2)
    every = np.arange(mesh.n_faces)
    start = np.repeat([[3.0], [0.2], [0.1]], len(every), axis=1)
    step = np.repeat([[-1.0], [0.01], [0.02]], len(every), axis=1)
    done = walk(mesh, mesh.points.T, Lines(start, step, True), every, sense)
    assert done.found.all()
    assert len(set(done.triangle.tolist())) == 1
    a, b, c = mesh.points[mesh.fan.vertex[done.triangle[0]]]
    assert sense * (np.cross(b - a, c - a) @ step[:, 0]) > 0
    assert done.visited.min() == 1
    assert done.visited.max() < 40


def test_a_walk_against_a_grid_that_looks_straight_away_finds_its_way():
    mesh = shapes.grid_box(6)
    start, step = np.array([[0.01], [0.02], [3.0]]), np.array([[0.0], [0.0], [-1.0]])
    for triangle in range(0, len(mesh.fan.face), 7):
        first = np.array([triangle])
        done = walk(mesh, mesh.points.T, Lines(start, step, True), first, ENTERING)
        assert done.found.all()
        assert mesh.points[mesh.fan.vertex[done.triangle[0]], 2].tolist() == [0.5] * 3


def test_a_line_beside_a_body_is_lost_over_the_outline_and_proved_to_miss():
    mesh = shapes.icosphere(2)
    start, step = np.array([[3.0], [1.3], [0.0]]), np.array([[-1.0], [0.0], [0.1]])
    lines = Lines(start, step, True)
    done = walk(mesh, mesh.points.T, lines, np.array([0]), ENTERING)
    assert not done.found.any()
    assert misses(mesh.points.T, lines, done.edge).all()


@pytest.mark.parametrize(("height", "proved"), [(0.5, False), (0.500001, True)])
def test_a_line_that_touches_is_never_proved_to_miss(height, proved):
    mesh = shapes.box()
    lines = Lines(
        np.array([[-3.0], [0.1], [height]]), np.array([[1.0], [0], [0]]), True
    )
    found = [misses(mesh.points.T, lines, e[None])[0] for e in mesh.edge_vertices]
    assert any(found) == proved


def test_walks_begin_at_faces_that_look_as_asked():
    mesh = shapes.icosphere(3)
    rng = np.random.default_rng(2)
    lines = Lines(3 * rng.normal(size=(3, 40)), rng.normal(size=(3, 40)), True)
    for sense in (ENTERING, LEAVING):
        corners = mesh.points.T[
            :, mesh.fan.vertex[nearest(mesh, mesh.points.T, lines, sense)].T
        ]
        assert (sense * lines.rises(corners.swapaxes(0, 1)) > 0).all()
