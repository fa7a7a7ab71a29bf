"""What a run of `sim.laws.Affine` should conserve, or lose: measured by plain sums."""

import numpy as np

from sim.laws.contacts import barrier, cross, dot, mollifier, near_contacts
from sim.laws.shapes import Bulk


def momentum(law):
    """Of all bodies together, (3,)."""
    v, mass = law.state()["velocity"], _bulk(law).mass
    return (v @ mass)[:, :, 3].sum(axis=0)


def energy(law, q):
    """Of the bodies that are free: kinetic, elastic, potential; and of the barrier."""
    bulk, v, a, free = _bulk(law), law.state()["velocity"], q[:, :, :3], law._free
    strain = a.transpose(0, 2, 1) @ a - np.eye(3)
    centres = (a @ bulk.centre[:, :, None])[:, :, 0] + q[:, :, 3]
    each = 0.5 * (v * (v @ bulk.mass)).sum(axis=(1, 2))
    each += bulk.elastic * (strain * strain).sum(axis=(1, 2))
    each -= bulk.mass[:, 3, 3] * (centres @ law._gravity)
    return float(each[free].sum() + _barrier(law, q))


def _bulk(law):
    return Bulk(law._bodies, law._options["density"], law._options["kappa"])


def _barrier(law, q):
    found = near_contacts(law._tables, q, law._parts, law._reach)
    weight, (e, g) = np.ones(len(found.a)), found.edges
    ends = (law._tables.points[law._tables.ends[k]] for k in (e, g))
    own = [x[:, 1] - x[:, 0] for x in ends]
    first = len(weight) - len(e)
    turned = [
        np.einsum("nij,nj->ni", q[k[first:], :, :3], x)
        for k, x in zip((found.a, found.b), own, strict=True)
    ]
    square = cross(*turned)
    scale = 1e-3 * dot(own[0], own[0]) * dot(own[1], own[1])
    weight[first:] = mollifier(dot(square, square), scale)[0]
    stiffness = np.minimum(law._barrier[found.a], law._barrier[found.b])
    return (stiffness * weight * barrier(found.distance, law._reach)[0]).sum()
