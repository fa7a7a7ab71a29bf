"""The head of a recording: what is fixed for the whole run, written and read."""

import json
import platform
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import h5py
import numpy as np

import wingedge
from sim.body.body import Body
from sim.compound import Compound
from sim.contact import PairState
from sim.errors import RecordingError
from sim.region import Region
from sim.stage import Memory, Rules, Stage
from sim.story.region_rows import TABLES, encode_regions, read_regions
from sim.story.standing import Standing
from sim.story.states import RAGGED, STATE, Ends, StateRows, decode, encode
from wingedge import WingedEdgeMesh

FORMAT = 2
PLAIN = 1  # what runs without regions are written as: older versions read it
UNKNOWN = (-1, -1, -1)  # what a body is that nobody looked at


class Cast(NamedTuple):
    """How to make a body anew."""

    name: str
    mesh: WingedEdgeMesh
    convexity: str
    flatness: str

    def make(self) -> Body:
        """Make the body, at rest."""
        return Body(
            self.mesh,
            name=self.name,
            convexity=self.convexity,
            flatness=self.flatness,
        )


class Header(NamedTuple):
    """What is fixed for the whole run."""

    dt: float
    rules: Rules
    casts: tuple[Cast, ...]
    next_contact: int


def plain_bodies(stage: Stage) -> tuple[Body, ...]:
    """Return the bodies of a stage.

    Raises
    ------
    RecordingError
        If one is a compound: a recording has no place for its pieces.
    """
    plain = []
    for body in stage.bodies:
        if isinstance(body, Compound):
            raise RecordingError(
                f"body '{body.name}' is a compound, whose pieces a recording cannot "
                f"hold; record a Body of its surface, or keep the frames of "
                f"world.run() yourself"
            )
        plain.append(body)
    return tuple(plain)


def write_header(group: h5py.Group, stage: Stage, dt: float) -> None:
    """Write what is fixed, and what the pairs carry from before the first frame."""
    rules = stage.rules
    contact = np.nan if rules.contact_distance is None else rules.contact_distance
    group.attrs["format"] = FORMAT if rules.regions else PLAIN
    group.attrs["wingedge"] = wingedge.__version__
    group.attrs["numpy"] = np.__version__
    group.attrs["python"] = platform.python_version()
    group.attrs["dt"] = dt
    group.attrs["contact_distance"] = contact
    group.attrs["release_distance"] = 2.0 * contact
    group.attrs["margin"] = np.nan if rules.margin is None else rules.margin
    group.attrs["ignore"] = json.dumps(rules.ignore)
    group.attrs["regions"] = rules.regions
    for name in ("meshes", "bodies"):
        group.create_group(name)
    meshes = list({id(body.mesh): body.mesh for body in stage.bodies}.values())
    number = {id(mesh): k for k, mesh in enumerate(meshes)}
    for k, mesh in enumerate(meshes):
        at = group.create_group(f"meshes/{k}")
        for field in fields(mesh):
            at[field.name] = getattr(mesh, field.name)
    for k, body in enumerate(plain_bodies(stage)):
        at = group.create_group(f"bodies/{k}")
        at.attrs["name"] = body.name
        at.attrs["mesh"] = number[id(body.mesh)]
        at.attrs["convexity"] = body.convexity
        at.attrs["flatness"] = body.flatness
    memories = stage.remember()
    start = group.create_group("start")
    start.attrs["next_contact"] = stage.next_contact
    start["standings"] = np.array(
        [s or UNKNOWN for s in stage.standings()], np.int8
    ).reshape(-1, 3)
    start["contacts"] = np.array([m.contact for m in memories], np.int64)
    states = encode([(m.pair, True, m.state) for m in memories], Ends())
    start["states"] = states.rows
    for name in RAGGED:
        start[name] = getattr(states, name)
    for k, memory in enumerate(memories):
        for side, faces in zip("ab", memory.state.hulls, strict=True):
            if faces is not None:  # the names of lids
                start[f"hulls/{k}/{side}"] = faces
    if rules.regions:
        start["next_regions"] = np.array([m.next_region for m in memories], np.int64)
        found = encode_regions(m.state for m in memories)
        for name, rows in zip(TABLES, found, strict=True):
            start[name] = rows


def read_header(group: h5py.Group) -> Header:
    """Read what is fixed for the whole run."""
    attrs = group.attrs
    rules = Rules(
        _length(attrs["contact_distance"]),
        _length(attrs["margin"]),
        tuple((a, b) for a, b in json.loads(attrs["ignore"])),
        bool(attrs.get("regions", False)),
    )
    meshes = [_read_mesh(group["meshes"][str(k)]) for k in range(len(group["meshes"]))]
    casts = []
    for k in range(len(group["bodies"])):
        at = group["bodies"][str(k)].attrs
        mesh = meshes[int(at["mesh"])]
        casts.append(Cast(at["name"], mesh, at["convexity"], at["flatness"]))
    next_contact = int(group["start"].attrs["next_contact"])
    return Header(float(attrs["dt"]), rules, tuple(casts), next_contact)


def read_start(group: h5py.Group, bodies: Sequence[Body]) -> list[Memory]:
    """Read what the pairs carry from before the first frame."""
    start = group["start"]
    lists = {name: start[name][...] for name in RAGGED}
    table = StateRows(start["states"][...].astype(STATE), **lists)
    found = []
    answers = decode(table, Ends())
    contacts = start["contacts"][...].tolist()
    count = len(contacts)
    regions: list[tuple[Region, ...]] = [()] * count
    following = [0] * count
    if "next_regions" in start:
        regions = list(read_regions(start, 0, count))
        following = start["next_regions"][...].tolist()
    for k, (row, (numbers, regime)) in enumerate(zip(table.rows, answers, strict=True)):
        a, b = row["pair"].tolist()
        frame = int(row["frame"])
        on_a, on_b = (
            start[f"hulls/{k}/{side}"][()] if f"hulls/{k}/{side}" in start else None
            for side in "ab"
        )
        state = PairState(
            numbers,
            regime,
            frame,
            bodies[a],
            bodies[b],
            regions=regions[k],
            hulls=(on_a, on_b),
        )
        found.append(Memory((a, b), contacts[k], state, following[k]))
    return found


def read_standings(group: h5py.Group, count: int) -> list[Standing | None]:
    """Read what the bodies were before the first frame."""
    start = group["start"]
    if "standings" not in start:  # written before there were any
        return [None] * count
    return [
        None if row[0] < 0 else Standing(*map(bool, row))
        for row in start["standings"][...].tolist()
    ]


def _read_mesh(group: h5py.Group) -> WingedEdgeMesh:
    values: dict[str, Any] = {name: data[()] for name, data in group.items()}
    single = {name: v.item() for name, v in values.items() if not np.ndim(v)}
    return WingedEdgeMesh(**(values | single))


def _length(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
