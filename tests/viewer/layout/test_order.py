import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.drawing.camera import far_to_near
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from wingedge import shapes


def ordered(frame, eye):
    middles = {body.name: body.world_points().mean(axis=0) for body in frame.bodies}
    pairs = [pair_glyphs(frame, state) for state in drawn_pairs(frame)]
    return far_to_near(middles, pairs, np.asarray(eye, dtype=np.float64))


@pytest.fixture
def box_on_floor():
    """A small box at the far end of a long floor."""
    box = Body(shapes.box(1.0), name="box", pose=Pose.rigid(None, (0, 40.0, 0.6)))
    floor = Body(shapes.box((4.0, 100.0, 1.0)), name="floor")
    floor.pose = Pose.rigid(None, (0.0, 0.0, -0.5))
    return World([box, floor]).step()


def test_a_box_on_a_floor_comes_after_it_but_from_below(box_on_floor):
    assert ordered(box_on_floor, (0.0, -60.0, 5.0)) == ["floor", "box"]
    assert ordered(box_on_floor, (0.0, -60.0, -5.0)) == ["box", "floor"]


def test_rows_are_ordered_from_either_end_and_others_by_distance(heap):
    names = [f"box{k}" for k in range(6)]
    assert ordered(heap, (-9.0, 0.1, 0.2)) == names[::-1]
    assert ordered(heap, (19.0, 0.1, 0.2)) == names
    middles = {"near": np.zeros(3), "far": np.full(3, 9.0)}
    assert far_to_near(middles, [], np.array([-1.0, 0.0, 0.0])) == ["far", "near"]
    assert far_to_near({}, [], np.zeros(3)) == []


def test_bodies_that_hide_each_other_in_a_ring_are_all_drawn(heap):
    middles = {body.name: body.world_points().mean(axis=0) for body in heap.bodies}
    pairs = [pair_glyphs(heap, state) for state in drawn_pairs(heap)]
    names = [("box0", "box1"), ("box1", "box2"), ("box2", "box0")]
    ring = [
        pair._replace(
            a=pair.a._replace(body=a),
            b=pair.b._replace(body=b),
            normal=np.array([1.0, 0.0, 0.0]),
        )
        for pair, (a, b) in zip(pairs, names, strict=False)
    ]
    order = far_to_near(middles, ring, np.array([99.0, 0.0, 0.0]))
    assert sorted(order) == sorted(middles)
