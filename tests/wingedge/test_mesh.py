"""wingedge.mesh, wingedge.tables, wingedge.check, wingedge.columns."""

import copy
import dataclasses
import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from wingedge import Feature, MeshError, WingedEdgeMesh, neighbours, shapes, validate
from wingedge import columns as c
from wingedge.geometry import volume
from wingedge.mesh import mirrored

LINKS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")
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


def test_arrays_have_their_documented_shapes_and_types(mesh):
    v, e, f = mesh.n_vertices, mesh.n_edges, mesh.n_faces
    shapes_ = [(e, 2), (e, 2), (e, 2, 2), (v,), (f,)]
    assert [getattr(mesh, name).shape for name in LINKS] == shapes_
    assert {getattr(mesh, name).dtype for name in LINKS} == {np.dtype(np.int32)}
    assert mesh.points.shape == (v, 3)
    assert mesh.points.dtype == np.float64
    assert min(getattr(mesh, name).min() for name in LINKS) == 0


def test_every_table_and_query_says_what_the_corners_of_the_faces_say(mesh):
    faces = [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]
    sides = [list(pairwise([*ring, ring[0]])) for ring in faces]
    face_of = {side: f for f, own in enumerate(sides) for side in own}
    place = {side: k for k, side in enumerate(face_of)}
    ends = [(a, b) for a, b in face_of if place[a, b] < place[b, a]]
    number = {way: e for e, (a, b) in enumerate(ends) for way in ((a, b), (b, a))}
    behind = {side: own[k - 1][0] for own in sides for k, side in enumerate(own)}
    both = [(face_of[a, b], face_of[b, a]) for a, b in ends]

    def check(kind, index, *found):
        features = [Feature(k, i) for k, one in found for i in one]
        told = neighbours(mesh, Feature(kind, index))
        assert list(told) == list(dict.fromkeys(features))

    assert [*map(tuple, mesh.edge_vertices.tolist())] == ends
    assert [*map(tuple, mesh.edge_faces.tolist())] == both
    for f, own in enumerate(sides):
        edges = [number[side] for side in own]
        across = [face_of[tip, tail] for tail, tip in own]
        assert mesh.face_edges(f).tolist() == edges
        assert mesh.face_edge[f] == edges[0]
        assert mesh.face_faces(f).tolist() == across
        others = [
            dict(sides[g])[tail] for g, (tail, _) in zip(across, own, strict=True)
        ]
        start = mesh.corners.start[f]
        assert mesh.beyond[start : start + len(own)].tolist() == others
        check("face", f, ("edge", edges), ("face", across))
    start, *columns = mesh.star
    assert start.tolist()[:: len(start) - 1] == [0, 2 * mesh.n_edges]
    rings = []
    for v in range(mesh.n_vertices):
        tail, tip = ends[mesh.vertex_edge[v]]
        ring = [tip if tail == v else tail]
        while (after := behind[v, ring[-1]]) != ring[0]:  # counter-clockwise
            ring.append(after)
        edges = [number[v, other] for other in ring]
        around = [face_of[v, other] for other in ring]
        queries = mesh.vertex_vertices, mesh.vertex_edges, mesh.vertex_faces
        told = ring, edges, around
        for query, column, wanted in zip(queries, columns, told, strict=True):
            assert query(v).tolist() == wanted
            assert column[start[v] : start[v + 1]].tolist() == wanted
        check("vertex", v, ("edge", edges), ("face", around))
        rings.append(edges)
    for e, (tail, tip) in enumerate(ends):
        at = [(ring, ring.index(e)) for ring in (rings[tail], rings[tip])]
        one, other = (ring[k + 1 :] + ring[:k] for ring, k in at)
        assert mesh.edge_edges(e).tolist() == one + other
        wings = [[one[0], one[-1]], [other[-1], other[0]]]
        assert mesh.edge_wings[e].tolist() == wings
        check("edge", e, ("face", both[e]), ("edge", one + other))


@pytest.mark.parametrize("name", ["tetrahedron", "box", "icosphere", "random_hull"])
def test_ring_around_a_vertex_is_counter_clockwise_seen_from_outside(name):
    mesh = dict(shapes.zoo())[name]
    for v in range(mesh.n_vertices):
        spokes = mesh.points[mesh.vertex_vertices(v)] - mesh.points[v]
        turns = np.cross(spokes, np.roll(spokes, -1, axis=0))
        assert (turns @ mesh.points[v] > 0).all()


def test_arrays_and_tables_are_contiguous_read_only_and_made_once(mesh):
    for name in (*LINKS, "points", "source_vertices"):
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
    for name in (*LINKS, "points", "source_vertices"):
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


def test_the_mirror_of_a_body_is_a_body_made_once_and_twice_the_mesh_itself(mesh):
    other = mirrored(mesh)
    validate(replace(other, points=mesh.points * [1, 1, -1]))
    assert volume(other, mesh.points) == pytest.approx(-volume(mesh), rel=1e-12)
    twice = mirrored(mirrored(mesh))
    for name in ("edge_vertices", "edge_faces", "edge_wings", "face_edge"):
        assert np.array_equal(getattr(twice, name), getattr(mesh, name))
    assert mirrored(mesh) is mirrored(mesh)


def test_numbers_are_kept_and_every_face_runs_backwards_from_its_first_corner(mesh):
    other = mirrored(mesh)
    assert np.array_equal(other.edge_vertices, mesh.edge_vertices)
    assert np.array_equal(other.edge_faces, mesh.edge_faces[:, ::-1])
    for f in range(mesh.n_faces):
        first, *rest = mesh.face_vertices(f).tolist()
        assert other.face_vertices(f).tolist() == [first, *rest[::-1]]
    triangles = {frozenset(t) for t in mesh.fan.vertex.tolist()}
    assert {frozenset(t) for t in other.fan.vertex.tolist()} == triangles
