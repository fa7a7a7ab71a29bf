"""Which states next to the ones that a run visited it never came to.

The neighbours of a state are those that the paper's local search looks at next
(Yokoyama et al., section 4.1; `wingedge.neighbours`): one of the two features replaced
by a neighbour of it.
"""

from typing import NamedTuple

from sim.story.comparing.sources import Frames, Source, opened
from sim.story.events import Touch, ends_of
from sim.story.graph import name_of, visits
from wingedge import Feature, WingedEdgeMesh, neighbours


class Coverage(NamedTuple):
    """How much of the neighbourhood of what a pair visited it visited too."""

    a: str
    b: str
    visited: tuple[str, ...]  # its states in contact, in the order of first visits
    reached: tuple[str, ...]  # neighbour states that were visited
    missing: tuple[str, ...]  # neighbour states that never were

    @property
    def share(self) -> float:
        """Which part of the neighbour states was visited; 1 where there are none."""
        total = len(self.reached) + len(self.missing)
        return len(self.reached) / total if total else 1.0

    def __str__(self) -> str:
        """Say the numbers in one line."""
        total = len(self.reached) + len(self.missing)
        return (
            f"{self.a}/{self.b}: {len(self.visited)} states in contact; of their "
            f"{total} neighbour states {len(self.reached)} visited, "
            f"{len(self.missing)} never"
        )


def coverage(source: Source) -> tuple[Coverage, ...]:
    """Say for every pair that touched which states beside its own it never came to.

    Parameters
    ----------
    source : Recording, path of one, or iterable of Frame
        The meshes must be known: a story alone does not say who is whose neighbour.

    Raises
    ------
    ValueError
        If the source has no meshes, or a mesh is replaced in it.
    OSError, TypeError
        If there is nothing to read.

    Notes
    -----
    The closest features may both change in one frame, so a run can visit states that
    are nobody's neighbours.  Not every neighbour can be reached: one feature of two
    parallel faces is often hidden behind the other.
    """
    with opened(source) as side:
        if side.run is None:
            raise ValueError(
                "a story has no meshes, and so no neighbours; give the recording that "
                "it is of, or frames"
            )
        meshes = _meshes(side.run)
        found = []
        for pair, states in visits(side.story):
            seen = dict.fromkeys(touch for _, touch in states if touch is not None)
            found.append(_covered(pair, tuple(seen), meshes))
        return tuple(found)


def _covered(
    pair: tuple[str, str], seen: tuple[Touch, ...], meshes: dict[str, WingedEdgeMesh]
) -> Coverage:
    a, b = meshes[pair[0]], meshes[pair[1]]
    around: dict[Touch, None] = {}
    for touch in seen:
        for other in neighbours(a, touch.feature_a):
            around[_touch(a, b, other, touch.feature_b)] = None
        for other in neighbours(b, touch.feature_b):
            around[_touch(a, b, touch.feature_a, other)] = None
    return Coverage(
        *pair,
        tuple(name_of(pair, touch) for touch in seen),
        tuple(name_of(pair, touch) for touch in around if touch in seen),
        tuple(name_of(pair, touch) for touch in around if touch not in seen),
    )


def _touch(a: WingedEdgeMesh, b: WingedEdgeMesh, on_a: Feature, on_b: Feature) -> Touch:
    kind = on_a.letter + on_b.letter
    return Touch(kind, on_a, on_b, ends_of(a, on_a), ends_of(b, on_b))


def _meshes(run: Frames) -> dict[str, WingedEdgeMesh]:
    """Return the one mesh of every body."""
    meshes: dict[str, WingedEdgeMesh] = {}
    for frame in run:
        for body in frame.bodies:
            if meshes.setdefault(body.name, body.mesh) is not body.mesh:
                raise ValueError(
                    f"body '{body.name}' has another mesh from frame {frame.index} on, "
                    f"and other names; give frames with one mesh"
                )
    return meshes
