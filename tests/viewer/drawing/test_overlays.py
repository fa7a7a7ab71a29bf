from dataclasses import replace

import numpy as np
import pytest

from sim import Body, Pose, World, scenes
from viewer.drawing.glyphs import drawn_pairs, witness_of
from viewer.drawing.overlays import EXTRA, NAMES, NOTHING, Layers, lids_of, overlays_of
from wingedge import shapes


def collected(frame, *names, before=None):
    layers = Layers()
    layers.show(names)
    return overlays_of(frame, drawn_pairs(frame), layers, before)


def test_layers_are_switched_on_by_their_own_names_only():
    layers = Layers()
    assert not any(getattr(layers, name) for name in EXTRA)
    assert set(EXTRA) < set(NAMES)
    layers.show(["path", "cover"])
    assert (layers.path, layers.cover, layers.depth) == (True, True, False)
    layers.show("depth")
    assert layers.depth
    layers = Layers()
    with pytest.raises(ValueError, match="layers='shadow': there are contacts"):
        layers.show(["path", "shadow"])
    assert not layers.path


def test_layers_that_are_off_look_at_nothing_and_one_alone_is_collected():
    # whatever they looked at would raise: there is no frame, no pair, no body
    nobody = [None]
    assert overlays_of(None, nobody, Layers(), None) == NOTHING
    for name in EXTRA:
        layers = Layers()
        layers.show([name])
        with pytest.raises(AttributeError):
            overlays_of(None, nobody, layers, None)
    *_, before, frame = scenes.load("fig6").run(41)
    for name, field in zip(EXTRA, NOTHING._fields, strict=False):
        found = collected(frame, name, before=before)
        for other in NOTHING._fields[: len(EXTRA)]:
            assert not getattr(found, other) or other == field
        assert bool(getattr(found, field)) != (name in found.empty)


def test_apart_there_is_a_distance_in_overlap_a_depth_and_at_touch_neither(
    vertex_above_face, assert_near, overlapping, face_on_face
):
    (apart,) = collected(vertex_above_face, "distance").apart
    assert apart.distance == vertex_above_face.pairs[0].distance
    found = collected(overlapping, "distance", "depth")
    (deep,) = found.depths
    assert deep.depth == 0.25
    assert found.empty == ("distance",)
    # B's deepest point, moved along the normal by the depth, is A's
    on_a, on_b = witness_of(deep)
    assert_near(on_b + deep.depth * deep.normal, on_a)
    assert face_on_face.pairs[0].distance == 0.0
    assert collected(face_on_face, "distance", "depth").empty == ("distance", "depth")


def test_a_patch_is_marked_where_it_is_reduced_to(face_on_face, assert_near):
    state = face_on_face.pairs[0]
    found = collected(face_on_face, "elements").spots
    assert len(found) == 4
    for spot, contact in zip(found, state.contacts, strict=True):
        assert spot.kind == contact.kind
        assert spot.name == f"{contact.kind} {contact.feature_a} {contact.feature_b}"
        assert_near(spot.point, (contact.point_a + contact.point_b) / 2)


def test_one_body_alone_or_apart_leaves_layers_empty(vertex_above_face):
    frame = World([Body(shapes.box(1.0), name="alone")]).step()
    assert collected(frame, *EXTRA) == NOTHING._replace(empty=EXTRA)
    assert collected(vertex_above_face, "elements").empty == ("elements",)


def test_forces_are_those_that_the_law_says_greatest_first():
    *_, frame = scenes.load("vault").run(10)
    found = collected(frame, "forces").pushes
    assert len(found) == 6
    shares = [push.share for push in found]
    assert shares == sorted(shares, reverse=True)
    assert found[0].share == 1.0
    size = np.linalg.norm(found[0].force)
    assert found[0].size == pytest.approx(size)
    for push in found:  # the first body pushes the second away from itself
        a, b = (frame.body(n).world_points().mean(axis=0) for n in push.bodies)
        assert np.dot(push.force, b - a) > 0.0
    assert collected(replace(frame, law=None), "depth").pushes == ()  # not looked at
    law = {name: frame.law[name] for name in frame.law if "contact_" in name}
    for wrong in (
        {},
        law | {"contact_force": np.float64(1.0)},
        law | {"contact_force": law["contact_force"][:, :2]},
        law | {"contact_force": law["contact_force"] * 1j},
        law | {"contact_point": law["contact_point"][1:]},
        law | {"contact_bodies": law["contact_bodies"] + 0.5},
        law | {"contact_bodies": law["contact_bodies"] + 70},
        law | {"contact_force": law["contact_force"] * np.nan},
    ):
        assert collected(replace(frame, law=wrong), "forces").empty == ("forces",)
    small = law | {"contact_force": np.full((6, 3), 100, np.int8)}
    assert round(collected(replace(frame, law=small), "forces").pushes[0].size) == 173


def test_lids_close_the_dents_of_bodies_that_did_not_collapse(overlapping, assert_near):
    u = Body(shapes.u_block(), name="u", pose=Pose.rigid(None, (1.0, 2.0, 3.0)))
    (found,) = collected(World([u]).step(), "cover").lids
    (pocket,) = u.cover().pockets
    assert found.depths == (pocket.depth,)
    assert_near(found.deepest, u.pose.apply(np.array([pocket.point])))
    faces = np.concatenate([u.mesh.face_vertices(f) for f in pocket.faces])
    inside = {tuple(p) for p in found.pockets.reshape(-1, 3).tolist()}
    assert inside == {tuple(p) for p in u.world_points()[faces].tolist()}
    assert len(found.lids) == len(pocket.lids)
    world = scenes.load("arch")
    for frame in world.run(28):
        own = world.body("arch").cover().pockets if frame.index % 9 == 0 else ()
        if own:
            depths = tuple(pocket.depth for pocket in own)
            assert lids_of(frame.body("arch")).depths == depths
    flat = Body(shapes.box(1.0), name="flat")
    flat.points = flat.positions * (1.0, 1.0, 0.0)
    frame = World([flat, Body(shapes.box(0.5), name="other")]).step()
    assert lids_of(frame.body("flat")) is None
    assert len(collected(frame, *EXTRA).trails) == 1
    assert collected(overlapping, "cover").empty == ("cover",)
