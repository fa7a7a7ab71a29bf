import numpy as np  # of sim.story.testing.expectation
import pytest

from sim import Event, Recording, Story, scenes
from sim.story.testing.expectation import Expectation

PRESS = """\
22 begin jelly/table VF v0 f1
48 change jelly/table VF v0 f1 -> FF f0 f1
49 change jelly/table FF f0 f1 -> VF v0 f1
76 end jelly/table VF v0 f1"""


def events(text):
    return [Event.parse(line) for line in text.splitlines()]


def mismatch(expected, happened=PRESS):
    return Expectation.parse(expected).mismatch(events(happened))


def test_the_first_step_that_is_not_met_is_named():
    for text, words in [
        ("begin ; end", "step 2 of 2 is not met"),
        ("begin ; end", "event 2 of 4; it is of kind change, not end"),
        ("begin ; change EE ; ...", "the contact is FF, not EE"),
        ("begin ; change F* f3 * ; ...", "the first feature is f0, not f3"),
        ("begin ; change * * f3 ; ...", "the second feature is f1, not f3"),
        ("begin ; change EF -> FF ; ...", "before, the contact is VF, not EF"),
        ("20-21 begin ; ...", "it happens in frame 22, not 20-21"),
        ("22 begin ; 47 change ; ...", "it happens in frame 48, not 47"),
        ("begin ; change ; change", "after the last of 3 steps"),
        ("begin ; change ; change ; end ; begin", "nothing: the story ends"),
        ("... ; begin ; end ; ...", "step 2 of 2 is not met"),
        ("", "expected: no further event"),
    ]:
        assert words in mismatch(text)


def test_a_mismatch_is_told_in_words():
    assert mismatch("begin ; ... ; change EE ; end") == (
        "contacts are not as expected: step 2 of 3 is not met\n"
        "  expected: change EE\n"
        "  instead:  nothing: the story ends\n"
        "  where:    after the last event\n"
        "  nearest:  48 change jelly/table VF v0 f1 -> FF f0 f1; the contact is FF, "
        "not EE\n"
        "\n"
        "  step 1   22 begin jelly/table VF v0 f1\n"
        "           ... 3 events"
    )
    assert "nearest" not in mismatch("begin ; ... ; brush"), "of its kind is none"
    assert mismatch("begin ; change ; change FF ; end") == (
        "contacts are not as expected: step 3 of 4 is not met\n"
        "  expected: change FF\n"
        "  instead:  49 change jelly/table FF f0 f1 -> VF v0 f1\n"
        "  where:    event 3 of 4; the contact is VF, not FF\n"
        "\n"
        "  step 1   22 begin jelly/table VF v0 f1\n"
        "  step 2   48 change jelly/table VF v0 f1 -> FF f0 f1\n"
        "  here ->  49 change jelly/table FF f0 f1 -> VF v0 f1\n"
        "           76 end jelly/table VF v0 f1"
    )


MIXED = """\
1 begin a/b VF v0 f1
1 birth a/b #0 VF v0 f1
2 begin a/c VF v0 f1
3 inverted a
4 end a/c VF v0 f1
5 death a/b #0 VF v0 f1
5 end a/b VF v0 f1
6 upright a"""


def test_only_what_the_steps_speak_of_is_looked_at():
    for text in [
        "begin a/b ; end",
        "begin a/c ; end",
        "begin a/b ; begin a/c ; end ; end a/b",
        "begin ; begin ; end ; end",
        "birth a/b #0 ; death #0 VF",
        "inverted a ; upright",
        "begin a/b ; ... ; 6 upright a",
    ]:
        assert not mismatch(text, MIXED)


def test_identities_of_regions_and_places_of_dents_count():
    lineage = "14 split a/b #1 -> #1+#4"
    assert not mismatch("split #1 -> #1+#4", lineage)
    assert "region is #1+#4, not #1+#3" in mismatch("split * -> #1+#3", lineage)
    lost = "47 convexity_lost a e12(3-9) 0.0123"
    for fits in ("e12 0.0123", "e12(3-9) 0.01", "* 0.012", "e12", "* *"):
        assert not mismatch(f"convexity_lost a {fits}", lost)
    for other, words in [
        ("e12(3-8)", "the place is e12(3-9), not e12(3-8)"),
        ("winding", "the place is e12(3-9), not winding"),
        ("* 0.013", "the depth is 0.0123, not 0.013"),
    ]:
        assert words in mismatch(f"convexity_lost a {other}", lost)


def fits(script, happened):
    """Say the same by trying everything, which takes for ever on long ones."""
    if not script:
        return not happened
    step, *rest = script
    if step is None:
        return any(fits(rest, happened[k:]) for k in range(len(happened) + 1))
    return (
        bool(happened) and not step.unlike(happened[0])[1] and fits(rest, happened[1:])
    )


def test_a_few_thousand_random_stories_are_judged_as_by_trying_everything():
    rng = np.random.default_rng(0)
    steps = ["begin", "end", "change", "change VF", "change EE", "...", "..."]
    lines = ["begin a/b VF v0 f1", "end a/b VF v0 f1"]
    touches = "VF v0 f1", "EE e1(0-1) e2(1-2)"
    lines += [f"change a/b EF e1(0-1) f1 -> {touch}" for touch in touches]
    counts = {True: 0, False: 0}
    for _ in range(3000):
        text = " ; ".join(rng.choice(steps, rng.integers(1, 7)))
        told = rng.choice(lines, rng.integers(0, 7))
        happened = [Event.parse(f"{k} {line}") for k, line in enumerate(told)]
        expectation = Expectation.parse(text)
        expected = fits(expectation.script, happened)
        assert (not expectation.mismatch(happened)) == expected, (text, told)
        counts[expected] += 1
    assert min(counts.values()) > 300


def test_any_source_can_be_asked(tmp_path):
    expectation = Expectation.parse("begin jelly/table VF ; ... ; 76 end")
    world, path = scenes.load("press"), tmp_path / "run.vtkhdf"
    with world.record(path):
        frames = list(world.run(100))
    with Recording.open(path) as recording:
        for source in (frames, iter(frames), Story.of(frames), recording):
            expectation.of(source)
        expectation.of(scenes.load("press"), frames=100)
        for source in (frames, recording, scenes.load("press")):
            with pytest.raises(AssertionError, match="step 2 of 2 is not met"):
                expectation.of(source, frames=76)


def test_a_name_that_no_body_has_is_told():
    for text, clause in [
        (
            "begin jelly/tabel ; ... ; end",
            "there is no body 'tabel', only jelly, table",
        ),
        ("begin jelly/tabel ; end", "did you mean 'table'?"),
        ("... ; begin */floor", "there is no body 'floor', only jelly, table\n"),
        ("begin table/jelly ; end", "the pair is written jelly/table, in the order"),
        ("begin ; ... ; inverted jely", "in 'inverted jely', there is no body 'jely'"),
        ("begin jelly/jelly", "'jelly' stands twice"),
    ]:
        found = Expectation.parse(text).mismatch(events(PRESS), ("jelly", "table"))
        assert clause in found
        assert found.index("  names:  ") < found.index("  where:  ")


def test_names_that_are_right_are_not_spoken_of_and_wildcards_cost_no_search():
    for text in ("begin jelly/table ; end", "begin */* ; end", "inverted jelly", ""):
        found = Expectation.parse(text).mismatch(events(PRESS), ("jelly", "table"))
        assert "names:" not in found
    story = Story.of(scenes.load("press").run(1))
    with pytest.raises(AssertionError, match="did you mean 'table'"):
        Expectation.parse("begin jelly/tabel").of(story)
    line = "change a/b VF v0 f1 -> EF e1(0-1) f1"
    happened = [Event.parse(f"{k} {line}") for k in range(500)]
    text = "... ; change EF ; " * 40 + "end"  # 500 over 40 ways to spread the gaps
    found = Expectation.parse(text).mismatch(happened)
    assert "step 41 of 41 is not met" in found
