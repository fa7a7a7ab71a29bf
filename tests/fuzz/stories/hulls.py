"""What the convex hulls of two surfaces say about their overlap, by Qhull."""

import numpy as np

from stories.brute import Solid, corners_of

CONVEX = 1e-9  # per unit of size: a dent up to here is none, by contract
ALIKE = 1e-11  # per unit of size: what Qhull may be off


def hull_depth(a: Solid, b: Solid) -> float:
    """Return the least translation that separates the hulls, by Qhull."""
    from scipy.spatial import ConvexHull

    hulls = [x.points[ConvexHull(x.points).vertices] for x in (a, b)]
    difference = (hulls[1][:, None] - hulls[0][None]).reshape(-1, 3)
    return float((-ConvexHull(difference).equations[:, 3]).min())


def sag(solid: Solid) -> float:
    """Return how far a surface lies below its hull, at the deepest that is looked at.

    That is at vertices, at the middles of edges and of triangles: of a body that is
    convex to rounding all of them lie on the hull.  A flat body has no hull: infinite.
    """
    from scipy.spatial import ConvexHull, QhullError

    try:
        planes = ConvexHull(solid.points).equations
    except QhullError:
        return np.inf
    corners = np.stack(corners_of(solid))
    ends = solid.points[solid.segments]
    tried = np.concatenate([solid.points, ends.mean(axis=1), corners.mean(axis=0)])
    under = -(tried @ planes[:, :3].T + planes[:, 3])
    return float(under.min(axis=1).max())


def counts_as_convex(solid: Solid) -> bool | None:
    """Say whether an overlap with a body is one of its hull; None near the limit.

    The contract measures dents edge by edge: the sag of a body may be the sum of all
    of them, so between one and all of them either answer is one.
    """
    wide = 0.5 * float(np.ptp(solid.points, axis=0).max())
    below = sag(solid)
    if below <= ALIKE * wide:
        return True
    return None if below <= CONVEX * wide * len(solid.segments) else False
