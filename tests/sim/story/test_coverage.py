import pytest

from sim import Body, Pose, Story, World, scenes
from sim.story.graph import coverage
from wingedge import edits, shapes


def run(name):
    return scenes.load(name).run(scenes.length(name))


def test_an_edge_on_an_edge_has_twelve_neighbour_states():
    (pair,) = coverage(run("edge_on_edge"))
    assert (pair.a, pair.b) == ("upper", "lower")
    assert pair.visited == ("upper/lower EE e7(3-0) e7(3-0)",)
    assert pair.reached == ()
    # two faces beside either edge, two edges at each of its ends
    assert len(set(pair.missing)) == len(pair.missing) == 2 * (2 + 4)
    assert "upper/lower FE f2 e7(3-0)" in pair.missing
    assert "upper/lower EF e7(3-0) f2" in pair.missing
    assert pair.share == 0.0
    assert str(pair) == (
        "upper/lower: 1 states in contact; of their 12 neighbour states 0 visited, "
        "12 never"
    )


def test_tipping_over_comes_to_the_edge_and_the_next_face():
    (pair,) = coverage(run("tip"))
    assert pair.visited == (
        "block/table FF f0 f1",
        "block/table EF e2(3-1) f1",
        "block/table FF f5 f1",
    )
    assert set(pair.reached) == set(pair.visited)  # each is the neighbour of another
    assert "block/table FF f4 f1" in pair.missing
    assert not set(pair.missing) & set(pair.visited)
    assert pair.share == 3 / (3 + len(pair.missing))


def test_a_pair_that_never_touched_is_not_told_of_and_a_story_knows_no_neighbours():
    assert coverage(scenes.load("tip").run(10)) == ()
    with pytest.raises(ValueError, match="a story has no meshes"):
        coverage(Story.of(scenes.load("tip").run(30)))


def test_a_mesh_that_is_replaced_is_refused_by_name():
    low, high = (Body(shapes.box(), name=name) for name in ("low", "high"))
    high.pose = Pose(None, (0.1, 0.2, 1.0))
    world = World([low, high])
    frames = [world.step()]
    low.replace(*edits.poke_face(low.mesh, 1))
    frames.append(world.step())
    with pytest.raises(ValueError, match="'low' has another mesh from frame 1 on"):
        coverage(frames)
