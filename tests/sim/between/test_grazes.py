"""sim.between.verify, sim.between.paths: passages that nothing can decide."""

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest, verify_passage
from sim.kernels.between.chain import UNDECIDED
from wingedge import convex_hull, shapes

BOX, TABLE = shapes.box(), shapes.box((4.0, 4.0, 1.0))
GRAZES = [
    ((1, 0, 1), (-1, 0, 1)),
    *(((1, 1, z), way) for z in (0.0, 0.5) for way in ((1, -2, 1), (-1, 2, 0))),
]


def passed(mesh, other, start, end):
    """Let a body pass by another; return that, the bodies and the tracker."""
    bodies = Body(mesh, name="a"), Body(other, name="b", pose=Pose(None, start))
    tracker = PairTracker(*bodies)
    tracker.update()
    return tracker.advance(pose_b=Pose(None, end)), bodies, tracker


@pytest.mark.parametrize(("middle", "way"), GRAZES, ids=str)
def test_boxes_that_pass_corner_by_corner_are_not_told_apart_by_a_moment(middle, way):
    """The touch lasted to a moment after the parting, which is false: a "no"."""
    ends = (np.add(middle, k * np.array(way)) for k in (-1.0, 1.0))
    passage, bodies, _ = passed(BOX, BOX, *ends)
    touch, parting = passage.touch, passage.parting
    assert touch.lower <= parting.lower <= 0.5 <= touch.upper <= parting.upper
    assert verify_passage(passage, *bodies).answer == "cannot say"
    touch.upper += 1e-3
    assert verify_passage(passage, *bodies).answer == "no"


@pytest.mark.parametrize(
    "aside", [0.0, 0.3, 0.5], ids=["middle", "aside", "on an edge"]
)
def test_a_tip_that_slides_on_a_face_is_rounding_and_no_lie(aside):
    """It touches for a fifth of the way: told from when on, and verified as a "no"."""
    tip = convex_hull([(0, 0, 0), (0.5, 0.5, 1), (0.5, -0.5, 1), (-0.7, 0, 1)])
    passage, bodies, _ = passed(BOX, tip, (-2.0, aside, 0.5), (3.0, aside, 0.5))
    assert "graze" in passage.reason
    assert 0.0 < passage.touch.lower <= 0.3 <= passage.touch.upper
    assert passage.parting.lower <= 0.5 <= passage.parting.upper
    assert verify_passage(passage, *bodies).answer == "cannot say"


def test_a_way_that_is_proven_free_from_one_end_is_free_from_the_other():
    """A gap of 8e-12 at its least was a graze from the end: parting without a touch."""
    start = -2.0, 2.0, 0.5
    passage, _, tracker = passed(BOX, BOX, start, (3.0, 2.0, 0.5))
    graze = passage._from_end._replace(ended=UNDECIDED, lower=0.4, upper=0.5)
    vars(passage)["_from_end"] = graze
    assert (passage.touch, passage.parting, passage.reason) == (None, None, "")
    free = passage._there
    passage = tracker.advance(pose_b=Pose(None, start))
    vars(passage)["_from_end"], passage._first = free, lambda guess: graze
    assert (passage.touch, passage.parting, passage.reason) == (None, None, "")


@pytest.mark.parametrize("gap", [0.0, 4e-15, 1e-14, 1.5e-14, 1e-13])
def test_a_way_that_begins_within_rounding_of_a_touch_is_no_lie(gap):
    passage, bodies, _ = passed(BOX, BOX, (1.0 + gap, 0.3, 0.2), (3.0, 0.3, 0.2))
    within = "at the start" in passage.reason
    assert within == (gap < 3e-14)
    assert verify_passage(passage, *bodies).answer != "no"


@pytest.mark.parametrize("gap", [0.0, 2e-16, 1e-15, 1e-14, 1e-13])
@pytest.mark.parametrize("kind", ["l_block", "ring", "cup"])
def test_what_stood_on_a_table_and_is_lifted_is_nowhere_said_to_stay(kind, gap):
    """It was within rounding at the start and free from the end: it never parted."""
    mesh = dict(shapes.zoo(non_convex=True))[kind]
    ends = [(0.1, 0.2, z - mesh.points[:, 2].min()) for z in (0.5 + gap, 1.0)]
    passage, bodies, _ = passed(TABLE, mesh, *ends)
    within = "at the start" in passage.reason
    assert within == (passage.parting is not None)
    assert verify_passage(passage, *bodies).answer != "no"


def test_what_parts_within_the_rounding_of_an_advancement_is_no_lie():
    """The gap opens by 1e-9 a frame: when it parted was told to 4e-5, and denied."""
    mesh = shapes.ring()
    low = 0.5 - mesh.points[:, 2].min()
    ends = [(x, 0.2, low + gap) for x, gap in ((0.1, 1e-14), (0.7, 1e-9))]
    passage, bodies, _ = passed(TABLE, mesh, *ends)
    assert "graze" in passage.reason
    assert verify_passage(passage, *bodies).answer == "cannot say"


@pytest.mark.parametrize("seed", range(40, 46))
@pytest.mark.parametrize("kinds", ["star cup", "u_block ring", "prism tetrahedron"])
@pytest.mark.parametrize("on", [0, 1], ids=["begins", "passes"])
def test_an_exact_touch_is_told_and_doubted_alike_in_either_order(kinds, seed, on):
    """It was as positions were rounded: told in one, an overlap, parted before it."""
    rng, zoo = np.random.default_rng(seed), dict(shapes.zoo(non_convex=True))
    meshes, told = [zoo[kind] for kind in kinds.split()], []
    place = Pose(None, 3.0 * rng.normal(size=3))
    gap = closest(Body(meshes[0]), Body(meshes[1], pose=place))
    touch = place.translation - gap.distance * gap.normal
    way = np.cross(gap.normal, rng.normal(size=3))
    ends = touch - on * way, touch + way + (1 - on) * gap.normal
    for sign in (1, -1):
        passage, bodies, _ = passed(*meshes[::sign], *(sign * x for x in ends))
        assert verify_passage(passage, *bodies).answer != "no"
        told.append([(e.kind, *e.when) for e in passage.events if e.kind != "change"])
        both = passage.touch, passage.parting
        told[-1] += [("", x.lower, x.upper) for x in both if x]
        told[-1] += [(why, 0, 1) for why in sorted({x[2] for x in passage._paths.open})]
    for (kind, low, high), (same, least, most) in zip(*told, strict=True):
        assert kind == same != "penetrate"
        assert max(low, least) <= min(high, most)


@pytest.mark.parametrize("mesh", [BOX, shapes.star()], ids=["convex", "dented"])
def test_a_touch_that_is_told_too_late_is_refuted_where_no_plane_says_so(mesh):
    passage, bodies, _ = passed(BOX, mesh, (-4.0, 0.2, 0.3), (4.0, 0.3, 0.2))
    instant = passage.touch
    instant.lower, instant.upper = instant.lower + 1e-3, instant.upper + 1e-3
    assert verify_passage(passage, *bodies).answer == "no"
