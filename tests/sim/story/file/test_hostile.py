"""sim.story.file.header: files made to do harm, every seal right, refused in words.

``pytest -rP tests/sim/story/file/test_hostile.py | grep MB`` prints what each took.

Seals only say that a file holds what was written; whoever writes one can seal
anything. Such files hung whoever opened them (a link to a pipe), took 7 GB (rows that
were claimed and never stored), or ended a replay in an error about arrays.
"""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import sim
from sim import Body, Pose, World, deform, motion
from sim.kernels.trajectory import DIMENSION_A, PARTS_A
from sim.story.file import MAGIC
from sim.story.file.header import ARRAYS
from sim.story.file.journal import AHEAD, BLOCK, FORMAT, open_journal, sealed
from sim.story.file.rows import pack, unpack
from wingedge import shapes

SECONDS, MEGABYTES = 2.0, 200.0  # of the processor, and of memory, for every file
PATIENCE = 600  # seconds for all files together, on a busy machine
FRAMES = 8
HUGE = 1 << 33

# open one file after the other, and do all that a user may do with it
USER = """
import json, os, resource, sys, time
from sim import Recording, RecordingError
import scipy.spatial

def peak():
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return [resource.getrusage(who).ru_maxrss / 1e3 for who in whose]

def spent():
    return sum(os.times()[:4])  # of the processor, the children's too

def used(path):
    with Recording.open(path, untrusted=True) as recording:
        frames = list(recording)
        [(pair.contacts, pair.regions, repr(pair)) for f in frames for pair in f.pairs]
        recording.story, recording.notes, recording.versions, recording.digest
        list(recording.rerun())
    return "it was replayed"

for path in sys.argv[1:]:
    begin, clock, (before, _) = spent(), time.monotonic(), peak()
    try:
        said = used(path)
    except RecordingError as error:
        said = str(error)
    except Exception as error:
        said = f"{type(error).__name__} {error}"
    own, childs = peak()
    took = spent() - begin, time.monotonic() - clock
    print(json.dumps([path, said, *took, own - before, childs]), flush=True)
"""


def changed_head(change):
    """Change what the header says, or the arrays of its only meshes."""

    def make(header, start, frames):
        line, _, rest = header.partition(b"\n")
        said, arrays = json.loads(line), io.BytesIO(rest)
        names = ARRAYS
        meshes = [{n: np.load(arrays) for n in names} for _ in range(said["meshes"])]
        change(said, meshes[0])
        out = io.BytesIO()
        for mesh in meshes:
            for rows in mesh.values():
                np.save(out, rows)
        return json.dumps(said).encode() + b"\n" + out.getvalue(), start, frames

    return make


def told(name, value):
    return changed_head(lambda said, mesh: said.update({name: value}))


def of_mesh(name, value, at=(0, 0)):
    def change(said, mesh):
        mesh[name][at] = value

    return changed_head(change)


def changed(name, column, value, row=-1):
    """Change a row of a table, of the last frame that has some."""

    def make(header, start, frames):
        for k in reversed(range(len(frames))):
            told, data = frames[k]
            rows = unpack(data)
            if len(rows[name]):
                rows[name] = found = rows[name].copy()
                (found if column is None else found[column])[row] = value
                frames[k] = told, pack(rows)
                break
        return header, start, frames

    return make


def in_disorder(header, start, frames):
    _, data = frames[-1]
    return header, start, [*frames[:-1], ((0, 0.0, 0), data)]


def endless(header, start, frames):
    """Announce 200 GB of numbers."""
    line, _, _ = header.partition(b"\n")
    head = {"descr": "<f8", "fortran_order": False, "shape": (HUGE, 3)}
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, head)
    return line + b"\n" + out.getvalue(), start, frames


BODY = ["jelly", -1, "surface", "fan"]
NOBODY = list(b"kelly"), slice(8, 13)  # 0 begin jelly/table
# Sealed: what it says cannot be.
SEALED = {
    "a_mesh_that_is_not_closed": changed_head(
        lambda said, mesh: mesh.update(face_edge=mesh["face_edge"][:-1])
    ),
    "indices_beyond_a_mesh": of_mesh("edge_vertices", 10**6),
    "indices_below_a_mesh": of_mesh("edge_wings", -1, (0, 0, 0)),
    "wings_that_walk_in_a_circle": of_mesh("edge_wings", 0, ...),
    "a_mesh_that_is_nowhere": of_mesh("points", np.nan),
    "a_mesh_of_texts": changed_head(
        lambda said, mesh: mesh.update(points=np.full((8, 3), b"0.5"))
    ),
    "numbers_that_were_never_stored": endless,
    "a_body_of_no_mesh": changed_head(lambda said, mesh: said["casts"].append(BODY)),
    "two_bodies_of_one_name": changed_head(
        lambda said, mesh: said["casts"].append(said["casts"][0])
    ),
    "a_body_with_a_name_of_megabytes": changed_head(
        lambda said, mesh: said["casts"][0].__setitem__(0, "x" * 2_300_000)
    ),
    "notes_that_are_a_list": told("notes", [1, 2]),
    "notes_in_notes_in_notes": lambda header, *rest: (b"[" * 100_000, *rest),
    "time_that_stands_still": told("dt", 0.0),
    "a_pair_that_is_ignored_and_not_there": changed_head(
        lambda said, mesh: said["rules"].update(ignore=[["jelly", "nobody"]])
    ),
    "a_distance_that_is_no_number": changed_head(
        lambda said, mesh: said["rules"].update(contact_distance="far")
    ),
    "positions_that_are_nowhere": changed("positions", None, np.nan),
    "positions_of_a_later_frame": changed("placements", "points", 99, 0),
    "a_pose_that_is_nowhere": changed("placements", "transform", np.inf),
    "a_pose_that_flattens": changed("placements", "transform", 0.0),
    "frames_in_disorder": in_disorder,
    "an_answer_for_nobody": changed("states", "pair", (0, -1)),
    "an_answer_that_names_a_feature_too_many": changed("parts", None, 10**6),
    "an_answer_of_four_dimensions": changed("states", "facts", 3, (-1, DIMENSION_A)),
    "an_answer_with_lists_of_negative_length": changed(
        "states", "facts", -5, (-1, PARTS_A)
    ),
    "an_event_of_an_unknown_body": changed("lines", None, *NOBODY),
    "an_event_that_is_none": changed("lines", None, 0xFF, row=0),
    "a_region_of_faces_that_are_not_there": changed("region_faces", None, -2),
}


def forged(path, change, into):
    """Write what was recorded with a change, and every seal right."""
    journal = open_journal(path)
    header, (_, start), *frames = (
        ((int(row["index"]), float(row["time"]), int(row["next_contact"])), data)
        for row, data in zip(
            journal.blocks, map(journal.block, range(FRAMES + AHEAD)), strict=True
        )
    )
    header, start, frames = change(header[1], start, frames)
    head = sealed(b"", 0, header, 0, 0.0, 0)
    key = head[BLOCK.itemsize - 8 : BLOCK.itemsize]
    blocks = [head, sealed(key, 1, start, 0, 0.0, 0)]
    blocks += [sealed(key, k, data, *t) for k, (t, data) in enumerate(frames, AHEAD)]
    with h5py.File(into, "w") as file:
        group = file.create_group("wingedge")
        group.attrs.update({"format": FORMAT, "frames": len(frames)})
        group["journal"] = np.frombuffer(MAGIC + b"".join(blocks), np.uint8)


def put(name="wingedge/journal", data=None, **options):
    def make(file, folder):
        del file[name]
        file.create_dataset(name, data=data, **options)

    return make


def piped(place):
    """Link to a pipe that nobody writes to."""

    def make(file, folder):
        pipe = folder / place.replace("/", " ")
        os.mkfifo(pipe)
        del file[place]
        file[place] = h5py.ExternalLink(str(pipe), "/x")

    return make


def a_link_to_another_file(file, folder):
    with h5py.File(folder / "other.h5", "w") as another:
        another["rows"] = file["wingedge/journal"][:]
    del file["wingedge/journal"]
    file["wingedge/journal"] = h5py.ExternalLink(str(folder / "other.h5"), "/rows")


def soft_links_in_a_circle(file, folder):
    del file["wingedge/journal"]
    file["wingedge/journal"] = h5py.SoftLink("/wingedge/there")
    file["wingedge/there"] = h5py.SoftLink("/wingedge/journal")


def rows_of_other_files(file, folder):
    layout = h5py.VirtualLayout((10,), "u1")
    layout[:] = h5py.VirtualSource(str(folder / "other.h5"), "x", (10,), "u1")
    del file["wingedge/journal"]
    file["wingedge"].create_virtual_dataset("journal", layout)


def rows_kept_outside(file, folder):
    os.mkfifo(folder / "outside")
    outside = [(str(folder / "outside"), 0, 10)]
    put(shape=(10,), dtype="u1", external=outside)(file, folder)


def frames_that_are_not_there(file, folder):
    file["wingedge"].attrs["frames"] = HUGE


# Made of more than its own bytes: no seal matters.
FAR = {
    "a_link_to_a_pipe": piped("wingedge/journal"),
    "a_link_to_another_file": a_link_to_another_file,
    "soft_links_in_a_circle": soft_links_in_a_circle,
    "all_behind_a_link": piped("wingedge"),
    "rows_of_other_files": rows_of_other_files,
    "rows_kept_outside": rows_kept_outside,
    "frames_that_are_not_there": frames_that_are_not_there,
    "compressed_rows": put(
        data=np.zeros(1 << 26, "u1"), chunks=(1 << 24,), compression="gzip"
    ),
    "rows_that_were_never_stored": put(shape=(HUGE,), dtype="u1", chunks=(1 << 20,)),
    "rows_that_have_no_place": put(shape=(HUGE,), dtype="u1"),
    "rows_of_texts_of_any_length": put(data=["x" * 9] * 10, dtype=h5py.string_dtype()),
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """Make every file, let a process use them all, and return what it was told."""
    folder = tmp_path_factory.mktemp("hostile")
    plain = folder / "plain.vtkhdf"
    recorded(plain)
    paths = [plain]
    for name, make in (FAR | SEALED).items():
        path = folder / f"{name}.vtkhdf"
        paths.append(path)
        if name in SEALED:
            forged(plain, make, path)
            continue
        path.write_bytes(plain.read_bytes())
        with h5py.File(path, "r+") as file:
            make(file, folder)
    root = str(Path(sim.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", USER, *map(str, paths)],
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        text=True,
        env={**os.environ, "PYTHONPATH": root, "WINGEDGE_ENGINE": "python"},
        check=True,
    )
    lines = map(json.loads, done.stdout.splitlines())
    return {Path(path).stem: (path, *rest) for path, *rest in lines}


def recorded(path):
    """Record a run with everything in it: a soft body, regions, events, two at rest."""
    bodies = [
        Body(shapes.box(1.0), name="jelly"),
        Body(shapes.box(3.0), name="table"),
        Body(shapes.tetrahedron(), name="far", pose=Pose.rigid(None, (9.0, 0.0, 0.0))),
    ]
    falls = {"jelly": motion.linear((0.0, 0.0, -6.0), start=(0.0, 0.0, 2.3))}
    soft = {"jelly": deform.wave(lambda t: t, length=2.0)}
    world = World(bodies, motion=falls, deform=soft, regions=True)
    with world.record(path):
        assert [event for frame in world.run(FRAMES) for event in frame.events]


def test_a_file_of_the_same_kind_without_harm_is_replayed(refused):
    assert refused["plain"][1] == "it was replayed"


@pytest.mark.parametrize("name", FAR | SEALED)
def test_a_hostile_file_is_refused_in_words(refused, name):
    path, said, took, clock, own, childs = refused[name]
    cost = f"{took:5.2f} s, {clock:5.2f} s by the clock, {max(own, childs):5.1f} MB"
    print(f"{name:40} {cost}")
    assert said.startswith(f"{path}: ")
    assert len(said) < len(path) + 450
    assert "\n" not in said
    assert took < SECONDS
    assert max(own, childs) < MEGABYTES
