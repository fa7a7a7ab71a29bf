import numpy as np  # of wingedge.tables, wingedge.features
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from wingedge import Feature, MeshError, WingedEdgeMesh, geometry, shapes, validate
from wingedge.build import as_polygons
from wingedge.io.parsing import ParsedMesh
from wingedge.io.reading import welded
from wingedge.mesh import neighbours
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
FAN = [[0, 1, k] for k in range(2, 3000)]
PRISM, PENTAGON = shapes.prism(4), shapes.prism(5)
SQUARE = [PRISM.face_vertices(f).tolist() for f in range(6)]


def swapped(points, *pairs):
    points = points.copy()
    for i, j in pairs:
        points[[i, j]] = points[[j, i]]
    return points


def slanted_bow_tie():
    points = swapped(PRISM.points, (1, 2), (5, 6))
    points[[1, 5], :2] *= 0.5
    return points


def upright(outline):
    """A prism of height 1 over a polygon, its caps as they come."""
    n = len(outline)
    points = np.array([(x, y, z) for z in (0, 1) for x, y in outline], dtype=float)
    walls = [[i, (i + 1) % n, (i + 1) % n + n, i + n] for i in range(n)]
    return points, [[*range(n)][::-1], [*range(n, 2 * n)], *walls]


def l_prism():
    return shapes.l_block().points, upright([(0, 0)] * 6)[1]


def with_a_flat_triangle():
    points = np.vstack([TP, (TP[0] + TP[1]) / 2])
    return points, [[0, 1, 4], [0, 4, 2], [4, 1, 2], *TF[1:]]


def moved(**changes):
    points = P.copy()
    for key, value in changes.items():
        points[int(key[1:])] = value
    return points


# Twice as long as high: only its two ends turn by more than a right angle.
EIGHT = [(-3, 0), (-1.5, -1), (1.5, 1), (3, 0), (1.5, -1), (-1.5, 1)]
SPIKE = [(0, 0), (2, 0), (1, 0), (1, 1), (0, 1)]  # it runs out and back along a line
PENTAGRAM = PENTAGON.points[[0, 2, 4, 1, 3, 5, 7, 9, 6, 8]]
BEHIND = "inside-out"
BROKEN = [  # points, faces, what does not hold, where, what is said
    (P, [], "not empty", None, ""),
    ([], [], "not empty", None, ""),
    (P, [*F, [0, 1]], "three corners per face", "f6", ""),
    (P, [[0, 2, 3, 2], *F[1:]], "no repeated vertex in a face", "f0", ""),
    (np.vstack([P, [[9, 9, 9]]]), F, "no unused vertex", "v8", ""),
    (P, F[:-1], "two faces per edge", "e2", r"2 \(3 -> 1\) has one face, 0; .*closed"),
    (P[:3], [[0, 1, 2]], "two faces per edge", "e0", ""),
    (*EDGE, "two faces per edge", "e0", "has 4 faces, 0, 1, 4 and 5"),
    # It was told by the numbers of all of them: 2.3 MB.
    (np.random.default_rng(1).random((3000, 3)), FAN, "two faces per edge", "e0",
     "has 2998 faces, 0, .* and 2990 more; every"),
    (P, [*F, F[0]], "two faces per edge", "e0", ""),
    *((P, [face[::-1] if f == k else face for f, face in enumerate(F)],
       "consistent orientation", None, f"reverse the corners of face {k},")
      for k in range(6)),
    (np.vstack([P, P + 5]), F + [[v + 8 for v in face] for face in F],
     "one component", "f6", ""),
    (*VERTEX, "one fan of faces per vertex", "v0", ""),
    (swapped(PRISM.points, (1, 2), (5, 6)), SQUARE, "convex faces", "f0", "crosses it"),
    (slanted_bow_tie(), SQUARE, "convex faces", "f0", "face 0 .*crosses itself"),
    (PENTAGRAM, [PENTAGON.face_vertices(f) for f in range(7)], "convex faces", "f0",
     "crosses itself"),
    (*upright(EIGHT), "convex faces", "f0", "crosses itself"),
    (*l_prism(), "convex faces", "f0", "not convex at vertex 3; split"),
    (*upright(SPIKE), "convex faces", "f0", ""),
    (PRISM.points - 1e-8 * np.eye(8, 3, 2), SQUARE,
     "planar faces", "f0", "off its plane, 1e-09 is allowed"),
    (*with_a_flat_triangle(), "no zero area", "f0", "face 0"),
    (moved(v3=(1, np.nan, 0)), F, "finite", "v3", ";"),
    (moved(v5=(-np.inf, 0, 0)), F, "finite", "v5", ";"),
    (moved(v2=(0, 1e200, 0)), F, "sane magnitude", "v2", ";"),
    (P * 1e51, F, "sane magnitude", "v0", ";"),  # sixth powers overflow
    (P * 1e-200, F, "sane magnitude", "v0", "above 1e-50"),  # squares vanish
    (moved(v6=P[1]), F, "no self-touch", "v6", ";"),
    # but for the sign of zero
    ([[0.0, -1, -1], *P[1:7].tolist(), [-0.0, -1, -1]], F, "no self-touch", "v7", ";"),
    # rather than the hole that it makes
    (np.vstack([P, P[:1]]), [[8 if v == 0 else v for v in F[0]], *F[1:]],
     "no self-touch", None, "vertices 0 and 8 are both at"),
    (P, [face[::-1] for face in F], "positive volume", None, BEHIND),
    (P * [1, 1, -1], F, "positive volume", None, BEHIND),
    (TP * [1, 1, 0], TF, "positive volume", None, "flat"),
    (P * [1, 1, 0], F, "positive volume", None, "flat"),
    (P * [1, 1, 0] + [0, 0, 1e9], F, "positive volume", None, "flat"),
    (np.eye(3), [[0, 1, 2], [0, 2, 1]], "positive volume", None, "flat"),
    (P, [[0, 2, 3, 1], [4, -1, 7, 6]], "indices in range", "f1",
     "face 1, corner 1.* vertex -1.* 0 to 7"),
    (P, [[0, 2, 8]], "indices in range", "f0", "face 0, corner 2.* vertex 8"),
    (P, np.array([[0, 1, 2**63 + 5]], np.uint64), "indices in range", "f0",
     "9223372036854775813"),
    (P, [[v + 1 for v in face] for face in F], "indices in range", None,
     "count from 1.*subtract 1"),
]  # fmt: skip


def test_what_is_no_mesh_is_named_with_its_element_in_one_sentence():
    for points, faces, invariant, element, words in BROKEN:
        with pytest.raises(MeshError, match=words or None) as refused:
            WingedEdgeMesh.from_faces(points, faces)
        said, found = str(refused.value), refused.value.element
        assert refused.value.invariant == invariant, said
        assert "\n" not in said
        if element:
            assert found == Feature.parse(element)
            assert element[1:] in said
    with pytest.raises(MeshError, match=r"face 0 .*crosses itself"):
        WingedEdgeMesh.from_faces(*upright(EIGHT), triangulate=True)


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
            file = ParsedMesh(solid, as_polygons(faces, 2 * n))
            for mesh in (whole, welded(file, planar_tolerance=0.1)):
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


def test_neighbours_are_features_of_python_numbers_that_exist():
    for feature in neighbours(shapes.box(), Feature("edge", np.int32(3))):
        assert type(feature.index) is int
    for kind in ("vertex", "edge", "face"):
        with pytest.raises(IndexError):
            neighbours(shapes.box(), Feature(kind, 99))
    corners = tuple(Feature("vertex", v) for v in (1, 5, 2))
    assert neighbours(BOX, Feature.lid((1, 5, 2))) == corners


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
