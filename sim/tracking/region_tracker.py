"""All contacts of a pair at once: the regions in which two surfaces are near."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sim.body.audit import sides_at_hinges
from sim.body.body import Body
from sim.engine.bound import Bound, floats, ints
from sim.kernels import layout
from sim.kernels.regions.gather import (
    FULL,
    UNFINITE,
    NearPairs,
    name_region,
    near_regions,
)
from sim.kernels.regions.triangles import Adjacency, Near, TrianglePair
from sim.kernels.workspace import KEY, Tree, TreeSearch
from sim.result.answer import Numbers
from sim.result.renaming import identities
from sim.result.state import PairState, Region
from sim.tracking.buffers import Buffers, parted
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import once_per_mesh

Ids = NDArray[np.int32]


def make_adjacency(mesh: WingedEdgeMesh, tree: Tree) -> Adjacency:
    """Return the web of a mesh, with the tree whose placed positions it reads."""
    corner = ints(mesh.fan.vertex.ravel())
    return Adjacency(len(mesh.fan.face), corner, ints(beyond(mesh)), tree)


@once_per_mesh
def beyond(mesh: WingedEdgeMesh) -> Ids:
    """Return of every side of the fans the triangle that lies beyond it."""
    hinge = sides_at_hinges(mesh)
    found = np.empty(hinge.size, np.int32)
    found[hinge] = hinge[:, ::-1] // 3
    return found


ROOM = 256  # pairs of triangles to begin with


class RegionTracker:
    """Find the regions of one pair, frame by frame, and keep their identities.

    Kept between frames: the last regions, with their identities and pairs of faces, and
    the next identity.
    """

    def __init__(self, a: Body, b: Body, reach: float, tolerance: float) -> None:
        self.bodies, self._editions = (a, b), (a.edition, b.edition)
        self.last: tuple[Region, ...] = ()
        self.next_identity = 0
        # of the last frame: its regions, what was near, identities and pairs of faces
        self._known: tuple[object, object, list[tuple[int, Ids]]] = None, None, []
        self._near = Bound(near_regions)
        self._name = Bound(name_region)
        self._reach = reach
        self._tolerance = tolerance
        self._laid: object = None

    def resume(self, state: PairState | None, next_identity: int) -> None:
        """Go on after the regions of a state, with the next identity that is free."""
        self.last = ()
        if state is not None and state.editions == self._editions:
            self.last = state.regions
        self.next_identity = next_identity

    def _lay_out(self) -> None:
        """Lay the bodies out for the kernels, with the meshes that they have now."""
        a, b = self.bodies
        if self._editions != (a.edition, b.edition):
            self.last = ()  # of faces that are no more
        self._editions = a.edition, b.edition
        self._buffers = Buffers(a, b, self._tolerance)
        *trees, search = self._buffers.trees
        self._webs = one, two = tuple(map(make_adjacency, (a.mesh, b.mesh), trees))
        self._most = max(one.triangles, two.triangles)
        self._bond = make_near_pairs(self._reach, ROOM, search, self._most)

    def after(self, source: Numbers, laid: object) -> tuple[Region, ...]:
        """Return the regions of a frame whose closest points are known.

        In the order of identities; ``laid``: another object once the bodies must be
        laid out anew.  Cost: nothing where they are proven to be farther apart.

        Raises ValueError if a coordinate is not finite; the last regions are kept.
        """
        spare = 4.0 * layout.ALLOWANCE * source.size
        if source.lower > self._reach + spare:
            self.last = ()
            return ()
        if laid is not self._laid:
            self._lay_out()
            self._laid = laid
        if not self._buffers.arrange():  # what follows mirrors by construction
            self._webs = self._webs[::-1]
        for k in range(3):
            self._bond.axis[k] = source.normal[k]  # decides the cost, nothing else
        count = self._run()
        if count == 0:
            self.last = ()
            return ()
        nearby, pairs = self._bond, self._bond.compared.near.pairs
        lists = nearby.first, nearby.second, nearby.label
        near = self._buffers.swapped, *(np.asarray(x)[:pairs].tobytes() for x in lists)
        last, before, named = self._known
        fresh = self.next_identity
        if last is not self.last or before != near:  # else the regions are the same
            faces = self._faces(count)
            told = [x.identity for x in self.last], [x.faces for x in self.last]
            names, fresh = identities(*told, faces, fresh)
            named = list(zip(names, faces, strict=True))
        found = [self._region(k, *named[k]) for k in range(count)]
        last = tuple(sorted(found, key=lambda region: region.identity))
        # all at once: a frame that is interrupted is asked for again
        self.last, self.next_identity, self._known = last, fresh, (last, near, named)
        return last

    def _run(self) -> int:
        """Run the kernel, in as much room as it needs; return how many regions."""
        buffers = self._buffers
        while True:
            sides = buffers.first, buffers.second, *self._webs
            count = self._near(*sides, self._bond)
            if count == UNFINITE:
                for body in self.bodies:
                    body.refuse_unfinite(0)
                raise ValueError(
                    f"the coordinates of '{self.bodies[0].name}' and "
                    f"'{self.bodies[1].name}' in the world overflow; scale them down"
                )
            if count != FULL:
                return count
            room, search = 4 * self._bond.room, self._bond.search
            nearby = make_near_pairs(self._reach, room, search, self._most)
            self._bond = nearby._replace(axis=self._bond.axis)

    def _faces(self, count: int) -> list[Ids]:
        """Return the pairs of faces of every region, A's first, ascending."""
        nearby = self._bond
        pairs = nearby.compared.near.pairs
        one, two = (body.mesh.fan.face for body in self._buffers.bodies)
        first = one[np.asarray(nearby.first)[:pairs]]
        second = two[np.asarray(nearby.second)[:pairs]]
        a, b = (second, first) if self._buffers.swapped else (first, second)
        label = np.asarray(nearby.label)[:pairs]
        shape = count, *(body.mesh.n_faces for body in self.bodies)
        # triangles of one face say the same
        key = np.unique(np.ravel_multi_index((label, a, b), shape))
        label, *faces = np.unravel_index(key, shape)
        table = np.stack(faces, axis=1).astype(np.int32)
        table.setflags(write=False)
        ends = np.searchsorted(label, np.arange(count + 1))
        return [table[i:j] for i, j in pairwise(ends.tolist())]

    def _region(self, k: int, identity: int, faces: Ids) -> Region:
        """Name and measure the closest pair of a region."""
        buffers = self._buffers
        self._bond.compared.near.chosen = k
        one, two, pair = buffers.tables
        self._name(one, two, *self._webs, self._bond, pair)
        return Region(identity, buffers.told("search"), faces)


def make_near_pairs(
    reach: float, room: int, search: TreeSearch, triangles: int
) -> NearPairs:
    """Make room for so many pairs of triangles, of bodies of so many each."""
    pairs = dict.fromkeys(("first", "second", "parent", "label", "best"), room)
    compared = floats(np.zeros(6)), floats(np.zeros(6)), ints(np.zeros(KEY, np.int32))
    return NearPairs(
        reach=reach,
        room=room,
        axis=floats(np.zeros(3)),
        sides=floats(np.zeros(6 * room)),
        square=floats(np.zeros(room)),
        compared=TrianglePair(Near(), *compared),
        search=search,
        **parted(key=KEY * room, row=triangles + 1, **pairs),
    )
