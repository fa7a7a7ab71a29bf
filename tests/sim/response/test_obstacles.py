import numpy as np
import pytest

from sim import Body, Pose
from sim.response import Index, Obstacles, push_off, slide, stop_short
from sim.response.obstacles import obstacles_of
from sim.response.projection import nearest
from sim.response.surroundings import first_touch, plane, view
from wingedge import shapes
from wingedge.columns import columns, cross, direction, length, rows, subtract
from wingedge.primitives import sphere_triangle

TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_triangles_say_what_they_are_of_and_a_body_is_taken_where_it_is_now():
    box = shapes.box(2.0)
    both = Obstacles([TRIANGLE], box)
    assert both.triangles.shape == (13, 3, 3)
    assert both.source[0].tolist() == [0, 0]
    assert both.source[1:, 0].tolist() == [1] * 12
    assert both.source[1:, 1].tolist() == np.repeat(np.arange(6), 2).tolist()
    assert (both.triangles[1:] == box.points[box.fan.vertex]).all()
    body = Body(shapes.box(2.0), pose=Pose(np.eye(3) * 2, (1, 2, 3)))
    taken = Obstacles(body)
    assert taken.triangles.max(axis=(0, 1)).tolist() == [3, 4, 5]
    body.points[...] = 0
    assert taken.triangles.max(axis=(0, 1)).tolist() == [3, 4, 5]
    assert not taken.triangles.flags.writeable
    room = Obstacles([TRIANGLE])
    assert obstacles_of(room) is room


def test_near_lists_what_a_box_touches_in_order():
    rng = np.random.default_rng(1)
    room = Obstacles(rng.normal(size=(200, 3, 3)))
    for _ in range(20):
        low = rng.normal(size=3)
        high = low + rng.uniform(0, 1, 3)
        found = room.near(low, high)
        truth = []
        for k, triangle in enumerate(room.triangles):
            if (triangle.min(axis=0) <= high).all():
                truth += [k] if (triangle.max(axis=0) >= low).all() else []
        assert found.tolist() == truth
    assert Obstacles([TRIANGLE]).near((1, 0, 0), (2, 1, 1)).tolist() == [0]
    assert Obstacles([TRIANGLE]).near((1.1, 0, 0), (2, 1, 1)).tolist() == []


def test_what_a_caller_may_give():
    for given, count in [
        (TRIANGLE, 1),
        ([TRIANGLE, TRIANGLE], 2),
        (np.zeros((0, 3, 3)), 0),
        ([], 0),
        ([np.array([TRIANGLE]), np.array([TRIANGLE, TRIANGLE])], 3),
        (shapes.tetrahedron(), 4),
        ([shapes.tetrahedron(), Body(shapes.box())], 16),
        ((np.array([TRIANGLE]), shapes.tetrahedron()), 5),
    ]:
        taken = obstacles_of(given)
        assert isinstance(taken, Index)
        assert len(taken.triangles) == count


UP = (0.0, 0.0, 1.0)


def test_what_meets_nothing_within_epsilon_stays_and_shares_nothing():
    for t in [0.0, 1e-9, 0.1]:
        assert stop_short((1, 2, 3), (1, 2, 4), t, 0.1).tolist() == [1.0, 2.0, 3.0]
    for side in [1, -1]:
        assert slide((3, 0, 4 * side), UP, 0, 0.5, side).tolist() == [
            3.0,
            0.0,
            4.0 * side,
        ]
    start = np.zeros((4, 1, 3))
    end = np.ones((5, 3))
    out = stop_short(start, end, 0.0)
    assert out.shape == (4, 5, 3)
    assert not np.shares_memory(slide(end, UP, -9), end)
    assert stop_short((1, 2, 3), (1, 2, 3), 1.0).tolist() == [1.0, 2.0, 3.0]
    assert push_off((1, 2, 3), (0, 0, 0), 1).tolist() == [1.0, 2.0, 3.0]
    assert slide((1, 2, 3), (0, 0, 0), 7).tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("power", [-900, -500, 0, 500, 900])
def test_the_same_scene_in_another_unit_gives_the_same_bits(power):
    unit = 2.0**power
    start, end = np.array([0.1, 0.7, 0.9]), np.array([0.3, -0.4, -0.8])
    normal, offset, epsilon = np.array([0.3, 0.1, 0.9]), 0.01, 0.037
    small = stop_short(start, end, 0.43, epsilon)
    large = stop_short(start * unit, end * unit, 0.43, epsilon * unit)
    assert (large == small * unit).all()
    small = slide(end, normal, offset, epsilon, -1)
    large = slide(end * unit, normal, offset * unit, epsilon * unit, -1)
    assert (large == small * unit).all()


def test_many_are_the_same_as_one_by_one():
    rng = np.random.default_rng(3)
    start, end, normal = rng.normal(size=(3, 20, 3))
    t, epsilon, side = rng.uniform(size=20), rng.uniform(size=20), rng.normal(size=20)
    many = (
        stop_short(start, end, t, epsilon),
        push_off(start, normal, side, epsilon),
        slide(end, normal, t, epsilon, side),
    )
    for k in range(20):
        assert (many[0][k] == stop_short(start[k], end[k], t[k], epsilon[k])).all()
        assert (many[1][k] == push_off(start[k], normal[k], side[k], epsilon[k])).all()
        one = slide(end[k], normal[k], t[k], epsilon[k], side[k])
        assert (many[2][k] == one).all()


def corners(a, b, c):
    return [np.array([p], float) for p in (a, b, c)]


def test_beside_an_edge_away_is_square_to_it_however_near():
    """As a difference of points it is off by rounding over distance."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b, turn = rng.uniform(-1, 1, (3, 3))
        out = np.cross(b - a, turn)
        out /= np.sqrt(out @ out)
        here = a + 0.37 * (b - a) + 1e-9 * out
        seen = view(here, corners(a, b, a - out))
        along = (b - a) / np.sqrt((b - a) @ (b - a))
        assert not seen.inside.any()
        assert abs(rows(seen.away)[0] @ along) < 1e-15


def test_the_plane_of_a_needle_is_square_to_its_length():
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 100, 3))
    c = a + rng.uniform(size=(100, 1)) * (b - a) + 1e-6 * rng.normal(size=(100, 3))
    unit = direction(plane(columns(a), columns(b), columns(c)))
    along = direction(columns(b - a))
    assert np.abs((rows(unit) * rows(along)).sum(axis=1)).max() < 1e-9
    whole = direction(cross(subtract(columns(b), columns(a)), columns(c - a)))
    assert np.abs((rows(unit) * rows(whole)).sum(axis=1)).min() > 1 - 1e-12


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
OFF = 2.0**-47


def back(n):
    return tuple(-x for x in n)


def test_a_plane_that_the_slide_on_another_leaves_does_not_hold():
    """An obtuse corner: the nearer wall alone turns the motion."""
    slope = (0.6, 0.0, 0.8)
    way, held = nearest((1.0, 0.0, -1.0), [(slope, 0.0), (Z, 0.0)], OFF)
    assert held == (1,)
    assert way == (1.0, 0.0, 0.0)


def test_planes_further_off_hold_and_there_is_no_way_between_too_near_ones():
    way, held = nearest((0.0, 0.0, 0.0), [(Z, 0.5), (X, -1.0)], OFF)
    assert (way, held) == ((0.0, 0.0, 0.5), (0,))
    way, held = nearest((0.0, 0.0, 0.0), [(Z, 0.5), (X, 0.25), (Y, 0.125)], OFF)
    assert way == pytest.approx((0.25, 0.125, 0.5), abs=1e-15)
    assert sorted(held) == [0, 1, 2]
    assert nearest((0.0, 0.0, 0.0), [(Z, 0.5), (back(Z), 0.25)], OFF) is None


@pytest.mark.parametrize("seed", range(40))
def test_no_allowed_motion_is_nearer_to_the_one_wanted(seed):
    """Against a search: thousands of allowed points, none of them nearer."""
    rng = np.random.default_rng(seed)
    normals = rng.normal(size=(int(rng.integers(1, 12)), 3))
    normals /= np.sqrt((normals**2).sum(axis=1))[:, None]
    if seed % 3 == 0:  # all on one side: there is always a way
        normals *= np.sign(normals[:, 2])[:, None]
    wish = rng.normal(size=3)
    planes = [(tuple(n), 0.0) for n in normals.tolist()]
    way, held = nearest(tuple(wish.tolist()), planes, OFF)
    assert (normals @ way).min() >= -1e-14
    assert len(held) <= 3
    # the condition for the nearest point of a cone (Moreau 1962): what is taken off is
    # square to the way, and no allowed direction leads further towards the wish
    rest = wish - way
    assert rest @ way == pytest.approx(0.0, abs=1e-13)
    around = np.concatenate([way + 0.1 * rng.normal(size=(4000, 3)), [2 * wish]])
    allowed = around[(around @ normals.T >= 0).all(axis=1)]
    assert (allowed @ rest <= 1e-12).all()


FLOOR = [np.array([p]) for p in ([-1.0, -1, 0], [1.0, -1, 0], [0.0, 1, 0])]


def one(here, there, radius, corners=FLOOR):
    radii = np.array([radius])
    hit, t = first_touch(np.array(here), np.array(there), radii, corners)
    return bool(hit[0]), float(t[0])


def test_what_leaves_a_triangle_or_has_no_area_is_not_touched():
    assert not one((0.0, 0, 0.25), (0.0, 0, 1), 0.25)[0]
    assert not one((0.0, 0, 0.1), (0.0, 0, 1), 0.25)[0]
    assert one((0.0, 0, 0.1), (0.0, 0, 0.05), 0.25) == (True, 0.0)
    a, b = columns([(0.0, 0, 0)]), columns([(1.0, 2, 3)])
    assert length(plane(a, b, b)).tolist() == [0.0]
    assert length(plane(a, a, a)).tolist() == [0.0]


@pytest.mark.parametrize("degenerate", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_times_are_those_of_the_exact_primitive(seed, degenerate):
    rng = np.random.default_rng(seed)
    corners = rng.uniform(-0.8, 0.8, (3, 200, 3))
    if degenerate:
        share = rng.uniform(size=(200, 1))
        corners[2] = corners[0] + share * (corners[1] - corners[0])
        corners[2, ::2] += 10.0 ** rng.uniform(-15, -3, (100, 1))
        corners[1, ::7] = corners[0, ::7]
    here, there = rng.uniform(-0.9, 0.9, (2, 3))
    radii = rng.uniform(0, 0.2, 200)
    clear = ~sphere_triangle.touch(here, radii + 1e-9, *corners).hit
    radii, corners = radii[clear], [corner[clear] for corner in corners]
    hit, t = first_touch(here, there, radii, corners)
    truth = sphere_triangle.sweep(here, there, radii, *corners)
    assert (hit == truth.hit).all()
    assert hit.any()
    assert (~hit).any()
    place = here + t[hit][:, None] * (there - here)
    touch = sphere_triangle.touch(place, radii[hit], *(c[hit] for c in corners))
    assert np.abs(touch.distance).max() < 1e-14
    # never later: a sphere that stops there has gone through nothing
    assert (t[hit] <= truth.t[hit] + 1e-7).all()


def test_a_needle_is_not_passed_because_its_plane_is_rounded():
    """Its normal is made of rounding, and says nothing: the corners do."""
    rng = np.random.default_rng(8)
    for _ in range(200):
        a, b = rng.uniform(-0.9, 0.9, (2, 3))
        c = a + rng.uniform() * (b - a)  # to rounding on the line
        middle = 0.5 * (a + b)
        here = middle + 0.5 * (rng.normal(size=3))
        corners = [np.array([p]) for p in (a, b, c)]
        if sphere_triangle.touch(here, 0.02, a, b, c).hit:
            continue
        assert one(here, 2 * middle - here, 0.01, corners)[0]
