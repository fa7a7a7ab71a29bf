"""What bodies are made of: mass and elastic energy, and their derivatives by maps."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.laws.shapes import mass_matrix, times

Array = NDArray[np.float64]
Vectors = Mapping[str, tuple[float, float, float]]


class Bulk:
    """Mass and stiffness of bodies that move by affine maps.

    Attributes
    ----------
    mass : (B, 4, 4)
        Of each, as ``mass_matrix`` gives it.
    centre : (B, 3)
        Centres of mass, body frame.
    elastic : (B,)
        Stiffness times volume: the energy is ``elastic |A'A - I|^2``.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        density: float | Mapping[str, float],
        kappa: float | Mapping[str, float],
    ) -> None:
        found = [
            mass_matrix(body, _of("density", density, body.name)) for body in bodies
        ]
        self.mass = np.array([mass for mass, _, _ in found])
        self.centre = np.array([centre for _, centre, _ in found])
        own = [
            _of("kappa", kappa, b.name) * f[2]
            for b, f in zip(bodies, found, strict=True)
        ]
        self.elastic = np.array(own)

    def speeds(self, bodies: Sequence[Body], velocity: Vectors, spin: Vectors) -> Array:
        """Return how fast maps change, (B, 3, 4): velocities of centres, and spins."""
        found = np.zeros((len(bodies), 3, 4))
        for v, body, centre in zip(found, bodies, self.centre, strict=True):
            x, y, z = spin.get(body.name, (0.0, 0.0, 0.0))
            turn = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            v[:, :3] = times(turn, body.transform[:, :3])
            v[:, 3] = np.array(velocity.get(body.name, (0.0, 0.0, 0.0)))
            v[:, 3] -= times(v[:, :3], centre[:, None])[:, 0]
        return found

    def gradient(self, q: Array, aim: Array, dt: float) -> Array:
        """Return the derivatives, (B, 3, 4), of elastic energy and inertia.

        The latter draws maps to where they would go by themselves, ``aim``.
        """
        total = times(q - aim, self.mass) / (dt * dt)
        a = q[:, :, :3]
        strain = times(a.transpose(0, 2, 1), a) - np.eye(3)
        total[:, :, :3] += 4.0 * self.elastic[:, None, None] * times(a, strain)
        return total

    def curvature(self, q: Array, dt: float, *, full: bool) -> Array:
        """Return the second derivatives by each body's own map, (B, 12, 12).

        Of inertia and elastic energy; not ``full``: only parts that are positive.
        """
        a = q[:, :, :3]
        count = len(q)
        one = np.eye(3)
        h = np.zeros((count, 3, 4, 3, 4))
        mass = self.mass / (dt * dt)
        for i in range(3):
            h[:, i, :, i, :] = mass
        # dA -> A (A' dA + dA' A), and dA (A'A - I)
        aa = times(a, a.transpose(0, 2, 1))
        part = aa[:, :, None, :, None] * one[None, None, :, None, :]
        part = part + a[:, :, None, None, :] * a.transpose(0, 2, 1)[:, None, :, :, None]
        if full:
            strain = times(a.transpose(0, 2, 1), a) - one
            part = part + one[None, :, None, :, None] * strain[:, None, :, None, :]
        h[:, :, :3, :, :3] += 4.0 * self.elastic[:, None, None, None, None] * part
        return h.reshape(count, 12, 12)


NAMING = ("density", "kappa", "fixed", "velocity", "spin", "ignore")


def check_known(options: Mapping[str, Any], names: Collection[str]) -> None:
    """Raise ValueError for an option that names a body which is not there."""
    for what in NAMING:
        told = options[what]
        for name in told if isinstance(told, Collection) else ():
            if name not in names:
                known = ", ".join(names)
                raise ValueError(f"{what}: no body {name!r}; there are {known}")


def _of(what: str, value: float | Mapping[str, float], name: str) -> float:
    """Return what is said for a body."""
    if isinstance(value, Mapping) and name not in value:
        raise ValueError(f"{what}: give one of body '{name}', too")
    found = float(value[name] if isinstance(value, Mapping) else value)
    if not 0.0 < found < np.inf:
        raise ValueError(f"{what} of body '{name}' is {found!r}; it must be above 0")
    return found
