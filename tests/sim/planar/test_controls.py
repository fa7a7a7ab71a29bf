from math import cos, radians

from sim.planar.keys import Bar, DiskSetting, KeyLog, SegmentSetting, rotation


def after(log, setting):
    for keys in KeyLog.parse(log):
        setting = setting.pressed(keys)
    return setting


def test_many_steps_end_at_zero_where_a_running_sum_does_not_and_lead_back():
    assert after("L*40", DiskSetting()).center == (0.0, 0.0)
    x = -4.0
    for _ in range(40):
        x += 0.1
    assert x != 0.0
    assert after("Shift+S*100 Shift+T*100", DiskSetting()).scale == (0.0, 0.0)
    scale = 2.0
    for _ in range(100):
        scale -= 0.02
    assert scale != 0.0
    log = "L*7 K*3 R*41 S*9 T*5 H*7 J*3 Shift+R*41 Shift+S*9 Shift+T*5"
    assert after(log, DiskSetting()) == DiskSetting()


def test_rotations_keep_zeros_and_signs_by_eighths_and_bits_everywhere():
    for turns in [0, 90, 180, 270, 360, 540, 720, -180, 72000]:
        cosine, sine = rotation(turns)
        assert abs(cosine - cos(radians(turns / 2))) < 4e-16 * (1 + abs(turns))
        if turns % 180 == 0:
            assert {abs(cosine), abs(sine)} == {0.0, 1.0}
            assert "-0.0" not in (str(cosine), str(sine))
    cosine, sine = rotation(67)
    assert cosine.hex() == "0x1.aaf3151cc0cccp-1"
    assert sine.hex() == "0x1.1a977c0abc7a8p-1"


def test_a_segment_is_chosen_by_digits_and_stretched_about_its_middle():
    start = SegmentSetting()
    first = after("1+L*3 K*2", start)
    assert first.second == start.second
    assert (first.first.right, first.first.up) == (3, 2)
    second = after("2 R*4 Shift+S*5", first)
    assert second.first == first.first
    assert (second.second.turns, second.second.long) == (184, 95)
    assert Bar(10, -5).ends == ((-1.0, -0.5), (3.0, -0.5))
    assert Bar(0, 0, 180, 50).ends == ((0.0, -1.0), (0.0, 1.0))
    assert Bar(5, 5, 30, 0).ends == ((0.5, 0.5), (0.5, 0.5))
    assert SegmentSetting().pressed(frozenset("T")) == SegmentSetting()
