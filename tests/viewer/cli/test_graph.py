import networkx as nx
import pytest

from sim import Story, scenes


@pytest.fixture
def tip(tmp_path):
    world = scenes.load("tip")
    with world.record(tmp_path / "tip.vtkhdf"):
        Story.of(world.run(100)).write(tmp_path / "tip.story")
    return "tip.vtkhdf"


def test_states_and_transitions_are_printed(wingedge, tip):
    result = wingedge("graph", tip)
    assert result.code == 0
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert lines[0] == "4 states in 100 frames, 1.66667 s"
    assert "block/table EF e2(3-1) f1 47 frames 0.7833 s 1 visits" in lines
    assert "1 times block/table FF f0 f1 -> EF e2(3-1) f1" in lines
    assert wingedge("graph", "tip.story").out == result.out


def test_the_graph_is_written(wingedge, tip, tmp_path):
    assert wingedge("graph", tip, "--output", "tip.graphml").code == 0
    assert len(nx.read_graphml(tmp_path / "tip.graphml")) == 4
