import numpy as np  # of viewer.drawing.glyphs, viewer.drawing.arrays

from sim import Body, Pose, World, scenes
from viewer.drawing.arrays import Style, collect
from viewer.drawing.glyphs import (
    corners_of,
    distance_text,
    headline,
    lit,
    overlap_text,
    pair_glyphs,
)
from viewer.theme import LIGHT, Layers
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
    pair, state = glyphs_of(vertex_above_face), vertex_above_face.pairs[0]
    points = vertex_above_face.body("jelly").world_points()
    assert pair.a.kind == "vertex"
    assert_near(pair.a.points, points[[state.feature_a.index]])
    assert len(pair.a.segments) == len(pair.a.triangles) == 0
    cells = [f"f{part.index}" for part in state.parts_b]
    assert len(cells) == 16
    assert pair.b.name == f"{cells[0]} +15"
    assert len(pair.b.triangles) == len(pair.b.fan) == 32
    assert len(pair.b.segments) == 16  # the rim alone, no lines between the cells


def test_lit_edges_run_from_tail_to_tip(edge_over_edge, assert_near):
    pair, state = glyphs_of(edge_over_edge), edge_over_edge.pairs[0]
    for part, feature in ((pair.a, state.feature_a), (pair.b, state.feature_b)):
        body = edge_over_edge.body(part.body)
        ends = body.mesh.edge_vertices[feature.index]
        assert_near(part.segments, body.world_points()[ends][None])


def test_every_feature_has_places_for_its_name_and_lids_are_lit_beside_true_faces():
    mesh = shapes.prism(7)
    for kind in ("vertex", "edge", "face"):
        part = lit("nut", mesh, np.array(mesh.points), (Feature(kind, 1),))
        assert 1 <= len(part.anchors) <= 12
        assert part.name == str(Feature(kind, 1))
    mesh, lid, rim = shapes.u_block(), Feature.lid((0, 1, 2)), Feature.lid((0, 1))
    points = np.array(mesh.points)
    part = lit("u", mesh, points, (Feature("face", 3), lid))
    assert (part.kind, part.name) == ("face", "f3 +1")
    assert part.triangles[0].tolist() == points[[0, 1, 2]].tolist()
    assert set(mesh.fan.face[part.fan].tolist()) == {3}
    part = lit("u", mesh, points, (Feature("edge", 5), rim))
    assert part.kind == "edge"
    assert part.segments[-1].tolist() == points[[0, 1]].tolist()


def test_a_distance_is_said_in_words(overlapping):
    for distance, regime, bounds, words in [
        (0.25, "separated", None, "separated, distance 0.25"),
        (0.0, "contact", None, "contact, touching"),
        (-0.125, "penetrating", None, "penetrating, depth 0.125"),
        (1.23456e-7, "contact", None, "contact, distance 1.23e-07"),
        (-2.43, "penetrating", (-2.43, -0.04), "penetrating, overlap 0.04 to 2.43"),
    ]:
        low, high = bounds or (distance, distance)
        told = {"distance": distance, "regime": regime, "lower": low, "upper": high}
        assert distance_text(overlapping.pairs[0].replace(**told)) == words


def test_an_overlap_that_is_an_interval_is_shown_where_the_surfaces_cross(assert_near):
    """It was a dumb-bell between two hulls, in free air."""
    u = Body(shapes.u_block(), name="u", convexity="surface")
    at = Pose.rigid(None, (0.3, 0.2, 0.6))
    frame = World([u, Body(shapes.icosphere(2), name="ball", pose=at)]).step()
    (state,) = frame.pairs
    words = overlap_text(state)
    assert 0.0 <= float(words.split()[1]) < float(words.split()[3])
    assert_near(pair_glyphs(frame, state).witness, corners_of(state)[0])
    assert words in headline(state)


def test_every_region_has_its_name_and_the_headline_counts_them(vertex_above_face):
    *_, arch = scenes.load("arch").run(32)  # it touches a table in three places
    style = Style([body.name for body in arch.bodies], LIGHT, 0.01)
    words = [label.words for label in collect(arch, Layers()).labels(style)]
    assert words[-3:] == ["#0", "#1", "#2"]
    assert headline(arch.pairs[0]).endswith(", 3 regions")
    assert "regions" not in headline(vertex_above_face.pairs[0])
