"""Features around one, in the paper's order, laid out as a surface."""

import numpy as np
import pytest

from sim import Body, Pose
from sim.kernels.vector import HERE
from sim.paper.contact_tests import (
    Neighbourhood,
    beyond,
    edges_of,
    ends_of,
    patch_of,
    within,
)
from sim.tracking.brute.nearest import nearest_pair
from sim.tracking.brute.surface import surface_of
from wingedge import Feature, neighbours, shapes

BOX = shapes.box()


@pytest.mark.parametrize("name", ["v3", "e5", "f2"])
def test_one_step_is_the_order_of_the_paper(name):
    start = Feature.parse(name)
    assert within(BOX, start, 0) == [start]
    one = within(BOX, start, 1)
    assert one == [start, *neighbours(BOX, start)]
    two = within(BOX, start, 2)
    assert two[: len(one)] == one
    assert len(set(two)) == len(two)
    rest = {n for f in one for n in neighbours(BOX, f)} - set(one)
    assert set(two[len(one) :]) == rest


def test_edges_and_ends_are_listed_once():
    face = Feature("face", 1)
    edges = edges_of(BOX, [Feature("edge", 0), face, Feature("vertex", 2), face])
    assert edges == [0, *BOX.face_edges(1).tolist()]
    assert sorted(ends_of(BOX, BOX.face_edges(1).tolist())) == [4, 5, 6, 7]


def test_only_what_is_asked_for_is_read():
    body = Body(BOX, pose=Pose.rigid((0.0, 0.0, 1.0, 1.0), (5.0, 6.0, 7.0)))
    near = Neighbourhood(body, (1.0, 2.0, 3.0))
    shift = np.array([1.0, 2.0, 3.0]) - body.pose.translation
    assert near.read == {}
    for v in (2, 7, 2):
        np.testing.assert_allclose(near[v], body.world_points()[v] + shift, atol=1e-15)
    assert list(near.read) == [2, 7]
    assert near.outward(1) == pytest.approx((0.0, 0.0, 1.0), abs=1e-15)


@pytest.mark.parametrize("mesh", [BOX, shapes.prism(5), shapes.icosphere(1)])
def test_all_faces_make_the_whole_surface(mesh):
    body = Body(mesh)
    near = Neighbourhood(body, HERE)
    patch = patch_of(near, [Feature("face", f) for f in range(mesh.n_faces)])
    whole = surface_of(body, HERE)
    names = np.array(patch.vertices)
    assert sorted(patch.vertices) == list(range(mesh.n_vertices))
    np.testing.assert_array_equal(patch.surface.points, whole.points[names])
    np.testing.assert_array_equal(names[patch.surface.triangles], whole.triangles)
    rows = {
        (*sorted(names[ends].tolist()), face)
        for ends, face in zip(
            patch.surface.segments, patch.surface.segment_face, strict=True
        )
    }
    assert rows == {
        (*sorted(ends.tolist()), face)
        for ends, face in zip(whole.segments, whole.segment_face, strict=True)
    }
    for s, e in enumerate(patch.edges):
        ends = sorted(names[patch.surface.segments[s]].tolist())
        assert e < 0 or sorted(mesh.edge_vertices[e].tolist()) == ends


def test_a_patch_names_what_nearest_finds():
    a = Body(BOX)
    for at, names in (
        ((1.5, 0.01, 0.02), ("f5", "f4")),
        ((1.5, 1.3, 0.7), ("e9", "e8")),
    ):
        b = Body(BOX, pose=Pose(None, at))
        patches = [
            patch_of(
                Neighbourhood(body, origin), [Feature("face", f) for f in range(6)]
            )
            for body, origin in ((a, HERE), (b, at))
        ]
        pair = nearest_pair(*(patch.surface for patch in patches))
        found = (
            patches[0].name(pair.vertices_a, pair.index_a),
            patches[1].name(pair.vertices_b, pair.index_b),
        )
        on = [
            {
                "vertex": lambda i: [i],
                "edge": lambda i: BOX.edge_vertices[i].tolist(),
                "face": lambda i: BOX.face_vertices(i).tolist(),
            }[part.kind](part.index)
            for part in found
        ]
        for points, vertices, x in (
            (a.world_points(), on[0], pair.point_a),
            (b.world_points(), on[1], pair.point_b),
        ):
            low, high = points[vertices].min(axis=0), points[vertices].max(axis=0)
            assert ((low - 1e-15 <= x) & (x <= high + 1e-15)).all(), names


def test_a_patch_names_a_diagonal_by_its_face():
    patch = patch_of(Neighbourhood(Body(BOX), HERE), [Feature("face", 1)])
    ring = BOX.face_vertices(1).tolist()
    places = tuple(patch.vertices.index(v) for v in (ring[2], ring[0]))
    assert patch.name(places, 0) == Feature("face", 1)
    side = tuple(patch.vertices.index(v) for v in ring[:2])
    edge = patch.name(side, 0)
    assert set(BOX.edge_vertices[edge.index].tolist()) == set(ring[:2])
    assert patch.name(places[:1], 0) == Feature("vertex", ring[2])
    assert patch.name((0, 1, 2), 0) == Feature("face", 1)


def test_how_far_a_point_lies_beyond_a_ring():
    near = Neighbourhood(Body(BOX), HERE)
    ring = BOX.face_vertices(1).tolist()
    up = (0.0, 0.0, 1.0)
    assert beyond(near, ring, up, (0.0, 0.0, 9.0))[0] == -0.5
    far, side = beyond(near, ring, up, (0.6, 0.4, 9.0))
    assert far == pytest.approx(0.1, abs=1e-15)
    ends = BOX.points[[ring[side], ring[(side + 1) % 4]]]
    assert ends[:, 0].tolist() == [0.5, 0.5]
