import sys
from collections import Counter
from threading import Thread

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from sim import Body, set_engine
from sim.body.audit import ConvexityCheck, RingTest
from sim.kernels.audit.facets import CONVEX, DENTED, UNSURE
from wingedge import convexity, shapes

ZOO = dict(shapes.zoo(non_convex=True))


def deformations(mesh, rng, count):
    """Deform at random: a little, a lot, flat, inside-out, thin, far from home."""
    for k in range(count):
        amount = 10.0 ** rng.uniform(-16.0, 0.0)
        noise = amount * rng.normal(size=mesh.points.shape)
        some = rng.random(mesh.n_vertices) < (1.0, 0.3, 0.05)[k % 3]
        points = mesh.points + np.where(some[:, None], noise, 0.0) * (k % 4 > 0)
        linear = np.eye(3) + (0.3 * rng.normal(size=(3, 3)) if k % 3 else 0.0)
        if k % 7 == 0:
            linear = linear * [1.0, 1.0, rng.choice([-1.0, 0.0, 1e-12, 1e-7, -1e-3])]
        yield points @ linear + (0.0, 0.0, 0.0, 1e4, 1e9)[k % 5]


@pytest.mark.parametrize("name", ZOO)
def test_the_verdict_is_that_of_the_report(name):
    """A dent within rounding of the tolerance, a flat body: whatever it is."""
    mesh = ZOO[name]
    points = mesh.points.copy()
    auditor = ConvexityCheck(mesh, points)
    rng = np.random.default_rng(7)
    for new in deformations(mesh, rng, 120):
        points[...] = new
        verdict, report = auditor.audit(), convexity(mesh, points)
        assert verdict.convex == report.is_convex()
        assert verdict.sign == report.volume_sign
        trifle = 1e-6 * report.worst_depth + 1e-3 * report.tolerance
        assert verdict.depth == pytest.approx(report.worst_depth, abs=trifle)
        assert verdict.tolerance == pytest.approx(report.tolerance, rel=1e-12)


@pytest.mark.parametrize("step", [0.0, 1e-15, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9])
def test_dents_near_the_tolerance_are_judged_alike(step):
    mesh = shapes.grid_box(4, 2.0, triangles=True)
    points = mesh.points.copy()
    middle = int(np.flatnonzero((points == [0, 0, 1]).all(axis=1))[0])
    auditor = ConvexityCheck(mesh, points)
    for sign in (-1.0, 1.0):
        for depth in (1e-9, 5e-10, 2e-9, 7.0710678118654752e-10):
            points[middle, 2] = 1.0 - depth - sign * step
            assert auditor.audit().convex == convexity(mesh, points).is_convex()


def test_a_dent_and_a_fold_are_named_and_measured():
    mesh = shapes.l_block((2, 2, 1))
    verdict = ConvexityCheck(mesh, mesh.points.copy()).audit()
    ends = mesh.edge_vertices[verdict.worst.index].tolist()
    assert (verdict.worst.kind, sorted(ends), verdict.depth) == ("edge", [3, 9], 1.0)
    assert not verdict.convex
    mesh = shapes.box(2.0)
    points = mesh.points.copy()
    points[mesh.face_vertices(1)[0], 2] -= 1e-3
    verdict = ConvexityCheck(mesh, points).audit()
    assert (str(verdict.worst), verdict.convex) == ("f1", False)
    points[mesh.face_vertices(1)[0], 2] += 2e-3
    assert ConvexityCheck(mesh, points).audit().convex


@pytest.mark.parametrize("turn", range(4))
def test_a_star_prism_passes_every_edge_and_is_not_convex(turn, star_prism):
    """Along whichever axis the surface is counted, and through vertices of it."""
    mesh, points = star_prism
    q, _ = np.linalg.qr(np.random.default_rng(turn).normal(size=(3, 3)))
    points = np.roll(points, turn, axis=1) if turn < 3 else points @ q
    verdict = ConvexityCheck(mesh, np.ascontiguousarray(points)).audit()
    assert verdict.depth <= verdict.tolerance
    assert not verdict.convex


def test_a_coordinate_that_is_not_finite_is_named():
    points = shapes.box().points.copy()
    points[5, 1] = np.nan
    with pytest.raises(ValueError, match="vertex 5"):
        ConvexityCheck(shapes.box(), points).audit()


def test_a_sphere_is_convex_as_long_as_its_own_faces_are_those_of_its_hull():
    """Independently: vertices on the hull, and every face a facet of it."""
    mesh = shapes.icosphere(1)
    points = mesh.points.copy()
    auditor = ConvexityCheck(mesh, points)
    rng = np.random.default_rng(3)
    seen = Counter()
    for _ in range(400):
        amount = 10.0 ** rng.uniform(-4.0, -0.3)
        points[...] = mesh.points + amount * rng.normal(size=points.shape)
        hull = ConvexHull(points)
        facets = {frozenset(f) for f in hull.simplices.tolist()}
        own = {frozenset(f) for f in mesh.fan.vertex.tolist()}
        expected = own == facets
        verdict = auditor.audit()
        if not expected and 0.0 < verdict.depth < 1e-8:
            continue  # within what is forgiven
        assert verdict.convex == expected
        seen[expected] += 1
    assert min(seen.values()) > 50


@pytest.mark.compiled
def test_both_engines_write_the_same_bits(engine_kept):
    rng = np.random.default_rng(11)
    seen = Counter()
    for mesh in ZOO.values():
        points = mesh.points.copy()
        auditor = ConvexityCheck(mesh, points)
        for new in deformations(mesh, rng, 30):
            points[...] = new
            told = []
            for engine in ("python", "compiled"):
                set_engine(engine)
                auditor.look()
                told.append((auditor.look(), *(bytes(x) for x in auditor.room)))
            assert told[0] == told[1]
            seen[told[0][0]] += 1
    assert min(seen[status] for status in (CONVEX, DENTED, UNSURE)) > 20


def test_a_groove_along_a_triangle_without_width_is_left_to_the_report(groove):
    """Two faces on both sides of a sliver stand in a V; each edge looks convex."""
    mesh, points = groove
    auditor = ConvexityCheck(mesh, points)
    assert auditor.look() == UNSURE
    assert not auditor.audit().convex


@pytest.mark.parametrize("share", [1.0 - 1e-5, 1.0, 1.0 + 1e-5])
def test_a_polygon_flat_within_rounding_of_the_tolerance_is_left_to_the_report(share):
    mesh = shapes.box(2.0)
    points = mesh.points.copy()
    auditor = ConvexityCheck(mesh, points)
    corner = mesh.face_vertices(1)[2]
    low, high = 1e-10, 4e-9  # between them the report begins to see a fold
    for _ in range(60):
        middle = 0.5 * (low + high)
        points[corner, 2] = 1.0 - middle
        folded = convexity(mesh, points).folded_faces.size > 0
        low, high = (low, middle) if folded else (middle, high)
    points[corner, 2] = 1.0 - share * high
    assert auditor.look() == UNSURE
    assert auditor.audit().convex == convexity(mesh, points).is_convex()
    points[corner, 2] = 1.0 - 1.5 * high
    assert auditor.look() == DENTED


def interrupted_at_every_line(ask):
    """Raise KeyboardInterrupt at one line after the other of what a call runs."""
    told = None
    for at in range(1, 10_000):
        seen = 0

        def trace(frame, event, arg, at=at):
            nonlocal seen
            seen += event == "line" and "kernels" not in frame.f_code.co_filename
            if seen == at and event == "line":
                raise KeyboardInterrupt
            return trace

        sys.settrace(trace)
        try:
            told = ask()
        except KeyboardInterrupt:
            continue
        finally:
            sys.settrace(None)
        if seen < at:
            return told
    raise AssertionError("it has no end")


@pytest.mark.parametrize("ask", ["audit", "rings", "cover"])
def test_who_was_interrupted_in_a_question_may_ask_it_again(ask):
    """The lock was left shut on the way out of it, and the next audit hung for ever."""
    body = Body(shapes.tetrahedron())
    asked = {
        "audit": ConvexityCheck(body.mesh, body._points).audit,
        "rings": RingTest(body.mesh, body._points).look,
        "cover": lambda: body.cover().faces.tolist(),
    }[ask]
    told = [asked()]
    thread = Thread(
        target=lambda: told.append(interrupted_at_every_line(asked)), daemon=True
    )
    thread.start()
    thread.join(120.0)
    assert told[1:] == told[:1]
