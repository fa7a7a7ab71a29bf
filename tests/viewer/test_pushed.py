import pytest  # of viewer.sources, viewer.timeline

from sim import scenes
from viewer.sources import PushedFrames
from viewer.timeline import Timeline


def test_what_is_handed_over_is_there_in_order():
    frames, source = list(scenes.load("demo").run(45)), PushedFrames()
    source.append(frames[0])
    assert not source.extend()
    line = Timeline(source)
    assert not line.at_end
    for frame in frames[1:]:
        source.append(frame)
        line.step()
        assert line.frame is frame
    line.step()
    assert line.frame is frames[-1]
    assert [source[k] for k in range(len(source))] == frames
    assert source.dt == frames[-1].time - frames[-2].time
    assert source.events() == [(k, e) for k, f in enumerate(frames) for e in f.events]
    with pytest.raises(IndexError, match="frame 45 is not there; frames 0 to 44 are"):
        source[45]
