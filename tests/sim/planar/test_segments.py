import pytest

from sim.planar.keys import TOUR, SegmentDemo


def last(log):
    return list(SegmentDemo().play(log))[-1]


def test_the_demo_crosses_touches_to_the_bit_parts_and_shares_a_piece():
    frame = SegmentDemo().frame
    assert (frame.kind, frame.t1, frame.t2) == ("crossing", 0.5, 0.125)
    assert frame.point == (0.0, 0.0)
    assert frame.distance == 0.0
    frame = last("K*5")
    assert (frame.kind, frame.t1, frame.t2) == ("touching", 0.5, 0.0)
    assert frame.point == (0.0, 0.0)
    assert last("K*6").kind == "apart"
    assert last("K*6").distance == pytest.approx(0.1, abs=1e-15)
    frame = last("Shift+R*180 J*15 L*25")
    assert frame.kind == "overlap"
    assert frame.t1_range == (0.625, 1.0)
    assert frame.t2_range == (0.0, 0.375)
    assert frame.ends == ((0.5, 0.0), (2.0, 0.0))
    backwards = last("R*180 J*15 L*25")
    assert backwards.ends == ((0.5, 0.0), (2.0, 0.0))
    assert sorted(backwards.t2_range) == [0.625, 1.0]
    frame = last("J*15 Shift+S*100")
    assert (frame.kind, frame.t1, frame.t2) == ("touching", 0.5, 0.0)
    assert last("1 2+J*15 Shift+S*100").kind == "touching"
    kinds = [frame.kind for frame in SegmentDemo().play(TOUR)]
    assert list(dict.fromkeys(kinds)) == ["crossing", "apart", "overlap"]
    assert len(kinds) == 351


def test_a_key_that_does_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing is done by T"):
        last("T")
