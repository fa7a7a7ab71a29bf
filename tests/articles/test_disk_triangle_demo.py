"""wingedge.primitives.disk_triangle: Redpoll's 60, 2-23, Code1, figures 13 to 15.

Formulas and constants "as printed" are those of the article.
"""

import numpy as np
import pytest
from disk_triangle import CORNERS, RADIUS, Disk, parsed

from wingedge.primitives import point_line

INSIDE = 7


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


def test_figures_13_to_15_the_disk_the_triangle_and_the_start():
    assert RADIUS == 1.0
    assert CORNERS == ((0.0, 0.0), (0.8, 1.8), (2.4, 0.0))
    a, b, c = CORNERS
    assert point_line.side(c, a, b) == 1  # clockwise, as the article demands
    state = Disk().state
    assert state.center == (-4.0, 0.0)
    assert (scale(state), degrees(state)) == ((2.0, 2.0), 0.0)
    assert state.corners == [(0.0, 0.0), (1.6, 3.6), (4.8, 0.0)]
    assert (state.hit, state.distance) == (False, 3.0)
    assert not held("L*29").hit
    assert (held("L*30").hit, held("L*30").distance) == (True, 0.0)


@pytest.mark.parametrize(
    ("keys", "center", "turned", "scaled"),
    [
        ("H", (-4.1, 0.0), 0, (2, 2)),  # T.x -= speed
        ("L", (-3.9, 0.0), 0, (2, 2)),
        ("J", (-4.0, -0.1), 0, (2, 2)),
        ("K", (-4.0, 0.1), 0, (2, 2)),
        ("Shift+H", (-4.1, 0.0), 0, (2, 2)),  # Shift is for the triangle
        ("H+L", (-4.1, 0.0), 0, (2, 2)),
        ("J+K", (-4.0, -0.1), 0, (2, 2)),
        ("R", (-4.0, 0.0), 0.5, (2, 2)),
        ("Shift+R", (-4.0, 0.0), 359.5, (2, 2)),
        ("S", (-4.0, 0.0), 0, (2.02, 2)),
        ("Shift+S", (-4.0, 0.0), 0, (1.98, 2)),
        ("T", (-4.0, 0.0), 0, (2, 2.02)),
        ("Shift+T", (-4.0, 0.0), 0, (2, 1.98)),
        ("R+S+T", (-4.0, 0.0), 0.5, (2, 2)),
        ("S+T", (-4.0, 0.0), 0, (2.02, 2)),
        ("L+K+R", (-3.9, 0.1), 0.5, (2, 2)),
    ],
)
def test_keys_move_turn_and_scale_in_the_order_that_is_printed(
    keys, center, turned, scaled
):
    state = held(keys)
    assert (state.center, degrees(state), scale(state)) == (center, turned, scaled)


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


def test_the_regions_are_the_rows_of_the_table_while_the_triangle_is_clockwise():
    demo, seen = Disk(), set()
    log = "R*7 K*46 L*58 Shift+R*9 L*50 S*10 J*46 J*20 H*30 T*9 H*50 L*50 K*25"
    for keys in parsed(log, demo.KEYS):
        state = demo.step(keys)
        row = as_printed_row(state.center, *state.corners)
        assert state.region == row
        seen.add(row)
    assert seen == {1, 2, 3, 4, 5, 6, 7}


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
