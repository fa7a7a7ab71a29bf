import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from wingedge import (
    Feature,
    MeshError,
    WingedEdgeMesh,
    geometry,
    neighbours,
    shapes,
    validate,
)
from wingedge.io.reading import welded
from wingedge.tables import connected

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
BROKEN = {
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


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_topology_is_named_with_its_element_in_one_sentence(name):
    points, faces, invariant, element = BROKEN[name]
    with pytest.raises(MeshError) as refused:
        WingedEdgeMesh.from_faces(points, faces)
    assert refused.value.invariant == invariant
    assert refused.value.element == (Feature.parse(element) if element else None)
    assert "\n" not in str(refused.value)
    assert element is None or element[1:] in str(refused.value)


def test_what_is_wrong_at_an_edge_is_told_with_its_faces():
    with pytest.raises(MeshError, match=r"edge 2 \(3 -> 1\) has one face, 0; .*closed"):
        WingedEdgeMesh.from_faces(P, F[:-1])
    for flipped in range(6):
        faces = [face[::-1] if f == flipped else face for f, face in enumerate(F)]
        with pytest.raises(MeshError, match=f"reverse the corners of face {flipped},"):
            WingedEdgeMesh.from_faces(P, faces)
    with pytest.raises(MeshError, match="has 4 faces, 0, 1, 4 and 5"):
        WingedEdgeMesh.from_faces(*EDGE)
    # It was told by the numbers of all of them: 2.3 MB.
    faces = [[0, 1, k] for k in range(2, 3000)]
    with pytest.raises(MeshError, match=r"has 2998 faces, 0, .* and 2990 more; every"):
        WingedEdgeMesh.from_faces(np.random.default_rng(1).random((3000, 3)), faces)


PRISM = shapes.prism(4)
SQUARE = [PRISM.face_vertices(f).tolist() for f in range(6)]
PENTAGON = shapes.prism(5)
STAR = 2 * np.arange(5) % 5


def swapped(points, *pairs):
    points = points.copy()
    for i, j in pairs:
        points[[i, j]] = points[[j, i]]
    return points


def slanted_bow_tie():
    points = swapped(PRISM.points, (1, 2), (5, 6))
    points[[1, 5], :2] *= 0.5
    return points


def figure_of_eight():
    """Twice as long as high: only its two ends turn by more than a right angle."""
    outline = [(-3, 0), (-1.5, -1), (1.5, 1), (3, 0), (1.5, -1), (-1.5, 1)]
    points = np.array([(x, y, z) for z in (0, 1) for x, y in outline], dtype=float)
    walls = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    return points, [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], *walls]


def l_prism():
    block = shapes.l_block()
    walls = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    return block.points, [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], *walls]


def spiked():
    """A square with a spike that runs out and back along one side's line."""
    square = [(0, 0), (2, 0), (1, 0), (1, 1), (0, 1)]
    points = np.array([(x, y, z) for z in (0, 1) for x, y in square], dtype=float)
    walls = [[i, (i + 1) % 5, (i + 1) % 5 + 5, i + 5] for i in range(5)]
    return points, [[4, 3, 2, 1, 0], [5, 6, 7, 8, 9], *walls]


def with_a_flat_triangle():
    mesh = shapes.tetrahedron()
    points = np.vstack([mesh.points, (mesh.points[0] + mesh.points[1]) / 2])
    faces = [[0, 1, 4], [0, 4, 2], [4, 1, 2], *mesh.fan.vertex.tolist()[1:]]
    return points, faces


def warped():
    points = PRISM.points.copy()
    points[0, 2] -= 1e-8
    return points, SQUARE


PENTAGRAM = np.vstack([PENTAGON.points[STAR], PENTAGON.points[5 + STAR]])
BAD = {
    "bow-tie": (swapped(PRISM.points, (1, 2), (5, 6)), SQUARE, "convex faces", "f0"),
    "slanted bow-tie": (slanted_bow_tie(), SQUARE, "convex faces", "f0"),
    "pentagram": (
        PENTAGRAM,
        [PENTAGON.face_vertices(f) for f in range(7)],
        "convex faces",
        "f0",
    ),
    "figure of eight": (*figure_of_eight(), "convex faces", "f0"),
    "concave": (*l_prism(), "convex faces", "f0"),
    "spike": (*spiked(), "convex faces", "f0"),
    "warped": (*warped(), "planar faces", "f0"),
    "no area": (*with_a_flat_triangle(), "no zero area", "f0"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_face_is_named_in_one_sentence(name):
    points, faces, invariant, element = BAD[name]
    with pytest.raises(MeshError) as refused:
        WingedEdgeMesh.from_faces(points, faces)
    assert refused.value.invariant == invariant
    assert refused.value.element == Feature.parse(element)
    assert "\n" not in str(refused.value)
    assert "face 0" in str(refused.value)


def test_faces_that_cross_are_called_so_concave_ones_by_their_corner():
    for name in ["bow-tie", "slanted bow-tie", "figure of eight", "pentagram"]:
        with pytest.raises(MeshError, match="crosses itself"):
            WingedEdgeMesh.from_faces(*BAD[name][:2])
    with pytest.raises(MeshError, match="not convex at vertex 3; split"):
        WingedEdgeMesh.from_faces(*l_prism())
    with pytest.raises(MeshError, match=r"off its plane, 1e-09 is allowed"):
        WingedEdgeMesh.from_faces(*warped())


def cut_side():
    """A box with one edge cut in two: a corner of 180 degrees in two faces."""
    box = shapes.box(2.0)
    points = np.vstack([box.points, [[0, -1, -1]]])
    faces = [box.face_vertices(f).tolist() for f in range(6)]
    for face in faces:
        for k in range(4):
            if {face[k], face[(k + 1) % 4]} == {0, 1}:
                face.insert(k + 1, 8)
                break
    return points, faces


def test_straight_corners_and_needles_are_allowed():
    mesh = WingedEdgeMesh.from_faces(*cut_side())
    assert mesh.vertex_edges(8).shape == (2,)
    for ratio in [1e3, 1e6, 1e9]:
        assert shapes.needle(1.0, ratio).n_faces == 8


ROUND = np.linspace(1.0, 12.0, 20)
COIL, STAR = np.exp(1j * ROUND), np.exp(2j * np.pi * np.arange(24) / 24)
SIMPLE = {  # in the complex plane
    "dart": [0, 2, 0.5 + 0.5j, 2j],
    "L": [0, 2, 2 + 1j, 1 + 1j, 1 + 2j, 2j],
    "U": [0, 3, 3 + 3j, 2 + 3j, 2 + 1j, 1 + 1j, 1 + 3j, 3j],
    "stairs": [0, 1, 2, 3, 3 + 1j, 2 + 1j, 2 + 2j, 1 + 2j, 2j],
    "straight corners": [0, 1, 2, 2 + 1j, 2 + 2j, 1 + 2j, 2j, 1j],
    "star": STAR * np.tile([1.0, 0.3], 12),
    "comb": [0, 4, *(x / 2 + (5 - x % 2 * 4) * 1j for x in range(8, -1, -1))],
    "coil": [*COIL * ROUND, *(COIL * (ROUND - 0.9))[::-1]],
}


@pytest.mark.parametrize("bent", [0.0, 1e-7, 0.05])
@pytest.mark.parametrize("name", SIMPLE)
def test_a_simple_polygon_is_cut_however_it_is_turned_and_begun(bent, name):
    flat = np.array(SIMPLE[name], complex)
    n, twice = len(flat), np.tile(flat, 2)
    x, y = twice.real, twice.imag
    area = (flat.conj() * np.roll(flat, -1)).imag.sum() / 2
    high = np.repeat([0.0, 1.0], n) + bent * x * y / max(x.max(), y.max()) ** 2
    sides = [[k, (k + 1) % n, (k + 1) % n + n, k + n] for k in range(n)]
    for turn in (np.eye(3), np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3):
        for first in (0, n // 2):
            ring = np.roll(np.arange(n), first)
            solid = np.stack([x, y, high], axis=1) @ turn
            faces = [ring[::-1], ring + n, *sides]
            whole = WingedEdgeMesh.from_faces(solid, faces, triangulate=True)
            for mesh in (whole, welded(solid, faces, planar_tolerance=0.1)):
                volume = pytest.approx(area, rel=2 * bent + 1e-9)
                assert geometry.volume(mesh) == volume
                _, count = np.unique(mesh.source_faces, return_counts=True)
                assert set(count) <= {1, 2, n - 2}
                assert [*mesh.source_faces] == sorted(mesh.source_faces)
                validate(mesh)
            assert whole.n_faces == 4 * n - 4


def test_a_feature_prints_as_a_letter_and_a_number_and_is_read_back():
    for feature, text in [
        (Feature("vertex", 7), "v7"),
        (Feature("edge", 12), "e12"),
        (Feature("face", 3), "f3"),
    ]:
        assert str(feature) == f"{feature}" == text
        assert Feature.parse(text) == feature
        assert isinstance(Feature.parse(text), Feature)


def as_text(features):
    return " ".join(map(str, features))


def test_an_edge_is_followed_by_its_faces_then_the_edges_at_tail_and_tip():
    box = shapes.box()
    found = neighbours(box, Feature("edge", 0))
    left, right = box.edge_faces[0]
    assert as_text(found[:2]) == f"f{left} f{right}"
    tail, tip = box.edge_vertices[0].tolist()
    ends = [set(box.edge_vertices[f.index].tolist()) for f in found[2:]]
    assert [tail in e for e in ends] == [True, True, False, False]
    assert [tip in e for e in ends] == [False, False, True, True]


def test_a_vertex_is_followed_by_its_edges_then_its_faces_and_a_lid_by_its_vertices():
    box = shapes.box()
    found = neighbours(box, Feature("vertex", 5))
    assert as_text(found) == " ".join(
        [f"e{e}" for e in box.vertex_edges(5)] + [f"f{f}" for f in box.vertex_faces(5)]
    )
    mesh = shapes.box()
    found = neighbours(mesh, Feature.lid((1, 5, 2)))
    assert found == tuple(Feature("vertex", v) for v in (1, 5, 2))


def test_neighbours_are_listed_once_and_never_the_feature_itself(mesh):
    for kind, count in (("vertex", mesh.n_vertices), ("edge", mesh.n_edges)):
        for index in range(count):
            found = neighbours(mesh, Feature(kind, index))
            assert len(set(found)) == len(found)
            assert Feature(kind, index) not in found


def test_neighbours_are_features_of_python_numbers_that_exist():
    for feature in neighbours(shapes.box(), Feature("edge", np.int32(3))):
        assert type(feature.index) is int
    with pytest.raises(ValueError, match="unknown kind of feature 'body'"):
        neighbours(shapes.box(), Feature("body", 0))
    for kind in ("vertex", "edge", "face"):
        with pytest.raises(IndexError):
            neighbours(shapes.box(), Feature(kind, 99))


@pytest.mark.parametrize("vertices", [(3, 9), (3, 12, 9), (0, 1, 2, 3)])
def test_a_lid_is_named_by_its_vertices(vertices):
    lid = Feature.lid(vertices)
    assert lid.kind == "lid"
    assert lid.vertices == lid.index == vertices
    assert Feature.parse(str(lid)) == lid
    assert str(lid) == f"l({'-'.join(map(str, vertices))})"


def test_parts_are_numbered_by_their_lowest_node_also_a_long_path():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 200))
        one, two = rng.integers(0, n, (2, int(rng.integers(0, 2 * n))))
        links = coo_array((np.ones(len(one), bool), (one, two)), shape=(n, n))
        _, part = connected_components(links, directed=False)
        assert connected(n, one, two).tolist() == part.tolist()
    path = np.random.default_rng(0).permutation(100_000)
    assert not connected(len(path), path[1:], path[:-1]).any()
