"""The head of a recording: what is fixed for the whole run, written and read."""

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, Self

import h5py
import numpy as np
from numpy.typing import NDArray

import wingedge
from sim.body.body import Body
from sim.contact_manager import ContactManager, ContactRules
from sim.errors import RecordingError
from sim.events.body_status import BodyStatus
from sim.result.answer import Region
from sim.result.answers import PairAnswers
from sim.scripts import NO_NOTES, Notes, check_notes
from sim.story.checkpoint import Checkpoint, Overlaps
from sim.story.file import states
from sim.story.file.contents import checked_state, pair_of
from sim.story.file.layout import MEMORY, OVERLAPS, UNKNOWN, head_seal
from sim.story.text import Head, check_head
from sim.tracking.carried import Ids, Pair, is_of
from wingedge import WingedEdgeMesh
from wingedge.build import Polygons, check_topology
from wingedge.check import check_links
from wingedge.positions import check_finite, check_magnitude, extent

# 5: overlaps remember; 4, of wingedge 0.2: bodies jump on purpose and laws remember; 3,
# of 0.1, has none of these.  All are read alike.
FORMAT = 5
READ = (3, 4, FORMAT)
READER = "0.3.0"  # the first wingedge that reads it, for older ones to name
REALS = ("points", "planar_tolerance")  # of a mesh; all else counts


class Cast(NamedTuple):
    """How to make a body anew."""

    name: str
    mesh: WingedEdgeMesh
    convexity: str = "surface"
    flatness: str = "fan"

    @classmethod
    def of(cls, body: Body) -> Self:
        """Say how to make a body like this one."""
        return cls(body.name, body.mesh, body.convexity, body.flatness)

    def make(self) -> Body:
        """Make the body, at rest."""
        return Body(
            self.mesh, name=self.name, convexity=self.convexity, flatness=self.flatness
        )


def same_mesh(one: WingedEdgeMesh, other: WingedEdgeMesh) -> bool:
    """Compare two meshes number by number."""
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in fields(one)
    )


def check_casts(casts: Iterable[Cast]) -> None:
    """Refuse meshes that nobody could have built.

    Raises MeshError for the first invariant that is broken.
    """
    sound: set[int] = set()
    for cast in casts:
        if id(cast.mesh) not in sound:
            _check_mesh(cast.mesh)
            sound.add(id(cast.mesh))


def _check_mesh(mesh: WingedEdgeMesh) -> None:
    if not (mesh.n_vertices and mesh.n_edges and mesh.n_faces):
        raise ValueError("a mesh is empty")
    check_links(mesh)
    start, vertex = mesh.corners
    polygons = Polygons(mesh.n_vertices, start.astype(int), vertex.astype(int))
    check_topology(polygons)
    check_finite(mesh.points)
    check_magnitude(mesh.points, extent(mesh.points))
    if not 0.0 <= mesh.planar_tolerance < np.inf:
        raise ValueError(f"a mesh has planar_tolerance {mesh.planar_tolerance!r}")


class Header(NamedTuple):
    """What is fixed for the whole run."""

    dt: float
    rules: ContactRules
    casts: tuple[Cast, ...]
    notes: Notes
    versions: Mapping[str, str]

    @classmethod
    def of(cls, stage: ContactManager, dt: float, notes: Notes = NO_NOTES) -> Self:
        """Describe a run that begins now, here."""
        casts = tuple(Cast.of(body) for body in stage.bodies)
        return cls(dt, stage.rules, casts, check_notes(notes), versions())


def versions() -> dict[str, str]:
    """Say what answers here."""
    return {
        "wingedge": wingedge.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "h5py": h5py.__version__,
        "platform": platform.platform(),
    }


def write_header(group: h5py.Group, header: Header, start: Checkpoint) -> bytes:
    """Write what is fixed, and what is carried into the first frame; return its seal.

    Cost: reads all of it back, to seal what the file holds.
    """
    rules = header.rules
    contact = np.nan if rules.contact_distance is None else rules.contact_distance
    group.attrs["format"] = FORMAT
    group.attrs["wingedge"] = wingedge.__version__
    group.attrs["read_by"] = READER
    group.attrs["dt"] = header.dt
    group.attrs["contact_distance"] = contact
    group.attrs["release_distance"] = 2.0 * contact
    group.attrs["margin"] = np.nan if rules.margin is None else rules.margin
    group.attrs["ignore"] = json.dumps(rules.ignore)
    group.attrs["regions"] = rules.regions
    if rules.law:
        group.attrs["law"] = rules.law
    group.attrs["status"] = rules.status
    for name, said in (("notes", header.notes), ("versions", header.versions)):
        group[name] = np.frombuffer(json.dumps(dict(said)).encode(), np.uint8)
    _write_casts(group, header.casts)
    _write_start(group.create_group("start"), start, rules)
    seal = head_seal(group)
    group.attrs["seal"] = np.frombuffer(seal, np.uint8)
    return seal


def check_format(file: h5py.File, name: str) -> None:
    """Refuse a file that is no recording, or one of another format.

    Raises RecordingError naming the file, its format, and what reads it.
    """
    group = file.get("wingedge")
    if not isinstance(group, h5py.Group) or "format" not in group.attrs:
        raise RecordingError(
            f"{name}: is an HDF5 file but no recording of a run; give a file written "
            f"by world.record"
        )
    written = int(group.attrs["format"])
    if written in READ:
        return
    who = f"{name}: is of format {written} by wingedge {group.attrs.get('wingedge')}"
    here = f"this is wingedge {wingedge.__version__}"
    if written > FORMAT:
        raise RecordingError(
            f"{who}, and {here} which reads format {FORMAT}; run 'pip install "
            f'"wingedge>={group.attrs.get("read_by", group.attrs.get("wingedge"))}"\''
        )
    raise RecordingError(
        f"{who}, which had no checksums; {here} and reads format {READ[0]}: record the "
        f"run again, or read it with the version that wrote it"
    )


def read_header(group: h5py.Group, name: str) -> tuple[Header, bytes]:
    """Read what is fixed for the whole run, and its seal.

    Raises ValueError if it is not what was written; RecordingError naming the file if
    a body of it is in pieces.
    """
    attrs = group.attrs
    seal = head_seal(group)
    if np.asarray(attrs["seal"], np.uint8).tobytes() != seal:
        raise ValueError("its head is not what was written")
    contact, margin = (
        None if np.isnan(attrs[which]) else float(attrs[which])
        for which in ("contact_distance", "margin")
    )
    rules = ContactRules(
        contact,
        margin,
        tuple((a, b) for a, b in json.loads(attrs["ignore"])),
        bool(attrs["regions"]),
        str(attrs.get("law", "")),
        bool(attrs.get("status", True)),
    )
    meshes = [_read_mesh(group["meshes"][str(k)]) for k in range(len(group["meshes"]))]
    casts = []
    for k in range(len(group["bodies"])):
        at = group["bodies"][str(k)].attrs
        if len(at["pieces"]):
            raise RecordingError(
                f"{name}: body '{at['name']}' is a compound, and there are none since "
                f"0.3; read it with wingedge {attrs['wingedge']}, or record its pieces "
                f"as bodies (examples/pieces.py)"
            )
        mesh = meshes[_place(at["mesh"])]
        casts.append(Cast(str(at["name"]), mesh, at["convexity"], at["flatness"]))
    names, dt = tuple(cast.name for cast in casts), float(attrs["dt"])
    check_head(Head(names, 0, 0, dt))
    if not dt > 0.0:
        raise ValueError("its time stands still")
    notes, made_by = (
        check_notes(json.loads(group[k][()].tobytes())) for k in ("notes", "versions")
    )
    said = {who: str(value) for who, value in made_by.items()}
    return Header(dt, rules, tuple(casts), notes, said), seal


def read_start(group: h5py.Group, bodies: Sequence[Body]) -> Checkpoint:
    """Read what is carried into the first frame."""
    start = group["start"]
    table = {name: start[name][...] for name in states.RAGGED}
    table["states"] = start["states"][...].astype(states.STATE)
    carried = start["memories"][...].tolist()
    regions: list[tuple[Region, ...]] = [()] * len(carried)
    if "regions" in start:
        rows = {name: start["regions"][name][...] for name in states.TABLES}
        regions = list(states.decode_regions(rows))
    found = []
    rows_of_all = zip(
        table["states"], states.decode(table), regions, carried, strict=True
    )
    for k, (row, answer, on, (contact, next_region)) in enumerate(rows_of_all):
        pair = pair_of(row, bodies)
        hulls = {
            body: start[name][()] if name in start else None
            for body, name in zip(pair, (f"hulls/{k}/a", f"hulls/{k}/b"), strict=True)
        }
        state = checked_state(row, answer, bodies, on, hulls)
        found.append((pair, state, contact, next_region))
    statuses = [standing_of(row) for row in start["standings"][...].tolist()]
    opened = (False,) * len(bodies)  # the first frame says
    next_contact = int(start.attrs["next_contact"])
    carry = Checkpoint.of(found, tuple(statuses), opened, next_contact)
    law = start["law"][()].tobytes() if "law" in start else b""
    ids = start[OVERLAPS][()] if OVERLAPS in start else np.empty(0, np.int32)
    return carry._replace(law=law, overlaps=overlaps_of(ids, carry.pairs))


def standing_of(row: Sequence[int]) -> BodyStatus | None:
    """Read what a body was told to be; None where nobody looked."""
    return None if row[0] < 0 else BodyStatus(*map(bool, row))


def _write_casts(group: h5py.Group, casts: Sequence[Cast]) -> None:
    for name in ("meshes", "bodies"):
        group.create_group(name)
    meshes = list({id(cast.mesh): cast.mesh for cast in casts}.values())
    number = {id(mesh): k for k, mesh in enumerate(meshes)}
    for k, mesh in enumerate(meshes):
        at = group.create_group(f"meshes/{k}")
        whole = np.array_equal(mesh.source_faces, np.arange(mesh.n_faces))
        for field in fields(mesh):
            if field.name != "source_faces" or not whole:  # 0.2.0 does not know it
                at[field.name] = getattr(mesh, field.name)
    for k, cast in enumerate(casts):
        at = group.create_group(f"bodies/{k}")
        at.attrs["name"] = cast.name
        at.attrs["mesh"] = number[id(cast.mesh)]
        at.attrs["convexity"] = cast.convexity
        at.attrs["flatness"] = cast.flatness
        at.attrs["pieces"] = np.empty(0, np.int64)  # 0.2.0 asks for both
        at.attrs["has_surface"] = False


def _write_start(group: h5py.Group, start: Checkpoint, rules: ContactRules) -> None:
    group.attrs["next_contact"] = start.next_contact
    statuses = [s or UNKNOWN for s in start.statuses]
    group["standings"] = np.array(statuses, np.int8).reshape(-1, 3)
    group["memories"] = memories_of(start)
    group[OVERLAPS] = ids_of(start.overlaps)
    if rules.law:
        group["law"] = np.frombuffer(start.law, np.uint8)
    answers = start.pairs
    for name, rows in states.encode(answers, np.ones(len(answers), bool)).items():
        group[name] = rows
    for k, state in answers.kept.items():
        for side, faces in zip("ab", state.hulls, strict=True):
            if faces is not None:  # the names of lids
                group[f"hulls/{k}/{side}"] = faces
    if rules.regions:
        for name, rows in states.encode_regions(answers).items():
            group[f"regions/{name}"] = rows


def memories_of(carry: Checkpoint) -> NDArray[Any]:
    """Return the rows beside those of the states."""
    found = np.zeros(len(carry.pairs), MEMORY)
    found["contact"], found["next_region"] = carry.contacts, carry.regions
    return found


def ids_of(overlaps: Overlaps) -> Ids:
    """Return what overlaps remember as one row of ids."""
    rows = [np.empty(0, np.int32)]
    for pair, ids in sorted(overlaps.items()):
        rows += [np.array([*pair, len(ids)], np.int32), ids]
    return np.concatenate(rows)


def overlaps_of(ids: Ids, answers: PairAnswers) -> Overlaps:
    """Read what the overlaps among these pairs remember.

    Raises ValueError if one cannot have remembered that.
    """
    states = dict(zip(answers.pairs(), answers, strict=True))
    found: dict[Pair, Ids] = {}
    at = 0
    while at < len(ids):
        i, j, count = ids[at : at + 3].tolist()
        own = ids[at + 3 : at + 3 + count]
        state = states[i, j]
        sizes = state.mesh_a.n_vertices, state.mesh_b.n_vertices
        if not is_of(own, sizes):
            raise ValueError("an overlap remembers vertices that are not there")
        found[i, j] = own.astype(np.int32)
        at += 3 + count
    return found


def _read_mesh(group: h5py.Group) -> WingedEdgeMesh:
    values: dict[str, Any] = {name: data[()] for name, data in group.items()}
    for name, value in values.items():
        if np.asarray(value).dtype.kind not in ("fi" if name in REALS else "i"):
            raise TypeError(f"{name} of a mesh are no numbers of their kind")
    single = {name: v.item() for name, v in values.items() if not np.ndim(v)}
    return WingedEdgeMesh(**(values | single))


def _place(number: Any) -> int:
    """Return the place of a mesh: from 0, never from the end."""
    if not int(number) >= 0:
        raise ValueError(f"a body has mesh {number}")
    return int(number)
