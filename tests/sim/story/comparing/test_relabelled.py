import numpy as np
import pytest

from sim.story.comparing.relabelled import Seen, renumberings
from wingedge import WingedEdgeMesh, shapes


def every(mesh, other, kind="vertex", ours=0):
    """All isomorphisms: one feature may become any."""
    n = {"vertex": other.n_vertices, "edge": other.n_edges, "face": other.n_faces}
    found = []
    for k in range(n[kind]):
        found += renumberings(mesh, other, [Seen(kind, (ours,), (k,), (False, False))])
    return found


@pytest.mark.parametrize(
    ("mesh", "turns", "mirrors"),
    [
        (shapes.tetrahedron(), 12, 12),
        (shapes.box((1.0, 1.0, 1.0)), 24, 24),
        (shapes.icosphere(0), 60, 60),
        (shapes.prism(5, 1.0, 1.0), 10, 10),
    ],
)
@pytest.mark.parametrize("kind", ["vertex", "edge", "face"])
def test_regular_bodies_have_as_many_symmetries_as_textbooks_say(
    mesh, turns, mirrors, kind
):
    found = every(mesh, mesh, kind)
    assert [full.turns for full in found].count(False) == turns
    assert [full.turns for full in found].count(True) == mirrors
    distinct = {tuple(full.vertex.tolist()) for full in found}
    assert len(distinct) == turns + mirrors
    for full in found:
        assert full.shape(mesh, mesh) == ("reflection" if full.turns else "rotation")


def test_symmetries_of_the_mesh_need_not_be_those_of_the_shape_and_others_have_none():
    mesh = shapes.box((1.0, 2.0, 3.0))
    said = [full.shape(mesh, mesh) for full in every(mesh, mesh)]
    assert said.count("rotation") == said.count("reflection") == 4
    assert said.count("") == 40
    assert not every(shapes.box(), shapes.tetrahedron())
    assert not every(shapes.prism(6, 1.0, 1.0), shapes.grid_box((2, 1, 1), (1, 1, 1)))


def test_a_renumbering_carries_edges_and_faces_along():
    rest = shapes.icosphere(1)
    rng = np.random.default_rng(2)
    p, q = rng.permutation(rest.n_vertices), rng.permutation(rest.n_faces)
    points = np.empty_like(rest.points)
    points[p] = rest.points
    faces = [[int(p[v]) for v in rest.face_vertices(f)] for f in np.argsort(q)]
    mesh = WingedEdgeMesh.from_faces(points, faces)
    seen = [Seen("vertex", (v,), (int(p[v]),), (False, False)) for v in (0, 1, 2)]
    first = next(renumberings(rest, mesh, seen))
    assert first.vertex.tolist() == p.tolist()
    assert first.face.tolist() == q.tolist()
    ends = np.sort(mesh.edge_vertices[first.edge], axis=1)
    assert (ends == np.sort(p[rest.edge_vertices], axis=1)).all()


def test_of_a_level_part_the_lowest_number_is_its_name():
    mesh = shapes.box()
    full = every(mesh, mesh)[5]
    image = sorted(full.face[[0, 3]].tolist())
    for seen, fits in (
        (Seen("face", (0, 3), tuple(image), (True, True)), True),
        (Seen("face", (0, 3), tuple(image[:1]), (True, False)), True),
        (Seen("face", (0, 3), tuple(image[1:]), (True, False)), False),
    ):
        tables = [f.face.tolist() for f in renumberings(mesh, mesh, [seen])]
        assert (full.face.tolist() in tables) == fits
