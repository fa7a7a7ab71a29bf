import networkx as nx
import pytest

from wingedge import Feature, WingedEdgeMesh, graph, neighbours, shapes


def test_vertex_graph_is_the_edges_with_their_numbers(mesh):
    found = graph.vertex_graph(mesh)
    assert found.number_of_nodes() == mesh.n_vertices
    for e, (tail, tip) in enumerate(mesh.edge_vertices.tolist()):
        assert found.edges[tail, tip]["edge"] == e


def test_dual_graph_links_faces_across_edges(mesh):
    found = graph.dual_graph(mesh)
    assert found.number_of_nodes() == mesh.n_faces
    for left, right, edge in found.edges(data="edge"):
        assert sorted(mesh.edge_faces[edge].tolist()) == sorted((left, right))


def test_faces_that_share_several_edges_are_linked_through_the_lowest():
    box = shapes.box()
    faces = [box.face_vertices(f).tolist() for f in range(6)]
    for face in faces:
        for k in range(4):
            if {face[k], face[(k + 1) % 4]} == {0, 1}:
                face.insert(k + 1, 8)
                break
    points = [*box.points.tolist(), [0, -0.5, -0.5]]
    cut = WingedEdgeMesh.from_faces(points, faces)
    shared = [e for e in range(13) if set(cut.edge_faces[e].tolist()) == {0, 2}]
    assert len(shared) == 2
    assert graph.dual_graph(cut).edges[0, 2]["edge"] == min(shared)


def test_the_dual_of_a_box_is_an_octahedron():
    assert nx.is_isomorphic(graph.dual_graph(shapes.box()), nx.octahedral_graph())
    assert nx.is_isomorphic(graph.vertex_graph(shapes.box()), nx.hypercube_graph(3))


def test_feature_graph_links_every_feature_with_its_neighbours():
    box = shapes.box()
    found = graph.feature_graph(box)
    assert found.number_of_nodes() == 8 + 12 + 6
    for feature in (Feature("vertex", 3), Feature("edge", 5), Feature("face", 2)):
        assert set(neighbours(box, feature)) <= set(found[feature])
    assert nx.is_connected(found)


@pytest.mark.parametrize("name", graph.__all__)
def test_graphs_of_every_body_are_connected(mesh, name):
    assert nx.is_connected(getattr(graph, name)(mesh))
