import numpy as np  # of sim.tracking.region_tracker, sim.events.changes

from sim import Body, Pose, Recording, World, scenes
from wingedge import shapes


def story(world, frames):
    return [str(event) for frame in world.run(frames) for event in frame.events]


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
