import numpy as np  # of sim.paper.contact_tests
import pytest

from sim import Body
from sim.kernels.vector import HERE
from sim.paper.contact_tests import Neighbourhood, outside
from wingedge import Feature, shapes

BOX = shapes.box()  # corners at +-0.5; f1 is its top, v7 at (0.5, 0.5, 0.5)
TOP = Feature("face", 1)


def at_corner(mesh, x, y, z):
    return int(np.flatnonzero((mesh.points == (x, y, z)).all(axis=1))[0])


def edge_between(mesh, v, w):
    around = mesh.vertex_edges(v).tolist()
    return next(e for e in around if w in mesh.edge_vertices[e].tolist())


CORNER = at_corner(BOX, 0.5, 0.5, 0.5)
RIM = edge_between(BOX, CORNER, at_corner(BOX, 0.5, -0.5, 0.5))
SIDE = next(f for f in BOX.edge_faces[RIM].tolist() if f != TOP.index)


def test_a_point_outside_a_region_is_past_the_neighbour_that_is_nearer():
    for feature, x, by, past in [
        (TOP, (0.1, 0.0, 0.6), -0.1, TOP),
        (TOP, (0.7, 0.2, 2.0), 0.2, Feature("edge", RIM)),
        (TOP, (0.1, 0.2, 0.4), 0.1, TOP),
        (Feature("edge", RIM), (0.8, 0.2, 0.6), -0.1, Feature("face", SIDE)),
        (Feature("edge", RIM), (0.4, 0.2, 0.8), 0.1, TOP),
        (Feature("edge", RIM), (0.8, 0.2, 0.25), 0.25, Feature("face", SIDE)),
        (Feature("edge", RIM), (0.8, 0.75, 0.8), 0.25, Feature("vertex", CORNER)),
        (Feature("vertex", CORNER), (0.75, 0.2, 0.75), 0.3, Feature("edge", RIM)),
    ]:
        found = outside(Neighbourhood(Body(BOX), HERE), feature, x)
        assert found.by == pytest.approx(by, abs=1e-15)
        assert found.past == past
