"""None"""

import copy
import dataclasses
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from wingedge import Feature, MeshError, WingedEdgeMesh, shapes, validate
from wingedge import columns as c

ARRAYS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")
TABLES = [("star", 4), ("corners", 2), ("fan", 2)]
QUERIES = [
    ("face_vertices", "corners"),
    ("face_edges", "corners"),
    ("face_faces", "corners"),
    ("vertex_edges", "star"),
    ("vertex_faces", "star"),
    ("vertex_vertices", "star"),
    ("edge_edges", "star"),
]
BOX = shapes.box()
LINKS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")


def test_arrays_have_their_documented_shapes_and_types(mesh):
    v, e, f = mesh.n_vertices, mesh.n_edges, mesh.n_faces
    shapes_ = [(e, 2), (e, 2), (e, 2, 2), (v,), (f,)]
    assert [getattr(mesh, name).shape for name in ARRAYS] == shapes_
    assert {getattr(mesh, name).dtype for name in ARRAYS} == {np.dtype(np.int32)}
    assert mesh.points.shape == (v, 3)
    assert mesh.points.dtype == np.float64
    assert min(getattr(mesh, name).min() for name in ARRAYS) == 0


def test_beyond_a_side_lies_the_next_corner_of_the_other_face(mesh):
    for f in range(mesh.n_faces):
        own = mesh.face_vertices(f).tolist()
        across = mesh.face_faces(f).tolist()
        for k, v in enumerate(own):
            other = mesh.face_vertices(across[k]).tolist()
            told = mesh.beyond[mesh.corners.start[f] + k]
            assert told == other[(other.index(v) + 1) % len(other)]


def test_arrays_and_tables_are_contiguous_read_only_and_made_once(mesh):
    for name in (*ARRAYS, "points", "source_vertices"):
        array = getattr(mesh, name)
        assert array.flags.c_contiguous, name
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    for table, n_columns in TABLES:
        columns = getattr(mesh, table)
        assert len(columns) == n_columns, table
        assert getattr(mesh, table) is columns
        for column in columns:
            assert column.dtype == np.int32
            assert column.flags.c_contiguous
            assert not column.flags.writeable


def test_a_mesh_never_changes_equals_itself_alone_and_prints_its_counts():
    mesh = shapes.box()
    with pytest.raises(dataclasses.FrozenInstanceError):
        mesh.points = np.zeros((8, 3))
    one, two = shapes.box(), shapes.box()
    assert one == one
    assert one != two
    assert len({one, two}) == 2
    assert repr(shapes.box()) == "WingedEdgeMesh(8 vertices, 12 edges, 6 faces)"


def test_edges_are_numbered_by_first_appearance_walking_the_faces(mesh):
    seen = {}
    for f in range(mesh.n_faces):
        ring = mesh.face_vertices(f).tolist()
        for tail, tip in zip(ring, ring[1:] + ring[:1], strict=True):
            if (tip, tail) not in seen:
                seen[tail, tip] = f
    assert mesh.edge_vertices.tolist() == [list(edge) for edge in seen]
    assert mesh.edge_faces[:, 0].tolist() == list(seen.values())


def test_the_walks_around_faces_and_vertices_give_their_rings(mesh):
    for f in range(mesh.n_faces):
        first = e = int(mesh.face_edge[f])
        corners = []
        while not corners or e != first:
            side = mesh.edge_faces[e].tolist().index(f)
            corners.append(int(mesh.edge_vertices[e, side]))
            e = int(mesh.edge_wings[e, 1 - side, side])
        assert corners == mesh.face_vertices(f).tolist()
    for v in range(mesh.n_vertices):
        first = e = int(mesh.vertex_edge[v])
        ring = []
        while not ring or e != first:
            ring.append(e)
            end = mesh.edge_vertices[e].tolist().index(v)
            e = int(mesh.edge_wings[e, end, end])
        assert ring == mesh.vertex_edges(v).tolist()


@pytest.mark.parametrize("name", ["tetrahedron", "box", "icosphere", "random_hull"])
def test_ring_around_a_vertex_is_counter_clockwise_seen_from_outside(name):
    mesh = dict(shapes.zoo())[name]
    for v in range(mesh.n_vertices):
        spokes = mesh.points[mesh.vertex_vertices(v)] - mesh.points[v]
        turns = np.cross(spokes, np.roll(spokes, -1, axis=0))
        assert (turns @ mesh.points[v] > 0).all()


def test_star_names_neighbour_edge_and_the_face_before_the_next_entry(mesh):
    start, vertex, edge, face = mesh.star
    assert start.tolist()[:: len(start) - 1] == [0, 2 * mesh.n_edges]
    for v in range(mesh.n_vertices):
        ring = range(start[v], start[v + 1])
        assert edge[start[v]] == mesh.vertex_edge[v]
        for i, after in zip(ring, [*ring[1:], ring[0]], strict=True):
            assert sorted(mesh.edge_vertices[edge[i]]) == sorted((v, vertex[i]))
            corners = mesh.face_vertices(face[i]).tolist()
            at = corners.index(v)
            assert corners[(at + 1) % len(corners)] == vertex[i]
            assert corners[at - 1] == vertex[after]


def test_queries_agree_with_the_incidence_of_faces_and_the_rings_at_both_ends(mesh):
    for f in range(mesh.n_faces):
        edges, faces = mesh.face_edges(f).tolist(), mesh.face_faces(f).tolist()
        assert edges[0] == mesh.face_edge[f]
        for e, g in zip(edges, faces, strict=True):
            assert sorted(mesh.edge_faces[e]) == sorted((f, g))
    for v in range(mesh.n_vertices):
        around = {f for f in range(mesh.n_faces) if v in mesh.face_vertices(f)}
        assert set(mesh.vertex_faces(v).tolist()) == around
    for e, (tail, tip) in enumerate(mesh.edge_vertices.tolist()):
        found = mesh.edge_edges(e).tolist()
        rings = [mesh.vertex_edges(v).tolist() for v in (tail, tip)]
        turned = [ring[ring.index(e) + 1 :] + ring[: ring.index(e)] for ring in rings]
        assert found == turned[0] + turned[1]


@pytest.mark.parametrize(("query", "table"), QUERIES)
def test_queries_hand_out_arrays_of_their_own(query, table):
    mesh = shapes.box()
    found = getattr(mesh, query)(0)
    assert found.dtype == np.int32
    before = getattr(mesh, query)(0).tolist()
    found[:] = -1
    assert getattr(mesh, query)(0).tolist() == before
    assert not any(np.shares_memory(found, column) for column in getattr(mesh, table))


@pytest.mark.parametrize("query", [query for query, _ in QUERIES])
def test_queries_count_from_the_end_and_refuse_what_is_not_there(query):
    mesh = shapes.box()
    counts = {"f": mesh.n_faces, "v": mesh.n_vertices, "e": mesh.n_edges}
    n = counts[query[0]]
    last = getattr(mesh, query)(n - 1).tolist()
    assert getattr(mesh, query)(-1).tolist() == last
    for wrong in (n, -n - 1):
        with pytest.raises(IndexError):
            getattr(mesh, query)(wrong)


def test_a_mesh_does_not_follow_the_arrays_it_was_made_from():
    points = shapes.box().points.copy()
    faces = shapes.box().corners.vertex.reshape(-1, 4).copy()
    mesh = WingedEdgeMesh.from_faces(points, faces)
    before = mesh.points.copy()
    points[:], faces[:] = 0, 0
    assert (mesh.points == before).all()
    assert mesh.face_vertices(0).tolist() == shapes.box().face_vertices(0).tolist()


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]
)
def test_a_copy_is_the_same_body_and_just_as_frozen(mesh, duplicate):
    back = duplicate(mesh)
    for name in (*ARRAYS, "points", "source_vertices"):
        assert (getattr(back, name) == getattr(mesh, name)).all()
        assert not getattr(back, name).flags.writeable
    loose = dataclasses.replace(mesh, planar_tolerance=1e-3)
    assert duplicate(loose).planar_tolerance == 1e-3


def test_a_circle_is_exact_on_the_axes_and_even_within_rounding():
    x, y = c.circle(8).T
    assert x[[0, 2, 4, 6]].tolist() == [1, 0, -1, 0]
    assert y[[0, 2, 4, 6]].tolist() == [0, 1, 0, -1]
    for n in (5, 7, 24):
        x, y = c.circle(n).T
        assert (x[1:] == x[:0:-1]).all()
        assert (y[1:] == -y[:0:-1]).all()
    for n in [3, 5, 6, 12, 24, 1000]:
        for x, y in c.circle(n).tolist()[: n // 2]:
            assert abs(float(Fraction(x) ** 2 + Fraction(y) ** 2 - 1)) < 4.5e-16
        x, y = c.circle(n).T
        steps = np.hypot(np.roll(x, -1) - x, np.roll(y, -1) - y)
        assert steps == pytest.approx(2 * np.sin(np.pi / n), abs=5e-16)


def with_change(name, where, value):
    array = getattr(BOX, name).copy()
    array[where] = value
    return replace(BOX, **{name: array})


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("value", [-1, 99])
def test_a_link_out_of_range_names_the_row(name, value):
    broken = with_change(name, 2, value)
    with pytest.raises(MeshError) as refused:
        validate(broken)
    assert refused.value.invariant == "indices in range"
    assert refused.value.element.index == 2
    assert f"{name}[2]" in str(refused.value)


@pytest.mark.parametrize("name", LINKS)
def test_arrays_that_do_not_fit_together_are_named(name):
    broken = replace(BOX, **{name: getattr(BOX, name)[..., None]})
    with pytest.raises(MeshError, match=f"{name} has shape") as refused:
        validate(broken)
    assert refused.value.invariant == "linked arrays"


@pytest.mark.parametrize("name", LINKS)
def test_every_single_wrong_link_is_found(name):
    array = getattr(BOX, name)
    for where in np.ndindex(array.shape):
        right = array[where]
        bound = BOX.n_vertices if name == "edge_vertices" else BOX.n_edges
        bound = BOX.n_faces if name == "edge_faces" else bound
        for wrong in range(bound):
            broken = with_change(name, where, wrong)
            harmless = name in ("vertex_edge", "face_edge") and (
                where[0]
                in getattr(BOX, f"edge_{'vertices' if name[0] == 'v' else 'faces'}")[
                    wrong
                ]
            )
            if wrong == right or harmless:
                validate(broken)
            else:
                with pytest.raises(MeshError, match="build the mesh with from_faces"):
                    validate(broken)


def test_a_start_or_an_edge_that_is_elsewhere_is_called_so():
    for name in ["vertex_edge", "face_edge"]:
        kind = name.split("_")[0]
        pairs = BOX.edge_vertices if kind == "vertex" else BOX.edge_faces
        wrong = next(e for e in range(12) if 5 not in pairs[e])
        with pytest.raises(MeshError, match=f"edge {wrong}, which is not at {kind} 5"):
            validate(with_change(name, 5, wrong))


def test_a_walk_that_misses_a_second_ring_is_found():
    """Two boxes whose rings close, but whose faces have the same names."""
    links = {name: getattr(BOX, name) for name in LINKS}
    shift = {"edge_vertices": 8, "edge_faces": 0, "edge_wings": 12}
    doubled = {n: np.concatenate([links[n], links[n] + k]) for n, k in shift.items()}
    doubled["vertex_edge"] = np.concatenate([links["vertex_edge"]] * 2)
    doubled["vertex_edge"][8:] += 12
    points = np.concatenate([BOX.points, BOX.points + 5])
    broken = replace(BOX, points=points, face_edge=BOX.face_edge, **doubled)
    with pytest.raises(MeshError, match="walk around face 0 misses") as refused:
        validate(broken)
    assert refused.value.element == Feature("face", 0)
