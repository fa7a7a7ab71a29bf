"""ipctk, the toolkit of incremental potential contact: distances, names and times."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.peers.engines import PeerDistance

Array = NDArray[np.float64]

LEVEL = 1e-12  # of a squared distance: candidates this near the nearest are as near


class Closest(NamedTuple):
    """The vertices that carry the closest points, one pair of sets a candidate."""

    vertices_a: frozenset[int]
    vertices_b: frozenset[int]


class Ipctk:
    """Both surfaces as one collision mesh: no inside, so no depth."""

    name = package = "ipctk"
    resolution = 1e-13

    def __init__(self) -> None:
        self._meshes: tuple[object, object] | None = None
        self._mesh: Any = None
        self._reach = 0.0  # what was near last time
        self.closest: tuple[Closest, ...] = ()  # of the last distance above 0

    def distance(self, a: Body, b: Body) -> PeerDistance:
        """Ask for the distance of the surfaces, 0 where an edge crosses a face."""
        import ipctk

        self.lay_out(a, b)
        x = np.asfortranarray(np.vstack([_about(body, a) for body in (a, b)]))
        self.closest = ()
        if ipctk.has_intersections(self._mesh, x):
            return PeerDistance(0.0, False)
        reach = self._reach or float(np.ptp(x, axis=0).max())
        while True:
            found = self._near(x, 0.5 * reach)
            least = min((square for square, _ in found), default=np.inf)
            # boxes inflated by half of it meet where two pieces are nearer than it
            if least <= reach * reach:
                break
            reach *= 2.0
        names = [c for square, c in found if square <= least * (1.0 + LEVEL)]
        self.closest = tuple(self._named(c, x, len(a.positions)) for c in names)
        self._reach = 1.01 * float(np.sqrt(least))
        return PeerDistance(float(np.sqrt(least)), False)

    def free_until(
        self, a: tuple[Array, Array], b: tuple[Array, Array], *, rescaling: float = 1.0
    ) -> float:
        """Ask Tight Inclusion up to which time the surfaces surely do not meet.

        ``a``, ``b``: world positions (V, 3) at the start and at the end, of bodies that
        were laid out.  1 where they never meet.  With ``rescaling=0.8``, its default,
        it keeps a fifth of the distance at the start; 1 asks for the touch itself.
        """
        import ipctk

        ends = [np.asfortranarray(np.vstack(both)) for both in zip(a, b, strict=True)]
        ask = ipctk.TightInclusionCCD(conservative_rescaling=rescaling)
        step = ipctk.compute_collision_free_stepsize
        return float(step(self._mesh, *ends, narrow_phase_ccd=ask))

    def lay_out(self, a: Body, b: Body) -> None:
        """Make the collision mesh of two bodies, where they have another mesh."""
        import ipctk

        if self._meshes == (a.mesh, b.mesh):
            return
        self._count = a.mesh.n_vertices
        parts = [a.mesh.fan.vertex, b.mesh.fan.vertex + self._count]
        faces = np.vstack(parts).astype(np.int32)
        rims = np.vstack([faces[:, [k, (k + 1) % 3]] for k in range(3)])
        edges = np.unique(np.sort(rims), axis=0)
        x = np.asfortranarray(np.vstack([a.positions, b.positions]))
        self._mesh = ipctk.CollisionMesh(x, edges, faces)
        sides = np.repeat([0, 1], [self._count, b.mesh.n_vertices]).astype(np.int32)
        self._mesh.can_collide = ipctk.make_vertex_patches_filter(sides)
        self._meshes = a.mesh, b.mesh

    def _near(self, x: Array, inflation: float) -> list[tuple[float, Any]]:
        import ipctk

        found = ipctk.Candidates()
        found.build(self._mesh, x, inflation)
        tables = x, self._mesh.edges, self._mesh.faces
        pairs = [*found.fv_candidates, *found.ee_candidates]
        return [(c.compute_distance(*tables), c) for c in pairs]

    def _named(self, candidate: Any, x: Array, count: int) -> Closest:
        tables = x, self._mesh.edges, self._mesh.faces
        weights = candidate.compute_coefficients(*tables)
        ids = candidate.vertex_ids(*tables[1:])
        used = [i for i, w in zip(ids, weights, strict=False) if i >= 0 and w != 0.0]
        here = frozenset(i for i in used if i < count)
        there = frozenset(i - count for i in used if i >= count)
        return Closest(here, there)


def _about(body: Body, other: Body) -> Array:
    """Return positions about the origin of another body: far away they keep digits."""
    linear, shift = body.transform[:, :3], body.transform[:, 3] - other.transform[:, 3]
    return body.positions @ linear.T + shift
