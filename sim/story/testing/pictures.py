"""Pictures of the frame in which contacts are not as they should be."""

from dataclasses import replace
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from sim.events.event import Event
from sim.frame import Frame
from sim.result.answer import KINDS
from sim.result.answers import PairAnswers
from sim.result.state import PairState
from sim.story.comparing.histories import Side
from sim.story.story import Story
from wingedge.graph import corners_of

GROUP = "wingedge.views"
INSTALL = "pip install 'wingedge[viewer]'"
TOLD = "as the golden file tells it, on bodies as they are now"


def try_picture(
    frame: Frame | None, path: Path, group: str = GROUP, beside: Frame | None = None
) -> str:
    """Draw a frame into a file if anybody here can; return a sentence about it.

    A view is a function of a frame and a path that is registered in the entry-point
    group; the first by name draws.  Where it takes ``beside``, words and another frame,
    it draws that one at the left.  Whatever goes wrong is said, not raised: it must not
    hide the failure that the picture was to show.

    Parameters: ``beside``: the frame as a golden file tells it: see `as_told`.
    """
    from importlib.metadata import entry_points

    if frame is None:
        return "no picture: the positions of that frame are not known"
    views = sorted(entry_points(group=group), key=lambda view: view.name)
    if not views:
        return f"no picture: nobody here draws any; run: {INSTALL}"
    before, given = "", {}
    try:
        draw = views[0].load()
        if beside is not None and "beside" in signature(draw).parameters:
            before = f", left of it frame {beside.index} {TOLD}"
            given = {"beside": (TOLD, beside)}
        draw(frame, path, **given)
    except Exception as error:
        return f"no picture: {str(error) or type(error).__name__}"
    return f"picture of frame {frame.index}{before}: {path}"


def as_told(side: Side, event: Event | None, told: Story) -> Frame | None:
    """Return the frame of an event as a golden file tells it; None where it cannot be.

    Features, distance, normal and point are those of the file.  It has no positions:
    bodies stand where they are now, and where the closest point is not unique, or not
    told, the middle of the feature of A stands for it.
    """
    touch = None if event is None else event.after or event.before
    frame = None if event is None else side.frame(event.frame)
    if event is None or touch is None or frame is None:
        return None
    a, b, whose = touch.feature_a, touch.feature_b, (event.frame, event.a, event.b)
    row = next((row for row in told.numbers if row.key == whose), None)
    try:
        now, body = frame.pair(event.a, event.b), frame.body(event.a)
        corners = corners_of(body.mesh, a)
        corners_of(now.mesh_b, b)  # whether there is such a feature now
        if row is None or "lid" in (a.kind, b.kind):
            return None
    except (KeyError, IndexError):
        return None
    normal = np.array(row.normal or now.normal)
    point = np.array(row.point or body.world_points()[corners].mean(axis=0))
    numbers = now.numbers._replace(
        distance=row.distance,
        lower=-np.inf,  # no file has bounds
        upper=np.inf,
        size=row.size,
        normal=tuple(normal.tolist()),
        point_a=tuple(point.tolist()),
        point_b=tuple((point + row.distance * normal).tolist()),
        dimension_a=KINDS.index(a.kind),
        parts_a=(a.index,),
        dimension_b=KINDS.index(b.kind),
        parts_b=(b.index,),
        corners=(),
        labels=(),
        unique=True,
        proof="none",
    )
    regime = "penetrating" if row.distance < 0.0 else "contact"
    regime = "separated" if event.kind == "end" else regime
    state = PairState(numbers, regime, event.frame, now.a, now.b, now.editions)
    names = [body.name for body in frame.bodies]
    return replace(frame, pairs=PairAnswers.among([state], names), events=(event,))


def picture(
    request: pytest.FixtureRequest,
    side: Side,
    number: int | None,
    name: str,
    beside: Frame | None = None,
) -> list[str]:
    """Draw a frame, or the last one, if the option asks so; say so in a sentence."""
    if not request.config.getoption("contact_picture"):
        return []
    path = request.getfixturevalue("tmp_path") / f"{name}.png"
    frame = side.frame(side.end - 1 if number is None else number)
    return [try_picture(frame, path, beside=beside)]
