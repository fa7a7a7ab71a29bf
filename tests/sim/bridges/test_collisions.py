"""sim.bridges.collisions: what is documented of trimesh's manager, what FCL misses."""

from itertools import combinations

import numpy as np
import pytest
import trimesh

from sim import Body, Pose, closest
from sim.bridges import collisions
from sim.bridges.collisions import CollisionManager

CUBE = trimesh.creation.box()


def at(x, y=0.0, z=0.0):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def manager(**places):
    made = CollisionManager()
    for name, x in places.items():
        made.add_object(name, CUBE, at(x))
    return made


def test_one_object_against_many():
    m = manager(a=0.0, b=5.0)
    assert m.in_collision_single(CUBE) is True
    hit, names, data = m.in_collision_single(
        CUBE, at(5.75, 0.1), return_names=True, return_data=True
    )
    assert (hit, names) == (True, {"b"})
    for contact in data:
        assert contact.names == {"b", "__external"}
        assert contact.pair == ("b", "__external")
        assert contact.normal == pytest.approx([1.0, 0.0, 0.0])
        assert contact.depth == pytest.approx(0.25)
        assert contact.point[0] == pytest.approx(5.375)
        face = CUBE.triangles[contact.index("b")] + [5.0, 0.0, 0.0]
        assert face[:, 0].max() == 5.5
    assert m.in_collision_single(CUBE, at(-5.0), True, True) == (False, set(), [])


def test_objects_among_themselves_come_move_and_go():
    m = manager(a=0.0, b=5.0)
    assert m.in_collision_internal() is False
    m.add_object("c", CUBE, at(5.2))
    assert m.in_collision_internal(return_names=True) == (True, {("b", "c")})
    m.set_transform("c", at(-5.0))
    assert m.in_collision_internal() is False
    m.add_object("c", CUBE, at(0.5))  # in place of what had the name
    assert m.in_collision_internal(return_names=True) == (True, {("a", "c")})
    m.remove_object("c")
    assert m.in_collision_internal() is False
    for call in (m.remove_object, lambda name: m.set_transform(name, np.eye(4))):
        with pytest.raises(ValueError, match="nobody"):
            call("nobody")


def test_distances_are_signed_and_name_the_nearest():
    m = manager(a=5.0, b=-5.0)
    assert m.min_distance_single(CUBE) == 4.0
    far = manager(a=1e6).min_distance_single(CUBE, at(1e6 + 1.001))
    assert far == pytest.approx(1e-3, abs=1e-9)
    assert m.min_distance_single(CUBE, at(2.0), return_name=True) == (2.0, "a")
    assert m.min_distance_single(CUBE, at(5.75)) == -0.25
    assert m.min_distance_internal(return_names=True) == (9.0, ("a", "b"))
    m.add_object("c", CUBE, at(-2.0))
    distance, data = m.min_distance_internal("a", return_data=True)
    assert (distance, data.names) == (6.0, {"a", "c"})
    assert np.linalg.norm(data.point("a") - data.point("c")) == distance
    assert data.distance == distance


def test_what_lies_inside_collides_and_a_hole_does_not():
    m = CollisionManager()
    m.add_object("ring", trimesh.creation.annulus(1.0, 2.0, 1.0))
    bead = trimesh.creation.icosphere(radius=0.5)
    assert m.in_collision_single(bead) is False
    assert 0.49 < m.min_distance_single(bead) < 0.51
    m.add_object("room", trimesh.creation.box((9.0, 9.0, 9.0)))
    hit, names = m.in_collision_single(bead, return_names=True)
    assert (hit, names) == (True, {"room"})
    assert m.min_distance_single(bead) == pytest.approx(-5.0, abs=0.01)


def test_the_nearest_of_many_is_that_of_all_pairs():
    rng = np.random.default_rng(5)
    places = rng.uniform(-4.0, 4.0, (40, 3))
    bead = trimesh.creation.icosphere(1, 0.4)
    m = CollisionManager()
    bodies = [m.add_object(f"n{k}", bead, at(*x)) for k, x in enumerate(places)]
    every = [closest(a, b, exact=True) for a, b in combinations(bodies, 2)]
    best = min(every, key=lambda state: state.distance)
    assert m.min_distance_internal(return_names=True) == (
        best.distance,
        tuple(sorted((best.a.name, best.b.name))),
    )
    hits = {(s.a.name, s.b.name) for s in every if s.distance <= 0.0}
    told, names, data = m.in_collision_internal(True, True)
    assert told is m.in_collision_internal() is True
    assert names == {tuple(sorted(pair)) for pair in hits}
    assert {c.pair for c in data} == hits
    assert m.min_distance_single(bead, at(20.0)) == min(
        closest(body, Body(bead, pose=Pose(None, (20, 0, 0))), exact=True).distance
        for body in bodies
    )
    with pytest.raises(AttributeError, match="put all into one manager"):
        m.in_collision_other(m)
    with pytest.raises(AttributeError, match="add_object for each"):
        collisions.scene_to_collision(trimesh.Scene())


def test_a_mesh_that_was_changed_is_read_again():
    m, cube = CollisionManager(), trimesh.creation.box()
    m.add_object("a", cube, at(5.0))
    cube.apply_scale(2.0)
    assert m.min_distance_single(cube) == 3.5
    m.add_object("b", cube, at(-5.0))
    assert m.min_distance_single(cube, return_name=True) == (3.0, "b")
