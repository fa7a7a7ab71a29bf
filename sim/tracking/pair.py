"""The tracker of one pair: last frame's ids in, this frame's certified answer out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from sim.body.body import Body
from sim.body.pose import Pose
from sim.engine.library import ENGINE
from sim.kernels.layout import BOUNDED, CERTIFIED, PLAIN, REFUSED, SEARCHED, WANTED
from sim.kernels.trajectory import HELD, NUMBERS, REGIME, SWAPPED
from sim.result.answer import Numbers
from sim.result.answers import REGIMES
from sim.result.state import PairState, Region
from sim.tracking import options
from sim.tracking.alone import NOTHING, LonePair
from sim.tracking.fallback import copied, corner_of, fallen_back, remarked
from wingedge.registry import wings

if TYPE_CHECKING:
    from sim.tracking.track import Track
    from sim.tracking.tried import Explanation


def closest(
    a: Body,
    b: Body,
    *,
    contact_distance: float | None = None,
    resolution: options.Resolution = None,
    exact: bool = False,
) -> PairState:
    """Find the closest features of two bodies, from nothing; O(V) once, then one walk.

    The same answer as a tracker that has followed the pair, to the bit where the
    closest points are unique. Arguments, errors: `PairTracker`, `PairTracker.update`.
    What was laid out for the bodies of the last call is kept, with them: 5 us again.
    """
    if resolution is None and isinstance(a, Body) and isinstance(b, Body):
        resolution = options.resolutions((a, b), None)
    given: Any = {"contact_distance": contact_distance, "resolution": resolution}
    last, tracker = LAID_OUT.pop("last", (None, None))  # by one thread
    if tracker is None or (tracker.a, tracker.b, last) != (a, b, given):
        tracker = PairTracker(a, b, **given)
    state: PairState = tracker.update(exact)
    tracker.reset()
    tracker.next_frame, tracker.saw = 0, (None, None)
    LAID_OUT["last"] = given, tracker
    return state


LAID_OUT: dict[str, tuple[Any, Any]] = {}  # of the last ``closest``
PLAIN_REGIMES = (*PLAIN * ("",), *REGIMES, *REGIMES)  # by the status of a plain frame


class PairTracker(LonePair):
    """Track the closest features of two bodies from frame to frame.

    Parameters
    ----------
    a, b : Body
        Two different bodies.
    contact_distance : float, optional
        At this distance or less the pair is in contact [length unit of the input];
        1e-3 of the rest size of the smaller body if left out.
    release_distance : float, optional
        Beyond this it is apart again; twice the contact distance if left out.
    parallel_tolerance : float
        Height differences within this, per unit of size, are level: what makes a
        face or an edge of a body, rather than a vertex, its closest feature.
    resolution : float, "float32" or None
        How far at most each vertex may be off [length unit of the input]: heights
        within 8 of it are level, too, and an overlap is 4 deep at least. "float32":
        the precision of such positions; None: what the bodies know, 0 of float64.
    strategy : {"certified", "paper"}
        "paper": answer by the search that Yokoyama et al. print, sections 4.1 and 4.2,
        and nothing else, to see what it examines and where it goes wrong; never
        certified.
    search_range, vertex_rule, repeat, voronoi : int; bool, optional
        Of "paper" alone (docs/algorithms.md): how many steps over neighbours it looks
        around a contact; whether a vertex leads on, to its edges, then its faces;
        whether its step apart is taken until nothing is nearer; whether an answer must
        lie in the Voronoi regions of its features.
    regions : bool
        Find all contacts of the pair in every frame, ``state.regions``, not only the
        closest one: wherever the surfaces are within ``contact_distance``.

    Notes
    -----
    Kept between frames: vertex ids, the regime, the last distance.  A wrong id may
    cost time, never truth.  Cost: a handful of rings, 15 to 50 us interpreted; bodies
    that are not convex one scan, or a search over their triangles; what none of these
    can prove is compared exhaustively and counted in ``state.work.fallbacks``.
    """

    uses_kernels = True  # whether many frames may be answered in one call

    def __init__(
        self,
        a: Body,
        b: Body,
        *,
        contact_distance: float | None = None,
        release_distance: float | None = None,
        parallel_tolerance: float = 1e-12,
        resolution: options.Resolution = None,
        strategy: str = "certified",
        search_range: int | None = None,
        vertex_rule: bool = False,
        repeat: bool = False,
        voronoi: bool = False,
        regions: bool = False,
    ) -> None:
        options.check_bodies(a, b)
        lengths = contact_distance, release_distance, resolution
        self.ends = options.thresholds(a, b, *lengths)
        paper = search_range, vertex_rule, repeat, voronoi
        options.check_options(parallel_tolerance, strategy, paper)
        self._begin(a, b, parallel_tolerance)
        if regions:
            near = self.contact_distance
            self._regions = wings.RegionTracker(a, b, near, parallel_tolerance)

    @property
    def state(self) -> PairState | None:
        """The last answer, or None before the first."""
        return self._state

    @property
    def is_plain(self) -> bool:
        """Whether a table of pairs could have answered the last frame."""
        rows = self._state and self._state._block.flat.base  # of kernels: of many
        return self._simple or (rows is not None and rows.size > NUMBERS)

    def reset(self) -> None:
        """Forget the last frame: the next update starts cold."""
        swapped = self.is_swapped
        self._state = self._previous = None
        if self._regions is not None:
            self._regions.last = ()
        self.remember(None)
        self._memory.ids[self._ids["begun"][0], SWAPPED] = swapped

    def update(self, exact: bool = False) -> PairState:
        """Answer for the present positions and poses.

        Parameters: ``exact``: run whatever certifies; without it a deep overlap of
        large smooth bodies may be left with bounds that do not meet, and says so.

        Raises ValueError if a coordinate that is met is not finite, or a transform
        mirrors; ConvexityError if a body has positions that it refuses.
        """
        frame, saw = self.next_frame, self.saw
        try:
            if (
                self.a._quiet is not self._seen_a
                or self.b._quiet is not self._seen_b
                or ENGINE.compiled is not self._engine
            ):
                self._check(frame)
            status = self._run()
            if status == REFUSED:
                status = self._run_placed(frame)
            if status >= PLAIN:
                state = PairState()
                rows = self._rows
                state._at = at = rows.at
                state._block = rows
                state._distance = rows.floats[at]
                state._regime = PLAIN_REGIMES[status]
                state._frame = frame
                state._pair = self._pair
                self._previous, self._state = self._state, state
                self.next_frame = frame + 1
                rows.at = at + NUMBERS
                if status >= PLAIN + 3:
                    self._rows = rows.begun_anew()
                return state
            return self.conclude(status, exact)
        except BaseException:
            self._seen_a, self._stale, self.saw = NOTHING, True, saw
            self.remember(self._state)  # a frame that was kept is not the last one
            raise

    def conclude(self, status: int, exact: bool) -> PairState:
        """Finish a frame that the kernel left in the buffers; return its state."""
        frame, buffers, asked = self.next_frame, self._buffers, status == WANTED
        faces = self._faces_run()
        status = self._supplied(status)
        if asked:
            buffers.result.outward_seen = 0  # as seen on faces that were turned round
        enough = status == BOUNDED and buffers.convex and not exact
        if status in (CERTIFIED, SEARCHED) or enough:
            source = copied(buffers, status)
        else:
            source = fallen_back(buffers, status, self._before)
        self._simple = status == CERTIFIED and not asked
        state = self._as_state(source, frame)
        buffers.last[0] = -1
        if source.labels:
            buffers.last[:] = corner_of(source, buffers.swapped)
        self._rows.cursor[REGIME] = REGIMES.index(state.regime)
        self._lay_table()
        self._entries[1].on(self._tables)
        state = self.went_on(self._with_level(state))
        buffers.workspace.search.state.told = 0
        if faces != self._faces_run():
            buffers.choose_proofs(self.news)
            self._lay_table()
        return state

    def _faces_run(self) -> tuple[object, object]:
        """Return what tells how the faces of both bodies run, A's first."""
        one, two = self._buffers.views
        return one.flank, two.flank

    def _supplied(self, status: int) -> int:
        """Lay out what the frame wants, and answer it again; return its status."""
        frame, buffers, cursor = self.next_frame, self._buffers, self._rows.cursor
        try:
            while True:
                buffers.swapped = cursor[SWAPPED] == 1
                cursor[HELD] = 0
                total = buffers.result.nan_sum
                if total - total != 0.0:
                    self._check_placed(frame)
                    for body in (self.a, self.b):
                        body.refuse_unfinite(frame)
                if status != WANTED:
                    return status
                buffers.supply(self._before)
                self._lay_table()
                self._ids["status"][0] = WANTED
                status = self._run()
        finally:
            self._ids["status"][0] = 0

    def _with_level(self, state: PairState) -> PairState:
        """Name in a state that is remembered what is level within the resolution."""
        if not self.resolution:
            return state
        self._rows.cursor[HELD] = 0
        level = max(options.LEVEL * self.resolution, self._tolerance * state.size)
        numbers = self._buffers.widened(state.numbers, level)
        rest = state.regime, state.frame, *state._pair
        return state if numbers is None else PairState.of(numbers, *rest)

    def _before(self) -> Numbers | None:
        """Return the last answer in kernel order."""
        from sim.result.renaming import renamed

        last = renamed(self._state)
        if last is None or not last.numbers.parts_a:
            return None
        return last.numbers.mirrored() if self._buffers.swapped else last.numbers

    def track(
        self,
        poses_a: Sequence[Pose] | ArrayLike | None = None,
        poses_b: Sequence[Pose] | ArrayLike | None = None,
        points_a: ArrayLike | None = None,
        points_b: ArrayLike | None = None,
        exact: bool = False,
    ) -> Track:
        """Answer for a whole trajectory: the same bits as a loop over ``update``.

        Raises ValueError if nothing moves or an array does not fit: before anything has
        moved; later as ``update``, with bodies and tracker as the loop leaves them.

        Compiled, a frame costs 0.2 to 0.5 us; with new positions of closed bodies 8 ns
        an edge more, while rings prove the same of all of them; else as ``update``.

        Parameters
        ----------
        poses_a, poses_b : sequence of Pose or (T, 3, 4) array_like, optional
            Where the bodies are in each of T frames; a body stays as it is if left out.
        points_a, points_b : (T, V, 3) array_like, optional
            The positions of their vertices in each frame, as ``body.points = new``.
        exact : bool
            As for ``update``.
        """
        from sim.tracking.track import follow

        given = {"poses_a": poses_a, "poses_b": poses_b}
        given |= {"points_a": points_a, "points_b": points_b}
        return follow(self, given, exact)

    def _as_state(self, source: Numbers, frame: int) -> PairState:
        """Turn the answer of a frame into its state."""
        odd = self._odd > self._buffers.result.outward_seen
        self._simple = self._simple and not odd
        if odd or self.a.may_have_flaw or self.b.may_have_flaw:
            source = remarked(source, self.a, self.b)
        was = "separated" if self._state is None else self._state.regime
        regime = "separated"
        if not source.distance > self.release_distance:  # nearly always
            dented = self.resolution > 0.0 and not self._buffers.convex
            regime = options.next_regime(was, source, self.ends, dented=dented)
        found: tuple[Region, ...] = ()
        if self._regions is not None:
            found = self._regions.after(source, self._buffers)
        return PairState.of(source, regime, frame, *self._pair[:3], found)

    def enumerate(self) -> PairState:
        """Answer cold by comparing every pair; see ``sim.exhaustive``."""
        self._check_placed(0)
        self._check(0)
        self._buffers.arrange()
        self._rows.cursor[HELD] = 0
        numbers: Numbers = wings.searched(self._buffers, enumerated=True)
        if self._buffers.swapped:
            numbers = numbers.mirrored()
        self._odd = 2  # no walk has seen whether a body is inside-out
        return self._with_level(self._as_state(numbers, 0))

    def explain(self) -> Explanation:
        """Say what the last update looked at, before anything moves again.

        The frame is run once more from the same remembered ids, with buffers that
        note every vertex that is read (``visited_a``, ``visited_b``) and every pair of
        parts that is tried (``steps``): what test it failed, by what length, and where
        the tracker went from there.

        Raises ValueError if there was no update yet.
        """
        if self._state is None:
            raise ValueError("nothing to explain yet: call update() first")
        if self._state.editions != (self.a.edition, self.b.edition):
            raise ValueError("a mesh was replaced since the last update: update first")
        return self._explained(self._state)

    def _explained(self, state: PairState) -> Explanation:
        self._buffers.swapped = self.is_swapped
        start = self._memory, self._ids["kept"][0]
        told: Explanation = wings.explained(self._buffers, start, self._previous, state)
        return told

    def _run_placed(self, frame: int) -> int:
        """Run a frame again that was refused, once it is known that all is placed."""
        self._check_placed(frame)  # says what is wrong, if anything is
        self._ids["placed"][0] = self._ids["placed"][1] = 1
        try:
            return self._run()
        finally:
            self._ids["placed"][0] = self._ids["placed"][1] = 0

    def _check(self, frame: int) -> None:
        """Refuse what may not be answered; choose how each body proves a support.

        Unless all that changed are positions that were new before, and are.
        """
        a, b, (one, two) = self.a, self.b, self.saw
        if (
            ENGINE.compiled is self._engine
            and (a._quiet is self._seen_a or a.moved_on(self._seen_a, one))
            and (b._quiet is self._seen_b or b.moved_on(self._seen_b, two))
        ):
            self.saw = a._version, b._version
            return
        a.check_update(frame)
        b.check_update(frame)
        anew = self._pair[2] != (a.edition, b.edition)
        if anew or self._stale or not self._buffers.are_of(a, b):
            self._lay_pair(anew=anew)
        self.news = new_a, new_b = a.is_new(one), b.is_new(two)
        self._buffers.choose_proofs(self.news)
        self._odd = max(a.odd(new=new_a), b.odd(new=new_b))
        more = self._regions is not None or a.may_have_flaw or b.may_have_flaw
        self._ids["odd"][0] = 2 if more else self._odd
        self._lay_table()
        self._engine = ENGINE.compiled
        self.saw = a._version, b._version
        self._seen_a, self._seen_b = a.quiet(new=new_a), b.quiet(new=new_b)

    def _check_placed(self, frame: int) -> None:
        for body in (self.a, self.b):
            body.check_update(frame)
            body.check_placed(frame)
