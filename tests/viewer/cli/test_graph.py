import networkx as nx
import pytest

from sim import Story, scenes


@pytest.fixture
def tip(tmp_path):
    world = scenes.load("tip")
    with world.record(tmp_path / "tip.vtkhdf"):
        Story.of(world.run(100)).write(tmp_path / "tip.story")
    Story.of(scenes.load("tip").run(80)).write(tmp_path / "short.story")
    return "tip.vtkhdf"


def test_states_transitions_and_what_was_never_visited_are_printed(wingedge, tip):
    result = wingedge("graph", tip)
    assert result.code == 0
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert lines[0] == "4 states in 100 frames, 1.66667 s"
    assert "block/table EF e2(3-1) f1 47 frames 0.7833 s 1 visits" in lines
    assert "1 times block/table FF f0 f1 -> EF e2(3-1) f1" in lines
    assert wingedge("graph", "tip.story").out == result.out
    result = wingedge("graph", tip, "--coverage")
    assert result.code == 0
    assert (
        "block/table: 3 states in contact; of their 37 neighbour states" in result.out
    )
    assert "  never block/table FF f4 f1" in result.out.splitlines()


def test_the_graph_and_its_picture_are_written(wingedge, tip, tmp_path):
    pytest.importorskip("matplotlib")
    result = wingedge("graph", tip, "--output", "tip.graphml", "--picture", "tip.svg")
    assert result.code == 0
    assert len(nx.read_graphml(tmp_path / "tip.graphml")) == 4
    assert (tmp_path / "tip.svg").read_text().startswith("<?xml")


def test_the_same_graph_is_a_yes_and_another_a_no(wingedge, tip):
    same = wingedge("graph", tip, "--against", "tip.story")
    assert (same.code, same.out) == (0, "the same states, transitions and dwells\n")
    other = wingedge("graph", tip, "--against", "short.story")
    assert other.code == 1
    assert "+ block/table FF f5 f1 -> apart" in other.out.splitlines()
