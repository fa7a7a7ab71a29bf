"""What a search tried on its way: pairs of parts, the test that each took, the loss."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.result.state import PairState
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh, printed


class Tried(NamedTuple):
    """One pair of parts that a search tried; lengths in the unit of the input."""

    feature_a: Feature  # the parts, each by its lowest number
    feature_b: Feature
    test: str  # that it failed, or "certified", "passed" or "least" where it won
    loss: float  # by what length; 0 where it won, and where the test has no length
    culprit: Feature | None = None  # that made it fail, as a vertex that stands higher
    owner: str = ""  # whose feature the culprit is: "a", "b", or "" where there is none
    text: str = ""  # the same in words

    @property
    def won(self) -> bool:
        """Whether this pair is the answer."""
        return self.test in ("certified", "passed", "least", "epa", "search")

    def __str__(self) -> str:
        return self.text


class Explanation(NamedTuple):
    """What the last update read and where it went."""

    before: tuple[Feature, Feature] | None  # closest features that it started from
    after: tuple[Feature, Feature]  # and that it ended at
    visited_a: NDArray[np.int32]  # vertices of A whose positions were read, ascending
    visited_b: NDArray[np.int32]
    steps: tuple[Tried, ...]  # the parts that were tried, in order; the last one won
    text: str  # the same in words, a line for each step

    def __str__(self) -> str:
        return self.text


def pair_name(
    mesh_a: WingedEdgeMesh, a: Feature, mesh_b: WingedEdgeMesh, b: Feature
) -> str:
    """Name a pair of parts as events do: ``VE v12 e7(3-9)``."""
    return f"{a.letter}{b.letter} {printed(mesh_a, a)} {printed(mesh_b, b)}"


def explanation_of(
    before: PairState | None,
    after: PairState,
    visited: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    steps: tuple[Tried, ...],
    cold: str,
) -> Explanation:
    """Put the steps of an update into words; ``cold`` says how one begins cold."""
    work, start = after.work, cold
    if before is not None and not before.numbers.parts_a:
        before = None  # of a hull that has other facets now
    if before is not None:
        start = "started from " + pair_name(
            before.mesh_a, before.feature_a, before.mesh_b, before.feature_b
        )
    a, b = visited
    lines = [
        f"frame {after.frame}: {start}",
        *(f"  {step.text}" for step in steps),
        f"  read {int(a.sum())} of {len(a)} vertices of {after.a.name} and "
        f"{int(b.sum())} of {len(b)} of {after.b.name}; {work.steps} steps, "
        f"{work.scans} scans, {work.fallbacks} exhaustive searches; ended at "
        f"{after.kind} {after.feature_a} {after.feature_b}, proof by {after.proof}",
    ]
    began = None if before is None else (before.feature_a, before.feature_b)
    ended = after.feature_a, after.feature_b
    in_a, in_b = (np.flatnonzero(some).astype(np.int32) for some in visited)
    return Explanation(began, ended, in_a, in_b, steps, "\n".join(lines))
