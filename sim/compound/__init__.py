"""Bodies that are given as convex pieces, or cut into them, tracked piece by piece."""

import numpy as np

from sim.compound.body import Compound
from sim.compound.state import CompoundState, Near
from sim.compound.tracker import CompoundTracker
from wingedge import MeshError, WingedEdgeMesh, convex_hull


def decompose(
    mesh: WingedEdgeMesh,
    *,
    threshold: float = 0.05,
    max_pieces: int | None = None,
    seed: int = 0,
) -> list[WingedEdgeMesh]:
    """Cut a closed body into convex pieces that approximate it.

    Returns: convex hulls, in CoACD's order.  Their union is near the body, not the
    same: it may leave out or add up to about the threshold.

    Raises ImportError without CoACD: install ``wingedge[decompose]``; MeshError if
    CoACD returns no piece with a volume.

    Seconds to minutes.  Wei et al. (2022), "Approximate Convex Decomposition for 3D
    Meshes with Collision-Aware Concavity and Tree Search",
    DOI 10.1145/3528223.3530103.

    Parameters
    ----------
    mesh : WingedEdgeMesh
        Closed; its polygons are the fans from their first corners.
    threshold : float
        How much concavity may be left in a piece, 0.01 (many pieces, near) to 1 (few),
        relative to the body's size.
    max_pieces : int, optional
        At most so many, by joining the ones that fit best; no limit if left out.
    seed : int
        Of the search for cuts; the same seed gives the same pieces on one machine with
        one version of CoACD.
    """
    if not isinstance(mesh, WingedEdgeMesh):
        raise TypeError(
            f"decompose needs a WingedEdgeMesh, got {type(mesh).__name__}; read one "
            f"with wingedge.read"
        )
    if not 0.01 <= threshold <= 1.0:
        raise ValueError(f"threshold={threshold!r} must lie in [0.01, 1]")
    if max_pieces is not None and max_pieces < 1:
        raise ValueError(f"max_pieces={max_pieces!r} must be 1 or more")
    try:
        import coacd
    except ImportError:
        raise ImportError(
            "decompose needs CoACD; run \"pip install 'wingedge[decompose]'\", or read "
            "pieces that you have with wingedge.read_pieces"
        ) from None
    coacd.set_log_level("error")
    # about its centre, at size 1: CoACD's own tolerances are absolute
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    middle, size = (low + high) / 2.0, float((high - low).max())
    found = coacd.run_coacd(
        coacd.Mesh((mesh.points - middle) / size, mesh.fan.vertex),
        threshold=threshold,
        max_convex_hull=-1 if max_pieces is None else max_pieces,
        preprocess_mode="auto",
        seed=seed,
    )
    pieces = []
    for points, _ in found:
        try:
            pieces.append(convex_hull(np.asarray(points) * size + middle))
        except MeshError:
            continue  # flat: adds nothing to the union
    if not pieces:
        raise MeshError(
            f"CoACD found no piece with a volume in {mesh}; check the body with "
            f"wingedge.validate"
        )
    return pieces


__all__ = ["Compound", "CompoundState", "CompoundTracker", "Near", "decompose"]
