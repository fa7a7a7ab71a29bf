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
from pathlib import Path

import h5py
import numpy as np
import pytest

import sim
from sim import Body, Pose, World, deform, motion
from sim.story.file.inspection import gaps_between, write_mark
from sim.story.file.layout import (
    AT_REST,
    FRAME,
    IN_WORLD,
    NO_HULL,
    SHARED,
    frame_seal,
    head_seal,
    points_seal,
    story_seal,
)
from sim.story.file.states import TABLES
from wingedge import shapes

SECONDS, MEGABYTES = 2.0, 200.0  # of the processor, and of memory, for every file
PATIENCE = 600  # seconds for all files together, on a busy machine
FRAMES = 8
HUGE = 1 << 33

# open one file after the other, and do all that a user may do with it
USER = """
import json, os, resource, sys, time
from sim import Recording, RecordingError
from sim.story.file import reader, recorder
import scipy.spatial

def peak():
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return [resource.getrusage(who).ru_maxrss / 1e3 for who in whose]

def spent():
    return sum(os.times()[:4])  # of the processor, the children's too

def used(path):
    with Recording.open(path) as recording:
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
    """Make every seal of a file right again, and its mark."""
    with h5py.File(path, "r+") as file:
        group = file["wingedge"]
        seal = head_seal(group)
        group.attrs["seal"] = np.frombuffer(seal, np.uint8)
        seals = [sealed_frame(file, seal, k) for k in range(len(group["ends"]))]
        group["seals"][...] = np.frombuffer(b"".join(seals), "<u8").reshape(-1, 2)
    marked(path)


def sealed_frame(file, head, k):
    group, names = file["wingedge"], names_of(file)
    ends = group["ends"][:]
    start = ends[k - 1] if k else 0 * ends[0]
    rows = {
        name: group[name][start[i] : ends[k][i]]
        for i, name in enumerate(names)
        if name not in SHARED
    }
    shared = []
    for b, row in enumerate(rows["placements"]):
        n = len(group[f"meshes/{b}/points"])
        at = int(row["points"])
        if at == IN_WORLD:
            sizes = [len(group[f"meshes/{c}/points"]) for c in range(3)]
            at = k * sum(sizes) + sum(sizes[:b])
            shared.append(points_seal(file["VTKHDF/bodies/Points"][at : at + n]))
        else:
            points = group["positions"][at : at + n]
            shared.append(b"" if at == AT_REST else points_seal(points))
        if row["hull"] != NO_HULL:
            first = int(row["hull"])
            faces = group["hulls"][first : first + int(row["hull_faces"])]
            shared.append(points_seal(faces))
    story = story_seal(head, k, ends[k], rows)
    return story + frame_seal(story, rows, shared)


def names_of(file):
    names = ["frames", "events", "lines", "placements", "positions", "hulls"]
    names += ["states", "memories", "ints", "floats", "text"]
    return names + (list(TABLES) if "region_ends" in file["wingedge"] else [])


def marked(path):
    with path.open("r+b") as file:
        write_mark(file, FRAMES, gaps_between([]))


def put(file, name, data, **options):
    """Put other rows in the place of those that are there."""
    del file[name]
    return file.create_dataset(name, data=data, **options)


def change(file, name, column, value, row=-1):
    data = file["wingedge"][name]
    rows = data[:]
    (rows if column is None else rows[column])[row] = value
    data[...] = rows


# Made of more than its own bytes: told before anything is read, so no seal matters.


def a_link_to_a_pipe(file, folder):
    os.mkfifo(folder / "pipe")
    del file["wingedge/notes"]
    file["wingedge/notes"] = h5py.ExternalLink(str(folder / "pipe"), "/x")


def a_link_to_another_file(file, folder):
    with h5py.File(folder / "other.h5", "w") as other:
        other["rows"] = file["wingedge/frames"][:]
    del file["wingedge/frames"]
    file["wingedge/frames"] = h5py.ExternalLink(str(folder / "other.h5"), "/rows")


def a_soft_link(file, folder):
    file.move("wingedge/states", "states")
    file["wingedge/states"] = h5py.SoftLink("/states")


def soft_links_in_a_circle(file, folder):
    del file["wingedge/notes"]
    file["wingedge/notes"] = h5py.SoftLink("/wingedge/there")
    file["wingedge/there"] = h5py.SoftLink("/wingedge/notes")


def a_group_inside_itself(file, folder):
    file["wingedge/meshes/0/more"] = file["wingedge/meshes"]


def one_table_under_two_names(file, folder):
    del file["wingedge/text"]
    file["wingedge/text"] = file["wingedge/lines"]


def points_behind_a_link(file, folder):
    file.move("VTKHDF/bodies/Points", "Points")
    file["VTKHDF/bodies/Points"] = h5py.SoftLink("/Points")


def steps_behind_a_link(file, folder):
    os.mkfifo(folder / "steps")
    del file["VTKHDF/contacts"]
    file["VTKHDF/contacts"] = h5py.ExternalLink(str(folder / "steps"), "/x")


def all_behind_a_link(file, folder):
    os.mkfifo(folder / "all")
    del file["wingedge"]
    file["wingedge"] = h5py.ExternalLink(str(folder / "all"), "/x")


def rows_of_other_files(file, folder):
    layout = h5py.VirtualLayout((10,), "u1")
    layout[:] = h5py.VirtualSource(str(folder / "other.h5"), "x", (10,), "u1")
    del file["wingedge/notes"]
    file["wingedge"].create_virtual_dataset("notes", layout)


def rows_kept_outside(file, folder):
    os.mkfifo(folder / "outside")
    outside = [(str(folder / "outside"), 0, 10)]
    put(file, "wingedge/notes", None, shape=(10,), dtype="u1", external=outside)


def compressed_rows(file, folder):
    zeros = np.zeros(1 << 26, "u1")
    put(file, "wingedge/notes", zeros, chunks=(1 << 24,), compression="gzip")


def filtered_rows(file, folder):
    rows = file["wingedge/ends"][:]
    put(file, "wingedge/ends", rows, maxshape=(None, rows.shape[1]), fletcher32=True)


def rows_that_were_never_stored(file, folder):
    shape = {"shape": (HUGE,), "dtype": "u1", "chunks": (1 << 20,)}
    put(file, "wingedge/notes", None, **shape)


def numbers_that_were_never_stored(file, folder):
    put(file, "wingedge/meshes/0/points", None, shape=(HUGE // 24, 3), dtype="f8")


def frames_that_were_never_stored(file, folder):
    shape = {"shape": (HUGE,), "dtype": FRAME, "chunks": (1 << 16,)}
    put(file, "wingedge/frames", None, **shape)


def rows_of_texts_of_any_length(file, folder):
    put(file, "wingedge/notes", ["x" * 9] * 10, dtype=h5py.string_dtype())


def texts_of_any_length_beside_it(file, folder):
    many = np.array(["x" * 1000] * 1000, object)
    attrs = file["wingedge"].attrs
    attrs.create("ignore", many, dtype=h5py.string_dtype())


# Sealed: what it says cannot be.


def a_mesh_that_is_not_closed(file, folder):
    faces = file["wingedge/meshes/0/face_edge"][:-1]
    put(file, "wingedge/meshes/0/face_edge", faces)


def indices_beyond_a_mesh(file, folder):
    file["wingedge/meshes/0/edge_vertices"][0, 0] = 10**6


def indices_below_a_mesh(file, folder):
    file["wingedge/meshes/0/edge_wings"][0, 0, 0] = -1


def wings_that_walk_in_a_circle(file, folder):
    file["wingedge/meshes/0/edge_wings"][...] = 0


def a_mesh_that_is_nowhere(file, folder):
    file["wingedge/meshes/0/points"][0, 0] = np.nan


def a_mesh_of_texts(file, folder):
    put(file, "wingedge/meshes/0/points", np.full((8, 3), b"0.5"))


def a_body_of_no_mesh(file, folder):
    file["wingedge/bodies/0"].attrs["mesh"] = -1


def two_bodies_of_one_name(file, folder):
    file["wingedge/bodies/0"].attrs["name"] = "table"


def a_body_with_a_name_of_megabytes(file, folder):
    file["wingedge/bodies/0"].attrs["name"] = "x" * 2_300_000


def notes_that_are_a_list(file, folder):
    put(file, "wingedge/notes", np.frombuffer(b"[1, 2]", "u1"))


def notes_in_notes_in_notes(file, folder):
    put(file, "wingedge/notes", np.frombuffer(b"[" * 100_000, "u1"))


def time_that_stands_still(file, folder):
    file["wingedge"].attrs["dt"] = 0.0


def a_pair_that_is_ignored_and_not_there(file, folder):
    file["wingedge"].attrs["ignore"] = json.dumps([["jelly", "nobody"]])


def a_distance_that_is_no_number(file, folder):
    file["wingedge"].attrs["contact_distance"] = "far"


def positions_that_are_nowhere(file, folder):
    change(file, "positions", None, np.nan)


def a_pose_that_is_nowhere(file, folder):
    change(file, "placements", "transform", np.inf)


def a_pose_that_flattens(file, folder):
    change(file, "placements", "transform", 0.0)


def frames_in_disorder(file, folder):
    change(file, "frames", "index", 0)


def an_answer_for_nobody(file, folder):
    change(file, "states", "pair", (0, -1))


def an_answer_that_names_a_feature_too_many(file, folder):
    change(file, "ints", None, 10**6)


def an_answer_of_four_dimensions(file, folder):
    change(file, "states", "dimension_a", 3)


def an_answer_with_lists_of_negative_length(file, folder):
    change(file, "states", "parts_a", -5)


def an_event_of_an_unknown_body(file, folder):
    lines = file["wingedge/lines"]
    text = lines[:].tobytes().replace(b"jelly", b"kelly")
    lines[...] = np.frombuffer(text, "u1")


def an_event_of_an_answer_too_few(file, folder):
    change(file, "events", "state", -7)


def an_event_that_is_none(file, folder):
    change(file, "lines", None, 0xFF, row=0)


def ends_in_disorder(file, folder):
    change(file, "ends", None, -3)


def a_region_of_faces_that_are_not_there(file, folder):
    change(file, "region_faces", None, -2)


MADE = [value for value in dict(globals()).values() if callable(value)]
FIRST, LAST = a_link_to_a_pipe, a_region_of_faces_that_are_not_there
HOSTILE = MADE[MADE.index(FIRST) : MADE.index(LAST) + 1]


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """Make every file, let a process use them all, and return what it was told."""
    folder = tmp_path_factory.mktemp("hostile")
    plain = folder / "plain.vtkhdf"
    recorded(plain)
    paths = [plain]
    for make in HOSTILE:
        path = folder / f"{make.__name__}.vtkhdf"
        path.write_bytes(plain.read_bytes())
        with h5py.File(path, "r+") as file:
            make(file, folder)
        if HOSTILE.index(make) < HOSTILE.index(a_mesh_that_is_not_closed):
            marked(path)
        else:
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
    told = map(json.loads, done.stdout.splitlines())
    return {Path(path).stem: (path, *rest) for path, *rest in told}


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


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_hostile_file_is_refused_in_words(refused, make):
    path, said, took, clock, own, childs = refused[make.__name__]
    told = f"{took:5.2f} s, {clock:5.2f} s by the clock, {max(own, childs):5.1f} MB"
    print(f"{make.__name__:40} {told}")
    assert said.startswith(f"{path}: ")
    assert len(said) < len(path) + 450
    assert "\n" not in said
    assert took < SECONDS
    assert max(own, childs) < MEGABYTES
