"""The head of a recording: what is fixed for the whole run, written and read."""

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from hashlib import blake2b
from typing import Any, NamedTuple, Self

import h5py
import numpy as np
from h5py import h5d, h5l, h5o
from numpy.typing import NDArray

import wingedge
from sim.body.body import Body
from sim.contact_manager import ContactManager, ContactRules
from sim.errors import RecordingError
from sim.result.answer import Hulls
from sim.scripts import NO_NOTES, Notes, check_notes
from sim.story.checkpoint import Checkpoint
from sim.story.file import layout
from sim.story.file.rows import carried, checkpoint_of, standings_of
from sim.story.file.states import decode
from sim.story.text import Head, check_head
from wingedge import WingedEdgeMesh
from wingedge.build import Polygons, check_topology
from wingedge.check import check_links
from wingedge.positions import check_finite, check_magnitude, extent

# 6: the small tables of a frame lie in one; 5: overlaps remember; 4, of wingedge 0.2:
# bodies jump on purpose and laws remember; 3, of 0.1, has none of these.
FORMAT = 6
READ = (3, 4, 5, FORMAT)
READER = "0.3.0"  # the first wingedge that reads it, for older ones to name
REALS = ("points", "planar_tolerance")  # of a mesh; all else counts
SEALED = ("meshes", "bodies", "start", "notes", "versions")
DEEPEST = 4  # groups in groups of a head
DATASET = h5o.TYPE_DATASET


class Cast(NamedTuple):
    """How to make a body anew."""

    name: str
    mesh: WingedEdgeMesh
    convexity: str = "surface"
    flatness: str = "fan"

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
    for mesh in {id(cast.mesh): cast.mesh for cast in casts}.values():
        if not (mesh.n_vertices and mesh.n_edges and mesh.n_faces):
            raise ValueError("a mesh is empty")
        check_links(mesh)
        start, vertex = mesh.corners
        check_topology(Polygons(mesh.n_vertices, start.astype(int), vertex.astype(int)))
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
        casts = tuple(
            Cast(body.name, body.mesh, body.convexity, body.flatness)
            for body in stage.bodies
        )
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
    rules = {k: np.nan if v is None else v for k, v in header.rules._asdict().items()}
    rules["ignore"] = json.dumps(header.rules.ignore)
    group.attrs.update(rules, dt=header.dt, format=FORMAT, read_by=READER)
    group.attrs["wingedge"] = wingedge.__version__
    for name, said in (("notes", header.notes), ("versions", header.versions)):
        group[name] = np.frombuffer(json.dumps(dict(said)).encode(), np.uint8)
    meshes = list({id(cast.mesh): cast.mesh for cast in header.casts}.values())
    number = {id(mesh): k for k, mesh in enumerate(meshes)}
    at = group.create_group("meshes"), group.create_group("bodies")
    for k, mesh in enumerate(meshes):
        for field in fields(mesh):
            at[0][f"{k}/{field.name}"] = getattr(mesh, field.name)
    for k, cast in enumerate(header.casts):
        said = cast._asdict() | {"mesh": number[id(cast.mesh)]}
        at[1].create_group(str(k)).attrs.update(said)
    into = group.create_group("start")
    into.attrs["next_contact"] = start.next_contact
    into["standings"] = standings_of(start)
    for name, rows in carried(start, regions=header.rules.regions).items():
        into[name] = rows
    for k, state in start.pairs.kept.items():
        for side, faces in zip("ab", state.hulls, strict=True):
            if faces is not None:  # the names of lids
                into[f"hulls/{k}/{side}"] = faces
    seal = head_seal(group)
    group.attrs["seal"] = np.frombuffer(seal, np.uint8)
    return seal


def head_seal(group: h5py.Group) -> bytes:
    """Sum up what is fixed for the whole run: attributes, and all that is SEALED."""
    total = blake2b(digest_size=layout.SIZE)
    _add(total, "", group, [name for name in SEALED if name in group])
    return total.digest()


def _add(
    total: Any, name: str, item: h5py.Group | h5py.Dataset, among: Iterable[str] = ()
) -> None:
    """Add a dataset, or the attributes of a group and what is in it."""
    if isinstance(item, h5py.Dataset):
        data = item[()]
        _say(total, name, str(item.dtype), str(item.shape))
        total.update(np.ascontiguousarray(data).tobytes())
        return
    if name.count("/") > DEEPEST:
        raise ValueError(f"{name[:40]!r} ... is inside itself")
    for key in sorted({*item.attrs} - {"seal"}):
        value = item.attrs[key]
        said = value if isinstance(value, str) else np.asarray(value).tolist()
        _say(total, name, key, repr(said))
    for key in sorted(item) if name else among:
        _add(total, f"{name}/{key}".removeprefix("/"), item[key])


def _say(total: Any, *words: str) -> None:
    for word in words:
        text = word.encode()
        total.update(len(text).to_bytes(8, "little") + text)


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


def check_near(file: h5py.File) -> None:
    """Refuse a file that sends its reader to other files, or to pipes."""

    def is_far(name: bytes, about: Any) -> bytes | None:
        far = about.type == h5l.TYPE_EXTERNAL
        if about.type == h5l.TYPE_HARD and h5o.get_info(file.id, name).type == DATASET:
            made = h5d.open(file.id, name).get_create_plist()
            far = made.get_layout() == h5d.VIRTUAL or made.get_external_count() > 0
        return name if far else None

    if name := file.id.links.visit(is_far, info=True):
        raise ValueError(f"{name[:200].decode()!r} is in another file; copy it here")


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
    meshes = {int(k): _read_mesh(mesh) for k, mesh in group["meshes"].items()}
    casts = []
    for k in range(len(group["bodies"])):
        at = group["bodies"][str(k)].attrs
        if len(at.get("pieces", ())):
            raise RecordingError(
                f"{name}: body '{at['name']}' is a compound, and there are none since "
                f"0.3; read it with wingedge {attrs['wingedge']}, or record its pieces "
                f"as bodies (examples/pieces.py)"
            )
        mesh = meshes[int(at["mesh"])]
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
    """Read what is carried into the first frame; the first frame says what is open."""
    start = group["start"]
    stored = {**start, **start.get("regions", {})}  # up to format 5 they lie apart
    rows = dict(layout.EMPTY)
    for name, kind in layout.TABLES.items():
        if name in stored:
            rows[name] = np.asarray(stored[name][()], kind.base)

    def hull(name: str) -> NDArray[np.int32] | None:
        faces = start.get(f"hulls/{name}")
        return None if faces is None else np.asarray(faces, np.int32).reshape(-1, 3)

    def hulls(k: int, *_: int) -> Hulls:
        return hull(f"{k}/a"), hull(f"{k}/b")

    states = decode(rows, bodies, hulls)
    next_contact = int(start.attrs["next_contact"])
    return checkpoint_of(rows, states, start["standings"][()], next_contact)


def _read_mesh(group: h5py.Group) -> WingedEdgeMesh:
    values: dict[str, Any] = {name: data[()] for name, data in group.items()}
    for name, value in values.items():
        if np.asarray(value).dtype.kind not in ("fi" if name in REALS else "i"):
            raise TypeError(f"{name} of a mesh are no numbers of their kind")
    single = {name: v.item() for name, v in values.items() if not np.ndim(v)}
    return WingedEdgeMesh(**(values | single))
