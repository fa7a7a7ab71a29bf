import pytest

from sim import Body, Pose, World
from sim.story.compare import difference
from viewer.process.child import DrawingLoop
from viewer.process.mailbox import OPEN, STARTING
from viewer.window.window import WindowScreen
from wingedge import shapes
from wingedge.edits import split_edge

pytestmark = pytest.mark.gui


@pytest.fixture
def drawing(sender):
    view = WindowScreen(size=(480, 300), off_screen=True)
    made = DrawingLoop(sender.control, view, every=0.0)
    yield made
    made.close()


@pytest.fixture
def see(drawing, sender):

    def draw(frame):
        sender.send(frame)
        drawing.turn()

    return draw


def test_the_newest_frame_is_drawn_and_those_before_are_passed_over(
    drawing, sender, frames
):
    drawing.turn()
    assert sender.control.state == STARTING
    for frame in frames[:5]:
        sender.send(frame)
    drawing.turn()
    assert (sender.control.state, sender.control.drawn) == (OPEN, 1)
    assert sender.control.taken == 5
    for frame in frames[5:]:
        sender.send(frame)
    drawing.turn()
    drawing.turn()
    window = drawing.view.window
    assert difference(frames[59], window.scene.frame) == ""
    assert sender.control.drawn == len(drawing.view.pushed) == 2


def test_the_story_has_what_happened_in_frames_that_were_passed_over(
    drawing, sender, frames
):
    for k, frame in enumerate(frames):
        sender.send(frame)
        if k in (3, 59):
            drawing.turn()
    events = drawing.view.window.timeline.source.events()
    wanted = [event for frame in frames for event in frame.events]
    assert [event for _, event in events] == wanted != []
    assert {k for k, _ in events} == {1}


def test_paused_it_stays_and_goes_through_the_frames_that_were_taken(
    drawing, see, frames
):
    for frame in frames[:6]:
        see(frame)
    window = drawing.view.window
    window.press("space")
    window.press("Left")
    see(frames[6])
    drawing.turn()
    assert window.scene.frame.index == 4
    window.press("End")
    drawing.turn()
    assert window.scene.frame.index == 6
    window.press("space")
    see(frames[7])
    assert window.scene.frame.index == 7


def test_hands_read_features_and_say_why_they_move_nothing(drawing, see, frames):
    see(frames[30])
    hands = drawing.view.window.controls.hands
    hands.next()
    hands.shift((0.1, 0.0, 0.0))
    assert hands.said == "another loop moves these bodies: here they can be read only"
    assert hands.save() is None
    assert hands.said == "another loop moves these bodies: here they can be read only"


def test_a_body_may_get_another_mesh_while_it_is_watched(drawing, see, sender):
    jelly, box = (Body(shapes.box(), name=name) for name in ("jelly", "box"))
    jelly.pose = Pose(None, (0.0, 0.0, 1.5))
    world = World([jelly, box])
    for _ in range(4):
        see(frame := world.step())
        assert difference(frame, drawing.view.window.scene.frame) == ""
        jelly.replace(*split_edge(jelly.mesh, 0))
    sender.send(world.step())
    jelly.replace(*split_edge(jelly.mesh, 0))
    see(frame := world.step())
    assert difference(frame, drawing.view.window.scene.frame) == ""


def test_in_the_end_it_says_what_went_wrong(drawing, see, frames):
    see(frames[0])
    error = RuntimeError("lost")
    error.add_note("in frame 1 of a world that was watched")
    drawing.asked.put(("end", error))
    window = drawing.view.window
    while window.timeline.playing:
        drawing.turn()
    assert window.timeline.trouble is error
    assert window.timeline.frame.index == 0
    before = window.image()
    window.timeline.trouble = None
    window.draw()
    assert (window.image() != before).any()


def test_it_ends_with_its_window_and_with_whoever_started_it(drawing, see, frames):
    see(frames[0])
    drawing.view.window._end()  # what VTK calls for q, and where a person closes it
    drawing.run()
    assert drawing.view.closed


def test_it_ends_when_nobody_is_there_before_the_first_frame(drawing):
    drawing.asked.put(None)
    drawing.run()
    assert drawing.view.closed


def test_it_takes_no_more_frames_than_can_be_seen(sender, frames):
    view = WindowScreen(size=(480, 300), off_screen=True)
    drawing = DrawingLoop(sender.control, view, every=1e9)
    for frame in frames[:9]:
        sender.send(frame)
        drawing.turn()
    assert len(view.pushed) == 1
    drawing.asked.put(("end", None))
    drawing.turn()
    assert view.window.timeline.frame.index == 8
    drawing.close()
