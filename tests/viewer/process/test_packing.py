import pytest

from sim import Frame
from viewer.process import packing
from viewer.process.packing import Packer


def test_an_answer_without_its_body_is_refused(frames):
    frame = frames[0]
    name = frame.pairs[0].b.name
    bodies = tuple(body for body in frame.bodies if body.name != name)
    with pytest.raises(ValueError, match=f"but no body '{name}'"):
        Packer().suits(Frame(0, 0.0, frame.pairs, (), bodies))


def test_events_that_nobody_takes_are_counted_and_need_no_more_room(frames):
    packer = Packer()
    packer.suits(frames[0])
    event = next(e for frame in frames for e in frame.events)
    sizes = [
        sum(map(len, packer.pack(n, frames[0], (event, event), 0)[1]))
        for n in range(1, 1500)
    ]
    assert max(sizes) < packing.EVENTS_ROOM + 10_000
    kept = len(packer.pack(1500, frames[0], (event, event), 0)[1]) - 1
    assert packer.lost == 2 * (1500 - kept) > 0
