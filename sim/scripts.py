"""What a user hands to a world: scripts of bodies, and notes kept beside a run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.placed import Actor
from sim.body.pose import Pose
from wingedge.errors import ConvexityError, MeshError

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


def move(body: Actor, script: Motion, index: int, time: float) -> None:
    """Place a body where its motion says; TypeError if that is no pose."""
    pose = script(time)
    if not isinstance(pose, Pose):
        raise TypeError(
            f"body '{body.name}', frame {index}: motion returned "
            f"{type(pose).__name__}; it must return a sim.Pose"
        )
    body.pose = pose


def deform_body(body: Actor, script: Deformer, index: int, time: float) -> None:
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


Note = str | int | float | bool
Notes = Mapping[str, Note]
NO_NOTES: Notes = MappingProxyType({})


def check_notes(notes: Notes) -> dict[str, Note]:
    """Return notes as they will be read back.

    Raises TypeError if one is no text or number; names it.
    """
    if not isinstance(notes, Mapping):
        raise TypeError(
            f"notes are {type(notes).__name__}; give a mapping, as in "
            "notes={'seed': 7, 'script': 'press.py'}"
        )
    for name, value in notes.items():
        if not isinstance(name, str) or not isinstance(value, Note):
            raise TypeError(
                f"notes[{name!r}] is {type(value).__name__}; a recording keeps text "
                "and numbers under names, as in notes={'seed': 7}"
            )
    return dict(notes)
