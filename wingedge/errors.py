"""Define the errors of meshes.

```
ValueError
    MeshError            the mesh breaks an invariant; says which, where, what to do
        ConvexityError   a body that must be convex is not
```
"""

from typing import Self

from wingedge.features import Feature


class MeshError(ValueError):
    """Say which invariant a mesh breaks, at which element, and what to do.

    Parameters: ``message``: one sentence for the user: what, where, what to do;
    ``invariant``: name of the broken invariant, one of ``wingedge.check.INVARIANTS``;
    empty when the trouble is not one of them (a file that cannot be read); ``element``:
    the offending vertex, edge or face, in the numbering of the input.
    """

    def __init__(
        self, message: str, invariant: str = "", element: Feature | None = None
    ) -> None:
        super().__init__(message)
        self.invariant = invariant
        self.element = element

    def reworded(self, message: str, element: Feature | None = None) -> Self:
        """Return the same error in another sentence, of another element if given."""
        return type(self)(message, self.invariant, element or self.element)


class ConvexityError(MeshError):
    """Say by how much, and where, a body that must be convex is not.

    Attributes
    ----------
    edge : int
        The edge with the deepest dent.
    depth : float
        How far the surface there stands in [length unit of the input]; see
        ``wingedge.convexity``.
    body : str
        Name of the body.
    frame : int or None
        The frame in which it was found, None at construction.
    """

    edge: int = -1
    depth: float = float("nan")
    body: str = ""
    frame: int | None = None

    @classmethod
    def at(
        cls,
        edge: int,
        depth: float,
        *,
        body: str = "body",
        frame: int | None = None,
        why: str = "",
    ) -> Self:
        """Build the error with the sentence that names edge, depth, body and frame.

        ``why`` says what is wrong where it is no dent at an edge.
        """
        when = "" if frame is None else f" in frame {frame}"
        why = why or f"edge {edge} is dented by {depth:.6g}"
        error = cls(
            f"body {body!r} is not convex{when}: {why}; "
            'use convexity="surface", or give a convex body',
            "convex body",
            Feature("edge", edge),
        )
        error.edge, error.depth, error.body, error.frame = edge, depth, body, frame
        return error
