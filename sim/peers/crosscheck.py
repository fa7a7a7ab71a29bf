"""The same frames through another engine; who was right where the two differ.

The truth is not a vote: an answer of ours comes with bounds, and `verify`, which shares
no code with what found them, proves these from positions alone.
"""

from collections.abc import Iterable
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from math import isnan, nan
from typing import Any

from sim.frame import Frame
from sim.peers.engines import Coal, Fcl, Mujoco, Peer
from sim.peers.ipc import Ipctk
from sim.peers.report import AGREE, OURS, THEIRS, TIE, UNANSWERED, Compared, CrossCheck
from sim.peers.times import compare_times
from sim.result.state import PairState
from sim.tracking.brute.exhaustive import exhaustive, refused
from sim.tracking.pair import closest
from sim.tracking.proof.triangle_gap import surface_gap
from sim.tracking.proof.verdict import NO, YES
from sim.tracking.proof.verify import verify
from sim.world import World
from wingedge import Feature, WingedEdgeMesh

ENGINES: dict[str, Any] = {"coal": Coal, "fcl": Fcl, "ipctk": Ipctk, "mujoco": Mujoco}
RELATIVE = 1e-9  # two distances that differ by less, per unit of either, agree


def crosscheck(
    world: World,
    engine: str | Iterable[str] = "coal",
    frames: int = 120,
    *,
    rational: bool = False,
    times: bool = True,
) -> CrossCheck:
    """Step a world, and ask another engine about every reported pair of every frame.

    Distances and depths; by ``"ipctk"`` the names of the closest features and, from one
    frame to the next, the time of the first touch too.  Ours is the world's answer;
    where that is not certified it is asked again with ``exact=True``.

    Two distances agree within ``1e-9 |distance|`` and what the rounding of the other
    engine's own numbers explains: 1e-13 of the size, 1e-6 for MuJoCo, whose vertices
    are float32.  Who is right about anything else is decided by what is proven of ours.

    Parameters
    ----------
    world : World
        Of ``sim.Body``; it is stepped.
    engine : {"coal", "fcl", "ipctk", "mujoco"} or several
        Each must be installed; MuJoCo is asked about convex bodies and hulls only.
    frames : int
        How many.
    rational : bool
        Take the truth from exact arithmetic where that reaches (convex bodies of at
        most 60 vertices), also where the engines agree.
    times : bool
        Ask ipctk for times of touches; faces that slide on each other take it a minute.

    Raises
    ------
    ValueError
        If there is no such engine, or none is named.
    ModuleNotFoundError
        If it is not installed; says what to install.
    TypeError
        If this is no world.

    Notes
    -----
    Cost: about 1 ms a pair, frame and engine; a disagreement is verified, O(V) for
    convex bodies that are apart, up to seconds for large overlapping surfaces.
    """
    if not isinstance(world, World):
        raise TypeError(f"crosscheck takes a World, which it steps, not {world!r}")
    names = (engine,) if isinstance(engine, str) else tuple(dict.fromkeys(engine))
    if not names:
        raise ValueError(f"engine={engine!r} names none; give one of {_known()}")
    for name in names:
        check_engine(name)
    rows: list[Compared] = []
    pairs: dict[tuple[str, str], tuple[Peer, ...]] = {}
    last: Frame | None = None
    for frame in world.run(frames):
        for state in frame.pairs:
            key = state.a.name, state.b.name
            if key not in pairs:
                pairs[key] = tuple(ENGINES[name]() for name in names)
            case = PairCheck(state, rational=rational)
            for peer in pairs[key]:
                rows += case.compare(peer)
                if times and isinstance(peer, Ipctk) and last is not None:
                    rows += compare_times(peer, state, last, frame)
        last = frame
    return CrossCheck(rows)


def check_engine(name: str) -> None:
    """Raise unless there is such an engine, and it is installed."""
    if name not in ENGINES:
        raise ValueError(f"engine {name!r} is none of {_known()}")
    package = ENGINES[name].package
    try:
        version(package)
    except PackageNotFoundError:
        raise ModuleNotFoundError(
            f"engine {name!r} needs the package {package}: pip install {package}"
        ) from None


def _known() -> str:
    return ", ".join(ENGINES)


class PairCheck:
    """One pair in one frame: our answer, and what is proven of it, when it is asked."""

    def __init__(self, state: PairState, *, rational: bool) -> None:
        self.a, self.b = state.a, state.b
        self.state = state
        if not state.certified:
            self.state = closest(self.a, self.b, exact=True)
        self.exact: PairState | None = None
        if rational and not any(map(refused, (self.a, self.b))):
            self.exact = exhaustive(self.a, self.b, rational=True)

    @cached_property
    def truth(self) -> tuple[float, float]:
        """Bounds of the true distance; those of our answer unless it is wrong."""
        if self.exact is not None:
            return self.exact.lower, self.exact.upper
        verdict = verify(self.state, self.a, self.b).answer
        if verdict == YES:
            return self.state.lower, self.state.upper
        found = exhaustive(self.a, self.b)
        slack = RELATIVE * abs(found.distance) + 1e-13 * found.size
        if verdict == NO or abs(found.distance - self.state.distance) > slack:
            return found.lower, found.upper
        return (min(found.lower, self.state.lower), max(found.upper, self.state.upper))

    @cached_property
    def is_wrong(self) -> bool:
        """Whether our answer is outside the truth, or its proof does not hold."""
        lower, upper = self.truth
        d, slack = self.state.distance, self.slack(1e-13)
        outside = not lower - slack <= d <= upper + slack
        if self.exact is not None:
            return outside
        return outside or verify(self.state, self.a, self.b).answer == NO

    def slack(self, resolution: float) -> float:
        """Return what two right answers may differ by."""
        state = self.state
        return RELATIVE * abs(state.distance) + resolution * self.size

    @property
    def size(self) -> float:
        """What rounding is measured by."""
        size = self.state.size
        return size if self.exact is None else max(size, self.exact.size)

    def compare(self, peer: Any) -> list[Compared]:
        """Ask another engine where the bodies are now."""
        try:
            theirs, solid = peer.distance(self.a, self.b)
        except Exception:  # whatever an engine raises, it gave no answer
            theirs, solid = nan, True
        what = "distance" if self.state.distance >= 0.0 else "depth"
        if not solid and self.state.distance < 0.0:
            what = "crossing"
        verdict = self._judged(what, theirs, self.slack(peer.resolution))
        rows = [self._row(peer, what, self.state.distance, theirs, verdict)]
        if verdict == AGREE and isinstance(peer, Ipctk) and peer.closest:
            rows += self._names(peer)
        return rows

    def _row(self, peer: Any, what: str, ours: Any, theirs: Any, verdict: str) -> Any:
        known = self.exact is not None or verdict not in (AGREE, UNANSWERED)
        bounds = self.truth if known else (self.state.lower, self.state.upper)
        if what == "crossing":
            bounds = 0.0, 0.0
        names = self.a.name, self.b.name
        place = self.state.frame, *names, peer.name, what
        numbers = ours, theirs, *bounds, self.size
        kind = self.state.certified, self.exact is not None
        return Compared(*place, *numbers, verdict, *kind)

    def _judged(self, what: str, theirs: float, slack: float) -> str:
        if isnan(theirs):
            return UNANSWERED
        if self.exact is not None and self.is_wrong:
            return OURS
        if what == "crossing":
            return self._crossing(theirs, slack)
        if abs(theirs - self.state.distance) <= slack:
            return AGREE
        if self.is_wrong:
            return OURS
        lower, upper = self.truth
        return TIE if lower - slack <= theirs <= upper + slack else THEIRS

    def _crossing(self, theirs: float, slack: float) -> str:
        """Judge a distance of surfaces where we say that the solids overlap."""
        if theirs == 0.0:
            return AGREE
        corners = (x.world_points()[x.mesh.fan.vertex] for x in (self.a, self.b))
        gap = surface_gap(*corners)
        if abs(gap - theirs) <= slack:
            return OURS if self.is_wrong else AGREE  # one inside the other
        return THEIRS

    def _names(self, peer: Ipctk) -> list[Compared]:
        """Compare the closest features, where there is one closest pair."""
        state = self.state
        if not state.unique or state.distance <= 0.0:
            return []
        here = vertices_of(state.mesh_a, state.parts_a)
        there = vertices_of(state.mesh_b, state.parts_b)
        same = any(c.vertices_a <= here and c.vertices_b <= there for c in peer.closest)
        theirs = " ".join(_worded(c) for c in peer.closest[0])
        ours = f"{_worded(here)} {_worded(there)}"
        if same:
            verdict = AGREE
        elif verify(state, self.a, self.b).answer == NO:
            verdict = OURS
        else:
            verdict = TIE  # their features are as near, to rounding: else no agreement
        return [self._row(peer, "names", ours, theirs, verdict)]


def vertices_of(mesh: WingedEdgeMesh, parts: Iterable[Feature]) -> frozenset[int]:
    """Collect the vertices of some features."""
    found: set[int] = set()
    for part in parts:
        if part.kind == "lid":
            found.update(part.vertices)
        elif part.kind == "vertex":
            found.add(part.index)
        elif part.kind == "edge":
            found.update(mesh.edge_vertices[part.index].tolist())
        else:
            found.update(mesh.face_vertices(part.index))
    return frozenset(found)


def _worded(vertices: Iterable[int]) -> str:
    return "-".join(f"v{v}" for v in sorted(vertices))
