import numpy as np
import pytest

from wingedge import Feature, neighbours, shapes


@pytest.mark.parametrize(
    ("feature", "text"),
    [
        (Feature("vertex", 7), "v7"),
        (Feature("edge", 12), "e12"),
        (Feature("face", 3), "f3"),
    ],
)
def test_a_feature_prints_as_a_letter_and_a_number_and_is_read_back(feature, text):
    assert str(feature) == f"{feature}" == text
    assert Feature.parse(text) == feature
    assert isinstance(Feature.parse(text), Feature)


@pytest.mark.parametrize("text", ["", "x3", "f", "f-1", "f1.5", "3", "f 3", "f²"])
def test_text_that_names_no_feature_is_refused(text):
    with pytest.raises(ValueError, match="names no feature"):
        Feature.parse(text)


def as_text(features):
    return " ".join(map(str, features))


def test_a_face_is_followed_by_its_edges_then_its_faces():
    box = shapes.box()
    found = neighbours(box, Feature("face", 1))
    edges, faces = box.face_edges(1).tolist(), box.face_faces(1).tolist()
    assert as_text(found) == " ".join(
        [f"e{e}" for e in edges] + [f"f{f}" for f in faces]
    )
    assert len(found) == 8


def test_an_edge_is_followed_by_its_faces_then_the_edges_at_tail_and_tip():
    box = shapes.box()
    found = neighbours(box, Feature("edge", 0))
    left, right = box.edge_faces[0]
    assert as_text(found[:2]) == f"f{left} f{right}"
    tail, tip = box.edge_vertices[0].tolist()
    ends = [set(box.edge_vertices[f.index].tolist()) for f in found[2:]]
    assert [tail in e for e in ends] == [True, True, False, False]
    assert [tip in e for e in ends] == [False, False, True, True]


def test_a_vertex_is_followed_by_its_edges_then_its_faces():
    box = shapes.box()
    found = neighbours(box, Feature("vertex", 5))
    assert as_text(found) == " ".join(
        [f"e{e}" for e in box.vertex_edges(5)] + [f"f{f}" for f in box.vertex_faces(5)]
    )


def test_neighbours_are_listed_once_and_never_the_feature_itself(mesh):
    for kind, count in (("vertex", mesh.n_vertices), ("edge", mesh.n_edges)):
        for index in range(count):
            found = neighbours(mesh, Feature(kind, index))
            assert len(set(found)) == len(found)
            assert Feature(kind, index) not in found


def test_neighbours_are_plain_features_of_python_numbers():
    for feature in neighbours(shapes.box(), Feature("edge", np.int32(3))):
        assert type(feature.index) is int


def test_an_unknown_kind_and_a_missing_feature_are_refused():
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


@pytest.mark.parametrize(
    "text", ["l", "l3", "l(3)", "l(3-)", "l(3-9", "l3-9)", "l(a-b)"]
)
def test_what_names_no_lid_is_refused(text):
    with pytest.raises(ValueError, match="names no"):
        Feature.parse(text)


def test_a_lid_leads_to_its_vertices():
    mesh = shapes.box()
    found = neighbours(mesh, Feature.lid((1, 5, 2)))
    assert found == tuple(Feature("vertex", v) for v in (1, 5, 2))
