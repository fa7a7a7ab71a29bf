import numpy as np
import pytest

from sim import Body, Pose
from sim.explain.explain import Start, restore
from sim.kernels import layout
from sim.kernels.solve import solve
from sim.tracking.buffers import Buffers
from sim.tracking.views import CORNER_LIMIT, make_view
from wingedge import shapes

BOX = shapes.box((1.0, 1.0, 1.0))
SCRATCH = ("mark", "members", "edges", "faces", "successor", "leaving")
SCRATCH += ("rim_vertex", "rim_edge", "corners")


def answered(a, b, scanned=False):
    buffers = Buffers(a, b, 1e-12)
    buffers.set_scanned(scanned, scanned)
    status = solve(buffers.first, buffers.second, 0, buffers.workspace)
    assert status == layout.CERTIFIED
    return buffers


@pytest.mark.parametrize("mesh", [BOX, shapes.icosphere(1), shapes.prism(7)])
def test_a_side_sees_the_body_and_has_room_for_every_part(mesh):
    body = Body(mesh)
    side = make_view(body)
    v, e, f = mesh.n_vertices, mesh.n_edges, mesh.n_faces
    assert side.size == v
    body._points[1, 2] = 7.0
    body.transform[1, 3] = 8.0
    assert (side.points[5], side.pose[7]) == (7.0, 8.0)
    sizes = {
        "points": 3 * v,
        "pose": 12,
        "start": v + 1,
        "star": 2 * e,
        "star_edge": 2 * e,
        "star_face": 2 * e,
        "corner_start": f + 1,
        "corner_vertex": 2 * e,
        "mark": v + 1,
        "members": v,
        "edges": e,
        "faces": f,
        "successor": v,
        "leaving": v,
        "rim_vertex": 2 * v,
        "rim_edge": 2 * v,
        "corners": 6 * v,
    }
    for name, size in sizes.items():
        assert len(getattr(side, name)) == size, name
    assert side.scanned == 1, "nothing is known of the rings yet"


def test_the_patch_has_a_limit(monkeypatch):
    small = Buffers(Body(BOX), Body(shapes.prism(5)), 1e-12).workspace
    assert small.capacity == 2 * (8 + 10)
    assert len(small.patch) == len(small.labels) == 4 * small.capacity
    assert CORNER_LIMIT >= 4 * 2 * 5000  # two prisms of 5000 sides
    monkeypatch.setattr("sim.tracking.views.CORNER_LIMIT", 30)
    assert Buffers(Body(BOX), Body(shapes.prism(5)), 1e-12).workspace.capacity == 30


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_each_side_is_told_how_to_prove_a_support(first, second):
    buffers = Buffers(Body(BOX), Body(BOX), 1e-12)
    for _ in range(2):
        buffers.set_scanned(first, second)
        assert (buffers.first.scanned, buffers.second.scanned) == (first, second)


def test_what_an_answer_starts_from_is_copied():
    buffers = Buffers(Body(BOX), Body(BOX), 1e-12)
    started = Start(*buffers.started())
    buffers.simplex[0] = 3
    buffers.last[0] = 5
    assert np.frombuffer(started.simplex, np.int32).tolist() == [0] * 9
    assert np.frombuffer(started.last, np.int32).tolist() == [-1] * 4
    assert started.known is False
    buffers.result.known = 1
    assert Start(*buffers.started()).known is True


def test_exchanging_carries_every_id_to_the_other_side():
    a, b = Body(BOX), Body(BOX, pose=Pose(translation=(3.0, 0.1, 0.2)))
    buffers = Buffers(a, b, 1e-12)
    first, second = buffers.first, buffers.second
    for k, x in enumerate((2, 10, 11, 12, 13, 20, 21, 22, 23)):
        buffers.simplex[k] = x
    for k in range(4):
        buffers.last[k] = 30 + k
    buffers.result.known = 1
    buffers.exchange()
    assert buffers.bodies == (b, a)
    assert buffers.first is second
    assert buffers.second is first
    assert list(buffers.simplex) == [2, 20, 21, 22, 23, 10, 11, 12, 13]
    assert list(buffers.last) == [32, 33, 30, 31]
    assert buffers.result.known == 0, "its parts belong to the other order"
    assert buffers.origin() == (-3.0, -0.1, -0.2)


def test_parts_that_are_put_back_are_those_of_the_answer():
    for mesh, at, kind in [
        (BOX, (3.0, 3.0, 3.0), "VV"),
        (BOX, (3.0, 3.0, 0.25), "EE"),
        (BOX, (3.0, 0.25, 0.25), "FF"),
        (shapes.grid_box(3, (1.0, 1.0, 1.0)), (3.0, 0.25, 0.25), "FF"),
        (shapes.grid_box(3, (1.0, 1.0, 1.0)), (3.0, 3.0, 0.25), "EE"),
        (shapes.icosphere(1), (3.0, 0.4, 0.3), None),
    ]:
        a, b = Body(mesh), Body(mesh, pose=Pose(translation=at))
        first = answered(a, b)
        numbers = first.numbers("ring")
        if kind is not None:
            letters = "VEF"[numbers.dimension_a] + "VEF"[numbers.dimension_b]
            assert letters == kind
        again = Buffers(a, b, 1e-12)
        again.set_scanned(False, False)
        restore(again, numbers, Start(*first.started()))
        assert again.result.known == 1
        for one, two in ((first.first, again.first), (first.second, again.second)):
            size = one.mark[one.size]
            assert list(two.mark) == list(one.mark)
            assert list(two.members[:size]) == list(one.members[:size])
        assert again.result.normal == first.result.normal
        # A warm frame then answers the same, without a walk.
        again.simplex[:] = first.simplex
        status = solve(again.first, again.second, 0, again.workspace)
        assert status == layout.CERTIFIED
        assert again.result.steps == again.result.scans == 0
        told = again.numbers("ring")
        assert told._replace(work=None) == numbers._replace(work=None)
