import numpy as np
import pytest

from sim import Body, Pose, deform
from sim.compound import Compound
from wingedge import Feature, MeshError, edits, shapes, validate


def stacked(compound):
    return np.concatenate([piece.positions for piece in compound.pieces])


def test_a_compound_is_its_pieces_in_one_place_and_follows_its_surface(flat):
    pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.0, 2.0, 3.0))
    flat.pose = pose
    assert all(piece.pose == pose for piece in flat.pieces)
    assert (flat.piece_points() == pose.apply(stacked(flat))).all()
    assert flat.surface.pose == pose
    assert (flat.world_points() == pose.apply(flat.mesh.points)).all()
    squashed = deform.stack(deform.squash(0.3), deform.shear(0.4))
    rest = stacked(flat)
    flat.points = squashed(flat.mesh.points, 0.0)
    assert np.abs(stacked(flat) - squashed(rest, 0.0)).max() <= 1e-14
    assert all(piece.audit().is_convex() for piece in flat.pieces)
    flat.points = flat.mesh.points
    assert (stacked(flat) == rest).all()
    before = flat.version
    with flat.edit() as points:
        points += 1.0
    assert not flat.is_open
    assert flat.version == before + 1
    assert (flat.pieces[0].positions == flat.pieces[0].mesh.points + 1.0).all()


def test_vertices_that_coincide_go_where_the_surface_goes(flat):
    bent = flat.mesh.points.copy()
    bent[:, 2] += 0.1 * bent[:, 0] * bent[:, 1]
    flat.points = bent
    places = {tuple(p): q for p, q in zip(flat.mesh.points, bent, strict=True)}
    shared = 0
    for piece in flat.pieces:
        for p, q in zip(piece.mesh.points, piece.positions, strict=True):
            if tuple(p) in places:
                shared += 1
                assert (q == places[tuple(p)]).all()
    assert shared > 8


def test_without_a_surface_every_piece_has_its_own_points(in_pieces):
    pieces, _ = in_pieces("L")
    soup = Compound(pieces, name="soup")
    assert soup.surface is None
    moved = np.concatenate([mesh.points + k for k, mesh in enumerate(pieces)])
    soup.points = moved
    assert (stacked(soup) == moved).all()
    soup.points[0, 0] = -7.0
    assert soup.pieces[0].positions[0, 0] == -7.0
    assert soup.is_open
    assert soup.mesh.n_faces == 6 * len(pieces)
    assert soup.in_all(2, Feature("edge", 3)) == Feature("edge", 2 * 12 + 3)


def test_only_pieces_that_changed_are_given_new_positions(in_pieces):
    pieces, _ = in_pieces("ring")
    soup = Compound(pieces, name="soup")
    moved = soup.positions.copy()
    moved[0] += 0.01
    soup.points = moved
    assert [piece.version for piece in soup.pieces] == [1, 0, 0, 0]


def test_a_shot_stays_true_and_is_copied_only_where_positions_changed(flat):
    first = flat.shot()
    assert first.points is flat.mesh.points
    flat.pose = Pose.rigid(None, (1.0, 0.0, 0.0))
    flat.points = flat.mesh.points * 2.0
    second = flat.shot()
    assert (first.points == flat.mesh.points).all()
    assert (second.points == flat.mesh.points * 2.0).all()
    assert flat.shot().points is second.points


def test_one_mesh_of_all_pieces_walks_within_each(in_pieces):
    pieces, _ = in_pieces("U")
    mesh = Compound(pieces).mesh
    for k, piece in enumerate(pieces):
        v, f = k * 8, k * 6
        assert (mesh.face_vertices(f + 2) == piece.face_vertices(2) + v).all()
        assert (mesh.vertex_vertices(v + 5) == piece.vertex_vertices(5) + v).all()
        assert (mesh.face_faces(f + 1) == piece.face_faces(1) + f).all()
    with pytest.raises(MeshError, match=r"connected|component|parts|bodies"):
        validate(mesh)


def test_what_is_no_compound_is_refused():
    with pytest.raises(ValueError, match="'c' has no pieces"):
        Compound([], name="c")
    with pytest.raises(TypeError, match="'c' needs WingedEdgeMesh pieces, got Body"):
        Compound([Body(shapes.box(1.0))], name="c")
    c = Compound([shapes.box(1.0)], name="c")
    with pytest.raises(ValueError, match="'c': vertex v2 is at"):
        c.points = np.where(np.arange(24).reshape(8, 3) == 7, np.nan, 1.0)
    with pytest.raises(TypeError, match=r"must be a sim\.Pose"):
        c.pose = np.eye(4)
    assert repr(c) == "Compound('c', 1 pieces, no surface)"


@pytest.mark.parametrize("which", ["surface", "piece"])
def test_another_mesh_is_not_followed(flat, which):
    body = flat.surface if which == "surface" else flat.pieces[1]
    body.replace(*edits.poke_face(body.mesh, 0))
    with pytest.raises(ValueError, match=r"another mesh.*make a new Compound"):
        flat.settle()
