import sys  # of sim.body.audit, sim.kernels.audit.hinges
from collections import Counter
from threading import Thread

import numpy as np
import pytest

from sim import Body
from sim.body.audit import Findings
from sim.kernels.audit.hinges import CONVEX, DENTED, UNSURE
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


def judged(mesh, points):
    """Hold what the pass says against the report, which decides what it leaves open."""
    (told, _), report = Findings(mesh, points).look(), convexity(mesh, points)
    if told != UNSURE:
        assert (told == CONVEX) == report.is_convex()
        assert report.volume_sign == 1
    return told


@pytest.mark.parametrize("name", ZOO)
def test_what_the_pass_says_is_what_the_report_says(name):
    """A dent within rounding of the tolerance, a flat body: whatever it is."""
    mesh = ZOO[name]
    rng = np.random.default_rng(7)
    found = Counter(
        judged(mesh, np.ascontiguousarray(new)) for new in deformations(mesh, rng, 120)
    )
    assert found[UNSURE] < 120 or len(mesh.fan.face) > mesh.n_faces
    body = Body(mesh)
    for new in deformations(mesh, rng, 20):
        body.points = new
        report = convexity(mesh, new)
        assert body.is_convex() == report.is_convex() == body.audit().is_convex()
        assert body.volume_sign() == report.volume_sign


@pytest.mark.parametrize("step", [0.0, 1e-15, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9])
def test_dents_near_the_tolerance_are_judged_alike(step):
    mesh = shapes.grid_box(4, 2.0, triangles=True)
    points = mesh.points.copy()
    middle = int(np.flatnonzero((points == [0, 0, 1]).all(axis=1))[0])
    for sign in (-1.0, 1.0):
        for depth in (1e-9, 5e-10, 2e-9, 7.0710678118654752e-10):
            points[middle, 2] = 1.0 - depth - sign * step
            assert judged(mesh, points) == DENTED or depth < 2e-9 or step == 1e-9


@pytest.mark.parametrize("turn", range(4))
def test_a_star_prism_passes_every_edge_and_is_not_convex(turn, star_prism):
    """Along whichever axis the surface is counted, and through vertices of it."""
    mesh, points = star_prism
    q, _ = np.linalg.qr(np.random.default_rng(turn).normal(size=(3, 3)))
    points = np.roll(points, turn, axis=1) if turn < 3 else points @ q
    body = Body(mesh)
    body.points = points
    assert judged(mesh, np.ascontiguousarray(points)) == UNSURE
    assert body.audit().worst_depth <= body.audit().tolerance
    assert not body.is_convex()


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


@pytest.mark.parametrize("ask", ["hinges", "cover"])
def test_who_was_interrupted_in_a_question_may_ask_it_again(ask):
    """The lock was left shut on the way out of it, and the next audit hung for ever."""
    body = Body(shapes.tetrahedron())
    asked = {
        "hinges": Findings(body.mesh, body._points).look,
        "cover": lambda: body.cover().faces.tolist(),
    }[ask]
    told = [asked()]
    thread = Thread(
        target=lambda: told.append(interrupted_at_every_line(asked)), daemon=True
    )
    thread.start()
    thread.join(120.0)
    assert told[1:] == told[:1]
