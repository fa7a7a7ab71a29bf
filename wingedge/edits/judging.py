"""Whether an edit may stand: by the rest positions, in the numbers before it."""

import operator
from collections.abc import Iterable

from wingedge.check import check_positions
from wingedge.edits.draft import Draft, Edit
from wingedge.edits.maps import KINDS, Maps
from wingedge.errors import MeshError
from wingedge.faces import Surface, check_convex_faces, check_planar, check_zero_area
from wingedge.features import Feature
from wingedge.positions import check_coincident, extent

MANIFOLD = "two faces per edge"  # the invariant that most refusals would break


def same_surface(draft: Draft, trouble: str, advice: str) -> Edit:
    """Finish an edit that leaves the surface as it is: nothing new can touch."""
    edit = draft.finish()
    mesh = edit.mesh
    about = extent(mesh.points)
    planar = mesh.planar_tolerance * about.size + about.noise
    local = mesh.points - about.centre
    surface = Surface(mesh, mesh.points, local, about, planar)
    try:
        check_coincident(mesh.points)
        check_zero_area(surface)
        check_convex_faces(surface)
        check_planar(surface)
    except MeshError as error:
        raise _in_old_numbers(error, edit, trouble, advice) from None
    return edit


def new_surface(draft: Draft, trouble: str, advice: str) -> Edit:
    """Finish an edit that changes the shape: everything is checked."""
    edit = draft.finish()
    try:
        check_positions(edit.mesh, edit.mesh.points)
    except MeshError as error:
        raise _in_old_numbers(error, edit, trouble, advice) from None
    return edit


def _in_old_numbers(
    error: MeshError, edit: Edit, trouble: str, advice: str
) -> MeshError:
    """Say which invariant an edit would break, in the numbers of the mesh given."""
    where, old = "", None
    if error.element is not None:
        kind, number = error.element
        old = _parent(edit.maps, kind, number)
        where = f" at {old.kind} {old.index}"
    return MeshError(
        f"{trouble}: that would break {error.invariant!r}{where}; {advice}",
        error.invariant,
        old,
    )


def _parent(maps: Maps, kind: str, number: int) -> Feature:
    """Name the old element that a new one came from."""
    blend, edge, face = maps.parents
    if kind == "vertex":
        return Feature(kind, int(blend.vertex[blend.start[number]]))
    if kind == "face":
        return Feature(kind, int(face[number]))
    dimension, old = edge[number].tolist()
    return Feature(KINDS[dimension], old)


def element(value: int, kind: str, n: int) -> int:
    """Return the number of an element.

    Raises
    ------
    TypeError, IndexError
        If it is no whole number, or there is no such element.
    """
    number = operator.index(value)
    if not 0 <= number < n:
        raise IndexError(f"there is no {kind} {number}; they are numbered 0 to {n - 1}")
    return number


def listed(numbers: Iterable[int]) -> str:
    """Write numbers as in a sentence."""
    *head, last = [str(int(i)) for i in numbers]
    return f"{', '.join(head)} and {last}" if head else last
