"""Redpoll's 60, section 2-23, Code1: every constant, every key, figures 13 to 15.

Formulas and constants "as printed" are those of the article.
"""

import numpy as np
import pytest

from sim.planar.disk import DiskDemo, story
from sim.planar.keys import CORNERS, RADIUS
from sim.planar.walk import INSIDE, turn


def held(*frames):
    demo = DiskDemo()
    for keys in frames:
        demo.step(keys.split("+"))
    return demo.frame


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
    assert turn(c, a, b) == 1  # C is right of AB: clockwise, as the article demands


def test_figure_15_the_program_starts_with_the_disk_at_minus_4_0_and_scale_2_2():
    frame = DiskDemo().frame
    assert frame.setting.center == (-4.0, 0.0)
    assert frame.setting.scale == (2.0, 2.0)
    assert frame.setting.degrees == 0.0
    assert frame.setting.corners == ((0.0, 0.0), (1.6, 3.6), (4.8, 0.0))
    assert not frame.state.hit
    assert frame.state.distance == 3.0


def test_figure_15_the_disk_touches_the_triangle_after_thirty_frames_to_the_right():
    assert held(*["L"] * 30).state.distance == 0.0
    assert held(*["L"] * 30).state.hit
    assert not held(*["L"] * 29).state.hit


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
    x, y = held(key).setting.center
    assert (x, y) == (-4.0 + moved[0], 0.0 + moved[1])
    assert held(f"Shift+{key}").setting.center == (x, y)  # Shift is for the triangle


def test_h_goes_before_l_and_j_before_k_and_both_axes_move_at_once():
    assert held("H+L").setting.center == (-4.1, 0.0)
    assert held("J+K").setting.center == (-4.0, -0.1)
    assert held("L+K").setting.center == (-3.9, 0.1)


@pytest.mark.parametrize(("keys", "degrees"), [("R", 0.5), ("Shift+R", 359.5)])
def test_r_turns_the_triangle_by_half_a_degree(keys, degrees):
    assert held(keys).setting.degrees == degrees


def test_s_and_t_scale_x_and_y_by_0_02():
    for keys, scale in [
        ("S", (2.02, 2.0)),
        ("Shift+S", (1.98, 2.0)),
        ("T", (2.0, 2.02)),
        ("Shift+T", (2.0, 1.98)),
    ]:
        assert held(keys).setting.scale == scale


def test_r_goes_before_s_and_s_before_t():
    frame = held("R+S+T")
    assert (frame.setting.degrees, frame.setting.scale) == (0.5, (2.0, 2.0))
    assert held("S+T").setting.scale == (2.02, 2.0)


def test_disk_and_triangle_move_in_the_same_frame():
    frame = held("L+K+R")
    assert (frame.setting.center, frame.setting.degrees) == ((-3.9, 0.1), 0.5)


def test_the_matrix_is_r_times_s_the_triangle_is_scaled_before_it_is_turned():
    # a quarter turn, x twice as long as y: B = R S (0.8, 1.8)
    frame = held(*["R"] * 180, *["S"] * 100)
    assert frame.setting.scale == (4.0, 2.0)
    a, b, c = frame.setting.corners
    assert a == (0.0, 0.0)
    assert b == (-3.6, 3.2)
    assert c == (0.0, 9.6)


def test_a_stays_at_the_origin_whatever_is_pressed():
    frame = held(*["R"] * 33, *["S"] * 7, *["Shift+T"] * 120)
    assert frame.setting.corners[0] == (0.0, 0.0)


def test_scaled_past_zero_the_article_meets_row_0_of_its_table_and_ours_region_7():
    # mirrored by S; the centre inside: left of all three lines as printed
    demo = DiskDemo()
    list(demo.play("Shift+S*200 L*26 K*10"))
    frame = demo.frame
    assert frame.setting.scale == (-2.0, 2.0)
    assert as_printed_row(frame.setting.center, *frame.setting.corners) == 0
    assert frame.state.region == INSIDE
    assert frame.state.hit
    assert str(frame.state.feature_b) == "f0"


def test_at_scale_zero_the_article_reports_a_hit_100_away_and_ours_a_distance():
    demo = DiskDemo()
    list(demo.play("Shift+S*100 Shift+T*100"))
    assert demo.frame.setting.corners == ((0.0, 0.0),) * 3
    list(demo.play("H*960"))
    center = demo.frame.setting.center
    assert center == (-100.0, 0.0)
    assert as_printed_row(center, *demo.frame.setting.corners) == INSIDE  # "hit"
    assert not demo.frame.state.hit
    assert demo.frame.state.distance == 99.0
    assert demo.frame.state.region == 0


def test_scaled_to_a_segment_the_disk_is_held_against_the_segment():
    demo = DiskDemo()
    list(demo.play("Shift+T*100 L*20 K*11"))
    assert demo.frame.setting.corners == ((0.0, 0.0), (1.6, 0.0), (4.8, 0.0))
    assert (demo.frame.state.region, str(demo.frame.state.feature_b)) == (0, "v0")
    list(demo.play("L*50"))
    assert str(demo.frame.state.feature_b) == "e1"
    assert demo.frame.state.distance == pytest.approx(0.1, abs=1e-15)


def test_the_regions_are_the_rows_of_the_table_while_the_triangle_is_clockwise():
    demo = DiskDemo()
    log = "R*7 K*46 L*58 Shift+R*9 L*50 S*10 J*46 J*20 H*30 T*9 H*50 L*50 K*25"
    seen = set()
    for frame in demo.play(log):
        row = as_printed_row(frame.setting.center, *frame.setting.corners)
        assert frame.state.region == row
        seen.add(row)
    assert seen == {1, 2, 3, 4, 5, 6, 7}


def test_what_the_program_shows_as_a_colour_is_told_as_a_story():
    assert story("L*32 H*5").lines == (
        "30 begin disk/triangle VV v0 v0",
        "31 penetrate disk/triangle VV v0 v0",
        "34 separate disk/triangle VV v0 v0",
        "35 end disk/triangle VV v0 v0",
    )
