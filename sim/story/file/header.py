"""The head of a recording: what is fixed for the whole run, written and read."""

import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import fields
from io import SEEK_END, BytesIO
from typing import Any, NamedTuple, Self

import numpy as np

import wingedge
from sim.contact_manager import ContactManager, ContactRules
from sim.scripts import NO_NOTES, Notes, check_notes
from sim.story.file import hdf5
from sim.story.text import Head, check_head
from sim.tracking.options import check_length
from wingedge import WingedEdgeMesh
from wingedge.build import Polygons, check_topology
from wingedge.check import check_links, positions_to_check

PARTS = ("part_names", "face_part")  # of a mesh, behind all where any has parts
OTHERS = ("resolution", *PARTS)  # the first is a rule of the run
# of a mesh, in which it travels
ARRAYS = tuple(x.name for x in fields(WingedEdgeMesh) if x.name not in OTHERS)
REALS = ("points", "planar_tolerance")  # of a mesh; all else counts


class Cast(NamedTuple):
    """How to make a body anew."""

    name: str
    mesh: WingedEdgeMesh
    convexity: str = "surface"
    flatness: str = "fan"


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
        positions_to_check(mesh, mesh.points)
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
        "h5py": hdf5().__version__,
        "platform": platform.platform(),
    }


def write_header(header: Header) -> bytes:
    """Write what is fixed for the whole run: a line of JSON, and arrays of meshes."""
    meshes = list({id(cast.mesh): cast.mesh for cast in header.casts}.values())
    number = {id(mesh): k for k, mesh in enumerate(meshes)}
    casts = [[c.name, number[id(c.mesh)], *c[2:]] for c in header.casts]
    rules = header.rules._asdict()
    if not rules["resolution"]:  # as files that know of none
        del rules["resolution"]
    said = header._asdict() | {"rules": rules, "casts": casts}
    said |= {"notes": dict(header.notes), "versions": dict(header.versions)}
    parts = [mesh.part_names for mesh in meshes]
    said |= {"meshes": len(meshes)} | ({"parts": parts} if any(parts) else {})
    out = BytesIO(json.dumps(said).encode() + b"\n")
    out.seek(0, SEEK_END)
    for mesh in meshes:
        for name in ARRAYS:
            np.save(out, getattr(mesh, name), allow_pickle=False)
    for mesh in meshes if any(parts) else ():
        np.save(out, mesh.face_part, allow_pickle=False)
    return out.getvalue()


def read_header(data: bytes) -> Header:
    """Read what is fixed for the whole run.

    Raises ValueError, TypeError or LookupError if it cannot be so.
    """
    line, _, arrays = data.partition(b"\n")
    said, rest = json.loads(line), BytesIO(arrays)
    meshes = [_read_mesh(rest) for _ in range(said["meshes"])]
    for k, names in enumerate(said.get("parts", ())):
        which = np.load(rest, allow_pickle=False)
        named = {str(name): which == i for i, name in enumerate(names)}
        meshes[k] = meshes[k].with_parts(named)  # a mask of other faces is refused
    casts = [Cast(str(n), meshes[k], *options) for n, k, *options in said["casts"]]
    if any(k < 0 for _, k, *_ in said["casts"]):
        raise ValueError("a body has no mesh")
    rules = ContactRules(**said["rules"])
    pairs = tuple((a, b) for a, b in rules.ignore)
    names, dt = tuple(cast.name for cast in casts), float(said["dt"])
    check_head(Head(names, 0, 0, dt))
    if not dt > 0.0:
        raise ValueError("its time stands still")
    notes, made_by = check_notes(said["notes"]), check_notes(said["versions"])
    versions = {who: str(value) for who, value in made_by.items()}
    known = tuple(check_length("resolution", r) for r in rules.resolution)
    if len(known) not in (0, len(casts)):
        raise ValueError("its resolution is not one of each body")
    rules = rules._replace(ignore=pairs, resolution=known)
    return Header(dt, rules, tuple(casts), notes, versions)


def _read_mesh(data: BytesIO) -> WingedEdgeMesh:
    values: dict[str, Any] = {}
    for name in ARRAYS:
        value = values[name] = np.load(data, allow_pickle=False)
        if value.dtype.kind not in ("fi" if name in REALS else "i"):
            raise TypeError(f"{name} of a mesh are no numbers of their kind")
    single = {name: v.item() for name, v in values.items() if not np.ndim(v)}
    return WingedEdgeMesh(**(values | single))
