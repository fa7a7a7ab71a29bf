import pytest

from sim import Story
from sim.planar.disk import TOUR, DiskDemo, story
from sim.planar.keys import DiskSetting, KeyLog


def test_the_tour_tells_its_golden_story(contact_regression):
    contact_regression.check(story(TOUR))


@pytest.mark.parametrize(
    ("name", "log"),
    [
        ("round_the_corner", "L*30 J*11 L*50 K*30 H*20"),
        ("turned_into_the_disk", "L*25 K*10 R*400 Shift+R*150"),
        ("scaled_past_zero", "L*27 Shift+S*160 S*80 Shift+T*160 T*200"),
        ("all_keys_at_once", "H+L+J+K+R*20 L+K+S*40 L+R+T*30 L+Shift+S+T*60"),
    ],
)
def test_a_log_of_keys_tells_its_golden_story(contact_regression, name, log):
    contact_regression.check(story(log), name=name)


def test_a_story_goes_through_its_text_whatever_the_form_of_its_keys(expect_contacts):
    expected = "begin disk/triangle VV v0 v0 ; penetrate ; separate ; end"
    expect_contacts(expected).of(story("L*35 H*20"))
    told = story(TOUR)
    assert Story.parse(str(told)) == told
    assert told.bodies == ("disk", "triangle")
    assert told.frames == len(KeyLog.parse(TOUR)) + 1
    assert story("L*15 L*15 L+H").digest == story("L*30 H").digest


def test_a_demo_goes_on_where_it_is_and_its_frames_carry_keys_events_and_setting():
    demo = DiskDemo()
    assert demo.frame.state.frame == 0
    frames = list(demo.play("L*2"))
    assert [frame.state.frame for frame in frames] == [0, 1, 2]
    assert [frame.state.frame for frame in demo.play("H")] == [2, 3]
    assert demo.frame.setting == DiskSetting(right=-39)
    demo = DiskDemo()
    list(demo.play("L*29"))
    frame = demo.step({"L", "Shift"})
    assert frame.keys == {"L", "Shift"}
    assert frame.setting.center == (-1.0, 0.0)
    assert [str(event) for event in frame.events] == ["30 begin disk/triangle VV v0 v0"]


def test_a_key_that_does_nothing_is_refused_and_the_distance_of_contact_a_choice():
    with pytest.raises(ValueError, match="nothing is done by X"):
        story("L*3 X")
    demo = DiskDemo()
    assert demo.step({"X", "Escape"}).setting == DiskSetting()
    near = story("L*29", contact_distance=0.15)
    assert near.lines == ("29 begin disk/triangle VV v0 v0",)
    assert story("L*29").lines == ()
    assert story("L*30", contact_distance=0.0).lines == (
        "30 begin disk/triangle VV v0 v0",
    )
