import numpy as np
import pytest

from sim.body.audit import ConvexityCheck
from sim.kernels.audit.facets import WORST, judge_each, measure_each
from sim.kernels.audit.verdict import judge, judge_panels, measure
from wingedge import shapes

ZOO = dict(shapes.zoo(non_convex=True))
ZOO["many corners"] = shapes.prism(150)


def variants(mesh, rng):
    yield mesh.points
    yield mesh.points * [1.0, 1.0, 0.0]
    yield mesh.points * [1.0, 0.0, 0.0]
    yield mesh.points * [-1.0, 1.0, 1.0]
    yield mesh.points * 0.0 - 0.0
    yield mesh.points + 1e12
    for k in range(6):
        noise = rng.normal(size=mesh.points.shape)
        yield 2.0**k * mesh.points + 10.0 ** (-3 * k) * noise


@pytest.mark.parametrize("name", ZOO)
def test_stand_ins_write_the_bits_of_their_sources(name):
    mesh = ZOO[name]
    points = mesh.points.copy()
    auditor = ConvexityCheck(mesh, points)
    room, shell = auditor.room, auditor.shell
    steps = [(measure_each, measure)]
    if not shell.polygons:
        steps.append((judge_each, judge))
    for new in variants(mesh, np.random.default_rng(5)):
        points[...] = new
        measure_each(shell)
        for source, stand_in in steps:
            before = [bytes(x) for x in room]
            source(shell)
            wanted = [bytes(x) for x in room]
            for x, content in zip(room, before, strict=True):
                x.cast("B")[:] = content
            stand_in(shell)
            assert [bytes(x) for x in room] == wanted, stand_in.__name__


def test_triangles_are_judged_alike_as_triangles_and_as_polygons():
    mesh = ZOO["random_hull"]
    points = mesh.points.copy()
    shell = ConvexityCheck(mesh, points).shell
    rng = np.random.default_rng(2)
    for _ in range(20):
        points[...] = mesh.points + 0.05 * rng.normal(size=points.shape)
        measure(shell)
        judge(shell)
        worst, told = shell.found[WORST], bytes(shell.told)
        judge_panels(shell)
        assert shell.found[WORST] == pytest.approx(worst, rel=1e-9)
        assert bytes(shell.told) == told
