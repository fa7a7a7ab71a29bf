from dataclasses import replace

import numpy as np
import pytest

from wingedge import Feature, MeshError, shapes, validate

BOX = shapes.box()
LINKS = ("edge_vertices", "edge_faces", "edge_wings", "vertex_edge", "face_edge")


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
    for name in ("edge_vertices", "edge_faces"):
        same = getattr(BOX, name)[3, 0]
        with pytest.raises(MeshError, match="edge 3 joins something to itself"):
            validate(with_change(name, (3, 1), same))


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
