"""What is level by its definition: an oracle for parts and patch of an answer."""

import numpy as np
from numpy.typing import NDArray

from sim import Body, PairState
from stories.notched import off_parts
from wingedge import Feature, WingedEdgeMesh
from wingedge.mesh import corners_of, triangles_of

Array = NDArray[np.float64]
EPS = float(np.finfo(float).eps)


def fault_of_parts(state: PairState, tolerance: float = 1e-12) -> str:
    """Say what is wrong with the parts of an answer; nothing where rounding decides.

    The vertices level with the parts are flooded over the edges, and what they span
    must be the parts. Not said of bodies that stand for their hulls, that have
    collapsed or that overlap without being convex: there the nearest is named.
    """
    for body, parts, point, way in (
        (state.a, state.parts_a, state.point_a, state.normal),
        (state.b, state.parts_b, state.point_b, -state.normal),
    ):
        dented = state.distance < 0.0 and not body.is_convex()
        if body.convexity == "hull" or body.volume_sign() == 0 or dented:
            return ""
        fault = _fault(
            state, body, parts, point - state.a.transform[:, 3], way, tolerance
        )
        if fault:
            return f"{body.name}: {fault}"
    return ""


def fault_of_patch(state: PairState) -> str:
    """Say what is wrong with the patch of two areas: a corner, or what it leaves out.

    It is the hull of what lies in both parts, seen along the normal, at those of A.
    """
    patch, n = state.patch, state.normal
    far = np.abs([state.a.transform[:, 3], state.b.transform[:, 3]]).max()
    slack = 1e-9 * state.size + 1e-14 * far
    if state.kind != "FF" or len(patch) < 3:
        return ""
    for corner in patch:
        off = off_parts(state.a, state.parts_a, corner)
        if max(off, off_parts(state.b, state.parts_b, corner + state.distance * n)) > (
            2.0 * slack
        ):
            return f"a corner of the patch is off a part: {corner}"
    x = state.a.positions @ state.a.transform[:, :3].T + state.a.transform[:, 3]
    corners = x[[t for part in state.parts_a for t in triangles_of(state.mesh_a, part)]]
    share = np.random.default_rng(len(x)).dirichlet([0.5, 0.5, 0.5], (4, len(corners)))
    sides = np.roll(patch, -1, axis=0) - patch
    for spot in np.einsum("ktc,tcd->ktd", share, corners).reshape(-1, 3):
        if off_parts(state.b, state.parts_b, spot + state.distance * n) <= slack:
            inward = np.cross(n, sides)
            within = ((spot - patch) * inward).sum(axis=1)
            if (within < -slack * np.linalg.norm(sides, axis=1)).any():
                return f"the patch leaves out {spot}"
    return ""


def _fault(
    state: PairState,
    body: Body,
    parts: tuple[Feature, ...],
    point: Array,
    way: Array,
    tolerance: float,
) -> str:
    mesh, tolerance = body.mesh, tolerance * state.size
    shift = body.transform[:, 3] - state.a.transform[:, 3]
    x = body.positions @ body.transform[:, :3].T + shift
    members = np.unique(np.concatenate([corners_of(mesh, part) for part in parts]))
    high = x @ way
    high -= high[members[np.abs(high[members] - point @ way).argmin()]]
    # A normal of points is blurred, the more the farther from them.
    blur = 0.0 if "F" in state.kind else EPS * state.size / max(state.distance, 1e-300)
    arm = np.linalg.norm(x - point, axis=1)
    wide = 2.5 * tolerance + 1e-13 * state.size + 16.0 * blur * arm
    surely, maybe = np.abs(high) <= 0.5 * tolerance, np.abs(high) <= wide
    if not maybe[members].all():
        return "a vertex of the parts is off their level"
    found = _flood(mesh, members[:1], maybe)
    if not set(members.tolist()) <= found:
        return "the parts do not hang together"
    if found != _flood(mesh, members[:1], surely) or len(found) == len(x):
        return ""
    kind, numbers = _spanned(mesh, found)
    told = parts[0].kind, [part.index for part in parts]
    return "" if told == (kind, numbers) else f"{kind} {numbers} are level, not {told}"


def _flood(mesh: WingedEdgeMesh, seeds: Array, among: NDArray[np.bool_]) -> set[int]:
    start, star = mesh.star.start, mesh.star.vertex
    found = set(seeds.tolist())
    todo = list(found)
    while todo:
        v = todo.pop()
        new = {w for w in star[start[v] : start[v + 1]].tolist() if among[w]} - found
        found |= new
        todo += new
    return found


def _spanned(mesh: WingedEdgeMesh, ids: set[int]) -> tuple[str, list[int]]:
    for kind, count in (("face", mesh.n_faces), ("edge", mesh.n_edges)):
        whole = [
            k
            for k in range(count)
            if ids.issuperset(corners_of(mesh, Feature(kind, k)))
        ]
        if whole:
            return kind, whole
    return "vertex", sorted(ids)
