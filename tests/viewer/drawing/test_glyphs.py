import numpy as np
import pytest

from sim import Body, Pose, World, scenes
from viewer.drawing.glyphs import (
    corners_of,
    distance_text,
    lit,
    overlap_of,
    pair_glyphs,
)
from viewer.drawing.overlays import span
from wingedge import Feature, shapes


def glyphs_of(frame):
    return pair_glyphs(frame, frame.pairs[0])


def test_the_witness_joins_the_closest_points(any_frame, assert_near):
    for state in any_frame.pairs:
        pair = pair_glyphs(any_frame, state)
        assert_near(pair.witness, [state.point_a, state.point_b])
        assert_near(pair.witness[1] - pair.witness[0], state.distance * pair.normal)


def test_a_lit_vertex_is_where_the_vertex_is_and_a_level_part_lit_as_a_whole(
    vertex_above_face, assert_near
):
    pair = glyphs_of(vertex_above_face)
    state = vertex_above_face.pairs[0]
    points = vertex_above_face.body("jelly").world_points()
    assert pair.a.kind == "vertex"
    assert_near(pair.a.points, points[[state.feature_a.index]])
    assert len(pair.a.segments) == len(pair.a.triangles) == 0
    table = glyphs_of(vertex_above_face).b
    cells = [f"f{part.index}" for part in vertex_above_face.pairs[0].parts_b]
    assert len(cells) == 16
    assert table.name == f"{cells[0]} +15"
    assert len(table.triangles) == len(table.fan) == 32
    assert len(table.segments) == 16  # the rim alone, no lines between the cells


def test_lit_faces_are_fans_and_positions_those_of_the_frame(face_on_face, assert_near):
    block = face_on_face.body("block")
    part = glyphs_of(face_on_face).b
    corners = block.world_points()[block.mesh.fan.vertex[part.fan]]
    assert_near(part.triangles, corners)
    assert_near(part.triangles[..., 2], 0.5)
    before = glyphs_of(face_on_face).b.triangles
    face_on_face.pairs[0].b.points[...] += 5.0
    assert_near(glyphs_of(face_on_face).b.triangles, before)


def test_lit_edges_run_from_tail_to_tip(edge_over_edge, assert_near):
    pair = glyphs_of(edge_over_edge)
    state = edge_over_edge.pairs[0]
    assert state.kind == "EE"
    for part, name, feature in (
        (pair.a, "low", state.feature_a),
        (pair.b, "high", state.feature_b),
    ):
        body = edge_over_edge.body(name)
        ends = body.mesh.edge_vertices[feature.index]
        assert_near(part.segments, body.world_points()[ends][None])


def test_contacts_and_patch_of_a_standing_box_and_none_while_separated(
    face_on_face, assert_near, vertex_above_face
):
    pair = glyphs_of(face_on_face)
    assert pair.regime == "contact"
    assert len(pair.contacts) == len(pair.patch) == 4
    assert_near(pair.contacts[:, 2], 0.5)
    assert_near(sorted(pair.patch[:, 0]), [-0.25, -0.25, 0.75, 0.75])
    assert glyphs_of(vertex_above_face).contacts.shape == (0, 3)


@pytest.mark.parametrize("kind", ["vertex", "edge", "face"])
def test_every_feature_has_places_for_its_name(kind):
    mesh = shapes.prism(7)
    part = lit("nut", mesh, np.array(mesh.points), (Feature(kind, 1),))
    assert 1 <= len(part.anchors) <= 12
    assert part.name == str(Feature(kind, 1))


@pytest.mark.parametrize(
    ("distance", "regime", "bounds", "words"),
    [
        (0.25, "separated", None, "separated, distance 0.25"),
        (0.0, "contact", None, "contact, touching"),
        (-0.125, "penetrating", None, "penetrating, depth 0.125"),
        (1.23456e-7, "contact", None, "contact, distance 1.23e-07"),
        (-2.43, "penetrating", (-2.43, -0.04), "penetrating, overlap 0.04 to 2.43"),
    ],
)
def test_a_distance_is_said_in_words(overlapping, distance, regime, bounds, words):
    low, high = bounds or (distance, distance)
    state = overlapping.pairs[0].replace(
        distance=distance, regime=regime, lower=low, upper=high
    )
    assert distance_text(state) == words


def test_an_overlap_that_is_an_interval_is_shown_where_the_surfaces_cross(assert_near):
    """It was a dumb-bell between two hulls, in free air."""
    u = Body(shapes.u_block(), name="u", convexity="surface")
    at = Pose.rigid(None, (0.3, 0.2, 0.6))
    frame = World([u, Body(shapes.icosphere(2), name="ball", pose=at)]).step()
    (state,) = frame.pairs
    least, most = overlap_of(state)
    assert 0.0 <= least < most
    pair = pair_glyphs(frame, state)
    assert_near(pair.witness, corners_of(state)[0])
    assert f"overlap {least:.3g} to {most:.3g}" in pair.headline
    assert span(state).words == f"overlap {least:.3g} to {most:.3g}"


@pytest.fixture(scope="module")
def arch():
    """A frame in which an arch touches a table in three places."""
    *_, frame = scenes.load("arch").run(32)
    return frame


def test_every_region_has_its_name_and_the_headline_counts_them(
    arch, assert_near, vertex_above_face
):
    pair = glyphs_of(arch)
    assert [region.name for region in pair.regions] == ["#0", "#1", "#2"]
    for glyph, region in zip(pair.regions, arch.pairs[0].regions, strict=True):
        assert_near(glyph.witness, [region.point_a, region.point_b])
        assert_near(glyph.patch, region.patch)
    assert [len(glyph.patch) for glyph in pair.regions] == [4, 4, 2]
    assert glyphs_of(arch).headline.endswith(", 3 regions")
    assert "regions" not in glyphs_of(vertex_above_face).headline


def test_lids_of_a_hull_are_lit_beside_true_faces():
    mesh = shapes.u_block()
    points = np.array(mesh.points)
    lid, rim = Feature.lid((0, 1, 2)), Feature.lid((0, 1))
    part = lit("u", mesh, points, (Feature("face", 3), lid))
    assert part.kind == "face"
    assert part.name == "f3 +1"
    assert part.triangles[0].tolist() == points[[0, 1, 2]].tolist()
    assert set(mesh.fan.face[part.fan].tolist()) == {3}
    part = lit("u", mesh, points, (Feature("edge", 5), rim))
    assert part.kind == "edge"
    assert part.segments[-1].tolist() == points[[0, 1]].tolist()
    assert len(part.anchors) > 0
