import pytest

from sim import Body, Pose, Recording, World, scenes
from sim.errors import RecordingError
from sim.story.compare import first_difference
from wingedge import edits, shapes


def reeled(world, n):
    reel = world.reel()
    for _ in range(n):
        reel.append(world.step())
    return reel


@pytest.mark.parametrize("name", ["tip", "pass_through", "knead", "arch"])
def test_a_reel_is_written_as_the_run_is_recorded(tmp_path, name):
    world, other = scenes.load(name), scenes.load(name)
    with world.record(tmp_path / "whole.vtkhdf"):
        list(world.run(30))
    reel = reeled(other, 30)
    with (
        Recording.open(tmp_path / "whole.vtkhdf") as whole,
        reel.save_as(tmp_path / "reel.vtkhdf") as saved,
    ):
        assert first_difference(whole, saved) is None
        assert saved.digest == whole.digest
        assert saved.replay().digest == saved.digest


@pytest.mark.parametrize("dropped", [1, 11, 29])
def test_what_is_left_of_a_reel_is_that_part_of_the_recording(tmp_path, dropped):
    world, other = scenes.load("tip"), scenes.load("tip")
    with world.record(tmp_path / "whole.vtkhdf"):
        list(world.run(30))
    reel = reeled(other, 30)
    assert [reel.drop().index for _ in range(dropped)] == list(range(dropped))
    assert [frame.index for frame in reel] == list(range(dropped, 30))
    with Recording.open(tmp_path / "whole.vtkhdf") as whole:
        part = whole.save_as(tmp_path / "part.vtkhdf", slice(dropped, 30))
        with part, reel.save_as(tmp_path / "reel.vtkhdf") as saved:
            assert saved.digest == part.digest
            assert saved.replay().digest == saved.digest


def test_a_pair_that_nobody_looked_at_is_remembered_by_what_is_left(tmp_path):
    def far():
        bodies = [Body(shapes.box(), name=name) for name in "ab"]
        way = lambda t: Pose(None, (abs(10.0 * t % 8.0 - 4.0) + 1.0005, 0.1, 0.0))  # noqa: E731
        rules = {"margin": 0.5, "regions": True, "contact_distance": 0.01}
        return World(bodies, motion={"b": way}, dt=0.05, **rules)

    whole, reel = reeled(far(), 30), reeled(far(), 30)
    alone = [k for k, frame in enumerate(whole) if not frame.pairs]
    for _ in range(15):
        reel.drop()
    assert {14, 15, 16} <= set(alone)
    regions = [r.identity for frame in whole for s in frame.pairs for r in s.regions]
    assert regions == [0, 1], "it touches before what is dropped, and after"
    with (
        whole.save_as(tmp_path / "whole.vtkhdf") as first,
        first.save_as(tmp_path / "part.vtkhdf", slice(15, 30)) as part,
        reel.save_as(tmp_path / "reel.vtkhdf") as saved,
    ):
        assert saved.digest == part.digest
        assert saved.replay().digest == saved.digest


def test_notes_are_written_and_an_empty_reel_is_no_recording(tmp_path):
    with pytest.raises(ValueError, match="step the world first"):
        scenes.load("tip").reel().save_as(tmp_path / "a.vtkhdf")
    assert list(tmp_path.iterdir()) == []
    world = scenes.load("tip")
    world.notes["scene"] = "tip"
    with reeled(world, 2).save_as(tmp_path / "a.vtkhdf", {"by": "hand"}) as saved:
        assert saved.notes == {"scene": "tip", "by": "hand"}


def test_a_frame_that_does_not_follow_is_refused():
    world = scenes.load("tip")
    reel = world.reel()
    first = world.step()
    world.step()
    with pytest.raises(ValueError, match=r"frame 0 cannot be kept .* reel\.append"):
        reel.append(first)
    assert len(reel) == 0
    reel.append(world.step())
    world.step()
    with pytest.raises(ValueError, match="frame 4 cannot be kept after frame 2"):
        reel.append(world.step())
    assert [frame.index for frame in reel] == [2]


def test_a_reel_over_an_edit_of_a_mesh_is_refused_by_name(tmp_path):
    box = Body(shapes.box(), name="box")
    world = World([box, Body(shapes.box(), name="other")])
    reel = reeled(world, 2)
    box.replace(*edits.split_edge(box.mesh, 0))
    reel.append(world.step())
    with pytest.raises(RecordingError, match="'box' has another mesh"):
        reel.save_as(tmp_path / "a.vtkhdf")
    assert not list(tmp_path.glob("*.vtkhdf"))
