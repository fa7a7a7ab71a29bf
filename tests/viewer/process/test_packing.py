import pytest

from sim import Body, Frame, World
from viewer.process import packing
from viewer.process.packing import Packer
from wingedge import shapes


def test_what_stays_is_written_once_also_beside_pairs_that_come_and_go(frames):
    packer = Packer()
    assert not packer.suits(frames[0])
    preface = packer.preface
    assert all(packer.suits(frame) for frame in frames)
    assert packer.preface is preface
    assert packer.floats == sum(12 + body.points.size for body in frames[0].bodies)
    (packer := Packer()).suits(frames[0])
    alone = Frame(0, 0.0, (), (), frames[0].bodies)
    assert packer.suits(alone)
    assert packer.suits(frames[1])
    mesh, packer = shapes.box(), Packer()

    def frame():
        return World([Body(mesh, name="a"), Body(mesh, name="b")]).step()

    assert not packer.suits(frame())
    assert packer.suits(frame())


def test_a_body_that_gets_another_mesh_or_comes_or_goes_is_written_again(frames):
    frame = frames[0]
    packer = Packer()
    packer.suits(frame)
    one = Frame(0, 0.0, (), (), frame.bodies[:1])
    assert not packer.suits(one)
    assert packer.suits(one)
    assert not packer.suits(frame)
    other = Body(shapes.box(), name=one.bodies[0].name)
    assert not packer.suits(World([other]).step())


def test_an_answer_without_its_body_is_refused(frames):
    frame = frames[0]
    name = frame.pairs[0].b.name
    bodies = tuple(body for body in frame.bodies if body.name != name)
    with pytest.raises(ValueError, match=f"but no body '{name}'"):
        Packer().suits(Frame(0, 0.0, frame.pairs, (), bodies))


def test_events_are_sent_until_their_frame_was_taken(frames):
    packer = Packer()
    packer.suits(frames[0])
    event = next(e for frame in frames for e in frame.events)
    sizes = [len(packer.pack(n, frames[0], (event,), 0)[1]) for n in (1, 2, 3)]
    assert sizes == [2, 3, 4]
    assert len(packer.pack(4, frames[0], (), 2)[1]) == 2
    assert len(packer.pack(5, frames[0], (), 4)[1]) == 1
    assert packer.lost == 0


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
