import numpy as np
import pytest

from sim import Body, PairTracker, Pose
from sim.compound.seats import ON_SURFACE, Seats, level_part
from wingedge import Feature, shapes

BOX = shapes.box(2.0)
GRID = shapes.grid_box(3)


def test_a_point_lies_on_the_lowest_feature_that_holds_it():
    seats = Seats(BOX)
    v = int(np.nonzero((BOX.points == 1.0).all(axis=1))[0][0])
    assert seats.find(np.array([1.0, 1.0, 1.0])) == (Feature("vertex", v), 0.0)
    edge, off = seats.find(np.array([1.0, 0.25, 1.0]))
    ends = BOX.points[BOX.edge_vertices[edge.index]]
    assert edge.kind == "edge"
    assert off == 0.0
    assert (ends[:, [0, 2]] == 1.0).all()
    face, off = seats.find(np.array([0.5, 0.25, 1.0]))
    assert face.kind == "face"
    assert off == 0.0
    assert (BOX.points[BOX.face_vertices(face.index), 2] == 1.0).all()


def test_a_point_off_the_surface_has_the_nearest_face_and_one_not_level_is_alone():
    for height in [0.5, -0.25]:
        face, off = Seats(BOX).find(np.array([0.1, 0.2, 1.0 + height]))
        assert (BOX.points[BOX.face_vertices(face.index), 2] == 1.0).all()
        assert off == pytest.approx(abs(height), rel=1e-14)
    seat = Feature("face", 0)
    assert level_part(BOX, BOX.points, seat, (0.6, 0.0, 0.8), 1e-12) == (seat,)


def test_what_a_file_rounds_off_is_on_the_surface_and_no_nearer_triangle_is_lost():
    seats = Seats(BOX)
    digit = ON_SURFACE * 2.0
    assert seats.find(np.array([0.5, 0.25, 1.0 + 0.9 * digit])).offset == 0.0
    assert seats.find(np.array([0.5, 0.25, 1.0 + 1.1 * digit])).offset > 0.0
    mesh = shapes.ellipsoid(subdivisions=2)
    seats = Seats(mesh)
    corners = mesh.points[mesh.fan.vertex]
    for point in np.random.default_rng(2).uniform(-1.5, 1.5, (60, 3)):
        every = seats._square(point, np.arange(len(corners)))
        assert seats.find(point).offset in (0.0, np.sqrt(every.min()))


def test_level_parts_are_those_that_the_tracker_names():
    top = Body(GRID, name="a")
    partner = Body(shapes.icosphere(1, 0.2), name="b")
    checked = set()
    for at in [(0, 0, 2), (0.1, 0.3, 2), (2, 2, 0.1), (2, 2, 2), (0.9, 0.9, 2)]:
        for turn in [(0, 0, 0, 1), (1, 0, 0, 4), (3, 2, 1, 7)]:
            partner.pose = Pose.rigid(turn, np.array(at, float))
            state = PairTracker(top, partner).update()
            seat = Seats(GRID).find(state.point_a)
            n = tuple(state.normal.tolist())
            part = level_part(GRID, top.positions, seat.feature, n, 1e-12 * state.size)
            assert part == state.parts_a
            checked.add(part[0].kind)
    assert checked == {"vertex", "edge", "face"}


def test_what_stands_higher_beside_a_level_part_is_no_part_of_it():
    block = shapes.l_block()  # its notch: a floor and a wall
    x, y = block.points[:, 0], block.points[:, 1]
    on_floor = (y == 0.0) & (x >= 0.0)
    floor = [f for f in range(block.n_faces) if on_floor[block.face_vertices(f)].all()]
    assert len(floor) == 1
    seat = Feature("face", floor[0])
    assert level_part(block, block.points, seat, (0.0, 1.0, 0.0), 1e-12) == (seat,)
    edges = on_floor[block.edge_vertices].all(axis=1) & (
        np.ptp(y[block.edge_vertices], axis=1) == 0.0
    )
    assert edges.sum() == 4
