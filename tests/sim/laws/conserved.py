"""What a run of `sim.laws.Affine` should conserve, or lose: measured by plain sums."""

import numpy as np

from sim.laws.contacts import barrier


def momentum(law):
    """Of all bodies together, (3,)."""
    return (law.state()["velocity"] @ law._masses.mass)[:, :, 3].sum(axis=0)


def energy(law, q):
    """Of the bodies that are free: kinetic, elastic, potential; and of the barrier."""
    masses, v, a, free = law._masses, law.state()["velocity"], q[:, :, :3], law._free
    strain = a.transpose(0, 2, 1) @ a - np.eye(3)
    centres = (a @ masses.centre[:, :, None])[:, :, 0] + q[:, :, 3]
    each = 0.5 * (v * (v @ masses.mass)).sum(axis=(1, 2))
    each += masses.elastic * (strain * strain).sum(axis=(1, 2))
    each -= masses.mass[:, 3, 3] * (centres @ law._gravity)
    found, _, force = law._repulsion.at(q)
    value, slope, _ = barrier(found.distance, law._reach)
    return float(each[free].sum() - (force * value / slope).sum())
