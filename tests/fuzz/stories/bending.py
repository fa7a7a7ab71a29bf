"""Deformations that are not affine: functions of rest positions and an amount.

Each is drawn for one body from a generator; 0 leaves the body as it is, 1 is as much
as still leaves most surfaces free of crossing themselves.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wingedge import WingedEdgeMesh

Array = NDArray[np.float64]
Rng = np.random.Generator
Bend = Callable[[float], Array]  # amount -> positions (V, 3)


def rigid(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    """Leave it as it is: exactly parallel faces stay so."""
    return lambda amount: mesh.points.copy()


def taper(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    u, (i, j) = _along(rng, mesh)
    most = float(rng.uniform(0.2, 0.8))

    def bent(amount: float) -> Array:
        x = mesh.points.copy()
        x[:, [i, j]] *= (1.0 - most * amount * (0.5 + 0.5 * u))[:, None]
        return x

    return bent


def twist(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    u, (i, j) = _along(rng, mesh)
    most = float(rng.uniform(-1.2, 1.2))

    def bent(amount: float) -> Array:
        c, s = np.cos(most * amount * u), np.sin(most * amount * u)
        x = mesh.points.copy()
        x[:, i] = c * mesh.points[:, i] - s * mesh.points[:, j]
        x[:, j] = s * mesh.points[:, i] + c * mesh.points[:, j]
        return x

    return bent


def bend(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    k = int(np.ptp(mesh.points, axis=0).argmax())
    i = (k + int(rng.integers(1, 3))) % 3
    long = float(np.ptp(mesh.points[:, k]))
    wide = float(np.ptp(mesh.points[:, i]))
    most = min(1.5, 1.2 * long / max(wide, 1e-3 * long)) / long * rng.choice([-1, 1])

    def bent(amount: float) -> Array:
        if amount == 0.0:
            return mesh.points.copy()
        radius = 1.0 / (most * amount)
        x = mesh.points.copy()
        angle, off = mesh.points[:, k] / radius, radius - mesh.points[:, i]
        x[:, k], x[:, i] = off * np.sin(angle), radius - off * np.cos(angle)
        return x

    return bent


def noise(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    wide = _extent(mesh)
    waves = rng.normal(size=(4, 3)) * 3.0 / wide
    phase, way = rng.uniform(0.0, 6.28, 4), 0.03 * wide * rng.normal(size=(4, 3))
    return lambda amount: (
        mesh.points + amount * (np.sin(mesh.points @ waves.T + phase) @ way)
    )


def jitter(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    """Move every vertex on its own, by up to a tenth of its shortest edge."""
    tail, tip = (
        mesh.points[mesh.edge_vertices[:, 0]],
        mesh.points[mesh.edge_vertices[:, 1]],
    )
    length = np.linalg.norm(tip - tail, axis=1)
    shortest = np.full(mesh.n_vertices, np.inf)
    for end in range(2):
        np.minimum.at(shortest, mesh.edge_vertices[:, end], length)
    shortest = np.minimum(shortest, 0.5 * float(np.ptp(mesh.points, axis=0).min()))
    off = rng.uniform(-0.1, 0.1, (mesh.n_vertices, 3)) * shortest[:, None]
    return lambda amount: mesh.points + amount * off


def dent(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    middle = mesh.points.mean(axis=0)
    spot = mesh.points[rng.integers(mesh.n_vertices)]
    inward = middle - spot
    deep = float(rng.uniform(0.2, 0.6))
    near = ((mesh.points - spot) ** 2).sum(axis=1)
    near = near / max(float(inward @ inward), 1e-300) / rng.uniform(0.1, 0.6)
    return lambda amount: (
        mesh.points + (amount * deep) * np.exp(-near)[:, None] * inward
    )


def wave(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    u, (i, _) = _along(rng, mesh)
    high = float(rng.uniform(0.05, 0.15)) * _extent(mesh)
    often = float(rng.uniform(2.0, 6.0))

    def bent(amount: float) -> Array:
        x = mesh.points.copy()
        x[:, i] += amount * high * np.sin(often * u)
        return x

    return bent


def lattice(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    """Move the 27 control points of a lattice around it (free-form deformation)."""
    low, wide = mesh.points.min(axis=0), np.ptp(mesh.points, axis=0)
    t = (mesh.points - low) / wide
    weights = np.stack([(1 - t) ** 2, 2 * t * (1 - t), t**2])  # [control, V, axis]
    off = 0.15 * rng.normal(size=(3, 3, 3, 3)) * wide
    moved = np.einsum(
        "iv,jv,kv,ijkc->vc", weights[..., 0], weights[..., 1], weights[..., 2], off
    )
    return lambda amount: mesh.points + amount * moved


def swell(rng: Rng, mesh: WingedEdgeMesh) -> Bend:
    """Blow up or shrink each vertex from the middle: bumps all over."""
    middle = mesh.points.mean(axis=0)
    by = rng.choice([-0.3, 0.0, 0.3], mesh.n_vertices)
    return lambda amount: mesh.points + (amount * by)[:, None] * (mesh.points - middle)


BENDS: dict[str, Callable[[Rng, WingedEdgeMesh], Bend]] = {
    made.__name__: made
    for made in (rigid, taper, twist, bend, noise, jitter, dent, wave, lattice, swell)
}


def _along(rng: Rng, mesh: WingedEdgeMesh) -> tuple[Array, tuple[int, int]]:
    """Draw an axis; return where the vertices are along it, -1 to 1, and the others."""
    k = int(rng.integers(3))
    low, high = mesh.points[:, k].min(), mesh.points[:, k].max()
    u = 2.0 * (mesh.points[:, k] - low) / (high - low) - 1.0
    return u, ((k + 1) % 3, (k + 2) % 3)


def _extent(mesh: WingedEdgeMesh) -> float:
    return float(np.ptp(mesh.points, axis=0).max())
