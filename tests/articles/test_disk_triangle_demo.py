"""Redpoll's 60, section 2-23, Code1: every constant, every key, figures 13 to 15.

Formulas and constants "as printed" are those of the article.
"""

import numpy as np
import pytest
from disk_triangle import CORNERS, RADIUS, Disk, parsed

from wingedge.primitives import disk_triangle, point_line

INSIDE = 7
TOUR = (
    "L*30 K*12 L*10 K*30 L*30 J*10 R*60 Shift+S*150 Shift+T*120 H*60 J*22 "
    "Shift+R*90 L*40 -*3"
)


def played(log):
    demo = Disk()
    for keys in parsed(log, demo.KEYS):
        demo.step(keys)
    return demo


def held(*frames):
    return played(" ".join(frames)).state


def scale(state):
    return tuple(n / 50 for n in state.steps[3:])


def degrees(state):
    return state.steps[2] / 2 % 360


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def as_printed_row(center, a, b, c):
    """The row of the article's table: k of CollisionTest_Disk_Triangle."""
    k = 0
    for bit, start, end in ((4, a, b), (2, b, c), (1, c, a)):
        at, along = np.subtract(center, start), np.subtract(end, start)
        k += bit * bool(cross(at, along) >= 0.0)
    return k


def test_figure_13_the_disk_is_of_radius_1_about_its_centre_t():
    assert RADIUS == 1.0


def test_figure_14_the_triangle_at_rest_is_a_00_b_08_18_c_24_00_clockwise():
    assert CORNERS == ((0.0, 0.0), (0.8, 1.8), (2.4, 0.0))
    a, b, c = CORNERS
    assert (
        point_line.side(c, a, b) == 1
    )  # C is right of AB: clockwise, as the article demands


def test_figure_15_the_program_starts_with_the_disk_at_minus_4_0_and_scale_2_2():
    state = Disk().state
    assert state.center == (-4.0, 0.0)
    assert scale(state) == (2.0, 2.0)
    assert degrees(state) == 0.0
    assert state.corners == [(0.0, 0.0), (1.6, 3.6), (4.8, 0.0)]
    assert not state.hit
    assert state.distance == 3.0


def test_figure_15_the_disk_touches_the_triangle_after_thirty_frames_to_the_right():
    assert held("L*30").distance == 0.0
    assert held("L*30").hit
    assert not held("L*29").hit


@pytest.mark.parametrize(
    ("key", "moved"),
    [
        ("H", (-0.10, 0.0)),  # T.x -= speed
        ("L", (0.10, 0.0)),  # T.x += speed
        ("J", (0.0, -0.10)),  # T.y -= speed
        ("K", (0.0, 0.10)),  # T.y += speed
    ],
)
def test_h_l_j_k_move_the_disk_by_0_10_a_frame(key, moved):
    x, y = held(key).center
    assert (x, y) == (-4.0 + moved[0], 0.0 + moved[1])
    assert held(f"Shift+{key}").center == (x, y)  # Shift is for the triangle


def test_h_goes_before_l_and_j_before_k_and_both_axes_move_at_once():
    assert held("H+L").center == (-4.1, 0.0)
    assert held("J+K").center == (-4.0, -0.1)
    assert held("L+K").center == (-3.9, 0.1)


@pytest.mark.parametrize(("keys", "turned"), [("R", 0.5), ("Shift+R", 359.5)])
def test_r_turns_the_triangle_by_half_a_degree(keys, turned):
    assert degrees(held(keys)) == turned


def test_s_and_t_scale_x_and_y_by_0_02():
    for keys, scaled in [
        ("S", (2.02, 2.0)),
        ("Shift+S", (1.98, 2.0)),
        ("T", (2.0, 2.02)),
        ("Shift+T", (2.0, 1.98)),
    ]:
        assert scale(held(keys)) == scaled


def test_r_goes_before_s_and_s_before_t():
    state = held("R+S+T")
    assert (degrees(state), scale(state)) == (0.5, (2.0, 2.0))
    assert scale(held("S+T")) == (2.02, 2.0)


def test_disk_and_triangle_move_in_the_same_frame():
    state = held("L+K+R")
    assert (state.center, degrees(state)) == ((-3.9, 0.1), 0.5)


def test_every_key_has_an_inverse_and_many_steps_end_at_zero():
    log = "L*7 K*3 R*41 S*9 T*5 H*7 J*3 Shift+R*41 Shift+S*9 Shift+T*5"
    assert held(log).steps == Disk().state.steps
    assert held("L*40").center == (0.0, 0.0)
    assert sum([0.1] * 40, start=-4.0) != 0.0


def test_the_matrix_is_r_times_s_the_triangle_is_scaled_before_it_is_turned():
    # a quarter turn, x twice as long as y: B = R S (0.8, 1.8)
    state = held("R*180", "S*100")
    assert scale(state) == (4.0, 2.0)
    assert state.corners == [(0.0, 0.0), (-3.6, 3.2), (0.0, 9.6)]


def test_a_stays_at_the_origin_whatever_is_pressed():
    assert held("R*33", "S*7", "Shift+T*120").corners[0] == (0.0, 0.0)


def test_scaled_past_zero_the_article_meets_row_0_of_its_table_and_ours_region_7():
    # mirrored by S; the centre inside: left of all three lines as printed
    state = held("Shift+S*200 L*26 K*10")
    assert scale(state) == (-2.0, 2.0)
    assert as_printed_row(state.center, *state.corners) == 0
    assert (state.region, state.touch) == (INSIDE, "VF v0 f0")
    assert state.hit
    assert state.regime == "penetrating"


def test_at_scale_zero_the_article_reports_a_hit_100_away_and_ours_a_distance():
    state = held("Shift+S*100 Shift+T*100 H*960")
    assert state.corners == [(0.0, 0.0)] * 3
    assert state.center == (-100.0, 0.0)
    assert as_printed_row(state.center, *state.corners) == INSIDE  # "hit"
    assert not state.hit
    assert state.distance == 99.0
    assert state.region == 0


def test_a_side_of_no_length_is_its_point_where_the_article_has_0_over_0():
    state = held("Shift+S*100 Shift+T*100 L*29")
    assert state.corners[0] == state.corners[1]
    assert state.distance == pytest.approx(0.1, abs=1e-15)
    assert held("Shift+S*100 Shift+T*100 L*30").distance == 0.0


def test_scaled_to_a_segment_the_disk_is_held_against_the_segment():
    state = held("Shift+T*100 L*20 K*11")
    assert state.corners == [(0.0, 0.0), (1.6, 0.0), (4.8, 0.0)]
    assert (state.region, state.touch) == (0, "VV v0 v0")
    state = held("Shift+T*100 L*20 K*11 L*50")
    assert state.touch == "VE v0 e1(1-2)"
    assert state.distance == pytest.approx(0.1, abs=1e-15)


def test_the_regions_are_the_rows_of_the_table_while_the_triangle_is_clockwise():
    demo, seen = Disk(), set()
    log = "R*7 K*46 L*58 Shift+R*9 L*50 S*10 J*46 J*20 H*30 T*9 H*50 L*50 K*25"
    for keys in parsed(log, demo.KEYS):
        state = demo.step(keys)
        row = as_printed_row(state.center, *state.corners)
        assert state.region == row
        seen.add(row)
    assert seen == {1, 2, 3, 4, 5, 6, 7}


def test_a_point_of_the_rim_is_as_far_from_the_nearest_point_as_is_said():
    demo = Disk()
    for keys in parsed(TOUR, demo.KEYS):
        state = demo.step(keys)
        gap = float(np.hypot(*(state.rim - state.point)))
        assert gap == pytest.approx(abs(state.distance), abs=1e-12)
        found = disk_triangle.meet(state.center, RADIUS, *state.corners)
        assert state.hit == found.hit
        assert state.distance == 0.0 or state.hit == (state.distance < 0.0)


def test_what_the_program_shows_as_a_colour_is_told_in_lines():
    assert played("L*32 H*5").lines == [
        "30 begin disk/triangle VV v0 v0",
        "31 penetrate disk/triangle VV v0 v0",
        "34 separate disk/triangle VV v0 v0",
        "35 end disk/triangle VV v0 v0",
    ]


@pytest.mark.parametrize("word", ["X", "L*", "L*x", "l", "L*-1", "Shift+", "L*1.5"])
def test_a_key_that_does_nothing_is_refused(word):
    with pytest.raises(ValueError, match="keys are Shift and HJKLRST"):
        played(f"L*3 {word}")


TOLD = """
L*30 J*11 L*50 K*30 H*20
30 begin disk/triangle VV v0 v0
35 end disk/triangle VV v0 v0
92 begin disk/triangle VE v0 e2(2-0)
93 penetrate disk/triangle VE v0 e2(2-0)
103 change disk/triangle VE v0 e2(2-0) -> VF v0 f0
111 change disk/triangle VF v0 f0 -> VE v0 e1(1-2)
130 change disk/triangle VE v0 e1(1-2) -> VF v0 f0

L*25 K*10 R*400 Shift+R*150
125 begin disk/triangle VE v0 e0(0-1)
129 penetrate disk/triangle VE v0 e0(0-1)
196 change disk/triangle VE v0 e0(0-1) -> VF v0 f0
328 change disk/triangle VF v0 f0 -> VE v0 e2(2-0)
395 separate disk/triangle VE v0 e2(2-0)
403 end disk/triangle VE v0 e2(2-0)
472 begin disk/triangle VE v0 e2(2-0)
476 penetrate disk/triangle VE v0 e2(2-0)
543 change disk/triangle VE v0 e2(2-0) -> VF v0 f0

L*27 Shift+S*160 S*80 Shift+T*160 T*200
133 begin disk/triangle VV v0 v2
134 penetrate disk/triangle VV v0 v2
155 change disk/triangle VV v0 v2 -> VE v0 e2(2-0)
220 change disk/triangle VE v0 e2(2-0) -> VV v0 v2
241 separate disk/triangle VV v0 v2
243 end disk/triangle VV v0 v2

H+L+J+K+R*20 L+K+S*40 L+R+T*30 L+Shift+S+T*60
75 begin disk/triangle VE v0 e0(0-1)
75 penetrate disk/triangle VE v0 e0(0-1)
84 change disk/triangle VE v0 e0(0-1) -> VF v0 f0
123 change disk/triangle VF v0 f0 -> VE v0 e2(2-0)
126 change disk/triangle VE v0 e2(2-0) -> VV v0 v2
133 separate disk/triangle VV v0 v2
134 end disk/triangle VV v0 v2
"""


@pytest.mark.parametrize("story", TOLD.strip().split("\n\n"))
def test_a_log_of_keys_tells_its_golden_story(story):
    log, *lines = story.splitlines()
    assert played(log).lines == lines
