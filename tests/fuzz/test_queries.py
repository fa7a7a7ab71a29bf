"""Every primitive, asked random and degenerate queries, judged exactly."""

import numpy as np
import pytest
import queries


@pytest.mark.parametrize("kind", queries.KINDS)
@pytest.mark.parametrize("name", queries.NAMES)
@pytest.mark.parametrize("count", [30, 2000])
def test_every_answer_of_a_primitive_is_the_true_one(count, name, kind):
    module = queries.load(name)
    arguments = module.draw(np.random.default_rng([0, len(kind)]), count, kind)
    wrong = np.nonzero(module.wrong(*arguments))[0]
    assert wrong.tolist() == [], (
        f"replay: fuzz_primitives.py --replay {name}:{kind}:0:ROW"
    )
