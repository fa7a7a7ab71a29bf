"""Features around one, in the paper's order, laid out as a surface."""

import numpy as np
import pytest

from sim import Body, Pose
from sim.kernels.vector import HERE
from sim.paper.contact_tests import (
    Neighbourhood,
    patch_of,
    within,
)
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
