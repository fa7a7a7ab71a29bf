"""Files that somebody made to do harm, with every seal right: refused in words.

``pytest -rP tests/sim/story/file/test_hostile.py | grep MB`` prints what each took.

Seals only say that a file holds what was written; whoever writes one can seal
anything. Such files hung whoever opened them (a link to a pipe), took 7 GB (rows that
were claimed and never stored), or ended a replay in an error about arrays.
"""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np
import pytest

import sim
from sim import Body, Pose, World, deform, motion
from sim.story.file.header import head_seal
from sim.story.file.layout import FRAME, frame_seal, pack, unpack
from sim.story.file.rows import seal_of
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


def sealed(path):
    """Make every seal of a file right again."""
    with h5py.File(path, "r+") as file:
        group = file["wingedge"]
        seal = head_seal(group)
        group.attrs["seal"] = np.frombuffer(seal, np.uint8)
        frames, data = group["frames"][:], group["data"][:]
        begins = [0, *frames["end"]]
        for k, row in enumerate(frames):
            packed = data[begins[k] : row["end"]].tobytes()
            row["seal"] = frame_seal(seal, k, row, packed)
        group["frames"][...] = frames


def put(file, name, data, **options):
    """Put other rows in the place of those that are there."""
    del file[name]
    return file.create_dataset(name, data=data, **options)


def piped(place):
    """Link to a pipe that nobody writes to."""

    def make(file, folder):
        pipe = folder / place.replace("/", " ")
        os.mkfifo(pipe)
        del file[place]
        file[place] = h5py.ExternalLink(str(pipe), "/x")

    return make


def other(name, data=None, **options):
    return lambda file, folder: put(file, f"wingedge/{name}", data, **options)


def changed(name, column, value, row=-1):
    """Change a row of a table; of those of the frames the last one that there is."""

    def make(file, folder):
        group = file["wingedge"]
        if name in group:
            rows = group[name][:]
            (rows if column is None else rows[column])[row] = value
            group[name][...] = rows
            return
        ends = [0, *group["frames"]["end"]]
        for begin, end in reversed([*pairwise(ends)]):
            found = unpack(group["data"][begin:end].tobytes())
            if len(found[name]):
                found[name] = rows = found[name].copy()
                (rows if column is None else rows[column])[row] = value
                group["data"][begin:end] = np.frombuffer(pack(found), np.uint8)
                return

    return make


def positions_that_are_nowhere(file, folder):
    changed("positions", None, np.nan)(file, folder)
    points = file["wingedge/positions"][-8:]
    changed("sums", None, seal_of(points), (0, 0))(file, folder)


def told(name, value, place="."):
    """Give a group another attribute."""
    return lambda file, folder: file["wingedge"][place].attrs.update({name: value})


def a_link_to_another_file(file, folder):
    with h5py.File(folder / "other.h5", "w") as another:
        another["rows"] = file["wingedge/frames"][:]
    del file["wingedge/frames"]
    file["wingedge/frames"] = h5py.ExternalLink(str(folder / "other.h5"), "/rows")


def soft_links_in_a_circle(file, folder):
    del file["wingedge/notes"]
    file["wingedge/notes"] = h5py.SoftLink("/wingedge/there")
    file["wingedge/there"] = h5py.SoftLink("/wingedge/notes")


def a_group_inside_itself(file, folder):
    file["wingedge/meshes/0/more"] = file["wingedge/meshes"]


def rows_of_other_files(file, folder):
    layout = h5py.VirtualLayout((10,), "u1")
    layout[:] = h5py.VirtualSource(str(folder / "other.h5"), "x", (10,), "u1")
    del file["wingedge/notes"]
    file["wingedge"].create_virtual_dataset("notes", layout)


def rows_kept_outside(file, folder):
    os.mkfifo(folder / "outside")
    outside = [(str(folder / "outside"), 0, 10)]
    put(file, "wingedge/notes", None, shape=(10,), dtype="u1", external=outside)


def texts_of_any_length_beside_it(file, folder):
    many = np.array(["x" * 1000] * 1000, object)
    file["wingedge"].attrs.create("ignore", many, dtype=h5py.string_dtype())


def a_mesh_that_is_not_closed(file, folder):
    faces = file["wingedge/meshes/0/face_edge"][:-1]
    put(file, "wingedge/meshes/0/face_edge", faces)


def wings_that_walk_in_a_circle(file, folder):
    file["wingedge/meshes/0/edge_wings"][...] = 0


MESH, BODY = "meshes/0", "bodies/0"
# Made of more than its own bytes: no seal matters.
FAR = {
    "a_link_to_a_pipe": piped("wingedge/notes"),
    "a_link_to_another_file": a_link_to_another_file,
    "soft_links_in_a_circle": soft_links_in_a_circle,
    "a_group_inside_itself": a_group_inside_itself,
    "steps_behind_a_link": piped("VTKHDF/contacts"),
    "all_behind_a_link": piped("wingedge"),
    "rows_of_other_files": rows_of_other_files,
    "rows_kept_outside": rows_kept_outside,
    "compressed_rows": other(
        "notes", np.zeros(1 << 26, "u1"), chunks=(1 << 24,), compression="gzip"
    ),
    "rows_that_were_never_stored": other(
        "notes", shape=(HUGE,), dtype="u1", chunks=(1 << 20,)
    ),
    "numbers_that_were_never_stored": other(
        f"{MESH}/points", shape=(HUGE // 24, 3), dtype="f8"
    ),
    "frames_that_were_never_stored": other(
        "frames", shape=(HUGE,), dtype=FRAME, chunks=(1 << 16,)
    ),
    "rows_of_texts_of_any_length": other(
        "notes", ["x" * 9] * 10, dtype=h5py.string_dtype()
    ),
    "texts_of_any_length_beside_it": texts_of_any_length_beside_it,
}
NOBODY = list(b"kelly"), slice(8, 13)  # 0 begin jelly/table
# Sealed: what it says cannot be.
SEALED = {
    "a_mesh_that_is_not_closed": a_mesh_that_is_not_closed,
    "indices_beyond_a_mesh": changed(f"{MESH}/edge_vertices", None, 10**6, (0, 0)),
    "indices_below_a_mesh": changed(f"{MESH}/edge_wings", None, -1, (0, 0, 0)),
    "wings_that_walk_in_a_circle": wings_that_walk_in_a_circle,
    "a_mesh_that_is_nowhere": changed(f"{MESH}/points", None, np.nan, (0, 0)),
    "a_mesh_of_texts": other(f"{MESH}/points", np.full((8, 3), b"0.5")),
    "a_body_of_no_mesh": told("mesh", -1, BODY),
    "two_bodies_of_one_name": told("name", "table", BODY),
    "a_body_with_a_name_of_megabytes": told("name", "x" * 2_300_000, BODY),
    "notes_that_are_a_list": other("notes", np.frombuffer(b"[1, 2]", "u1")),
    "notes_in_notes_in_notes": other("notes", np.frombuffer(b"[" * 100_000, "u1")),
    "time_that_stands_still": told("dt", 0.0),
    "a_pair_that_is_ignored_and_not_there": told("ignore", '[["jelly", "nobody"]]'),
    "a_distance_that_is_no_number": told("contact_distance", "far"),
    "positions_that_are_nowhere": positions_that_are_nowhere,
    "a_pose_that_is_nowhere": changed("placements", "transform", np.inf),
    "a_pose_that_flattens": changed("placements", "transform", 0.0),
    "frames_in_disorder": changed("frames", "index", 0),
    "an_answer_for_nobody": changed("states", "pair", (0, -1)),
    "an_answer_that_names_a_feature_too_many": changed("ints", None, 10**6),
    "an_answer_of_four_dimensions": changed("states", "dimension_a", 3),
    "an_answer_with_lists_of_negative_length": changed("states", "parts_a", -5),
    "an_event_of_an_unknown_body": changed("lines", None, *NOBODY),
    "an_event_of_an_answer_too_few": changed("events", "state", -7),
    "an_event_that_is_none": changed("lines", None, 0xFF, row=0),
    "ends_in_disorder": changed("frames", "end", -3),
    "a_region_of_faces_that_are_not_there": changed("region_faces", None, -2),
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
        path.write_bytes(plain.read_bytes())
        with h5py.File(path, "r+") as file:
            make(file, folder)
        if name in SEALED:
            sealed(path)
        paths.append(path)
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
