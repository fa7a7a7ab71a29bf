"""Regimes: at which distances contact begins and ends, and which regime follows."""

from typing import Protocol

import numpy as np

from sim.kernels.frames import regime_after
from sim.result.answer import Numbers, Source
from wingedge.mesh import WingedEdgeMesh

REGIMES = ("separated", "contact", "penetrating")  # as the kernels number them


class AtRest(Protocol):
    """What has a rest size: a body, with pieces or without."""

    @property
    def mesh(self) -> WingedEdgeMesh:
        """Topology and rest positions."""


def thresholds(
    a: AtRest, b: AtRest, contact: float | None, release: float | None
) -> tuple[float, float]:
    """Return the distances at which contact begins and ends.

    Left out: 1e-3 of the rest size of the smaller body, and twice that.

    Raises
    ------
    ValueError
        If one is not a finite length, or contact would end before it begins.
    """
    if contact is None:
        contact = 1e-3 * min(rest_size(a), rest_size(b))
    return band(contact, release)


def band(contact: float, release: float | None) -> tuple[float, float]:
    """Return the distances at which contact begins and ends, once they are checked.

    Left out, contact ends at twice the distance at which it begins.

    Raises
    ------
    ValueError
        If one is not a finite length, or contact would end before it begins.
    """
    contact = _length("contact_distance", contact)
    if release is None:
        release = 2.0 * contact
    release = _length("release_distance", release)
    if release < contact:
        raise ValueError(
            f"release_distance {release:g} is below contact_distance "
            f"{contact:g}; contact would begin and end in one frame"
        )
    return contact, release


def next_regime(
    before: str, numbers: Numbers | Source, contact: float, release: float
) -> str:
    """Return the regime that follows, with hysteresis.

    The rule is ``sim.kernels.frames.regime_after``.
    """
    if numbers.distance > release:
        return REGIMES[0]  # nearly always
    code = regime_after(
        REGIMES.index(before), numbers.distance, numbers.size, contact, release
    )
    return REGIMES[code]


def rest_size(body: AtRest) -> float:
    """Return the largest extent of a body at rest, in its own frame."""
    points = body.mesh.points
    return float((points.max(axis=0) - points.min(axis=0)).max())


def _length(name: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a length, got {value!r}") from None
    if not 0.0 <= number < np.inf:
        raise ValueError(f"{name}={value!r} must be a finite length, 0 or more")
    return number
