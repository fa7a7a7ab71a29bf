import pytest  # of sim.paper.contact_tests

from sim import Body
from sim.kernels.vector import HERE
from sim.paper.contact_tests import Neighbourhood, edge_edge, face_vertex
from wingedge import Feature, WingedEdgeMesh, shapes

TOP = 1  # of a box, its +z face, at height 0.5
BOX = shapes.box()
TIP = WingedEdgeMesh.from_faces(
    [[0, 0, 0], [1, 0, 1], [-0.5, 0.8, 1], [-0.5, -0.8, 1]],
    [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
)
ALL = list(range(6))


def box_and_tip(x, y, z):
    return Neighbourhood(Body(BOX), HERE), Neighbourhood(Body(TIP), (x, y, z))


def test_vertices_over_faces_and_crossing_edges_are_signed_by_the_outside():
    for h in [0.01, 0.0, -0.01]:
        own, other = box_and_tip(0.1, 0.2, 0.5 + h)
        hit = face_vertex(own, other, TOP, ALL, 0.02)
        assert hit[:3] == (Feature("vertex", 0), "passed", 0.0)
        assert hit.gap == pytest.approx(h, abs=1e-16)
        assert hit.normal == (0.0, 0.0, 1.0)
        assert hit.point == pytest.approx((0.1, 0.2, 0.5), abs=1e-16)
    for h in [0.01, -0.01]:
        low = edge_between(BOX, 0, 1)
        hit = crossed(0.5, h, edges=[low, edge_between(BOX, 4, 5)])
        assert hit[:3] == (Feature("edge", low), "passed", 0.0)
        assert hit.gap == pytest.approx(h, abs=1e-15)
        assert hit.normal == (0.0, 0.0, 1.0)
        assert hit.point == pytest.approx((0.5, 0.15, 0.5), abs=1e-15)


def test_what_ends_beside_loses_by_what_is_missing():
    own, other = box_and_tip(0.53, 0.2, 0.51)
    hit = face_vertex(own, other, TOP, ALL, 0.02)
    assert (hit.test, hit.passed) == ("beside", False)
    assert hit.loss == pytest.approx(0.03, abs=1e-15)
    edge = hit.culprit
    assert edge.kind == "edge"
    assert BOX.points[BOX.edge_vertices[edge.index], 0].tolist() == [0.5, 0.5]
    assert hit.says.startswith("v0 lies beyond e")
    along = edge_between(BOX, 0, 1)
    hit = crossed(1.53, 0.01, edges=[along])
    assert hit.test == "beside"
    assert hit.loss == pytest.approx(0.03, abs=1e-14)
    assert hit.says == f"the common perpendicular with e{along}(1-0) ends 0.03 beyond"


def test_a_face_that_is_not_flat_is_its_fan():
    """A saddle: 0 and 3 stay at 0.5, the corner 7 rises to 0.7."""
    body = Body(BOX)
    body.points[7, 2] = 0.7
    corners = BOX.face_vertices(TOP).tolist()
    own = Neighbourhood(body, HERE)
    hits = [
        face_vertex(own, Neighbourhood(Body(TIP), (x, y, 0.75)), TOP, ALL, 0.5)
        for x, y in ((-0.2, 0.25), (0.25, -0.2))
    ]
    first = corners.index(7)
    assert first == 2, "the fan's diagonal runs from 4 to 7"
    assert [hit.test for hit in hits] == ["passed", "passed"]
    # Each triangle: heights 0.5, 0.5, 0.7; the tip is over 0.5 + 0.2 * its share.
    for hit, low in zip(hits, (0.3, 0.3), strict=True):
        height = 0.5 + 0.2 * low
        steep = (1.0 + 0.2**2) ** 0.5
        assert hit.gap == pytest.approx((0.75 - height) / steep, abs=1e-15)


def edge_between(mesh, v, w):
    return next(
        e for e in mesh.vertex_edges(v).tolist() if w in mesh.edge_vertices[e].tolist()
    )


def crossed(x, h, threshold=0.02, edges=None):
    """Test the top edge of a box along y at x = 0.5 with edges of a bar across it."""
    bar = Neighbourhood(Body(shapes.box((2.0, 0.1, 0.1))), (x, 0.2, 0.55 + h))
    e = edge_between(BOX, 5, 7)
    edges = list(range(12)) if edges is None else edges
    return edge_edge(Neighbourhood(Body(BOX), HERE), bar, e, edges, threshold)
