import os  # of sim.laws.runner, sim.laws.equations
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim import Body, Pose, Recording, RecordingError, World
from sim.laws.runner import pack, unpack
from wingedge import shapes


class Bounce:
    """A ball falls, and leaves what it has met by the normal of the last frame."""

    def __init__(self):
        self.height, self.speed, self.asked, self.cut = 0.9, 0.0, 0, []

    def advance(self, bodies, frame, dt):
        self.asked += 1
        self.cut.append(tuple(bodies.cut))
        assert (frame is None) == (self.asked == 1)
        if frame is not None and frame.pair("ball", "table").regime == "contact":
            assert frame.pair("ball", "table").normal[2] < -0.9
            self.speed = abs(self.speed)
        self.speed -= 9.81 * dt
        self.height += self.speed * dt
        return {"ball": Pose(None, (0.0, 0.0, self.height))}

    def state(self):
        return {"numbers": np.array([self.height, self.speed]), "asked": self.asked}

    def restore(self, arrays):
        self.height, self.speed = arrays["numbers"].tolist()
        self.asked = int(arrays["asked"])


def scene(law, ball=None, **options):
    ball = ball or Body(shapes.icosphere(1, 0.5), name="ball")
    table = Body(shapes.box((3.0, 3.0, 0.3)), name="table", pose=Pose(None, (0, 0, -1)))
    return World([ball, table], law=law, contact_distance=0.05, dt=0.01, **options)


def test_a_law_answers_contact_of_the_frame_before():
    world = scene(Bounce())
    told = [str(e) for frame in world.run(200) for e in frame.events]
    assert [line.split()[1] for line in told][:3] == ["begin", "end", "begin"]


def test_scripts_have_the_last_word_and_the_law_sees_where_they_lead():
    class Both:
        def advance(self, bodies, frame, dt):
            assert bodies.prescribed == {"ball"}
            assert bodies["ball"].pose.translation[2] == 7.0
            with pytest.raises(KeyError, match="no body 'bell'; there are ball, table"):
                bodies["bell"]
            lower = bodies["table"].mesh.points - (0.0, 0.0, 1.0)
            return {"ball": Pose(), "table": lower}

        state = dict
        restore = print

    world = scene(Both(), motion={"ball": lambda t: Pose(None, (0.0, 0.0, 7.0))})
    world.step()
    assert world.body("ball").pose.translation[2] == 7.0
    assert world.body("table").positions[:, 2].max() == 0.15 - 1.0
    world = scene(Bounce())
    world.step()
    world.hold("ball")
    world.body("ball").pose = Pose(None, (0.0, 0.0, 5.0))
    assert world.step().body("ball").pose.translation[2] == 5.0
    world.let_go("ball")
    assert world.step().body("ball").pose.translation[2] < 1.0
    world.cut("ball")
    world.body("ball").pose = Pose(None, (0.0, 0.0, 6.0))
    assert world.step().body("ball").pose.translation[2] == 6.0
    assert world.law.cut == [(), (), (), ("ball",)]


MIRROR = np.array([[-1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])


def test_a_law_that_forgets_that_no_frame_is_before_the_first_is_told_so():
    class Hasty(Bounce):
        def advance(self, bodies, frame, dt):
            return {"ball": Pose(None, frame.pair("ball", "table").point_a)}

    with pytest.raises(AttributeError) as caught:
        scene(Hasty()).step()
    assert caught.value.__notes__[-1] == "frame is None before the first frame"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"bell": Pose()}, "'bell', but there is no such body; there are ball, table"),
        ({"ball": MIRROR}, "body 'ball', frame 2, time 0.02: law Wrong .* determ"),
        ({"ball": MIRROR * np.nan}, "body 'ball', frame 2, time 0.02.* not finite"),
        ({"ball": np.zeros((5, 3))}, "body 'ball', frame 2.*shape \\(5, 3\\); give a"),
        ({"ball": np.full((42, 3), np.nan)}, "body 'ball', frame 2, time 0.02"),
        ({"table": Pose(None, (0, 0, 9)), "ball": "up"}, "body 'ball', frame 2"),
        (None, "frame 2, time 0.02: advance returned NoneType"),
        (RuntimeError("no power"), "no power\nlaw Wrong, frame 2, time 0.02"),
        (KeyboardInterrupt(), ""),
    ],
)
def test_a_law_that_fails_is_named_and_nothing_moved(answer, said):
    class Wrong(Bounce):
        wrong = False

        def advance(self, bodies, frame, dt):
            right = super().advance(bodies, frame, dt)
            if not self.wrong:
                return right
            if isinstance(answer, BaseException):
                raise answer
            return answer

    def press(rest, t):
        return rest * (1.0 + t)

    def world_of(law):
        return scene(law, deform={"table": press})

    law = Wrong()
    world, other = world_of(law), world_of(Bounce())
    for _ in range(2):
        world.step(), other.step()
    law.wrong = True
    places = [body.positions.copy() for body in world.bodies]
    before = world.poses.copy(), places
    kinds = (TypeError, ValueError, RuntimeError, KeyboardInterrupt)
    with pytest.raises(kinds, match=f"(?s){said}"):
        world.step()
    assert np.array_equal(world.poses, before[0])
    now = [body.positions for body in world.bodies]
    assert all(map(np.array_equal, now, before[1]))
    law.wrong = False
    for _ in range(70):
        one, two = world.step(), other.step()
        assert str(one.events) == str(two.events)
        assert np.array_equal(world.poses, other.poses)
    assert law.asked == 72


def test_what_is_no_law_is_refused():
    with pytest.raises(TypeError, match="law is str without advance"):
        scene("gravity")
    with pytest.raises(TypeError, match="law is the class Bounce; make one"):
        scene(Bounce)
    with pytest.raises(TypeError, match="'name' is of <U4; give arrays of numbers"):
        scene(type("Words", (Bounce,), {"state": lambda self: {"name": "ball"}})())
    with pytest.raises(ValueError, match=r"buffer|reshape"):
        unpack(pack({"x": np.arange(3.0)})[:-1])
    arrays = {"x": np.arange(6).reshape(2, 3), "none": np.zeros((0, 3)), "on": True}
    for name, array in unpack(pack(arrays)).items():
        assert np.array_equal(array, arrays[name])


WORLDS = {
    "Bounce": "from test_runner import Bounce, scene; world = scene(Bounce())",
    "Affine": "from test_affine import heap; world, _ = heap()",
}
RUN = """
import os, sys
sys.path[:] = [{folder!r}, *sys.path, {root!r}]
{world}
with world.record({path!r}):
    for frame in world.run(90):
        if frame.index == {last}:
            os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(os.name != "posix", reason="files in use cannot be replaced here")
@pytest.mark.parametrize(
    ("law", "last"), [("Bounce", 0), ("Bounce", 44), ("Affine", 37)]
)
def test_a_law_that_was_killed_goes_on_to_the_same_bits(
    law, last, tmp_path, monkeypatch
):
    def made():
        names = {}
        exec(WORLDS[law], names)
        return names["world"]

    folder, _, _, root = map(str, Path(__file__).parents[:4])
    monkeypatch.syspath_prepend(folder)
    whole, cut = (str(tmp_path / f"{name}.vtkhdf") for name in ("whole", "cut"))
    world = made()
    with world.record(whole):
        list(world.run(90))
    words = {"folder": folder, "root": root, "world": WORLDS[law], "last": last}
    text = RUN.format(path=cut, **words)
    done = subprocess.run([sys.executable, "-c", text], check=False)
    assert done.returncode == -signal.SIGKILL
    world = made()
    with world.record(cut, resume=True):
        list(world.run(89 - last))
    with Recording.open(whole) as one, Recording.open(cut) as other:
        assert len(other) == 90
        assert one.digest == other.digest
        assert other.replay().digest == other.digest
        part = other.save_as(tmp_path / "part.vtkhdf", slice(30, 60))
    part.close()
    world = made()
    with world.record(tmp_path / "part.vtkhdf", resume=True):
        list(world.run(30))
    with Recording.open(tmp_path / "part.vtkhdf") as part, Recording.open(whole) as one:
        for k in range(60):
            assert np.array_equal(part[k].bodies.poses, one[30 + k].bodies.poses)
    refused = pytest.raises(RecordingError, match="its law is 'Bounce', not ''")
    if law == "Bounce":
        with refused, scene(None).record(cut, resume=True):
            pass


def test_the_law_of_a_world_can_be_read_and_not_be_changed():
    law = Bounce()
    world = scene(law)
    assert world.law is law
    with pytest.raises(AttributeError):
        world.law = None
    assert World([]).law is None
