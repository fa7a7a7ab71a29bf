"""What a tracker may be asked, checked before anything is built; and the regimes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.body.body import Body
from sim.kernels.trajectory import regime_after
from sim.result.answer import Numbers
from sim.result.answers import REGIMES
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import single_rounding
from wingedge.tables import once_per_mesh

Saw = tuple[int | None, int | None]
Resolution = float | str | tuple[float, ...] | list[float] | None  # one, or one a body
LEVEL = 8.0  # resolutions: heights within so many are level


def check_bodies(a: object, b: object) -> None:
    """Raise TypeError for what is no ``sim.Body``, ValueError for one body twice."""
    for body in (a, b):
        if not isinstance(body, Body):
            raise TypeError(f"a tracker needs two sim.Body, got {type(body).__name__}")
        if a is b:
            raise ValueError(f"body '{body.name}' cannot be tracked against itself")


def refuse_hulls(*bodies: Body) -> None:
    """Raise ValueError for bodies that stand for their hulls: they have no regions.

    Lids are no faces of the body, and others in every other frame.
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
    """Raise ValueError for options out of range, or of the other strategy."""
    if strategy not in ("certified", "paper"):
        raise ValueError(f"strategy={strategy!r} is not one of certified, paper")
    if not 0.0 <= parallel_tolerance <= 1e-3:
        said = f"parallel_tolerance={parallel_tolerance!r}"
        raise ValueError(f"{said} must lie in [0, 1e-3]")
    search_range, *others = paper
    if strategy != "paper" and (search_range is not None or any(others)):
        raise ValueError(
            "search_range, vertex_rule, repeat and voronoi are options of "
            "strategy='paper'; the certified strategy has no search range to choose"
        )


class Ends(NamedTuple):
    """What is told of a pair: from which distances on, and how well they are known."""

    contact_distance: float  # contact begins
    release_distance: float  # and ends
    resolution: float = 0.0  # how far vertices may be off, as far as there is room


def thresholds(
    a: Body,
    b: Body,
    contact: float | None,
    release: float | None,
    resolution: Resolution = (),
) -> Ends:
    """Return the distances at which contact begins and ends, and the resolution.

    Left out: 1e-3 of the rest size of the smaller body, and twice that; a resolution
    that nobody gave is cut to the room that these leave.

    Raises ValueError if one is not a finite length, contact would end before it
    begins, or leaves no room for a resolution that was given.
    """
    least = 1e-3 * min(rest_size(a), rest_size(b))
    contact = check_length("contact_distance", least if contact is None else contact)
    most = 2.0 * contact if release is None else release
    release = check_length("release_distance", most)
    if release < contact:
        said = f"release_distance {release:g} is below contact_distance {contact:g}"
        raise ValueError(f"{said}; contact would begin and end in one frame")
    r, room = max(resolutions((a, b), resolution), default=0.0), release - contact
    if isinstance(resolution, (str, int, float)) and 4.0 * r > room * (1.0 + 1e-9):
        between = f"contact_distance {contact:g} and release_distance {release:g}"
        said = f"resolution {r:g} needs 4 times itself between {between}"
        raise ValueError(f"{said}; give larger distances")
    return Ends(contact, release, min(r, room / 4.0))


def resolutions(bodies: Sequence[Body], given: Resolution) -> tuple[float, ...]:
    """Return how far at most each vertex of each body is off, as they are placed now.

    Parameters: ``given``: a length; "float32": the precision of the positions that are
    there now; None: what the bodies know of theirs; or a length for each of them.
    Nothing is returned where all are 0.

    Raises ValueError or TypeError for what is none of these.
    """
    if isinstance(given, str) and given != "float32":
        raise ValueError(f"resolution={given!r} is no length, 'float32' or None")
    if given is None:
        known = [body.resolution and body.resolution * stretch(body) for body in bodies]
    elif isinstance(given, str):
        known = [single_rounding(body.positions) * stretch(body) for body in bodies]
    else:
        each = given if isinstance(given, (tuple, list)) else [given] * len(bodies)
        if (n := len(each)) not in (0, len(bodies)):
            raise ValueError(f"resolution has {n} lengths of {len(bodies)} bodies")
        known = [check_length("resolution", value) for value in each]
    return tuple(known) if any(known) else ()


def stretch(body: Body) -> float:
    """Return how much its map lengthens at most; exactly that if axes stay square."""
    m = body.transform[:, :3]
    products = np.abs((m[:, :, None] * m[:, None]).sum(axis=0))  # of its columns
    return float(np.sqrt(products.sum(axis=0).max()))


def next_regime(
    before: str, numbers: Numbers, ends: Ends, *, dented: bool = False
) -> str:
    """Return the regime that follows, with hysteresis.

    The rule is ``sim.kernels.trajectory.regime_after``.
    """
    told = numbers.distance, numbers.size, ends, dented
    return REGIMES[regime_after(REGIMES.index(before), *told)]


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
