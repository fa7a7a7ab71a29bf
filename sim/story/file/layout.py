"""Which tables a recording has, and what stands in their rows.

The rows that a frame adds to them are sealed together (``sim.story.file.seals``);
``ENDS`` says for every frame where they end.
"""

from typing import Any, NamedTuple

import numpy as np

from sim.contact_manager import ContactRules
from sim.story.file.region_rows import TABLES as REGION_TABLES
from sim.story.file.states import RAGGED, STATE

FRAME = np.dtype([("index", "<i8"), ("time", "<f8"), ("next_contact", "<i8")])
EVENT = np.dtype([("contact", "<i8"), ("state", "<i8"), ("line", "<i8")])
PLACEMENT = np.dtype(
    [
        ("transform", "<f8", (12,)),
        ("points", "<i8"),  # row of ``positions``, or one of the numbers below
        ("open", "u1"),
        ("standing", "i1", (3,)),  # convex, inverted, collapsed; UNKNOWN: not looked at
        ("hull", "<i8"),  # row of ``hulls``, or NO_HULL
        ("hull_faces", "<i8"),  # and how many rows from there on
    ]
)
MEMORY = np.dtype([("contact", "<i8"), ("next_region", "<i8")])
# Where the positions of a body are, if not from a row of ``positions`` on.
AT_REST = -1
IN_WORLD = -2  # the pose is the identity: they are the points that VTK reads
NO_STATE = -1  # of an event that happened to one body
NO_HULL = -1  # the body is itself, or its hull was not asked for
UNKNOWN = (-1, -1, -1)

STORY = ("frames", "events", "lines")  # what a story is told from
SHARED = ("positions", "hulls")  # rows that several frames may refer to
ENDS = "ends"  # (tables,) for every frame: how many rows there are of each
SEALS = "seals"  # (2,) for every frame: of its story, and of all of it


class Column(NamedTuple):
    """The rows of one table."""

    dtype: Any
    width: tuple[int, ...] = ()


def tables(rules: ContactRules) -> dict[str, Column]:
    """Name the tables that a run fills, in the order in which they are sealed."""
    found = {
        "frames": Column(FRAME),
        "events": Column(EVENT),
        "lines": Column("u1"),  # the lines of the events, UTF-8
        "placements": Column(PLACEMENT),
        "positions": Column("<f8", (3,)),  # body frame
        "hulls": Column("<i4", (3,)),  # triangles of what stands for a body
        "states": Column(STATE),
        "memories": Column(MEMORY),  # beside every state
        **{name: Column(kind) for name, kind in RAGGED.items()},
    }
    if rules.regions:
        found |= {name: Column(*both) for name, both in REGION_TABLES.items()}
    return found
