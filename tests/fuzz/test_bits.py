"""What is held against each other of both engines, kind of answer by kind."""

from itertools import islice

import numpy as np
import pytest
from stories.bits import KINDS
from stories.deforming import told

from sim import Body, Pose, set_engine
from wingedge import shapes


@pytest.mark.parametrize("kind", KINDS)
def test_a_digest_hangs_on_every_coordinate_and_on_nothing_else(kind):
    def look(stretch: float) -> str:
        a, b = Body(shapes.l_block(), name="a"), Body(shapes.ring(), name="b")
        b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.0, 0.4, 2.1))
        b.points = b.mesh.points * stretch
        return KINDS[kind](a, b, False)()

    one = look(1.0)
    assert look(1.0) == one
    assert look(np.nextafter(1.0, 2.0)) != one


# near, in each other, found by a search, a cover that is repaired
STORIES = [("dent", 3), ("swell", 5), ("wave", 487), ("jitter", 47)]


@pytest.mark.compiled
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("family", "seed"), STORIES)
def test_both_engines_give_the_same_bits_of_bodies_that_bend(family, seed, kind):
    story = told("small", family, seed)

    def run(engine: str) -> list[str]:
        set_engine(engine)
        a, b = story.bodies()
        look = KINDS[kind](a, b, False)
        return [look() for _ in islice(story.play(a, b), 0, 48, 6)]

    try:
        assert run("python") == run("compiled")
    finally:
        set_engine("auto")
