import re  # of viewer.web.panel

from sim import Body, Pose, World
from viewer.sources import source_of
from viewer.theme import DARK, LIGHT, css
from viewer.timeline import Timeline
from viewer.web.panel import answers_html, events_html, legend_html, story_html
from wingedge import shapes

HOSTILE = "<img src=x onerror=alert(1)>"


def plain(text):
    return re.sub("<[^>]*>", "", text)


def test_the_answer_is_told_in_the_colour_of_its_regime(any_frame):
    told = answers_html(any_frame, LIGHT)
    assert f"frame {any_frame.index}" in plain(told)
    for regime in {state.regime for state in any_frame.pairs[:3]} & {"contact"}:
        assert css(LIGHT.regime(regime)) in told
    assert told.count("certified by") <= 6


def test_present_events_are_marked_and_later_ones_are_faint(frames):
    line = Timeline(source_of(frames))
    line.seek(37)
    told = events_html(line, DARK)
    rows = re.findall(r'<div style="([^"]*)">(\d+) (\w+)', told)
    assert [(k, kind) for _, k, kind in rows] == [("37", "begin"), ("41", "penetrate")]
    assert css(DARK.mark) in rows[0][0]
    assert "opacity" in rows[1][0]
    line.seek(59)
    assert "opacity" not in events_html(line, DARK)


def test_every_name_is_escaped_wherever_it_is_written():
    a = Body(shapes.box(), name=HOSTILE)
    b = Body(shapes.box(), name="b", pose=Pose.rigid(None, (0.0, 0.0, 1.0)))
    frame = World([a, b]).step()
    assert frame.events
    line = Timeline(source_of([frame]))
    timed = [(0.0, event) for event in frame.events]
    for told in (
        answers_html(frame, LIGHT),
        events_html(line, LIGHT),
        legend_html(frame, LIGHT),
        story_html(timed),
    ):
        assert "<img" not in told
        assert "&lt;img src=x" in told


def test_the_legend_names_a_few_bodies_and_all_regimes_in_colours_of_css(heap):
    told = plain(legend_html(heap, LIGHT))
    for word in ("box0", "box5", "separated", "contact", "penetrating"):
        assert word in told
