import numpy as np
import pytest

from sim import Body
from sim.engine.bound import floats
from sim.kernels.closest.support_feature import (
    area_vector,
    collect,
    confirmed,
    covered,
    face_confirmed,
    plateau,
    push,
)
from sim.kernels.workspace import Result
from sim.tracking.views import make_view
from wingedge import geometry, shapes

UP = (0.0, 0.0, 1.0)
GRIDS = {
    "quads": shapes.grid_box(4, (1.0, 1.0, 1.0)),
    "triangles": shapes.grid_box(4, (1.0, 1.0, 1.0), triangles=True),
}


class Flat:
    """One body and the scratch of its side."""

    def __init__(self, mesh):
        self.mesh = mesh
        self.body = Body(mesh)
        self.side = make_view(self.body)
        self.result = Result()

    def flood(self, top, d=UP, drop=0.0):
        return plateau(self.side, top, d, drop, drop, self.result)

    def members(self):
        found = [self.side.members[k] for k in range(self.side.mark[self.side.size])]
        assert [v for v in range(self.side.size) if self.side.mark[v] == 1] == sorted(
            found
        )
        return found

    def name(self, members):
        """Put members in place as the last frame left them."""
        s = self.side
        for k in range(s.size):
            s.mark[k] = 0
        for k, v in enumerate(members):
            s.members[k] = v
            s.mark[v] = 1
        s.mark[s.size] = len(members)

    def doubted(self, d=UP, drop=0.0):
        """Return a member and its neighbour that is not lower, or (-1, -1) if none."""
        return confirmed(self.side, d, drop, 0.0, 0.0, self.result)

    def confirmed(self, d=UP, drop=0.0):
        return self.doubted(d, drop) == (-1, -1)

    def face_confirmed(self, f, d=UP, drop=0.0):
        self.side.faces[0] = f
        return face_confirmed(self.side, d, drop, self.result)

    def collect(self):
        s = self.side
        edges, faces = collect(s, s.mark[s.size])
        return [s.edges[k] for k in range(edges)], [s.faces[k] for k in range(faces)]

    def at(self, **where):
        """List the vertices by their coordinates: ``at(z=0.5)``."""
        keep = np.ones(self.side.size, bool)
        for axis, value in where.items():
            keep &= self.body.positions[:, "xyz".index(axis)] == value
        return np.nonzero(keep)[0].tolist()


@pytest.fixture(params=GRIDS)
def grid(request):
    return Flat(GRIDS[request.param])


def test_the_flood_lists_the_level_part_or_names_a_higher_vertex(grid):
    top = grid.at(z=0.5)
    assert len(top) == 25
    for start in top:
        assert grid.flood(start) == (25, 0.5, 0.5)
        assert grid.members() == top
    assert grid.result.nan_sum - grid.result.nan_sum == 0.0
    low = grid.at(z=0.25)[0]
    found, _, _ = grid.flood(low)
    assert found < 0
    higher = -1 - found
    assert grid.body.positions[higher, 2] == 0.5
    # What it marked on the way is unmarked by the next one.
    grid.flood(grid.at(z=0.5)[0])
    assert grid.members() == grid.at(z=0.5)


def test_within_the_drop_is_level_and_the_roughness_is_reported(grid):
    top = grid.at(z=0.5)
    inner = next(v for v in top if abs(grid.body.positions[v, :2]).max() < 0.5)
    for bump, drop, expected in (
        (2.0**-10, 2.0**-10, (25, 0.5 + 2.0**-10, 0.5)),
        (-(2.0**-10), 2.0**-10, (25, 0.5, 0.5 - 2.0**-10)),
        (-(2.0**-10), 2.0**-11, (24, 0.5, 0.5)),
    ):
        grid.body._points[inner, 2] = 0.5 + bump
        start = next(v for v in top if v != inner)
        assert grid.flood(start, UP, drop) == expected
    grid.body._points[inner, 2] = 0.5 + 2.0**-10
    assert (
        grid.flood(top[0] if top[0] != inner else top[1], UP, 2.0**-11)[0] == -1 - inner
    )


def test_a_neighbour_at_the_very_edge_of_the_drop_is_not_lower(grid):
    """The flood would have taken it: the two must agree."""
    corner = grid.at(x=0.5, y=0.5, z=0.5)
    grid.name(corner)
    assert grid.confirmed((1.0, 1.0, 1.0), drop=0.2499)
    assert not grid.confirmed((1.0, 1.0, 1.0), drop=0.25)
    assert grid.flood(corner[0], (1.0, 1.0, 1.0), 0.2499)[0] == 1
    assert grid.flood(corner[0], (1.0, 1.0, 1.0), 0.25)[0] > 1


def test_every_face_of_a_convex_body_is_confirmed_along_its_own_normal_only():
    for mesh in [shapes.box(), shapes.prism(5), shapes.random_hull(3, 20)]:
        flat = Flat(mesh)
        normals = geometry.face_normals(mesh)
        for f in range(mesh.n_faces):
            n = tuple(normals[f].tolist())
            assert flat.face_confirmed(f, n, 1e-14)
            assert not flat.face_confirmed(f, tuple(-x for x in n), 1e-14)
            tilted = tuple((normals[f] + (3e-4, 5e-4, 7e-4)).tolist())
            assert not flat.face_confirmed(f, tilted, 1e-14)


def test_a_face_is_not_confirmed_if_one_of_its_own_corners_is_not_level():
    flat = Flat(shapes.box((1.0, 1.0, 1.0)))
    top = next(f for f in range(6) if geometry.face_normals(flat.mesh)[f, 2] > 0.5)
    assert flat.face_confirmed(top)
    assert flat.result.vertices == 4, "one corner across each side"
    assert not flat.face_confirmed(top, drop=2.0)
    assert flat.result.vertices == 4, "a face that fails is not counted"
    for v in flat.at(z=0.5):
        for off in (-(2.0**-20), 2.0**-20):
            flat.body._points[v, 2] = 0.5 + off
            assert not flat.face_confirmed(top)
            assert flat.face_confirmed(top, drop=2.0**-20)
        flat.body._points[v, 2] = 0.5


def test_edges_and_faces_of_the_level_part_are_those_within_it(grid):
    grid.flood(grid.at(z=0.5)[0])
    edges, faces = grid.collect()
    z = grid.body.positions[:, 2]
    ends = grid.mesh.edge_vertices
    assert edges == np.nonzero((z[ends] == 0.5).all(axis=1))[0].tolist()
    inside = [
        f
        for f in range(grid.mesh.n_faces)
        if (z[grid.mesh.face_vertices(f)] == 0.5).all()
    ]
    assert faces == inside
    s = grid.side
    told = [covered(s, f) for f in range(grid.mesh.n_faces)]
    assert [f for f, yes in enumerate(told) if yes] == inside


@pytest.mark.parametrize("name", ["box", "prism", "grid_box", "random_hull"])
def test_area_vectors_are_twice_the_area_times_the_normal(name):
    mesh = dict(shapes.zoo())[name]
    flat = Flat(mesh)
    twice = 2.0 * geometry.face_normals(mesh) * geometry.face_areas(mesh)[:, None]
    s = flat.side
    for f in range(mesh.n_faces):
        s.faces[0] = f
        one = area_vector(s.points, s.corner_start, s.corner_vertex, s.faces, 1)
        assert np.allclose(one, twice[f], rtol=1e-13, atol=1e-15)
    for k in range(mesh.n_faces):
        s.faces[k] = k
    total = area_vector(
        s.points, s.corner_start, s.corner_vertex, s.faces, mesh.n_faces
    )
    assert np.allclose(total, 0.0, atol=1e-14)  # a closed surface


def test_an_area_vector_is_pushed_so_that_it_stays_a_normal():
    rng = np.random.default_rng(2)
    for _ in range(20):
        linear = rng.integers(-4, 5, (3, 3)).astype(float)
        u, v = rng.integers(-8, 9, (2, 3)).astype(float)
        pose = floats(np.column_stack([linear, np.full(3, np.nan)]))
        pushed = push(pose, tuple(np.cross(u, v).tolist()))
        # The cofactor matrix: exact on integers, singular maps included.
        assert pushed == tuple(np.cross(linear @ u, linear @ v).tolist())
