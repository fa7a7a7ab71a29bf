"""What a tracker may be asked to do: its options, checked before anything is built."""

from typing import Any, Self, cast

from sim.body.body import Body

STRATEGIES = ("certified", "paper")


class Chosen:
    """Make another tracker, one of hulls, where a body stands for its hull."""

    def __new__(cls, a: Body, b: Body, **options: Any) -> Self:
        """Make an empty tracker of the kind that the pair needs."""
        from sim.tracking.hulled import HullTracker

        hulls = any(isinstance(c, Body) and c.convexity == "hull" for c in (a, b))
        made: object = object.__new__(HullTracker if hulls else cls)
        return cast("Self", made)


def check_bodies(a: object, b: object) -> None:
    """Refuse what is not a pair of two bodies.

    Raises
    ------
    TypeError
        If one is no ``sim.Body``.
    ValueError
        If both are the same one.
    """
    for body in (a, b):
        if not isinstance(body, Body):
            hint = "; sim.compound.CompoundTracker takes compounds too, with regions"
            raise TypeError(
                f"a tracker needs two sim.Body, got {type(body).__name__}"
                f"{hint if hasattr(body, 'pieces') else ''}"
            )
        if a is b:
            raise ValueError(f"body '{body.name}' cannot be tracked against itself")


def refuse_hulls(*bodies: object) -> None:
    """Refuse to find regions where a body stands for its hull.

    Its lids are no faces of the body, and another set of them in every other frame:
    nothing could be called by their numbers.

    Raises
    ------
    ValueError
        If one of the bodies was made with ``convexity="hull"``.
    """
    for body in bodies:
        if isinstance(body, Body) and body.convexity == "hull":
            raise ValueError(
                f"body '{body.name}' stands for its convex hull, and regions are those "
                f"of true surfaces; leave out regions=True, or make it with "
                f"convexity='surface' (its hull as a body: Body(body.cover().mesh()))"
            )


def check_options(
    parallel_tolerance: float,
    strategy: str,
    paper: tuple[int | None, bool, bool, bool],
) -> None:
    """Refuse options that no tracker knows; ``paper`` are those of the paper's search.

    Raises
    ------
    ValueError
        If one is out of its range, or belongs to the other strategy.
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"strategy={strategy!r} is not one of {', '.join(STRATEGIES)}")
    if not 0.0 <= parallel_tolerance <= 1e-3:
        raise ValueError(
            f"parallel_tolerance={parallel_tolerance!r} must lie in [0, 1e-3]"
        )
    search_range, *others = paper
    if strategy != "paper" and (search_range is not None or any(others)):
        raise ValueError(
            "search_range, vertex_rule, repeat and voronoi are options of "
            "strategy='paper'; the certified strategy has no search range to choose"
        )
