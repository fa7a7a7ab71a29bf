import numpy as np  # of sim.body.guard, sim.body.body
import pytest

from sim import Body, PairTracker, Pose, World, exhaustive, verify
from wingedge import ConvexityError, MeshError, shapes

SPHERE = shapes.icosphere(1)
BOX = shapes.box()
ABOVE = Pose(translation=(0.1, 0.2, 1.75))


def warped():
    points = BOX.points.copy()
    points[BOX.face_vertices(1)[0], 2] -= 0.125
    return points


def assigned(body, new, partner):
    body.points = new


def edited(body, new, partner):
    with body.edit() as points:
        points[...] = new


def tracked(body, new, partner):
    PairTracker(body, partner).track(points_a=np.stack([body.positions, new]))


def written(body, new, partner):
    body.points[...] = new
    tracker = PairTracker(body, partner)
    tracker.next_frame = 3
    tracker.update()


def searched(body, new, partner):
    body.points[...] = new
    exhaustive(body, partner)


def looked_at_as_in_the_paper(body, new, partner):
    body.points[...] = new
    PairTracker(body, partner, strategy="paper").update()


def stepped(body, new, partner):
    deform = {body.name: lambda rest, t: new if t > 0.0 else rest}
    list(World([body, partner], deform=deform).run(2))


def stepped_while_open(body, new, partner):
    world = World([body, partner])
    world.step()
    body.points[...] = new
    world.step()


WAYS = {
    assigned: None,
    edited: None,
    tracked: 1,
    written: 3,
    searched: 0,
    looked_at_as_in_the_paper: 0,
    stepped: 1,
    stepped_while_open: 1,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_dent_is_refused_by_edge_depth_body_and_frame(way, dented):
    body = Body(SPHERE, name="jelly", convexity="raise")
    with pytest.raises(ConvexityError, match="'jelly' is not convex") as told:
        way(body, dented(SPHERE), Body(BOX, name="table", pose=ABOVE))
    error = told.value
    assert (error.body, error.frame) == ("jelly", WAYS[way])
    assert 0 in SPHERE.edge_vertices[error.edge] or error.edge >= 0
    assert error.depth == pytest.approx(0.374, rel=1e-2)
    assert f"edge {error.edge} is dented by {error.depth:.6g}" in str(error)


def test_a_polygon_off_its_plane_and_a_fold_are_refused_by_name():
    for way in WAYS:
        body = Body(BOX, name="crate", flatness="raise")
        when = "" if WAYS[way] is None else f", frame {WAYS[way]}"
        with pytest.raises(
            MeshError, match=f"body 'crate'{when}: .*face 1 is not planar"
        ):
            way(body, warped(), Body(SPHERE, name="ball", pose=ABOVE))
    with pytest.raises(ConvexityError, match="face 1 is folded inwards by"):
        Body(BOX, name="crate", convexity="raise").points = warped()


@pytest.mark.parametrize(
    ("factors", "why"),
    [([1, 1, -1], "it is inside-out"), ([1, 1, 0], "it has collapsed")],
)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_solid_is_refused(way, factors, why):
    body = Body(SPHERE, name="jelly", convexity="raise")
    with pytest.raises(ConvexityError, match=why) as told:
        way(body, SPHERE.points * factors, Body(BOX, name="table", pose=ABOVE))
    assert (told.value.body, told.value.frame) == ("jelly", WAYS[way])


@pytest.mark.parametrize("is_open", [False, True])
def test_a_flagged_body_is_answered_and_says_that_it_is_not_convex(is_open, dented):
    body, box = Body(SPHERE, name="jelly", convexity="flag"), Body(BOX, pose=ABOVE)
    tracker = PairTracker(body, box)
    plain = tracker.update()
    assert (plain.certified, plain.reason) == (True, "")
    if is_open:
        body.points[...] = dented(SPHERE)
    else:
        body.points = dented(SPHERE)
    flagged = tracker.update()
    assert flagged.certified
    assert verify(flagged, body, box)
    assert flagged.reason.startswith("body 'jelly' is not convex: edge e")
    assert flagged.reason.endswith(" is 0.374 deep")
    assert flagged.lower <= flagged.distance == plain.distance <= flagged.upper
    assert exhaustive(body, box).reason == flagged.reason
    if is_open:
        body.points[...] = SPHERE.points
    else:
        body.points = SPHERE.points
    again = tracker.update()
    assert (again.certified, again.reason) == (True, "")
    assert again.distance == plain.distance


FLAW = "body 'jelly' is not convex: edge e"


def pressed(convexity, is_open, dented, rng):
    """Two bodies that turn, part, meet and cross; the first one is dented at times."""
    jelly = Body(SPHERE, name="jelly", convexity=convexity)
    peer = Body(shapes.l_block(), name="peer", convexity=convexity)
    for k in range(60):
        shape = dented(SPHERE) if k % 20 >= 10 else SPHERE.points
        shape = shape * (1.0, 1.0 + 0.25 * (k % 3), -1.0 if k % 20 == 15 else 1.0)
        if is_open:
            jelly.points[...] = shape
        elif k % 5 == 0:
            jelly.points = shape
        at = 0.2 + 1.5 * rng.random(), *rng.uniform(-0.5, 0.5, 2)
        peer.pose = Pose.rigid(rng.normal(size=4), at)
        yield jelly, peer


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("tabled", [False, True])
def test_a_flagged_body_is_answered_as_its_surface_to_the_bit(is_open, tabled, dented):
    """Apart and overlapping, by a tracker and by a world; but for reason and work."""
    told = {}
    for convexity in ("surface", "flag"):
        told[convexity] = found = []
        source = None
        for pair in pressed(convexity, is_open, dented, np.random.default_rng(3)):
            source = source or (World(pair) if tabled else PairTracker(*pair))
            found.append(source.step().pairs[0] if tabled else source.update())
    flawed = 0
    for surface, flag in zip(told["surface"], told["flag"], strict=True):
        one, two = (s.numbers._replace(reason="", work=None) for s in (surface, flag))
        assert one == two
        assert surface.regime == flag.regime
        assert surface.certified == flag.certified
        assert set(surface.reason.split("; ")) <= {"", *flag.reason.split("; ")}
        assert "body 'peer' is not convex: edge e" in flag.reason
        assert "edge e" not in surface.reason
        flawed += FLAW in flag.reason
    assert flawed == 30
    assert {s.regime for s in told["flag"]} >= {"separated", "penetrating"}


def test_a_track_of_a_flagged_body_says_it_in_every_frame(dented):
    body, box = Body(SPHERE, name="jelly", convexity="flag"), Body(BOX)
    body.points = dented(SPHERE)
    poses = [Pose(translation=(0.1, 0.2, 1.5 + 0.125 * k)) for k in range(6)]
    track = PairTracker(body, box).track(poses_b=poses)
    assert track.certified.all()
    assert all(state.reason.startswith(FLAW) for state in track)


@pytest.mark.parametrize("mesh", [BOX, shapes.grid_box(3), shapes.prism(5), SPHERE])
@pytest.mark.parametrize("name", ["box", "open box"])
def test_an_open_body_that_is_seen_from_outside_is_not_asked_for_its_volume(
    mesh, name, monkeypatch
):
    """Every frame paid 3 ns a triangle for it: four times the cost of a scan."""
    asked = []
    sign = Body.volume_sign
    monkeypatch.setattr(
        Body, "volume_sign", lambda self: asked.append(self.name) or sign(self)
    )
    said = {1.0: "", -1.0: "is inside-out", 0.0: "has collapsed: it has no volume"}
    rng = np.random.default_rng(5)
    jelly, box = Body(mesh, name="jelly"), Body(BOX, name="box")
    tracker = PairTracker(box, jelly)
    if name == "open box":
        _ = box.points
    for k in range(60):
        height = (1.0, 1.0, -1.0, 0.0)[k % 4]
        jelly.points[...] = mesh.points * (1.0, 1.0, height)
        jelly.pose = Pose.rigid(rng.normal(size=4), rng.normal(size=3) * 3.0)
        asked.clear()
        state = tracker.update()
        assert said[height] in state.reason
        if height == 1.0 and state.distance > 0.0:
            assert not state.reason
            assert not asked


@pytest.mark.parametrize("factor", [1e60, 1e160, 1e300, 1e-60])
def test_live_positions_whose_powers_overflow_or_vanish_are_refused_by_name(factor):
    body, ball = Body(BOX, name="crate"), Body(SPHERE, pose=ABOVE)
    tracker = PairTracker(body, ball)
    tracker.update()
    body.points[...] = BOX.points * factor
    with pytest.raises(MeshError, match=r"body 'crate', frame 1: vertex \d is .*scale"):
        tracker.update()
    body.points[...] = BOX.points
    assert tracker.update().certified
