"""What a user hands to a world: scripts of bodies, and notes kept beside a run."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from operator import attrgetter, is_
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.events.touch import split_name
from wingedge.errors import ConvexityError, MeshError
from wingedge.features import is_name

TRANSFORM = attrgetter("transform")
Motion = Callable[[float], Pose]
Deformer = Callable[[NDArray[np.float64], float], ArrayLike]
Script = TypeVar("Script", Motion, Deformer)
STILL: Mapping[str, Motion] = MappingProxyType({})
STIFF: Mapping[str, Deformer] = MappingProxyType({})


class Law(Protocol):
    """What moves bodies in answer to contact."""

    def advance(
        self, bodies: Sequence[Body], frame: Any, dt: float
    ) -> Mapping[str, Pose | ArrayLike]:
        """Return where bodies are in the next frame: poses, or positions, (V, 3).

        Parameters: ``bodies``: those of the world, in its order and by name,
        ``bodies["jelly"]``; ``frame``: the last Frame, None before the first; ``dt``:
        the time from it to the next.
        """

    def state(self) -> Mapping[str, ArrayLike]:
        """Return all that it remembers, as arrays of numbers."""

    def restore(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from what `state` returned after an earlier frame."""


def check_law(law: Law | None) -> str:
    """Return of which class a law is; refuse what is none."""
    if isinstance(law, type):
        raise TypeError(f"law is the class {law.__name__}; make one: {law.__name__}()")
    for name in ("advance", "state", "restore"):
        if law is not None and not callable(getattr(law, name, None)):
            raise TypeError(
                f"law is {type(law).__name__} without {name}(); a law has "
                "advance(bodies, frame, dt), state() and restore(arrays)"
            )
    return "" if law is None else type(law).__name__


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


@contextmanager
def _noting(what: str, body: Body, index: int, time: float) -> Iterator[None]:
    """Add a note to whatever a script raises: whose it is, and when."""
    try:
        yield
    except Exception as error:
        error.add_note(
            f"raised by {what}[{body.name!r}] for frame {index}, time {time:g}"
        )
        raise


def _said(returned: object) -> str:
    missing = " (is its 'return' missing?)" if returned is None else ""
    return type(returned).__name__ + missing


def move(body: Body, script: Motion, index: int, time: float) -> None:
    """Place a body where its motion says; TypeError if that is no pose."""
    with _noting("motion", body, index, time):
        pose = script(time)
    if not isinstance(pose, Pose):
        raise TypeError(
            f"body '{body.name}', frame {index}: motion returned "
            f"{_said(pose)}; it must return a sim.Pose"
        )
    body.pose = pose


def deform_body(body: Body, script: Deformer, index: int, time: float) -> None:
    """Give a body the positions of its script; name body and frame if it refuses."""
    with _noting("deform", body, index, time):
        points = script(body.mesh.points, time)
    if points is None:
        raise TypeError(
            f"body '{body.name}', frame {index}: deform returned {_said(points)}; it "
            f"must return positions (V, 3)"
        )
    try:
        body.take(np.asarray(points), index)
    except ConvexityError:
        raise
    except (TypeError, ValueError) as error:
        # the body says what is wrong and where; who and when belong in front
        kinds = MeshError, ValueError, TypeError
        kind = next(k for k in kinds if isinstance(error, k))
        said = str(error).removeprefix(f"body '{body.name}'")
        said = said.removeprefix(f", frame {index}").removeprefix(": ")
        raise kind(
            f"body '{body.name}', frame {index}: deform returned positions that "
            f"cannot be used: {said}"
        ) from None


def check_bodies(bodies: Iterable[Body]) -> tuple[Body, ...]:
    """Return the bodies of a world; refuse what is none, and a name that two have."""
    if not isinstance(bodies, Iterable):
        raise TypeError(
            f"a world needs a list of bodies, got {type(bodies).__name__}; write "
            f"World([body, ...])"
        )
    checked = tuple(bodies)
    seen: set[str] = set()
    for body in checked:
        if not isinstance(body, Body):
            raise TypeError(
                f"a world needs sim.Body, got {type(body).__name__}; make one with "
                f"Body(mesh, name=...)"
            )
        name = body.name
        if name in seen:
            raise ValueError(
                f"two bodies are called {name!r}; give each its own name, as in "
                f"Body(mesh, name='jelly')"
            )
        if not is_name(name):
            raise ValueError(
                f"a body in a world cannot be called {name!r}: events are written as "
                f"'1 begin a/b VF v0 f0', so '/', '->' and line ends are taken"
            )
        seen.add(name)
    for body, part in ((b, part) for b in checked for part in b.mesh.part_names):
        if split_name(text := f"{body.name}.{part}", seen) != (body.name, part):
            raise ValueError(
                f"{text!r} is a part of {body.name!r} and a body, or part of another "
                "one; give it another name"
            )
    return checked


def refuse_others(bodies: Sequence[Body], rows: Sequence[object]) -> None:
    """Raise ValueError for a body that another world has taken over."""
    if not all(map(is_, map(TRANSFORM, bodies), rows)):
        for body, row in zip(bodies, rows, strict=True):
            if body.transform is not row:
                raise ValueError(
                    f"body '{body.name}' was given to another world since; step "
                    f"that one, or make this one anew"
                )


def check_names(ignore: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return pairs of names; ``ValueError`` for what is none."""
    pairs = []
    for pair in ignore:
        if not isinstance(pair, Sized) or isinstance(pair, str) or len(pair) != 2:
            raise ValueError(
                f"ignore={pair!r} is no pair of names; write it as [('jelly', 'table')]"
            )
        a, b = pair
        if a == b:
            raise ValueError(f"ignore={pair!r} is a pair of one body; name two")
        pairs.append((a, b))
    return tuple(pairs)


def play(
    body: Body, script: tuple[Motion | None, Deformer | None], index: int, time: float
) -> None:
    """Deform and move a body to where its scripts have it at a time."""
    motion, deform = script
    if deform is not None:
        deform_body(body, deform, index, time)
    if motion is not None:
        move(body, motion, index, time)


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
