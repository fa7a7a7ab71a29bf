import numpy as np

from sim import Body
from sim.engine.bound import ints
from sim.kernels.closest.naming import adopt, flood
from sim.kernels.workspace import Part, Result
from sim.tracking.views import make_view
from wingedge import geometry, shapes

GRID = shapes.grid_box(4, (1.0, 1.0, 1.0))
BOX = shapes.box((1.0, 1.0, 1.0))


def numbers(part):
    return part.dimension, part.name, part.members, part.edges, part.faces


def adopted(side, vertices):
    """Adopt ids from a simplex: found, dimension, name, members, edges, faces."""
    ids = np.full(9, -1, np.int32)
    ids[0] = len(vertices)
    ids[1 : 1 + len(vertices)] = vertices
    part = Part(*[-9] * 5)
    yes = adopt(side, ints(ids), 1, len(vertices), part)
    return (yes, *numbers(part))


def members(side):
    found = [side.members[k] for k in range(side.mark[side.size])]
    assert [v for v in range(side.size) if side.mark[v]] == sorted(found)
    return found


def test_ends_of_an_edge_and_corners_of_a_polygon_are_adopted_as_the_whole():
    for e in range(12):
        side = make_view(Body(BOX))
        tail, tip = BOX.edge_vertices[e].tolist()
        for simplex in ([tail, tip], [tip, tail], [tail, tip, tail], [tip, tip, tail]):
            assert adopted(side, simplex) == (True, 1, e, 2, 1, 0)
            assert side.edges[0] == e
            assert members(side) == sorted((tail, tip))
    for f in range(6):
        side = make_view(Body(BOX))
        corners = BOX.face_vertices(f).tolist()
        for k in range(4):
            simplex = [corners[k], corners[k - 1], corners[k - 2]]
            assert adopted(side, simplex) == (True, 2, f, 4, 0, 1)
            assert side.faces[0] == f
            assert members(side) == sorted(corners)


def flooded(side, top, d, drop=0.0):
    result = Result()
    yes = flood(side, top, d, drop, drop, result.part_a, result)
    return (yes, *numbers(result.part_a)), result.level_faces


def where(**at):
    keep = np.ones(GRID.n_vertices, bool)
    for axis, value in at.items():
        keep &= GRID.points[:, "xyz".index(axis)] == value
    return np.nonzero(keep)[0].tolist()


def test_a_vertex_a_line_and_an_area_are_flooded():
    side = make_view(Body(GRID))
    (corner,) = where(x=0.5, y=0.5, z=0.5)
    assert flooded(side, corner, (1.0, 1.0, 1.0)) == ((True, 0, corner, 1, 0, 0), 0)
    line = where(x=0.5, y=0.5)
    ends = GRID.edge_vertices
    edges = np.nonzero(np.isin(ends, line).all(axis=1))[0]
    assert flooded(side, line[2], (1.0, 1.0, 0.0)) == ((True, 1, edges[0], 5, 4, 0), 0)
    area = where(x=0.5)
    lowest = int(np.nonzero(geometry.face_normals(GRID)[:, 0] > 0.5)[0][0])
    told = flooded(side, area[7], (1.0, 0.0, 0.0))
    assert told == ((True, 2, lowest, 25, 40, 16), 16)
