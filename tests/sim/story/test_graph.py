import networkx as nx  # of sim.story.graph, sim.story.story

from sim import Event, Story
from sim.story.graph import contact_graph

THERE_AND_BACK = (
    "2 begin a/b VF v1 f1",
    "5 change a/b VF v1 f1 -> EE e7(3-9) e1(4-5)",
    "5 penetrate a/b EE e7(3-9) e1(4-5)",
    "6 separate a/b EE e7(3-9) e1(4-5)",
    "6 change a/b EE e7(3-9) e1(4-5) -> VF v1 f1",
    "7 change a/b VF v1 f1 -> EE e7(3-9) e1(4-5)",
    "9 end a/b EE e7(3-9) e1(4-5)",
)
APART, VF, EE = "a/b apart", "a/b VF v1 f1", "a/b EE e7(3-9) e1(4-5)"


def told(*lines, frames=10, first=0, bodies=("a", "b")):
    return Story(bodies, frames, first, 0.5, tuple(map(Event.parse, lines)))


def dwells(graph):
    return dict(graph.nodes(data="frames"))


def counts(graph):
    return {(old, new): count for old, new, count in graph.edges(data="count")}


def test_states_are_nodes_with_the_time_spent_there():
    graph = contact_graph(told(*THERE_AND_BACK))
    assert dwells(graph) == {APART: 2 + 1, VF: 3 + 1, EE: 1 + 2}
    assert graph.nodes[VF] == {
        "pair": "a/b",
        "kind": "VF",
        "feature_a": "v1",
        "feature_b": "f1",
        "visits": 2,
        "frames": 4,
        "seconds": 2.0,
    }
    assert graph.nodes[APART]["kind"] == "apart"


def test_the_graph_says_what_it_is_of_and_counts_its_transitions():
    graph = contact_graph(told(*THERE_AND_BACK))
    assert counts(graph) == {(APART, VF): 1, (VF, EE): 2, (EE, VF): 1, (EE, APART): 1}
    assert graph.edges[VF, EE]["first"] == 5
    graph = contact_graph(told(*THERE_AND_BACK, first=1, frames=9))
    assert graph.graph == {"bodies": "a/b", "first": 1, "frames": 9, "dt": 0.5}
    assert dwells(graph)[APART] == 1 + 1


def test_a_contact_of_the_first_frame_was_never_apart_and_every_pair_has_its_states():
    graph = contact_graph(told("3 begin a/b VF v1 f1", first=3))
    assert dwells(graph) == {VF: 10}
    assert not graph.edges
    lines = ("1 begin a/b VF v1 f1", "1 begin b/c VF v1 f1")
    graph = contact_graph(told(*lines, bodies=("a", "b", "c")))
    assert len(graph) == 4
    assert nx.number_weakly_connected_components(graph) == 2


def test_a_graph_survives_graphml(tmp_path):
    graph = contact_graph(told(*THERE_AND_BACK))
    nx.write_graphml(graph, tmp_path / "states.graphml")
    again = nx.read_graphml(tmp_path / "states.graphml")
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert list(again.edges(data=True)) == list(graph.edges(data=True))
    assert again.graph["frames"] == 10
