import pickle  # of sim.result.state, sim.result.answer
from copy import deepcopy
from itertools import combinations

import numpy as np
import pytest

from sim import Body, PairState, PairTracker, Pose, closest
from sim.result.answer import Numbers, Work
from wingedge import Feature, shapes

BOX = shapes.box((1.0, 1.0, 1.0))
A, B = Body(BOX, name="a"), Body(BOX, name="b")

PLAIN = Numbers(
    distance=0.25,
    lower=0.25 - 1e-15,
    upper=0.25 + 1e-15,
    size=2.0,
    normal=(0.0, 0.0, 1.0),
    point_a=(0.5, 0.25, 1.0),
    point_b=(0.5, 0.25, 1.25),
    dimension_a=0,
    parts_a=(3,),
    dimension_b=2,
    parts_b=(4, 7),
    corners=(),
    labels=(),
    unique=True,
    proof="ring",
    reason="",
    work=Work(1, 2, 3, 4, 5),
)
PATCH = PLAIN._replace(
    dimension_a=1,
    parts_a=(5, 6),
    corners=tuple(
        float(x) for s, t in ((0, 0), (1, 0), (1, 1)) for x in (s, t, 1, s, t, 1.25)
    ),
    labels=(0, 3, 2, 4, 1, 5, 1, 9, 2, 4, 0, 8),
    unique=False,
)


def state(numbers=PLAIN, regime="contact", frame=11):
    return PairState.of(numbers, regime, frame, A, B)


def arrays(s):
    found = [s.point_a, s.point_b, s.normal, s.patch]
    for contact in s.contacts:
        found += [contact.point_a, contact.point_b, contact.normal]
    return found


def test_depth_is_what_is_below_zero_and_a_patch_is_on_a_s_side():
    for distance in [-2.5, -0.0, 0.0, 3.0]:
        s = state(PLAIN._replace(distance=distance))
        assert str(s.depth) == str(max(0.0, -distance)).lstrip("-")
    assert state(PATCH).patch.tolist() == [[0, 0, 1], [1, 0, 1], [1, 1, 1]]
    assert state(PATCH).patch.shape == (3, 3)
    assert state(PLAIN).patch.shape == (0, 3)
    assert state(PATCH._replace(unique=True)).patch.shape == (0, 3)
    assert state(PATCH._replace(corners=(), labels=())).patch.shape == (0, 3)


def test_an_answer_is_certified_by_the_width_of_its_bounds():
    for distance, width, certified in [
        (0.0, 2e-14, True),
        (0.0, 2.1e-14, False),
        (100.0, 1e-7, True),
        (-100.0, 1e-7, True),
        (100.0, 1.1e-7, False),
    ]:
        numbers = PLAIN._replace(distance=distance, lower=0.0, upper=width, size=2.0)
        assert state(numbers).certified is certified


def test_contacts_are_the_corners_of_the_patch_or_the_closest_pair():
    contacts = state(PATCH).contacts
    assert [c.kind for c in contacts] == ["VF", "EE", "FV"]
    assert [str(c.feature_a) for c in contacts] == ["v3", "e5", "f4"]
    assert [str(c.feature_b) for c in contacts] == ["f4", "e9", "v8"]
    for k, c in enumerate(contacts):
        assert c.point_a.tolist() == list(PATCH.corners[6 * k : 6 * k + 3])
        assert c.point_b.tolist() == list(PATCH.corners[6 * k + 3 : 6 * k + 6])
        assert c.normal.tolist() == [0.0, 0.0, 1.0]
        assert c.distance == 0.25
    (c,) = state(PLAIN, "penetrating").contacts
    assert (c.kind, str(c.feature_a), str(c.feature_b)) == ("VF", "v3", "f4")
    assert c.point_a.tolist() == [0.5, 0.25, 1.0]
    assert c.point_b.tolist() == [0.5, 0.25, 1.25]
    assert (c.normal.tolist(), c.distance) == ([0.0, 0.0, 1.0], 0.25)


def test_the_mirror_exchanges_everything_and_turns_the_normal():
    s = state(PATCH._replace(normal=(0.0, 0.6, -0.8))).swapped()
    assert (s.a, s.b) == (B, A)
    assert (s.kind, str(s.feature_a), str(s.feature_b)) == ("FE", "f4", "e5")
    assert s.normal.tolist() == [0.0, -0.6, 0.8]
    assert s.point_a.tolist() == [0.5, 0.25, 1.25]
    assert s.point_b.tolist() == [0.5, 0.25, 1.0]
    # The corners run the other way: counter-clockwise about the turned normal.
    assert s.patch.tolist() == [[1, 1, 1.25], [1, 0, 1.25], [0, 0, 1.25]]
    assert [c.kind for c in s.contacts] == ["VF", "EE", "FV"]
    assert [str(c.feature_a) for c in s.contacts] == ["v8", "e9", "f4"]
    assert [str(c.feature_b) for c in s.contacts] == ["f4", "e5", "v3"]
    assert s.contacts[2].point_a.tolist() == [0.0, 0.0, 1.25]
    assert s.contacts[2].point_b.tolist() == [0.0, 0.0, 1.0]
    unchanged = ("distance", "lower", "upper", "size", "unique", "proof", "regime")
    for name in (*unchanged, "frame", "work", "reason"):
        assert getattr(s, name) == getattr(state(PATCH), name)


@pytest.mark.parametrize("numbers", [PLAIN, PATCH])
def test_arrays_share_no_memory_and_there_is_no_contact_while_separated(numbers):
    s = state(numbers)
    found = arrays(s) + arrays(s)
    for i, one in enumerate(found):
        assert one.dtype == np.float64
        for other in found[:i]:
            assert not np.shares_memory(one, other)
    for array in found:
        array[...] = 99.0
    assert s.numbers == numbers
    assert s.point_a.tolist() == list(numbers.point_a)
    assert state(numbers, "separated").contacts == ()


@pytest.mark.parametrize("height", [1.5, 1.0 + 2.0**-20, 0.4])
def test_a_state_of_a_row_says_what_its_numbers_say_and_gives_arrays_away(height):
    """The row of a plain frame, apart or a patch: copied once, decoded when asked."""
    tilt = Pose.rigid(
        (0.1, 0.2, 0.0, 8.0) if height > 1.25 else None, (0.1, 0.2, height)
    )
    tracker = PairTracker(Body(BOX), Body(BOX, pose=tilt))
    tracker.update()
    s = tracker.update()
    told = PairState.of(s.numbers, s.regime, s.frame, s.a, s.b)
    assert len(s.contacts) == (0 if height > 1.25 else 4)
    assert s.unique == (height > 1.25)
    for name in ("distance", "lower", "upper", "size", "work", "regions", "hulls"):
        assert getattr(s, name) == getattr(told, name), name
    found = arrays(s) + arrays(s)
    for array in found:
        array[...] = 99.0
    assert not any(np.shares_memory(*two) for two in combinations(found, 2))
    tracker.b.pose = Pose(translation=(0.0, 0.0, 9.0))
    assert tracker.update().distance == 8.0
    for copy in (s, pickle.loads(pickle.dumps(s)), deepcopy(s)):
        assert repr(copy.numbers) == repr(told.numbers)
        assert list(map(repr, arrays(copy))) == list(map(repr, arrays(told)))
        assert (copy.regime, copy.frame) == (told.regime, 1)
    with pytest.raises(AttributeError):
        s.distance = 1.0


def test_the_patch_runs_counter_clockwise_about_the_normal():
    """About its own normal, on either side of the mirror."""
    b = Body(BOX, pose=Pose(translation=(0.25, 0.5, 1.0 + 2.0**-20)))
    for s in (closest(A, b), closest(b, A), closest(A, b).swapped()):
        assert len(s.patch) == 4
        spokes = s.patch - s.patch.mean(axis=0)
        turn = np.cross(spokes, np.roll(spokes, -1, axis=0))
        assert (turn @ s.normal > 0.0).all()


def test_a_state_is_one_line_and_cannot_be_written_or_have_other_fields():
    assert repr(state()) == (
        "PairState(a/b, frame 11, contact, VF v3 f4, distance 0.25, certified by ring)"
    )
    vague = PLAIN._replace(lower=-1.0, proof="search", distance=1 / 3)
    assert repr(state(vague, "penetrating", 0)) == (
        "PairState(a/b, frame 0, penetrating, VF v3 f4, distance 0.333333333, "
        "not certified by search)"
    )
    s = state()
    for name in ("distance", "regime", "normal", "numbers", "anything"):
        with pytest.raises(AttributeError):
            setattr(s, name, 1.0)
    with pytest.raises(
        TypeError, match=r"no field 'gap'; it has a, area, b, certified, .*work"
    ):
        state(PLAIN).replace(gap=1.0)


def test_a_copy_says_what_it_was_given_and_what_follows_from_that():
    s = state(PLAIN)
    other = s.replace(distance=-2.0, kind="VV", frame=3)
    assert (other.distance, other.depth, other.kind) == (-2.0, 2.0, "VV")
    assert other.frame == 3
    assert (s.distance, s.depth, s.frame) == (PLAIN.distance, 0.0, 11)
    assert s.replace(lower=-9.0).certified is False
    assert s.replace(lower=-9.0, certified=True).certified is True
    assert other.replace(lower=-9.0).kind == "VV"
    assert s.replace().numbers == s.numbers
    assert s.replace(feature_a="anything").feature_a == "anything"


@pytest.fixture
def hulled():
    """Answer for a U that stands for its hull, and a box above its gap."""
    a = Body(shapes.u_block(), convexity="hull")
    b = Body(shapes.box(0.1))
    return closest(a, b)


def test_numbers_of_a_mesh_are_its_features_and_beyond_it_lids(hulled):
    assert hulled.named(0, 0, 3) == Feature("vertex", 3)
    assert hulled.named(0, 1, 27) == Feature("edge", 27)
    assert hulled.named(0, 2, 13) == Feature("face", 13)
    assert hulled.named(1, 2, 5) == Feature("face", 5)
    faces = hulled.hulls[0]
    mesh = hulled.mesh_a
    for k, face in enumerate(faces.tolist()):
        assert hulled.named(0, 2, mesh.n_faces + k) == Feature.lid(face)
        for s in range(3):
            ends = sorted((face[s], face[(s + 1) % 3]))
            number = mesh.n_edges + 3 * k + s
            assert hulled.named(0, 1, number) == Feature.lid(ends)
    number = hulled.mesh_a.n_faces + 1
    assert hulled.swapped().named(1, 2, number) == hulled.named(0, 2, number)
    assert hulled.swapped().hulls[0] is None


@pytest.mark.parametrize("i", range(3))
@pytest.mark.parametrize("j", range(3))
def test_all_nine_kinds_name_a_first(i, j):
    s = state(PLAIN._replace(dimension_a=i, dimension_b=j))
    assert s.kind == "VEF"[i] + "VEF"[j]
    words = ("vertex", "edge", "face")
    assert s.feature_a == Feature(words[i], 3)
    assert s.feature_b == Feature(words[j], 4)
    assert s.parts_a == (Feature(words[i], 3),)
    assert s.parts_b == (Feature(words[j], 4), Feature(words[j], 7))
