import itertools  # of wingedge.check, wingedge.faces
import re

import numpy as np
import pytest

from wingedge import Feature, MeshError, WingedEdgeMesh, read, shapes, validate
from wingedge.faces import check_touching, overlapping

SPHERE = shapes.icosphere(2)


def test_dented_spheres_and_arms_apart_by_a_hair_are_bodies():
    points = SPHERE.points.copy()
    points[0] *= -0.5
    assert WingedEdgeMesh.from_faces(points, SPHERE.fan.vertex).n_faces == 320
    assert WingedEdgeMesh.from_faces(*tongs(1e-9)).n_vertices == 18


def test_a_dent_that_comes_out_on_the_other_side_crosses():
    points = SPHERE.points.copy()
    points[0] *= -1.5
    with pytest.raises(MeshError, match=r"faces \d+ and \d+ cross each") as refused:
        WingedEdgeMesh.from_faces(points, SPHERE.fan.vertex)
    assert refused.value.invariant == "no self-touch"
    lower, higher = map(int, re.findall(r"\d+", str(refused.value)))
    assert refused.value.element == Feature("face", lower)
    assert lower < higher


def tongs(gap):
    """A U whose arms end ``gap`` apart, as quads."""
    outline = [
        (0, 0),
        (3, 0),
        (3, 3),
        (2 - (1 - gap), 3),
        (2, 2),
        (2, 1),
        (1, 1),
        (1, 3),
    ]
    outline += [(0, 3)]
    flat = np.array(outline, dtype=float)
    points = np.vstack([np.insert(flat, 2, z, axis=1) for z in (0, 1)])
    top = [[0, 1, 5, 6], [1, 2, 4, 5], [2, 3, 4], [0, 6, 7, 8]]
    caps = [f[::-1] for f in top] + [[v + 9 for v in f] for f in top]
    walls = [[i, (i + 1) % 9, (i + 1) % 9 + 9, i + 9] for i in range(9)]
    return points, caps + walls


def test_arms_corners_and_fans_that_meet_are_refused(star_prism):
    for gap in [0.0, -0.3]:
        with pytest.raises(MeshError, match=r"each other|both at") as refused:
            WingedEdgeMesh.from_faces(*tongs(gap))
        assert refused.value.invariant == "no self-touch"
    points, faces = tongs(0.5)
    points[[3, 12], :2] = (1, 2)  # onto the inner wall of the other arm
    with pytest.raises(MeshError, match="touch each other"):
        WingedEdgeMesh.from_faces(points, faces)
    mesh, points = star_prism
    faces = [mesh.face_vertices(f) for f in range(mesh.n_faces)]
    with pytest.raises(MeshError, match="cross each other"):
        WingedEdgeMesh.from_faces(points, faces)


def test_faces_around_a_vertex_that_go_round_it_twice_cross():
    """A double pyramid over a pentagram, whose upper half is named first."""
    turn = 4 * np.pi / 5 * np.arange(5)
    ring = np.stack([np.cos(turn), np.sin(turn), [0.1, 0, 0, 0, 0]], axis=1)
    points = np.vstack([ring, [[0, 0, 1], [0, 0, -1]]])
    faces = [[k, (k + 1) % 5, 5] for k in range(5)]
    faces += [[(k + 1) % 5, k, 6] for k in range(5)]
    with pytest.raises(MeshError, match=r"faces 0 and [234] cross"):
        WingedEdgeMesh.from_faces(points, faces)


def test_what_planes_part_would_not_have_been_refused(monkeypatch):
    rng = np.random.default_rng(0)
    noise = np.repeat([0.05, 0.1, 0.2, 0.4, 0.6], 8)[:, None, None]
    crumpled = SPHERE.points * (1 + noise * rng.normal(size=(40, 162, 1)))
    crumpled[::2] += noise[::2] / 4 * rng.normal(size=(20, 162, 3))
    quickly = [verdict(points) for points in crumpled]
    assert 10 < quickly.count("apart") < 30
    monkeypatch.setattr("wingedge.faces._not_parted", lambda *given: given[2:4])
    assert [verdict(points) for points in crumpled] == quickly


def verdict(points):
    try:
        check_touching(SPHERE, points, 1e-15)
    except MeshError as error:
        return str(error)
    return "apart"


def test_slivers_of_a_fan_are_parted_without_exact_signs(monkeypatch):
    """The caps of a thin disc took 7000 exact volumes; of 729 sides, a minute."""
    turn = np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3
    disc = shapes.prism(200, 1.0, 1e-3)
    points = (disc.points @ turn).astype(np.float32).astype(np.float64)
    fans = disc.fan.vertex.copy()
    asked = []
    monkeypatch.setattr("wingedge.signs._exact_volume", lambda *_: asked.append(_))
    WingedEdgeMesh.from_faces(points, fans)
    assert not asked


def test_two_faces_folded_onto_each_other_are_refused():
    """The lower tip of an octahedron, laid into the middle of an upper face."""
    octahedron = shapes.needle(1.0, 1.0, 4)
    points = octahedron.points.copy()
    points[4] = 0.5 * points[5] + 0.25 * points[0] + 0.25 * points[1]
    with pytest.raises(MeshError, match="faces 0 and 4 are folded") as refused:
        validate(octahedron, points)
    edge = refused.value.element
    assert octahedron.edge_vertices[edge.index].tolist() == [1, 0]
    points[4] *= 0.99
    validate(octahedron, points)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("reach", [0.02, 0.3, 2.0])
def test_the_sweep_finds_every_pair_of_boxes_once(seed, reach):
    rng = np.random.default_rng(seed)
    low = rng.random((80, 3)) * [5, 3, 1]
    high = low + rng.random((80, 3)) * reach
    low[:5], high[:5] = 1.0, 1.0
    found = [
        tuple(sorted(pair))
        for i, j in overlapping(low, high)
        for pair in zip(i.tolist(), j.tolist(), strict=True)
    ]
    expected = [
        (i, j)
        for i, j in itertools.combinations(range(80), 2)
        if (low[i] <= high[j]).all() and (low[j] <= high[i]).all()
    ]
    assert sorted(found) == expected


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["xarm6_link4/link4.stl", "book_holder/visual.ply"])
def test_real_bodies_that_are_not_convex_are_read(real_data, name):
    assert validate(read(real_data / "decomposed" / name)) is None


@pytest.mark.real_data
def test_a_scan_that_crosses_itself_is_named(real_data):
    with pytest.raises(MeshError, match=r"visual\.ply: faces .* cross each other"):
        read(real_data / "decomposed" / "mini_claw_hammer" / "visual.ply")
