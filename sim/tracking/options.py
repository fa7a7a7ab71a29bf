"""What a tracker may be asked, checked before anything is built; and the regimes."""

from __future__ import annotations

import numpy as np

from sim.body.body import Body
from sim.kernels.trajectory import regime_after
from sim.result.answer import Numbers
from sim.result.answers import REGIMES
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import once_per_mesh

Saw = tuple[int | None, int | None]
STRATEGIES = ("certified", "paper")


def check_bodies(a: object, b: object) -> None:
    """Refuse what is not a pair of two bodies.

    Raises TypeError if one is no ``sim.Body``; ValueError if both are the same one.
    """
    for body in (a, b):
        if not isinstance(body, Body):
            raise TypeError(f"a tracker needs two sim.Body, got {type(body).__name__}")
        if a is b:
            raise ValueError(f"body '{body.name}' cannot be tracked against itself")


def refuse_hulls(*bodies: Body) -> None:
    """Refuse to find regions where a body stands for its hull.

    Its lids are no faces of the body, and another set of them in every other frame:
    nothing could be called by their numbers.

    Raises ValueError if one of the bodies was made with ``convexity="hull"``.
    """
    for body in bodies:
        if body.convexity == "hull":
            raise ValueError(
                f"body '{body.name}' stands for its convex hull, and regions are those "
                f"of true surfaces; leave out regions=True, or make it with "
                f"convexity='surface' (its hull as a body: Body(body.cover().mesh()))"
            )


def check_options(
    parallel_tolerance: float, strategy: str, paper: tuple[int | None, bool, bool, bool]
) -> None:
    """Refuse options that no tracker knows; ``paper`` are those of the paper's search.

    Raises ValueError if one is out of its range, or belongs to the other strategy.
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"strategy={strategy!r} is not one of {', '.join(STRATEGIES)}")
    if not 0.0 <= parallel_tolerance <= 1e-3:
        raise ValueError(
            f"parallel_tolerance={parallel_tolerance!r} must lie in [0, 1e-3]"
        )
    search_range, *others = paper
    if strategy != "paper" and (search_range is not None or any(others)):
        raise ValueError(
            "search_range, vertex_rule, repeat and voronoi are options of "
            "strategy='paper'; the certified strategy has no search range to choose"
        )


def thresholds(
    a: Body, b: Body, contact: float | None, release: float | None
) -> tuple[float, float]:
    """Return the distances at which contact begins and ends.

    Left out: 1e-3 of the rest size of the smaller body, and twice that.

    Raises ValueError if one is not a finite length, or contact would end before it
    begins.
    """
    if contact is None:
        contact = 1e-3 * min(rest_size(a), rest_size(b))
    contact = check_length("contact_distance", contact)
    if release is None:
        release = 2.0 * contact
    release = check_length("release_distance", release)
    if release < contact:
        raise ValueError(
            f"release_distance {release:g} is below contact_distance "
            f"{contact:g}; contact would begin and end in one frame"
        )
    return contact, release


def next_regime(before: str, numbers: Numbers, contact: float, release: float) -> str:
    """Return the regime that follows, with hysteresis.

    The rule is ``sim.kernels.trajectory.regime_after``.
    """
    if numbers.distance > release:
        return REGIMES[0]  # nearly always
    code = regime_after(
        REGIMES.index(before), numbers.distance, numbers.size, contact, release
    )
    return REGIMES[code]


def rest_size(body: Body) -> float:
    """Return the largest extent of a body at rest, in its own frame; once per mesh."""
    return _size_of(body.mesh)


@once_per_mesh
def _size_of(mesh: WingedEdgeMesh) -> float:
    return float(np.ptp(mesh.points.T.copy(), axis=1).max())


def check_length(name: str, value: float) -> float:
    """Return a finite float of 0 or more, or raise an error naming it."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a length, got {value!r}") from None
    if not 0.0 <= number < np.inf:
        raise ValueError(f"{name}={value!r} must be a finite length, 0 or more")
    return number
