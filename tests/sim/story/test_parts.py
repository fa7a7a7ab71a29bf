"""sim.events.patterns, sim.events.event: a foot touches with named parts; tables."""

import copy
import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import Body, Event, Pose, Recording, Story, World, compare, scenes
from wingedge import Feature, WingedEdgeMesh, edits, read, shapes, write

BALL = shapes.icosphere(1)
FACES = [BALL.face_vertices(f) for f in range(BALL.n_faces)]
MESH = WingedEdgeMesh.from_faces(BALL.points * (2.0, 0.7, 0.5), FACES)
ALONG = MESH.points[MESH.fan.vertex].mean(axis=1)[:, 0]
PARTS = {"heel": ALONG < -0.3, "toe": np.flatnonzero(ALONG > 0.3)}


def walking(frames):
    """A foot rolls from heel to toe, pressed into the floor, while it bends."""

    def bent(_, t):
        bend = 0.05 * np.sin(3.0 * t) * MESH.points[:, :1] ** 2
        return MESH.points + bend * (0.0, 0.0, 1.0)

    def rolled(t):
        s = 60.0 * t / frames
        turn = Rotation.from_euler("y", 1.2 * s - 0.6)
        lift = 3.0 * max(0.0, 0.1 - s, s - 0.9) - 1e-4
        height = 0.5 + lift - turn.apply(bent(None, t))[:, 2].min()
        return Pose.rigid(turn, (0.0, 0.0, height))

    foot = Body(MESH, name="foot", parts=PARTS)
    ground = Body(shapes.box((8.0, 8.0, 1.0)), name="ground")
    script = {"motion": {"foot": rolled}, "deform": {"foot": bent}}
    return World([foot, ground], contact_distance=0.01, **script)


def told(mesh):
    return {name: faces.tolist() for name, faces in mesh.parts.items()}


def parts_of(mesh):
    """The part of every feature: of the lowest face that has all of its corners."""
    rings = [{*mesh.face_vertices(f).tolist()} for f in range(mesh.n_faces)]
    corners = {"vertex": [[v] for v in range(mesh.n_vertices)], "face": rings}
    corners["edge"] = mesh.edge_vertices.tolist()
    return {
        str(Feature(kind, k)): next(
            (n for n, own in told(mesh).items() if f in own), ""
        )
        for kind, all_of in corners.items()
        for k, some in enumerate(all_of)
        for f in [next(f for f, ring in enumerate(rings) if ring >= {*some})]
    }


def test_a_foot_rolls_from_heel_to_toe_and_every_frame_names_the_part_of_its_face(
    expect_contacts,
):
    world, n, wrong, happened = walking(10_000), 10_000, 0, []
    met = {"heel": [], "toe": [], "": []}
    known = parts_of(world.bodies[0].mesh)
    for frame in world.run(n):
        ((row,), events) = frame.table(), [e for e in frame.events if e.b]
        wrong += (row["part_a"], row["part_b"]) != (known[row["feature_a"]], "")
        if row["regime"] != "separated":
            met[row["part_a"]].append(frame.index)
        named = [(e, e.before if e.kind == "end" else e.after) for e in events]
        wrong += sum(known[str(t.feature_a)] != e.part_a for e, t in named)
        happened += events
    assert wrong == 0
    story = Story(("foot", "ground"), n, 0, 1 / 60, happened)
    expect_contacts("begin *.heel/* ... change *.toe/* ... end").of(story)
    expect_contacts("begin foot.heel/ground ; penetrate foot.heel/* ; ...").of(story)
    for part in ("heel", "toe"):
        rows = story.spans(f"ground/foot.{part}")
        assert [k for row in rows for k in range(row["begin"], row["end"])] == met[part]
    with pytest.raises(AssertionError, match=r"foot.toe/ground .*\n.* not begin"):
        expect_contacts("begin *.toe/* ; ...").of(story)


def test_parts_go_along_with_edits_replace_copies_pickles_and_files(tmp_path):
    box = shapes.box(2.0)
    body = Body(box, name="box", parts={"top": [1], "side side": [2, 3]})
    body.replace(*edits.split_face(box, 1, *box.face_vertices(1)[[0, 2]]))  # has none
    top = sorted(body.mesh.parts["top"])
    (edge,) = (e for e, both in enumerate(body.mesh.edge_faces) if sorted(both) == top)
    body.replace(*edits.flip_edge(body.mesh, edge))
    body.replace(*edits.split_edge(body.mesh, edge))
    body.replace(*edits.poke_face(body.mesh, 2))
    mesh, parts = body.mesh, {"top": [1, 6], "side side": [2, 3, 7, 8, 9]}
    write(mesh, tmp_path / "box.obj")
    again = read(tmp_path / "box.obj"), pickle.loads(pickle.dumps(mesh))
    for other in (mesh, *again, copy.deepcopy(body).mesh):
        assert told(other) == parts
    for feature, part in parts_of(mesh).items():
        assert mesh.part_of(Feature.parse(feature)) == part
    assert mesh.part_of(Feature.lid([0, 1])) == mesh.part_of(Feature("vertex", 0))


def test_a_recording_keeps_parts_and_without_any_no_byte_is_another(tmp_path):
    world = walking(90)
    with world.record(tmp_path / "foot.vtkhdf") as path:
        lines = [str(e) for frame in world.run(60) for e in frame.events]
    with Recording.open(path) as recording:
        assert told(recording[0].body("foot").mesh) == told(world.bodies[0].mesh)
        assert list(recording.story.lines) == lines
        assert any(" foot.heel/ground " in line for line in lines)
        assert recording.replay().digest == recording.digest
        assert set(recording.contacts("ground/*.heel")["part_a"]) == {"heel"}
        with pytest.raises(ValueError, match="no part 'sole' here, only heel, toe"):
            recording.contacts("foot.sole/*")
        assert recording.table()["part_a"].tolist().count("heel") > 9
        assert {*recording.story.table()["part_a"].tolist()} == {"heel", "toe"}
    again = walking(90)
    with again.record(path, resume=True):
        list(again.run(30))
    assert Story.read(path).lines[: len(lines)] == (*lines,)
    with scenes.load("tip").record(tmp_path / "tip.vtkhdf") as path:
        pass
    assert b'"parts"' not in path.read_bytes()


TEXT = (
    "wingedge story 1\nbodies foot.a/foot/ground\nframes 20\nfirst 0\ndt 0.1\n\n"
    "12 begin foot.a/ground VF v3 f1\n"
    "12 begin foot.heel/ground VF v3 f1\n"
    "13 end foot.a/ground VF v3 f1\n"
    "15 change foot.big toe.1/ground.南 VF v3 f1 -> VF v4 f1\n"
    "18 end foot.big toe.1/ground VF v4 f1\n"
)


def test_lines_with_parts_are_read_as_they_are_written():
    event = Event.parse(line := "12 begin foot.heel/ground VF v3 f1")
    assert event.named == {"a": "foot", "part_a": "heel", "b": "ground", "part_b": ""}
    assert str(event) == line
    assert Event.parse(line, ["foot.heel", "ground"]).named["a"] == "foot.heel"
    story = Story.parse(TEXT)
    assert [(e.a, e.part_a, e.part_b) for e in story.events] == [
        *(("foot.a", "", ""), ("foot", "heel", ""), ("foot.a", "", "")),
        *(("foot", "big toe.1", "南"), ("foot", "big toe.1", "")),
    ]
    assert Story.parse(str(story)) == story
    assert story.touching("foot.heel/*", 1.3)
    assert not story.touching("*.heel/*", 1.6)
    assert story.in_the_air("foot.big toe.1/*")["end"].tolist() == [15, None]


def test_a_story_without_a_part_is_as_if_it_had_not_touched():
    text = TEXT.replace("foot.a/foot", "foot").replace(".big toe.1", ".toe")
    text = "\n".join(line for line in text.split("\n") if "foot.a" not in line)
    story, renamed = Story.parse(text), Story.parse(text.replace("heel", "sole"))
    assert story.without("ground/foot.toe").lines == (
        "12 begin foot.heel/ground VF v3 f1",
        "15 end foot.heel/ground VF v3 f1",
    )
    assert story.without("foot.heel/*").lines == (
        "15 begin foot.toe/ground.南 VF v4 f1",
        "18 end foot.toe/ground VF v4 f1",
    )
    assert story.without("foot/*").lines == ()
    assert story.without("*.hand/*") == story
    told = "begin foot.heel/ground became foot.sole/ground"
    assert told in str(compare(story, renamed))
    plain = text.replace(".heel", "").replace(".toe", "").replace(".南", "")
    assert compare(story, Story.parse(plain)).same  # golden files of before go on
    with pytest.raises(ValueError, match=r"body 'fot.heel' here, only 'foot/ground'"):
        story.spans("fot.heel/*")


def test_what_no_line_could_hold_is_refused_by_name():
    box = shapes.box()
    for name in ("", "a/b", "a->b", "a\nb"):
        with pytest.raises(ValueError, match="a part cannot be called"):
            Body(box, parts={name: [0]})
    with pytest.raises(ValueError, match="face 2 is in two parts, 'top' and 'side'"):
        Body(box, parts={"top": [1, 2], "side": [2]})
    few = ([6], "out of bounds"), ([-1], "below 0"), ([True], "boolean")
    for wrong, why in (*few, ("up", "integer")):
        with pytest.raises(IndexError, match=f"part 'top' needs .*{why}"):
            Body(box, parts={"top": wrong})
    with pytest.raises(TypeError, match=r"parts=\['top'\]: write {'heel': faces"):
        Body(box, parts=["top"])
    with pytest.raises(ValueError, match=r"'a.b' is a part of 'a' and a body"):
        World([Body(box, name="a", parts={"b": [0]}), Body(box, name="a.b")])
