"""sim.paper.contact_tests: Contact of deforming objects (Yokoyama et al.), its gaps.

Figure by figure and rule by rule.  Where the printed rule is wrong or silent, it is
kept as printed, shown to fail, and ours is shown to pass.
"""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from stories.placing import rolled

from sim import Body, PairTracker, Pose, closest, deform, exhaustive, scenes
from sim.events.changes import events_between
from sim.kernels.vector import HERE
from sim.paper.contact_tests import Neighbourhood, edge_edge, face_vertex, within
from wingedge import Feature, WingedEdgeMesh, neighbours, shapes

TRIANGLES = shapes.icosphere(1)
MESHES = {"tetrahedron": shapes.tetrahedron(), "box": shapes.box(), "ball": TRIANGLES}
BOX = MESHES["box"]  # corners at +-0.5; f1 is its top
TIP = WingedEdgeMesh.from_faces(
    [[0, 0, 0], [1, 0, 1], [-0.5, 0.8, 1], [-0.5, -0.8, 1]],
    [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
)
EXACT = 1e-12


def played(name, **options):
    """Play a scene: frame, the state before and now by the paper's rules, the tracker.

    The options are those of the paper's search; the scenes are in contact at 0.01.
    """
    world = scenes.load(name)
    tracker = PairTracker(
        *world.bodies, strategy="paper", contact_distance=0.01, **options
    )
    for frame in world.run(scenes.length(name)):
        before = tracker.state
        yield frame, before, tracker.update(), tracker


def contacts(name):
    """List what is in contact in a scene, by the certified tracker, in its order."""
    world = scenes.load(name)
    events = [e for f in world.run(scenes.length(name)) for e in f.events]
    return [str(e.after) for e in events if e.after is not None]


def edge_between(mesh, v, w):
    around = mesh.vertex_edges(v).tolist()
    return next(e for e in around if w in mesh.edge_vertices[e].tolist())


def test_figure_1_a_box_around_a_body_goes_stale_when_it_deforms():
    """The oriented box of its vertices' spread no longer holds the body; links do."""
    a, b = Body(shapes.icosphere(2)), Body(TIP, pose=Pose(None, (0.3, 0.1, 2.0)))
    tracker = PairTracker(a, b)
    tracker.update()
    centred = a.mesh.points - a.mesh.points.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1]
    low, high = (centred @ axes).min(axis=0), (centred @ axes).max(axis=0)
    a.points = deform.stack(deform.squash(-0.4), deform.shear(0.3))(a.mesh.points, 0.0)
    along_axes = (a.positions - a.mesh.points.mean(axis=0)) @ axes
    assert max((low - along_axes).max(), (along_axes - high).max()) > 0.1
    state = tracker.update()
    assert state.certified
    assert state.distance == pytest.approx(exhaustive(a, b).distance, abs=EXACT)


def test_section_3_the_patches_beside_any_patch_with_three_corners_can_be_taken_out():
    corners = [set(TRIANGLES.face_vertices(f)) for f in range(TRIANGLES.n_faces)]
    for f, own in enumerate(corners):
        beside = {g for g, other in enumerate(corners) if len(own & other) == 2}
        assert set(TRIANGLES.face_faces(f).tolist()) == beside
        assert len(beside) == 3


@pytest.mark.parametrize("name", MESHES)
def test_section_3_neighbours_hold_links_to_each_other(name):
    mesh = MESHES[name]
    counts = {"face": mesh.n_faces, "edge": mesh.n_edges, "vertex": mesh.n_vertices}
    every = [Feature(kind, k) for kind, count in counts.items() for k in range(count)]
    around = {feature: neighbours(mesh, feature) for feature in every}
    for feature, beside in around.items():
        for other in beside:
            if feature.kind != "vertex":  # no face or edge of the paper links to one
                assert feature in around[other]


def test_section_4_a_deformation_writes_positions_and_no_link():
    body = Body(shapes.icosphere(1))
    links = [getattr(body.mesh, name) for name in ("edge_vertices", "edge_faces")]
    links += [body.mesh.edge_wings, body.mesh.vertex_edge, body.mesh.face_edge]
    before = [array.copy() for array in links]
    body.points[...] = deform.twist(0.7)(body.mesh.points, 0.0)
    closest(body, Body(TIP, pose=Pose(None, (0.0, 0.0, 3.0))))
    for array, old in zip(links, before, strict=True):
        np.testing.assert_array_equal(array, old)
        assert not array.flags.writeable


def test_section_4_contact_shares_a_boundary_and_interference_an_inside():
    for gap, regime in [(0.5, "separated"), (0.0, "contact"), (-0.01, "penetrating")]:
        a, b = Body(BOX), Body(TIP, pose=Pose(None, (0.1, 0.2, 0.5 + gap)))
        state = closest(a, b)
        assert state.regime == regime
        assert state.distance == pytest.approx(gap, abs=1e-15)
        assert np.linalg.norm(state.normal) == pytest.approx(1.0, abs=1e-15)


def test_figure_3_a_face_and_a_vertex_are_in_contact():
    assert contacts("fig3_face_vertex") == ["VF v0 f1"]
    kinds = {s.kind for _, _, s, _ in played("fig3_face_vertex")}
    assert kinds == {"VF"}


def test_figure_3_two_edges_are_in_contact():
    assert contacts("fig3_edge_edge") == ["EE e7(3-0) e7(3-0)"]
    kinds = {s.kind for _, _, s, _ in played("fig3_edge_edge")}
    assert kinds == {"EE"}


def test_4_1_an_edge_on_a_face_comes_down_to_contacts_of_faces_with_vertices():
    roof = shapes.prism(3, 0.2, 0.6)
    turn = Pose.rigid((0.0, np.sqrt(0.5), 0.0, np.sqrt(0.5))).linear
    a, b = Body(BOX), Body(roof, pose=Pose(turn, (0.0, 0.0, 0.0)))
    low = b.world_points()[:, 2].min()
    b.pose = Pose(turn, (0.0, 0.0, 0.5 - low))
    state = closest(a, b)
    assert state.kind in ("FE", "FF")
    assert {contact.kind for contact in state.contacts} == {"FV"}
    assert len(state.contacts) >= 2


def test_4_1_a_face_on_a_face_comes_down_to_contacts_of_both_kinds():
    turn = Pose.rigid((0.0, 0.0, np.sin(np.pi / 8), np.cos(np.pi / 8))).linear
    a, b = Body(BOX), Body(BOX, pose=Pose(turn, (0.0, 0.0, 1.0)))
    state = closest(a, b)
    assert state.kind == "FF"
    assert [contact.kind for contact in state.contacts] == ["EE"] * 8
    b.pose = Pose(turn, (0.6, 0.0, 1.0))
    mixed = {contact.kind for contact in closest(a, b).contacts}
    assert mixed == {"EE", "FV", "VF"}


def meets_the_plane(p, q, corners):
    """Ask the one condition that the paper prints, for FV and for EE alike.

    "There is a point where the edge meets the plane that contains the face."
    """
    base, *others = corners
    n = np.cross(others[0] - base, others[1] - base)
    return (p - base) @ n <= 0.0 <= (q - base) @ n


def test_4_1_the_printed_condition_of_fv_and_ee_is_the_same_and_tells_nothing_apart():
    """A tip on the face, a bar across its edge, a tip far beside: it holds for all."""
    corners = BOX.points[BOX.face_vertices(1)]
    rim = edge_between(BOX, 5, 7)  # the edge of the top at x = 0.5, along y
    bar = shapes.box((2.0, 0.1, 0.1))
    lean = Pose.rigid((0.0, 0.1, 0.0, 1.0)).linear
    tip_edge, bar_edge = edge_between(TIP, 0, 1), edge_between(bar, 0, 1)
    cases = {
        "FV": (TIP, Pose(None, (0.1, 0.2, 0.5)), tip_edge),
        "EE": (bar, Pose(lean, (0.5, 0.2, 0.5 + 0.05 * (1 - 0.01) / 1.01)), bar_edge),
        "none": (TIP, Pose(None, (5.0, 0.2, 0.5)), tip_edge),
    }
    told = {}
    for name, (mesh, pose, e) in cases.items():
        ends = pose.apply(mesh.points)[mesh.edge_vertices[e]]
        p, q = ends[ends[:, 2].argsort()]
        assert meets_the_plane(p, q, corners), name
        other = Neighbourhood(Body(mesh, pose=pose), tuple(pose.translation.tolist()))
        own, every = Neighbourhood(Body(BOX), HERE), list(range(mesh.n_edges))
        told[name] = (
            face_vertex(own, other, 1, every, 0.02).passed,
            edge_edge(own, other, rim, every, 0.02).passed,
        )
    assert told == {"FV": (True, False), "EE": (False, True), "none": (False, False)}


def elements(tracker, side):
    """List the elements of one body in the order in which they were tested."""
    steps = [t for t in tracker.explain().steps if t.test != "least"]
    return [getattr(t, f"feature_{side}") for t in steps]


def test_figure_4_rule_1_a_face_leads_to_its_edges_and_then_to_the_faces_beyond():
    first = Feature("face", 0)
    found = set()
    for _, before, state, tracker in played("fig4"):
        if before is None or before.regime == "separated":
            continue
        if (before.kind, before.feature_b) != ("VF", first):
            continue
        order = [first, *neighbours(state.b.mesh, first)]
        assert [f.kind for f in order] == ["face"] + 3 * ["edge"] + 3 * ["face"]
        seen = elements(tracker, "b")
        assert seen == order[: len(seen)]
        found.add(state.feature_b)
    assert {f"e{k}" for k in range(3)} <= {str(f) for f in found}
    assert first in found


def test_figure_5_rule_2_an_edge_leads_to_its_faces_and_then_to_the_edges_at_its_ends():
    first = Feature("edge", 0)
    found = set()
    for _, before, state, tracker in played("fig5"):
        if before is None or before.regime == "separated":
            continue
        if (before.kind, before.feature_b) != ("EE", first):
            continue
        own, other = before.feature_a, before.feature_b
        order_a = [own, *neighbours(state.a.mesh, own)]
        order_b = [other, *neighbours(state.b.mesh, other)]
        assert [f.kind for f in order_b] == ["edge"] + 2 * ["face"] + 4 * ["edge"]
        steps = [t for t in tracker.explain().steps if t.test != "least"]
        on_a = [t.feature_a for t in steps[: len(order_a)]]
        on_b = [t.feature_b for t in steps[len(order_a) :]]
        assert on_a == order_a[: len(on_a)]
        assert on_b == order_b[: len(on_b)]
        found.add(str(state.feature_b))
    assert {"e0", "f0", "f1"} <= found


@pytest.mark.parametrize("rule", [1, 2])
def test_rules_1_and_2_end_in_the_other_algorithm_where_nothing_in_range_passes(rule):
    """What the paper calls "a certain search range": here one step, as its figures."""
    name = {1: "fig3_face_vertex", 2: "fig3_edge_edge"}[rule]
    ended = []
    for _, before, state, tracker in played(name):
        if before is not None and (before.regime, state.regime) == (
            "contact",
            "separated",
        ):
            ended.append([t.test for t in tracker.explain().steps])
            led = before.feature_b if rule == 1 else before.feature_a
            assert len(ended[-1]) > len(neighbours(state.b.mesh, led))
    assert len(ended) == 1
    assert ended[0][-1] == "least"
    assert set(ended[0][:-1]) <= {"beside", "distance"}


def test_figure_6_every_contact_leads_to_a_neighbour_though_a_body_deforms():
    world = scenes.load("fig6")
    soft, heights = world.bodies[0], set()
    changes = []
    for frame in world.run(scenes.length("fig6")):
        heights.add(round(float(np.ptp(soft.positions[:, 2])), 6))
        changes += [event for event in frame.events if event.kind == "change"]
    assert len(changes) >= 10
    assert len(heights) > 20
    for event in changes:
        for chain, body in zip(event.path, (event.state.a, event.state.b), strict=True):
            assert len(chain) <= 3
            for old, new in pairwise(chain):
                links = neighbours(body.mesh, old), neighbours(body.mesh, new)
                assert new in links[0] or old in links[1]


def test_4_2_step_1_the_first_pair_is_found_by_comparing_all():
    _, before, state, tracker = next(iter(played("fig7")))
    assert before is None
    assert state.work.fallbacks == 1
    assert state.regime == "separated"
    truth = exhaustive(tracker.a, tracker.b)
    assert state.distance == pytest.approx(truth.distance, abs=EXACT)


def test_figure_7_and_4_2_step_2_the_next_pair_is_beside_the_last_one():
    watched, pairs = 0, set()
    for _, before, state, tracker in played("fig7"):
        if before is None or before.regime != "separated":
            continue
        watched += 1
        pairs.add((state.feature_a, state.feature_b))
        truth = exhaustive(tracker.a, tracker.b)
        assert state.distance == pytest.approx(truth.distance, abs=EXACT)
        for mesh, old, new in (
            (state.mesh_a, before.feature_a, state.feature_a),
            (state.mesh_b, before.feature_b, state.feature_b),
        ):
            around = within(mesh, old, 1)
            corners = {v for f in around for v in corners_of(mesh, f)}
            assert new in around or set(corners_of(mesh, new)) <= corners
    assert watched > 80
    assert len(pairs) >= 8


def corners_of(mesh, feature):
    if feature.kind == "vertex":
        return [feature.index]
    if feature.kind == "edge":
        return mesh.edge_vertices[feature.index].tolist()
    return mesh.face_vertices(feature.index).tolist()


def test_4_2_step_3_at_the_threshold_the_contact_algorithm_takes_over():
    by_contact_rules = []
    for _, before, state, tracker in played("fig7"):
        tests = {t.test for t in tracker.explain().steps}
        if before is not None:
            assert (before.regime == "separated") == (tests == {"least"})
            by_contact_rules.append(before.regime != "separated")
        if state.distance <= 0.01:
            assert state.regime == "contact"
    assert 10 < sum(by_contact_rules) < 40


@pytest.mark.parametrize("scale", [2.0**-20, 1.0, 2.0**20])
def test_the_threshold_has_no_value_in_the_paper_and_one_that_scales_here(scale):
    small, large = shapes.box((scale,) * 3), shapes.box((5.0 * scale,) * 3)
    tracker = PairTracker(Body(large), Body(small))
    unit = PairTracker(Body(shapes.box()), Body(BOX))
    assert tracker.contact_distance == scale * unit.contact_distance
    assert tracker.release_distance == 2.0 * tracker.contact_distance
    assert 1e-4 < unit.contact_distance < 1e-2, "small beside a body of size 1"


def test_without_hysteresis_a_body_that_trembles_begins_a_contact_again_and_again():
    """As printed one threshold both begins and ends: here in every second frame."""
    gaps = [0.5] + [0.0101, 0.0099] * 10 + [0.5]
    events = {}
    for name, release in (("as printed", 0.01), ("ours", 0.02)):
        a, b = Body(BOX), Body(TIP)
        tracker = PairTracker(a, b, contact_distance=0.01, release_distance=release)
        last, kinds = None, []
        for gap in gaps:
            b.pose = Pose(None, (0.1, 0.2, 0.5 + gap))
            state = tracker.update()
            kinds += [event.kind for event in events_between(last, state, 0)]
            last = state
        events[name] = kinds
    assert events["as printed"] == ["begin", "end"] * 10
    assert events["ours"] == ["begin", "end"]


def test_there_is_no_rule_for_a_last_contact_that_is_a_vertex():
    """Corner on corner: as printed no element is tested; ours goes on from it."""
    examined = {}
    for rule in (False, True):
        a, b = Body(BOX), Body(BOX)
        tracker = PairTracker(
            a, b, strategy="paper", contact_distance=0.01, vertex_rule=rule
        )
        for gap in (0.002, 0.0021):
            b.pose = Pose(None, [1.0 + gap] * 3)
            state = tracker.update()
        assert state.kind == "VV"
        examined[rule] = elements(tracker, "a")
    assert examined[False] == []
    order = list(neighbours(BOX, Feature("vertex", 7)))
    assert examined[True][: len(order)] == order
    assert [f.kind for f in order] == ["edge"] * 3 + ["face"] * 3
    certified = PairTracker(a, b)
    certified.update()
    assert certified.update().certified


def test_on_needles_the_printed_search_is_wrong_and_says_nothing():
    """The first edges that pass each other are taken, and they are not the closest."""
    wrong = silent = frames = 0
    a, b = Body(shapes.needle(ratio=100.0)), Body(shapes.plate())
    tracker = PairTracker(a, b, strategy="paper", contact_distance=0.002)
    certified = PairTracker(a, b, contact_distance=0.002)
    for _ in rolled(a, b):
        state, truth = tracker.update(), exhaustive(a, b)
        frames += 1
        bad = abs(state.distance - truth.distance) > EXACT
        wrong += bad
        silent += bad and state.reason.endswith("the first one is taken")
        ours = certified.update()
        assert ours.certified
        assert ours.distance == pytest.approx(truth.distance, abs=EXACT)
    assert wrong > 0.1 * frames
    assert silent > 0


@pytest.mark.parametrize("name", ["fig4", "fig6", "fig7"])
def test_on_its_own_figures_the_printed_search_fails_and_with_a_criterion_not(name):
    """An edge is passed within the threshold, and a nearer element is not looked at."""
    wrong = {}
    for options in ({}, {"voronoi": True}):
        bad = 0
        for frame, _, state, _ in played(name, **options):
            (truth,) = frame.pairs
            assert truth.certified
            bad += abs(state.distance - truth.distance) > EXACT
            assert state.distance >= truth.distance - EXACT, "of two points: never less"
        wrong[bool(options)] = bad
    assert wrong[False] > 0
    assert wrong[True] == 0


def test_figure_8_the_search_around_a_does_not_find_b_and_regions_do():
    """While a body that is not convex touches at A it is moved down, and B touches."""
    apart = 0
    for frame, before, state, tracker in played("arch"):
        regions = frame.pairs[0].regions
        if len(regions) < 2 or before is None or before.regime == "separated":
            continue
        reach = within(state.mesh_a, before.feature_a, 2)
        assert all(t.feature_a in reach for t in tracker.explain().steps)
        found = [r for r in regions if r.feature_a not in reach]
        apart += bool(found)
    assert apart > 10, "B is in contact, and beyond what the rules look at"


def test_every_test_that_the_page_names_is_here():
    page = Path(__file__).resolve().parents[2] / "docs" / "articles.md"
    text = page.read_text("utf-8").split("## Contact of deforming objects")[1]
    named = re.findall(r"`(test_\w+)`", text.split("\n## ")[0])
    assert len(named) >= 18
    assert [name for name in named if name not in globals()] == []
