import numpy as np
import pytest

from wingedge import Feature, MeshError, WingedEdgeMesh, shapes

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


@pytest.mark.parametrize(
    "name", ["bow-tie", "slanted bow-tie", "figure of eight", "pentagram"]
)
def test_a_face_that_crosses_itself_is_called_so(name):
    with pytest.raises(MeshError, match="crosses itself"):
        WingedEdgeMesh.from_faces(*BAD[name][:2])


def test_a_concave_face_names_the_corner_and_a_warped_one_the_numbers():
    with pytest.raises(MeshError, match="not convex at vertex 3; split"):
        WingedEdgeMesh.from_faces(*l_prism())
    with pytest.raises(MeshError, match=r"off its plane, 1e-09 is allowed"):
        WingedEdgeMesh.from_faces(*warped())


@pytest.mark.parametrize("name", ["concave", "bow-tie", "no area"])
def test_triangulate_does_not_hide_a_bad_polygon(name):
    points, faces, invariant, _ = BAD[name]
    with pytest.raises(MeshError) as refused:
        WingedEdgeMesh.from_faces(points, faces, triangulate=True)
    assert refused.value.invariant == invariant


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


def test_straight_corners_are_allowed():
    mesh = WingedEdgeMesh.from_faces(*cut_side())
    assert mesh.vertex_edges(8).shape == (2,)


def test_a_fan_that_would_have_no_area_is_refused_with_the_users_face_number():
    points, faces = cut_side()
    at = max(f for f in range(6) if 8 in faces[f])
    for f in (f for f in range(6) if 8 in faces[f]):
        k = faces[f].index(8) - (f == at)  # only this one begins before the middle
        faces[f] = faces[f][k:] + faces[f][:k]
    with pytest.raises(MeshError, match="begin it at another corner") as refused:
        WingedEdgeMesh.from_faces(points, faces, triangulate=True)
    assert refused.value.element == Feature("face", at)


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9])
def test_a_needle_is_thin_but_has_area(ratio):
    assert shapes.needle(1.0, ratio).n_faces == 8
