"""The search of the paper, rule by rule: two algorithms that switch, and no proof.

Yokoyama, Fujii, Asano, Tanahashi, sections 4.1 and 4.2.  What the paper leaves open,
and how it is read here: docs/algorithms.md#the-papers-own-search.
"""

from typing import Any, NamedTuple

import numpy as np

from sim.body.body import Body
from sim.kernels import layout
from sim.kernels.vector import HERE, along, back, minus, reach_of, unit
from sim.paper.contact_tests import (
    LEVEL,
    Hit,
    Neighbourhood,
    Patch,
    edge_edge,
    face_vertex,
    outside,
    patch_of,
    within,
)
from sim.result.answer import KINDS, Numbers, Vec, Work
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.tracking.alone import NOTHING
from sim.tracking.brute.nearest import nearest_pair
from sim.tracking.pair import PairTracker
from sim.tracking.tried import Explanation, Tried, explanation_of, pair_name
from wingedge import Feature
from wingedge.mesh import corners_of, printed

REASON = "the paper's local search proves nothing: "
PASSED = "a contact passed its test, and the first one is taken"
LEAST = "the least of the neighbouring pairs is taken"
FIRST = "the first pair is the least of all, as compared in floats"
AGAIN = "the Voronoi criterion refused the pair, and all were compared again"


class PaperOptions(NamedTuple):
    """What the paper leaves open, as numbers."""

    threshold: float  # a contact is looked for up to this distance
    search_range: int  # steps over neighbours in the contact algorithm
    vertex_rule: bool  # a vertex leads to its edges, then to its faces
    repeat: bool  # the non-contact step again, until nothing is nearer
    voronoi: bool  # an answer stands in the Voronoi regions of its features


class SearchAnswer(NamedTuple):
    """A pair of features with its points in the pair's frame, A's first."""

    a: Feature
    b: Feature
    distance: float  # signed
    normal: Vec  # unit, from A to B
    point_a: Vec


class Look(NamedTuple):
    """One frame's answer with everything that was examined for it."""

    numbers: Numbers
    tried: tuple[Tried, ...]
    read: tuple[tuple[int, ...], ...]  # vertices of A and of B


def look(a: Body, b: Body, before: PairState | None, rules: PaperOptions) -> Look:
    """Answer one frame by the paper's rules from the state of the frame before.

    In contact before: the contact algorithm; where it finds nothing, and apart
    before: the non-contact algorithm.  At first: every pair is compared, once.

    Cost: some hundred pairs of features, 1 to 2 ms.
    """
    p, q = a.transform[:, 3].tolist(), b.transform[:, 3].tolist()
    search = Search(
        Neighbourhood(a, HERE), Neighbourhood(b, minus(tuple(q), tuple(p))), rules
    )
    found: SearchAnswer | None = None
    if before is not None and before.regime != "separated":
        found = search.in_contact(before.feature_a, before.feature_b)
    by = PASSED
    if found is None:
        by = FIRST if before is None else LEAST
        found = search.apart(before)
        if before is not None and rules.voronoi and not search.stands(found):
            by = AGAIN
            found = search.apart(None)
    work = Work(
        steps=len(search.tried) + search.pairs,
        vertices=len(search.a.read) + len(search.b.read),
        faces=search.faces,
        fallbacks=int(by in (FIRST, AGAIN)),
    )
    numbers = _numbers(found, a, b, search, work, REASON + by)
    read = tuple(tuple(sorted(near.read)) for near in (search.a, search.b))
    return Look(numbers, tuple(search.tried), read)


class Search:
    """Both bodies in one frame, the rules, and notes of what was examined."""

    def __init__(self, a: Neighbourhood, b: Neighbourhood, rules: PaperOptions) -> None:
        self.a = a
        self.b = b
        self.rules = rules
        self.tried: list[Tried] = []
        self.pairs = 0  # vertex-face and edge-edge pairs of the non-contact algorithm
        self.faces = 0  # faces tested or measured

    def in_contact(self, last_a: Feature, last_b: Feature) -> SearchAnswer | None:
        """Look for the contact around last frame's, in the paper's order (4.1).

        The rules are applied to A's contact element, then to B's; each element is
        tested against the other body's edges within the range, and their ends.
        """
        for own, other, element, partner, flip in (
            (self.a, self.b, last_a, last_b, 1.0),
            (self.b, self.a, last_b, last_a, -1.0),
        ):
            if element.kind == "vertex" and not self.rules.vertex_rule:
                continue  # the paper has no rule for it
            reach = within(other.mesh, partner, self.rules.search_range)
            edges = [f.index for f in reach if f.kind == "edge"]
            for tested in within(own.mesh, element, self.rules.search_range):
                if tested.kind == "vertex":
                    continue
                test = face_vertex if tested.kind == "face" else edge_edge
                hit = test(own, other, tested.index, edges, self.rules.threshold)
                self.faces += tested.kind == "face"
                self._note(tested, hit, flip)
                if not hit.passed:
                    continue
                found = SearchAnswer(
                    tested, hit.partner, hit.gap, hit.normal, hit.point
                )
                if flip < 0.0:  # A's feature first
                    point, n = along(hit.point, hit.gap, hit.normal), back(hit.normal)
                    found = SearchAnswer(hit.partner, tested, hit.gap, n, point)
                if not self.rules.voronoi or self.stands(found):
                    return found
        return None

    def stands(self, found: SearchAnswer) -> bool:
        """Whether both points lie in each other's Voronoi regions; note it if not."""
        size = reach_of(found.point_a, found.point_a)
        point_b = along(found.point_a, found.distance, found.normal)
        for owner, own, feature, x in (
            ("a", self.a, found.a, point_b),
            ("b", self.b, found.b, found.point_a),
        ):
            size = max(
                size, *(reach_of(own[v], x) for v in corners_of(own.mesh, feature))
            )
            by, past = outside(own, feature, x)
            if by > LEVEL * size:
                says = f"{printed(own.mesh, past)} of {owner} is nearer"
                lost = Tried(found.a, found.b, "voronoi", by, past, owner)
                self._write(lost, says)
                return False
        return True

    def _note(self, tested: Feature, hit: Hit, flip: float) -> None:
        a, b = (tested, hit.partner) if flip > 0.0 else (hit.partner, tested)
        owner = ""
        if hit.culprit is not None:
            of_own = tested.kind == "face" and hit.culprit.kind == "edge"
            owner = "a" if of_own == (flip > 0.0) else "b"
        self._write(Tried(a, b, hit.test, hit.loss, hit.culprit, owner), hit.says)

    def _write(self, tried: Tried, says: str) -> None:
        a, b = tried.feature_a, tried.feature_b
        how = says or tried.test
        if not tried.won:
            how = f"lost by {tried.loss:.6g}: {says}"
        text = f"{pair_name(self.a.mesh, a, self.b.mesh, b)}: {how}"
        self.tried.append(tried._replace(text=text))

    def apart(self, before: PairState | None) -> SearchAnswer:
        """Measure last frame's pair and the pairs beside it, take the least (4.2)."""
        if before is None:
            return self._measure(everything(self.a), everything(self.b))
        pair = before.feature_a, before.feature_b
        found = self._step(*pair)
        while self.rules.repeat and (found.a, found.b) != pair:
            pair = found.a, found.b
            nearer = self._step(*pair)
            if not nearer.distance < found.distance:
                break
            found = nearer
        return found

    def _touching(self, a: Feature, b: Feature) -> Vec:
        """Return a normal where two points coincide: a face's, else A's around."""
        if b.kind == "face" and a.kind != "face":
            return back(self.b.outward(b.index))
        faces = [a.index]
        if a.kind == "edge":
            faces = self.a.mesh.edge_faces[a.index].tolist()
        elif a.kind == "vertex":
            faces = self.a.mesh.vertex_faces(a.index).tolist()
        total = HERE
        for f in faces:
            total = along(total, 1.0, self.a.outward(f))
        n = unit(total)
        return n if n != HERE else (1.0, 0.0, 0.0)

    def _step(self, a: Feature, b: Feature) -> SearchAnswer:
        around_a = patch_of(self.a, within(self.a.mesh, a, 1))
        around_b = patch_of(self.b, within(self.b.mesh, b, 1))
        return self._measure(around_a, around_b)

    def _measure(self, a: Patch, b: Patch) -> SearchAnswer:
        """Compare all pairs of two sets of features."""
        counts = [
            (len(x.surface.points), len(x.surface.triangles), len(x.surface.segments))
            for x in (a, b)
        ]
        (va, fa, ea), (vb, fb, eb) = counts
        self.pairs += va * fb + fa * vb + ea * eb
        self.faces += fa + fb
        pair = nearest_pair(a.surface, b.surface)
        names = (
            a.name(pair.vertices_a, pair.index_a),
            b.name(pair.vertices_b, pair.index_b),
        )
        n = unit(minus(pair.point_b, pair.point_a))
        if not pair.distance > 0.0:
            n = self._touching(*names)
        count = f"{va + fa + ea} x {vb + fb + eb}"
        says = f"the least of {count} features, {pair.distance:.6g}"
        self._write(Tried(*names, "least", 0.0), says)
        return SearchAnswer(*names, pair.distance, n, pair.point_a)


def everything(near: Neighbourhood) -> Patch:
    """Lay out a whole body."""
    return patch_of(near, [Feature("face", f) for f in range(near.mesh.n_faces)])


def _numbers(
    found: SearchAnswer, a: Body, b: Body, search: Search, work: Work, reason: str
) -> Numbers:
    """Write an answer down, moved back to the world, with bounds that are true.

    Two points of the surfaces bound the distance from above.  From below nothing of
    the search does: only that no two bodies overlap by more than they are wide.
    """
    x, y, z = a.transform[:, 3].tolist()
    d, n = found.distance, found.normal
    p = found.point_a
    q = along(p, d, n)
    size = reach_of(p, q)
    for near, feature in ((search.a, found.a), (search.b, found.b)):
        for v in corners_of(near.mesh, feature):
            size = max(size, reach_of(near[v], HERE))
    allowance = layout.ALLOWANCE * size
    width = min(map(sum, zip(extents(a), extents(b), strict=True)))
    bounds = d, min(-width, d) - allowance, abs(d) + allowance, size
    ends = n, (p[0] + x, p[1] + y, p[2] + z), (q[0] + x, q[1] + y, q[2] + z)
    parts = found.a, found.b
    names = [part for f in parts for part in (KINDS.index(f.kind), (f.index,))]
    said = True, "none", reason, work
    return Numbers._make((*bounds, *ends, *names, (), (), *said))


def extents(body: Body) -> tuple[float, float, float]:
    """Return how wide a body is along the world's axes."""
    m = body.transform
    p = body.positions.T
    rows = [m[i, 0] * p[0] + m[i, 1] * p[1] + m[i, 2] * p[2] for i in range(3)]
    x, y, z = (float(np.ptp(row)) for row in rows)
    return x, y, z


class PaperTracker(PairTracker):
    """What ``PairTracker(strategy="paper")`` makes; its options are explained there."""

    uses_kernels = False

    def __init__(
        self,
        a: Body,
        b: Body,
        *,
        strategy: str = "paper",
        search_range: int | None = None,
        vertex_rule: bool = False,
        repeat: bool = False,
        voronoi: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(a, b, **options)
        steps = 1 if search_range is None else search_range
        if not isinstance(steps, int | np.integer) or steps < 1:
            raise ValueError(
                f"search_range={search_range!r} must be a whole number of steps, 1 or "
                f"more: one step reaches the elements that the paper lists"
            )
        paper = bool(vertex_rule), bool(repeat), bool(voronoi)
        self._rules = PaperOptions(self.release_distance, steps, *paper)
        self._looked: tuple[PairState, Look] | None = None  # the last update

    def update(self, exact: bool = False) -> PairState:
        """Answer for the present positions and poses, from last frame's state."""
        frame = self.next_frame
        try:
            self._check_placed(frame)
            if self._pair[2] != (self.a.edition, self.b.edition):
                self._lay_pair(anew=True)
            found = look(self.a, self.b, renamed(self._state), self._rules)
            self._looked = self.went_on(self._as_state(found.numbers, frame)), found
            return self._looked[0]
        except BaseException:
            self._seen_a, self._stale = NOTHING, True
            raise

    def _explained(self, state: PairState) -> Explanation:
        if self._looked is None or self._looked[0] is not state:  # it was handed over
            raise ValueError("nothing to explain yet: call update() first")
        found = self._looked[1]
        # visited is what the search read; the widths of the bodies read everything
        pairs = zip((state.mesh_a, state.mesh_b), found.read, strict=True)
        a, b = (np.isin(np.arange(mesh.n_vertices), read) for mesh, read in pairs)
        start = "started cold, from all pairs"
        return explanation_of(self._previous, state, (a, b), found.tried, start)
