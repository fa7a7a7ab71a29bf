import numpy as np
import pytest

from wingedge import Feature, MeshError, WingedEdgeMesh, shapes
from wingedge.build import TOPOLOGY, Polygons

BOX = shapes.box()
P, F = BOX.points, [BOX.face_vertices(f).tolist() for f in range(6)]
T = shapes.tetrahedron()
TP, TF = T.points, T.fan.vertex.tolist()


def joined(points, faces, shared):
    """Two tetrahedra with the first ``shared`` vertices in common."""
    second = np.roll(points, 1, axis=1) * [-1, -1, 1] * 3 + 7
    number = [v if v < shared else v + 4 - shared for v in range(4)]
    return (
        np.vstack([points, second[shared:]]),
        faces + [[number[v] for v in face] for face in faces],
    )


EDGE, VERTEX = joined(TP, TF, 2), joined(TP, TF, 1)
BAD = {
    "no faces": (P, [], "not empty", None),
    "nothing at all": ([], [], "not empty", None),
    "two corners": (P, [*F, [0, 1]], "three corners per face", "f6"),
    "repeated vertex": (
        P,
        [[0, 2, 3, 2], *F[1:]],
        "no repeated vertex in a face",
        "f0",
    ),
    "unused vertex": (np.vstack([P, [[9, 9, 9]]]), F, "no unused vertex", "v8"),
    "open": (P, F[:-1], "two faces per edge", "e2"),
    "one face only": (P[:3], [[0, 1, 2]], "two faces per edge", "e0"),
    "edge of four faces": (*EDGE, "two faces per edge", "e0"),
    "a face twice": (P, [*F, F[0]], "two faces per edge", "e0"),
    "one face flipped": (P, [*F[:5], F[5][::-1]], "consistent orientation", "e2"),
    "two pieces": (
        np.vstack([P, P + 5]),
        F + [[v + 8 for v in face] for face in F],
        "one component",
        "f6",
    ),
    "vertex of two fans": (*VERTEX, "one fan of faces per vertex", "v0"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_broken_topology_is_named_with_its_element_in_one_sentence(name):
    points, faces, invariant, element = BAD[name]
    with pytest.raises(MeshError) as refused:
        WingedEdgeMesh.from_faces(points, faces)
    assert refused.value.invariant == invariant
    assert refused.value.element == (Feature.parse(element) if element else None)
    assert "\n" not in str(refused.value)
    assert element is None or element[1:] in str(refused.value)


def test_every_invariant_of_the_topology_has_a_bad_example():
    assert {invariant for _, _, invariant, _ in BAD.values()} == set(TOPOLOGY)


def test_an_open_mesh_is_told_which_edge_and_how_many():
    with pytest.raises(MeshError, match=r"edge 2 \(3 -> 1\) has one face, 0; .*closed"):
        WingedEdgeMesh.from_faces(P, F[:-1])


def test_the_face_that_disagrees_with_all_others_is_the_one_to_reverse():
    for flipped in range(6):
        faces = [face[::-1] if f == flipped else face for f, face in enumerate(F)]
        with pytest.raises(MeshError, match=f"reverse the corners of face {flipped},"):
            WingedEdgeMesh.from_faces(P, faces)


def test_faces_on_an_edge_too_many_are_all_named():
    with pytest.raises(MeshError, match="has 4 faces, 0, 1, 4 and 5"):
        WingedEdgeMesh.from_faces(*EDGE)


def test_a_ring_has_a_hole_and_is_no_broken_topology():
    ring = shapes.ring()
    assert ring.n_vertices - ring.n_edges + ring.n_faces == 0


def test_corners_know_their_edge_side_and_successor():
    polygons = Polygons(3, np.array([0, 3, 6]), np.array([0, 1, 2, 0, 2, 1]))
    assert polygons.next.tolist() == [1, 2, 0, 4, 5, 3]
    assert polygons.edge.tolist() == [0, 1, 2, 2, 1, 0]
    assert polygons.side.tolist() == [0, 0, 0, 1, 1, 1]
    assert polygons.edge_text(1) == "edge 1 (1 -> 2)"


def test_an_edge_of_thousands_of_faces_is_told_in_a_line():
    """It was told by the numbers of all of them: 2.3 MB."""
    faces = [[0, 1, k] for k in range(2, 3000)]
    with pytest.raises(MeshError, match=r"has 2998 faces, 0, .* and 2990 more; every"):
        WingedEdgeMesh.from_faces(np.random.default_rng(1).random((3000, 3)), faces)
