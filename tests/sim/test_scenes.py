import digests  # of sim.scenes.scripted, sim.scenes.dynamic, sim.scenes.figures
import pytest

from sim import Recording, scenes, set_engine, verify

KINDS = {"begin", "change", "penetrate", "separate", "end"}
REST = {"stack", "dominoes", "vault", "dzhanibekov"}  # in contact to the end


@pytest.fixture
def engine_compiled():
    set_engine("compiled")
    yield
    set_engine("auto")


def test_the_scenes_have_names_digests_and_one_line_each():
    assert tuple(digests.committed()) == scenes.names()
    for call in [scenes.load, scenes.length]:
        with pytest.raises(ValueError, match="no scene 'rain'; there are demo, press"):
            call("rain")
    for name in scenes.names():
        told = (scenes.SCENES[name][0].__doc__ or "").split("\n\n")[0]
        assert told.endswith(".")
        assert "\n" not in told
        assert 60 <= scenes.length(name) <= 160


@pytest.mark.parametrize("name", scenes.names())
def test_a_scene_is_proven_begins_and_ends_and_has_its_bits(
    name, tmp_path, engine_python
):
    world = scenes.load(name)
    with world.record(tmp_path / "scene.vtkhdf"):
        for frame in world.run(scenes.length(name)):
            for state in frame.pairs:
                assert state.certified
                # all pairs of triangles again take the checker seconds
                if frame.index % (60 if state.proof == "search" else 10) == 0:
                    one = state.nearest.state if hasattr(state, "nearest") else state
                    assert verify(one, one.a, one.b)
    with Recording.open(tmp_path / "scene.vtkhdf") as recording:
        found = recording.digest, recording.story_digest
        events = recording.events
    pairs = {}
    for event in events:
        if event.kind in KINDS:
            pairs.setdefault((event.a, event.b), []).append(event.kind)
    assert pairs
    for kinds in pairs.values():
        assert kinds[0] == "begin"
        assert kinds[-1] == "end" or name in REST
    assert found == digests.committed()[name]


@pytest.mark.compiled
@pytest.mark.parametrize("name", scenes.names())
def test_a_scene_and_its_replay_have_the_same_bits_compiled(
    name, tmp_path, engine_compiled
):
    """Though it is left at a third of its frames, and resumed by another world."""
    path, third = tmp_path / "scene.vtkhdf", scenes.length(name) // 3
    for count in (third, scenes.length(name) - third):
        with (world := scenes.load(name)).record(path, resume=True):
            list(world.run(count))
    with Recording.open(path) as found:
        for told in (found, found.replay()):
            assert (told.digest, told.story_digest) == digests.committed()[name]


@pytest.mark.compiled
def test_the_scenes_have_the_same_bits_without_the_processors_own_instructions(run):
    """An order that a sort had left to it reached poses; kernels forgo AVX2, too."""
    numpy = pytest.importorskip("numpy._core._multiarray_umath")  # 2.0 and later
    own = [name for name in numpy.__cpu_dispatch__ if numpy.__cpu_features__[name]]
    code = "import sys; sys.path += sys.argv[1:]; import digests; digests.main([])"
    done = run(code, digests.TABLE.parent, NPY_DISABLE_CPU_FEATURES=" ".join(own))
    assert f"{len(digests.committed())} same, 0 differ" in done.stdout, done.stderr


# of each kind one: stiff, soft, overlapping, with regions, inside-out, flat, many pairs
