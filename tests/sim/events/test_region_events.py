import numpy as np
import pytest

from sim import Body, Event, Pose, Recording, World, scenes
from sim.events.touch import Touch
from wingedge import shapes


def story(world, frames):
    return [str(event) for frame in world.run(frames) for event in frame.events]


@pytest.mark.parametrize(
    "line",
    [
        "12 birth a/b #3 FV f1 v2",
        "12 death jelly 2/the table #0 EE e7(3-9) e9(1-4)",
        "14 split a/b #1 -> #1+#4",
        "14 split a #2/b #9 #1 -> #1+#4+#5",
        "20 merge a/b #1+#4 -> #1",
    ],
)
def test_a_line_is_read_back(line):
    event = Event.parse(line)
    assert str(event) == line
    assert Event.parse(f"{event}\n") == event


def test_an_event_names_what_went_in_and_what_came_out():
    split = Event.parse("14 split a/b #1 -> #1+#4")
    assert (split.contact, split.parents, split.children) == (1, (1,), (1, 4))
    merge = Event.parse("20 merge a/b #2+#4 -> #2")
    assert (merge.contact, merge.parents, merge.children) == (2, (2, 4), (2,))
    birth = Event.parse("12 birth a/b #3 FV f1 v2")
    assert (birth.contact, birth.parents, birth.children) == (3, (), (3,))
    assert birth.after == Touch.parse("FV f1 v2")
    death = Event.parse("12 death a/b #3 FV f1 v2")
    assert (death.contact, death.parents, death.children) == (3, (3,), ())
    assert death.before == Touch.parse("FV f1 v2")


def test_a_run_that_is_joined_midway_goes_on_with_the_same_identities(tmp_path):
    path = tmp_path / "late.vtkhdf"
    world = scenes.load("arch")
    list(world.run(40))
    with world.record(path):
        list(world.run(20))
    with Recording.open(path) as recording, recording.replay() as again:
        assert again.digest == recording.digest
        told = [str(event) for event in again.events]
        assert told[0] == "45 split arch/table #0 -> #0+#3+#4"


def test_a_region_ends_though_its_pair_is_beyond_the_margin():
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")

    def jump(t):
        return Pose(None, (0.0, 0.0, 1.51 if t < 0.5 else 50.0))

    world = World(
        [ball, table],
        motion={"ball": jump},
        dt=1.0,
        contact_distance=0.05,
        margin=0.1,
        regions=True,
    )
    assert [line.split()[1] for line in story(world, 3)] == [
        "begin",
        "birth",
        "end",
        "death",
    ]


def test_a_pair_that_is_asked_for_the_other_way_round_has_its_regions_mirrored():
    world = scenes.load("arch")
    *_, frame = world.run(38)
    (here,) = frame.pair("arch", "table").regions
    (there,) = frame.pair("table", "arch").regions
    assert here.identity == there.identity
    assert there.feature_a == here.feature_b
    assert np.array_equal(there.normal, -here.normal)
    assert sorted(map(tuple, there.faces[:, ::-1])) == sorted(map(tuple, here.faces))
