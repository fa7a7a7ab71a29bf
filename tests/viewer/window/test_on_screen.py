import numpy as np
import pytest

from wingedge import Feature, shapes

pytestmark = pytest.mark.gui

SLOW = 1e-3  # times as fast as time: a recording stays on its first frame


def paused(person):
    person.press("space")
    person.sees(lambda now: not now["playing"], "Space pauses")
    return person


def middle(state, name="jelly"):
    return np.array(state["poses"][name][1])


def test_space_pauses_and_goes_on(opened):
    person = opened("falling")
    person.sees(lambda now: now["frame"] >= 2, "time goes on by itself")
    paused(person)
    frame = person.now["frame"]
    person.press("Right")
    person.sees(lambda now: now["frame"] == frame + 1, "one frame, and no more")
    assert not person.now["playing"]
    person.press("space")
    person.sees(lambda now: now["playing"], "Space goes on")
    person.sees(lambda now: now["frame"] >= frame + 3, "time goes on again")


def corners(state):
    linear, translation = map(np.array, state["poses"]["jelly"])
    return shapes.box().points @ linear.T + translation


def handle(person):
    """Where the mouse can take the box: a little below its highest corner."""
    corner = max(person.seen(corners(person.now)).tolist(), key=lambda place: place[1])
    return 0.8 * np.array(corner) + 0.2 * person.seen(middle(person.now))[0]


def dragged(person, way):
    before = person.seen(middle(person.now))[0]
    heard = person.drag(handle(person), way, control=True)
    return heard + person.sees(
        lambda now: np.abs(person.seen(middle(now))[0] - before - way).max() < 1.5,
        f"the box went with the mouse by {way} pixels",
    )


def test_a_dragged_body_goes_with_the_mouse_and_its_contact_with_it(opened, answer):
    person = paused(opened("dragged"))
    first, seen = person.now, set()
    heard = [first]
    for way in ((-480, 0), (0, -140), (420, 0)):
        heard += dragged(person, way)
    for now in heard:
        wanted = answer("dragged", now)
        (pair,) = now["pairs"]
        assert pair["distance"] == wanted.distance
        assert pair["features"] == [str(wanted.feature_a), str(wanted.feature_b)]
        seen.add((pair["regime"], pair["kind"], *pair["features"]))
    regimes, kinds, corners_and_sides, of_the_table = map(set, zip(*seen, strict=True))
    assert {"separated", "penetrating"} <= regimes
    assert {"VF", "EE"} <= kinds
    assert min(len(corners_and_sides), len(of_the_table)) >= 3
    assert person.now["view"] == first["view"], "the view stays"
    assert person.now["poses"]["table"] == first["poses"]["table"]
    assert person.now["poses"]["jelly"][0] == first["poses"]["jelly"][0]


def test_a_body_that_slides_never_goes_through_another(opened, answer):
    person = paused(opened("dragged"))
    heard = dragged(person, (0, -150))
    assert min(answer("dragged", now).distance for now in heard) < -0.2
    dragged(person, (0, 150))
    person.press("x")
    person.sees(
        lambda now: "others are in the way" in now["sheet"], "bodies are in the way"
    )
    since = len(person.states)
    person.drag(handle(person), (60, -250), control=True, steps=10)
    person.drag(handle(person), (90, 120), control=True)
    person.sees(lambda now: now["pairs"][0]["distance"] > 0.1, "it is lifted again")
    slid = person.states[since:]
    assert min(answer("dragged", now).distance for now in slid) > 0.0
    assert "contact" in {now["pairs"][0]["regime"] for now in slid}
    assert "slides along other bodies" in person.now["sheet"]


def test_time_goes_on_around_a_body_that_is_held(opened):
    person = opened("falling")
    person.sees(lambda now: now["frame"] >= 1, "time goes on")
    place = person.seen(middle(person.now, "ball"))[0]
    person.drag(np.add(place, (0, 10)), (-120, 40), control=True)
    person.sees(lambda now: "ball, held" in now["sheet"], "the ball is held")
    frame = person.now["frame"]
    person.sees(lambda now: now["frame"] >= frame + 3, "time goes on")
    held = middle(person.now, "ball")
    assert held[2] > 1.9
    frame = person.now["frame"]
    person.sees(lambda now: now["frame"] >= frame + 2, "time goes on")
    assert (middle(person.now, "ball") == held).all(), "it stays in the hand"
    assert person.now["playing"]
    person.press("Escape")
    person.sees(lambda now: middle(now, "ball")[2] < held[2], "it falls again")


def test_an_arrow_of_the_handles_moves_along_its_axis(opened):
    person = paused(opened("dragged"))
    person.press("Tab")
    person.sees(lambda now: now["chosen"] == "jelly", "Tab chooses the first body")
    before = middle(person.now)
    tip = person.seen(np.add(before, (0.0, 0.0, 0.9)))[0]
    person.drag(tip, (0, 60))
    person.sees(
        lambda now: middle(now)[2] > before[2] + 0.05, "the arrow moves the body up"
    )
    np.testing.assert_allclose(middle(person.now)[:2], before[:2], atol=1e-9)


def test_a_click_reads_the_vertex_edge_or_face_that_is_seen_there(opened):
    person = paused(opened("dragged"))
    points, mesh = corners(person.now), shapes.box()
    eye = np.array(person.now["view"][0])
    nearest = int(np.argmin(np.linalg.norm(points - eye, axis=1)))
    wanted = {Feature("vertex", nearest): points[nearest]}
    for edge in mesh.vertex_edges(nearest):
        wanted[Feature("edge", int(edge))] = points[mesh.edge_vertices[edge]].mean(0)
    for face in mesh.vertex_faces(nearest):  # all three look at the eye
        wanted[Feature("face", int(face))] = points[mesh.face_vertices(face)].mean(0)
    assert len(wanted) == 7
    for feature, place in wanted.items():
        person.click(person.seen(place)[0])
        person.sees(
            lambda now, name=str(feature): now["feature"] == name,
            f"a click reads {feature}",
        )
        assert person.now["chosen"] == "jelly"
        assert f"{feature.kind} {feature}" in person.now["sheet"]
    person.click((640, 700))
    person.sees(lambda now: now["chosen"] is None, "a click beside all chooses none")


def knob(person, frame, frames):
    first, last = np.array(person.now["ends"], float)
    return first + (last - first) * frame / (frames - 1)


def test_the_slider_seeks_where_it_is_dragged(opened):
    person = paused(opened("falling", stored=9, speed=SLOW))
    person.click(knob(person, 6, 9))
    person.sees(lambda now: now["frame"] == 6, "a click on the slider goes to frame 6")
    way = np.subtract(knob(person, 2, 9), knob(person, 6, 9))
    heard = person.drag(knob(person, 6, 9), way)
    heard += person.sees(lambda now: now["frame"] == 2, "the slider is dragged to 2")
    assert {now["frame"] for now in heard} <= {2, 3, 4, 5, 6}
    assert person.now["slider"][2] == person.now["position"] == 2


@pytest.mark.parametrize("keys", ["", "h", "ad", "i"])
def test_the_screen_shows_what_is_drawn_off_screen(opened, windows, tmp_path, keys):
    path = str(tmp_path / "drawn.npy")
    windows.ask(world="falling", stored=9, draw=path, keys=keys, speed=SLOW)
    windows.hear(lambda now: now == {"drawn": path}, "it is drawn off screen")
    drawn = np.load(path).astype(int)
    person = paused(opened("falling", stored=9, speed=SLOW))
    if keys:
        person.press(*keys)
    away = lambda seen: np.abs(seen - drawn).max(axis=2) > 24  # noqa: E731
    seen = person.shows(
        lambda seen: away(seen).mean() < 1e-3, "the screen shows what was drawn"
    )
    assert person.now["frame"] == 0
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 200
