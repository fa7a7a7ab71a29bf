import numpy as np
import pytest

from sim import Body, Pose, World, scenes
from sim.story.compare import difference
from viewer.process.mailbox import Message
from viewer.process.packing import Packer, Unpacker
from wingedge import shapes


class Line:
    """A packer and an unpacker, without a process between."""

    def __init__(self):
        self.packer, self.unpacker = Packer(), Unpacker()
        self.number = self.taken = 0

    def pack(self, frame):
        if not self.packer.suits(frame):
            self.unpacker.learn(self.packer.preface)
        self.number += 1
        arrays, text = self.packer.pack(self.number, frame, frame.events, self.taken)
        floats = np.concatenate([array.ravel() for array in arrays])
        return Message(self.number, floats, b"".join(text))

    def unpack(self, message):
        self.taken = message.number
        return self.unpacker.unpack(message)

    def send(self, frame):
        return self.unpack(self.pack(frame))


@pytest.fixture
def line():
    return Line()


def hulls():
    u = Body(shapes.u_block(), convexity="hull", name="u")
    box = Body(shapes.box(0.4), name="box")
    return World([u, box], motion={"box": lambda t: Pose(None, (0.1, 0.2, 3.0 - t))})


def few_of_many():
    bodies = [
        Body(shapes.box(), name=f"b{k}", pose=Pose(None, (1.3 * k, 0, 0)))
        for k in range(5)
    ]
    away = {"b2": lambda t: Pose(None, (2.6, 0.0, 3.0 * t))}
    return World(bodies, motion=away, margin=0.5, dt=0.1)


SEEN = {
    **{name: lambda name=name: scenes.load(name) for name in scenes.names()},
    "hulls": hulls,
    "few_of_many": few_of_many,
}


@pytest.mark.parametrize("name", SEEN)
def test_every_frame_is_the_same_bit_for_bit(name, line):
    for frame in SEEN[name]().run(45):
        same, told = line.send(frame)
        assert difference(frame, same) == ""
        assert told == frame.events
        for one, other in zip(frame.pairs, same.pairs, strict=True):
            assert one.work == other.work
            assert one.contacts == () or repr(one) == repr(other)
            assert one.parts_a == other.parts_a
            for mine, its in zip(one.hulls, other.hulls, strict=True):
                np.testing.assert_array_equal(mine, its)
        for one, other in zip(frame.events, same.events, strict=True):
            assert (one.path, one.jump) == (other.path, other.jump)
            names = [(pair.a.name, pair.b.name) for pair in frame.pairs]
            assert (other.state is not None) == ((one.a, one.b) in names)
            assert other.state is None or other.state in same.pairs


def test_what_happened_in_frames_that_were_passed_over_is_told_with_the_next(line):
    frames = list(scenes.load("demo").run(160))
    told, taken = [], []
    for k, frame in enumerate(frames):
        message = line.pack(frame)
        if k % 37 == 0 or k == 159:
            same, events = line.unpack(message)
            told += events
            taken.append(same.index)
            assert same.events == frame.events
    assert taken == [0, 37, 74, 111, 148, 159]
    assert told == [event for frame in frames for event in frame.events]
    assert len(told) > 3


def test_events_that_were_told_are_not_told_again_if_the_packer_has_not_heard(line):
    frames = list(scenes.load("demo").run(60))
    told = []
    for frame in frames:
        message = line.pack(frame)
        told += line.unpacker.unpack(message)[1]  # line.taken stays behind
    assert told == [event for frame in frames for event in frame.events] != []
