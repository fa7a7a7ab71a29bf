import numpy as np  # of sim.response.movers, sim.response.walk
import pytest

from sim import Body, Pose, response
from sim.response import Obstacles, move_point, move_sphere
from wingedge import shapes
from wingedge.primitives import sphere_triangle


def wall(normal, offset, size=20.0):
    """Two triangles of a plane that is square to an axis, front along the normal."""
    normal = np.asarray(normal, float)
    u = np.roll(np.abs(normal), 1)
    v = np.cross(normal, u)
    corners = [normal * offset + size * (s * u + t * v) for s, t in ((-1, -1), (1, -1))]
    corners += [normal * offset + size * (s * u + t * v) for s, t in ((1, 1), (-1, 1))]
    return np.array([[corners[0], corners[1], corners[2]], [corners[0], *corners[2:]]])


FLOOR = wall((0, 0, 1), 0.0)
LEFT = wall((1, 0, 0), 0.0)
BACK = wall((0, 1, 0), 0.0)
CORNER = Obstacles(FLOOR, LEFT, BACK)


def clearance(place, obstacles, radius=0.0):
    triangles = np.asarray(obstacles.triangles)
    corners = (triangles[:, k] for k in range(3))
    return sphere_triangle.touch(place, radius, *corners).distance.min()


def test_a_motion_ends_where_it_was_to_stops_or_ends_over_the_point_met():
    aim = (0.1, 0.2, 0.3)
    for obstacles in (np.empty((0, 3, 3)), FLOOR - [0, 0, 9]):
        out = move_sphere((0.7, 0.9, 1.1), aim, 0.25, obstacles)
        assert out.end.tolist() == list(aim)
        assert (out.response, out.contacts) == ("free", ())
        assert out.left.tolist() == [0.0, 0.0, 0.0]
    for radius, gap in ((0.0, 40.0 * 2.0**-20), (1.0, 2.0**-10)):  # unless it is given
        out = move_sphere((1, 1, 2), (1, 1, -2), radius, FLOOR)
        assert out.end[2] == pytest.approx(radius + gap, abs=1e-15)
    out = move_sphere((1, 1, 2), (1, 1, -2), 0.5, FLOOR, epsilon=0.25)
    assert (out.response, out.end.tolist()) == ("stop", [1.0, 1.0, 0.75])
    out = move_sphere((0, 0, 2), (4, 0, -2), 0.5, FLOOR, response="push", epsilon=0.25)
    assert out.response == "push"
    assert out.end == pytest.approx([1.5, 0, 0.75], abs=1e-12)


def test_a_sphere_slides_along_a_floor_from_exactly_on_it_too():
    out = move_sphere((1, 1, 2), (4, 5, -4), 0.5, FLOOR, epsilon=0.25)
    assert out.response == "slide"
    assert out.end == pytest.approx([4, 5, 0.75], abs=1e-12)
    assert out.left == pytest.approx([0, 0, -4.75], abs=1e-12)
    (contact,) = out.contacts
    assert contact.normal.tolist() == [0, 0, 1]
    assert contact.t == pytest.approx(1.25 / 6, abs=1e-14)
    assert contact.point == pytest.approx([1 + 3 * 1.25 / 6, 1 + 4 * 1.25 / 6, 0])
    for step in ((1, 0, 0), (1, 0, -5), (0, 0, -5), (0, 0, 0)):
        out = move_point((2, 3, 0), np.add((2, 3, 0), step), FLOOR, epsilon=0.125)
        assert out.end[2] == pytest.approx(0.125, abs=1e-14)
        assert out.end[0] == 2 + step[0]
    out = move_point((2, 3, 0), (2, 3, 5), FLOOR[:, ::-1], epsilon=0.125)
    assert out.end[2] == pytest.approx(-0.125, abs=1e-14)


def test_walls_leave_their_crease_a_corner_or_the_shortest_way_out():
    out = move_sphere((3, 3, 3), (-1, 4, -1), 0.5, CORNER, epsilon=0.25)
    assert out.response == "slide"
    assert out.end == pytest.approx([0.75, 4, 0.75], abs=1e-12)
    out = move_sphere((3, 3, 3), (-1, -2, -3), 0.5, CORNER, epsilon=0.25)
    assert out.response == "stop"
    assert out.end == pytest.approx([0.75, 0.75, 0.75], abs=1e-12)
    assert len({tuple(c.normal.tolist()) for c in out.contacts}) == 3
    again = move_sphere(out.end, out.end - 1, 0.5, CORNER, epsilon=0.25)
    assert again.end == pytest.approx(out.end, abs=1e-13)
    assert again.response == "stop"
    out = move_sphere((3, 3, 0.2), (3, 5, 0.2), 0.5, CORNER, epsilon=0.25)
    assert out.response == "push"
    assert out.end == pytest.approx([3, 5, 0.75], abs=1e-12)
    out = move_sphere((0.1, 0.2, 0.3), (0.1, 0.2, 0.3), 0.5, CORNER, epsilon=0.25)
    assert out.end == pytest.approx([0.75, 0.75, 0.75], abs=1e-12)
    assert out.response == "push"


def test_coplanar_triangles_do_not_catch_what_slides_over_them():
    """Edges inside a wall are no obstacles: one turn, whatever the tessellation."""
    fine = shapes.grid_box((40, 40, 1), (40.0, 40.0, 1.0))
    out = move_sphere((-15, -15.3, 3), (15, 14, -3), 0.4, fine)
    assert out.response == "slide"
    assert out.iterations == 2
    assert out.end == pytest.approx([15, 14, 0.5 + 0.4 * (1 + 2**-10)], abs=1e-12)
    along = move_sphere(out.end, out.end * [-1, -1, 1], 0.4, fine)
    assert (along.response, along.iterations) == ("free", 1)


@pytest.mark.parametrize("how", response.RESPONSES)
def test_a_motion_of_any_length_is_stopped(how):
    for far in (1e3, 1e9, 1e100, 1e300):
        out = move_sphere((1, 1, 1), (far, far, -far), 0.25, CORNER, response=how)
        assert out.path[:, 2].min() > 0.25
    assert np.isfinite(out.left).all()


@pytest.mark.parametrize("radius", [0.0, 0.5])
def test_between_walls_that_are_too_narrow_it_moves_along_them_only(radius):
    """Epsilon is larger than the gap, or the sphere is: never nearer, never through."""
    narrow = Obstacles(FLOOR, wall((0, 0, 1), 0.02))
    out = move_sphere((0, 0, 0.008), (3, 1, 5), radius, narrow, epsilon=0.1)
    assert out.response == "overlap"
    assert out.end == pytest.approx([3, 1, 0.008], abs=1e-12)
    out = move_sphere((0, 0, 0.008), (0, 0, -5), radius, narrow, epsilon=0.1)
    assert (out.response, out.end.tolist()) == ("overlap", [0, 0, 0.008])


def test_a_sphere_does_not_enter_a_narrow_gap_and_too_many_turns_end_in_escape():
    slot = Obstacles(wall((0, 0, 1), 0.0, 5.0), wall((0, 0, 1), 0.9, 5.0))
    out = move_sphere((9, 0, 0.45), (-9, 0, 0.45), 0.5, slot)
    assert out.response == "stop"
    assert out.end[0] > 5
    assert move_sphere((9, 0, 0.45), (-9, 0, 0.45), 0.4, slot).response == "free"
    bowl = shapes.icosphere(3, 5.0)
    out = move_sphere((0, 0, 0), (3e3, 2e3, 1e3), 0.5, bowl, iterations=6)
    assert (out.response, out.iterations) == ("escape", 6)
    assert clearance(out.end, Obstacles(bowl)) > 0.5
    assert len(out.path) <= 7


def test_meshes_and_bodies_are_met_where_they_are_now():
    box = Body(shapes.box(2.0), pose=Pose.rigid(np.eye(3), (5, 0, 0)))
    box.points = box.mesh.points * 2
    out = move_point((0, 0.5, 0.5), (9, 0.5, 0.5), box, epsilon=0.5, response="stop")
    assert out.end.tolist() == [2.5, 0.5, 0.5]
    out = move_point(
        (0, 0.5, 0.5), (9, 0.5, 0.5), [box, FLOOR], epsilon=0.5, response="stop"
    )
    assert out.end == pytest.approx([2.5, 0.5, 0.5])
    out = move_point((0, 0, 5), (0, 0, -5), box.mesh, epsilon=0.5, response="stop")
    assert out.end.tolist() == [0, 0, 1.5]


@pytest.mark.parametrize("power", [-480, -60, 60, 480])
def test_the_same_room_in_another_unit_gives_the_same_bits(power):
    unit = 2.0**power
    start, end = np.array([3.1, 2.7, 3.3]), np.array([-1.4, 4.9, -1.2])
    small = move_sphere(start, end, 0.3, CORNER)
    room = Obstacles(CORNER.triangles * unit)
    large = move_sphere(start * unit, end * unit, 0.3 * unit, room)
    assert (large.path == small.path * unit).all()
    assert [c.t for c in large.contacts] == [c.t for c in small.contacts]
    small = move_point(start, end, CORNER)
    large = move_point(start * unit, end * unit, room)
    assert (large.path == small.path * unit).all()
