"""Every primitive, asked 2000 random and 2000 degenerate queries, judged exactly."""

import numpy as np
import pytest
import queries


@pytest.mark.parametrize("kind", queries.KINDS)
@pytest.mark.parametrize("name", queries.NAMES)
def test_every_answer_of_a_primitive_is_the_true_one(name, kind):
    module = queries.load(name)
    arguments = module.draw(np.random.default_rng([0, len(kind)]), 2000, kind)
    wrong = np.nonzero(module.wrong(*arguments))[0]
    assert wrong.tolist() == [], (
        f"replay: fuzz_primitives.py --replay {name}:{kind}:0:ROW"
    )
