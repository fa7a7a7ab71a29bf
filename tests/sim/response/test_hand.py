import numpy as np  # of sim.response.hand
import pytest

from sim import Body, Pose, exhaustive, verify
from sim.response import Hand
from wingedge import shapes

GAP = 1e-3
ZOO = dict(shapes.zoo(non_convex=True))
FLOOR = ((10.0, 10.0, 1.0), (0.0, 0.0, -0.5))
WALL_X = ((1.0, 10.0, 10.0), (2.5, 0.0, 0.0))
WALL_Y = ((10.0, 1.0, 10.0), (0.0, 2.5, 0.0))


def walls(*which, scale=1.0, shift=(0.0, 0.0, 0.0)):
    """Boxes that a body may meet, as (extents, centre)."""
    made = []
    for k, (extents, at) in enumerate(which):
        place = [scale * x + s for x, s in zip(at, shift, strict=True)]
        mesh = shapes.box(tuple(scale * x for x in extents))
        made.append(Body(mesh, name=f"wall {k}", pose=Pose(None, place)))
    return made


def cube(at=(0.0, 0.0, 1.0), size=1.0):
    return Body(shapes.box(size), name="cube", pose=Pose(None, at))


def apart(hand):
    return min(exhaustive(hand.body, b).distance for b in hand.obstacles)


def test_a_body_that_meets_nothing_arrives_to_the_bit_half_turned_or_not():
    hand = Hand(cube(), walls(FLOOR), gap=GAP)
    target = Pose(None, (0.1, 0.2, 3.0))
    drag = hand.move_to(target)
    assert drag.response == "free"
    assert drag.pose == hand.body.pose == target
    assert drag.contacts == ()
    hand = Hand(cube(), walls(FLOOR), gap=GAP)
    target = Pose.rigid((0.6, 0.0, 0.8, 0.0), (0.0, 0.0, 5.0))
    drag = hand.move_to(target)
    assert drag.response == "free"
    assert drag.pose == target


def test_a_body_rests_in_corners_of_walls_and_slides_out_along_two():
    hand = Hand(cube(), walls(FLOOR, WALL_X), gap=GAP)
    hand.move((5.0, 0.0, -5.0))
    at = hand.body.pose
    for _ in range(20):
        drag = hand.move((0.3, 0.0, -0.2))
        assert drag.response == "rest"
        assert drag.pose == at, "a body at rest does not stir by a bit"
    assert len(drag.contacts) == 2
    assert drag.left.tolist() == pytest.approx([0.3, 0.0, -0.2])
    hand = Hand(cube(), walls(FLOOR, WALL_X, WALL_Y), gap=GAP)
    hand.move((5.0, 5.0, -5.0))
    drag = hand.move((1.0, 2.0, -3.0))
    assert drag.response == "rest"
    assert {h.obstacle.name for h in drag.contacts} == {"wall 0", "wall 1", "wall 2"}
    before = drag.pose.translation
    drag = hand.move((-0.5, 2.0, -3.0))
    assert drag.response == "slide"
    assert drag.pose.translation - before == pytest.approx([-0.5, 0.0, 0.0], abs=1e-9)


def shortest(mesh):
    ends = mesh.points[mesh.edge_vertices]
    return float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).min())


@pytest.mark.parametrize("dragged", [shapes.box((1.0, 0.8, 0.6)), shapes.icosphere(1)])
@pytest.mark.parametrize("name", ZOO)
def test_a_body_slides_over_a_shape_and_every_frame_is_good(name, dragged):
    under = Body(ZOO[name], name=name)
    size = 0.2 * float(np.ptp(under.positions, axis=0).max())
    linear = size * Pose.rigid((0.3, -0.2, 0.4, 0.85)).linear
    body = Body(dragged, name="dragged", pose=Pose(linear, (0, 0, 10.0 * size)))
    detail = min(shortest(under.mesh), size * shortest(dragged))
    hand = Hand(body, under, gap=min(1e-3 * size, 0.02 * detail))
    top = under.positions[np.argmax(under.positions[:, 2])]
    hand.move_to(Pose(linear, 0.9 * top))  # down, until it lands
    axis, about = np.array([0.6, 0.48, 0.64]), np.array([0.28, -0.96, 0.0])
    way, words = 0.0, []
    for k in range(60):
        normal = hand.trackers[0].state.normal
        pull = np.cross(normal, np.cos(0.0024 * k) * axis + np.sin(0.0024 * k) * about)
        pull /= max(0.1, np.linalg.norm(pull))
        before = hand.body.pose.translation
        words.append(hand.move(0.1 * detail * (pull + 0.5 * normal)).response)
        pressed = hand.move(0.2 * detail * hand.trackers[0].state.normal)
        way += np.linalg.norm(pressed.pose.translation - before)
        state = hand.trackers[0].state
        assert 0.0 <= state.lower <= state.upper <= hand.gap
        if k % 20 == 0:
            assert verify(state, body, under)
            assert 0.0 < apart(hand) <= hand.gap
    assert way > 100.0 * hand.gap, "it did not get anywhere"
    assert words.count("slide") > 30


def test_letting_go_is_free_at_once():
    hand = Hand(cube(), walls(FLOOR, WALL_X), gap=GAP)
    hand.move((5.0, 0.0, -5.0))
    before = hand.body.pose.translation
    drag = hand.move((-1e-6, 0.0, 1e-6))
    assert drag.response == "free"
    x, y, z = before.tolist()
    assert drag.pose.translation.tolist() == [x - 1e-6, y, z + 1e-6]


@pytest.mark.parametrize("thickness", [1e-3, 1e-9, 1e-14])
def test_a_fast_body_does_not_pass_through_a_thin_wall(thickness):
    plate = Body(shapes.plate(4.0, thickness), name="plate")
    ball = Body(shapes.icosphere(1, 0.3), name="ball", pose=Pose(None, (0, 0, 50.0)))
    hand = Hand(ball, plate, gap=GAP)
    drag = hand.move((0.1, 0.0, -1e6))
    assert drag.response == "slide"
    assert drag.pose.translation[2] > 0.3
    assert 0.0 < apart(hand) <= GAP


def test_a_fast_body_does_not_pass_and_seams_do_not_catch():
    # The floor of a cup, hit from inside.  It went around once: from far above the
    # nearest plane leans on the rim, and to slide along that led past the cup.
    cup = Body(dict(shapes.zoo(non_convex=True))["cup"], name="cup")
    ball = Body(shapes.icosphere(0, 0.1), name="ball", pose=Pose(None, (0, 0, 5.0)))
    hand = Hand(ball, cup, gap=GAP)
    for _ in range(3):
        drag = hand.move((0.0, 0.0, -1e4))
        assert drag.response in ("slide", "rest", "escape")
        assert apart(hand) > 0.0
    assert 0.0 < apart(hand) <= GAP
    assert drag.pose.translation[2] == pytest.approx(-0.3, abs=0.02)
    tiles = walls(*(((1.0, 2.0, 1.0), (float(k), 0.0, -0.5)) for k in range(5)))
    hand = Hand(cube((0.0, 0.0, 0.3), 0.5), tiles, gap=GAP)
    hand.move((0.0, 0.0, -1.0))
    for k in range(40):
        drag = hand.move((0.1, 0.0, -0.05))
        assert drag.pose.translation[0] == pytest.approx(0.1 * (k + 1), abs=1e-9)
        assert drag.iterations <= 3


def test_floor_and_wall_of_one_body_turn_a_slide_once():
    """One region of contact names one plane; the other is met on the way, and kept."""
    cup = Body(ZOO["cup"], pose=Pose(None, (0.0, 0.0, -0.5)))
    needle = Body(ZOO["needle_1e6"], name="needle", pose=Pose(None, (0.0, 0.0, 3.0)))
    hand = Hand(needle, cup, gap=GAP)
    hand.move((0.01, 0.02, -5.0))
    for _ in range(40):
        drag = hand.move((0.011, 0.007, -0.1))
        assert drag.response == "slide"
        assert drag.iterations <= 16
        assert 0.0 < apart(hand) <= GAP


def test_closing_swelling_and_dented_bodies_are_kept_apart():
    hand = Hand(cube(), walls(WALL_X), gap=GAP)
    wall = hand.obstacles[0]
    hand.move((5.0, 0.0, 0.0))
    wall.pose = Pose(None, wall.pose.translation - [0.25, 0.0, 0.0])
    drag = hand.move((0.0, 0.0, 0.1))
    assert drag.response == "push"
    assert drag.pushed == pytest.approx([-0.25, 0.0, 0.0], abs=GAP)
    assert drag.pose.translation[2] == 1.1
    assert 0.0 < apart(hand) <= GAP
    ball = Body(shapes.icosphere(2, 1.0), name="ball")
    hand = Hand(cube((0.0, 0.0, 1.6)), ball, gap=GAP)
    hand.move((0.0, 0.0, -1.0))
    for k in range(20):
        ball.points = ball.mesh.points * (1.0 + 0.01 * (k + 1))
        assert hand.move((0.0, 0.0, -0.05)).response == "push"
        assert 0.0 < apart(hand) <= GAP
    hand = Hand(cube(), walls(FLOOR), gap=GAP)
    hand.move((0.0, 0.0, -5.0))
    for k in range(10):
        hand.body.points = hand.body.mesh.points * [1.0, 1.0, 1.0 + 0.02 * (k + 1)]
        hand.move((0.01, 0.0, -0.1))
        assert 0.0 < apart(hand) <= GAP


def test_walls_that_leave_no_room_stop_the_body_and_it_says_so():
    left = ((1.0, 10.0, 10.0), (-1.1, 0.0, 0.0))
    right = ((1.0, 10.0, 10.0), (1.1, 0.0, 0.0))
    hand = Hand(cube((0.0, 0.0, 0.0)), walls(left, right), gap=GAP)
    assert hand.move((0.0, 0.0, 0.1)).response == "free"
    hand.obstacles[0].pose = Pose(None, (-0.9, 0.0, 0.0))
    drag = hand.move((0.0, 0.0, 0.1))
    assert drag.response == "stop"
    assert drag.reason.startswith("no room: 'cube'")
    hand.obstacles[0].pose = Pose(None, (-1.1, 0.0, 0.0))
    assert hand.move((0.0, 0.0, 0.1)).response in ("free", "push")


def test_a_slot_with_less_room_than_the_gap_lets_the_body_slide():
    left = ((1.0, 10.0, 10.0), (-1.0001, 0.0, 0.0))
    right = ((1.0, 10.0, 10.0), (1.0001, 0.0, 0.0))
    hand = Hand(cube((0.0, 0.0, 0.0)), walls(left, right), gap=GAP)
    for k in range(5):
        drag = hand.move((0.2, 0.0, 0.1))
        assert drag.pose.translation[2] == pytest.approx(0.1 * (k + 1))
        assert apart(hand) > 0.0


def test_a_turn_lifts_the_box_off_its_wall_and_ends_where_two_are_met():
    hand = Hand(cube((0.0, 0.0, 0.5 + GAP)), walls(FLOOR), gap=GAP)
    for k in range(11):
        turn = Pose.rigid((0.0, 0.04 * k, 0.0, 1.0), (0.0, 0.0, 0.5))
        drag = hand.move_to(turn)
        assert 0.0 < apart(hand) <= GAP
        assert drag.response in ("slide", "free")
    # 43.6 degrees: the corner is below the middle, sqrt(1/2) high
    assert np.abs(drag.left_turn).max() < 0.1
    assert drag.pose.translation[2] == pytest.approx(np.sqrt(0.5), abs=0.02)
    low = ((10.0, 10.0, 1.0), (0.0, 0.0, -0.5))
    high = ((10.0, 10.0, 1.0), (0.0, 0.0, 1.6))
    hand = Hand(cube((0.0, 0.0, 0.55)), walls(low, high), gap=GAP)
    for _ in range(4):
        drag = hand.move_to(Pose.rigid((0.0, 0.4, 0.0, 1.0), (0.0, 0.0, 0.55)))
        assert apart(hand) > 0.0
    assert drag.response == "rest"
    assert {h.obstacle.name for h in drag.contacts} == {"wall 0", "wall 1"}
    # sin t + cos t = 1.1 at 6.06 degrees: 37.5 are left
    assert np.linalg.norm(drag.left_turn) == pytest.approx(0.681, abs=0.01)


def test_stretched_poses_and_gaps_of_no_length_are_refused():
    for gap in [0.0, -1.0, np.nan, np.inf]:
        with pytest.raises(ValueError, match="gap"):
            Hand(cube(), walls(FLOOR), gap=gap)
    hand = Hand(cube(), walls(FLOOR), gap=GAP)
    with pytest.raises(ValueError, match="does not stretch"):
        hand.move_to(Pose([[2, 0, 0], [0, 1, 0], [0, 0, 1]], (0, 0, 1)))
    hand = Hand(cube(), walls(FLOOR, WALL_X), gap=GAP, looks=1)
    drag = hand.move((5.0, 0.0, -5.0))
    assert drag.response == "escape"
    assert drag.iterations == 1
    assert apart(hand) > 0.0
