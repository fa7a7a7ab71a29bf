"""Claims that a checker must refuse, and the parts of bodies that they name."""

import pytest

from sim import PairState


@pytest.fixture
def claimed():
    """Claim a distance along a normal, from a point, of parts (dimension, number)."""

    def claim(state, d, at, parts, normal, proof="search"):
        (dimension_a, part_a), (dimension_b, part_b) = parts
        numbers = state.numbers._replace(
            **{"distance": d, "lower": d, "upper": d, "normal": tuple(normal)},
            point_a=tuple(at),
            point_b=tuple(p + d * n for p, n in zip(at, normal, strict=True)),
            dimension_a=dimension_a,
            parts_a=(part_a,),
            dimension_b=dimension_b,
            parts_b=(part_b,),
            **{"corners": (), "labels": (), "unique": True, "proof": proof},
        )
        regime = "separated" if d > 0.0 else "contact"
        return PairState.of(numbers, regime, state.frame, state.a, state.b)

    return claim


@pytest.fixture
def part_at():
    """Find the face of a body at one height along an axis, or the edge at two."""

    def part(body, *heights):
        points, mesh = body.world_points(), body.mesh
        ends = mesh.edge_vertices
        if len(heights) == 1:
            ends = [mesh.face_vertices(f) for f in range(mesh.n_faces)]
        for number, ids in enumerate(ends):
            if all((points[ids, axis] == height).all() for axis, height in heights):
                return 3 - len(heights), number
        raise AssertionError(f"nothing is at {heights}")

    return part
