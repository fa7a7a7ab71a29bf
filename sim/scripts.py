"""Scripts of bodies: what a motion and a deformation are, and what they must return."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.compound import Compound
from wingedge import ConvexityError, MeshError

Motion = Callable[[float], Pose]
Deformer = Callable[[NDArray[np.float64], float], ArrayLike]
Script = TypeVar("Script", Motion, Deformer)


def check_script(
    what: str, script: Mapping[str, Script], names: list[str]
) -> dict[str, Script]:
    """Return a copy; refuse what is for no body, or is no function."""
    if not isinstance(script, Mapping):
        raise TypeError(
            f"{what} is {type(script).__name__}; give functions by body name, as in "
            f"{what}={{'jelly': f}}"
        )
    for name, function in script.items():
        if name not in names:
            raise ValueError(
                f"{what} is given for {name!r}, but there is no such body; there are "
                f"{', '.join(names)}"
            )
        if not callable(function):
            raise TypeError(
                f"{what}[{name!r}] is {type(function).__name__}; it must be a function"
            )
    return dict(script)


def move(body: Body | Compound, script: Motion, index: int, time: float) -> None:
    """Place a body where its motion says; TypeError if that is no pose."""
    pose = script(time)
    if not isinstance(pose, Pose):
        raise TypeError(
            f"body '{body.name}', frame {index}: motion returned "
            f"{type(pose).__name__}; it must return a sim.Pose"
        )
    body.pose = pose


def deform_body(
    body: Body | Compound, script: Deformer, index: int, time: float
) -> None:
    """Give a body the positions of its script; name body and frame if it refuses."""
    points = script(body.mesh.points, time)
    try:
        if isinstance(body, Body):
            body.take(np.asarray(points), index)
        else:
            body.points = np.asarray(points)
    except ConvexityError:
        raise
    except (TypeError, ValueError) as error:
        # the body says what is wrong and where; who and when belong in front
        kind = next(
            k for k in (MeshError, ValueError, TypeError) if isinstance(error, k)
        )
        said = str(error).removeprefix(f"body '{body.name}'")
        said = said.removeprefix(f", frame {index}").removeprefix(": ")
        raise kind(
            f"body '{body.name}', frame {index}: deform returned positions that "
            f"cannot be used: {said}"
        ) from None
